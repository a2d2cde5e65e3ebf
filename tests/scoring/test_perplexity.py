"""The measures of the papers, worked out by hand.

The fake model's tokens are characters: 1/8 for a new one, 1/2 for one seen before.
"""

from __future__ import annotations

import math

import pytest
from fakes import FakeModel

from quill_ls.scoring.perplexity import (
    Continuation,
    Part,
    TokenScores,
    fluency_perplexity,
    matching_perplexity,
    perplexity,
    quotation_perplexity,
)

ALL: frozenset[Part] = frozenset({"left", "quotation", "right"})


def scores(left: str, quotation: str, right: str) -> TokenScores:
    return FakeModel().score(left, [Continuation(quotation, right)], ALL)[0]


def test_perplexity_is_the_inverse_geometric_mean_of_the_probabilities() -> None:
    assert perplexity([math.log(1 / 2), math.log(1 / 8)]) == pytest.approx(4.0)


def test_perplexity_of_nothing_is_not_a_number() -> None:
    assert math.isnan(perplexity([]))


def test_matching_perplexity_is_over_the_right_context_alone() -> None:
    # "ab" then "cd": in the right context "ae" the a has been seen, the e has not.
    assert matching_perplexity(scores("ab", "cd", "ae")) == pytest.approx(math.sqrt(2 * 8))


def test_fluency_perplexity_is_over_everything_but_the_first_token() -> None:
    # b c d are new, a is not, e is new: (8 * 8 * 8 * 2 * 8) ** (1/5)
    expected = (8 * 8 * 8 * 2 * 8) ** (1 / 5)
    assert fluency_perplexity(scores("ab", "cd", "ae")) == pytest.approx(expected)


def test_quotation_perplexity_leaves_the_first_five_characters_out() -> None:
    # "cdefg" is given; "hh" and "a" are scored: 8, 2, 2.
    expected = (8 * 2 * 2) ** (1 / 3)
    assert quotation_perplexity(scores("ab", "cdefghh", "a")) == pytest.approx(expected)


def test_of_a_quotation_shorter_than_its_head_only_the_right_context_is_scored() -> None:
    short = scores("ab", "cde", "xa")
    assert quotation_perplexity(short) == pytest.approx(matching_perplexity(short))


def test_a_short_quotation_without_a_right_context_has_no_quotation_perplexity() -> None:
    assert math.isnan(quotation_perplexity(scores("ab", "cde", "")))


def test_a_token_across_the_border_is_given() -> None:
    # One token from character 3 to 7, one from 7 on.
    crossing = TokenScores(
        quotation=(math.log(1 / 2), math.log(1 / 4), math.log(1 / 8)), quotation_starts=(0, 3, 7)
    )
    assert quotation_perplexity(crossing) == pytest.approx(8.0)


def test_without_a_right_context_there_is_no_matching_perplexity() -> None:
    assert math.isnan(matching_perplexity(scores("ab", "cd", "")))
