"""What encoders and models have computed: vectors, measures, calibrations."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy
import pytest

from quill_ls.errors import StoreError
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import Quotation


@pytest.fixture
def ids(store: Store) -> tuple[int, ...]:
    return store.add([Quotation(text=f"Number {n}", author="Ann") for n in range(4)]).ids


def vector(*values: float) -> bytes:
    return numpy.array(values, dtype="<f2").tobytes()


def test_vectors_come_back_as_a_matrix_by_ascending_id(store: Store, ids: tuple[int, ...]) -> None:
    store.put_vectors("minilm", [(ids[2], vector(1, 2, 3)), (ids[0], vector(-1, 0.5, 0))])
    found, matrix = store.vectors("minilm")
    assert found.tolist() == [ids[0], ids[2]]
    assert (found.dtype, matrix.dtype) == (numpy.int64, numpy.float16)
    assert matrix.tolist() == [[-1, 0.5, 0], [1, 2, 3]]


def test_vectors_of_some(store: Store, ids: tuple[int, ...]) -> None:
    store.put_vectors("minilm", [(id, vector(id)) for id in ids])
    found, matrix = store.vectors("minilm", numpy.array([ids[3], 999, ids[1]]))
    assert found.tolist() == [ids[1], ids[3]]
    assert matrix.tolist() == [[ids[1]], [ids[3]]]
    found, matrix = store.vectors("minilm", [])
    assert (found.shape, matrix.shape) == ((0,), (0, 0))


def test_an_encoder_that_nobody_has_used(store: Store, ids: tuple[int, ...]) -> None:
    found, matrix = store.vectors("other")
    assert (found.shape, matrix.shape) == ((0,), (0, 0))
    assert store.vector_count("other") == 0
    assert len(store.missing_vectors("other")) == 4


def test_work_that_was_broken_off_goes_on_where_it_stopped(
    store: Store, ids: tuple[int, ...]
) -> None:
    store.put_vectors("minilm", [(ids[1], vector(1))])
    store.put_vectors("other", [(ids[0], vector(1))])
    assert store.missing_vectors("minilm", limit=2) == [
        (ids[0], "Number 0"),
        (ids[2], "Number 2"),
    ]
    assert store.missing_vectors("minilm", Narrow(ids=ids[:3])) == store.missing_vectors(
        "minilm", limit=2
    )
    assert store.vector_count("minilm") == 1


def test_a_newer_vector_takes_the_place_of_an_older(store: Store, ids: tuple[int, ...]) -> None:
    store.put_vectors("minilm", [(ids[0], vector(1))])
    store.put_vectors("minilm", [(ids[0], vector(2))])
    assert store.vectors("minilm")[1].tolist() == [[2]]


def test_a_vector_of_a_quotation_removed_meanwhile_is_passed_over(
    store: Store, ids: tuple[int, ...]
) -> None:
    def computing() -> Iterator[tuple[int, bytes]]:
        yield ids[0], vector(1)
        store.remove([ids[1]])
        yield ids[1], vector(2)

    store.put_vectors("minilm", computing())
    assert store.vectors("minilm")[0].tolist() == [ids[0]]


def test_vectors_of_different_lengths_are_an_error(store: Store, ids: tuple[int, ...]) -> None:
    store.put_vectors("minilm", [(ids[0], vector(1)), (ids[1], vector(1, 2))])
    with pytest.raises(StoreError, match="length"):
        store.vectors("minilm")
    store.remove_vectors("minilm")
    assert store.vector_count("minilm") == 0


def test_measures_by_model_and_name(store: Store, ids: tuple[int, ...]) -> None:
    store.put_measures("smol", "perplexity", {ids[0]: 3.5, ids[1]: math.nan, 999: 1.0})
    store.put_measures("smol", "familiarity", {ids[0]: -0.5})
    store.put_measures("gemma", "perplexity", {ids[0]: 7.0})
    store.put_measures("smol", "perplexity", {ids[2]: math.inf, ids[0]: 4.0})
    assert store.measures("smol", "perplexity") == {ids[0]: 4.0, ids[2]: math.inf}
    assert store.measures("smol", "perplexity", [ids[2], ids[3]]) == {ids[2]: math.inf}
    assert store.measures("smol", "novelty") == {}


def test_measures_take_numpy_numbers(store: Store, ids: tuple[int, ...]) -> None:
    rows = numpy.array(ids)
    store.put_measures("smol", "x", dict(zip(rows, numpy.float32([1, 2, 3, 4]), strict=True)))
    assert store.measures("smol", "x", rows[:2]) == {ids[0]: 1.0, ids[1]: 2.0}


def test_measures_of_authors(store: Store, ids: tuple[int, ...]) -> None:
    (ann,) = store.authors()
    store.put_author_measures("smol", "notability", {ann.id: -8.25, 999: 0.0})
    assert store.author_measures("smol", "notability") == {ann.id: -8.25}
    assert store.author_measures("smol", "notability", []) == {}


def test_calibrations(store: Store) -> None:
    assert store.calibrations("smol") == {}
    store.put_calibration("smol", "matching", 30.0, 0.04, 500)
    store.put_calibration("smol", "matching", 31.5, 0.05, 800)
    store.put_calibration("smol", "fluency", 16.0, 0.5, 800)
    assert store.calibrations("smol") == {
        "matching": (31.5, 0.05, 800),
        "fluency": (16.0, 0.5, 800),
    }
