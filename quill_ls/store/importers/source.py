"""Opening files to import: encodings, byte-order marks, and what is no text at all."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.store.importers.rows import Progress, silent

_BOMS = (  # the mark of UTF-32 (little-endian) begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD = 8192
_REPORT_EVERY = 1 << 18  # characters


def text_encoding(path: Path, encoding: str | None = None) -> str:
    """Return the codec to read `path` with.

    Parameters
    ----------
    encoding
        What the user says it is; None means UTF-8, or what a byte-order mark says.

    Raises
    ------
    InputError
        The file is missing, a folder, empty, unreadable or binary, or the encoding is unknown.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist.", "Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a file.", "Name a file in it.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    if not head.strip():
        raise InputError(f"{path} is empty.", "Name a file with quotations in it.")
    if encoding is not None:
        try:
            return codecs.lookup(encoding).name
        except LookupError:
            raise InputError(
                f"There is no encoding {encoding!r}.", "Try utf-8, utf-16, gb18030 or cp1252."
            ) from None
    for bom, codec in _BOMS:
        if head.startswith(bom):
            return codec
    if b"\0" in head:
        raise InputError(
            f"{path} is a binary file, not text.",
            "If it is text in UTF-16 without a byte-order mark, name it with --encoding utf-16-le.",
        )
    return "utf-8"


def text_lines(
    path: Path, encoding: str | None = None, progress: Progress = silent
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers from 1, without line ends.

    Lines end at ``\\n``, ``\\r\\n`` or ``\\r`` only: U+2028 and its like are text. Progress is
    told in bytes.

    Raises
    ------
    InputError
        See `text_encoding`; or some bytes are not of the encoding, with the line where.
    """
    codec = text_encoding(path, encoding)
    size = path.stat().st_size
    number = 0
    told = 0
    with path.open("rb") as raw, io.TextIOWrapper(raw, encoding=codec) as file:
        try:
            for line in file:  # universal newlines
                number += 1
                told += len(line)
                if told >= _REPORT_EVERY:
                    told = 0
                    progress(min(raw.tell(), size), size)
                yield number, line.removesuffix("\n")
        except UnicodeError as error:
            raise _undecodable(path, codec) from error
    progress(size, size)


def text_of(path: Path, encoding: str | None = None) -> str:
    """Return the whole text of a file; errors as in `text_lines`."""
    codec = text_encoding(path, encoding)
    try:
        return path.read_text(encoding=codec)
    except UnicodeError as error:
        raise _undecodable(path, codec) from error


def _undecodable(path: Path, codec: str) -> InputError:
    data = path.read_bytes()
    try:
        data.decode(codec)
        where = ""
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(codec, errors="replace")
        where = f": line {before.count(chr(10)) + 1} has other bytes"
    except UnicodeError:
        where = ""
    return InputError(
        f"{path} is not {codec} text{where}.",
        "Name its encoding, for instance --encoding gb18030 or --encoding cp1252.",
    )
