"""`quill-ls doctor`: what is there, what is missing, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict

import click

from quill_ls.cli.context import Invocation, common_options, print_json

_MARKS = {"ok": "[green]ok[/]", "limited": "[yellow]limited[/]", "broken": "[red]broken[/]"}


@click.command()
@click.option("--language", default="en", show_default=True, help="Language of your texts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def doctor(invocation: Invocation, language: str, as_json: bool) -> None:
    """Check the installation, settings, store, model and encoder.

    The exit status is 1 if something is broken; what is only limited does not count.
    """
    from quill_ls.engine.diagnosis import diagnose

    checks = list(diagnose(invocation.load_settings(), language))
    healthy = all(check.state != "broken" for check in checks)
    if as_json:
        print_json({"healthy": healthy, "checks": [asdict(check) for check in checks]})
    else:
        from rich.text import Text

        from quill_ls.cli.tables import table

        rows = [
            (check.name, Text.from_markup(_MARKS[check.state]), check.found, check.advice)
            for check in checks
        ]
        invocation.out.print(table(("check", "state", "found", "what to do"), rows))
    click.get_current_context().exit(0 if healthy else 1)
