"""One line that says why a quotation is suggested, from what is known and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quill_ls.ranking.features import Features
from quill_ls.retrieval.constraints import Constraint
from quill_ls.retrieval.recall import Candidate

NEAR = 0.40
VERY_NEAR = 0.55
"""Cosines of all-MiniLM-L6-v2 from which meanings are called near and very near."""
RENOWNED = 0.7
FAMILIAR = -1.5
"""Mean log-probability of a second half from which a quotation is called famous."""


def explain(
    candidate: Candidate,
    features: Features,
    constraints: Sequence[Constraint],
    matching: Sequence[float],
) -> str:
    """Return the reasons in one line, the weightiest first, without a full stop.

    Parameters
    ----------
    matching
        PPL_m of all candidates of the list, to say where this one stands.
    """
    reasons = [_demand(constraint) for constraint in constraints]
    reasons += _meaning(candidate)
    reasons += _model(features, matching)
    reasons += _standing(candidate, features)
    line = "; ".join(reason for reason in reasons if reason)
    return line[:1].upper() + line[1:] if line else "Found by its words"


def _demand(constraint: Constraint) -> str:
    if constraint.kind == "proverb":
        return f"a proverb, as the text says (“{constraint.phrase}”)"
    what = f"by {constraint.value}" if constraint.kind == "author" else f"from {constraint.value}"
    if constraint.origin == "wish":
        return f"{what}, as you wished"
    return (
        f"{what}, whom the text credits"
        if constraint.kind == "author"
        else (f"{what}, which the text names")
    )


def _meaning(candidate: Candidate) -> list[str]:
    if candidate.similarity >= VERY_NEAR:
        return ["very near in meaning"]
    if candidate.similarity >= NEAR:
        return ["near in meaning"]
    if math.isnan(candidate.similarity) and candidate.lexical > 0:
        return ["shares words with the text"]
    return []


def _model(features: Features, matching: Sequence[float]) -> list[str]:
    if math.isnan(features.ppl_m):
        return []
    known = [value for value in matching if not math.isnan(value)]
    rank = sum(value < features.ppl_m for value in known)
    if len(known) > 1 and rank == 0:
        return [f"of {len(known)} the one after which the text goes on best"]
    if len(known) > 3 and rank < len(known) / 4:
        return ["the text goes on well after it"]
    return []


def _standing(candidate: Candidate, features: Features) -> list[str]:
    quotation = candidate.quotation
    reasons = []
    if features.notability >= RENOWNED:
        reasons.append("a well-known author")
    if features.familiarity >= FAMILIAR:
        reasons.append("famous words")
    if quotation.tier in ("reference", "sourced"):
        reasons.append("source known")
    elif quotation.carried > 1:
        reasons.append(f"carried {quotation.carried} times")
    return reasons
