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
    invocation: Invocation, description: str, unit: Literal["items", "bytes", "share"] = "items"
) -> Iterator[Progress]:
    """Show a bar on standard error while the block runs; nothing where it is no terminal.

    The bar is gone when the block ends, whatever ends it.

    Parameters
    ----------
    unit
        What the callback counts: things, bytes, or something that means nothing to the reader,
        of which only the share that is done is shown.
    """
    if not invocation.err.is_terminal:
        yield lambda done, total: None
        return

    from rich import progress

    amount: dict[str, list[progress.ProgressColumn]] = {
        "items": [progress.MofNCompleteColumn()],
        "bytes": [progress.DownloadColumn(), progress.TransferSpeedColumn()],
        "share": [progress.TaskProgressColumn()],
    }
    bar = progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        *amount[unit],
        progress.TimeRemainingColumn(),
        progress.TextColumn("left"),
        console=invocation.err,
        transient=True,
    )
    with bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
