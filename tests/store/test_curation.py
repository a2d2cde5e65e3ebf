"""Curation: what is merged, what is kept apart, what is linked, what goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.store.curation import CurationPolicy, CurationReport, curate
from quill_ls.store.database import Store
from quill_ls.store.records import TIERS, Quotation

SEA = "The sea is always the same sea, and the sailor is never the same sailor."
VARIANT = "The sea is always the same sea, and a sailor is never the same sailor."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store


def curated(
    store: Store, *entries: Quotation, policy: CurationPolicy | None = None
) -> CurationReport:
    store.add(entries)
    report = curate(store, policy)
    assert report.read == (
        report.kept + report.too_short + report.too_long + report.malformed + report.merged
    )
    assert report.kept == store.count()
    return report


def kept(store: Store) -> list[Quotation]:
    return list(store.quotations())


def test_near_duplicates_of_one_author_become_one(store: Store) -> None:
    report = curated(
        store,
        Quotation(text=SEA, author="Ann Waters"),
        Quotation(text=VARIANT, author="Ann Waters"),
    )
    assert report.merged == 1
    (entry,) = kept(store)
    assert (entry.text, entry.carried) == (SEA, 2)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Quotation(text=VARIANT, tier="sourced"), Quotation(text=SEA, carried=9)),
        (Quotation(text=VARIANT, carried=2), Quotation(text=SEA, work="Sea", year=1900)),
        (Quotation(text=VARIANT, work="Sea"), Quotation(text=SEA)),
    ],
    ids=["the better tier", "the more carried", "the completer"],
)
def test_which_one_survives(store: Store, better: Quotation, worse: Quotation) -> None:
    curated(store, worse, better)
    (entry,) = kept(store)
    assert entry.text == VARIANT
    assert entry.carried == better.carried + worse.carried


def test_spellings_of_a_name_are_one_author(store: Store) -> None:
    report = curated(
        store,
        Quotation(text=SEA, author="J. R. R. Waters"),
        Quotation(text=VARIANT, author="J.R.R. Waters"),
    )
    assert (report.merged, report.conflicts) == (1, 0)


def test_a_middle_initial_more_or_less_is_one_author(store: Store) -> None:
    report = curated(
        store,
        Quotation(text=SEA, author="Ann O. Waters", carried=2),
        Quotation(text=VARIANT, author="Ann Waters"),
    )
    assert (report.merged, report.conflicts) == (1, 0)


def test_words_without_a_name_go_to_the_one_who_has_them(store: Store) -> None:
    report = curated(store, Quotation(text=SEA), Quotation(text=VARIANT, author="Ann Waters"))
    assert report.merged == 1
    assert kept(store)[0].author == "Ann Waters"


def test_the_same_words_under_two_names_are_kept_linked_and_told(store: Store) -> None:
    report = curated(
        store,
        Quotation(text=SEA, author="Ann Waters"),
        Quotation(text=VARIANT, author="Bob Fields"),
    )
    assert (report.merged, report.conflicts) == (0, 1)
    (conflict,) = report.shown
    assert {conflict.first_author, conflict.second_author} == {"Ann Waters", "Bob Fields"}
    first, second = kept(store)
    assert store.links(first.id).longer == (second.id,)


def test_nameless_words_under_two_names_stay_nameless(store: Store) -> None:
    report = curated(
        store,
        Quotation(text=SEA, author="Ann Waters"),
        Quotation(text=VARIANT, author="Bob Fields"),
        Quotation(text=SEA.replace("always", "ever")),
        policy=CurationPolicy(threshold=0.5),
    )
    assert report.merged == 0
    assert {entry.author for entry in kept(store)} == {"Ann Waters", "Bob Fields", ""}


@pytest.mark.parametrize(
    "other",
    [
        "The sea is not always the same sea, and the sailor is never the same sailor.",
        "The sea is always the same sea, and the sailor isn't ever the same sailor.",
    ],
)
def test_a_denial_is_another_quotation(store: Store, other: str) -> None:
    assert curated(store, Quotation(text=SEA), Quotation(text=other)).merged == 0


def test_another_number_is_another_quotation(store: Store) -> None:
    one = "There are 7 seas in the world and every one of them is blue."
    assert curated(store, Quotation(text=one), Quotation(text=one.replace("7", "8"))).merged == 0


def test_a_shorter_quotation_is_linked_not_lost(store: Store) -> None:
    report = curated(
        store,
        Quotation(text=SEA, author="Ann Waters"),
        Quotation(text="The sea is always the same sea.", author="Ann Waters"),
    )
    assert (report.merged, report.linked) == (0, 1)
    longer, shorter = kept(store)
    assert store.links(longer.id).shorter == (shorter.id,)


def test_chinese_in_either_script_is_one(store: Store) -> None:
    report = curated(
        store,
        Quotation(text="學而時習之，不亦說乎？有朋自遠方來。", author="孔子", language="lzh"),
        Quotation(text="学而时习之，不亦说乎！有朋自远方來", author="孔子", language="lzh"),
    )
    assert report.kept == 1


def test_lengths_bind_collected_entries_only(store: Store) -> None:
    report = curated(
        store,
        Quotation(text="Too short.", collection="x"),
        Quotation(text="The sea. " * 40, collection="x"),
        Quotation(text="Be brief.", collection="x", tier="sourced"),
        Quotation(text="Be short.", collection="user"),
        Quotation(text="不亦说乎？", collection="x", language="lzh"),
        Quotation(text="Broken \ufffd words of the sea.", collection="x"),
    )
    assert (report.too_short, report.too_long, report.malformed) == (1, 1, 1)
    assert [entry.text for entry in kept(store)] == ["Be brief.", "Be short.", "不亦说乎？"]


def test_lengths_can_be_set(store: Store) -> None:
    policy = CurationPolicy(lengths={"": (1, 20), "fr": (1, 100)})
    report = curated(
        store,
        Quotation(text="The sea is always the same sea.", collection="x"),
        Quotation(text="La mer est toujours la même mer.", collection="x", language="fr"),
        policy=policy,
    )
    assert (report.too_long, report.kept) == (1, 1)


def test_a_cancelled_curation_changes_nothing(store: Store) -> None:
    store.add(
        [Quotation(text=SEA), Quotation(text=VARIANT), Quotation(text="Short", collection="x")]
    )
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        curate(store, cancel=token)
    assert store.count() == 3


def test_progress_ends_complete(store: Store) -> None:
    told: list[tuple[int, int | None]] = []
    curate(store, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]


entries = st.lists(
    st.builds(
        Quotation,
        text=st.lists(
            st.sampled_from(["sea", "is", "the", "old", "not", "blue", "always"]),
            min_size=2,
            max_size=9,
        ).map(" ".join),
        author=st.sampled_from(["", "Ann Waters", "Bob Fields", "Ann O. Waters"]),
        tier=st.sampled_from(TIERS),
        carried=st.integers(1, 3),
        collection=st.just("x"),
    ),
    max_size=12,
)


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(entries)
def test_curating_twice_changes_nothing_more(tmp_path: Path, entries: list[Quotation]) -> None:
    path = tmp_path / "twice.db"
    path.unlink(missing_ok=True)
    with Store.open(path) as store:
        store.add(entries)
        before = sum(entry.carried for entry in store.quotations())
        first = curate(store)
        once = kept(store)
        removed = first.too_short + first.too_long + first.malformed
        if not removed:
            assert sum(entry.carried for entry in once) == before
        second = curate(store)
        assert kept(store) == once
        assert second.merged == 0
        assert second.kept == first.kept
