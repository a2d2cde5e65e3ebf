"""The command line: `quill-ls COMMAND`.

Importing this package imports click and nothing heavier, so that ``quill-ls --version`` answers
at once; the module of a command is imported when the command is used.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from quill_ls import __version__
from quill_ls.cli.border import run_command
from quill_ls.cli.lazy import LazyGroup

COMMANDS = {
    "suggest": "quill_ls.cli.suggest:suggest",
    "store": "quill_ls.cli.store:store",
    "model": "quill_ls.cli.model:model",
    "calibrate": "quill_ls.cli.calibrate:calibrate",
    "settings": "quill_ls.cli.settings:settings",
    "doctor": "quill_ls.cli.doctor:doctor",
}
"""Where each command is defined, in the order of the help page."""


@click.group(
    cls=LazyGroup,
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="quill-ls")
def cli() -> None:
    """Suggest and check quotations while you write. Nothing leaves this machine."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: the entry point of the installed program."""
    sys.exit(run_command(cli, arguments))
