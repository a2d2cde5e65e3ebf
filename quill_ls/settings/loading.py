"""Reading settings: defaults < user file < workspace file < named file < command line or editor.

A wrong key or value costs only itself: it is reported, and the next lower source decides.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quill_ls.errors import SettingsError
from quill_ls.folders import config_folder
from quill_ls.settings.definition import Option, Settings, options, sections
from quill_ls.settings.values import read_value

WORKSPACE_FILE = ".quill.toml"


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One key that was not taken over.

    Attributes
    ----------
    source
        The settings file, or the name of another source ("command line").
    key
        Dotted key.
    message
        What is wrong with it, going on from the key.
    """

    source: str
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.source}: {self.key} {self.message}"


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The effective settings and how they came to be.

    Attributes
    ----------
    problems
        Keys that were not taken over, lowest source first.
    origins
        For each dotted key that is not at its default, the source that decided it.
    files
        The settings files that were read, lowest first.
    """

    settings: Settings
    problems: tuple[SettingsProblem, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    files: tuple[Path, ...] = ()


def load(
    start: Path | None = None,
    named: Path | None = None,
    overrides: Mapping[str, object] | None = None,
    overrides_name: str = "command line",
) -> LoadedSettings:
    """Read all settings that hold for a document.

    Parameters
    ----------
    start
        The document, or its folder: the nearest ``.quill.toml`` there or above holds. The
        current folder when None.
    named
        A settings file that the user named: it must exist.
    overrides
        Dotted keys with raw values from the command line or the editor. A None says nothing.
    overrides_name
        What to call the source of `overrides`.

    Raises
    ------
    SettingsError
        If a settings file cannot be read, or is not TOML in UTF-8.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    problems: list[SettingsProblem] = []
    files: list[Path] = []

    def take(layer: Mapping[str, object], source: str, base: Path, trusted: bool) -> None:
        accepted, refused = _check(layer, source, base, trusted)
        values.update(accepted)
        origins.update(dict.fromkeys(accepted, source))
        problems.extend(refused)

    workspace = find_workspace_file(start or Path.cwd())
    for path, trusted in ((user_file(), True), (workspace, False), (named, True)):
        if path is None or (path is not named and not path.is_file()):
            continue
        take(_flatten(_read(path)), str(path), path.absolute().parent, trusted)
        files.append(path)
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    take(given, overrides_name, Path.cwd(), trusted=True)

    return LoadedSettings(Settings().replace(values), tuple(problems), origins, tuple(files))


def user_file() -> Path:
    """Return the place of the user's settings file; it may not exist."""
    return config_folder() / "config.toml"


def find_workspace_file(start: Path) -> Path | None:
    """Return the nearest ``.quill.toml`` in the folder of `start` or above it."""
    start = start.absolute()
    for folder in (start, *start.parents):
        candidate = folder / WORKSPACE_FILE
        try:
            if candidate.is_file():
                return candidate
        except PermissionError:  # a folder above that is not ours to look into
            continue
    return None


def _read(path: Path) -> dict[str, object]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return tomllib.loads(text)
    except FileNotFoundError:
        raise SettingsError(f"There is no settings file {path}.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsError(f"The settings file {path} cannot be read: {reason}.") from error
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"The settings file {path} is not text in UTF-8 (byte {error.start}).",
            "Save it in that encoding.",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"The settings file {path} is not TOML: {error}.", "Mend that line or remove the file."
        ) from error


def _flatten(document: Mapping[str, object]) -> dict[str, object]:
    """Turn tables into dotted keys, as deep as the definition goes."""
    known = sections()
    flat: dict[str, object] = {}
    for name, content in document.items():
        if name in known and isinstance(content, Mapping):
            flat.update({f"{name}.{leaf}": value for leaf, value in content.items()})
        else:
            flat[name] = content
    return flat


def _check(
    layer: Mapping[str, object], source: str, base: Path, trusted: bool
) -> tuple[dict[str, Any], list[SettingsProblem]]:
    known = options()
    accepted: dict[str, Any] = {}
    problems: list[SettingsProblem] = []
    for key, raw in layer.items():
        option = known.get(key)
        try:
            if option is None:
                raise ValueError(_unknown(key, known))
            if option.about.scope == "machine" and not trusted:
                raise ValueError(
                    "may not be set by a file that comes with the documents; "
                    f"set it in {user_file()}"
                )
            accepted[key] = read_value(option, raw, base)
        except ValueError as error:
            problems.append(SettingsProblem(source, key, str(error)))
    return accepted, problems


def _unknown(key: str, known: Mapping[str, Option]) -> str:
    if key in sections():
        return f"is a table: write [{key}] on a line of its own, and its keys below"
    near = difflib.get_close_matches(key, known, n=1)
    return "is not a setting" + (f"; is {near[0]} meant?" if near else "")
