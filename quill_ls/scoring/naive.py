"""The plain way to the same numbers: the reference for tests and benchmarks, not for use.

As the published code does it (QUILL, section 5.3): each candidate alone, in two passes, one over
``l q`` and one over ``l q r``, with the logits of every token copied and turned into
log-probabilities. Nothing is shared between candidates or passes, so there is nothing to get
wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quill_ls.scoring.batching import Limits
from quill_ls.scoring.decoding import DecodingContext, Run
from quill_ls.scoring.native import physical_cores
from quill_ls.scoring.perplexity import Continuation, TokenScores
from quill_ls.scoring.weights import Weights


class NaiveModel:
    """Scores one candidate at a time.

    Parameters
    ----------
    path
        The GGUF file.
    threads
        Threads to compute with; 0 for the physical cores.
    context_tokens
        Longest sequence.
    """

    def __init__(self, path: Path, *, threads: int = 0, context_tokens: int = 512) -> None:
        self._weights = Weights(path)
        limits = Limits(context_tokens, context_tokens, context_tokens, 1)
        self._context = DecodingContext(self._weights, limits, threads or physical_cores())

    def close(self) -> None:
        """Give the memory back."""
        self._context.close()
        self._weights.close()

    def score_one_at_a_time(
        self, left: str, continuations: Sequence[Continuation]
    ) -> list[TokenScores]:
        """Score all parts of every continuation."""
        return [self._score(left, each) for each in continuations]

    def _score(self, left: str, continuation: Continuation) -> TokenScores:
        head = self._weights.bos_tokens + self._weights.tokens(left)
        quotation = self._weights.tokens(continuation.quotation)
        right = self._weights.tokens(continuation.right)
        starts = self._weights.starts(quotation)

        first = self._pass(head + quotation)
        second = self._pass(head + quotation + right)
        # scores[i] is that of token i + 1: the first token of a sequence has none.
        quotation_from = max(0, len(head) - 1)
        right_from = max(0, len(head) + len(quotation) - 1)
        unscored = 0 if head else 1
        return TokenScores(
            left=tuple(second[:quotation_from]),
            quotation=tuple(first[quotation_from:]),
            right=tuple(second[right_from:]),
            quotation_starts=starts[unscored:],
        )

    def _pass(self, tokens: tuple[int, ...]) -> list[float]:
        """Return log P(token) of all tokens but the first."""
        if not tokens:
            return []
        self._context.clear()
        logits = np.array(self._context.decode([Run(0, 0, tokens, 0)]), copy=True)
        scores = _log_softmax(logits)[np.arange(len(tokens) - 1), np.array(tokens[1:], dtype=int)]
        return [float(score) for score in scores]


def _log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    shifted = logits - logits.max(axis=1, keepdims=True)
    result: NDArray[np.float32] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result
