"""Finds the data files of installed packages without importing or executing the package."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from quill_ls.errors import InputError


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, or None when it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def package_file(package: str, name: str) -> Path:
    """Return the path of the file `name` (with ``/``) that the installed `package` recorded.

    Raises
    ------
    InputError
        The package is not installed, or has no such file.
    """
    found = package_files(package, name)
    if not found:
        raise InputError(
            f"The installed package {package} has no file {name}.",
            f"Install it again: pip install --force-reinstall {package}",
        )
    return found[0]


def package_files(package: str, under: str) -> list[Path]:
    """Return the recorded files of an installed package that are `under` or lie under it.

    Raises
    ------
    InputError
        The package is not installed.
    """
    try:
        recorded = metadata.files(package)
    except metadata.PackageNotFoundError:
        raise InputError(
            f"The package {package} is not installed.", f"Install it with: pip install {package}"
        ) from None
    prefix = f"{under.rstrip('/')}/"
    return sorted(
        Path(str(file.locate()))
        for file in recorded or ()
        if file.as_posix() == under or file.as_posix().startswith(prefix)
    )
