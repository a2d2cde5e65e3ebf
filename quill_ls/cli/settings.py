"""`quill-ls settings`: the settings in force and where each comes from."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.folders import default_store_path
from quill_ls.settings import LoadedSettings
from quill_ls.settings.loading import WORKSPACE_FILE, user_file


@click.group()
def settings() -> None:
    """Show the settings in force."""


@settings.command()
@click.argument("document", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def show(invocation: Invocation, document: Path | None, as_json: bool) -> None:
    """Show every setting with its value and where the value comes from.

    DOCUMENT: the settings that hold for this file; for the current folder if left out.
    """
    loaded = invocation.load_settings(document)
    if as_json:
        print_json(_as_json(loaded))
        return

    from quill_ls.cli.tables import table

    rows = [
        (key, _shown(key, value), loaded.origins.get(key, "default"))
        for key, value in loaded.settings.items()
    ]
    invocation.out.print(table(("setting", "value", "from"), rows, style={"from": "dim"}))
    if not loaded.files:
        invocation.out.print(
            f"No settings file holds here. Yours would be {user_file()}, "
            f"a project's {WORKSPACE_FILE} in its folder.",
            markup=False,
            soft_wrap=True,
        )


def _as_json(loaded: LoadedSettings) -> dict[str, Any]:
    return {
        "settings": {
            key: {
                "value": str(value) if isinstance(value, Path) else value,
                "from": loaded.origins.get(key, "default"),
            }
            for key, value in loaded.settings.items()
        },
        "files": [str(file) for file in loaded.files],
        "problems": [asdict(problem) for problem in loaded.problems],
    }


def _shown(key: str, value: object) -> str:
    if key == "store.path" and value is None:
        return str(default_store_path())
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value) or "(any)"
    return str(value) if value != "" else "(none)"
