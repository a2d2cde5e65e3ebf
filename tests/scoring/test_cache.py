from __future__ import annotations

import pytest
from fakes import FakeModel

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.scoring.cache import CachedModel
from quill_ls.scoring.perplexity import Continuation, Part

RIGHT: frozenset[Part] = frozenset({"right"})
ONE, TWO, THREE = (Continuation(text, " and so on") for text in ("one", "two", "three"))


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


def test_only_what_is_not_known_is_sent_on(model: FakeModel) -> None:
    cached = CachedModel(model)
    cached.score("left", [ONE, TWO], RIGHT)
    scores = cached.score("left", [TWO, THREE, ONE], RIGHT)
    assert [sent for _, sent, _ in model.calls] == [(ONE, TWO), (THREE,)]
    assert scores == FakeModel().score("left", [TWO, THREE, ONE], RIGHT)


def test_nothing_is_sent_where_all_is_known(model: FakeModel) -> None:
    cached = CachedModel(model)
    assert cached.score("left", [ONE], RIGHT) == cached.score("left", [ONE], RIGHT)
    assert len(model.calls) == 1


def test_a_continuation_that_is_asked_for_twice_is_scored_once(model: FakeModel) -> None:
    first, second = CachedModel(model).score("left", [ONE, ONE], RIGHT)
    assert first == second
    assert [sent for _, sent, _ in model.calls] == [(ONE,)]


@pytest.mark.parametrize(
    ("left", "continuation", "parts"),
    [
        ("other", ONE, RIGHT),
        ("left", Continuation("one", " and so forth"), RIGHT),
        ("left", Continuation("One", " and so on"), RIGHT),
        ("left", ONE, frozenset({"right", "quotation"})),
    ],
)
def test_any_difference_is_a_new_question(
    model: FakeModel, left: str, continuation: Continuation, parts: frozenset[Part]
) -> None:
    cached = CachedModel(model)
    cached.score("left", [ONE], RIGHT)
    cached.score(left, [continuation], parts)
    assert len(model.calls) == 2


def test_another_model_is_asked_again(model: FakeModel) -> None:
    cached = CachedModel(model)
    cached.score("left", [ONE], RIGHT)
    model.name = "other weights"
    cached.score("left", [ONE], RIGHT)
    assert len(model.calls) == 2


def test_the_least_recently_used_goes_first(model: FakeModel) -> None:
    cached = CachedModel(model, capacity=2)
    cached.score("left", [ONE, TWO], RIGHT)
    cached.score("left", [ONE], RIGHT)
    cached.score("left", [THREE], RIGHT)  # TWO has to go
    cached.score("left", [ONE, TWO], RIGHT)
    assert [sent for _, sent, _ in model.calls][-1] == (TWO,)


def test_more_than_fits_is_still_answered(model: FakeModel) -> None:
    cached = CachedModel(model, capacity=1)
    scores = cached.score("left", [ONE, TWO, THREE], RIGHT)
    assert scores == FakeModel().score("left", [ONE, TWO, THREE], RIGHT)


def test_a_cancelled_call_leaves_nothing_behind(model: FakeModel) -> None:
    cached, cancel = CachedModel(model), CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        cached.score("left", [ONE], RIGHT, cancel)
    cached.score("left", [ONE], RIGHT)
    assert len(model.calls) == 1


def test_a_cache_of_nothing_is_refused(model: FakeModel) -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        CachedModel(model, capacity=0)
