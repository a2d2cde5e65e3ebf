"""What holds for all tests: no test touches the user's own files."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that takes the place of the user's settings and data folders."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("QUILL_HOME", str(folder))
    monkeypatch.delenv("QUILL_DEBUG", raising=False)
    return folder
