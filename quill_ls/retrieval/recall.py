"""Recall: from a place in a text to the candidates that are worth the model's time.

Constraints narrow first (see `constraints`), then meaning and words search what is left, and
the two are joined into one relevance. Whatever is missing - the encoder, some vectors - makes
recall poorer, never impossible, and is told in the notices.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import StoreError
from quill_ls.parsing.gazetteer import Gazetteer
from quill_ls.parsing.placeholder import Wishes
from quill_ls.retrieval.constraints import Constraint, Demands, find_demands
from quill_ls.retrieval.dense import DenseIndex
from quill_ls.retrieval.encoder import Encoder
from quill_ls.retrieval.fusion import weighted_sum
from quill_ls.retrieval.query import Query, build_query
from quill_ls.retrieval.quotability import quotability
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import TIERS, Quotation, Tier
from quill_ls.text.fold import fold_key

DENSE_WEIGHT = 1.0
LEXICAL_WEIGHT = 0.3
LEANING = 0.15
"""Added to the relevance of an author who is named near by."""
TOPIC = 0.15
"""Added to the relevance of a quotation that the store files under a wished topic."""
RENOWN = 0.35
"""Weight of the author's prior in the relevance: without it the first hundred of a large popular
collection are by names that no reader knows."""
SOURCED = 0.2
"""Added where the store knows work and place: a writer can use it without looking it up."""
FORM = 0.5
"""Weight of `quotability`: long passages and fragments of stories stay behind."""

MAX_EMBED_NOW = 256
"""How many missing vectors are computed while the writer waits (about two seconds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place that wants a quotation: the prose on both sides and what was wished for."""

    left: str
    right: str
    wishes: Wishes
    languages: tuple[str, ...]
    tiers: tuple[Tier, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A quotation recalled for a place.

    Attributes
    ----------
    relevance
        Fused score, higher is better; comparable within one recall only.
    similarity
        Cosine of the vectors of query and quotation, or NaN without them.
    lexical
        BM25 score, or 0 where no word is shared.
    """

    quotation: Quotation
    relevance: float
    similarity: float
    lexical: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """What recall brought for one place, best first, and how it went about it.

    Attributes
    ----------
    pool
        How many quotations met the constraints.
    notices
        What the writer should know, one sentence each.
    """

    candidates: tuple[Candidate, ...]
    constraints: tuple[Constraint, ...]
    pool: int
    notices: tuple[str, ...]


class Recall:
    """The searches over one store, with the encoder's index held in memory.

    Parameters
    ----------
    prior
        Renown of an author in 0..1 by canonical name.
    encoder
        None for full text alone.
    """

    def __init__(
        self,
        store: Store,
        gazetteer: Gazetteer,
        prior: Callable[[str], float],
        encoder: Encoder | None = None,
    ) -> None:
        self._store = store
        self._gazetteer = gazetteer
        self._prior = prior
        self._encoder = encoder
        self._dense: DenseIndex | None = None

    def __call__(self, place: Place, limit: int, cancel: CancelToken = NEVER) -> Recalled:
        """Return at most `limit` candidates for `place`, best first."""
        notices: list[str] = []
        demands = find_demands(place.left, place.right, place.wishes, self._gazetteer)
        if demands.unknown_author:
            notices.append(f"The store holds nothing by “{demands.unknown_author}”.")
            return Recalled((), demands.told, 0, tuple(notices))
        narrow, demands = self._narrow(place, demands, notices)
        topics = " ".join(place.wishes.topics)
        query = build_query(place.left, place.right, f"{place.wishes.words} {topics}".strip())
        cancel.check()
        narrowed = bool(narrow.author_ids or narrow.work)
        ids = self._store.ids(narrow)
        dense = self._search_dense(query, ids, limit * 4, narrowed, cancel)
        lexical = self._search_words(query, narrow, limit * 2)
        scores = weighted_sum([(DENSE_WEIGHT, dense), (LEXICAL_WEIGHT, lexical)])
        if narrowed or len(scores) < limit:
            # Everything that meets a narrow demand is worth a look, found by the searches or not.
            for item in ids[: limit * 4]:
                scores.setdefault(item, 0.0)
        candidates = self._candidates(scores, dense, lexical, place.wishes, demands)
        return Recalled(candidates[:limit], demands.told, len(ids), tuple(notices))

    def _narrow(self, place: Place, demands: Demands, notices: list[str]) -> tuple[Narrow, Demands]:
        """Turn demands into a filter, and give up those that nothing meets."""
        base = Narrow(
            languages=place.languages,
            tiers=place.wishes.tiers or place.tiers,
            max_length=place.wishes.max_length,
        )
        if demands.proverb:
            proverbs = self._gazetteer.lookup("Proverb") or self._gazetteer.lookup("谚语")
            demands = replace(demands, authors=proverbs)
        narrow = replace(base, author_ids=demands.authors, work=demands.work)
        wished = any(constraint.origin == "wish" for constraint in demands.told)
        if self._store.count(narrow) > 0 or narrow == base:
            return narrow, demands
        if demands.work and demands.authors:
            without_work = replace(narrow, work="")
            if self._store.count(without_work) > 0:
                notices.append(f"Nothing from “{demands.work}” is in the store.")
                told = tuple(c for c in demands.told if c.kind != "work")
                return without_work, replace(demands, work="", told=told)
        if wished:
            return narrow, demands
        told_names = ", ".join(constraint.value for constraint in demands.told)
        if told_names:
            notices.append(
                f"The text credits {told_names}, but the store holds nothing of that "
                "in this language and tier: searched everywhere."
            )
        return base, replace(demands, authors=(), work="", proverb=False, told=())

    def _search_dense(
        self, query: Query, ids: Sequence[int], limit: int, narrowed: bool, cancel: CancelToken
    ) -> dict[int, float]:
        if self._encoder is None or not query.text or not self._encoder.reads(query.text):
            return {}
        index = self._index()
        if narrowed and len(ids) <= MAX_EMBED_NOW:
            index = self._embed_missing(index, ids, cancel)
        vector = self._encoder.encode([query.text], cancel=cancel)[0]
        return index.search(vector, limit, among=ids)

    def _index(self) -> DenseIndex:
        if self._dense is None:
            assert self._encoder is not None
            self._dense = DenseIndex.of(*self._store.vectors(self._encoder.name))
        return self._dense

    def _embed_missing(
        self, index: DenseIndex, ids: Sequence[int], cancel: CancelToken
    ) -> DenseIndex:
        """Compute the vectors that a narrow demand lacks, now, and keep them."""
        assert self._encoder is not None
        have = set(index.ids[index.rows(ids)].tolist())
        missing = [item for item in ids if item not in have]
        if not missing:
            return index
        quotations = self._store.get_many(missing)
        rows = [item for item in missing if item in quotations]
        vectors = self._encoder.encode([quotations[item].text for item in rows], cancel=cancel)
        self._dense = index.joined(rows, vectors)
        if not self._store.readonly:
            # Where somebody else is writing they are not kept: they are only a cache.
            with contextlib.suppress(StoreError):
                self._store.put_vectors(
                    self._encoder.name,
                    zip(rows, (v.astype("<f2").tobytes() for v in vectors), strict=True),
                )
        return self._dense

    def _search_words(self, query: Query, narrow: Narrow, limit: int) -> dict[int, float]:
        if not query.terms:
            return {}
        hits = self._store.search_words(query.terms, narrow=narrow, limit=limit)
        return {hit.id: hit.score for hit in hits}

    def _candidates(
        self,
        scores: Mapping[int, float],
        dense: Mapping[int, float],
        lexical: Mapping[int, float],
        wishes: Wishes,
        demands: Demands,
    ) -> tuple[Candidate, ...]:
        leanings = {self._gazetteer.author(author).name for author in demands.leanings}
        topics = {topic.casefold() for topic in wishes.topics}
        quotations = self._store.get_many(list(scores))
        found = []
        for item, score in scores.items():
            quotation = quotations.get(item)
            if quotation is None:
                continue
            relevance = (
                score
                + RENOWN * self._prior(quotation.author)
                + LEANING * (quotation.author in leanings)
                + TOPIC * bool(topics & {topic.casefold() for topic in quotation.topics})
                + SOURCED * (quotation.tier in ("reference", "sourced"))
                + FORM * quotability(quotation.text)
            )
            found.append(
                Candidate(quotation, relevance, dense.get(item, math.nan), lexical.get(item, 0.0))
            )
        ranked = sorted(found, key=lambda c: (-c.relevance, c.quotation.id))
        return _best_attested(ranked)


def _best_attested(ranked: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Drop entries whose very words a better tier gives to somebody: popular misattributions."""
    best: dict[str, int] = {}
    for candidate in ranked:
        key = fold_key(candidate.quotation.text)
        tier = TIERS.index(candidate.quotation.tier)
        best[key] = min(tier, best.get(key, tier))
    return tuple(
        candidate
        for candidate in ranked
        if TIERS.index(candidate.quotation.tier) == best[fold_key(candidate.quotation.text)]
    )
