"""Quotations in and out: adding, merging what is the same, narrowing, removing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quill_ls.errors import InputError, StoreError
from quill_ls.store.database import Store
from quill_ls.store.links import Links
from quill_ls.store.merging import absorbed, merged
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import TIERS, Quotation
from quill_ls.text.fold import fold_key

Check = Callable[[Store], None]

HAMLET = Quotation(
    text="Brevity is the soul of wit.",
    author="William Shakespeare",
    work="Hamlet",
    locator="Act 2, Scene 2",
    year=1603,
    tier="reference",
    topics=("brevity", "wit"),
    collection="plays",
    licence="public domain",
    source="https://example.org/hamlet",
    search_frequency=1_200_000,
    carried=2,
)


def test_what_goes_in_comes_out(store: Store) -> None:
    report = store.add([HAMLET])
    (id,) = report.ids
    assert (report.added, report.merged) == (1, 0)
    assert store.get(id) == replace(HAMLET, id=id)
    assert store.get(id + 1) is None


def test_the_store_is_still_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "Zürich 引用" / "quotes.db"
    with Store.open(path) as store:
        (id,) = store.add([HAMLET]).ids
    with Store.open(path) as store:
        assert store.get(id) == replace(HAMLET, id=id)


def test_many_at_once_come_in_the_order_asked(store: Store) -> None:
    ids = store.add([Quotation(text=f"Number {n}") for n in range(5)]).ids
    asked = [ids[3], 999, ids[0]]
    assert list(store.get_many(asked)) == [ids[3], ids[0]]
    assert list(store.get_many(numpy.array(asked))) == [ids[3], ids[0]]


def test_a_stream_is_added_in_pieces_and_tells_how_far_it_is(
    store: Store, monkeypatch: pytest.MonkeyPatch, consistent: Check
) -> None:
    monkeypatch.setattr("quill_ls.store.adding.CHUNK", 3)
    told: list[tuple[int, int | None]] = []
    stream = (Quotation(text=f"Number {n % 7}", author="Ann") for n in range(8))
    report = store.add(stream, progress=lambda done, total: told.append((done, total)))
    assert told == [(3, None), (6, None), (8, None)]
    assert (report.added, report.merged) == (7, 1)
    assert report.ids[7] == report.ids[0]
    consistent(store)


def test_an_id_is_never_given_twice(store: Store) -> None:
    (first,) = store.add([HAMLET]).ids
    store.remove([first])
    (second,) = store.add([HAMLET]).ids
    assert second > first


def test_a_text_of_nothing_is_an_error_and_of_signs_its_own(store: Store) -> None:
    assert (
        store.add([Quotation(text="?!"), Quotation(text="🙂"), Quotation(text=" ?! ")]).added == 2
    )
    with pytest.raises(ValueError, match="words"):
        store.add([Quotation(text=" \n ")])
    assert store.count() == 2


def test_topics_are_kept_in_lower_case_once_each(store: Store) -> None:
    (id,) = store.add([Quotation(text="x", topics=("Old  Age", "old age", " ", "勇气"))]).ids
    stored = store.get(id)
    assert stored is not None
    assert stored.topics == ("old age", "勇气")


# The same words again


def test_the_same_words_of_the_same_author_are_one(store: Store, consistent: Check) -> None:
    popular = Quotation(
        text="“Brevity is the soul of wit”",
        author="william shakespeare",
        topics=("writing",),
        collection="popular",
    )
    (first, again) = store.add([popular, HAMLET]).ids
    assert first == again
    assert store.get(first) == replace(
        HAMLET,
        id=first,
        topics=("brevity", "wit", "writing"),
        carried=3,
        author="william shakespeare",
    )
    consistent(store)


def test_it_does_not_matter_whether_they_come_at_once_or_later(
    store: Store, tmp_path: Path
) -> None:
    entries = [
        Quotation(text="Know thyself", topics=("self",)),
        Quotation(text="Know thyself.", author="Socrates", tier="disputed"),
        Quotation(text="KNOW THYSELF", author="Plato", work="Protagoras", tier="sourced"),
        Quotation(text="know thyself", carried=4),
    ]
    store.add(entries)
    with Store.open(tmp_path / "other.db") as other:
        for entry in entries:
            other.add([entry])
        assert list(other.quotations()) == list(store.quotations())


def test_different_authors_stay_apart_and_an_unknown_one_joins_the_best_proved(
    store: Store,
) -> None:
    by_plato = Quotation(text="Know thyself", author="Plato", tier="sourced")
    by_nobody = Quotation(text="know thyself!")
    a, b, c = store.add(
        [replace(by_plato, author="Chilon", tier="collected"), by_plato, by_nobody]
    ).ids
    assert a != b == c


def test_documented_misattribution_outweighs_what_collections_say() -> None:
    popular = Quotation(text="Insanity is doing the same thing", author="Einstein")
    documented = replace(popular, tier="misattributed", source="https://example.org")
    assert merged(popular, documented).tier == "misattributed"
    assert merged(documented, popular).tier == "misattributed"
    assert merged(documented, replace(popular, tier="reference")).tier == "reference"


def test_merging_makes_no_attribution_that_nobody_has_made() -> None:
    verse = Quotation(text="Pride goes before a fall", work="Proverbs", tier="reference", id=1)
    popular = Quotation(
        text="pride goes before a fall",
        author="Somebody",
        work="A Novel",
        locator="ch. 2",
        year=1999,
    )
    both = merged(popular, verse)
    assert (both.author, both.work, both.locator, both.year) == ("", "Proverbs", "", None)


ENTRIES = st.builds(
    Quotation,
    text=st.sampled_from(["Know thyself", "know thyself!", "Know, thyself"]),
    author=st.sampled_from(["", "Plato"]),
    work=st.sampled_from(["", "Protagoras"]),
    year=st.sampled_from([None, -380]),
    tier=st.sampled_from(TIERS),
    topics=st.lists(st.sampled_from(["self", "wisdom"]), unique=True).map(tuple),
    search_frequency=st.sampled_from([None, 10, 20]),
    carried=st.integers(1, 5),
)


@given(ENTRIES, ENTRIES)
def test_merging_loses_no_count_and_no_topic(a: Quotation, b: Quotation) -> None:
    both = merged(a, b)
    assert both.carried == a.carried + b.carried
    assert set(both.topics) == {*a.topics, *b.topics}
    assert both.tier in (a.tier, b.tier)
    assert (both.author, both.work) in {
        (x.author or y.author, x.work or y.work) for x in (a, b) for y in (a, b)
    } | {(a.author, a.work), (b.author, b.work)}


@settings(max_examples=25, deadline=None)
@given(entries=st.lists(ENTRIES, min_size=1, max_size=8))
def test_any_order_of_adding_leaves_indexes_and_counts_right(
    entries: list[Quotation], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Store.open(tmp_path_factory.mktemp("any") / "quotes.db") as store:
        store.add(entries)
        stored = list(store.quotations())
        assert sum(q.carried for q in stored) == sum(q.carried for q in entries)
        assert len({(fold_key(q.text), q.author) for q in stored}) == len(stored)
        assert sum(a.quotations for a in store.authors()) == sum(bool(q.author) for q in stored)
        conn = store.connection.db.conn
        conn.execute("INSERT INTO quotes_words(quotes_words, rank) VALUES ('integrity-check', 1)")


# Curation


def test_one_row_stands_for_others(store: Store, consistent: Check) -> None:
    a, b, c, d = store.add(
        [
            Quotation(text="To be or not to be", author="Shakespeare", topics=("life",)),
            Quotation(text="To be or not to be?!..", author="W. S.", topics=("death",), carried=3),
            Quotation(text="To be, or not to bee", search_frequency=9),
            Quotation(text="To be, or not to be: that is the question", author="Shakespeare"),
        ]
    ).ids
    store.link(b, d)
    store.merge(a, [b, c, 999])
    kept = store.get(a)
    assert kept is not None
    assert (kept.text, kept.author) == ("To be or not to be", "Shakespeare")
    assert (kept.topics, kept.carried, kept.search_frequency) == (("life", "death"), 5, 9)
    assert store.links(a) == Links(shorter=(), longer=(d,))
    assert store.links(d) == Links(shorter=(a,), longer=())
    assert [author.name for author in store.authors()] == ["Shakespeare"]
    consistent(store)


def test_merging_into_a_row_that_is_not_there_changes_nothing(store: Store) -> None:
    (id,) = store.add([HAMLET]).ids
    with pytest.raises(ValueError, match="no quotation"):
        store.merge(id + 1, [id])
    assert store.count() == 1


def test_links_need_two_rows_that_exist(store: Store) -> None:
    a, b = store.add([Quotation(text="a"), Quotation(text="b")]).ids
    store.link(a, a)
    store.link(a, 999)
    store.link(a, b)
    store.link(a, b)
    assert store.links(a) == Links(shorter=(), longer=(b,))


def test_what_is_removed_is_gone_with_all_that_was_computed(
    store: Store, consistent: Check
) -> None:
    a, b = store.add([HAMLET, Quotation(text="Nothing will come of nothing", author="Lear")]).ids
    store.link(a, b)
    store.put_vectors("minilm", [(a, b"\0\0"), (b, b"\0\0")])
    store.put_measures("smol", "perplexity", {a: 1.0, b: 2.0})
    assert store.remove([b, 999]) == 1
    assert [q.id for q in store.quotations()] == [a]
    assert store.links(a) == Links((), ())
    assert store.vector_count("minilm") == 1
    assert store.measures("smol", "perplexity") == {a: 1.0}
    assert store.author("Lear") is None
    assert store.search_words(["nothing"]) == []
    consistent(store)


def test_a_quotation_may_be_removed_while_the_stream_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quill_ls.store.database._PAGE", 2)
    store.add([Quotation(text=f"Number {n}") for n in range(7)])
    seen = []
    for entry in store.quotations():
        seen.append(entry.text)
        store.remove([entry.id])
    assert seen == [f"Number {n}" for n in range(7)]
    assert store.count() == 0


# Narrowing

LIBRARY = [
    HAMLET,
    Quotation(text="Frailty, thy name is woman", author="William Shakespeare", work="HAMLET"),
    Quotation(text="I was Hamlet", author="Heiner Müller", work="Hamletmachine", language="de"),
    Quotation(
        text="学而时习之",
        author="孔子",
        work="論語·學而",
        language="lzh",
        tier="reference",
        topics=("learning",),
        collection="classics",
    ),
    Quotation(text="Anon", tier="disputed", topics=("wit",)),
]


@pytest.mark.parametrize(
    ("narrow", "expected"),
    [
        (None, {0, 1, 2, 3, 4}),
        (Narrow(), {0, 1, 2, 3, 4}),
        (Narrow(work="hamlet"), {0, 1}),
        (Narrow(work="“Hamlet”"), {0, 1}),
        (Narrow(work="论语"), {3}),
        (Narrow(work="let"), set()),
        (Narrow(work="%"), {0, 1, 2, 3, 4}),
        (Narrow(languages=("de", "lzh")), {2, 3}),
        (Narrow(tiers=("reference",), languages=("en",)), {0}),
        (Narrow(topics=("Wit",)), {0, 4}),
        (Narrow(collections=("classics", "plays")), {0, 3}),
        (Narrow(max_length=5), {3, 4}),
        (Narrow(min_length=26), {0, 1}),
        (Narrow(ids=()), set()),
        (Narrow(ids=(2, 3, 77)), {1, 2}),
        (Narrow(exclude_ids=(1, 2)), {2, 3, 4}),
        (Narrow(author_ids=(1,), exclude_ids=(1,)), {1}),
        (Narrow(work="'; DROP TABLE quotes; --"), set()),
    ],
)
def test_narrowing(store: Store, narrow: Narrow | None, expected: set[int]) -> None:
    ids = store.add(LIBRARY).ids
    wanted = sorted(ids[n] for n in expected)
    assert store.ids(narrow) == wanted
    assert store.count(narrow) == len(wanted)
    assert [q.id for q in store.quotations(narrow)] == wanted


def test_narrowing_takes_numpy_numbers(store: Store) -> None:
    ids = store.add(LIBRARY).ids
    assert store.ids(Narrow(ids=tuple(numpy.array(ids[:2])))) == list(ids[:2])
    assert store.remove(numpy.array(ids[:2])) == 2


# Transactions


def test_an_error_in_the_stream_leaves_the_store_as_it_was(store: Store, consistent: Check) -> None:
    store.add([HAMLET])

    def broken() -> Iterator[Quotation]:
        yield replace(HAMLET, carried=5)
        for n in range(5_000):
            yield Quotation(text=f"Number {n}", author=f"Author {n}")
        raise InputError("Line 5002 is not JSON.")

    with pytest.raises(InputError):
        store.add(broken())
    assert [(q.text, q.carried) for q in store.quotations()] == [(HAMLET.text, 2)]
    assert len(store.authors()) == 1
    consistent(store)


def test_several_changes_in_one(store: Store) -> None:
    def build() -> None:
        with store.transaction():
            (id,) = store.add([HAMLET]).ids
            store.put_meta("built", "starter 1")
            store.merge(id, [])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        build()
    assert store.count() == 0
    assert store.meta("built") is None


@pytest.mark.parametrize("entry", [{"year": 10**30}, {"work": "\ud800"}, {"carried": 2**63}])
def test_values_that_sqlite_cannot_hold(store: Store, entry: dict[str, object]) -> None:
    with pytest.raises(StoreError, match="cannot be stored"):
        store.add([HAMLET, Quotation(text="x", **entry)])  # type: ignore[arg-type]
    assert store.count() == 0


def test_meta(store: Store) -> None:
    assert store.meta("collections") is None
    store.put_meta("collections", "starter")
    store.put_meta("collections", "starter, plays")
    assert store.meta("collections") == "starter, plays"


def test_absorbing_keeps_the_words_and_row_that_are_kept() -> None:
    entry = absorbed(HAMLET, replace(HAMLET, text="Brevity is wit", tier="reference"), id=7)
    assert (entry.id, entry.text) == (7, HAMLET.text)
