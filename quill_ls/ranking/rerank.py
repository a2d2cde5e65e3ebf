"""The ranking methods: from the features of the candidates to one score each, higher is better.

All methods stand behind one interface and are chosen by name. The simple ones are kept for
comparison: every improvement has to beat them on the development data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from quill_ls.ranking.criteria import Constants, falling, rising
from quill_ls.ranking.features import Case, Features, standardised
from quill_ls.ranking.novelty import PUBLISHED_FACTOR

Need = Literal["matching", "quotation", "fluency", "alone", "published", "notability"]
"""What a method must have measured: the model's passes and the author's notability."""

PUBLISHED_CLIP = 20.0
"""The published code clips perplexity and novelty at this value, so that most candidates tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the blend, all settings.

    Attributes
    ----------
    relevance
        Of the nearness in meaning.
    matching
        Of the logarithm of PPL_m.
    notability
        Of the author's prior.
    novelty
        The writer's wish: -1 asks for classics, +1 for fresh words, 0 for neither.
    """

    relevance: float = 1.0
    matching: float = 1.0
    notability: float = 1.0
    novelty: float = 0.0


@dataclass(frozen=True, slots=True)
class Method:
    """A way of ranking.

    Attributes
    ----------
    needs
        What has to be measured before it can rank.
    score
        One number for each candidate of the case, higher is better.
    novelty_by_wish
        Whether novelty counts only where the writer wishes it, and need not be measured else.
    """

    name: str
    needs: frozenset[Need]
    score: Callable[[Case, Weights, Constants], list[float]]
    novelty_by_wish: bool = False

    def needs_for(self, weights: Weights) -> frozenset[Need]:
        """Return what has to be measured for these weights."""
        if self.novelty_by_wish and weights.novelty == 0.0:
            return self.needs - {"alone"}
        return self.needs


def order(scores: Sequence[float]) -> list[int]:
    """Return the positions by falling score; ties and NaN keep their order, NaN last."""
    return sorted(
        range(len(scores)),
        key=lambda i: (math.isnan(scores[i]), -scores[i] if scores[i] == scores[i] else 0.0),
    )


def _vanilla(case: Case, weights: Weights, constants: Constants) -> list[float]:
    return [-float(i) for i in range(len(case.candidates))]


def _rank_bm25(case: Case, weights: Weights, constants: Constants) -> list[float]:
    """BM25 of the quotations with the context as the query, by the rank-bm25 library."""
    from rank_bm25 import BM25Okapi

    corpus = [_tokens(candidate.text) or [""] for candidate in case.candidates]
    if not corpus:
        return []
    return [float(s) for s in BM25Okapi(corpus).get_scores(_tokens(f"{case.left} {case.right}"))]


def _similarity(case: Case, weights: Weights, constants: Constants) -> list[float]:
    return [candidate.similarity for candidate in case.candidates]


def _matching(case: Case, weights: Weights, constants: Constants) -> list[float]:
    return [-candidate.ppl_m for candidate in case.candidates]


def _quotation(case: Case, weights: Weights, constants: Constants) -> list[float]:
    return [-candidate.ppl_q for candidate in case.candidates]


def _average(case: Case, weights: Weights, constants: Constants) -> list[float]:
    return [-ppl_avg(candidate) for candidate in case.candidates]


def ppl_avg(candidate: Features) -> float:
    """Return PPL_avg = (PPL_m + PPL_q) / 2, QUILL section 6; PPL_q where nothing follows."""
    if math.isnan(candidate.ppl_m):
        return candidate.ppl_q
    return (candidate.ppl_m + candidate.ppl_q) / 2.0


def _quill(case: Case, weights: Weights, constants: Constants) -> list[float]:
    """The paper's formula as it is meant: both scores in 0..1, novelty as a merit."""
    return [
        falling(ppl_avg(candidate), constants.matching)
        + _or_zero(rising(candidate.novelty, constants.novelty))
        for candidate in case.candidates
    ]


def _quill_published(case: Case, weights: Weights, constants: Constants) -> list[float]:
    """What the published code does: no quotation inserted, clipped, novelty added to the PPL."""
    return [
        -(
            (min(c.published_ppl_m, PUBLISHED_CLIP) + min(c.published_ppl_q, PUBLISHED_CLIP)) / 2.0
            + _or_zero(min(PUBLISHED_FACTOR * c.novelty, PUBLISHED_CLIP))
        )
        for c in case.candidates
    ]


def _blend(case: Case, weights: Weights, constants: Constants) -> list[float]:
    """Quill's own: nearness in meaning, matching, the author's renown and the writer's wish.

    Perplexities are compared as logarithms: a candidate that makes the right context ten times
    as surprising is as far off at any level of surprise. Where no right context is, the gain of
    the quotation from the left one takes the place of PPL_m.
    """
    candidates = case.candidates
    relevance = standardised([c.relevance for c in candidates])
    matching = standardised([-_log(c.ppl_m) for c in candidates])
    if all(math.isnan(c.ppl_m) for c in candidates):
        matching = standardised([c.gain for c in candidates])
    novelty = standardised([_log(c.novelty) for c in candidates])
    return [
        weights.relevance * relevance[i]
        + weights.matching * matching[i]
        + weights.notability * _or_zero(candidates[i].notability)
        + weights.novelty * novelty[i]
        for i in range(len(candidates))
    ]


def _log(value: float) -> float:
    return math.log(value) if value > 0.0 and not math.isinf(value) else math.nan


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_]+")


def _tokens(text: str) -> list[str]:
    return [token.casefold() for token in _TOKEN.findall(text)]


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "blend",
            frozenset({"matching", "notability", "alone"}),
            _blend,
            novelty_by_wish=True,
        ),
        Method("quill", frozenset({"matching", "quotation", "alone"}), _quill),
        Method("quill-published", frozenset({"published", "alone"}), _quill_published),
        Method("ppl-m", frozenset({"matching"}), _matching),
        Method("ppl-q", frozenset({"quotation"}), _quotation),
        Method("ppl-avg", frozenset({"matching", "quotation"}), _average),
        Method("similarity", frozenset(), _similarity),
        Method("rank-bm25", frozenset(), _rank_bm25),
        Method("vanilla", frozenset(), _vanilla),
    )
}
"""All methods by name, the default first."""
