"""Quill's own format: strict about types, forgiving about nothing else than the order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.store.importers.jsonl import quotation_of, read_jsonl, write_line
from quill_ls.store.importers.rows import Skipped
from quill_ls.store.records import TIERS, Quotation

FULL = {
    "text": "“Know   thyself.”",
    "author": "Socrates",
    "work": "Phaedrus",
    "locator": "229e",
    "year": -370,
    "language": "en",
    "tier": "sourced",
    "topics": ["wisdom"],
    "collection": "mine",
    "licence": "public domain",
    "source": "https://example.org/phaedrus",
    "search_frequency": 1200,
    "carried": 3,
}


def test_all_fields_arrive() -> None:
    assert quotation_of(FULL) == Quotation(
        text="Know thyself.",
        author="Socrates",
        work="Phaedrus",
        locator="229e",
        year=-370,
        language="en",
        tier="sourced",
        topics=("wisdom",),
        collection="mine",
        licence="public domain",
        source="https://example.org/phaedrus",
        search_frequency=1200,
        carried=3,
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": None}, "field 'text' is missing"),
        ({"text": 5}, "'text' is not a string"),
        ({"text": "  "}, "empty text"),
        ({"text": "123 — 456"}, "no words"),
        ({"text": "half \ud83d pair"}, "half a surrogate pair"),
        ({"author": ["Ann"]}, "'author' is not a string"),
        ({"year": "1601"}, "'year' is not a whole number"),
        ({"year": True}, "'year' is not a whole number"),
        ({"tier": "gospel"}, "'tier' is none of"),
        ({"tier": ["sourced"]}, "'tier' is none of"),
        ({"topics": "wisdom"}, "'topics' is not a list of strings"),
        ({"topics": ["wisdom", 3]}, "'topics' is not a list of strings"),
        ({"carried": 0}, "'carried' is less than 1"),
        ({"search_frequency": -1}, "'search_frequency' is negative"),
        ({"autor": "Ann"}, "unknown field 'autor'"),
    ],
)
def test_each_fault_has_its_reason(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        quotation_of(FULL | change)


def test_a_broken_line_in_the_middle_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"text": "The first."}\n\n{"text": "The sec\n{"text": "The third."}\n[]\n')
    rows = list(read_jsonl(path, collection="some"))
    assert [row.text for row in rows if isinstance(row, Quotation)] == ["The first.", "The third."]
    assert [(row.line, row.reason) for row in rows if isinstance(row, Skipped)] == [
        (3, "not JSON"),
        (5, "not a JSON object"),
    ]
    assert {row.collection for row in rows if isinstance(row, Quotation)} == {"some"}


def test_deep_nesting_is_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text("[" * 100_000 + '\n{"text": "Still read."}\n')
    first, second = read_jsonl(path)
    assert isinstance(first, Skipped)
    assert isinstance(second, Quotation)


words = st.text(st.characters(categories=["L", "Nd"]), min_size=1).map(lambda text: f"a{text}")


@given(
    st.builds(
        Quotation,
        text=words,
        author=words | st.just(""),
        work=words | st.just(""),
        year=st.none() | st.integers(-3000, 2100),
        language=st.sampled_from(["en", "zh", "lzh", "fr"]),
        tier=st.sampled_from(TIERS),
        topics=st.lists(words, max_size=3).map(tuple),
        search_frequency=st.none() | st.integers(0, 10**9),
        carried=st.integers(1, 50),
    )
)
def test_what_is_written_is_read_back(quotation: Quotation) -> None:
    read = quotation_of(json.loads(write_line(quotation)))
    assert quotation_of(json.loads(write_line(read))) == read
    assert read.year == quotation.year
    assert read.tier == quotation.tier
    assert read.carried == quotation.carried
