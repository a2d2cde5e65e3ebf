"""What is exported can be imported, and is the same."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from quill_ls.errors import InputError
from quill_ls.store.export import CSV_COLUMNS, Format, export_file
from quill_ls.store.importers.delimited import read_delimited
from quill_ls.store.importers.jsonl import read_jsonl
from quill_ls.store.records import Quotation

QUOTATIONS = [
    Quotation(text="Plain words, with a comma.", author="Ann"),
    Quotation(
        text='He said “no”; "never" — 😀, and left.',
        author="Anaïs Nin",
        work='The "Diary"',
        locator="Vol. 3",
        year=-44,
        language="fr",
        tier="disputed",
        topics=("love", "old age"),
        collection="mine",
        licence="CC BY-SA 4.0",
        source="https://example.org/a,b",
        search_frequency=120,
        carried=3,
    ),
    Quotation(text="学而时习之，不亦说乎？", author="孔子", language="lzh", topics=("学习",)),
]


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_round_trip(tmp_path: Path, format: Format) -> None:
    path = tmp_path / f"out.{format}"
    assert export_file(QUOTATIONS, path, format) == 3
    if format == "jsonl":
        read = list(read_jsonl(path))
    else:
        read = list(read_delimited(path, columns={name: name for name in CSV_COLUMNS}))
    assert read == QUOTATIONS
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_csv_has_every_field() -> None:
    assert {*CSV_COLUMNS, "id"} == set(Quotation.__slots__)


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def broken():
        yield QUOTATIONS[0]
        raise RuntimeError("the store is gone")

    with pytest.raises(RuntimeError):
        export_file(broken(), path, "jsonl")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file"):
        export_file(QUOTATIONS, tmp_path / "absent" / "out.jsonl", "jsonl")


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        export_file(QUOTATIONS, path, "jsonl")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
