"""`quill-ls store add` and `remove`."""

from __future__ import annotations

import sys

import click

from quill_ls.cli.context import Invocation, common_options
from quill_ls.cli.store.narrowing import TIERS
from quill_ls.cli.store.quotations import listing
from quill_ls.errors import InputError
from quill_ls.store.authority import seed_authorities
from quill_ls.store.database import Store
from quill_ls.store.importers.jsonl import quotation_of


@click.command()
@click.argument("text")
@click.option("--author", required=True, help="Whose words they are.")
@click.option("--work", default="", help="The work they stand in.")
@click.option("--locator", default="", help="The place in the work: chapter, act, verse, page.")
@click.option("--year", type=int, help="Year of the work, negative before the common era.")
@click.option("--language", help="`en`, `zh`, `lzh` or another tag.  [default: found out]")
@click.option(
    "--tier",
    type=TIERS,
    help="How far it can be trusted.  [default: sourced with work and locator, else collected]",
)
@click.option("--topic", "topics", multiple=True, help="A topic; may be given several times.")
@click.option("--source", default="", help="Address of a page that shows it.")
@common_options
def add(
    invocation: Invocation,
    text: str,
    author: str,
    work: str,
    locator: str,
    year: int | None,
    language: str | None,
    tier: str | None,
    topics: tuple[str, ...],
    source: str,
) -> None:
    """Add one quotation, TEXT, to the collection `user`."""
    from quill_ls.text.language import detect

    fields = {
        "text": text,
        "author": author,
        "work": work,
        "locator": locator,
        "year": year,
        "language": language or detect(text),
        "tier": tier or ("sourced" if work and locator else "collected"),
        "topics": list(topics),
        "source": source,
    }
    try:
        quotation = quotation_of(fields, "user")
    except ValueError as error:
        raise InputError(f"The quotation cannot be added: {error}.") from None
    with Store.open(invocation.settings.store.file) as store, store.transaction():
        seed_authorities(store)
        report = store.add([quotation])
    (number,) = report.ids
    click.echo(f"Added as {number}." if report.added else f"It is there already: {number}.")


@click.command()
@click.argument("numbers", metavar="ID...", nargs=-1, required=True, type=click.IntRange(1))
@click.option("--yes", is_flag=True, help="Do not ask.")
@common_options
def remove(invocation: Invocation, numbers: tuple[int, ...], yes: bool) -> None:
    """Remove quotations, with all that was computed of them."""
    path = invocation.settings.store.file
    with Store.open(path) as store:
        found = store.get_many(dict.fromkeys(numbers))
        missing = [str(number) for number in numbers if number not in found]
        if missing:
            raise InputError(
                f"The store {path} has no quotation {', '.join(missing)}.",
                "Nothing was removed; `quill-ls store search` shows ids.",
            )
        if not yes:
            if not sys.stdin.isatty():
                raise InputError("There is nobody to ask.", "Say --yes to remove without asking.")
            invocation.err.print(listing(list(found.values())))
            click.confirm(f"Remove {len(found)} from {path}?", abort=True, err=True)
        removed = store.remove(found)
    click.echo(f"Removed {removed}.")
