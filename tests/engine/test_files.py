import codecs
import os
import stat
from pathlib import Path

import pytest

from quill_ls.engine.files import read_document, write_atomically
from quill_ls.errors import InputError


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_document_is_written_back_as_it_was_read(tmp_path: Path, mark: bytes, encoding: str):
    path = tmp_path / "a.md"
    data = mark + "As 庄子 said,\r\n[Q] 😀\u2028end\r".encode(encoding)
    path.write_bytes(data)
    source = read_document(path)
    assert source.text == "As 庄子 said,\r\n[Q] 😀\u2028end\r"
    write_atomically(path, source.encoded(source.text))
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"\x7fELF\x02\0\0\0", "binary"),
        ("Café [Q]".encode("latin-1"), "not in UTF-8"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8\x00", "not in UTF-16"),
    ],
)
def test_what_is_no_text_is_refused_in_one_sentence(tmp_path: Path, data: bytes, message: str):
    path = tmp_path / "a.md"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as error:
        read_document(path)
    assert "a.md" in error.value.message


def test_missing_files_and_folders(tmp_path: Path):
    with pytest.raises(InputError, match="no file"):
        read_document(tmp_path / "missing.md")
    with pytest.raises(InputError, match="folder"):
        read_document(tmp_path)


def test_writing_keeps_the_permissions_and_leaves_nothing_behind(tmp_path: Path):
    path = tmp_path / "a.md"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["a.md"]


def test_a_link_still_points_to_its_file(tmp_path: Path):
    real = tmp_path / "real.md"
    real.write_text("old")
    link = tmp_path / "link.md"
    link.symlink_to(real)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.md"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.md"]
