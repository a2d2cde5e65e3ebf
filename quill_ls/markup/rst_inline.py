"""What stands in a reStructuredText block: emphasis, literals, roles, references, escapes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from quill_ls.markup.document import PLACEHOLDER, URL, Block, BlockKind
from quill_ls.markup.prose import ProseBuilder

_SPECIAL = re.compile(
    r"\\[\s\S]?|``|:[A-Za-z](?:[\w+.:-]{0,60}\w)?:`|_?`|\*\*|[*|\[]|__?(?!\w)|(?:https?|ftp)://"
)
_REFERENCE_MARK = re.compile(r"\[(?:\d+|#[\w-]*|\*|[A-Za-z][\w.-]*)\]_(?!\w)")
_AFTER_INTERPRETED = re.compile(r"__?(?!\w)|:([A-Za-z][\w+.:-]*):")
_TARGET = re.compile(r"\s*<[^<>]*>\Z")
_PROSE_ROLES_NAMES = """
emphasis strong title-reference title t sub subscript sup superscript term dfn abbr guilabel
menuselection quote cite
"""
_PROSE_ROLES = frozenset(_PROSE_ROLES_NAMES.split())
_LINK_ROLES = frozenset(["ref", "doc", "any", "download", "numref", "pep", "rfc"])


def inline_block(text: str, origin: Sequence[int], kind: BlockKind) -> Block | None:
    """Return the block whose content is `text`, or None if none of it is prose.

    Parameters
    ----------
    text
        The content without indentation.
    origin
        The source offset of each of its characters and of its end.
    kind
        What the block is.
    """
    return _Scanner(text, origin).scan(kind)


class _Scanner:
    def __init__(self, text: str, origin: Sequence[int]) -> None:
        self.text = text
        self.builder = ProseBuilder(text, origin)
        self.marks: list[int] = []  # single emphasis marks that are still to be left out
        self.ends: dict[str, list[int]] = {}

    def scan(self, kind: BlockKind) -> Block | None:
        position = 0
        while special := _SPECIAL.search(self.text, position):
            self.builder.add(position, special.start())
            position = max(self.take(special), special.start() + 1)
        self.builder.add(position, len(self.text))
        return self.builder.build(kind)

    def take(self, special: re.Match[str]) -> int:
        """Take the markup at a special character and return where to go on."""
        start, end = special.span()
        mark = special[0]
        if mark[0] == "\\":
            if not mark[1:].isspace():
                self.builder.decode(mark[1:], start, end)
            return end
        if mark[0] == "[":
            return self.bracket(start)
        if "://" in mark:
            url = URL.match(self.text, start)
            return url.end() if url else self.keep(start, end)
        if mark in ("_", "__"):
            if not self.text[start - 1 : start].isalnum():  # not the end of a reference
                self.builder.add(start, end)
            return end
        if mark in ("*", "**") and self.marks and self.marks[0] == start:
            self.marks.pop()
            return end
        if not self.opens(start, end):
            return self.keep(start, end)
        if mark == "``":
            return self.cut_to("``", end) or self.keep(start, end)
        if mark == "|":
            return self.cut_to("|", end) or self.keep(start, end)
        if mark in ("*", "**"):
            close = self.end_of(mark, end)
            if close is None or self.marks:
                return self.keep(start, end)
            self.marks.append(close)
            return end
        return self.interpreted(mark, start, end)

    def keep(self, start: int, end: int) -> int:
        self.builder.add(start, end)
        return end

    def opens(self, start: int, end: int) -> bool:
        """Whether a mark stands where inline markup may begin."""
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        return not (before.isalnum() and before < "\u2e80") and bool(after.strip())

    def end_of(self, mark: str, position: int) -> int | None:
        """Return where the next `mark` that can end inline markup is."""
        if mark not in self.ends:
            sign = re.escape(mark)
            single = r"(?<!\*)\*(?!\*)" if mark == "*" else sign
            after = "" if mark == "`" else r"(?![0-9A-Za-z])"
            ending = re.compile(r"(?<=[^\s\\])" + single + after)
            self.ends[mark] = [found.start() for found in ending.finditer(self.text)]
        ends = self.ends[mark]
        index = bisect_left(ends, position)
        return ends[index] if index < len(ends) else None

    def cut_to(self, mark: str, position: int) -> int:
        """Return the end of what `mark` closes, with a reference's underscore; 0 if nothing."""
        close = self.end_of(mark, position)
        if close is None:
            return 0
        end = close + len(mark)
        while self.text.startswith("_", end):
            end += 1
        return end

    def bracket(self, start: int) -> int:
        if reference := _REFERENCE_MARK.match(self.text, start):
            return reference.end()
        if placeholder := PLACEHOLDER.match(self.text, start):
            self.builder.mark_placeholder(*placeholder.span())
            return self.keep(*placeholder.span())
        return self.keep(start, start + 1)

    def interpreted(self, mark: str, start: int, end: int) -> int:
        """Take interpreted text, a hyperlink or an inline target."""
        close = self.end_of("`", end)
        if close is None:
            return self.keep(start, end)
        after = _AFTER_INTERPRETED.match(self.text, close + 1)
        role = mark[1:-2] if mark[0] == ":" else (after[1] if after else "") or ""
        content = self.text[end:close]
        target = _TARGET.search(content) if content.endswith(">") else None
        is_link = target is not None and (not role or role.split(":")[-1] in _LINK_ROLES)
        if not role or role in _PROSE_ROLES or is_link:
            self.builder.add(end, end + target.start() if target else close)
        return after.end() if after and (mark[0] != ":" or not after[1]) else close + 1
