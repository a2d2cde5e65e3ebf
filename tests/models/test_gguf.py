"""The header of a GGUF file, whole and damaged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quill_ls.errors import ModelError
from quill_ls.scoring.gguf import read_header

examples = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def test_tells_what_the_file_says_of_itself(tmp_path: Path, tiny_gguf: Callable) -> None:
    path = tmp_path / "小 model.gguf"
    path.write_bytes(tiny_gguf(file_type=3, add_bos=False))

    header = read_header(path)

    assert (header.architecture, header.title, header.quantisation) == ("tiny", "Tiny 小", "Q4_1")
    assert (header.context_length, header.vocabulary, header.parameters) == (512, 3, 64)
    assert header.add_bos is False
    assert header.size == path.stat().st_size


@examples
@given(data=st.data())
def test_a_file_cut_anywhere_is_refused(
    tmp_path: Path, tiny_gguf: Callable, data: st.DataObject
) -> None:
    whole = tiny_gguf()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(ModelError):
        read_header(path)


@examples
@given(data=st.data())
def test_a_flipped_byte_never_does_worse_than_an_error(
    tmp_path: Path, tiny_gguf: Callable, data: st.DataObject
) -> None:
    contents = bytearray(tiny_gguf())
    place = data.draw(st.integers(0, len(contents) - 1))
    contents[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "flipped.gguf"
    path.write_bytes(contents)
    with contextlib.suppress(ModelError):
        read_header(path)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "does not start with the letters GGUF"),
        (b"GIF89a", "does not start with the letters GGUF"),
        (b"GGUF\x00\x00\x00\x03", "version 50331648"),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 16, "ends before its header says"),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, contents: bytes, message: str) -> None:
    path = tmp_path / "wrong.gguf"
    path.write_bytes(contents)
    with pytest.raises(ModelError, match=message):
        read_header(path)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no model file"):
        read_header(tmp_path / "none.gguf")
    with pytest.raises(ModelError, match="is not a file"):
        read_header(tmp_path)
