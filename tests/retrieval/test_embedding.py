"""Vectors are computed once, and work that was broken off goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from quill_ls.cancel import NEVER, Cancelled, CancelToken
from quill_ls.retrieval.embedding import CHUNK, embed_missing
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import Quotation

COUNT = 2 * CHUNK + 10


class LengthEncoder:
    """Encodes a text as its length; may call something before each batch."""

    name = "length"
    dimensions = 2

    def __init__(self, before: Callable[[int], None] = lambda encoded: None) -> None:
        self.encoded = 0
        self._before = before

    def encode(
        self, texts: Sequence[str], progress: object = None, cancel: CancelToken = NEVER
    ) -> np.ndarray:
        self._before(self.encoded)
        cancel.check()
        self.encoded += len(texts)
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "quotes.db") as opened:
        opened.add(
            Quotation(text=f"Saying {number} {'x' * (number % 7)}.", author=f"A{number % 2}")
            for number in range(COUNT)
        )
        yield opened


def test_every_quotation_gets_its_vector(store: Store) -> None:
    told: list[tuple[int, int | None]] = []
    assert embed_missing(store, LengthEncoder(), progress=lambda *done: told.append(done)) == COUNT

    ids, matrix = store.vectors("length")
    texts = store.get_many(ids.tolist())
    assert len(texts) == COUNT
    assert [len(quotation.text) for quotation in texts.values()] == matrix[:, 0].tolist()
    assert told == [(0, COUNT), (CHUNK, COUNT), (2 * CHUNK, COUNT), (COUNT, COUNT)]


def test_nothing_is_computed_twice(store: Store) -> None:
    embed_missing(store, LengthEncoder())
    again = LengthEncoder()
    assert embed_missing(store, again) == 0
    assert again.encoded == 0


def test_cancelled_work_is_kept_and_goes_on(store: Store) -> None:
    cancel = CancelToken()
    stopping = LengthEncoder(lambda encoded: cancel.cancel() if encoded >= CHUNK else None)
    with pytest.raises(Cancelled):
        embed_missing(store, stopping, cancel=cancel)
    assert store.vector_count("length") == CHUNK

    assert embed_missing(store, LengthEncoder()) == COUNT - CHUNK
    assert store.vector_count("length") == COUNT


def test_only_what_is_asked_for(store: Store) -> None:
    author = store.author("A1")
    assert author is not None
    embed_missing(store, LengthEncoder(), Narrow(author_ids=(author.id,)))
    assert store.vector_count("length") == COUNT // 2
