import numpy as np
import pytest

from quill_ls.retrieval.dense import DenseIndex


def index() -> DenseIndex:
    vectors = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]], dtype=np.float16)
    return DenseIndex.of(np.array([30, 10, 20]), vectors)


def test_the_nearest_come_first():
    found = index().search(np.array([1.0, 0.0], dtype=np.float32), 2)
    assert list(found) == [10, 20]
    assert found[10] == pytest.approx(1.0)
    assert found[20] == pytest.approx(0.6, abs=1e-3)


def test_search_among_some_passes_over_ids_without_a_vector():
    found = index().search(np.array([1.0, 0.0], dtype=np.float32), 5, among=[30, 20, 99, 1])
    assert list(found) == [20, 30]


def test_nothing_to_search():
    empty = DenseIndex.of(np.empty(0, np.int64), np.empty((0, 2), np.float16))
    query = np.array([1.0, 0.0], dtype=np.float32)
    assert empty.search(query, 3) == {}
    assert empty.search(query, 3, among=[1, 2]) == {}
    assert index().search(query, 3, among=[]) == {}


def test_further_vectors_are_found_too():
    more = index().joined([5], np.array([[1.0, 0.0]], dtype=np.float32))
    assert set(more.search(np.array([1.0, 0.0], dtype=np.float32), 2)) == {5, 10}
    assert more.ids.tolist() == [5, 10, 20, 30]


def test_the_first_vectors_make_an_index_of_nothing_one_of_something():
    empty = DenseIndex.of(np.empty(0, np.int64), np.empty((0, 0), np.float16))
    assert len(empty.joined([5], np.array([[1.0, 0.0]], dtype=np.float32))) == 1
