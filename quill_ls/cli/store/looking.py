"""`quill-ls store search` and `show`."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.cli.store.narrowing import narrow, narrowing_options
from quill_ls.cli.store.quotations import as_json, listing, print_card
from quill_ls.errors import InputError
from quill_ls.store.database import Store


@click.command()
@click.argument("words", nargs=-1)
@narrowing_options
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="At most so many.",
)
@click.option("--json", "as_json_", is_flag=True, help="Print one JSON document.")
@common_options
def search(
    invocation: Invocation, words: tuple[str, ...], limit: int, as_json_: bool, **narrowing: Any
) -> None:
    """Find quotations by WORDS in their text, author, work or topics, best first.

    Words in one pair of shell quotes are a phrase. Without WORDS, everything that the options
    leave is listed.
    """
    with Store.open(invocation.settings.store.file, readonly=True) as store:
        wanted = narrow(store, **narrowing)
        if words:
            hits = store.search_words(words, narrow=wanted, limit=limit)
            found = list(store.get_many(hit.id for hit in hits).values())
        else:
            found = list(islice(store.quotations(wanted), limit))
    if as_json_:
        print_json({"quotations": [as_json(quotation) for quotation in found]})
    elif found:
        invocation.out.print(listing(found))
    else:
        invocation.notice("The store has nothing like that.")


@click.command()
@click.argument("number", metavar="ID", type=click.IntRange(1))
@click.option("--json", "as_json_", is_flag=True, help="Print one JSON document.")
@common_options
def show(invocation: Invocation, number: int, as_json_: bool) -> None:
    """Show everything that the store knows of one quotation."""
    path = invocation.settings.store.file
    with Store.open(path, readonly=True) as store:
        quotation = store.get(number)
    if quotation is None:
        raise InputError(
            f"The store {path} has no quotation {number}.", "`quill-ls store search` shows ids."
        )
    if as_json_:
        print_json(as_json(quotation))
    else:
        print_card(invocation, quotation)
