"""Counting what a store holds: in the manner of tables 1, 2 and 8 of QUILL."""

from __future__ import annotations

from collections.abc import Iterator
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
class TopicShare:
    """How much of a language's quotations have a topic (QUILL table 2)."""

    language: str
    topic: str
    quotations: int
    share: float


@dataclass(frozen=True, slots=True)
class Range:
    """Mean, least and greatest value of a figure over the quotations that have it (QUILL table 8).

    Attributes
    ----------
    name
        "length" in code points, "search frequency", or "model: measure".
    """

    name: str
    quotations: int
    mean: float
    minimum: float
    maximum: float


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
    topic_shares
        The `MOST_SHOWN` topics of each language, languages and topics by size.
    ranges
        Of every figure that at least one quotation has.
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
    topic_shares: tuple[TopicShare, ...]
    ranges: tuple[Range, ...]


def statistics(connection: Connection) -> Statistics:
    """Count everything that is in the store."""
    languages = _languages(connection)
    return Statistics(
        quotations=_number(connection, "SELECT count(*) FROM quotes"),
        authors=_number(connection, "SELECT count(DISTINCT author_id) FROM quotes"),
        topics=_number(connection, "SELECT count(DISTINCT topic) FROM quote_topics"),
        languages=languages,
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
        topic_shares=tuple(
            share for language in languages for share in _topic_shares(connection, language)
        ),
        ranges=_ranges(connection),
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


def _topic_shares(connection: Connection, language: LanguageCount) -> Iterator[TopicShare]:
    rows = connection.rows(
        "SELECT topic, count(*) AS n FROM quote_topics"
        " WHERE quote_id IN (SELECT id FROM quotes WHERE language = ?)"
        f" GROUP BY topic ORDER BY n DESC, topic LIMIT {MOST_SHOWN}",
        (language.language,),
    )
    for topic, count in rows:
        yield TopicShare(language.language, topic, count, count / language.quotations)


def _ranges(connection: Connection) -> tuple[Range, ...]:
    rows = connection.rows(
        "SELECT 'length', count(*), avg(length), min(length), max(length) FROM quotes"
        " UNION ALL SELECT 'search frequency', count(search_frequency), avg(search_frequency),"
        " min(search_frequency), max(search_frequency) FROM quotes"
        " UNION ALL SELECT * FROM (SELECT k.model || ': ' || k.name, count(*), avg(m.value),"
        " min(m.value), max(m.value) FROM measure_kinds k JOIN measures m ON m.kind_id = k.id"
        " GROUP BY k.id ORDER BY k.model, k.name)"
    )
    return tuple(Range(*row) for row in rows if row[1])


def _named(connection: Connection, sql: str) -> tuple[NamedCount, ...]:
    return tuple(NamedCount(name, count) for name, count in connection.rows(sql))


def _number(connection: Connection, sql: str) -> int:
    row = connection.row(sql)
    assert row is not None
    number: int = row[0]
    return number
