"""From logits to the log-probabilities of the tokens that really followed."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

_CHUNK_BYTES = 1 << 20
"""Logits worked on at once. They are read three times, so they should stay in the cache."""


def log_probabilities(
    logits: NDArray[np.float32], tokens: NDArray[np.intp], pool: Executor | None = None
) -> NDArray[np.float64]:
    """Return log P(token) under the softmax of each row of logits.

    The logits are only read, a few rows at a time, so that a large vocabulary needs no second
    copy of them. The arithmetic is float32, whose error (1e-6) is far below the model's own.

    Parameters
    ----------
    logits
        Shape (rows, vocabulary).
    tokens
        Shape (rows,): the token that followed at each row.
    pool
        Threads to share the rows among. On many cores one thread would take as long as the
        decoding; numpy lets several work at once.

    Returns
    -------
    numpy.ndarray
        Shape (rows,), natural logarithms.
    """
    rows, vocabulary = logits.shape
    result = np.empty(rows, dtype=np.float64)
    step = max(1, _CHUNK_BYTES // (4 * vocabulary))

    def work(start: int) -> None:
        chunk = slice(start, start + step)
        result[chunk] = _of_chunk(logits[chunk], tokens[chunk])

    starts = range(0, rows, step)
    for _ in map(work, starts) if pool is None else pool.map(work, starts):
        pass
    return result


def _of_chunk(logits: NDArray[np.float32], tokens: NDArray[np.intp]) -> NDArray[np.float32]:
    shifted = logits - logits.max(axis=1, keepdims=True)
    chosen = shifted[np.arange(len(tokens)), tokens]
    np.exp(shifted, out=shifted)
    result: NDArray[np.float32] = chosen - np.log(shifted.sum(axis=1))
    return result


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-probabilities of all tokens for one row of logits, as a copy."""
    shifted: NDArray[np.float32] = logits - logits.max()
    shifted -= np.log(np.exp(shifted).sum(dtype=np.float64))
    return shifted
