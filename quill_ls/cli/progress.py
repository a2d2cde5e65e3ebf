"""Progress bars, driven by the callbacks that long work reports to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from quill_ls.cli.context import Invocation

Progress = Callable[[int, int | None], None]
"""Called with what is done so far and the total, where it is known."""


@contextmanager
def progress_bar(
    invocation: Invocation, description: str, unit: Literal["items", "bytes"] = "items"
) -> Iterator[Progress]:
    """Show a bar on standard error while the block runs; nothing where it is no terminal.

    The bar is gone when the block ends, whatever ends it.
    """
    if not invocation.err.is_terminal:
        yield lambda done, total: None
        return

    from rich import progress

    amount: list[progress.ProgressColumn] = (
        [progress.DownloadColumn(), progress.TransferSpeedColumn()]
        if unit == "bytes"
        else [progress.MofNCompleteColumn()]
    )
    bar = progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        *amount,
        progress.TimeElapsedColumn(),
        progress.TextColumn("left:"),
        progress.TimeRemainingColumn(),
        console=invocation.err,
        transient=True,
    )
    with bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
