"""Small popular collections in SQLite: ``mightymaxims`` and ``kathekon``."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.store.importers.archives import data_files
from quill_ls.store.importers.author_names import canonical_name
from quill_ls.store.importers.collected_text import clean
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.split_names import is_person, proverb_of
from quill_ls.store.records import Quotation

_NOBODY = frozenset({"", "anonymous", "unknown", "various", "author unknown", "unattributed"})


@dataclass(frozen=True, slots=True)
class MaximsPackage:
    """Where a package keeps its table.

    Attributes
    ----------
    package
        Name in the registry, and of the collection.
    file
        Path of the database in the package.
    query
        Selects row number, text and author.
    """

    package: str
    file: str
    query: str


MIGHTY_MAXIMS = MaximsPackage(
    "mightymaxims",
    "MightyMaxims/MightyMaxims2026.sqlt3",
    "select ID, QUOTE, AUTHOR from MightyMaxims order by ID",
)
KATHEKON = MaximsPackage(
    "kathekon", "kathekon/data/quotes.db", "select id, text, author from quotes order by id"
)


def read_maxims(
    source: MaximsPackage, path: Path | None = None, *, progress: Progress = silent
) -> Iterator[Row]:
    """Yield a quotation for each row whose words are clean; the line is the row number.

    Parameters
    ----------
    path
        A wheel or folder of the package; None finds the installed one.

    Raises
    ------
    InputError
        Not installed, or its database is another one.
    """
    files = data_files(
        source.package,
        source.file,
        path,
        lambda name: name.endswith(source.file) and ".data/" not in name,
    )
    rows = _table(source, next(iter(files.values())))
    for done, (number, text, author) in enumerate(rows, 1):
        yield _row(source.package, number, str(text or ""), str(author or ""))
        if done % 500 == 0:
            progress(done, len(rows))
    progress(len(rows), len(rows))


def _table(source: MaximsPackage, content: bytes) -> list[tuple[int, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "table.db"
        copy.write_bytes(content)
        try:
            with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as database:
                return database.execute(source.query).fetchall()
        except sqlite3.Error as error:
            raise InputError(
                f"The database of {source.package} is not the one this release of Quill knows: "
                f"{error}.",
                "Install the version that the list of collections names.",
            ) from error


def _row(collection: str, number: int, text: str, named: str) -> Row:
    author = proverb_of(named) or canonical_name(named)
    if author.casefold() in _NOBODY:
        author = ""
    elif not proverb_of(named) and not is_person(author):
        return Skipped.of(number, "author is not a person", f"{named} | {text}")
    text, fault = clean(text.replace("''", '"'), author)
    if fault:
        return Skipped.of(number, fault, text)
    return Quotation(
        text=text, author=author, language="en", tier="collected", collection=collection
    )
