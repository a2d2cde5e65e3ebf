"""`quill-ls store export`: quotations to a file that `store import` reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from quill_ls.cli.context import Invocation, common_options
from quill_ls.cli.progress import progress_bar
from quill_ls.cli.store.narrowing import narrow, narrowing_options
from quill_ls.errors import InputError
from quill_ls.store.database import Store
from quill_ls.store.export import Format, export_file, export_stream

STANDARD_OUTPUT = Path("-")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    type=click.Choice(["jsonl", "csv"]),
    help="[default: csv for a file of that ending, else jsonl]",
)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@narrowing_options
@common_options
def export(
    invocation: Invocation, file: Path, format: Format | None, force: bool, **narrowing: Any
) -> None:
    """Write quotations to FILE, or to standard output for -, as one JSON object a line or as CSV.

    Vectors and what models have measured are not written: they can be computed again.
    """
    written: Format = format or ("csv" if file.suffix.lower() == ".csv" else "jsonl")
    if file.exists() and not force:
        raise InputError(f"{file} is there already.", "Say --force to replace it.")
    with Store.open(invocation.settings.store.file, readonly=True) as store:
        wanted = narrow(store, **narrowing)
        if file == STANDARD_OUTPUT:
            export_stream(store.quotations(wanted), sys.stdout, written)
            return
        total = store.count(wanted)
        with progress_bar(invocation, f"Writing {file.name}") as progress:
            count = export_file(
                store.quotations(wanted), file, written, lambda done, _: progress(done, total)
            )
    click.echo(f"{count:,} quotations written to {file}.")
