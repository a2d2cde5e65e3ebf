"""Near-duplicates and contained texts: exactly those that comparing every pair finds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.store.similarity import Shingled, shingles, words_of

texts = st.lists(
    st.lists(
        st.sampled_from("the sea is old and blue 学 而 时".split()), min_size=1, max_size=7
    ).map(" ".join),
    max_size=14,
)


def jaccard(one: str, two: str) -> float:
    first, second = shingles(one), shingles(two)
    return len(first & second) / len(first | second)


@settings(deadline=None)
@given(texts, st.sampled_from([0.3, 0.5, 0.7, 0.75, 1.0]))
def test_no_pair_is_missed_and_none_is_invented(texts: list[str], threshold: float) -> None:
    found = {(one, two): value for one, two, value in Shingled(texts).similar(threshold)}
    expected = {
        (one, two): jaccard(texts[one], texts[two])
        for one, two in combinations(range(len(texts)), 2)
        if jaccard(texts[one], texts[two]) >= threshold - 1e-9
    }
    assert found == pytest.approx(expected)


@settings(deadline=None)
@given(texts)
def test_containment_is_by_whole_words(texts: list[str]) -> None:
    folded = [" ".join(text.split()) for text in texts]
    expected = {
        (one, two)
        for one in range(len(folded))
        for two in range(len(folded))
        if len(words_of(folded[one])) > 1
        and len(folded[two]) > len(folded[one])
        and f" {folded[one]} " in f" {folded[two]} "
    }
    # Han characters stand without spaces in folded texts; here they are words among words.
    found = {
        (one, two)
        for one, two in Shingled(folded).contained()
        if f" {folded[one]} " in f" {folded[two]} "
    }
    assert found == expected


def test_a_word_is_not_a_part_of_a_longer_one() -> None:
    assert Shingled(["the art", "the artist is here"]).contained() == []
    assert Shingled(["the art", "the art of the sea"]).contained() == [(0, 1)]


def test_chinese_is_compared_by_characters() -> None:
    assert words_of("学而时习之 ok") == ["学", "而", "时", "习", "之", "ok"]
    shingled = Shingled(["学而时习之不亦说乎", "学而时习之不亦悦乎", "学而时习之"])
    ((first, second, value),) = shingled.similar(0.6)
    assert (first, second) == (0, 1)
    assert value == pytest.approx(14 / 20)
    assert shingled.contained() == [(2, 0), (2, 1)]


def test_nothing_is_similar_in_an_empty_store() -> None:
    shingled = Shingled([])
    assert len(shingled.similar(0.7)) == 0
    assert shingled.contained() == []


def test_many_texts_are_cut_into_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"the sea is old and number {n // 2} is blue" for n in range(200)]
    whole = set(Shingled(texts).similar(0.8))
    monkeypatch.setattr("quill_ls.store.similarity._CANDIDATES", 64)
    monkeypatch.setattr("quill_ls.store.similarity._CHUNK", 7)
    assert set(Shingled(texts).similar(0.8)) == whole
    assert {(n, n + 1) for n in range(0, 200, 2)} <= {(one, two) for one, two, _ in whole}


def test_the_work_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    shingled = Shingled(["the sea is old", "the sea is old"])
    with pytest.raises(Cancelled):
        shingled.similar(0.7, token)


def test_pairs_are_plain_numbers() -> None:
    pairs = Shingled(["the sea is old", "the sea is old"]).similar(0.7)
    assert pairs.first.dtype == np.int64
    assert list(pairs) == [(0, 1, 1.0)]
