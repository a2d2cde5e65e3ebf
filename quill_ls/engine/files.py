"""Reading a document as text, and writing it back so that nothing is lost."""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from quill_ls.errors import InputError

MAX_BYTES = 64 * 1024 * 1024
"""More than this is no document that somebody writes."""

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of a file, and what is needed to write it back in the same form.

    Attributes
    ----------
    text
        Without a byte order mark; line ends as they are in the file.
    encoding, mark
        Name of the codec, and the byte order mark that the file begins with.
    """

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""

    def encoded(self, text: str) -> bytes:
        """Return `text` as the bytes of such a file."""
        return self.mark + text.encode(self.encoding)


def read_document(path: Path) -> SourceFile:
    """Read a document in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.

    Raises
    ------
    InputError
        If the file is missing, no regular file, too large, empty, binary or in another encoding.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder.", "Name a document.")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path} has more than {MAX_BYTES >> 20} MiB: that is no document.")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    return decode(data, str(path))


def decode(data: bytes, name: str) -> SourceFile:
    """Decode the bytes of a document called `name`; see `read_document`."""
    if not data.strip():
        raise InputError(f"{name} is empty.")
    encoding, mark = next(
        ((codec, mark) for mark, codec in _MARKS if data.startswith(mark)), ("utf-8", b"")
    )
    if encoding == "utf-8" and b"\0" in data:
        raise InputError(f"{name} is a binary file.", "Name a text document.")
    try:
        return SourceFile(data[len(mark) :].decode(encoding), encoding, mark)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not in {encoding.upper()} (byte {error.start + len(mark)}).",
            "Save it as UTF-8.",
        ) from error


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file at `path` by `data`: afterwards it is the old one or the new one, whole.

    The permissions are kept, and a symbolic link still points to the file that it names.

    Raises
    ------
    InputError
        If the file cannot be written; the old one is untouched.
    """
    path = path.resolve()
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).chmod(stat.S_IMODE(path.stat().st_mode))
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be written: {error.strerror}.", "The file is unchanged."
        ) from error
