"""Finding the model to use."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from quill_ls.errors import ModelError
from quill_ls.scoring.manifest import (
    HubSource,
    Manifest,
    ModelEntry,
    PackagePart,
    PackageSource,
)
from quill_ls.scoring.models import choose, fingerprint, installed, remove, resolve

ENGLISH = ModelEntry(
    name="english-small",
    title="English",
    parameters=64,
    languages=("en",),
    licence="MIT",
    context_length=512,
    bos="none",
    quantisation="Q4_0",
    size=100,
    sha256="",
    preference=1,
    source=PackageSource("bundled", (PackagePart("dist", "quill_test_nowhere/model.gguf"),)),
)
CHINESE = dataclasses.replace(ENGLISH, name="both-small", languages=("en", "zh"), preference=0)
LARGE = dataclasses.replace(
    CHINESE, name="both-large", preference=5, source=HubSource("a/b", "c.gguf", "main")
)
MANIFEST = Manifest((ENGLISH, CHINESE, LARGE))


@pytest.fixture
def folder(tmp_path: Path, tiny_gguf: Callable) -> Callable[..., Path]:
    def make(*names: str) -> Path:
        for name in names:
            (tmp_path / f"{name}.gguf").write_bytes(tiny_gguf())
        return tmp_path

    return make


def test_an_installed_model_is_found_by_name(folder: Callable) -> None:
    models = folder("both-large")
    found = resolve("both-large", models, MANIFEST)
    assert (found.path, found.entry) == (models / "both-large.gguf", LARGE)


def test_a_file_in_the_folder_needs_no_entry(folder: Callable) -> None:
    models = folder("mine")
    assert resolve("mine", models, MANIFEST).path == models / "mine.gguf"
    assert [(m.name, m.entry, m.damaged) for m in installed(models, MANIFEST)] == [
        ("mine", None, False)
    ]


def test_any_file_is_found_by_its_path(folder: Callable, tmp_path: Path) -> None:
    path = folder("elsewhere") / "elsewhere.gguf"
    found = resolve(path, tmp_path / "models", MANIFEST)
    assert (found.name, found.path, found.entry) == ("elsewhere", path, None)


def test_a_model_that_a_package_carries_is_used_from_there(
    tmp_path: Path, tiny_gguf: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "quill_test_nowhere"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('this code must not run')")
    (package / "model.gguf").write_bytes(tiny_gguf())
    monkeypatch.syspath_prepend(package.parent)

    assert resolve("english-small", tmp_path, MANIFEST).path == package / "model.gguf"
    assert choose("en", tmp_path, MANIFEST).name == "english-small"


@pytest.mark.parametrize(
    ("here", "language", "expected"),
    [
        (("english-small", "both-small"), "en", "english-small"),
        (("english-small", "both-small"), "zh", "both-small"),
        (("english-small", "both-small"), "lzh", "both-small"),
        (("english-small", "both-large"), "en", "both-large"),
        # No model is known to read it: then the best there is.
        (("english-small", "both-large"), "fi", "both-large"),
    ],
)
def test_chooses_the_best_that_reads_the_language(
    folder: Callable, here: tuple[str, ...], language: str, expected: str
) -> None:
    assert choose(language, folder(*here), MANIFEST).name == expected


def test_says_what_to_install_for_the_language(folder: Callable) -> None:
    with pytest.raises(ModelError) as raised:
        choose("zh", folder("english-small"), MANIFEST)
    assert raised.value.message == 'No language model for texts in "zh" is installed.'
    assert raised.value.hint == (
        'Run `pip install "quill-ls[bundled]"`, then `quill-ls model install both-small`.'
    )


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("both-large", r'"both-large" is not installed\. Run `quill-ls model install both-large`'),
        ("no/such.gguf", "There is no model file"),
        ("unknown", 'There is no model "unknown"'),
    ],
)
def test_a_model_that_is_not_there_is_told(tmp_path: Path, wanted: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        resolve(wanted, tmp_path, MANIFEST)


def test_remove_deletes_what_is_in_the_folder_and_nothing_else(folder: Callable) -> None:
    models = folder("mine", "other")
    (models / "mine.json").write_text("{}")
    remove("mine", models, MANIFEST)
    assert [path.name for path in models.iterdir()] == ["other.gguf"]
    with pytest.raises(ModelError, match="No model"):
        remove("mine", models, MANIFEST)
    with pytest.raises(ModelError, match="No model"):
        remove("../other", models, MANIFEST)


def test_other_weights_have_another_fingerprint(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    contents = bytes(3_000_000)
    one.write_bytes(contents)
    two.write_bytes(contents[:-1] + b"\x01")
    assert fingerprint(one) != fingerprint(two)
    two.write_bytes(contents)
    assert fingerprint(one) == fingerprint(two)
