"""Measures of a ranking: HR@k, nDCG@k and MRR as QUILL's Table 4 reports them."""

from __future__ import annotations

import math
from collections.abc import Sequence


def hit_rate(ranked: Sequence[bool], k: int) -> float:
    """Return 1 if one of the first `k` is the gold, else 0 (HR@k of one case)."""
    return 1.0 if any(ranked[:k]) else 0.0


def reciprocal_rank(ranked: Sequence[bool]) -> float:
    """Return 1 / rank of the first gold, 0 where there is none (MRR of one case)."""
    for rank, is_gold in enumerate(ranked, start=1):
        if is_gold:
            return 1.0 / rank
    return 0.0


def dcg(relevances: Sequence[float]) -> float:
    """Return the discounted cumulative gain: the sum of rel_i / log2(i + 1), i from 1."""
    return math.fsum(rel / math.log2(i + 1) for i, rel in enumerate(relevances, start=1))


def ndcg(relevances: Sequence[float], k: int) -> float:
    """Return DCG of the first `k` divided by the best possible; 0 where nothing is relevant.

    Gains are the relevances themselves, not 2^rel - 1, as in the published evaluation.
    """
    best = dcg(sorted(relevances, reverse=True)[:k])
    return dcg(relevances[:k]) / best if best > 0 else 0.0
