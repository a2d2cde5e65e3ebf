"""What all commands share: the common options, the settings, the two consoles."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from quill_ls.errors import InputError
from quill_ls.settings import LoadedSettings, Settings, load

if TYPE_CHECKING:
    from rich.console import Console

R = TypeVar("R")

COMMAND_LINE = "command line"


class Invocation:
    """One call of a command: its settings, and where its words go.

    Parameters
    ----------
    named
        The file given with ``--settings``, or None.
    overrides
        Settings given with the common options; None where one was not given.
    """

    def __init__(self, named: Path | None, overrides: Mapping[str, object]) -> None:
        self._named = named
        self._overrides = overrides
        self._told: set[str] = set()

    @functools.cached_property
    def out(self) -> Console:
        """The console on standard output; colour on terminals only, ``NO_COLOR`` respected."""
        return _console(stderr=False)

    @functools.cached_property
    def err(self) -> Console:
        """The console on standard error, for notices and progress."""
        return _console(stderr=True)

    @functools.cached_property
    def settings(self) -> Settings:
        """The settings that hold in the current folder."""
        return self.load_settings().settings

    def load_settings(
        self, start: Path | None = None, overrides: Mapping[str, object] | None = None
    ) -> LoadedSettings:
        """Read the settings that hold for a document, and tell each problem once.

        Parameters
        ----------
        start
            The document; the current folder when None.
        overrides
            Dotted keys with the values of the command's own options; None where one was not
            given.

        Raises
        ------
        InputError
            If a value given on the command line is none that the setting takes.
        """
        loaded = load(start, self._named, {**self._overrides, **(overrides or {})}, COMMAND_LINE)
        for problem in loaded.problems:
            if problem.source == COMMAND_LINE:
                raise InputError(f"The setting {problem.key} {problem.message}.")
            self.notice(f"{problem}.")
        return loaded

    def notice(self, text: str) -> None:
        """Tell the user something on standard error, once per call of the command."""
        if text not in self._told:
            self._told.add(text)
            click.echo(f"quill-ls: {text}", err=True)


def common_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command ``--store``, ``--model``, ``--settings`` and ``--debug``.

    The command's function gets an `Invocation` as its first argument, then its own options by
    name.
    """

    @click.option(
        "--store",
        "common_store",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="The store of quotations.  [default: in the user's data folder]",
    )
    @click.option(
        "--model", "common_model", metavar="NAME|PATH", help="An installed model, or a GGUF file."
    )
    @click.option(
        "--settings",
        "common_settings",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A settings file that overrides the user's and the project's.",
    )
    @click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_debug,
        help="On an error show where in the code it came from.",
    )
    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> R:
        overrides = {
            "store.path": kwargs.pop("common_store"),
            "model.name": kwargs.pop("common_model"),
        }
        invocation = Invocation(kwargs.pop("common_settings"), overrides)
        return function(invocation, *args, **kwargs)

    return command


def print_json(document: object) -> None:
    """Write one JSON document to standard output; numbers that JSON lacks become null."""
    text = json.dumps(_without_nan(document), ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write(text + "\n")


def _without_nan(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _without_nan(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(each) for each in value]
    return value


def _console(stderr: bool) -> Console:
    from rich.console import Console

    # No highlighting: the texts are other people's, and their numbers are nothing special.
    return Console(stderr=stderr, highlight=False)


def _debug(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    # In the environment, so that the model worker hears of it, too.
    if value:
        os.environ["QUILL_DEBUG"] = "1"
