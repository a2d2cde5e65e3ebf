"""Measure how well a model knows the people of ``quill_ls/data/authors.jsonl``.

    python scripts/measure_notability.py --model smollm2-135m

Writes ``quill_ls/data/notability.json``: log P(name), summed over the tokens, of the name or
alias that the model knows best (`quill_ls.ranking.notability`). It comes with Quill so that the
first list of suggestions is by people whom readers know, before any model has been asked.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.progress import track

from quill_ls.app import App
from quill_ls.cli.border import run_command
from quill_ls.ranking.notability import measure_notability
from quill_ls.settings import Settings
from quill_ls.store.authority import Authority, authorities
from quill_ls.text.script import has_han

TARGET = Path(__file__).parents[1] / "quill_ls" / "data" / "notability.json"
BLOCK = 64


def asked(entry: Authority) -> list[str]:
    """Return the names to ask for: single words only for people who go by one."""
    latin = [name for name in (entry.name, *entry.aliases) if not has_han(name)]
    return [name for name in latin if " " in name or name == entry.name] or latin[:1]


@click.command()
@click.option("--model", default="smollm2-135m", show_default=True)
def main(model: str) -> None:
    """Ask the model for every name and write the file anew."""
    rows = [(entry.name, name) for entry in authorities() for name in asked(entry)]
    best: dict[str, float] = {}
    with App(Settings().replace({"model.name": model})) as app:
        scorer = app.model("en")
        for start in track(range(0, len(rows), BLOCK), "Asking"):
            block = rows[start : start + BLOCK]
            values = measure_notability(scorer, [name for _, name in block])
            for (canonical, _), value in zip(block, values, strict=True):
                best[canonical] = max(value, best.get(canonical, value))
    document = {
        "model": model,
        "log_probability": {name: round(best[name], 2) for name in sorted(best)},
    }
    TARGET.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{len(best)} people measured, {TARGET.stat().st_size >> 10} KiB.")


if __name__ == "__main__":
    sys.exit(run_command(main))
