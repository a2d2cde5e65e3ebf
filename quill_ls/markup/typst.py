"""Typst: markup and the content blocks in code; code itself, math and raw text are not prose.

Typst changes between markup and code at every ``#`` and every bracket. The reader keeps a stack
of what is open and goes once through the source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from quill_ls.markup.document import PLACEHOLDER, URL, Block, BlockKind
from quill_ls.markup.prose import ProseBuilder

_NEWLINE = r"(?>\r\n|\r|\n)"
_EMPTY_LINE = _NEWLINE + r"[ \t]*(?=[\r\n])[ \t\r\n]*"
_COMMON = r"(?:https?|ftp)://|//|/\*|`+|\$|" + _EMPTY_LINE + "|" + _NEWLINE
_MARKUP = re.compile(
    r"\\(?:u\{[0-9a-fA-F]{1,6}\}|[\s\S])?"
    r"|(?:(?<=[\r\n])|\A)[ \t]*(?P<mark>=+|[-+/]|\d{1,9}\.)[ \t]+"
    r"|[*_#\[\]~@<]|---?|\.\.\.|-\?|" + _COMMON
)
_CODE = re.compile(r'"(?:\\[\s\S]|[^"\\])*+"|[(){}\[\];"]|' + _COMMON)
_STATEMENT = re.compile(r"#(let|set|show|import|include)(?![\w-])")
_CONTROL = re.compile(r"#(if|for|while|context|return)(?![\w-])")
_NAME = re.compile(r"#?([^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*)")
_METHOD = re.compile(r"\.([^\W\d][\w-]*)")
_CALLEE = re.compile(r"([^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*)\Z")
_ARGUMENT_NAME = re.compile(r"[\w-]+[ \t]*:\s*\Z")
_REFERENCE = re.compile(r"@\w(?:[\w:.-]*\w)?")
_LABEL = re.compile(r"<[\w:.-]+>")
_MATH_PART = re.compile(r"\\[\s\S]|\$|" + _EMPTY_LINE)
_COMMENT_PART = re.compile(r"/\*|\*/")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LOOK_BACK = 80
"""Characters before a bracket in which the name of its function is looked for."""

_BLOCK_FUNCTIONS: dict[str, BlockKind] = {
    **dict.fromkeys(
        ["figure", "align", "block", "pad", "rect", "columns", "page", "place", "par", "stack"],
        "paragraph",
    ),
    **dict.fromkeys(["list", "enum", "terms", "list.item", "enum.item", "terms.item"], "item"),
    **dict.fromkeys(["table", "grid", "table.cell", "grid.cell", "table.header"], "cell"),
    **dict.fromkeys(["table.footer", "grid.header", "grid.footer"], "cell"),
    "heading": "heading",
    "title": "heading",
}
_NOT_PROSE = frozenset(
    ["raw", "hide", "cite", "ref", "label", "metadata", "bibliography", "equation"]
)
_SYMBOLS = {"~": " ", "--": "–", "---": "—", "...": "…", "-?": ""}


def typst_blocks(source: str) -> Iterator[Block]:
    """Yield the blocks of a Typst text."""
    scanner = _Scanner(source)
    scanner.run()
    yield from scanner.blocks


@dataclass(slots=True)
class _Frame:
    """Something that is open.

    Attributes
    ----------
    mode
        How the text in it is read.
    closer
        What ends it: a bracket, a line break (a statement), or nothing (the document).
    callee
        The function whose arguments or content it is, or "".
    kind
        The block that its end ends, if it is one.
    prose
        Whether content in it is prose at all.
    mark
        What its end adds to the prose.
    outer
        The block that goes on after it: a footnote lies in a paragraph.
    nesting
        Brackets that are open in it as text.
    opened
        Where it begins.
    """

    mode: Literal["markup", "code"]
    closer: str
    callee: str = ""
    kind: BlockKind | None = None
    prose: bool = True
    mark: str = ""
    outer: ProseBuilder | None = None
    nesting: int = 0
    opened: int = 0


class _Scanner:
    def __init__(self, source: str) -> None:
        self.source = source
        self.blocks: list[Block] = []
        self.builder = ProseBuilder(source)
        self.frames = [_Frame("markup", "")]
        self.closers: Counter[str] = Counter()
        self.line_kind: BlockKind | None = None
        self.missing: set[str] = set()

    def run(self) -> None:
        position = 0
        while True:
            markup = self.top.mode == "markup"
            token = (_MARKUP if markup else _CODE).search(self.source, position)
            end = token.start() if token else len(self.source)
            if markup:
                self.builder.add(position, end)
            if not token:
                break
            position = max(self.markup(token) if markup else self.code(token), end)
        while len(self.frames) > 1:
            self.pop(len(self.source))
        self.flush()

    @property
    def top(self) -> _Frame:
        return self.frames[-1]

    # --- markup ----------------------------------------------------------------------------

    def markup(self, token: re.Match[str]) -> int:
        """Take one token of markup and return where to go on."""
        start, end = token.span()
        if token["mark"]:
            self.flush()
            self.line_kind = "heading" if token["mark"][0] == "=" else "item"
            return end
        text = token[0]
        if text in _SYMBOLS:
            self.builder.decode(_SYMBOLS[text], start, end)
        elif text[0] == "\\":
            self.escape(text, start, end)
        elif text in "*_":
            if self.in_word(start):
                self.builder.add(start, end)
        elif text == "#":
            return self.expression(start)
        elif text in "[]":
            return self.bracket(text, start)
        elif text == "@":
            return self.reference(start)
        elif text == "<":
            label = _LABEL.match(self.source, start)
            if not label:
                self.builder.add(start, end)
            return label.end() if label else end
        elif text.isspace():
            self.line_end(text, start, end)
        else:
            return self.common(text, start, end)
        return end

    def common(self, text: str, start: int, end: int) -> int:
        """Take what is the same in markup and code: comments, raw text, math, addresses."""
        if text[0] == "`":
            if len(text) == 2:
                return end
            found = -1 if text in self.missing else self.source.find(text, end)
            if found < 0:
                self.missing.add(text)
            return found + len(text) if found >= 0 else end
        if text == "$":
            return self.math(end)
        if text == "/*":
            return self.comment(end)
        if text == "//":
            line = _REST_OF_LINE.match(self.source, end)
            return line.end() if line else end
        url = URL.match(self.source, start)
        return url.end() if url else end

    def escape(self, text: str, start: int, end: int) -> None:
        if text.startswith("\\u{"):
            code = int(text[3:-1], 16)
            self.builder.decode(chr(code) if code < 0x110000 else "\ufffd", start, end)
        elif len(text) == 2:
            self.builder.decode("\n" if text[1].isspace() else text[1], start, end)

    def in_word(self, position: int) -> bool:
        before, after = (
            self.source[position - 1 : position],
            self.source[position + 1 : position + 2],
        )
        return before.isalnum() and after.isalnum() and before < "\u2e80" and after < "\u2e80"

    def bracket(self, text: str, start: int) -> int:
        frame = self.top
        if text == "[":
            if placeholder := PLACEHOLDER.match(self.source, start):
                self.builder.mark_placeholder(*placeholder.span())
                self.builder.add(*placeholder.span())
                return placeholder.end()
            frame.nesting += 1
        elif frame.nesting:
            frame.nesting -= 1
        elif frame.closer == "]":
            return self.pop(start)
        self.builder.add(start, start + 1)
        return start + 1

    def reference(self, start: int) -> int:
        found = _REFERENCE.match(self.source, start)
        if not found or self.source[start - 1 : start].isalnum():
            self.builder.add(start, start + 1)
            return start + 1
        if self.source.startswith("[", found.end()):
            self.push_content(found.end(), "ref")
            return found.end() + 1
        return found.end()

    def line_end(self, text: str, start: int, end: int) -> None:
        empty = _is_empty_line(text)
        continues = self.source[end : end + 1] in (" ", "\t")
        if empty or self.line_kind == "heading" or (self.line_kind == "item" and not continues):
            self.flush()
            self.line_kind = None
        else:
            self.builder.add(start, end)

    def math(self, position: int) -> int:
        """Return the end of the formula; a sign without another in its paragraph is a sign."""
        at = position
        while part := _MATH_PART.search(self.source, at):
            if part[0] == "$":
                return part.end()
            if part[0].isspace():
                break
            at = part.end()
        return position

    def comment(self, position: int) -> int:
        depth = 1
        while part := _COMMENT_PART.search(self.source, position):
            position = part.end()
            depth += 1 if part[0] == "/*" else -1
            if not depth:
                return position
        return len(self.source)

    # --- code ------------------------------------------------------------------------------

    def expression(self, start: int) -> int:
        """Take the code that ``#`` begins."""
        source = self.source
        if statement := _STATEMENT.match(source, start):
            self.push(_Frame("code", "\n", prose=False, opened=start))
            return statement.end()
        if control := _CONTROL.match(source, start):
            self.push(_Frame("code", "\n", prose=self.top.prose, opened=start))
            return control.end()
        if name := _NAME.match(source, start):
            return self.call(name.end(), name[1])
        following = source[start + 1 : start + 2]
        if following in ("(", "{"):
            closer = ")" if following == "(" else "}"
            self.push(_Frame("code", closer, prose=self.top.prose, opened=start + 1))
            return start + 2
        if following == "[":
            self.push_content(start + 1, "")
            return start + 2
        if following == '"' and (string := _CODE.match(source, start + 1)):
            return string.end()
        self.builder.add(start, start + 1)
        return start + 1

    def call(self, position: int, callee: str) -> int:
        """Go on after a function's name or arguments: more arguments or content may follow."""
        while method := _METHOD.match(self.source, position):
            callee = f"{callee}.{method[1]}"[-_LOOK_BACK:]
            position = method.end()
        following = self.source[position : position + 1]
        if following == "(":
            self.push(_Frame("code", ")", callee, prose=self.top.prose, opened=position))
            return position + 1
        if following == "[":
            self.push_content(position, callee)
            return position + 1
        return position + (following == ";")

    def code(self, token: re.Match[str]) -> int:
        """Take one token of code and return where to go on."""
        start, end = token.span()
        text = token[0]
        if text in ("(", "{"):
            closer = ")" if text == "(" else "}"
            name = _CALLEE.search(self.source[max(0, start - _LOOK_BACK) : start])
            callee = name[1] if name and text == "(" else ""
            self.push(_Frame("code", closer, callee, prose=self.top.prose, opened=start))
        elif text == "[":
            self.content_argument(start)
        elif text in (")", "}", "]"):
            return self.close_code(text, start)
        elif text == ";":
            if self.top.closer == "\n":
                self.pop(start)
        elif text.isspace():
            return self.code_line_end(text, start, end)
        elif text[0] != '"':
            return self.common(text, start, end)
        return end

    def content_argument(self, start: int) -> None:
        before = self.source[max(0, start - _LOOK_BACK) : start]
        if name := _CALLEE.search(before):
            self.push_content(start, name[1])
        elif self.top.callee and _ARGUMENT_NAME.search(before):
            self.push_content(start, "block")  # "caption: [...]" and the like
        else:
            self.push_content(start, self.top.callee)

    def close_code(self, closer: str, start: int) -> int:
        """Close what `closer` closes, with all that was left open in it."""
        if not self.closers[closer]:
            if self.top.closer == "\n":  # as in "[#set text(red)]": the statement ends here
                self.pop(start)
                return start
            return start + 1
        while self.top.closer != closer:
            self.pop(start)
        return self.pop(start)

    def code_line_end(self, text: str, start: int, end: int) -> int:
        if self.top.closer == "\n":
            self.pop(start)
            return start  # the line break belongs to the markup again
        if _is_empty_line(text) and self.source[end : end + 1] not in (
            " ",
            "\t",
            ")",
            "]",
            "}",
            "",
        ):
            # An empty line and then text at the margin: most likely the parenthesis is only just
            # being typed, and the document should not vanish until it is closed.
            depth = len(self.frames)
            while depth > 1 and self.frames[depth - 1].closer == ")":
                depth -= 1
            if self.frames[depth - 1].mode == "markup":
                while len(self.frames) > depth:
                    self.pop(start)
                return start
        return end

    # --- frames and blocks -----------------------------------------------------------------

    def push(self, frame: _Frame) -> None:
        self.frames.append(frame)
        self.closers[frame.closer] += 1

    def push_content(self, start: int, callee: str) -> None:
        """Open the content block at `start`, content of the function `callee`."""
        frame = _Frame("markup", "]", callee, prose=self.top.prose, opened=start)
        if callee in _NOT_PROSE:
            frame.prose = False
        if not frame.prose or callee == "footnote":
            frame.kind = "footnote" if frame.prose else None
            frame.outer = self.builder
            self.builder = ProseBuilder(self.source)
        elif callee == "quote":
            if self.is_block_quote(start):
                self.flush()
                frame.kind = "quote"
            else:
                self.builder.decode("“", start, start + 1)
                frame.mark = "”"
        elif callee in _BLOCK_FUNCTIONS:
            self.flush()
            frame.kind = _BLOCK_FUNCTIONS[callee]
        self.push(frame)

    def is_block_quote(self, start: int) -> bool:
        line = self.source[max(0, start - 4 * _LOOK_BACK) : start]
        call = line[line.rfind("quote") :]
        return re.search(r"block[ \t]*:[ \t]*true", call) is not None

    def pop(self, position: int) -> int:
        """Close the innermost frame at `position` and return where to go on after its end."""
        frame = self.frames.pop()
        self.closers[frame.closer] -= 1
        if frame.closer == "\n":
            return position
        if frame.mark and position < len(self.source):
            self.builder.decode(frame.mark, position, position + 1)
        if frame.kind:
            self.flush(frame.kind)
        if frame.outer:
            self.builder = frame.outer
        after = min(position + 1, len(self.source))
        if self.source[position : position + 1] != frame.closer:
            return position
        if self.top.mode == "code":
            if frame.mode == "markup" and self.top.closer == "\n":
                return self.after_branch(after)
            return after
        return self.call(after, frame.callee) if frame.callee or frame.mode == "code" else after

    def after_branch(self, position: int) -> int:
        """End ``#if``, ``#for`` and so on after their content, unless "else" follows."""
        if self.top.prose and not re.compile(r"\s*else\b|\[").match(self.source, position):
            self.pop(position)
        return position

    def flush(self, kind: BlockKind | None = None) -> None:
        inside = next((frame.kind for frame in reversed(self.frames[-8:]) if frame.kind), None)
        block = self.builder.build(kind or self.line_kind or inside or "paragraph")
        if block and self.top.prose:
            self.blocks.append(block)
        self.builder = ProseBuilder(self.source)


def _is_empty_line(line_end: str) -> bool:
    """Whether what was found is more than the end of one line."""
    return line_end not in ("\n", "\r\n", "\r")
