from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from quill_ls.scoring import logits as module
from quill_ls.scoring.logits import log_probabilities, log_softmax


def test_equal_logits_give_equal_probabilities() -> None:
    logits = np.zeros((1, 4), dtype=np.float32)
    assert log_probabilities(logits, np.array([2])) == pytest.approx([np.log(1 / 4)])


def test_a_hand_computed_row() -> None:
    logits = np.log(np.array([[1, 2, 5]], dtype=np.float32))
    assert log_probabilities(logits, np.array([1])) == pytest.approx([np.log(2 / 8)])


def test_large_logits_do_not_overflow() -> None:
    logits = np.array([[1000.0, 999.0]], dtype=np.float32)
    expected = -np.log1p(np.exp(-1.0))
    assert log_probabilities(logits, np.array([0])) == pytest.approx([expected], rel=1e-6)


def test_no_rows_give_no_values() -> None:
    empty = np.empty((0, 10), dtype=np.float32)
    assert log_probabilities(empty, np.empty(0, dtype=np.intp)).shape == (0,)


def test_the_logits_are_not_changed() -> None:
    logits = np.array([[3.0, 1.0]], dtype=np.float32)
    log_probabilities(logits, np.array([0]))
    assert logits.tolist() == [[3.0, 1.0]]


@given(
    nps.arrays(
        np.float32,
        nps.array_shapes(min_dims=2, max_dims=2, max_side=30),
        elements=st.floats(-50, 50, width=32),
    )
)
def test_chunks_do_not_matter(values: np.ndarray) -> None:
    tokens = np.arange(len(values)) % values.shape[1]
    exact = values.astype(np.float64)
    expected = exact[np.arange(len(values)), tokens] - np.logaddexp.reduce(exact, axis=1)
    with pytest.MonkeyPatch.context() as patch:
        for chunk_bytes in (1, 4 * values.shape[1] * 3, 1 << 20):
            patch.setattr(module, "_CHUNK_BYTES", chunk_bytes)
            assert log_probabilities(values, tokens) == pytest.approx(expected, abs=2e-5)


def test_log_softmax_gives_the_whole_distribution() -> None:
    row = np.log(np.array([1, 2, 5], dtype=np.float32))
    assert np.exp(log_softmax(row)) == pytest.approx([1 / 8, 2 / 8, 5 / 8])
