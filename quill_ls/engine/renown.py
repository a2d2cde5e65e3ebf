"""How well known the authors of a store are, and whose quotations are worth making ready."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping

from quill_ls.ranking.notability import prior
from quill_ls.store.authority import Authority
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import TIERS, Author

LISTED = 0.35
"""Least renown of a person of the authority file, whatever a model says of the name."""
LASTING = 0.5
"""Least renown of one who is still quoted long after death."""
LASTING_SINCE = 1950
UNMEASURED = 0.65
"""Renown of a person of the authority file whose name no model was asked for."""
UNLISTED = 0.1
"""Renown of everybody else until a model was asked."""
WORTH_QUOTING = 0.5
"""Renown from which an author's quotations are made ready for recall by meaning."""


class Renown:
    """The renown of authors by canonical name, in 0..1.

    Recall goes by what is known of the people in the authority file, so that the same place
    always gets the same candidates; ranking goes by what the model says of the others, too.

    Parameters
    ----------
    authors
        The store's authors.
    people
        The authority file.
    """

    def __init__(self, authors: Collection[Author], people: Iterable[Authority]) -> None:
        self._ids = {author.name: author.id for author in authors}
        self._measured: dict[int, float] = {}
        self._listed = {entry.name: _listed(entry) for entry in people}

    def __call__(self, name: str) -> float:
        """Return what is known beforehand of the author called `name`; 0 for an empty name."""
        return self._listed.get(name, UNLISTED) if name else 0.0

    def measured(self, name: str) -> float:
        """Return the renown with what a model said of a name that is not in the file."""
        if name in self._listed:
            return self._listed[name]
        value = self._measured.get(self._ids.get(name, -1))
        return self(name) if value is None else prior(value)

    def is_open(self, name: str) -> bool:
        """Whether a model has still to be asked for a name."""
        return bool(name) and name not in self._listed and self._ids.get(name) not in self._measured

    def remember(self, log_probabilities: Mapping[int, float]) -> None:
        """Take over what a model said before, by author id."""
        self._measured.update(log_probabilities)

    def learn(self, log_probabilities: Mapping[str, float]) -> dict[int, float]:
        """Take over newly measured names; return them by author id, for the store."""
        by_id = {
            self._ids[name]: value
            for name, value in log_probabilities.items()
            if name in self._ids and self._ids[name] not in self._measured
        }
        self._measured.update(by_id)
        return by_id


def _listed(entry: Authority) -> float:
    lasting = entry.died is not None and entry.died <= LASTING_SINCE
    floor = LASTING if lasting else LISTED
    if entry.notability is None:
        return max(UNMEASURED, floor)
    return floor + (1.0 - floor) * prior(entry.notability)


def by_worth(
    store: Store,
    renown: Renown,
    narrow: Narrow | None = None,
    *,
    reads: Callable[[str], bool] = lambda text: True,
    everybody: bool = False,
) -> list[int]:
    """Return ids of quotations, the ones most likely to be quoted first.

    By tier, then by the author's renown with a bonus for words that are carried often.

    Parameters
    ----------
    reads
        Whether the encoder can do anything with a text.
    everybody
        Take in the authors below `WORTH_QUOTING`, too.
    """
    ranked = []
    for quotation in store.quotations(narrow):
        if not reads(quotation.text):
            continue
        known = renown(quotation.author)
        collected = quotation.tier == "collected"
        if everybody or not collected or known >= WORTH_QUOTING:
            worth = known + 0.2 * math.log(quotation.carried)
            ranked.append((TIERS.index(quotation.tier), -worth, quotation.id))
    return [rank[-1] for rank in sorted(ranked)]
