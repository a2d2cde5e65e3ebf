"""Looking quotations up by their words, by misspelt words, and exactly.

Every text that a user or a document brings is folded and quoted before it reaches SQLite's query
language, so that no string of characters is an error or an operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quill_ls.store.connection import Connection
from quill_ls.store.narrow import Narrow, where
from quill_ls.store.records import Quotation
from quill_ls.store.rows import QUOTATION_COLUMNS, quotation, text_hash
from quill_ls.store.segments import bigrams
from quill_ls.text.fold import fold_key
from quill_ls.text.script import has_han

WEIGHTS = (1.0, 1.0, 0.7, 1.0)
"""BM25 weights of the columns text, author, work, topics."""

MOST_TERMS = 200
"""How many terms a search looks at; a document's worth of words would only cost time."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A quotation that a search found.

    Attributes
    ----------
    id
        Row in the store.
    score
        How well it fits; the greater the better, comparable within one search only.
    """

    id: int
    score: float


def search_words(
    connection: Connection, terms: Sequence[str], narrow: Narrow | None = None, limit: int = 100
) -> list[Hit]:
    """Return the quotations with any of `terms` in text, author, work or topics, by BM25.

    A term of several words is a phrase. Words are stemmed (Porter), Han characters looked up by
    their bigrams.
    """
    expressions = dict.fromkeys(
        expression for term in terms[:MOST_TERMS] for expression in _expressions(fold_key(term))
    )
    if not expressions or limit <= 0:
        return []
    score = f"bm25(quotes_words, {', '.join(map(str, WEIGHTS))})"
    return _match(connection, "quotes_words", score, expressions, narrow, limit)


def find_text(connection: Connection, folded: str) -> tuple[Quotation, ...]:
    """Return the quotations whose folded text (`quill_ls.text.fold.fold_key`) is `folded`."""
    return tuple(
        quotation(row)
        for row in connection.rows(
            f"SELECT {QUOTATION_COLUMNS} FROM quotes WHERE text_hash = ? AND folded = ?"
            " ORDER BY id",
            (text_hash(folded), folded),
        )
    )


def _expressions(key: str) -> list[str]:
    """Return the alternatives of FTS5's query language that look for a folded term."""
    if not key:
        return []
    whole = _quoted(key)
    if not has_han(key):
        return [whole]
    pairs = [f"{{text}} : {_quoted(pair)}{'' if len(pair) > 1 else ' *'}" for pair in bigrams(key)]
    return [*pairs, f"{{author work topics}} : {whole}"]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def _match(
    connection: Connection,
    table: str,
    score: str,
    expressions: Iterable[str],
    narrow: Narrow | None,
    limit: int,
) -> list[Hit]:
    condition, parameters = where(narrow)
    narrowed = f" AND rowid IN (SELECT id FROM quotes WHERE {condition})" if condition else ""
    rows = connection.rows(
        f"SELECT rowid, {score} AS score FROM {table} WHERE {table} MATCH ?{narrowed}"
        " ORDER BY score, rowid LIMIT ?",
        (" OR ".join(expressions), *parameters, limit),
    )
    return [Hit(id, -score) for id, score in rows]
