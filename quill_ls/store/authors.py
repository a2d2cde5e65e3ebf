"""Authors under one canonical name, whatever texts and collections call them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from quill_ls.store.connection import Connection, Row
from quill_ls.store.indexing import reindexed
from quill_ls.store.records import Author
from quill_ls.store.rows import content_hash, text_key

_SELECT = """
    SELECT a.id, a.name,
        (SELECT json_group_array(alias) FROM author_aliases WHERE author_id = a.id),
        (SELECT count(*) FROM quotes WHERE author_id = a.id)
    FROM authors a
"""


def all_authors(connection: Connection) -> list[Author]:
    """Return every author with aliases and number of quotations, in the order of their ids."""
    rows = connection.rows(
        "SELECT a.id, a.name, l.aliases, coalesce(q.n, 0) FROM authors a"
        " LEFT JOIN (SELECT author_id, json_group_array(alias) AS aliases FROM author_aliases"
        " GROUP BY author_id) l ON l.author_id = a.id"
        " LEFT JOIN (SELECT author_id, count(*) AS n FROM quotes GROUP BY author_id) q"
        " ON q.author_id = a.id ORDER BY a.id"
    )
    return [_author(row) for row in rows]


def find_author(connection: Connection, name: str) -> Author | None:
    """Return the author of that canonical name or, if none, of that alias.

    None as well for an alias that several authors share: which one is meant, only the text
    around it can say.
    """
    key = text_key(name.strip())
    if not key:
        return None
    row = connection.row(f"{_SELECT} WHERE a.folded = ?", (key,))
    if row is None:
        bearers = connection.rows(
            f"{_SELECT} WHERE a.id IN (SELECT author_id FROM author_aliases WHERE folded = ?)",
            (key,),
        )
        row = bearers[0] if len(bearers) == 1 else None
    return None if row is None else _author(row)


def add_aliases(connection: Connection, name: str, aliases: Iterable[str]) -> int:
    """Let the author `name` be known by `aliases` too; the author is added if new.

    Returns the author's id. Aliases that fold like the name itself are left out.
    """
    return add_authors(connection, [(name, aliases)])[0]


def add_authors(connection: Connection, entries: Iterable[tuple[str, Iterable[str]]]) -> list[int]:
    """Do what `add_aliases` does for many authors: names are read from the file once."""
    ids = []
    with connection.transaction():
        index = AuthorIndex(connection)
        for name, aliases in entries:
            author_id, canonical = index.resolve(name)
            if author_id is None:
                raise ValueError("an author needs a name")
            own = text_key(canonical)
            rows = {key: alias.strip() for alias in aliases if (key := text_key(alias.strip()))}
            connection.change_many(
                "INSERT OR REPLACE INTO author_aliases(folded, author_id, alias) VALUES (?, ?, ?)",
                [(key, author_id, alias) for key, alias in rows.items() if key != own],
            )
            ids.append(author_id)
    return ids


def unite_authors(connection: Connection, keep: int, drop: Iterable[int]) -> None:
    """Give the quotations and names of the authors `drop` to the author `keep`.

    An entry that `keep` has in the same words already is left where it is, and so is then its
    author: merge those entries first.
    """
    drop = [id for id in drop if id != keep]
    with connection.transaction():
        kept = connection.row("SELECT name, folded FROM authors WHERE id = ?", (keep,))
        if kept is None:
            raise ValueError(f"no author {keep}")
        name, folded = kept
        for author_id in drop:
            rows = connection.rows(
                "SELECT id, folded FROM quotes WHERE author_id = ?", (author_id,)
            )
            with reindexed(connection, [id for id, _ in rows]):
                connection.change_many(
                    "UPDATE OR IGNORE quotes SET author = ?, author_id = ?, folded_author = ?,"
                    " hash = ? WHERE id = ?",
                    [(name, keep, folded, content_hash(text, folded), id) for id, text in rows],
                )
            connection.change(
                "INSERT OR IGNORE INTO author_aliases(folded, author_id, alias)"
                " SELECT folded, ?, name FROM authors WHERE id = ? AND folded != ?",
                (keep, author_id, folded),
            )
            connection.change(
                "UPDATE OR IGNORE author_aliases SET author_id = ? WHERE author_id = ?",
                (keep, author_id),
            )
        connection.change(
            "DELETE FROM author_aliases WHERE author_id = ? AND folded = ?", (keep, folded)
        )
        forget_authors(connection, drop, even_with_aliases=True)


def forget_authors(
    connection: Connection, author_ids: Iterable[int | None], *, even_with_aliases: bool = False
) -> None:
    """Remove those of the authors who have no quotations left.

    Authors with aliases were described on purpose and stay, unless told otherwise.
    """
    aliases = "" if even_with_aliases else " AND id NOT IN (SELECT author_id FROM author_aliases)"
    connection.change(
        "DELETE FROM authors WHERE id IN (SELECT value FROM json_each(?))"
        f" AND NOT EXISTS (SELECT 1 FROM quotes WHERE author_id = authors.id){aliases}",
        (json.dumps(list(author_ids)),),
    )


class AuthorIndex:
    """All names and aliases in memory, to resolve many names in one transaction.

    Attributes
    ----------
    doubtful
        Ids of authors that may be left without a quotation in the end: new ones to begin with.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[str, tuple[int, str]] = {
            folded: (id, name)
            for id, name, folded in connection.rows("SELECT id, name, folded FROM authors")
        }
        self._aliases: dict[str, tuple[int, str] | None] = {}
        for folded, id, name in connection.rows(
            "SELECT l.folded, a.id, a.name FROM author_aliases l JOIN authors a"
            " ON a.id = l.author_id"
        ):
            # None marks an alias that several authors share: it resolves to none of them.
            self._aliases[folded] = None if folded in self._aliases else (id, name)
        self._keys: dict[str, str] = {}
        self.doubtful: list[int | None] = []

    def resolve(self, name: str) -> tuple[int | None, str]:
        """Return id and canonical name, adding the author if new; (None, "") for no name."""
        known = self._find(name)
        if known is not None:
            return known
        name = name.strip()
        if not name:
            return None, ""
        key = self._key(name)
        row = self._connection.row(
            "INSERT INTO authors(name, folded) VALUES (?, ?) RETURNING id", (name, key)
        )
        assert row is not None
        self.doubtful.append(row[0])
        self._known[key] = (row[0], name)
        return self._known[key]

    def _find(self, name: str) -> tuple[int, str] | None:
        key = self._key(name.strip())
        return self._known.get(key) or self._aliases.get(key)

    def _key(self, name: str) -> str:
        key = self._keys.get(name)
        if key is None:
            key = self._keys[name] = text_key(name)
        return key


def _author(row: Row) -> Author:
    id, name, aliases, quotations = row
    known_as = tuple(sorted(json.loads(aliases))) if aliases else ()
    return Author(id=id, name=name, aliases=known_as, quotations=quotations)
