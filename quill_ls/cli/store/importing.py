"""`quill-ls store import`: collections from files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.cli.progress import progress_bar
from quill_ls.cli.store.narrowing import TIERS
from quill_ls.cli.store.reports import import_report_as_json, print_import_report
from quill_ls.errors import InputError
from quill_ls.settings.definition import Tier
from quill_ls.store.authority import seed_authorities
from quill_ls.store.collections import availability, known_collections, read_collection
from quill_ls.store.database import Store
from quill_ls.store.importers.delimited import read_delimited
from quill_ls.store.importers.fortune import read_fortune
from quill_ls.store.importers.jsonl import read_jsonl
from quill_ls.store.importers.quill_json import read_quill_json
from quill_ls.store.importers.rows import Row, import_into
from quill_ls.store.records import Quotation

FORMATS: dict[str, Callable[..., Iterator[Row]]] = {
    "jsonl": read_jsonl,
    "csv": read_delimited,
    "fortune": read_fortune,
    "quill": read_quill_json,
}


@click.command("import")
@click.argument("format", metavar="FORMAT|COLLECTION")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--collection", help="Name of the collection.  [default: the file's name]")
@click.option("--tier", type=TIERS, help="Give every row this tier.")
@click.option("--language", help="Give every row this language.")
@click.option("--encoding", help="Encoding of the file.  [default: UTF-8, or its byte-order mark]")
@click.option(
    "--column",
    "--map",
    "columns",
    multiple=True,
    metavar="FIELD=HEADING",
    help="For csv: which column holds a field, as in text=Quote; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def import_(
    invocation: Invocation,
    format: str,
    file: Path | None,
    collection: str | None,
    tier: Tier | None,
    language: str | None,
    encoding: str | None,
    columns: tuple[str, ...],
    as_json: bool,
) -> None:
    """Import FILE, of FORMAT jsonl, csv, fortune or quill; or a known COLLECTION.

    `quill-ls store collections` shows the known collections. Their data are read from the
    installed package, or from FILE, a wheel, archive or folder of it.

    A row that cannot be used is reported with its number and costs only itself; a file that
    cannot be read leaves the store as it was.
    """
    if format in FORMATS:
        read = _format_reader(format, file, collection, encoding, columns)
    else:
        if collection or encoding or columns:
            raise InputError(
                "--collection, --encoding and --column go with the formats "
                f"{', '.join(FORMATS)} only."
            )
        read = _collection_reader(invocation, format, file)
    name = file.name if file is not None else format
    with progress_bar(invocation, f"Importing {name}", "share") as progress:
        rows = _begun(read(progress=progress))
        with Store.open(invocation.settings.store.file) as store, store.transaction():
            seed_authorities(store)
            report = import_into(store, _set(rows, tier, language))
    if as_json:
        print_json(import_report_as_json(report))
    else:
        print_import_report(invocation, report)


def _format_reader(
    format: str,
    file: Path | None,
    collection: str | None,
    encoding: str | None,
    columns: tuple[str, ...],
) -> Callable[..., Iterator[Row]]:
    if file is None:
        raise InputError(f"The format {format} needs a file.", "Name it after the format.")
    read = partial(
        FORMATS[format], file, encoding=encoding, collection=collection or file.stem or "user"
    )
    if not columns:
        return read
    if format != "csv":
        raise InputError("--column goes with the format csv only.")
    return partial(read, columns=_mapping(columns))


def _collection_reader(
    invocation: Invocation, name: str, file: Path | None
) -> Callable[..., Iterator[Row]]:
    known = {each.name: each for each in known_collections()}
    if name not in known:
        raise InputError(
            f"{name!r} is neither a format nor a known collection.",
            f"Formats are {', '.join(FORMATS)}; collections {', '.join(known)}.",
        )
    hint = availability(known[name]).hint
    if file is None and hint and availability(known[name]).ready:
        invocation.notice(hint)
    return partial(read_collection, known[name], file)


def _mapping(columns: tuple[str, ...]) -> dict[str, str]:
    mapping = {}
    for column in columns:
        field, equals, heading = column.partition("=")
        if not (field and equals and heading):
            raise InputError(
                f"--column {column} does not say which column holds which field.",
                "Write it as text=Quote.",
            )
        mapping[field] = heading
    return mapping


def _begun(rows: Iterator[Row]) -> Iterator[Row]:
    """Read the first row now: a file that cannot be read shall not leave a new, empty store."""
    return chain(list(islice(rows, 1)), rows)


def _set(rows: Iterator[Row], tier: Tier | None, language: str | None) -> Iterator[Row]:
    """Give every quotation the tier and language that the user named."""
    for row in rows:
        if isinstance(row, Quotation):
            row = replace(row, tier=tier or row.tier, language=language or row.language)
        yield row
