"""The knowledge base of the QUILL paper as published: a JSON array of Chinese quotations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.store.importers.plain import fault_of, one_line, plain
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.source import text_of
from quill_ls.store.records import Quotation
from quill_ls.text.script import has_han

_TITLE_MARKS = re.compile(r"^《(?P<title>[^《》]+)》$")
_TOPICS = re.compile(r"[,;/、，；\s]+")
_NOBODY = frozenset({"佚名", "无名氏", "匿名", "未知", "不详", "Unknown", "Anonymous"})


def read_quill_json(
    path: Path,
    *,
    encoding: str | None = None,
    collection: str = "quill",
    progress: Progress = silent,
) -> Iterator[Row]:
    """Yield a quotation for each object of the array; its line is its position, from 1.

    Those with a poem are classical ("lzh"), those without modern Chinese ("zh"); a text without
    a Han character is English. ``Search`` is the search frequency of eq. 8; ``PPL`` and
    ``novelty`` belong to the paper's models and are not taken.

    Raises
    ------
    InputError
        The file is no JSON array.
    """
    try:
        entries = json.loads(text_of(path, encoding))
    except ValueError as error:
        raise InputError(
            f"{path} is not JSON: {error}.", "For one object a line, use the format jsonl."
        ) from error
    if not isinstance(entries, list):
        raise InputError(f"{path} is not a JSON array of quotations.")
    for number, entry in enumerate(entries, 1):
        yield _row(number, entry, collection)
        if number % 1000 == 0:
            progress(number, len(entries))
    progress(len(entries), len(entries))


def _row(number: int, entry: object, collection: str) -> Row:
    if not isinstance(entry, dict):
        return Skipped.of(number, "not a JSON object", entry)
    for name in ("quote", "author", "poem", "topic"):
        if not isinstance(entry.get(name, ""), str | None):
            return Skipped.of(number, f"'{name}' is not a string", entry)
    text = plain(entry.get("quote") or "")
    fault = fault_of(text)
    if fault:
        return Skipped.of(number, fault, entry)
    search = entry.get("Search")
    author = one_line(entry.get("author") or "")
    poem = one_line(entry.get("poem") or "")
    title = _TITLE_MARKS.match(poem)
    return Quotation(
        text=text,
        author="" if author in _NOBODY else author,
        work=title["title"] if title else poem,
        language=("lzh" if poem else "zh") if has_han(text) else "en",
        topics=tuple(topic for topic in _TOPICS.split(entry.get("topic") or "") if topic),
        collection=collection,
        # A count of 0 means that the search failed, not that nobody carries the words.
        search_frequency=search if isinstance(search, int) and search > 0 else None,
    )
