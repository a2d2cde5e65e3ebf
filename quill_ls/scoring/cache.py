"""A memory of scores, so that nothing is scored twice while a writer works on one place."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.scoring.perplexity import Continuation, LanguageModel, Part, TokenScores

CAPACITY: Final = 4096
"""Scores that are kept by default: about 200 placeholders, some 10 megabytes."""

_Key = tuple[str, str, str, str, frozenset[Part]]


class CachedModel:
    """A `LanguageModel` that asks another one only for what it has not answered lately.

    Parameters
    ----------
    model
        The model that scores. Its name is part of the key.
    capacity
        How many scores to keep; those not used for the longest time are dropped.
    """

    def __init__(self, model: LanguageModel, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"a cache of {capacity} scores holds nothing")
        self._model = model
        self._capacity = capacity
        self._scores: OrderedDict[_Key, TokenScores] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Identify the weights: those of the model behind the cache."""
        return self._model.name

    def score(
        self,
        left: str,
        continuations: Sequence[Continuation],
        parts: frozenset[Part],
        cancel: CancelToken = NEVER,
    ) -> list[TokenScores]:
        """Score every continuation after `left`; see `LanguageModel.score`."""
        name = self.name
        keys = [(name, left, each.quotation, each.right, parts) for each in continuations]
        with self._lock:
            found = {key: self._scores[key] for key in keys if key in self._scores}
            for key in found:
                self._scores.move_to_end(key)
        missing = {
            key: each for key, each in zip(keys, continuations, strict=True) if key not in found
        }
        if missing:
            new = self._model.score(left, list(missing.values()), parts, cancel)
            found.update(zip(missing, new, strict=True))
            self._remember(missing, found)
        return [found[key] for key in keys]

    def _remember(self, keys: dict[_Key, Continuation], scores: dict[_Key, TokenScores]) -> None:
        with self._lock:
            for key in keys:
                self._scores[key] = scores[key]
            while len(self._scores) > self._capacity:
                self._scores.popitem(last=False)
