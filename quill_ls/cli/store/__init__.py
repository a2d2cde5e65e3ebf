"""`quill-ls store`: the collection of quotations."""

from __future__ import annotations

import click

from quill_ls.cli.lazy import LazyGroup

COMMANDS = {
    "build": "quill_ls.cli.store.building:build",
    "collections": "quill_ls.cli.store.building:collections",
    "import": "quill_ls.cli.store.importing:import_",
    "embed": "quill_ls.cli.store.embedding:embed",
    "search": "quill_ls.cli.store.looking:search",
    "show": "quill_ls.cli.store.looking:show",
    "add": "quill_ls.cli.store.changing:add",
    "remove": "quill_ls.cli.store.changing:remove",
    "export": "quill_ls.cli.store.exporting:export",
    "stats": "quill_ls.cli.store.stats:stats",
}
"""Where each command is defined, in the order of the help page."""


@click.group(cls=LazyGroup, places=COMMANDS)
def store() -> None:
    """Fill, search and look after the store of quotations."""
