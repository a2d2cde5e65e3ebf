"""Write the pages of docs/ that repeat the code: settings and commands.

python scripts/generate_docs.py            write them
python scripts/generate_docs.py --check    exit with 1 if they are not current
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

# Help pages wrap at the width of the terminal: here they always have the same.
os.environ["COLUMNS"] = "88"

import click

from quill_ls.cli import cli
from quill_ls.settings.definition import Option, options, sections
from quill_ls.settings.values import describe_type

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Written by scripts/generate_docs.py: change the code, then run `make docs`. -->"


SETTINGS_INTRODUCTION = f"""\
# Settings

{NOTE}

Settings are TOML, in the user's `config.toml` and in the `.quill.toml` of a project; the nearest
one in the folder of the document or above it holds. Defaults are overridden by the user's file,
that by the project's, that by the file given with `--settings`, all by the options of a command.
`quill-ls settings show` prints what is in force and where it comes from. A wrong key or value is
reported and costs only itself.

A setting marked *machine* names a file, uses memory or reaches the network: a project's file may
not change it, only you.

```toml
[suggest]
limit = 3
novelty = 0.5        # rather fresh than famous
languages = ["en"]
```
"""


def settings_page() -> str:
    lines = [SETTINGS_INTRODUCTION.rstrip()]
    for section, description in sections().items():
        lines += ["", f"## [{section}]", "", description, ""]
        lines += ["| key | default | takes | |", "|---|---|---|---|"]
        lines += [
            _settings_row(option)
            for key, option in options().items()
            if key.startswith(f"{section}.")
        ]
    return "\n".join(lines) + "\n"


def _settings_row(option: Option) -> str:
    name = option.key.partition(".")[2]
    default = "" if option.default is None else f"`{json.dumps(option.default)}`"
    scope = " *machine*" if option.about.scope == "machine" else ""
    return f"| `{name}` | {default} | {describe_type(option)} | {option.about.description}{scope} |"


def commands_page() -> str:
    lines = ["# Commands", "", NOTE]
    for path, help_text in _help_pages(cli, "quill-ls", None):
        lines += ["", f"{'#' * (1 + len(path.split()))} {path}", "", "```", help_text, "```"]
    return "\n".join(lines) + "\n"


def _help_pages(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[tuple[str, str]]:
    context = click.Context(
        command, info_name=name, parent=parent, **(command.context_settings or {})
    )
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            child = command.get_command(context, each)
            if child is not None and not child.hidden:
                yield from _help_pages(child, each, context)


PAGES = {"settings.md": settings_page, "commands.md": commands_page}


def main() -> int:
    current = True
    for name, page in PAGES.items():
        path, text = DOCS / name, page()
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
            continue
        stands = path.read_text(encoding="utf-8") if path.exists() else ""
        if stands != text:
            current = False
            lines = difflib.unified_diff(stands.splitlines(), text.splitlines(), lineterm="")
            print(f"docs/{name} is not current: run `make docs`.", *lines, sep="\n")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())
