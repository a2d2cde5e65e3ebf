"""Which texts say nearly the same words, and which contain another: exact, for whole stores.

A text is the set of its folded words and of its pairs of neighbouring words (in Chinese,
characters and pairs of characters). Similarity is Jaccard's: shared shingles by all shingles.

No pair is missed, unlike with MinHash. Two sets of similarity t share an element among the first
``n - ceil(t n) + 1`` of each, in any common order (prefix filter; Bayardo, Ma and Srikant 2007).
Ordered by rarity these are words that few texts have, so that few pairs must be looked at:
300,000 quotations take about a minute on one core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.text.script import has_han, is_han

_Ints = NDArray[np.int64]
_CHUNK = 1 << 16
"""Pairs that are compared at once; each has about a hundred shingles."""

_CANDIDATES = 1 << 22
"""Pairs that are looked for at once: what the memory of some hundred megabytes holds."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of texts by their positions.

    Attributes
    ----------
    first, second
        int64, shape (n,), ``first < second``.
    similarity
        float64, shape (n,): Jaccard's, in 0..1.
    """

    first: _Ints
    second: _Ints
    similarity: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.first)

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        return zip(self.first.tolist(), self.second.tolist(), self.similarity.tolist(), strict=True)


class Shingled:
    """The shingles of many texts, as ranks from the rarest (0) to the most frequent.

    Parameters
    ----------
    folded
        Texts as `fold_key` gives them.
    """

    def __init__(self, folded: Sequence[str]) -> None:
        self._folded = folded
        sets = [shingles(text) for text in folded]
        self._sizes: _Ints = np.fromiter(map(len, sets), np.int64, len(sets))
        total = int(self._sizes.sum())
        hashes = np.fromiter((hash(s) for one in sets for s in one), np.int64, total)
        pairs = np.fromiter((len(s) > 1 and s[0] == "+" for one in sets for s in one), bool, total)
        del sets
        owners = np.repeat(np.arange(len(folded), dtype=np.int64), self._sizes)
        _, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
        rank_of = np.empty(len(counts), np.int64)
        rank_of[np.argsort(counts, kind="stable")] = np.arange(len(counts))
        ranks = rank_of[inverse]
        order = np.lexsort((ranks, owners))
        self._ranks: _Ints = ranks[order]
        self._owners: _Ints = owners[order]
        self._pairs = pairs[order]
        self._starts: _Ints = np.concatenate(([0], np.cumsum(self._sizes)))

    def similar(self, threshold: float, cancel: CancelToken = NEVER) -> Pairs:
        """Return all pairs whose Jaccard similarity is at least `threshold` (0 < t <= 1)."""
        first, second = self._candidates(threshold, cancel)
        similarity = np.empty(len(first))
        for begin in range(0, len(first), _CHUNK):
            cancel.check()
            chunk = slice(begin, begin + _CHUNK)
            similarity[chunk] = self._jaccard(first[chunk], second[chunk])
        enough = similarity >= threshold - 1e-9
        return Pairs(first[enough], second[enough], similarity[enough])

    def contained(self, cancel: CancelToken = NEVER) -> list[tuple[int, int]]:
        """Return the pairs (shorter, longer) in which one text stands word for word in another.

        Texts of a single word are in too many others to tell anything, and are left out.
        """
        # A text that contains another has all of its pairs of words: its rarest is enough to
        # look under.
        owners, ranks = self._owners[self._pairs], self._ranks[self._pairs]
        rarest: dict[int, int] = {}
        for owner, rank in zip(owners.tolist(), ranks.tolist(), strict=True):
            rarest.setdefault(owner, rank)  # ranks ascend within an owner
        order = np.argsort(ranks, kind="stable")
        ranks, owners = ranks[order], owners[order]
        probes = np.fromiter(rarest.values(), np.int64, len(rarest))
        begins = np.searchsorted(ranks, probes, "left").tolist()
        ends = np.searchsorted(ranks, probes, "right").tolist()
        found = []
        for shorter, begin, end in zip(rarest, begins, ends, strict=True):
            cancel.check()
            if end - begin < 2:
                continue
            text = self._folded[shorter]
            for longer in owners[begin:end].tolist():
                whole = self._folded[longer]
                if len(whole) > len(text) and text in whole and _at_word_ends(text, whole):
                    found.append((shorter, longer))
        return found

    def _candidates(self, threshold: float, cancel: CancelToken) -> tuple[_Ints, _Ints]:
        """Return the distinct pairs that share a shingle of their prefixes and fit in size."""
        places = np.arange(len(self._ranks)) - self._starts[self._owners]
        sizes = self._sizes[self._owners]
        prefix = places < sizes - np.ceil(threshold * sizes - 1e-9).astype(np.int64) + 1
        ranks, owners = self._ranks[prefix], self._owners[prefix]
        order = np.lexsort((owners, ranks))
        ranks, owners = ranks[order], owners[order]
        sizes = self._sizes[owners]
        # How many owners of the same rank come after each.
        after = np.searchsorted(ranks, ranks, "right") - np.arange(len(ranks)) - 1
        found = [np.empty(0, np.int64)]
        for part in _at_once(after):
            cancel.check()
            count = after[part]
            left = np.repeat(np.arange(part.start, part.stop), count)
            right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count)
            small = np.minimum(sizes[left], sizes[right])
            large = np.maximum(sizes[left], sizes[right])
            fits = small >= threshold * large - 1e-9
            found.append(np.unique(owners[left[fits]] << 32 | owners[right[fits]]))
        keys = np.unique(np.concatenate(found))
        return keys >> 32, keys & 0xFFFFFFFF

    def _jaccard(self, first: _Ints, second: _Ints) -> NDArray[np.float64]:
        span = int(self._ranks.max(initial=0)) + 1
        keys = np.concatenate([self._keys(first, span), self._keys(second, span)])
        keys.sort()
        shared = np.bincount(keys[:-1][keys[1:] == keys[:-1]] // span, minlength=len(first))
        union = self._sizes[first] + self._sizes[second] - shared
        result: NDArray[np.float64] = shared / union
        return result

    def _keys(self, owners: _Ints, span: int) -> _Ints:
        """Return number of pair and rank in one integer, for every shingle of `owners`."""
        sizes = self._sizes[owners]
        pair = np.repeat(np.arange(len(owners)), sizes)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        keys: _Ints = pair * span + self._ranks[np.repeat(self._starts[owners], sizes) + within]
        return keys


def shingles(folded: str) -> set[str]:
    """Return the words of a folded text and, marked by "+", its pairs of neighbouring words."""
    words = words_of(folded)
    return {*words, *(f"+{one} {two}" for one, two in pairwise(words))}


def words_of(folded: str) -> list[str]:
    """Return the words of a folded text, each Han character one of its own."""
    if not has_han(folded):
        return folded.split()
    return "".join(f" {char} " if is_han(char) else char for char in folded).split()


def _at_once(counts: _Ints) -> list[slice]:
    """Return consecutive slices of `counts`, each of about `_CANDIDATES` in sum."""
    part = np.cumsum(counts) // _CANDIDATES
    cuts = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(counts)]
    return [slice(begin, end) for begin, end in pairwise(cuts) if end > begin]


def _at_word_ends(text: str, whole: str) -> bool:
    """Whether `text` stands in `whole` as whole words."""
    if has_han(text):
        return True
    return f" {text} " in f" {whole} "
