"""Stand-ins for the expensive parts, with answers that can be worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.scoring.perplexity import Continuation, Part, TokenScores


class FakeModel:
    """A language model whose tokens are characters.

    A character that has occurred before in its sequence has probability 1/2, a new one 1/8.
    As in a model without BOS, the first character of a sequence has no probability.

    Attributes
    ----------
    calls
        Every call that was answered: left context, continuations, parts.
    """

    def __init__(self, name: str = "fake") -> None:
        self.name = name
        self.calls: list[tuple[str, tuple[Continuation, ...], frozenset[Part]]] = []

    def score(
        self,
        left: str,
        continuations: Sequence[Continuation],
        parts: frozenset[Part],
        cancel: CancelToken = NEVER,
    ) -> list[TokenScores]:
        cancel.check()
        self.calls.append((left, tuple(continuations), parts))
        return [self._score(left, each, parts) for each in continuations]

    @staticmethod
    def _score(left: str, continuation: Continuation, parts: frozenset[Part]) -> TokenScores:
        text = left + continuation.quotation + continuation.right
        scores = [
            (offset, math.log(1 / 2 if text[offset] in text[:offset] else 1 / 8))
            for offset in range(1, len(text))
        ]
        borders = {
            "left": (0, len(left)),
            "quotation": (len(left), len(left) + len(continuation.quotation)),
            "right": (len(left) + len(continuation.quotation), len(text)),
        }
        values = {
            part: tuple(value for offset, value in scores if start <= offset < end)
            for part, (start, end) in borders.items()
        }
        start, end = borders["quotation"]
        starts = tuple(offset - start for offset, _ in scores if start <= offset < end)
        return TokenScores(
            left=values["left"] if "left" in parts else (),
            quotation=values["quotation"] if "quotation" in parts else (),
            right=values["right"] if "right" in parts else (),
            quotation_starts=starts if "quotation" in parts else (),
        )
