"""A document as prose: blocks of text without markup, each with the way back to the source."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from quill_ls.text.span import Span

Format = Literal["markdown", "latex", "rst", "typst", "html", "plain"]
"""The languages of markup that are understood; everything else is read as plain text."""

BlockKind = Literal["paragraph", "heading", "item", "quote", "cell", "footnote"]
"""What a block is: "quote" is a paragraph of a block quotation, "cell" one of a table."""

PLACEHOLDER = re.compile(
    r"\[Q(?:[ \t]*[:：](?:[^\[\]\r\n]|(?>\r\n|\r|\n)(?![ \t]*[\r\n])){0,500})?\]"
)
"""A placeholder as it is written: ``[Q]``, or with at most 500 characters of wishes. It may be
wrapped, but not contain an empty line or another bracket. No markup is read inside of it."""

_URL_CHAR = r"[^\s<>\"'“”，。；：！？、）》」()\[\]]"
_URL_PARENTHESES = r"\([^\s<>()]*\)"
URL = re.compile(
    f"(?:https?|ftp)://(?:{_URL_CHAR}|{_URL_PARENTHESES})*"
    f"(?:(?![.,;:!?\\]}}*_`]){_URL_CHAR}|{_URL_PARENTHESES})"
)
"""An address in the open text: not prose. The punctuation after it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One paragraph, heading, list item, table cell or footnote.

    Attributes
    ----------
    kind
        What it is.
    text
        Its prose, n characters: markup removed, entities and escapes decoded, white space
        collapsed, a line break as one space (between Han characters as nothing).
    offsets
        n + 1 source offsets: where the source of each character begins, and where the last ends.
        They never decrease.
    wide
        Where the source of a character ends, by where it begins, if it is longer than one
        character: an entity, an escape, white space.
    placeholders
        Where placeholders stand in the text, brackets included. Text that only looks like one,
        because its brackets are escaped or belong to the markup, is not among them.
    """

    kind: BlockKind
    text: str
    offsets: array[int]
    wide: Mapping[int, int]
    placeholders: tuple[Span, ...] = ()

    @property
    def span(self) -> Span:
        """From the first character of the prose to the last, in the source."""
        return Span(self.offsets[0], self.offsets[-1])

    def source_span(self, span: Span) -> Span:
        """Return the source of the characters `span` of the text.

        It begins with the first of these characters and ends with the last, so that markup
        around them stays outside and markup between them inside.
        """
        start = self.offsets[span.start]
        if not len(span):
            return Span(start, start)
        last = self.offsets[span.end - 1]
        return Span(start, self.wide.get(last, last + 1))

    def text_offset(self, offset: int) -> int:
        """Return the place in the text of the first character at or after a source offset.

        An offset inside of the source of a character, say of an entity, is at that character.
        """
        index = bisect_right(self.offsets, offset, hi=len(self.text)) - 1
        if index < 0:
            return 0
        start = self.offsets[index]
        if offset < self.wide.get(start, start + 1):
            return bisect_left(self.offsets, start, hi=len(self.text))
        return index + 1


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A source text and its prose.

    Attributes
    ----------
    source
        The text as it was given.
    format
        The markup that it was read as.
    blocks
        Its prose, in the order of their beginnings in the source. A footnote may lie inside of
        the span of the paragraph that it belongs to; other blocks do not overlap.
    """

    source: str
    format: Format
    blocks: tuple[Block, ...]
    _starts: array[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", array("q", (b.span.start for b in self.blocks)))

    def locate(self, offset: int) -> tuple[int, int] | None:
        """Return the block at a source offset and the place in its text.

        Returns
        -------
        tuple[int, int] or None
            Index of the innermost block whose span contains or touches the offset, and offset in
            its text; None where there is no prose.
        """
        for index in range(bisect_right(self._starts, offset) - 1, -1, -1):
            block = self.blocks[index]
            if block.span.touches(offset):
                return index, block.text_offset(offset)
            if block.kind != "footnote":  # only footnotes lie inside of another block
                return None
        return None


_SUFFIXES: dict[str, Format] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".tex": "latex",
    ".ltx": "latex",
    ".latex": "latex",
    ".rst": "rst",
    ".rest": "rst",
    ".typ": "typst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
_LANGUAGE_IDS: dict[str, Format] = {
    "markdown": "markdown",
    "quarto": "markdown",
    "rmarkdown": "markdown",
    "rmd": "markdown",
    "mdx": "markdown",
    "latex": "latex",
    "tex": "latex",
    "restructuredtext": "rst",
    "rst": "rst",
    "typst": "typst",
    "html": "html",
    "xhtml": "html",
    "plaintext": "plain",
}


def format_of(path_or_language_id: str) -> Format:
    """Return the format that a file's name or an editor's language id stands for.

    Unknown ones, AsciiDoc among them, are plain text.
    """
    name = path_or_language_id.replace("\\", "/").lower()
    if name in _LANGUAGE_IDS:
        return _LANGUAGE_IDS[name]
    return _SUFFIXES.get(PurePosixPath(name).suffix, "plain")
