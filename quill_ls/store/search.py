"""Looking quotations up by their words, by misspelt words, and exactly.

Every text that a user or a document brings is folded and quoted before it reaches SQLite's query
language, so that no string of characters is an error or an operator.
"""

from __future__ import annotations

import json
import math
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


RAREST = 32
"""How many trigrams a look-up of a misspelt text compares: the common ones tell little."""

_SCORE = f"bm25(quotes_words, {', '.join(map(str, WEIGHTS))})"


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
    return _match(connection, expressions, narrow, limit)


def search_trigrams(
    connection: Connection, text: str, narrow: Narrow | None = None, limit: int = 100
) -> list[Hit]:
    """Return the quotations that share the most trigrams with a `text` that may be misspelt.

    The score is the share of the `RAREST` rarest trigrams of `text` that the quotation has, each
    weighted by its inverse document frequency: 1 for all of them. Han characters are looked up
    by their bigrams, with the scores of `search_words`.
    """
    key = fold_key(text)
    if has_han(key):
        return search_words(connection, [key], narrow, limit)
    weights = _rarest_trigrams(connection, key)
    if not weights or limit <= 0:
        return []
    condition, parameters = where(narrow)
    postings = " UNION ALL ".join(
        "SELECT rowid AS id, ? AS weight FROM quotes_trigrams WHERE quotes_trigrams MATCH ?"
        for _ in weights
    )
    total = sum(weights.values())
    terms = [value for term, weight in weights.items() for value in (weight, _quoted(term))]
    rows = connection.rows(
        _first_passing(
            f"SELECT id, sum(weight) AS score FROM ({postings})"
            " GROUP BY id ORDER BY score DESC, id",
            condition,
        ),
        (*terms, *parameters, limit),
    )
    return [Hit(id, score / total) for id, score in rows]


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


def _rarest_trigrams(connection: Connection, key: str) -> dict[str, float]:
    """Return the rarest trigrams of a folded text that the store has, with their weights."""
    trigrams = list(dict.fromkeys(key[i : i + 3] for i in range(len(key) - 2)))[:MOST_TERMS]
    # A view of the index that lives in memory, so that it can be made in a read-only store too.
    connection.rows(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.trigram_counts"
        " USING fts5vocab(main, quotes_trigrams, row)"
    )
    counts = connection.rows(
        "SELECT term, doc FROM json_each(?) JOIN temp.trigram_counts ON term = value",
        (json.dumps(trigrams),),
    )
    (size,) = connection.row("SELECT count(*) FROM quotes") or (0,)
    counts.sort(key=lambda row: row[1])
    return {term: math.log(1 + size / count) for term, count in counts[:RAREST]}


def _match(
    connection: Connection,
    expressions: Iterable[str],
    narrow: Narrow | None,
    limit: int,
) -> list[Hit]:
    condition, parameters = where(narrow)
    match = f"SELECT rowid AS id, {_SCORE} AS score FROM quotes_words WHERE quotes_words MATCH ?"
    query = " OR ".join(expressions)
    if narrow is None or narrow.selective:
        # The plus sign keeps SQLite from running the whole search anew for each of the rows.
        few = f"AND +rowid IN (SELECT id FROM quotes WHERE {condition})" if condition else ""
        rows = connection.rows(
            f"{match} {few} ORDER BY score, rowid LIMIT ?", (query, *parameters, limit)
        )
    else:
        rows = connection.rows(
            _first_passing(f"{match} ORDER BY score, rowid", condition),
            (query, *parameters, limit),
        )
    return [Hit(id, -score) for id, score in rows]


def _first_passing(ranking: str, condition: str) -> str:
    """Return the query that looks at a ranking from the top until enough rows pass.

    Where most rows pass, that is cheaper than finding out first which do. The empty limit keeps
    SQLite from turning it round.
    """
    passing = f"WHERE EXISTS (SELECT 1 FROM quotes WHERE quotes.id = ranked.id AND {condition})"
    return (
        f"SELECT id, score FROM ({ranking} LIMIT -1) AS ranked"
        f" {passing if condition else ''} LIMIT ?"
    )
