"""How well known the authors of a store are: what was measured, else what the gazetteer says."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from quill_ls.ranking.notability import prior
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import TIERS, Author

LISTED = 0.75
"""Prior of an author of the curated list whom no model was asked about."""
WORTH_QUOTING = 0.5
"""Prior from which an author's quotations are made ready for recall by meaning."""
UNLISTED = 0.3
"""Prior of everybody else: an unmeasured stranger stands behind an unmeasured celebrity."""


class Renown:
    """The prior of an author by canonical name, in 0..1.

    Parameters
    ----------
    measured
        log P(name) by author id, of one model.
    listed
        Canonical names of the curated list.
    """

    def __init__(
        self, authors: Collection[Author], measured: Mapping[int, float], listed: Collection[str]
    ) -> None:
        self._ids = {author.name: author.id for author in authors}
        self._measured = dict(measured)
        self._listed = frozenset(listed)

    def __call__(self, name: str) -> float:
        """Return the prior of the author called `name`; 0 for an empty name."""
        if not name:
            return 0.0
        value = self.log_probability(name)
        listed = name in self._listed
        if math.isnan(value):
            return LISTED if listed else UNLISTED
        # A curated author is worth quoting even where a small model has not heard of him.
        return max(prior(value), LISTED) if listed else prior(value)

    def log_probability(self, name: str) -> float:
        """Return the measured log P(name), or NaN."""
        return self._measured.get(self._ids.get(name, -1), math.nan)

    def learn(self, log_probabilities: Mapping[str, float]) -> dict[int, float]:
        """Take over newly measured names; return them by author id, for the store."""
        by_id = {
            self._ids[name]: value
            for name, value in log_probabilities.items()
            if name in self._ids and self._ids[name] not in self._measured
        }
        self._measured.update(by_id)
        return by_id


def by_worth(
    store: Store, renown: Renown, narrow: Narrow | None = None, *, everybody: bool = False
) -> list[int]:
    """Return ids of quotations, the ones most likely to be quoted first.

    By tier, then by how many carry the words, then by the author's renown.

    Parameters
    ----------
    everybody
        Take in the authors below `WORTH_QUOTING`, too.
    """
    ranked = []
    for quotation in store.quotations(narrow):
        prior = renown(quotation.author)
        collected = quotation.tier == "collected"
        if everybody or not collected or prior >= WORTH_QUOTING:
            rank = (TIERS.index(quotation.tier), -quotation.carried, -prior, quotation.id)
            ranked.append(rank)
    return [rank[-1] for rank in sorted(ranked)]
