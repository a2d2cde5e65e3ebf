import math

import pytest

from quill_ls.ranking.novelty import familiarity, novelty, substitute_novelty
from quill_ls.scoring.perplexity import TokenScores


def test_novelty_is_perplexity_over_the_order_of_magnitude_of_the_counts():
    assert novelty(12.0, 1_000) == pytest.approx(4.0)
    assert novelty(12.0, 1_000_000) == pytest.approx(2.0)


@pytest.mark.parametrize("count", [0, 1, 9, 10])
def test_hardly_any_search_results_never_divide_by_nothing(count: int):
    assert novelty(12.0, count) == pytest.approx(12.0)


def test_familiarity_is_the_mean_of_the_second_half():
    scores = TokenScores(quotation=(-9.0, -8.0, -1.0, -2.0), quotation_starts=(0, 2, 4, 6))
    assert familiarity(scores) == pytest.approx(-1.5)


def test_familiarity_needs_two_tokens():
    assert math.isnan(familiarity(TokenScores(quotation=(-1.0,), quotation_starts=(0,))))


def test_the_substitute_falls_with_familiarity_and_rises_with_perplexity():
    known, unknown = substitute_novelty(20.0, -0.4), substitute_novelty(20.0, -5.0)
    assert known < unknown
    assert substitute_novelty(10.0, -3.0) < substitute_novelty(20.0, -3.0)


def test_the_substitute_by_hand():
    assert substitute_novelty(18.0, 0.0) == pytest.approx(2.0)  # / 9
    assert substitute_novelty(18.0, -6.0) == pytest.approx(18.0)  # / 1
    assert substitute_novelty(18.0, -3.0) == pytest.approx(3.6)  # / 5
    assert substitute_novelty(18.0, -40.0) == pytest.approx(18.0)
