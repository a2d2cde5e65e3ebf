"""Lines: from an offset to line and column and back, all in code points.

Only ``\\n``, ``\\r\\n`` and a lone ``\\r`` end a line, as in the Language Server Protocol.
`str.splitlines` also breaks at form feeds and Unicode separators and is of no use here.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

from quill_ls.text.span import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


class LineIndex:
    """Where the lines of one text begin and end; look-ups take O(log lines).

    Lines and columns count from 0. A text that ends with a line end has one more, empty, line
    after it, as editors show it; the empty text has one line.
    """

    __slots__ = ("_ends", "_length", "_starts")

    def __init__(self, text: str) -> None:
        self._starts = array("q", [0])
        self._ends = array("q")
        self._length = len(text)
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))

    @property
    def line_count(self) -> int:
        """Number of lines, at least 1."""
        return len(self._starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of `offset`; one outside of the text counts as its border.

        Between ``\\r`` and ``\\n`` the column is one past the last of the line.
        """
        offset = min(max(offset, 0), self._length)
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position.

        A column past the end of its line is the end of the line, a line past the last one the
        end of the text, a negative number zero: editors send such positions.
        """
        if line < 0:
            return 0
        if line >= len(self._starts):
            return self._length
        return min(self._starts[line] + max(column, 0), self._ends[line])

    def line_span(self, line: int) -> Span:
        """Return the span of a line without its line end.

        Raises
        ------
        IndexError
            If there is no such line.
        """
        if not 0 <= line < len(self._starts):
            raise IndexError(f"no line {line} in a text of {len(self._starts)} lines")
        return Span(self._starts[line], self._ends[line])
