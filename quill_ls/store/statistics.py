"""Counting what a store holds: in the manner of tables 1, 2 and 8 of QUILL."""

from __future__ import annotations

from dataclasses import dataclass

from quill_ls.store.connection import Connection
from quill_ls.store.records import TIERS, Tier

MOST_SHOWN = 20
"""Topics and authors that are listed by name."""


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """What the store holds in one language.

    Attributes
    ----------
    authors, works
        Different names, and different titles of their authors.
    mean_length
        Of the texts, in code points.
    with_work
        How many name the work that they stand in.
    """

    language: str
    quotations: int
    authors: int
    works: int
    mean_length: float
    with_work: int


@dataclass(frozen=True, slots=True)
class CollectionCount:
    """What the store holds of one collection: quotations by tier, and the collection's licence."""

    collection: str
    quotations: int
    authors: int
    tiers: dict[Tier, int]
    licence: str


@dataclass(frozen=True, slots=True)
class NamedCount:
    """A topic, an author, an encoder or a measure, and how many quotations have it."""

    name: str
    quotations: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a store holds.

    Attributes
    ----------
    quotations, authors, topics
        All of them; authors and topics that at least one quotation has.
    languages, collections
        The largest first.
    top_topics, top_authors
        The `MOST_SHOWN` with the most quotations.
    linked
        Pairs of quotations of which one contains the other.
    vectors
        Quotations with a vector, by encoder.
    measures
        Quotations that a model has measured, by "model: measure".
    """

    quotations: int
    authors: int
    topics: int
    languages: tuple[LanguageCount, ...]
    collections: tuple[CollectionCount, ...]
    top_topics: tuple[NamedCount, ...]
    top_authors: tuple[NamedCount, ...]
    linked: int
    vectors: tuple[NamedCount, ...]
    measures: tuple[NamedCount, ...]


def statistics(connection: Connection) -> Statistics:
    """Count everything that is in the store."""
    return Statistics(
        quotations=_number(connection, "SELECT count(*) FROM quotes"),
        authors=_number(connection, "SELECT count(DISTINCT author_id) FROM quotes"),
        topics=_number(connection, "SELECT count(DISTINCT topic) FROM quote_topics"),
        languages=_languages(connection),
        collections=_collections(connection),
        top_topics=_named(
            connection,
            "SELECT topic, count(*) AS n FROM quote_topics GROUP BY topic"
            f" ORDER BY n DESC, topic LIMIT {MOST_SHOWN}",
        ),
        top_authors=_named(
            connection,
            "SELECT a.name, q.n FROM authors a JOIN (SELECT author_id, count(*) AS n FROM quotes"
            f" GROUP BY author_id) q ON q.author_id = a.id ORDER BY q.n DESC, a.name"
            f" LIMIT {MOST_SHOWN}",
        ),
        linked=_number(connection, "SELECT count(*) FROM links"),
        vectors=_named(
            connection,
            "SELECT e.name, count(v.quote_id) FROM encoders e"
            " LEFT JOIN vectors v ON v.encoder_id = e.id GROUP BY e.id ORDER BY e.name",
        ),
        measures=_named(
            connection,
            "SELECT k.model || ': ' || k.name, count(*) FROM measure_kinds k"
            " JOIN measures m ON m.kind_id = k.id GROUP BY k.id ORDER BY k.model, k.name",
        ),
    )


def _languages(connection: Connection) -> tuple[LanguageCount, ...]:
    rows = connection.rows(
        "SELECT language, count(*) AS n, count(DISTINCT author_id),"
        " count(DISTINCT CASE WHEN work != '' THEN folded_author || char(0) || folded_work END),"
        " avg(length), count(nullif(work, '')) FROM quotes GROUP BY language"
        " ORDER BY n DESC, language"
    )
    return tuple(LanguageCount(*row) for row in rows)


def _collections(connection: Connection) -> tuple[CollectionCount, ...]:
    tiers: dict[str, dict[Tier, int]] = {}
    for collection, tier, count in connection.rows(
        "SELECT collection, tier, count(*) FROM quotes GROUP BY collection, tier"
    ):
        tiers.setdefault(collection, {})[tier] = count
    rows = connection.rows(
        "SELECT collection, count(*) AS n, count(DISTINCT author_id),"
        " group_concat(DISTINCT nullif(licence, '')) FROM quotes GROUP BY collection"
        " ORDER BY n DESC, collection"
    )
    return tuple(
        CollectionCount(
            name,
            count,
            authors,
            {tier: tiers[name][tier] for tier in TIERS if tier in tiers[name]},
            (licence or "").replace(",", ", "),
        )
        for name, count, authors, licence in rows
    )


def _named(connection: Connection, sql: str) -> tuple[NamedCount, ...]:
    return tuple(NamedCount(name, count) for name, count in connection.rows(sql))


def _number(connection: Connection, sql: str) -> int:
    row = connection.row(sql)
    assert row is not None
    number: int = row[0]
    return number
