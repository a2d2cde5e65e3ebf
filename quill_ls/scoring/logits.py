"""From logits to the log-probabilities of the tokens that really followed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_CHUNK_BYTES = 1 << 20
"""Logits worked on at once. They are read three times, so they should stay in the cache."""


def log_probabilities(logits: NDArray[np.float32], tokens: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return log P(token) under the softmax of each row of logits.

    The logits are only read, a few rows at a time, so that a large vocabulary needs no second
    copy of them. The exponentials are float32, whose error (1e-7 relative) is far below that of
    the model's own arithmetic.

    Parameters
    ----------
    logits
        Shape (rows, vocabulary).
    tokens
        Shape (rows,): the token that followed at each row.

    Returns
    -------
    numpy.ndarray
        Shape (rows,), natural logarithms.
    """
    rows, vocabulary = logits.shape
    result = np.empty(rows, dtype=np.float64)
    step = max(1, _CHUNK_BYTES // (4 * vocabulary))
    scratch = np.empty((min(step, rows), vocabulary), dtype=np.float32)
    for start in range(0, rows, step):
        chunk = logits[start : start + step]
        shifted = scratch[: len(chunk)]
        highest = chunk.max(axis=1, keepdims=True)
        np.subtract(chunk, highest, out=shifted)
        chosen = shifted[np.arange(len(chunk)), tokens[start : start + step]].astype(np.float64)
        np.exp(shifted, out=shifted)
        total = shifted.sum(axis=1, dtype=np.float64)
        result[start : start + step] = chosen - np.log(total)
    return result


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-probabilities of all tokens for one row of logits, as a copy."""
    shifted: NDArray[np.float32] = logits - logits.max()
    shifted -= np.log(np.exp(shifted).sum(dtype=np.float64))
    return shifted
