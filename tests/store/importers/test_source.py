"""Files of any encoding mark are read; what is no text is refused in one clear sentence."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from quill_ls.errors import InputError
from quill_ls.store.importers.source import text_lines, text_of

TEXT = "Ünïcode\n学而时习之\nlast"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16-le", "utf-16-be", "utf-32-le"],
)
def test_byte_order_marks_are_understood(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(data)
    assert list(text_lines(path)) == [(1, "Ünïcode"), (2, "学而时习之"), (3, "last")]
    assert text_of(path) == TEXT


def test_an_encoding_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes("学而时习之".encode("gb18030"))
    assert list(text_lines(path, "gb18030")) == [(1, "学而时习之")]


def test_lines_end_at_line_ends_only(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes("one\r\ntwo\u2028still two\x0bstill\nthree".encode())
    assert [line for _, line in text_lines(path)] == ["one", "two\u2028still two\x0bstill", "three"]


def test_a_folder_of_another_script_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "用户 名" / "语录.jsonl"
    path.parent.mkdir()
    path.write_text("x", encoding="utf-8")
    assert list(text_lines(path)) == [(1, "x")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n \n", "is empty"),
        (b"\x7fELF\0\0\0\x01binary", "is a binary file"),
        (b"good line\ncaf\xe9 au lait\n", "is not utf-8 text: line 2"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        list(text_lines(path))
    assert str(path) in caught.value.message
    assert caught.value.hint


def test_missing_files_folders_and_unknown_encodings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        list(text_lines(tmp_path / "none.txt"))
    with pytest.raises(InputError, match=r"folder|cannot be read"):
        list(text_lines(tmp_path))
    path = tmp_path / "file.txt"
    path.write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="no encoding 'klingon'"):
        list(text_lines(path, "klingon"))


def test_progress_is_told_in_bytes_and_ends_complete(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("line\n" * 200_000, encoding="utf-8")
    told: list[tuple[int, int | None]] = []
    list(text_lines(path, progress=lambda done, total: told.append((done, total))))
    assert len(told) > 2
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (1_000_000, 1_000_000)
