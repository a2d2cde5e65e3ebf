"""Draw what a command of the demo really prints, for the README: docs/images/suggest.svg.

make demo && .venv/bin/python scripts/picture.py
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "suggest.svg"
ARGUMENTS = ["suggest", "examples/essay.md", "--limit", "3"]
WIDTH = 110


def main() -> int:
    environment = os.environ | {
        "QUILL_HOME": str(ROOT / ".demo"),
        "FORCE_COLOR": "1",
        "COLUMNS": str(WIDTH),
    }
    run = subprocess.run(
        [sys.executable, "-m", "quill_ls", *ARGUMENTS],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env=environment,
    )
    if run.returncode:
        print(run.stderr, file=sys.stderr)
        return run.returncode
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text(f"$ quill-ls {' '.join(ARGUMENTS)}", style="dim"))
    console.print(Text.from_ansi(run.stdout))
    svg = console.export_svg(title="quill-ls suggest")
    # rich names a font to be fetched from the network: the reader's own monospace will do.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
