"""The models that are known by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from quill_ls.errors import ModelError
from quill_ls.scoring.manifest import (
    HubSource,
    PackageSource,
    default_manifest,
    parse_manifest,
)

ROOT = Path(__file__).parents[2]

ENTRY = """
[[model]]
name = "tiny"
title = "Tiny"
parameters = 64
languages = ["en", "zh"]
licence = "MIT"
context_length = 512
bos = "none"
quantisation = "Q4_0"
size = 100
preference = 1
hub = { repository = "a/b", file = "c.gguf", revision = "main" }
"""


def test_the_shipped_manifest_is_whole() -> None:
    manifest = default_manifest()

    assert {"smollm2-135m", "gemma3-270m", "qwen2-7b", "llama3-8b"} <= {m.name for m in manifest}
    assert [m.parameters for m in manifest] == sorted(m.parameters for m in manifest)
    for entry in manifest:
        assert entry.size > 50e6
        assert entry.sha256
        assert entry.languages
        # A packaged model has no checksum of a hub to fall back on.
        assert entry.sha256 or isinstance(entry.source, HubSource)


def test_every_model_is_documented() -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    for entry in default_manifest():
        assert f"`{entry.name}`" in page


def test_every_extra_exists() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for entry in default_manifest():
        if isinstance(entry.source, PackageSource):
            assert f"\n{entry.source.extra} = [" in project


def test_classical_chinese_is_read_by_what_reads_chinese() -> None:
    entry = parse_manifest(ENTRY).entry("tiny")
    assert [entry.reads(tag) for tag in ("en", "en-GB", "lzh", "zh-Hant", "fr")] == [
        True, True, True, True, False,
    ]  # fmt: skip


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match=r'"big".*Known are: tiny\.'):
        parse_manifest(ENTRY).entry("big")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ENTRY + ENTRY, 'two models named "tiny"'),
        (ENTRY.replace("size = 100\n", ""), "lacks or misuses 'size'"),
        (ENTRY.replace('"tiny"', '"../tiny"'), "cannot be the name"),
        (ENTRY.replace("size", 'sha256 = "abc"\nsize'), "not 64 hexadecimal digits"),
        ("[[model", "is not TOML"),
    ],
)
def test_a_wrong_manifest_is_refused(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse_manifest(text)
