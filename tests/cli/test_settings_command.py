"""`quill-ls settings show`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from quill_ls.settings.definition import options


def test_shows_values_and_where_they_come_from(
    quill: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".quill.toml").write_text("suggest.limit = 3\nsuggest.novelty = 7\n")

    run = quill("settings", "show", "--store", "mine.db", "--json")

    assert run.status == 0
    document = json.loads(run.out)
    assert document["settings"].keys() == options().keys()
    assert document["settings"]["suggest.limit"] == {
        "value": 3,
        "from": str(tmp_path / ".quill.toml"),
    }
    assert document["settings"]["store.path"]["value"] == str(tmp_path / "mine.db")
    assert document["settings"]["suggest.novelty"] == {"value": 0.0, "from": "default"}
    assert [problem["key"] for problem in document["problems"]] == ["suggest.novelty"]
    assert "suggest.novelty must be a number from -1 to 1, not 7." in run.err


def test_shows_a_table(quill: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = quill("settings", "show")
    assert run.status == 0
    for key in options():
        assert key in run.out
    assert "No settings file holds here." in run.out


def test_the_settings_of_a_document(quill: Callable, tmp_path: Path) -> None:
    (tmp_path / ".quill.toml").write_text("suggest.limit = 4\n")
    run = quill("settings", "show", tmp_path / "essay.md", "--json")
    assert json.loads(run.out)["settings"]["suggest.limit"]["value"] == 4


def test_a_broken_settings_file_is_one_sentence(quill: Callable, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[suggest\n")
    run = quill("settings", "show", "--settings", broken)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"quill-ls: The settings file {broken} is not TOML")
