"""Perplexity: what a language model must answer, and the mathematics on its answers.

For a left context ``l``, a quotation ``q`` and a right context ``r``, one pass of the model over
``l q r`` gives the log-probability of every token given all tokens before it. All measures of
the papers are means over some of these tokens:

==========  ===================================  =====================
measure     definition                           source
==========  ===================================  =====================
``PPL_m``   PPL(r | l q)                         QUILL eq. 4
``PPL_q``   PPL(q[t:] r | l q[:t])               QUILL eq. 10
``PPL_f``   PPL(l q r)                           QUILL eq. 6
==========  ===================================  =====================

PPL(y | x) = exp(-1/|y| sum_i log P(y_i | x, y_<i)), natural logarithm, |y| in tokens.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from quill_ls.cancel import NEVER, CancelToken

Part = Literal["left", "quotation", "right"]

HEAD_CHARACTERS = 5
"""t of QUILL eq. 10: how many characters of the quotation are given, not scored."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """What follows a left context: a quotation, then the right context.

    The caller puts the spaces and quotation marks that the text needs at the head of each.
    """

    quotation: str
    right: str


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Log-probabilities of the tokens of one ``l q r``, each given all tokens before it.

    A part that was not asked for is empty. The first token of the whole sequence has no
    probability of its own where the model has no BOS token, and is left out of `left`.

    Attributes
    ----------
    left, quotation, right
        Natural log-probabilities, one for each token of the part.
    quotation_starts
        For each token of the quotation the offset of its first character in the quotation.
    """

    left: tuple[float, ...] = ()
    quotation: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    quotation_starts: tuple[int, ...] = ()


class LanguageModel(Protocol):
    """A causal model that scores continuations of a shared left context."""

    @property
    def name(self) -> str:
        """Identify the weights: the same name always gives the same scores."""
        ...

    def score(
        self,
        left: str,
        continuations: Sequence[Continuation],
        parts: frozenset[Part],
        cancel: CancelToken = NEVER,
    ) -> list[TokenScores]:
        """Score every continuation after `left`; results in the order given.

        `left`, the quotation and the right context are tokenised separately. Contexts longer
        than the model takes lose tokens at the far ends: the head of `left`, the tail of the
        right context; never of the quotation.

        Raises
        ------
        quill_ls.cancel.Cancelled
            Between two decode calls, once `cancel` is set.
        quill_ls.errors.ModelError
            If a quotation alone is longer than the model's context.
        """
        ...


def perplexity(log_probabilities: Iterable[float]) -> float:
    """Return exp of the mean negative log-probability; NaN for no tokens at all."""
    values = tuple(log_probabilities)
    if not values:
        return math.nan
    return math.exp(-math.fsum(values) / len(values))


def matching_perplexity(scores: TokenScores) -> float:
    """PPL_m = PPL(r | l q), QUILL eq. 4; NaN where there is no right context."""
    return perplexity(scores.right)


def quotation_perplexity(scores: TokenScores, head: int = HEAD_CHARACTERS) -> float:
    """PPL_q = PPL(q[head:] r | l q[:head]), QUILL eq. 10.

    A token belongs to the part that its first character belongs to, so a token that spans the
    border is given, not scored. NaN where nothing is left to score.
    """
    tail = tuple(
        value
        for value, start in zip(scores.quotation, scores.quotation_starts, strict=True)
        if start >= head
    )
    return perplexity(tail + scores.right)


def fluency_perplexity(scores: TokenScores) -> float:
    """PPL_f = PPL(l q r), QUILL eq. 6."""
    return perplexity(scores.left + scores.quotation + scores.right)
