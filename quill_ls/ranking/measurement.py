"""Asking the model: from candidates in their place to the features that ranking needs.

Three passes at the most, each one batch for all candidates: the quotation in its place, the
quotation alone, the names of the authors. The last two do not depend on the place and are kept
by the caller (`Known`), so that a second request pays for the first pass only.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.ranking.context import Context
from quill_ls.ranking.features import NAN, Features
from quill_ls.ranking.notability import measure_notability, prior
from quill_ls.ranking.novelty import Basis, familiarity, novelty, substitute_novelty
from quill_ls.ranking.rerank import Need
from quill_ls.scoring.perplexity import (
    Continuation,
    LanguageModel,
    Part,
    TokenScores,
    fluency_perplexity,
    matching_perplexity,
    perplexity,
    quotation_perplexity,
)

_PLACEHOLDER = "[Q]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One candidate as ranking sees it."""

    text: str
    author: str = ""
    relevance: float = NAN
    similarity: float = NAN
    search_frequency: int | None = None
    carried: int = 1


@dataclass(slots=True)
class Known:
    """What the model has said before and what does not depend on the place; grows in use.

    Attributes
    ----------
    alone
        (PPL(q), familiarity) by text.
    notability
        log P(name) by author.
    """

    alone: dict[str, tuple[float, float]] = field(default_factory=dict)
    notability: dict[str, float] = field(default_factory=dict)


def measure(
    context: Context,
    subjects: Sequence[Subject],
    needs: Collection[Need],
    model: LanguageModel | None,
    known: Known,
    cancel: CancelToken = NEVER,
) -> tuple[Features, ...]:
    """Return the features of all subjects, in order; what nobody can measure is NaN.

    Parameters
    ----------
    needs
        What the ranking method wants to know.
    model
        None leaves everything NaN that only a model can tell.
    known
        Answers of this model from before; new ones are added to it.
    """
    placed: Sequence[TokenScores | None] = [None] * len(subjects)
    published: Sequence[tuple[float, float]] = [(NAN, NAN)] * len(subjects)
    if "matching" in needs and not context.right.strip():
        # Where nothing follows, what the left context adds to the quotation stands in for PPL_m.
        needs = {*needs, "quotation", "alone"}
    if model is not None and subjects:
        if parts := _parts(needs, context):
            continuations = [context.continuation(subject.text) for subject in subjects]
            placed = model.score(context.left, continuations, parts, cancel)
        if "alone" in needs:
            _measure_alone([subject.text for subject in subjects], model, known, cancel)
        if "notability" in needs:
            _measure_names([subject.author for subject in subjects], model, known, cancel)
        if "published" in needs:
            published = _published(context, subjects, model, cancel)
    return tuple(
        _features(subject, scores, known, pair)
        for subject, scores, pair in zip(subjects, placed, published, strict=True)
    )


def _parts(needs: Collection[Need], context: Context) -> frozenset[Part]:
    parts: set[Part] = set()
    if {"matching", "quotation", "fluency"} & set(needs):
        parts.add("right")
    if {"quotation", "fluency"} & set(needs):
        parts.add("quotation")
    if "fluency" in needs:
        parts.add("left")
    return frozenset(parts)


def _measure_alone(
    texts: Sequence[str], model: LanguageModel, known: Known, cancel: CancelToken
) -> None:
    missing = list(dict.fromkeys(text for text in texts if text not in known.alone))
    scores = model.score(
        "", [Continuation(t, "") for t in missing], frozenset({"quotation"}), cancel
    )
    for text, score in zip(missing, scores, strict=True):
        known.alone[text] = (perplexity(score.quotation), familiarity(score))


def _measure_names(
    names: Sequence[str], model: LanguageModel, known: Known, cancel: CancelToken
) -> None:
    missing = list(dict.fromkeys(n for n in names if n and n not in known.notability))
    known.notability.update(zip(missing, measure_notability(model, missing, cancel), strict=True))


def _published(
    context: Context, subjects: Sequence[Subject], model: LanguageModel, cancel: CancelToken
) -> list[tuple[float, float]]:
    """PPL_m and PPL_q as the published code computes them: the quotation is never put in.

    It cuts the context with its placeholder at the length of left context and quotation, and
    scores what is left, given what comes before.
    """
    whole = f"{context.left}{_PLACEHOLDER}{context.right}"
    cuts = [
        (len(context.left) + len(subject.text), len(context.left) + min(5, len(subject.text)))
        for subject in subjects
    ]
    tails = {cut: math.nan for pair in cuts for cut in pair}
    for cut in tails:
        (score,) = model.score(
            whole[:cut], [Continuation("", whole[cut:])], frozenset({"right"}), cancel
        )
        tails[cut] = matching_perplexity(score)
    return [(tails[long], tails[short]) for long, short in cuts]


def _features(
    subject: Subject,
    scores: TokenScores | None,
    known: Known,
    published: tuple[float, float],
) -> Features:
    alone, familiar = known.alone.get(subject.text, (NAN, NAN))
    basis: Basis = "none"
    fresh = NAN
    if not math.isnan(alone):
        if subject.search_frequency is not None:
            fresh, basis = novelty(alone, subject.search_frequency), "search frequency"
        elif not math.isnan(familiar):
            fresh, basis = substitute_novelty(alone, familiar), "familiarity"
    in_place = scores or TokenScores()
    gain = NAN
    if in_place.quotation and not math.isnan(alone):
        gain = math.log(alone) - math.log(perplexity(in_place.quotation))
    name = known.notability.get(subject.author, NAN)
    return Features(
        text=subject.text,
        relevance=subject.relevance,
        similarity=subject.similarity,
        ppl_m=matching_perplexity(in_place),
        ppl_q=quotation_perplexity(in_place) if in_place.quotation else NAN,
        ppl_f=fluency_perplexity(in_place) if in_place.left or in_place.quotation else NAN,
        ppl=alone,
        published_ppl_m=published[0],
        published_ppl_q=published[1],
        gain=gain,
        familiarity=familiar,
        novelty=fresh,
        novelty_basis=basis,
        notability=NAN if math.isnan(name) else prior(name),
        carried=subject.carried,
    )
