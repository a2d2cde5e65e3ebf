"""From a raw value of a settings file to the typed value of one option."""

from __future__ import annotations

import types
import typing
from pathlib import Path
from typing import Any, Literal

from quill_ls.settings.definition import Option


def read_value(option: Option, raw: object, base: Path) -> Any:
    """Return `raw` as the type of `option`.

    Nothing is guessed: ``"5"`` is no number and ``1`` is not ``true``.

    Parameters
    ----------
    base
        Folder that a relative path is relative to: that of the settings file.

    Raises
    ------
    ValueError
        With a message that goes on from the key: "must be ...".
    """
    value = _convert(option.type, raw, base)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = option.about.minimum, option.about.maximum
        # A comparison that NaN fails, too.
        if not ((low is None or value >= low) and (high is None or value <= high)):
            raise ValueError(f"must be {describe_type(option)}, not {raw}")
    return value


def describe_type(option: Option) -> str:
    """Say what values an option takes: "a whole number from 1 to 100"."""
    text = _describe(option.type)
    low, high = option.about.minimum, option.about.maximum
    if low is not None and high is not None:
        return f"{text} from {low:g} to {high:g}"
    return text


def _convert(wanted: Any, raw: object, base: Path) -> Any:
    origin = typing.get_origin(wanted)
    if origin is Literal:
        if isinstance(raw, str) and raw in typing.get_args(wanted):
            return raw
    elif origin is tuple:
        if isinstance(raw, list | tuple):
            item = typing.get_args(wanted)[0]
            return tuple(_convert(item, each, base) for each in raw)
    elif origin in (typing.Union, types.UnionType):  # Path | None
        if raw is None:
            return None
        if isinstance(raw, Path) or (isinstance(raw, str) and raw and "\0" not in raw):
            return base / _expanded(Path(raw))
    elif wanted is bool:
        if isinstance(raw, bool):
            return raw
    elif wanted is int:
        if isinstance(raw, int) and not isinstance(raw, bool):
            return raw
    elif wanted is float:
        if isinstance(raw, int | float) and not isinstance(raw, bool):
            return float(raw)
    elif wanted is str and isinstance(raw, str):
        return raw
    raise ValueError(f"must be {_describe(wanted)}, not {_shown(raw)}")


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # "~name" of nobody
        raise ValueError(f"must be a path, and there is no home folder for {path}") from None


def _describe(wanted: Any) -> str:
    origin = typing.get_origin(wanted)
    if origin is Literal:
        return "one of " + ", ".join(f'"{choice}"' for choice in typing.get_args(wanted))
    if origin is tuple:
        return f"a list, each {_describe(typing.get_args(wanted)[0])}"
    if origin in (typing.Union, types.UnionType):
        return "a path"
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    return names[wanted]


def _shown(raw: object) -> str:
    """Show a wrong value as a TOML file would, cut where it is long."""
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, dict):
        return "a table"
    text = f'"{raw}"' if isinstance(raw, str) else str(raw)
    return text if len(text) <= 60 else text[:59] + "…"
