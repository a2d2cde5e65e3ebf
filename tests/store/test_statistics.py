"""Counts that can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quill_ls.store.database import Store
from quill_ls.store.records import Quotation
from quill_ls.store.statistics import (
    CollectionCount,
    LanguageCount,
    NamedCount,
    Range,
    TopicShare,
    statistics,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "quotes.db") as opened:
        yield opened


def test_an_empty_store_has_nothing(store: Store) -> None:
    found = statistics(store.connection)
    assert (found.quotations, found.authors, found.topics, found.linked) == (0, 0, 0, 0)
    assert found.languages == found.collections == found.top_topics == found.vectors == ()


def test_counts(store: Store) -> None:
    store.add(
        [
            Quotation(text="abcd", author="Ann", work="Book", topics=("love", "life")),
            Quotation(text="abcdef", author="Ann", work="Book", topics=("love",), tier="sourced"),
            Quotation(text="abcdefgh", author="Bob", work="Book", licence="MIT"),
            Quotation(text="学而时习之", author="孔子", language="lzh", collection="starter"),
        ]
    )
    store.link(1, 3)
    store.put_vectors("mini", [(1, b"\0\0"), (2, b"\0\0")])
    store.put_measures("gemma", "ppl", {4: 12.5})

    found = statistics(store.connection)

    assert (found.quotations, found.authors, found.topics, found.linked) == (4, 3, 2, 1)
    # The book of Ann and the book of Bob are two works.
    assert found.languages == (
        LanguageCount("en", 3, authors=2, works=2, mean_length=6.0, with_work=3),
        LanguageCount("lzh", 1, authors=1, works=0, mean_length=5.0, with_work=0),
    )
    assert found.collections == (
        CollectionCount("user", 3, 2, {"sourced": 1, "collected": 2}, "MIT"),
        CollectionCount("starter", 1, 1, {"collected": 1}, ""),
    )
    assert found.top_topics == (NamedCount("love", 2), NamedCount("life", 1))
    assert found.top_authors[0] == NamedCount("Ann", 2)
    assert found.vectors == (NamedCount("mini", 2),)
    assert found.measures == (NamedCount("gemma: ppl", 1),)


def test_shares_of_topics_in_each_language(store: Store) -> None:
    store.add(
        [
            Quotation(text="a", topics=("love", "life")),
            Quotation(text="b", topics=("love",)),
            Quotation(text="c"),
            Quotation(text="学", language="lzh", topics=("勇气",)),
        ]
    )
    assert statistics(store.connection).topic_shares == (
        TopicShare("en", "love", 2, 2 / 3),
        TopicShare("en", "life", 1, 1 / 3),
        TopicShare("lzh", "勇气", 1, 1.0),
    )


def test_ranges_of_what_is_known(store: Store) -> None:
    a, b, _ = store.add(
        [
            Quotation(text="ab", search_frequency=100),
            Quotation(text="abcd", search_frequency=300),
            Quotation(text="abc"),
        ]
    ).ids
    store.put_measures("smol", "perplexity", {a: 4.0, b: 8.0})
    assert statistics(store.connection).ranges == (
        Range("length", 3, 3.0, 2, 4),
        Range("search frequency", 2, 200.0, 100, 300),
        Range("smol: perplexity", 2, 6.0, 4.0, 8.0),
    )


def test_an_empty_store_has_no_ranges(store: Store) -> None:
    found = statistics(store.connection)
    assert (found.topic_shares, found.ranges) == ((), ())
