"""Computing the vectors that the store lacks: chunk by chunk, so that it may stop at any time."""

from __future__ import annotations

from collections.abc import Sequence

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.retrieval.encoder import Encoder, Progress, no_progress
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow

CHUNK = 256
"""Quotations between two writes: what is lost when the work is broken off, some seconds' worth."""


def embed_missing(
    store: Store,
    encoder: Encoder,
    narrow: Narrow | None = None,
    progress: Progress = no_progress,
    cancel: CancelToken = NEVER,
    *,
    order: Sequence[int] | None = None,
) -> int:
    """Compute and store the vector of every quotation that has none of this encoder.

    What is done is kept when the work is cancelled or fails; the next call goes on from there.

    Parameters
    ----------
    narrow
        Which quotations; all when None.
    order
        Only these of them, in this order; by ascending id when None.

    Returns
    -------
    int
        How many vectors were computed.

    Raises
    ------
    Cancelled
        Between two batches of the encoder, once `cancel` is set.
    StoreError
        If the store cannot be written.
    """
    missing = store.missing_vectors(encoder.name, narrow)
    if order is not None:
        texts = dict(missing)
        missing = [(number, texts[number]) for number in order if number in texts]
    for start in range(0, len(missing), CHUNK):
        cancel.check()
        progress(start, len(missing))
        chunk = missing[start : start + CHUNK]
        vectors = encoder.encode([text for _, text in chunk], cancel=cancel).astype("<f2")
        ids = (number for number, _ in chunk)
        store.put_vectors(
            encoder.name, zip(ids, (vector.tobytes() for vector in vectors), strict=True)
        )
    progress(len(missing), len(missing))
    return len(missing)
