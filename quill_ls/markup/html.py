"""HTML: the text between the tags, cut into blocks at block-level elements.

The tokens are those of the HTML standard as far as prose asks for them; the standard library's
parser is not used because it does not tell where a piece of text stood. Every character is
looked at a bounded number of times, whatever the input.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from quill_ls.markup.document import PLACEHOLDER, Block, BlockKind
from quill_ls.markup.prose import ProseBuilder

ENTITY = re.compile(r"&(?:#[0-9]{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)")
"""A character reference; `html.unescape` says which character, or leaves an unknown one alone."""

# A bracket in a tag only within quotation marks: so a tag that is just being typed does not take
# the rest of the page with it, and looking for its end costs no more than the way to the next one.
_TAG = re.compile(r"""</?([A-Za-z][^\s/<>"']*)(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_UNQUOTED_TAG = re.compile(r"</?([A-Za-z][^\s/<>]*)[^<>]*>")

_RAW_TEXT = frozenset(["script", "style", "textarea", "title", "xmp", "iframe", "noembed"])
_PHRASING_NOT_PROSE = frozenset(["code", "kbd", "samp"])
_NOT_PROSE = _PHRASING_NOT_PROSE | frozenset(
    [
        "head",
        "pre",
        "math",
        "svg",
        "template",
        "select",
        "object",
        "audio",
        "video",
        "canvas",
        "nav",
    ]
)
_KINDS: dict[str, BlockKind | None] = {
    # None: the kind of the block around it.
    **dict.fromkeys(["p", "div", "section", "article", "main", "body", "html", "header"], None),
    **dict.fromkeys(["footer", "aside", "figure", "figcaption", "address", "details"], None),
    **dict.fromkeys(["summary", "hr", "center", "form", "fieldset", "legend"], None),
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], "heading"),
    **dict.fromkeys(["ul", "ol", "dl", "li", "dt", "dd"], "item"),
    **dict.fromkeys(["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"], "cell"),
    "blockquote": "quote",
    **dict.fromkeys([*_RAW_TEXT, *_NOT_PROSE - _PHRASING_NOT_PROSE], None),
}
_NEVER_OPEN = frozenset(["hr", *_RAW_TEXT, *_NOT_PROSE])


def html_blocks(source: str, origin: Sequence[int] | None = None) -> Iterator[Block]:
    """Yield the blocks of an HTML text.

    Parameters
    ----------
    source
        The text, a whole page or a piece of one.
    origin
        The source offset of each of its characters and of its end, if it is a part of a document.
    """
    scanner = _Scanner(source, origin)
    scanner.run()
    yield from scanner.blocks


class _Scanner:
    def __init__(self, source: str, origin: Sequence[int] | None) -> None:
        self.source = source
        self.origin = origin
        self.blocks: list[Block] = []
        self.builder = ProseBuilder(source, origin)
        self.open: list[tuple[str, BlockKind]] = []
        self.open_names: Counter[str] = Counter()

    def run(self) -> None:
        position = 0
        while (bracket := self.source.find("<", position)) >= 0:
            self.text(position, bracket)
            position = self.markup(bracket)
        self.text(position, len(self.source))
        self.flush()

    def markup(self, start: int) -> int:
        """Take the markup at the bracket `start` and return where the text goes on."""
        source = self.source
        if source.startswith("<!--", start):
            return self.after("-->", start + 4)
        if source.startswith("<![CDATA[", start):
            return self.after("]]>", start)
        if source[start + 1 : start + 2] in ("!", "?"):
            return self.after(">", start)
        tag = _TAG.match(source, start) or _UNQUOTED_TAG.match(source, start)
        if tag is None:
            self.text(start, start + 1)
            return start + 1
        name = tag[1].lower()
        if source[start + 1] == "/":
            self.close(name, tag.start(), tag.end())
            return tag.end()
        return self.open_tag(name, tag)

    def open_tag(self, name: str, tag: re.Match[str]) -> int:
        if name in _KINDS:
            self.flush()
        if name in _RAW_TEXT:
            return self.after(f"</{name}", tag.end(), ">")
        if name in _NOT_PROSE:
            return tag.end() if tag[0].endswith("/>") else self.skip(name, tag.end())
        if name == "br":
            self.builder.decode("\n", tag.start(), tag.end())
        elif name == "q":
            self.builder.decode("“", tag.start(), tag.end())
        elif name in _KINDS and name not in _NEVER_OPEN:
            self.open.append((name, _KINDS[name] or self.kind))
            self.open_names[name] += 1
        return tag.end()

    def close(self, name: str, start: int, end: int) -> None:
        if name == "q":
            self.builder.decode("”", start, end)
        if name not in _KINDS:
            return
        self.flush()
        while self.open_names[name]:
            closed, _ = self.open.pop()
            self.open_names[closed] -= 1
            if closed == name:
                break

    def skip(self, name: str, position: int) -> int:
        """Return where the element `name`, which began before `position`, ends."""
        depth = 1
        while (bracket := self.source.find("<", position)) >= 0:
            tag = _UNQUOTED_TAG.match(self.source, bracket)
            if tag is None:
                position = bracket + 1
                continue
            found = tag[1].lower()
            if name in _PHRASING_NOT_PROSE and found in _KINDS:
                return bracket  # an inline element that was not closed ends with its paragraph
            position = tag.end()
            if found == name:
                depth += -1 if self.source[bracket + 1] == "/" else not tag[0].endswith("/>")
                if not depth:
                    return position
        return len(self.source)

    def after(self, end: str, position: int, then: str = "") -> int:
        """Return the place after the next `end`, and after the next `then` that follows it."""
        found = re.compile(re.escape(end), re.IGNORECASE).search(self.source, position)
        if not found:
            return len(self.source)
        return self.after(then, found.end()) if then else found.end()

    @property
    def kind(self) -> BlockKind:
        return self.open[-1][1] if self.open else "paragraph"

    def flush(self) -> None:
        if block := self.builder.build(self.kind):
            self.blocks.append(block)
        self.builder = ProseBuilder(self.source, self.origin)

    def text(self, start: int, end: int) -> None:
        for placeholder in PLACEHOLDER.finditer(self.source, start, end):
            self.decoded(start, placeholder.start(), self.builder.add_without_urls)
            self.builder.mark_placeholder(*placeholder.span())
            self.decoded(*placeholder.span(), self.builder.add)
            start = placeholder.end()
        self.decoded(start, end, self.builder.add_without_urls)

    def decoded(self, start: int, end: int, add: Callable[[int, int], None]) -> None:
        """Decode the entities of some text and `add` what is between them."""
        for entity in ENTITY.finditer(self.source, start, end):
            char = html.unescape(entity[0])
            if char != entity[0]:
                add(start, entity.start())
                self.builder.decode(char, *entity.span())
                start = entity.end()
        add(start, end)
