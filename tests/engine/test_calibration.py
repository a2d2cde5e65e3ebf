"""The constants of a model come from a sample of the store, and stay there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import FakeModel

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.engine.calibration import LONGEST, MIN_SAMPLE, calibrate_model
from quill_ls.errors import InputError
from quill_ls.store.database import Store
from quill_ls.store.records import Quotation

WORDS = "time heals what reason cannot and fortune favours only the prepared mind".split()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "quotes.db") as opened:
        opened.add(
            Quotation(text=f"{' '.join(WORDS[: 3 + number % 9])} {number}.", author="A")
            for number in range(60)
        )
        yield opened


def test_curves_are_saved_under_the_model(store: Store) -> None:
    told: list[tuple[int, int | None]] = []
    found = calibrate_model(
        store, FakeModel(), "en", size=40, progress=lambda *done: told.append(done)
    )

    assert found.sample == 40
    assert told[-1] == (40, 40)
    for criterion, (mu, k, count) in store.calibrations("fake").items():
        assert (mu, k) == (found.curves[criterion].mu, found.curves[criterion].k)
        assert k > 0
        assert count == 40
    assert store.calibrations("fake").keys() == {"matching", "fluency", "novelty"}
    # Every token has probability 1/2 or 1/8, so every perplexity lies between 2 and 8.
    assert 2 < found.curves["matching"].mu < 8
    assert 2 < found.curves["fluency"].mu < 8


def test_the_same_seed_draws_the_same_sample(store: Store) -> None:
    first, again, other = (
        calibrate_model(store, FakeModel(), "en", size=30, seed=seed) for seed in (1, 1, 2)
    )
    assert first.curves == again.curves
    assert first.curves != other.curves


def test_quotations_stand_in_a_text(store: Store) -> None:
    model = FakeModel()
    calibrate_model(store, model, "en", size=30)
    placed = [call for call in model.calls if call[0]]
    assert {len(left) > 40 for left, _, _ in placed} == {True}
    for _, continuations, _ in placed:
        for each in continuations:
            assert each.right.strip()
            assert len(each.quotation) <= LONGEST


def test_cancelling_saves_nothing(store: Store) -> None:
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        calibrate_model(
            store, FakeModel(), "en", progress=lambda *_: cancel.cancel(), cancel=cancel
        )
    assert not store.calibrations("fake")


def test_too_small_a_store_is_told(store: Store) -> None:
    with pytest.raises(InputError, match=f"has 0 quotations in “zh”: .* {MIN_SAMPLE} at least"):
        calibrate_model(store, FakeModel(), "zh")


def test_a_language_without_contexts_is_told(store: Store) -> None:
    with pytest.raises(InputError, match="no contexts in “fi”"):
        calibrate_model(store, FakeModel(), "fi")
