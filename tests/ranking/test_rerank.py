import math
from typing import get_args

import pytest

from quill_ls.ranking.criteria import PUBLISHED
from quill_ls.ranking.features import Case, Features, standardised
from quill_ls.ranking.rerank import METHODS, Weights, order, ppl_avg
from quill_ls.settings.definition import Method as SettingsMethod

NO_WISHES = Weights()


def ranked(method: str, *candidates: Features, weights: Weights = NO_WISHES) -> list[str]:
    case = Case("left", "right", candidates)
    scores = METHODS[method].score(case, weights, PUBLISHED)
    return [candidates[i].text for i in order(scores)]


def test_vanilla_keeps_the_order_of_recall():
    assert ranked("vanilla", Features(text="b"), Features(text="a")) == ["b", "a"]


def test_ppl_m_ranks_by_falling_perplexity_and_puts_the_unmeasured_last():
    assert ranked(
        "ppl-m",
        Features(text="unmeasured"),
        Features(text="bad", ppl_m=30.0),
        Features(text="good", ppl_m=3.0),
    ) == ["good", "bad", "unmeasured"]


def test_rank_bm25_ranks_by_words_in_common():
    case = Case(
        "On courage and",
        "the sea",
        (
            Features(text="Bread is bread."),
            Features(text="Courage, courage at sea!"),
            Features(text="Salt."),
        ),
    )
    scores = METHODS["rank-bm25"].score(case, Weights(), PUBLISHED)
    assert order(scores)[0] == 1


def test_similarity_ranks_by_the_cosine():
    near, far = Features(text="near", similarity=0.7), Features(text="far", similarity=0.2)
    assert ranked("similarity", Features(text="no vector"), far, near) == [
        "near",
        "far",
        "no vector",
    ]


def test_every_method_can_be_set():
    assert set(get_args(SettingsMethod)) == set(METHODS)


def test_ppl_avg_is_the_mean_of_both_perplexities():
    assert ppl_avg(Features(text="q", ppl_m=10.0, ppl_q=20.0)) == 15.0
    assert ppl_avg(Features(text="q", ppl_q=20.0)) == 20.0


def test_quill_counts_novelty_as_a_merit():
    worn = Features(text="worn", ppl_m=20.0, ppl_q=20.0, novelty=2.0)
    fresh = Features(text="fresh", ppl_m=20.0, ppl_q=20.0, novelty=12.0)
    assert ranked("quill", worn, fresh) == ["fresh", "worn"]


def test_the_published_code_rewards_what_is_well_known():
    worn = Features(text="worn", published_ppl_m=9.0, published_ppl_q=9.0, novelty=1.0)
    fresh = Features(text="fresh", published_ppl_m=9.0, published_ppl_q=9.0, novelty=3.0)
    assert ranked("quill-published", fresh, worn) == ["worn", "fresh"]


def test_the_published_code_ties_above_its_clip():
    a = Features(text="a", published_ppl_m=25.0, published_ppl_q=400.0, novelty=8.0)
    b = Features(text="b", published_ppl_m=21.0, published_ppl_q=22.0, novelty=5.0)
    assert ranked("quill-published", a, b) == ["a", "b"]
    assert ranked("quill-published", b, a) == ["b", "a"]


def test_quill_published_by_hand():
    case = Case(
        "", "", (Features(text="q", published_ppl_m=10.0, published_ppl_q=40.0, novelty=2.0),)
    )
    # (10 + 20) / 2 + min(5 * 2, 20) = 25
    assert METHODS["quill-published"].score(case, Weights(), PUBLISHED) == [pytest.approx(-25.0)]


def test_the_blend_without_any_model_is_the_order_of_relevance():
    near, far = Features(text="near", relevance=0.9), Features(text="far", relevance=0.1)
    assert ranked("blend", far, near) == ["near", "far"]


def test_the_wish_for_novelty_turns_the_order():
    worn = Features(text="worn", relevance=0.5, ppl_m=10.0, novelty=1.0)
    fresh = Features(text="fresh", relevance=0.5, ppl_m=10.0, novelty=30.0)
    assert ranked("blend", worn, fresh, weights=Weights(novelty=1.0)) == ["fresh", "worn"]
    assert ranked("blend", fresh, worn, weights=Weights(novelty=-1.0)) == ["worn", "fresh"]


@pytest.mark.parametrize("method", METHODS)
def test_no_method_stumbles_over_an_empty_list_or_missing_measures(method: str):
    assert METHODS[method].score(Case("", "", ()), Weights(), PUBLISHED) == []
    assert len(METHODS[method].score(Case("", "", (Features(text=""),)), Weights(), PUBLISHED)) == 1


def test_standardised_by_hand():
    assert standardised([1.0, 3.0]) == [-1.0, 1.0]
    assert standardised([2.0, 2.0]) == [0.0, 0.0]
    assert standardised([1.0, math.nan, 3.0]) == [-1.0, 0.0, 1.0]
    assert standardised([math.nan]) == [0.0]


def test_order_is_stable():
    assert order([1.0, 2.0, 1.0, math.nan, 2.0]) == [1, 4, 0, 2, 3]
