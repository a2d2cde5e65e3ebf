"""What stands in a Markdown block: emphasis, links, code, math, entities and escapes.

One pass cuts the text into pieces to keep, to decode and to leave out; the marks of emphasis are
paired at the end. Follows CommonMark, with strikethrough and footnote marks of GitHub, and math,
citations and attributes of Pandoc.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from html.entities import html5

from quill_ls.markup.delimiters import Run, flanking, paired
from quill_ls.markup.document import PLACEHOLDER, URL, Block, BlockKind
from quill_ls.markup.html import ENTITY
from quill_ls.markup.prose import ProseBuilder

_SPECIAL = re.compile(r"[\\`*_~$<&\[\]]|!\[|\{\{|(?:https?|ftp)://")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(r"</?([A-Za-z][\w-]*)(?:\s[^<>]*)?/?>")
_AUTOLINK = re.compile(
    r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]{1,64}@[^\s<>@]{1,255})>"
)
_CODE_ELEMENTS = frozenset(["code", "kbd", "samp", "script", "style", "pre", "math", "svg"])
_SHORTCODE = re.compile(r"\{\{[<%](?:[^{}]|\}(?!\})){0,500}\}\}")
_ATTRIBUTES = re.compile(r"\{[^{}\n]{1,300}\}")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\s\[\]]{1,100}\]")
_CITATION = re.compile(r"\[(?:[^\[\]@]{0,200}[\s;])?-?@[\w{][^\[\]]{0,500}\]")
_DESTINATION = re.compile(
    r"""\(\s*
    (?:<(?:\\.|[^<>\\\n])*>|(?:\\[^\n]|[^\s()\\<]|\((?:\\[^\n]|[^\s()\\])*\))(?:\\[^\n]|[^\s()\\]|\((?:\\[^\n]|[^\s()\\])*\))*)?
    (?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?
    \s*\)""",
    re.VERBOSE | re.DOTALL,
)
_REFERENCE = re.compile(r"\[([^\[\]]{0,999})\]")
_DOLLARS = re.compile(r"(?<!\\)\$\$?")


def inline_block(
    text: str, origin: Sequence[int], kind: BlockKind, references: frozenset[str]
) -> Block | None:
    """Return the block whose content is `text`, or None if none of it is prose.

    Parameters
    ----------
    text
        The content without the marks of the blocks around it.
    origin
        The source offset of each of its characters and of its end.
    kind
        What the block is.
    references
        The link labels that the document defines, normalised.
    """
    return _Scanner(text, origin, references).scan(kind)


class _Scanner:
    def __init__(self, text: str, origin: Sequence[int], references: frozenset[str]) -> None:
        self.text = text
        self.origin = origin
        self.references = references
        self.cuts: list[tuple[int, int]] = []  # not prose
        self.decoded: list[tuple[int, int, str]] = []  # stands for other characters
        self.runs: list[Run] = []
        self.brackets: list[tuple[int, bool]] = []  # where it opened, whether an image
        self.placeholders: list[tuple[int, int]] = []
        self.missing: set[str] = set()  # ends that do not occur any more

    def scan(self, kind: BlockKind) -> Block | None:
        position = 0
        while special := _SPECIAL.search(self.text, position):
            position = max(self.take(special), special.start() + 1)
        self.cuts.extend(paired(self.runs))
        return self.build(kind)

    def take(self, special: re.Match[str]) -> int:
        """Take the markup at a special character and return where to go on."""
        start = special.start()
        match special[0]:
            case "\\":
                return self.escape(start)
            case "`":
                return self.code(start)
            case "*" | "_" | "~":
                return self.delimiters(start)
            case "$":
                return self.math(start)
            case "<":
                return self.angle(start)
            case "&":
                return self.entity(start)
            case "[" | "![":
                return self.open_bracket(special)
            case "]":
                return self.close_bracket(start)
            case "{{":
                return self.cut(_SHORTCODE.match(self.text, start))
            case _:
                return self.cut(URL.match(self.text, start))

    def cut(self, found: re.Match[str] | None) -> int:
        """Leave out what was found, if anything was."""
        if not found:
            return 0
        self.cuts.append(found.span())
        return found.end()

    def escape(self, start: int) -> int:
        if self.text.startswith("\\\n", start):
            self.cuts.append((start, start + 1))
            return start + 2
        if escape := _ESCAPE.match(self.text, start):
            self.decoded.append((start, escape.end(), escape[1]))
            return escape.end()
        return start + 1

    @cached_property
    def backticks(self) -> dict[int, list[int]]:
        """Where the runs of backticks of each length begin."""
        runs = defaultdict(list)
        for run in re.finditer("`+", self.text):
            runs[len(run[0])].append(run.start())
        return runs

    def code(self, start: int) -> int:
        end = start
        while self.text.startswith("`", end):
            end += 1
        closing = self.next_of(self.backticks[end - start], end)
        if closing is None:
            return end
        close_end = closing + end - start
        if attributes := _ATTRIBUTES.match(self.text, close_end):
            close_end = attributes.end()
        self.cuts.append((start, close_end))
        return close_end

    def delimiters(self, start: int) -> int:
        char = self.text[start]
        end = start
        while self.text.startswith(char, end):
            end += 1
        opens, closes = flanking(char, self.text[start - 1 : start], self.text[end : end + 1])
        if char != "~" or end - start == 2:
            self.runs.append(Run(char, start, end, opens, closes, end - start))
        return end

    @cached_property
    def dollars(self) -> dict[int, list[int]]:
        """Where the runs of one and of two dollar signs begin."""
        runs = defaultdict(list)
        for run in _DOLLARS.finditer(self.text):
            runs[len(run[0])].append(run.start())
        return runs

    def math(self, start: int) -> int:
        """Take a formula, unless the signs are those of money: "from $5 to $10"."""
        width = 2 if self.text.startswith("$$", start) else 1
        end = self.next_of(self.dollars[width], start + width)
        if end is None:
            return start + width
        inside = self.text[start + width], self.text[end - 1]
        if width == 1 and (
            inside[0].isspace() or inside[1].isspace() or self.text[end + 1 : end + 2].isdecimal()
        ):
            return start + 1
        self.cuts.append((start, end + width))
        return end + width

    def angle(self, start: int) -> int:
        if self.text.startswith("<!--", start):
            return self.cut_through("-->", start)
        if autolink := _AUTOLINK.match(self.text, start):
            return self.cut(autolink)
        tag = _TAG.match(self.text, start)
        if not tag:
            return start + 1
        name = tag[1].lower()
        if name in _CODE_ELEMENTS and tag[0][1] != "/":
            return self.cut_through(f"</{name}>", start)
        if name == "br":
            self.decoded.append((*tag.span(), "\n"))
        elif name == "q":
            self.decoded.append((*tag.span(), "”" if tag[0][1] == "/" else "“"))
        else:
            self.cuts.append(tag.span())
        return tag.end()

    def cut_through(self, end: str, start: int) -> int:
        """Leave out everything to the next `end`, or nothing if there is none."""
        found = -1 if end in self.missing else self.text.find(end, start)
        if found < 0:
            self.missing.add(end)
            return start + 1
        self.cuts.append((start, found + len(end)))
        return found + len(end)

    def entity(self, start: int) -> int:
        # Unlike HTML, Markdown takes "&notion;" for no entity although it begins with "&not".
        entity = ENTITY.match(self.text, start)
        known = entity and (entity[0][1] == "#" or entity[0][1:] in html5)
        if entity and known and entity[0].endswith(";"):
            char = html.unescape(entity[0])
            self.decoded.append((*entity.span(), char))
            return entity.end()
        return start + 1

    def open_bracket(self, special: re.Match[str]) -> int:
        start, bracket = special.start(), special.end() - 1
        if special[0] == "[":
            placeholder = PLACEHOLDER.match(self.text, start)
            if placeholder and not self.is_link(start, placeholder.end()):
                self.placeholders.append(placeholder.span())
                return placeholder.end()
            mark = _FOOTNOTE_MARK.match(self.text, start) or _CITATION.match(self.text, start)
            if mark:
                return self.cut(mark)
        self.brackets.append((start, special[0] == "!["))
        return bracket + 1

    def is_link(self, start: int, end: int) -> bool:
        """Whether the bracketed text is the text of a link."""
        if _DESTINATION.match(self.text, end) or self.is_defined(self.text[start + 1 : end - 1]):
            return True
        label = _REFERENCE.match(self.text, end)
        return label is not None and (
            label[1] == "" or self.is_defined(label[1]) or not PLACEHOLDER.match(label[0])
        )

    def is_defined(self, label: str) -> bool:
        from markdown_it.common.utils import normalizeReference

        return len(label) < 1000 and normalizeReference(label) in self.references

    def close_bracket(self, start: int) -> int:
        if not self.brackets:
            return start + 1
        opened, image = self.brackets.pop()
        inner = opened + (2 if image else 1)
        after = start + 1
        if destination := _DESTINATION.match(self.text, after):
            end = destination.end()
        elif (label := _REFERENCE.match(self.text, after)) and self.is_defined(
            label[1] or self.text[inner : min(start, inner + 1000)]
        ):
            end = label.end()
        elif start - inner < 1000 and self.is_defined(self.text[inner:start]):
            end = after
        elif attributes := _ATTRIBUTES.match(self.text, after):
            end = after  # a span with attributes, which are cut below
        else:
            return after
        if attributes := _ATTRIBUTES.match(self.text, end):
            end = attributes.end()
        if image and self.text[:opened].strip() + self.text[end:].strip():
            self.cuts.append((opened, end))  # a picture in a sentence; one alone has a caption
        else:
            self.cuts.append((opened, inner))
            self.cuts.append((start, end))
        return end

    def next_of(self, places: list[int], start: int) -> int | None:
        index = bisect_left(places, start)
        return places[index] if index < len(places) else None

    def build(self, kind: BlockKind) -> Block | None:
        builder = ProseBuilder(self.text, self.origin)
        position = 0
        changes = sorted([*((start, end, "") for start, end in self.cuts), *self.decoded])
        for start, end, chars in changes:
            if start < position:  # inside of something that is left out
                continue
            builder.add(position, start)
            builder.decode(chars, start, end)
            position = end
        builder.add(position, len(self.text))
        for placeholder in self.placeholders:
            builder.mark_placeholder(*placeholder)
        return builder.build(kind)
