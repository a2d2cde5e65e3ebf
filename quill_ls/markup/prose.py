"""Collecting the prose of one block, piece by piece, with the source of every character."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence

from quill_ls.markup.document import PLACEHOLDER, URL, Block, BlockKind
from quill_ls.text.script import HAN_CLASS
from quill_ls.text.span import Span

_SPACES = " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\u2028\u2029"
# White space that is not already a single space: most of a text is stepped over.
_UNEVEN_SPACE = re.compile(f" [{_SPACES}]+|[{_SPACES[1:]}][{_SPACES}]*")
_LINE_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
# Han characters with the punctuation that takes no space beside it either.
_CJK = re.compile(f"[{HAN_CLASS}\u3001-\u301f\uff01-\uff0f\uff1a-\uff20“”‘’…—]")
_HAN = re.compile(f"[{HAN_CLASS}\u3001-\u301f\uff01-\uff0f\uff1a-\uff20]")


class ProseBuilder:
    """Builds a block from the pieces of its prose in the order of the source.

    Parameters
    ----------
    text
        What the pieces are taken from: the source, or a part of it in which the markup of an
        outer block (indentation, quotation marks) has been left out.
    origin
        The source offset of each character of `text` and of its end; None if `text` is the
        source.
    """

    def __init__(self, text: str, origin: Sequence[int] | None = None) -> None:
        self._text = text
        self._origin = origin
        self._pieces: list[str] = []
        self._offsets = array("q")
        self._wide: dict[int, int] = {}
        self._placeholders: list[tuple[int, int]] = []

    def add(self, start: int, end: int) -> None:
        """Add characters of the text as they are."""
        if start >= end:
            return
        self._pieces.append(self._text[start:end])
        if self._origin is None:
            self._offsets.extend(range(start, end))
        else:
            self._offsets.extend(self._origin[start:end])

    def add_text(self, start: int, end: int) -> None:
        """Add text without markup: its placeholders are marked, addresses left out."""
        for placeholder in PLACEHOLDER.finditer(self._text, start, end):
            self.add_without_urls(start, placeholder.start())
            self.mark_placeholder(*placeholder.span())
            self.add(*placeholder.span())
            start = placeholder.end()
        self.add_without_urls(start, end)

    def add_without_urls(self, start: int, end: int) -> None:
        """Add characters of the text as they are, leaving out addresses."""
        if "://" in self._text[start:end]:
            for url in URL.finditer(self._text, start, end):
                self.add(start, url.start())
                start = url.end()
        self.add(start, end)

    def mark_placeholder(self, start: int, end: int) -> None:
        """Say that `start` to `end` of the text, which are also added, are a placeholder."""
        if self._origin is not None:
            start, end = self._origin[start], self._origin[end - 1] + 1
        self._placeholders.append((start, end))

    def decode(self, chars: str, start: int, end: int) -> None:
        """Add characters that `start` to `end` of the text stand for."""
        if not chars:
            return
        if self._origin is not None:
            start, end = self._origin[start], self._origin[end - 1] + 1
        self._pieces.append(chars)
        self._offsets.extend([start] * len(chars))
        self._wide[start] = end

    def build(self, kind: BlockKind) -> Block | None:
        """Return the block, its white space collapsed; None if there is nothing but space."""
        text = "".join(self._pieces)
        stop = len(text.rstrip(_SPACES))
        start = len(text) - len(text.lstrip(_SPACES))
        if start >= stop:
            return None
        kept: list[str] = []
        offsets = array("q")
        for run in _UNEVEN_SPACE.finditer(text, start, stop):
            kept.append(text[start : run.start()])
            offsets.extend(self._offsets[start : run.start()])
            start = run.end()
            if _LINE_BREAK.search(run[0]) and _joins(text[run.start() - 1], text[run.end()]):
                continue
            kept.append(" ")
            first, last = self._offsets[run.start()], self._offsets[run.end() - 1]
            offsets.append(first)
            self._wide[first] = self._wide.get(last, last + 1)
        kept.append(text[start:stop])
        offsets.extend(self._offsets[start:stop])
        offsets.append(self._wide.get(offsets[-1], offsets[-1] + 1))
        placeholders = tuple(
            Span(bisect_left(offsets, start), bisect_left(offsets, end - 1) + 1)
            for start, end in self._placeholders
        )
        return Block(kind, "".join(kept), offsets, self._wide, placeholders)


def _joins(before: str, after: str) -> bool:
    """Whether a line break between these two is nothing: Chinese is wrapped without spaces."""
    return bool(
        (_HAN.match(before) and _CJK.match(after)) or (_CJK.match(before) and _HAN.match(after))
    )
