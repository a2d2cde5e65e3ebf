"""What "suggest" answers: ranked quotations with their scores and reasons."""

from __future__ import annotations

from dataclasses import dataclass

from quill_ls.ranking.features import NAN
from quill_ls.retrieval.constraints import Constraint
from quill_ls.store.records import Quotation


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What was found out about one suggestion; NaN where nobody could tell.

    Attributes
    ----------
    total
        The ranking method's score, comparable within one list only.
    matching, fluency, novelty
        S_m, S_f, S_n of QUILL in 0..1.
    novelty_basis
        What the novelty rests on.
    similarity
        Cosine of the encoder's vectors of context and quotation.
    notability
        Renown of the author in 0..1.
    ppl_m, ppl_f, ppl
        The perplexities behind the scores (QUILL eq. 4 and 6; the quotation alone).
    """

    total: float = NAN
    matching: float = NAN
    fluency: float = NAN
    novelty: float = NAN
    novelty_basis: str = "none"
    similarity: float = NAN
    notability: float = NAN
    ppl_m: float = NAN
    ppl_f: float = NAN
    ppl: float = NAN


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One quotation for a place, with its scores and one line that says why it is here."""

    quotation: Quotation
    scores: Scores
    why: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The ranked list for one place.

    Attributes
    ----------
    pool
        How many quotations met the constraints.
    reranked
        Whether the model has had its say.
    notices
        What the writer should know, one sentence each.
    """

    suggestions: tuple[Suggestion, ...]
    constraints: tuple[Constraint, ...]
    pool: int
    reranked: bool
    notices: tuple[str, ...]
