"""`quill-ls model`: the language models, known and installed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.cli.progress import Progress, progress_bar
from quill_ls.errors import ModelError
from quill_ls.folders import models_folder

if TYPE_CHECKING:
    from quill_ls.scoring.manifest import ModelEntry
    from quill_ls.scoring.models import InstalledModel


@click.group()
def model() -> None:
    """Install and look at language models."""


@model.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def list_models(invocation: Invocation, as_json: bool) -> None:
    """Show the models that are known, and those that are installed."""
    from quill_ls.scoring.manifest import default_manifest
    from quill_ls.scoring.models import installed

    here = {found.name: found for found in installed(models_folder())}
    known = default_manifest()
    own = [found for name, found in here.items() if known.get(name) is None]
    if as_json:
        print_json(
            {
                "folder": str(models_folder()),
                "models": [
                    *(_entry_as_json(entry, here.get(entry.name)) for entry in known),
                    *(_own_as_json(found) for found in own),
                ],
            }
        )
        return

    from quill_ls.cli.tables import table

    rows = [
        (
            entry.name,
            _weights(entry.parameters),
            _languages(entry.languages),
            _megabytes(entry.size),
            entry.licence,
            _state(entry, here.get(entry.name)),
        )
        for entry in known
    ]
    rows += [
        (found.name, "", "", _megabytes(found.size), "", "yes, a file of your own") for found in own
    ]
    columns = ("name", "weights", "languages", "size", "licence", "installed")
    invocation.out.print(table(columns, rows, right=("weights", "size")))


@model.command()
@click.argument("name")
@click.option(
    "--quantize",
    type=click.Choice(["auto", "q4_0", "q8_0", "none"]),
    default="auto",
    show_default=True,
    help="Type of the weights; `auto` re-quantises only what is slow on the processor.",
)
@click.option("--offline", is_flag=True, help="Do not download; install from packages only.")
@common_options
def install(invocation: Invocation, name: str, quantize: Any, offline: bool) -> None:
    """Install the model NAME: fetch, verify, re-quantise, put in place."""
    from quill_ls.scoring.install import install as install_model

    def steps(step: str) -> AbstractContextManager[Progress]:
        return progress_bar(invocation, step, "bytes")

    done = install_model(
        name,
        models_folder(),
        quantise=quantize,
        offline=offline or invocation.settings.model.offline,
        steps=steps,
    )
    click.echo(f"{name} is installed: {done.path} ({_megabytes(done.size)}{_change(done)}).")


@model.command()
@click.argument("name_or_path", metavar="NAME|PATH")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def info(invocation: Invocation, name_or_path: str, as_json: bool) -> None:
    """Show what is known of a model, and what its file says of itself."""
    from quill_ls.scoring.gguf import read_header
    from quill_ls.scoring.manifest import default_manifest
    from quill_ls.scoring.models import installed, resolve

    entry = default_manifest().get(name_or_path)
    record = next(
        (found for found in installed(models_folder()) if found.name == name_or_path), None
    )
    facts: dict[str, object] = {} if entry is None else _entry_as_json(entry, record)
    try:
        resolved = resolve(name_or_path, models_folder())
    except ModelError:
        if entry is None:
            raise
    else:
        header = read_header(resolved.path)
        facts |= {
            "name": resolved.name,
            "path": str(resolved.path),
            "identity": resolved.identity,
            "file_title": header.title,
            "architecture": header.architecture,
            "file_quantisation": header.quantisation,
            "parameters": header.parameters,
            "vocabulary": header.vocabulary,
            "context_length": header.context_length,
            "add_bos": header.add_bos,
            "file_size": header.size,
        }
    if as_json:
        print_json(facts)
        return

    from quill_ls.cli.tables import table

    rows = [(key.replace("_", " "), _shown(value)) for key, value in facts.items()]
    invocation.out.print(table(("", ""), rows))


@model.command()
@click.argument("name")
@common_options
def remove(invocation: Invocation, name: str) -> None:
    """Delete the installed model NAME."""
    from quill_ls.scoring.models import remove as remove_model

    gone = remove_model(name, models_folder())
    click.echo(f"{gone.path} is deleted ({_megabytes(gone.size)}).")


@model.command()
@click.argument("name_or_path", metavar="NAME|PATH")
@common_options
def path(invocation: Invocation, name_or_path: str) -> None:
    """Print the path of the file of a model."""
    from quill_ls.scoring.models import resolve

    click.echo(str(Path(resolve(name_or_path, models_folder()).path).absolute()))


def _entry_as_json(entry: ModelEntry, found: InstalledModel | None) -> dict[str, object]:
    from quill_ls.scoring.manifest import PackageSource
    from quill_ls.scoring.models import packaged_file

    packaged = packaged_file(entry)
    source = entry.source
    return {
        "name": entry.name,
        "title": entry.title,
        "parameters": entry.parameters,
        "languages": list(entry.languages),
        "licence": entry.licence,
        "context_length": entry.context_length,
        "bos": entry.bos,
        "quantisation": entry.quantisation,
        "size": entry.size,
        "sha256": entry.sha256 or None,
        "from": (
            f"packages: {', '.join(part.distribution for part in source.parts)}"
            if isinstance(source, PackageSource)
            else f"hub: {source.repository}/{source.file}@{source.revision}"
        ),
        "installed": None if found is None else _installed_as_json(found),
        "in_package": None if packaged is None else str(packaged),
    }


def _own_as_json(found: InstalledModel) -> dict[str, object]:
    return {"name": found.name, "size": found.size, "installed": _installed_as_json(found)}


def _installed_as_json(found: InstalledModel) -> dict[str, object]:
    record = found.record
    return {
        "path": str(found.path),
        "size": found.size,
        "damaged": found.damaged,
        "quantised_from": record.quantised_from if record else None,
        "quantised_to": record.quantised_to if record else None,
        "date": record.installed if record else None,
    }


def _state(entry: ModelEntry, found: InstalledModel | None) -> str:
    from quill_ls.scoring.models import package_parts, packaged_file

    if found is not None:
        if found.damaged:
            return "damaged: install it again"
        return f"yes{_change(found)}"
    if packaged_file(entry) is not None:
        return "usable from its package; faster once installed"
    return "no; its packages are here" if package_parts(entry) is not None else "no"


def _change(found: InstalledModel) -> str:
    record = found.record
    if record is None or record.quantised_from == record.quantised_to:
        return ""
    return f", {record.quantised_to} instead of {record.quantised_from}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(
            f"{key.replace('_', ' ')} {_shown(each)}"
            for key, each in value.items()
            if each is not None
        )
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, int):
        return f"{value:,}"
    return "" if value is None else str(value)


def _languages(tags: tuple[str, ...]) -> str:
    shown = ", ".join(tags[:2])
    return f"{shown} and {len(tags) - 2} more" if len(tags) > 2 else shown


def _weights(count: int) -> str:
    return f"{count / 1e9:.1f} B" if count >= 1e9 else f"{count / 1e6:.0f} M"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
