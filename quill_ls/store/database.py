"""The store: everything that is known of quotations, in one SQLite file.

Values go in and come out; SQL stays in the modules beside this one. One process may write while
others read: readers see the state before the writer's transaction until it is complete.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from quill_ls.store import adding, authors, links, measures, search, vectors
from quill_ls.store.adding import AddReport
from quill_ls.store.connection import PATIENCE, Connection, connect
from quill_ls.store.links import Links
from quill_ls.store.narrow import Narrow, where
from quill_ls.store.records import Author, Progress, Quotation
from quill_ls.store.rows import QUOTATION_COLUMNS, quotation
from quill_ls.store.schema import bring_up_to_date
from quill_ls.store.search import Hit

if TYPE_CHECKING:
    from quill_ls.store.vectors import Ids, Matrix

_PAGE = 2_000


class Store:
    """An open store. Every method raises `StoreError` where the file cannot do what is asked."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @classmethod
    def open(cls, path: Path, *, readonly: bool = False, timeout: float = PATIENCE) -> Store:
        """Open the store at `path`, made and brought up to date unless `readonly`.

        A file that cannot be written is opened for reading; `readonly` tells.

        Parameters
        ----------
        timeout
            Seconds to wait for another program's write.
        """
        connection = connect(path, readonly=readonly, timeout=timeout)
        try:
            bring_up_to_date(connection)
            connection.let_readers_in()
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self.connection.path

    @property
    def readonly(self) -> bool:
        """Whether nothing can be written."""
        return self.connection.readonly

    def transaction(self) -> AbstractContextManager[None]:
        """Make several changes in one: ``with store.transaction(): ...``; all or nothing."""
        return self.connection.transaction()

    # Quotations

    def add(self, quotations: Iterable[Quotation], progress: Progress | None = None) -> AddReport:
        """Add quotations in one transaction; see `quill_ls.store.adding.add`."""
        return adding.add(self.connection, quotations, progress)

    def merge(self, keep: int, drop: Sequence[int]) -> None:
        """Let one row stand for others too; see `quill_ls.store.adding.merge`."""
        adding.merge(self.connection, keep, drop)

    def remove(self, ids: Iterable[int]) -> int:
        """Remove rows with all that was computed of them; return how many there were."""
        return adding.remove(self.connection, ids)

    def get(self, id: int) -> Quotation | None:
        """Return the quotation of a row."""
        return self.get_many((id,)).get(id)

    def get_many(self, ids: Iterable[int]) -> dict[int, Quotation]:
        """Return the quotations of those rows that exist, in the order of `ids`."""
        wanted = [int(id) for id in ids]
        found = {
            row[0]: quotation(row)
            for row in self.connection.rows(
                f"SELECT {QUOTATION_COLUMNS} FROM quotes"
                " WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(wanted),),
            )
        }
        return {id: found[id] for id in wanted if id in found}

    def count(self, narrow: Narrow | None = None) -> int:
        """Return the number of quotations."""
        condition, parameters = where(narrow)
        row = self.connection.row(
            f"SELECT count(*) FROM quotes WHERE {condition or 'true'}", parameters
        )
        assert row is not None
        number: int = row[0]
        return number

    def ids(self, narrow: Narrow | None = None) -> list[int]:
        """Return the rows of the quotations, ascending."""
        condition, parameters = where(narrow)
        # One JSON array comes out of SQLite in half the time that so many rows do.
        row = self.connection.row(
            f"SELECT json_group_array(id) FROM quotes WHERE {condition or 'true'}", parameters
        )
        assert row is not None
        return sorted(json.loads(row[0]))

    def quotations(self, narrow: Narrow | None = None) -> Iterator[Quotation]:
        """Stream the quotations by ascending id.

        The store may be written while the stream is read: a quotation removed meanwhile may or
        may not come.
        """
        condition, parameters = where(narrow)
        last = 0
        while True:
            rows = self.connection.rows(
                f"SELECT {QUOTATION_COLUMNS} FROM quotes"
                f" WHERE id > ? AND ({condition or 'true'}) ORDER BY id LIMIT {_PAGE}",
                (last, *parameters),
            )
            yield from map(quotation, rows)
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    # Search

    def find_text(self, folded: str) -> tuple[Quotation, ...]:
        """Return the quotations with exactly these folded words."""
        return search.find_text(self.connection, folded)

    def search_words(
        self, terms: Sequence[str], *, narrow: Narrow | None = None, limit: int = 100
    ) -> list[Hit]:
        """Return the quotations with any of `terms`, best first, by BM25.

        A term of several words is a phrase; Han characters are looked up by their bigrams.
        """
        return search.search_words(self.connection, terms, narrow, limit)

    def search_trigrams(
        self, text: str, *, narrow: Narrow | None = None, limit: int = 100
    ) -> list[Hit]:
        """Return the quotations spelt most like `text`, best first; 1 is the greatest score."""
        return search.search_trigrams(self.connection, text, narrow, limit)

    # Authors

    def authors(self) -> list[Author]:
        """Return every author with aliases and number of quotations."""
        return authors.all_authors(self.connection)

    def author(self, name: str) -> Author | None:
        """Return the author of that name or unambiguous alias, in any case and spelling."""
        return authors.find_author(self.connection, name)

    def add_aliases(self, name: str, aliases: Iterable[str]) -> int:
        """Let an author, added if new, be known by `aliases` too; return the author's id."""
        return authors.add_aliases(self.connection, name, aliases)

    def add_authors(self, entries: Iterable[tuple[str, Iterable[str]]]) -> list[int]:
        """Do what `add_aliases` does for many authors at once; return their ids."""
        return authors.add_authors(self.connection, entries)

    def unite_authors(self, keep: int, drop: Iterable[int]) -> None:
        """Give the quotations and names of some authors to another; see `authors`."""
        authors.unite_authors(self.connection, keep, drop)

    # Links between a quotation and a longer one that contains it

    def link(self, shorter: int, longer: int) -> None:
        """Note that the quotation `longer` contains `shorter`."""
        links.link(self.connection, shorter, longer)

    def links(self, id: int) -> Links:
        """Return the shorter and the longer quotations that one is linked with."""
        return links.links(self.connection, id)

    # Vectors, per encoder

    def put_vectors(self, encoder: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Store vectors, each as little-endian float16, under the rows of their quotations."""
        vectors.put_vectors(self.connection, encoder, rows)

    def missing_vectors(
        self, encoder: str, narrow: Narrow | None = None, limit: int | None = None
    ) -> list[tuple[int, str]]:
        """Return id and text of quotations without a vector, by ascending id."""
        return vectors.missing_vectors(self.connection, encoder, narrow, limit)

    def vectors(self, encoder: str, ids: Sequence[int] | None = None) -> tuple[Ids, Matrix]:
        """Return ids (n,), ascending, and a float16 matrix (n, dimensions) of their vectors."""
        return vectors.vectors(self.connection, encoder, ids)

    def vector_count(self, encoder: str) -> int:
        """Return how many quotations have vectors."""
        return vectors.vector_count(self.connection, encoder)

    def remove_vectors(self, encoder: str) -> None:
        """Forget an encoder with all its vectors."""
        vectors.remove_vectors(self.connection, encoder)

    # Measures, per model

    def put_measures(self, model: str, name: str, values: Mapping[int, float]) -> None:
        """Store a measure of quotations, by row; NaN is passed over."""
        measures.put_measures(self.connection, model, name, values)

    def measures(self, model: str, name: str, ids: Iterable[int] | None = None) -> dict[int, float]:
        """Return the values of those of `ids`, or of all, that have one."""
        return measures.measures(self.connection, model, name, ids)

    def put_author_measures(self, model: str, name: str, values: Mapping[int, float]) -> None:
        """Store a measure of authors, by row; NaN is passed over."""
        measures.put_author_measures(self.connection, model, name, values)

    def author_measures(
        self, model: str, name: str, author_ids: Iterable[int] | None = None
    ) -> dict[int, float]:
        """Return the values of those authors, or of all, that have one."""
        return measures.author_measures(self.connection, model, name, author_ids)

    def put_calibration(self, model: str, criterion: str, mu: float, k: float, n: int) -> None:
        """Store the constants of a criterion's logistic function, from a sample of `n`."""
        measures.put_calibration(self.connection, model, criterion, mu, k, n)

    def calibrations(self, model: str) -> dict[str, tuple[float, float, int]]:
        """Return mu, k and sample size by criterion."""
        return measures.calibrations(self.connection, model)

    # Everything else

    def put_meta(self, key: str, value: str) -> None:
        """Note a value under a key, in place of an older one."""
        self.connection.change(
            "INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", (key, value)
        )

    def meta(self, key: str) -> str | None:
        """Return the value noted under a key."""
        row = self.connection.row("SELECT value FROM meta WHERE key = ?", (key,))
        return None if row is None else row[0]
