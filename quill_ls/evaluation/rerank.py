"""QUILL's Table 4: how well a method orders the candidates of a context."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from quill_ls.evaluation.datasets import RerankCase
from quill_ls.evaluation.metrics import hit_rate, ndcg, reciprocal_rank
from quill_ls.ranking.criteria import PUBLISHED, Constants
from quill_ls.ranking.features import Case
from quill_ls.ranking.rerank import Method, Weights, order


@dataclass(frozen=True, slots=True)
class RerankFigures:
    """Means over all cases, in the order of QUILL's Table 4."""

    n: int
    hr1: float
    hr3: float
    ndcg1: float
    ndcg3: float
    mrr: float


def evaluate(
    cases: Sequence[RerankCase],
    measured: Sequence[Case],
    method: Method,
    weights: Weights,
    constants: Constants = PUBLISHED,
    *,
    seed: int = 0,
) -> RerankFigures:
    """Rank the candidates of every case by `method` and return the means.

    Parameters
    ----------
    measured
        For every case the features of its candidates, in the order of the file.
    seed
        The candidates are shuffled with it before ranking, so that a method whose scores tie
        gains nothing from the order of the file.
    """
    shuffle = random.Random(seed)
    rows = []
    for case, features in zip(cases, measured, strict=True):
        positions = list(range(len(case.candidates)))
        shuffle.shuffle(positions)
        candidates = tuple(features.candidates[i] for i in positions)
        scores = method.score(Case(features.left, features.right, candidates), weights, constants)
        ranked = [positions[i] for i in order(scores)]
        golds = [case.golds[i] for i in ranked]
        relevances = [case.relevances[i] for i in ranked]
        rows.append(
            (
                hit_rate(golds, 1),
                hit_rate(golds, 3),
                ndcg(relevances, 1),
                ndcg(relevances, 3),
                reciprocal_rank(golds),
            )
        )
    count = len(rows)
    if count == 0:
        return RerankFigures(0, 0.0, 0.0, 0.0, 0.0, 0.0)
    means = [sum(column) / count for column in zip(*rows, strict=True)]
    return RerankFigures(count, *means)
