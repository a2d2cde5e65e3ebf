"""The command line: `quill-ls COMMAND`.

Importing this package imports click and nothing heavier, so that ``quill-ls --version`` answers
at once; the module of a command is imported when the command is used.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from quill_ls import __version__
from quill_ls.cli.border import run_command

COMMANDS = {
    "settings": "quill_ls.cli.settings:settings",
}
"""Where each command is defined, in the order of the help page."""


class LazyGroup(click.Group):
    """A command group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands without importing any."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command, or None for a name that is none."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="quill-ls")
def cli() -> None:
    """Suggest and check quotations while you write. Nothing leaves this machine."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: the entry point of the installed program."""
    sys.exit(run_command(cli, arguments))
