"""What is known of the candidates of one placeholder when they are ranked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quill_ls.ranking.novelty import Basis

NAN = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Everything that a ranking method may look at for one candidate.

    A number is NaN where it was not measured: no model, no encoder, no right context, or a
    method that does not ask for it.

    Attributes
    ----------
    text
        The quotation.
    relevance
        Fused score of recall, higher is better.
    similarity
        Cosine of the encoder's vectors of context and quotation.
    ppl_m, ppl_q, ppl_f
        QUILL eq. 4, 10 and 6.
    ppl
        Perplexity of the quotation alone.
    published_ppl_m, published_ppl_q
        What the paper's published code computes in their place.
    gain
        How much likelier the left context makes a token of the quotation than it is alone, in
        nats: the mean of log P(q | l) minus that of log P(q).
    familiarity
        Mean log-probability of the second half of the quotation given the first.
    novelty, novelty_basis
        QUILL eq. 8 or its substitute, and what it rests on.
    notability
        Prior of the author, 0..1.
    carried
        How many rows or collections carry the words.
    """

    text: str
    relevance: float = NAN
    similarity: float = NAN
    ppl_m: float = NAN
    ppl_q: float = NAN
    ppl_f: float = NAN
    ppl: float = NAN
    published_ppl_m: float = NAN
    published_ppl_q: float = NAN
    gain: float = NAN
    familiarity: float = NAN
    novelty: float = NAN
    novelty_basis: Basis = "none"
    notability: float = NAN
    carried: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of one placeholder with the prose around it."""

    left: str
    right: str
    candidates: tuple[Features, ...]


def standardised(values: Sequence[float], *, spread: float = 0.0) -> list[float]:
    """Return z-scores: minus the mean, divided by the standard deviation.

    NaN counts as the mean, and becomes 0. A deviation below `spread` is raised to it, so that
    differences too small to mean anything are not blown up; without any spread all are 0.
    """
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return [0.0] * len(values)
    mean = math.fsum(known) / len(known)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in known) / len(known))
    deviation = max(deviation, spread)
    if deviation == 0.0:
        return [0.0] * len(values)
    return [0.0 if math.isnan(value) else (value - mean) / deviation for value in values]
