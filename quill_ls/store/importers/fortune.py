"""Fortune files: texts between lines of a single ``%``, most with an attribution at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from quill_ls.store.importers.plain import fault_of, one_line, plain
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.source import text_lines
from quill_ls.store.records import Quotation
from quill_ls.text.script import has_han

_ATTRIBUTION = re.compile(r"^\s*(?:--+|—+|――+|–)\s*(?P<who>\S.*)$")
_QUOTED_WORK = re.compile(r"^(?P<author>[^,，]*?)[,，]?\s*[\"“《_](?P<work>[^\"”》_]+)[\"”》_]")
_OVERSTRIKE = re.compile(r".\x08")  # how old files underline: a letter, back, the letter
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_MAX_AUTHOR_WORDS = 6
_ATTRIBUTION_LINES = 4


def read_fortune(
    path: Path,
    *,
    encoding: str | None = None,
    collection: str = "fortune",
    language: str | None = None,
    progress: Progress = silent,
) -> Iterator[Row]:
    """Yield a quotation for each text of a fortune file.

    ``-- Author, Work`` in the last lines is the attribution. Without `language`, a text with
    Han characters is Chinese ("zh") and any other English.
    """
    start, lines = 1, list[str]()
    number = 0
    for number, line in text_lines(path, encoding, progress):
        if line.rstrip() in ("%", "%%"):
            if any(part.strip() for part in lines):
                yield _row(start, lines, collection, language)
            start, lines = number + 1, []
        else:
            lines.append(_ESCAPE.sub("", _OVERSTRIKE.sub("", line)))
    if any(part.strip() for part in lines):
        yield _row(start, lines, collection, language)


def _row(start: int, lines: list[str], collection: str, language: str | None) -> Row:
    while lines and not lines[-1].strip():
        lines.pop()
    said, who = lines, ""
    # An attribution may run on over a few indented lines; it begins at the last dash.
    for place in range(len(lines) - 1, max(0, len(lines) - 1 - _ATTRIBUTION_LINES), -1):
        match = _ATTRIBUTION.match(lines[place])
        if match:
            said, who = lines[:place], one_line("\n".join([match["who"], *lines[place + 1 :]]))
            break
    text = plain("\n".join(said))
    fault = fault_of(text)
    if fault:
        return Skipped.of(start, fault, " ".join(lines))
    if any(_ATTRIBUTION.match(line) for line in said):
        return Skipped.of(start, "several attributions", text)
    author, work = split_attribution(who)
    return Quotation(
        text=text,
        author=author,
        work=work,
        language=language or ("zh" if has_han(text) else "en"),
        collection=collection,
    )


def split_attribution(who: str) -> tuple[str, str]:
    """Return author and work of "Author, Work", "Author, "Work"" or "Author"."""
    who = who.strip()
    quoted = _QUOTED_WORK.match(who)
    if quoted:
        return quoted["author"].strip(), quoted["work"].strip(" ,.")
    author, _, work = who.partition(",")
    if len(author.split()) > _MAX_AUTHOR_WORDS:  # a remark, not a name
        return "", ""
    return author.strip(), work.strip().strip('"“”')
