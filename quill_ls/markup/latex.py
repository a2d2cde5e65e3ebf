"""LaTeX: the text of a document body, with footnotes, headings and cells as blocks of their own.

The reader goes once through the source with a table of matching braces at hand and a stack of the
groups that are open, so that neither deep nesting nor missing braces cost more than their length.
What commands mean is written in `latex_commands`; nothing is expanded or included.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from quill_ls.markup import latex_commands as tex
from quill_ls.markup.document import PLACEHOLDER, URL, Block, BlockKind
from quill_ls.markup.prose import ProseBuilder

_EMPTY_LINE = r"(?>\r\n|\r|\n)[ \t]*(?=[\r\n])[ \t\r\n]*"
_LINE_START = r"(?:\A|(?<=[\r\n]))[^%\r\n]*?"
_TOKEN = re.compile(
    r"\\(?:[A-Za-z@]+\*?|[\s\S])?|[{}\]$%~&\[`]|''|---?|(?:https?|ftp)://|" + _EMPTY_LINE
)
_COMMENT = re.compile(r"%[^\r\n]*(?:(?>\r\n|\r|\n)[ \t]*(?![\r\n]))?")
_BODY = re.compile(_LINE_START + r"\\begin\{document\}")
_BODY_END = re.compile(_LINE_START + r"(\\end\{document\})")
_TITLE = re.compile(_LINE_START + r"\\(?:sub)?title(?:\[[^\[\]]*\])?(\{)")
_BRACE = re.compile(r"\\begin\{([A-Za-z]+)\*?\}|\\verb\*?([^\sA-Za-z*])|\\[\s\S]|%[^\r\n]*|[{}]")
_ENVIRONMENT = re.compile(r"[ \t]*\{([A-Za-z]+\*?)\}")
_OPTION_PART = re.compile(r"[\[\]{}]|" + _EMPTY_LINE)
_MATH_PART = re.compile(r"\\[\s\S]|\$\$?|" + _EMPTY_LINE)
_ACCENTED = re.compile(
    r"[ \t]*(?:\{[ \t]*(\\[ij]|[^\W\d_])?[ \t]*\}|(\\[ij])(?![A-Za-z])|([^\W\d_]))"
)
_LINE_SKIP = re.compile(r"\*?(?:\[[ \t]*-?[\d.]*[ \t]*(?:\\?[a-z]+)[ \t]*\])?")


def latex_blocks(source: str) -> Iterator[Block]:
    """Yield the blocks of a LaTeX text: of its body and its title, or of all if it has none."""
    scanner = _Scanner(source)
    body = _BODY.search(source)
    if body:
        for title in _TITLE.finditer(source, 0, body.end()):
            if title.start(1) in scanner.pairs:
                scanner.run(title.end(), scanner.pairs[title.start(1)])
                scanner.flush("heading")
    start = body.end() if body else 0
    end = _BODY_END.search(source, start)
    scanner.run(start, end.start(1) if end else len(source))
    scanner.finish()
    yield from scanner.blocks


@dataclass(frozen=True, slots=True)
class _Group:
    """An open group whose end does something: at `close`, `mark` is added or a block ends."""

    close: int
    mark: str = ""
    kind: BlockKind | None = None
    outer: ProseBuilder | None = None


class _Scanner:
    def __init__(self, source: str) -> None:
        self.source = source
        self.blocks: list[Block] = []
        self.builder = ProseBuilder(source)
        self.groups: list[_Group] = []
        self.environments: list[tuple[str, BlockKind]] = []
        self.missing: set[str] = set()
        self.pairs = self.match_braces()

    # --- what stands where -----------------------------------------------------------------

    def match_braces(self) -> dict[int, int]:
        """Return the closing brace of each opening one that has one."""
        pairs: dict[int, int] = {}
        opened: list[int] = []
        position = 0
        while token := _BRACE.search(self.source, position):
            position = token.end()
            if token[0] == "{":
                opened.append(token.start())
            elif token[0] == "}":
                if opened:
                    pairs[opened.pop()] = token.start()
            elif token[1]:
                if token[1] in tex.VERBATIM_ENVIRONMENTS:
                    position = self.environment_end(token[0], position)
                else:  # its name is a group like any other
                    brace = token[0].index("{") + token.start()
                    pairs[brace] = token.end() - 1
            elif token[2]:
                position = self.verb_end(token.end() - 1)
        self.missing.clear()
        return pairs

    def verb_end(self, delimiter: int) -> int:
        """Return the end of what stands between two of the characters at `delimiter`."""
        ends = re.compile(f"{re.escape(self.source[delimiter])}|[\r\n]")
        close = ends.search(self.source, delimiter + 1)
        return close.end() if close and not close[0].isspace() else delimiter + 1

    def environment_end(self, begin: str, position: int) -> int:
        r"""Return the end of the environment that ``\begin{...}`` before `position` opens."""
        ending = begin.replace("begin", "end", 1).replace(" ", "").replace("\t", "")
        found = self.find(ending, position)
        if found >= 0:
            return found + len(ending)
        paragraph = re.compile(_EMPTY_LINE).search(self.source, position)
        return paragraph.start() if paragraph else len(self.source)

    def find(self, text: str, position: int) -> int:
        """Return where `text` is next, or -1; what is missing once is not looked for again."""
        found = -1 if text in self.missing else self.source.find(text, position)
        if found < 0:
            self.missing.add(text)
        return found

    def option_end(self, position: int) -> int:
        """Return the end of the option in brackets at `position`, or `position`."""
        if not self.source.startswith("[", position):
            return position
        at = position + 1
        while part := _OPTION_PART.search(self.source, at):
            if part[0] == "]":
                return part.end()
            if part[0] != "{" or part.start() not in self.pairs:
                break
            at = self.pairs[part.start()] + 1
        return position

    def arguments_end(self, position: int, *, groups: int = -1, apart: bool = False) -> int:
        """Return the end of the options and of at most `groups` groups from `position` on."""
        while True:
            start = position
            while apart and self.source[start : start + 1].isspace():
                start += 1
            end = self.option_end(start)
            if end == start and groups and self.source.startswith("{", start):
                end = self.pairs.get(start, start - 1) + 1
                groups -= 1
            if end <= start:
                return position
            position = end

    # --- going through ---------------------------------------------------------------------

    def run(self, position: int, stop: int) -> None:
        while (token := _TOKEN.search(self.source, position, stop)) is not None:
            self.builder.add(position, token.start())
            position = max(self.take(token), token.end())
        self.builder.add(position, stop)

    def take(self, token: re.Match[str]) -> int:
        """Take one token and return where to go on, 0 for right after it."""
        start, end = token.span()
        match token[0]:
            case "{":
                return end
            case "}" | "]" as bracket:
                if self.groups and self.groups[-1].close == start:
                    self.close(self.groups.pop(), start)
                elif bracket == "]":
                    self.builder.add(start, end)
            case "[":
                if placeholder := PLACEHOLDER.match(self.source, start):
                    self.builder.mark_placeholder(*placeholder.span())
                    self.builder.add(*placeholder.span())
                    return placeholder.end()
                self.builder.add(start, end)
            case "$":
                return self.math(start)
            case "%":
                comment = _COMMENT.match(self.source, start)
                return comment.end() if comment else end
            case "~":
                self.builder.decode(" ", start, end)
            case "&":
                self.cell_or(start, end)
            case "`":
                double = self.source.startswith("``", start)
                self.builder.decode("“" if double else "‘", start, start + 1 + double)
                return end + double
            case "''":
                self.builder.decode("”", start, end)
            case "--" | "---":
                self.builder.decode("–" if token[0] == "--" else "—", start, end)
            case text if text.startswith("\\"):
                return self.command(text[1:], start, end)
            case text if text.isspace():
                self.flush()
            case _:
                url = URL.match(self.source, start)
                if not url:
                    self.builder.add(start, end)
                return url.end() if url else end
        return end

    def math(self, start: int) -> int:
        """Return the end of the formula that a dollar sign opens; without an end it is a sign."""
        sign = "$$" if self.source.startswith("$$", start) else "$"
        position = start + len(sign)
        while part := _MATH_PART.search(self.source, position):
            if part[0].startswith("$"):
                if sign == "$$" and part[0] == "$":
                    position = part.end()
                    continue
                return part.start() + len(sign)
            if part[0].isspace() and sign == "$":
                break
            position = part.end()
        return start + len(sign)

    def cell_or(self, start: int, end: int) -> None:
        if self.kind == "cell":
            self.flush()
        else:
            self.builder.add(start, end)

    # --- commands --------------------------------------------------------------------------

    def command(self, name: str, start: int, end: int) -> int:
        base = name.rstrip("*") if len(name) > 1 else name
        if base in ("begin", "end"):
            return self.environment(base, start, end)
        if name in ("(", "["):
            found = self.find("\\)" if name == "(" else "\\]", end)
            return found + 2 if found >= 0 else end
        if base == "\\":
            skip = _LINE_SKIP.match(self.source, end)
            if self.kind == "cell":
                self.flush()
            else:
                self.builder.decode("\n", start, end)
            return skip.end() if skip else end
        if base == "item":
            return self.item(end)
        if base in tex.ACCENTS and (accented := _ACCENTED.match(self.source, end)):
            return self.accent(tex.ACCENTS[base], accented, start)
        if base in tex.LETTERS:
            self.builder.decode(tex.LETTERS[base], start, end)
            return end + self.source[end : end + 1].isspace()
        if base in tex.SYMBOLS:
            self.builder.decode(tex.SYMBOLS[base], start, end)
            return end
        if base in tex.ENDS_PARAGRAPH:
            self.flush()
        if base in tex.NO_OPTION:
            return end
        if base in ("verb", "Verb", "lstinline", "mintinline"):
            return self.inline_code(base, end)
        if name in tex.DEFINITIONS or base in tex.DEFINITIONS:
            return self.definition(base, end)
        if tex.NOT_PROSE.fullmatch(base):
            return self.arguments_end(end)
        return self.prose_command(name, base, start, end)

    def prose_command(self, name: str, base: str, start: int, end: int) -> int:
        """Open the argument of a command that is prose."""
        argument = self.arguments_end(end, groups=tex.SKIPPED_ARGUMENTS.get(base, 0))
        close = self.pairs.get(argument)
        if base in tex.HEADINGS or base in tex.CAPTIONS:
            self.flush()
        if close is None:
            return argument
        if base in tex.HEADINGS or base in tex.CAPTIONS:
            self.groups.append(
                _Group(close, kind="paragraph" if base in tex.CAPTIONS else "heading")
            )
        elif base == "epigraph":
            self.flush()
            last = self.arguments_end(argument, groups=2) - 1
            self.groups.append(_Group(last, kind="quote"))
            self.groups.append(_Group(close, mark=" "))
        elif base in tex.FOOTNOTES:
            self.groups.append(_Group(close, kind="footnote", outer=self.builder))
            self.builder = ProseBuilder(self.source)
        elif base in tex.QUOTED:
            single = name.endswith("*")
            self.builder.decode("‘" if single else "“", argument, argument + 1)
            self.groups.append(_Group(close, mark="’" if single else "”"))
        return argument + 1

    def close(self, group: _Group, position: int) -> None:
        if group.mark:
            self.builder.decode(group.mark, position, position + 1)
        if group.kind:
            self.flush(group.kind)
        if group.outer:
            self.builder = group.outer

    def item(self, end: int) -> int:
        self.flush()
        close = self.option_end(end)
        if close > end:
            self.groups.append(_Group(close - 1, mark=" "))
            return end + 1
        return end

    def accent(self, diacritic: str, accented: re.Match[str], start: int) -> int:
        letter = (accented[1] or accented[2] or accented[3] or "").removeprefix("\\")
        char = unicodedata.normalize("NFC", letter + diacritic) if letter else ""
        self.builder.decode(char, start, accented.end())
        return accented.end()

    def inline_code(self, base: str, end: int) -> int:
        position = self.option_end(end)
        if base == "mintinline":
            position = self.arguments_end(position, groups=1)
        if self.source.startswith("{", position):
            return self.arguments_end(position, groups=1)
        return self.verb_end(position) if position < len(self.source) else position

    def definition(self, base: str, end: int) -> int:
        if base in ("def", "edef", "gdef"):
            brace = self.source.find("{", end, end + 200)
            end = brace if brace >= 0 else end
        elif named := re.compile(r"\s*\\[A-Za-z@]+(?:\s*=?\s*\\[A-Za-z@]+)?").match(
            self.source, end
        ):
            end = named.end()
        return self.arguments_end(end, apart=True)

    # --- environments and blocks -----------------------------------------------------------

    def environment(self, command: str, start: int, end: int) -> int:
        found = _ENVIRONMENT.match(self.source, end)
        if not found:
            return end
        name = found[1].rstrip("*")
        if command == "end":
            if any(name == opened for opened, _ in self.environments[-8:]):
                self.flush()
                while self.environments.pop()[0] != name:
                    pass
            return found.end()
        if name in tex.MATH_ENVIRONMENTS:
            return self.environment_end(self.source[start : found.end()], found.end())
        self.flush()
        if name in tex.VERBATIM_ENVIRONMENTS or name in tex.CODE_ENVIRONMENTS:
            return self.environment_end(self.source[start : found.end()], found.end())
        self.environments.append((name, tex.ENVIRONMENT_KINDS.get(name, self.kind)))
        if name in tex.NO_OPTION_ENVIRONMENTS:
            return found.end()
        groups = tex.ENVIRONMENT_ARGUMENTS.get(found[1], tex.ENVIRONMENT_ARGUMENTS.get(name, 0))
        return self.arguments_end(found.end(), groups=groups)

    @property
    def kind(self) -> BlockKind:
        return self.environments[-1][1] if self.environments else "paragraph"

    def flush(self, kind: BlockKind | None = None) -> None:
        """End a block, inside of a footnote or heading one of that kind."""
        inside = next((group.kind for group in reversed(self.groups[-8:]) if group.kind), None)
        if block := self.builder.build(kind or inside or self.kind):
            self.blocks.append(block)
        self.builder = ProseBuilder(self.source)

    def finish(self) -> None:
        while self.groups:
            group = self.groups.pop()
            if group.kind:
                self.flush(group.kind)
            if group.outer:
                self.builder = group.outer
        self.flush()
