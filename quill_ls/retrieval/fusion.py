"""Joining what several searches found into one order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def reciprocal_rank_fusion(rankings: Sequence[Sequence[int]], k: float = 60.0) -> dict[int, float]:
    """Return sum 1 / (k + rank) over the rankings for every id (Cormack et al. 2009).

    Parameters
    ----------
    rankings
        Ids, best first.
    """
    fused: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            fused[item] = fused.get(item, 0.0) + 1.0 / (k + rank)
    return fused


def weighted_sum(parts: Sequence[tuple[float, Mapping[int, float]]]) -> dict[int, float]:
    """Return the weighted sum of scores, each search's scores first brought to 0..1.

    An id that a search did not find gets 0 from it: no better than the worst that it found.

    Parameters
    ----------
    parts
        Pairs of a weight and the scores of one search by id, higher is better.
    """
    fused: dict[int, float] = {}
    for weight, scores in parts:
        if not scores:
            continue
        low, high = min(scores.values()), max(scores.values())
        width = high - low
        for item, score in scores.items():
            share = 1.0 if width == 0 or math.isnan(width) else (score - low) / width
            fused[item] = fused.get(item, 0.0) + weight * share
    return fused
