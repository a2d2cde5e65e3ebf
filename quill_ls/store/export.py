"""Writing quotations of the store to a file that the importers read back."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, TextIO

from quill_ls.errors import InputError
from quill_ls.store.importers.jsonl import write_line
from quill_ls.store.records import Progress, Quotation

Format = Literal["jsonl", "csv"]

CSV_COLUMNS = (
    "text",
    "author",
    "work",
    "locator",
    "year",
    "language",
    "tier",
    "topics",
    "collection",
    "licence",
    "source",
    "search_frequency",
    "carried",
)
_REPORT_EVERY = 1000


def export_file(
    quotations: Iterable[Quotation],
    path: Path,
    format: Format,
    progress: Progress | None = None,
) -> int:
    """Write quotations to the file `path`, entirely or not at all; return how many.

    A file that is there is replaced once the new one is complete.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            with unfinished.open("w", encoding="utf-8", newline="") as file:
                count = export_stream(quotations, file, format, progress)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror or error}.", "Nothing was changed."
        ) from error
    return count


def export_stream(
    quotations: Iterable[Quotation],
    stream: TextIO,
    format: Format,
    progress: Progress | None = None,
) -> int:
    """Write quotations to an open text stream; return how many."""
    write = _csv_writer(stream) if format == "csv" else _jsonl_writer(stream)
    count = 0
    for count, quotation in enumerate(quotations, start=1):
        write(quotation)
        if progress is not None and count % _REPORT_EVERY == 0:
            progress(count, None)
    return count


def _jsonl_writer(stream: TextIO) -> Callable[[Quotation], object]:
    return lambda quotation: stream.write(write_line(quotation) + "\n")


def _csv_writer(stream: TextIO) -> Callable[[Quotation], object]:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    return lambda quotation: writer.writerow(
        "; ".join(quotation.topics) if column == "topics" else getattr(quotation, column)
        for column in CSV_COLUMNS
    )
