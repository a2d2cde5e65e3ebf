"""reStructuredText: paragraphs, lists, quotations, directives, footnotes and tables.

Blocks are told by indentation. The reader goes through the lines once, with a stack of the
containers that are open; `rst_inline` reads what stands in a block. Nothing is included or run.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from quill_ls.markup.document import Block, BlockKind
from quill_ls.markup.rst_inline import inline_block

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_BULLET = re.compile(r"[-*+•‣⁃](?:[ \t]+|\Z)")
_ENUMERATOR = re.compile(r"\(?(?:(\d{1,9}|#)|[A-Za-z]|[ivxlcdmIVXLCDM]{1,9})[.)](?:[ \t]+|\Z)")
_FIELD = re.compile(r":(?![:\s])((?:[^:\\]|\\.){1,100}):(?:[ \t]+|\Z)")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]+|\Z)")
_FOOTNOTE = re.compile(r"\[(?:\d+|#[\w-]*|\*|[A-Za-z][\w.-]*)\](?:[ \t]+|\Z)")
_DIRECTIVE = re.compile(r"([\w:.+-]+?)[ \t]?::(?:[ \t]+|\Z)")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+\s*\Z")
_SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+\s*\Z")
_GRID_CELL = re.compile(r"(?<=\|)[^|]+(?=\|)")
_SIMPLE_CELL = re.compile(r"\S+(?:[ \t]\S+)*")
_BORDER = re.compile(r"[-=+\s]+\Z")

_CODE_DIRECTIVES_NAMES = """
code code-block sourcecode highlight math image include literalinclude raw toctree contents
csv-table graphviz digraph graph plantuml mermaid parsed-literal role default-role class meta
index doctest testcode testsetup testoutput ipython bibliography sectnum unicode replace date
title target-notes header footer productionlist eval-rst
"""
_CODE_DIRECTIVES = frozenset(_CODE_DIRECTIVES_NAMES.split())
_PROSE_ARGUMENT_NAMES = """
note warning tip important hint caution danger error attention seealso admonition topic sidebar
rubric epigraph highlights pull-quote centered todo table list-table compound container-title
"""
_PROSE_ARGUMENT = frozenset(_PROSE_ARGUMENT_NAMES.split())
_QUOTES = frozenset(["epigraph", "highlights", "pull-quote"])


def rst_blocks(source: str) -> Iterator[Block]:
    """Yield the blocks of a reStructuredText document."""
    return _Reader(source).read()


class _Reader:
    """Goes through the lines; where a mark opens a container, its line is read again behind it.

    Attributes
    ----------
    contents, starts, indents
        Of each line: the text without indentation and marks, the source offset of that text,
        and its column.
    """

    def __init__(self, source: str) -> None:
        self.contents: list[str] = []
        self.starts: list[int] = []
        self.indents: list[int] = []
        for line in _LINE.finditer(source):
            content = line[1].lstrip(" \t\f\v")
            margin = line[1][: len(line[1]) - len(content)]
            self.contents.append(content.rstrip(" \t\f\v"))
            self.starts.append(line.start() + len(margin))
            self.indents.append(len(margin.expandtabs(8)))
        self.containers: list[tuple[int, BlockKind]] = [(0, "paragraph")]
        self.found_prose = False

    def read(self) -> Iterator[Block]:
        number = 0
        while number < len(self.contents):
            if not self.contents[number]:
                number += 1
                continue
            indent = self.indents[number]
            while len(self.containers) > 1 and indent < self.containers[-1][0]:
                self.containers.pop()
            if indent > self.containers[-1][0]:
                self.containers.append((indent, "quote"))
            following = self.marked(number)
            if following is None:
                following, blocks = self.block(number)
                for block in blocks:
                    self.found_prose = True
                    yield block
            number = following

    @property
    def kind(self) -> BlockKind:
        return self.containers[-1][1]

    def content(self, number: int) -> str:
        """Return the text of a line, or nothing past the end."""
        return self.contents[number] if number < len(self.contents) else ""

    # --- marks -----------------------------------------------------------------------------

    def marked(self, number: int) -> int | None:
        """Take the mark that a line begins with and return the line to go on with, if any."""
        content = self.contents[number]
        if explicit := _EXPLICIT.match(content):
            return self.explicit(number, explicit.end())
        if content == "__" or content.startswith(("__ ", ">>> ")):
            return self.after_paragraph(number)
        if bullet := _BULLET.match(content):
            return self.open(number, bullet.end(), "item")
        enumerator = _ENUMERATOR.match(content)
        if enumerator and (enumerator[1] or self.is_list(number, enumerator.end())):
            return self.open(number, enumerator.end(), "item")
        if field := _FIELD.match(content):
            if not self.found_prose:  # title page: author, date, version
                return self.after_indented(number)
            return self.open(number, field.end(), "item", hanging=True)
        return None

    def is_list(self, number: int, width: int) -> bool:
        """Whether a letter and a full stop number an item: "A. Einstein said ..." does not."""
        following = self.content(number + 1)
        indent = self.indents[number]
        return (
            not following
            or self.indents[number + 1] == indent + width
            or (self.indents[number + 1] == indent and bool(_ENUMERATOR.match(following)))
        )

    def open(self, number: int, width: int, kind: BlockKind, *, hanging: bool = False) -> int:
        """Open a container behind the first `width` characters of a line; read the rest again.

        Its indentation is that of the text behind the mark; of a hanging one, that of the lines
        below.
        """
        indent = self.indents[number] + width
        if hanging:
            below = number + 1
            while below < len(self.contents) and not self.contents[below]:
                below += 1
            more = below < len(self.contents) and self.indents[below] > self.indents[number]
            indent = self.indents[below] if more else self.indents[number] + 1
        self.containers.append((indent, kind))
        self.contents[number] = self.contents[number][width:]
        self.starts[number] += width
        self.indents[number] = indent
        return number

    def explicit(self, number: int, width: int) -> int:
        """Take explicit markup: a footnote, directive, target, substitution or comment."""
        content = self.contents[number][width:]
        if not content and not self.content(number + 1):
            return number + 1  # an empty comment, which comments nothing out
        if note := _FOOTNOTE.match(content):
            return self.open(number, width + note.end(), "footnote", hanging=True)
        directive = _DIRECTIVE.match(content)
        if not directive or directive[1].lower() in _CODE_DIRECTIVES:
            return self.after_indented(number)
        name = directive[1].lower()
        kind = "quote" if name in _QUOTES else self.kind
        indent = self.indents[number]
        option = number + 1
        while self.content(option) and not _FIELD.match(self.content(option)):
            if self.indents[option] <= indent:
                break
            option += 1
        while self.content(option) and self.indents[option] > indent:
            if _FIELD.match(self.contents[option]):
                self.contents[option] = ""  # an option, or a line that continues one
            option += 1
        if name not in _PROSE_ARGUMENT:
            width = len(self.contents[number])
        else:
            width += directive.end()
        return self.open(number, width, kind, hanging=True)

    def after_indented(self, number: int) -> int:
        """Return the line after a block: the first one that is indented no more than `number`."""
        indent = self.indents[number]
        number += 1
        while number < len(self.contents) and (
            not self.contents[number] or self.indents[number] > indent
        ):
            number += 1
        return number

    def after_paragraph(self, number: int) -> int:
        """Return the next empty line."""
        while self.content(number):
            number += 1
        return number

    # --- blocks ----------------------------------------------------------------------------

    def block(self, number: int) -> tuple[int, list[Block]]:
        """Read a title, table or paragraph; return the line after it, and its blocks."""
        content, following = self.contents[number], self.content(number + 1)
        if _GRID_BORDER.match(content):
            return self.table(number, _GRID_CELL)
        if _SIMPLE_BORDER.match(content):
            return self.table(number, _SIMPLE_CELL)
        if _ADORNMENT.fullmatch(content) and not content.isalnum():
            if len(content) >= 3 and following and self.content(number + 2) == content:
                return number + 3, self.built([number + 1], "heading")
            if len(content) >= 4 and not following:
                return number + 1, []  # a transition
        if _ADORNMENT.fullmatch(following) and len(following) >= min(len(content), 4):
            return number + 2, self.built([number], "heading")
        return self.paragraph(number)

    def paragraph(self, number: int) -> tuple[int, list[Block]]:
        indent = self.indents[number]
        end = number + 1
        while self.content(end) and self.indents[end] == indent:
            end += 1
        lines = list(range(number, end))
        kind = self.kind
        if self.contents[number].startswith("| "):
            for line in lines:  # verse: a bar before each line
                if bar := re.match(r"\|[ \t]*", self.contents[line]):
                    self.contents[line] = self.contents[line][bar.end() :]
                    self.starts[line] += bar.end()
        if self.contents[end - 1].endswith("::"):
            return self.literal(lines, kind)
        if len(lines) == 1 and self.content(end) and self.indents[end] > indent:
            self.containers.append((self.indents[end], "item"))  # a term and its definition
            kind = "item"
        return end, self.built(lines, kind)

    def literal(self, lines: list[int], kind: BlockKind) -> tuple[int, list[Block]]:
        """Leave out the literal block that a paragraph ending in two colons announces."""
        last = lines[-1]
        self.contents[last] = self.contents[last][:-1]
        if self.contents[last].endswith((" :", "\t:")) or self.contents[last] == ":":
            self.contents[last] = self.contents[last][:-1]
        indent = self.indents[last]
        end = last + 1
        while end < len(self.contents) and not self.contents[end]:
            end += 1
        if end < len(self.contents) and self.indents[end] > indent:
            end = self.after_indented(last)
        elif mark := _ADORNMENT.match(self.content(end)):
            while self.content(end).startswith(mark[1]) and self.indents[end] == indent:
                end += 1
        return end, self.built(lines, kind)

    def table(self, number: int, cell: re.Pattern[str]) -> tuple[int, list[Block]]:
        """Read a table. In a grid the lines of one cell belong together."""
        rows: list[list[tuple[int, int, int]]] = []
        end = number
        last_border = number
        while end < len(self.contents) and self.contents[end]:
            if _BORDER.match(self.contents[end]):
                rows.append([])
                last_border = end
            else:
                found = cell.finditer(self.contents[end])
                parts = [(end, part.start(), part.end()) for part in found]
                if cell is _SIMPLE_CELL:
                    rows.extend([part] for part in parts)
                else:
                    rows[-1].extend(parts)
            end += 1
        if last_border == number:
            return end, []
        blocks: list[Block] = []
        for row in rows:
            first = row[0][0] if row else 0
            columns: dict[int, list[tuple[int, int, int]]] = {}
            index, line = 0, first
            for part in row:
                index = 0 if part[0] != line else index
                line = part[0]
                columns.setdefault(index, []).append(part)
                index += 1
            for column in columns.values():
                blocks.extend(self.joined(column, "cell"))
        return end, blocks

    def built(self, lines: list[int], kind: BlockKind) -> list[Block]:
        return self.joined([(line, 0, len(self.contents[line])) for line in lines], kind)

    def joined(self, parts: list[tuple[int, int, int]], kind: BlockKind) -> list[Block]:
        """Return the block of some parts of lines, each a line and two columns of its content."""
        texts: list[str] = []
        origin = array("q")
        for line, start, end in parts:
            texts.append(self.contents[line][start:end])
            origin.extend(range(self.starts[line] + start, self.starts[line] + end + 1))
        block = inline_block("\n".join(texts), origin, kind)
        return [block] if block else []
