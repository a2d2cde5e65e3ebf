"""Markdown, with the extensions that writers use: tables, footnotes, math, definition lists.

markdown-it-py finds the blocks and the lines that they stand on; what it hands out has lost the
indentation and the marks of the blocks around, so every line is looked up again in its source
line. `markdown_inline` reads what stands in a block.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from quill_ls.markup.document import Block, BlockKind
from quill_ls.markup.html import html_blocks
from quill_ls.markup.markdown_inline import inline_block

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_FRONT_MATTER = re.compile(
    r"\A\ufeff?(?:---[ \t]*[\r\n][\s\S]*?[\r\n](?:---|\.\.\.)"  # YAML
    r"|\+\+\+[ \t]*[\r\n][\s\S]*?[\r\n]\+\+\+)[ \t]*(?=[\r\n]|\Z)"  # TOML
)
_FENCE_OF_DIV = re.compile(r":{3,}")
_HEADING_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}]*\}\Z")
_MAX_NESTING = 60
"""Lists and quotations within each other; deeper ones are left out, as in any browser's view."""

_CONTAINERS: dict[str, BlockKind] = {
    "blockquote_open": "quote",
    "list_item_open": "item",
    "dd_open": "item",
    "dt_open": "item",
    "footnote_reference_open": "footnote",
    "heading_open": "heading",
    "td_open": "cell",
    "th_open": "cell",
}


def markdown_blocks(source: str) -> Iterator[Block]:
    """Yield the blocks of a Markdown text."""
    # The parser puts U+FFFD for NUL; doing it before keeps its lines equal to ours.
    source = source.replace("\0", "\ufffd")
    front_matter = _FRONT_MATTER.match(source)
    begin = front_matter.end() if front_matter else 0
    lines = [(line.start(1), line[1]) for line in _LINE.finditer(source, begin)]
    if not source[begin:].strip():
        return
    env: dict[str, Any] = {}
    tokens = _parser().parse("\n".join(line for _, line in lines), env)
    references = frozenset(env.get("references", ()))

    kinds: list[BlockKind] = ["paragraph"]
    markup = ""
    row, column = -1, 0
    for token in tokens:
        if token.type in _CONTAINERS:
            kinds.append(_CONTAINERS[token.type])
            markup = token.markup
        elif token.type.replace("_close", "_open") in _CONTAINERS:
            kinds.pop()
        elif token.type == "inline":
            first = token.map[0] if token.map else 0
            if kinds[-1] == "cell":
                if first != row:
                    row, column = first, 0
                text, origin, column = _cell(token.content, lines[row], column)
            else:
                after = markup if kinds[-1] == "heading" and markup.startswith("#") else ""
                text, origin = _lines_of(token.content, lines, first, after)
            if kinds[-1] == "heading":
                text = _HEADING_ATTRIBUTES.sub("", text)
            if block := inline_block(text, origin, kinds[-1], references):
                yield block
        elif token.type == "html_block":
            yield from _html(token, lines)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.amsmath import amsmath_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    for plugin in (footnote_plugin, dollarmath_plugin, deflist_plugin, amsmath_plugin):
        parser.use(plugin)
    parser.core.ruler.enableOnly(["block"])
    return parser


def _lines_of(
    content: str, lines: Sequence[tuple[int, str]], first: int, after: str = ""
) -> tuple[str, array[int]]:
    """Find each line of a block's content in its source line, from line `first` on.

    The content of a heading begins after the marks `after`. Returns the text, without the lines
    that are fences of a Pandoc division, and the source offset of each of its characters and of
    its end.
    """
    kept: list[str] = []
    origin = array("q")
    for number, line in enumerate(map(str.strip, content.split("\n")), first):
        start, source = lines[min(number, len(lines) - 1)]
        if _FENCE_OF_DIV.match(line):
            continue
        begin = source.find(after) + len(after) if after else 0
        place = source.find(line, begin) if after else source.rfind(line)
        if place < 0:
            continue
        kept.append(line)
        origin.extend(range(start + place, start + place + len(line)))
        origin.append(start + place + len(line))  # the line break
    if not kept:
        origin.append(0)
    return "\n".join(kept), origin


def _cell(content: str, line: tuple[int, str], column: int) -> tuple[str, array[int], int]:
    """Find a table cell in its line, from `column` on; it may hold escaped bars."""
    start, source = line
    raw = content.replace("|", "\\|")
    place = source.find(raw, column)
    if place < 0:
        return "", array("q", [start]), column
    origin = array("q")
    offset = start + place
    for char in content:
        origin.append(offset)
        offset += 2 if char == "|" else 1
    origin.append(offset)
    return content, origin, place + len(raw)


def _html(token: Token, lines: Sequence[tuple[int, str]]) -> Iterator[Block]:
    first = token.map[0] if token.map else 0
    text, origin = _lines_of(token.content.rstrip("\n"), lines, first)
    yield from html_blocks(text, origin)
