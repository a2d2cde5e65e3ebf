"""Novelty: how little worn a quotation is (QUILL eq. 8), and what stands in where counts lack.

The paper divides the perplexity of the quotation alone by the number of search results that
show it. Few stored quotations have a recorded count, and Quill asks no search engine. What the
model itself knows is the honest substitute: a quotation whose second half the model can tell
from the first has been read often. The explanation says which of the two was used.
"""

from __future__ import annotations

import math
from typing import Literal

from quill_ls.scoring.perplexity import TokenScores

Basis = Literal["search frequency", "familiarity", "none"]

PUBLISHED_FACTOR = 5.0
"""The benchmark's own code multiplies the novelty by 5 before it clips it at 20."""


def novelty(perplexity: float, search_frequency: int) -> float:
    """Return PPL(q) / log10(search frequency), QUILL eq. 8.

    A frequency under 10 counts as 10: log10 would be zero or negative for it.
    """
    return perplexity / math.log10(max(search_frequency, 10))


def familiarity(scores: TokenScores) -> float:
    """Return the mean log-probability of the second half of a quotation given the first.

    Parameters
    ----------
    scores
        Of the quotation alone, without any context.

    Returns
    -------
    float
        At most 0; "The end justifies the means" about -0.4, words never read before about -6.
        NaN for fewer than two tokens.
    """
    tokens = scores.quotation
    half = tokens[len(tokens) // 2 :]
    if len(tokens) < 2:
        return math.nan
    return math.fsum(half) / len(half)


def substitute_novelty(perplexity: float, familiar: float) -> float:
    """Return a novelty for a quotation without recorded search frequency.

    Eq. 8 with the familiarity in the place of the frequency: a quotation that the model knows
    by heart (0) is divided like one with 10^9 search results, one that it has never read (-6 or
    less) like one with 10, linearly between. Monotone in both arguments like the original.
    """
    known = min(1.0, max(0.0, 1.0 + familiar / 6.0))
    return perplexity / (1.0 + 8.0 * known)
