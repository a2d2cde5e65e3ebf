"""Recall by meaning: the quotations whose vectors are nearest to that of the context."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """The vectors of all embedded quotations, for exact search.

    Attributes
    ----------
    ids
        Ids of the quotations, rising, shape (n,).
    vectors
        Their vectors of length one, shape (n, d).
    """

    ids: Ids
    vectors: Vectors

    @classmethod
    def of(cls, ids: Ids, vectors: npt.NDArray[np.floating]) -> DenseIndex:
        """Make an index of vectors of any precision, ids in any order."""
        order = np.argsort(ids, kind="stable")
        if np.array_equal(order, np.arange(len(ids))):
            return cls(ids, vectors.astype(np.float32))
        return cls(ids[order], vectors[order].astype(np.float32))

    def __len__(self) -> int:
        return len(self.ids)

    def search(
        self, query: Vectors, limit: int, among: Collection[int] | None = None
    ) -> dict[int, float]:
        """Return the cosines of the `limit` quotations nearest to `query`, nearest first.

        Parameters
        ----------
        query
            Vector of length one, shape (d,).
        among
            Ids to choose from; None for all. Ids without a vector are passed over.
        """
        rows = None if among is None else self.rows(among)
        ids = self.ids if rows is None else self.ids[rows]
        if len(ids) == 0 or limit <= 0:
            return {}
        cosines = (self.vectors if rows is None else self.vectors[rows]) @ query
        if limit < len(cosines):
            nearest = np.argpartition(-cosines, limit)[:limit]
        else:
            nearest = np.arange(len(cosines))
        nearest = nearest[np.argsort(-cosines[nearest], kind="stable")]
        return {int(ids[i]): float(cosines[i]) for i in nearest}

    def rows(self, ids: Collection[int]) -> npt.NDArray[np.intp]:
        """Return the rows of those of `ids` that have a vector, in rising order of id."""
        wanted = np.unique(np.fromiter(ids, dtype=np.int64, count=len(ids)))
        at = np.searchsorted(self.ids, wanted)
        inside = at < len(self.ids)
        at, wanted = at[inside], wanted[inside]
        rows: npt.NDArray[np.intp] = at[self.ids[at] == wanted]
        return rows

    def joined(self, ids: Sequence[int], vectors: Vectors) -> DenseIndex:
        """Return an index that holds further vectors, too."""
        if not ids:
            return self
        if not len(self):
            return DenseIndex.of(np.asarray(ids, dtype=np.int64), vectors)
        all_ids = np.concatenate([self.ids, np.asarray(ids, dtype=np.int64)])
        return DenseIndex.of(all_ids, np.concatenate([self.vectors, vectors]))
