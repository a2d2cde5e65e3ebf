"""A file that is no usable model is one clear sentence, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from quill_ls.errors import ModelError
from quill_ls.scoring.llama import LlamaModel


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no model file"):
        LlamaModel(tmp_path / "missing.gguf")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a file"):
        LlamaModel(tmp_path)


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\x03\x04 a zip archive"])
def test_a_file_that_is_not_gguf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="is not a GGUF model"):
        LlamaModel(path)


@pytest.mark.model
@pytest.mark.parametrize("kept", [4, 20, 1000, 700_000, 5_000_000, -100])
def test_a_truncated_file(tmp_path: Path, smollm2_path: Path, kept: int) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(smollm2_path.read_bytes()[:kept])
    with pytest.raises(ModelError, match="is damaged: it ends before"):
        LlamaModel(path)


@pytest.mark.model
def test_an_unknown_architecture(tmp_path: Path, smollm2_path: Path) -> None:
    def architecture(name: bytes) -> bytes:
        return b"general.architecture" + (8).to_bytes(4, "little") + b"\x05" + bytes(7) + name

    content = smollm2_path.read_bytes()
    assert architecture(b"llama") in content
    path = tmp_path / "model.gguf"
    path.write_bytes(content.replace(architecture(b"llama"), architecture(b"klama")))
    with pytest.raises(ModelError, match="unknown model architecture: 'klama'"):
        LlamaModel(path)


@pytest.mark.model
def test_a_context_larger_than_memory(smollm2_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from quill_ls.scoring import decoding

    monkeypatch.setattr(decoding.llama_cpp, "llama_init_from_model", lambda *_: None)
    with pytest.raises(ModelError, match="cannot make a context of 64 tokens"):
        LlamaModel(smollm2_path, context_tokens=64)
