"""Quill's own exchange format: one JSON object a line, its fields those of `Quotation`.

The format is documented in ``docs/formats/jsonl.md``; `write_line` is its other direction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from quill_ls.store.importers.plain import fault_of, one_line, plain
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.source import text_lines
from quill_ls.store.records import TIERS, Quotation

_STRINGS = ("author", "work", "locator", "language", "collection", "licence", "source")
_INTEGERS = ("year", "search_frequency", "carried")
FIELDS = frozenset({"text", "tier", "topics", *_STRINGS, *_INTEGERS})
"""The fields of a line. ``id`` is not among them: a store gives its own."""


def read_jsonl(
    path: Path,
    *,
    encoding: str | None = None,
    collection: str = "user",
    progress: Progress = silent,
) -> Iterator[Row]:
    """Yield a quotation for each line of `path`; empty lines are no rows.

    A line that is broken, has a field of the wrong type or an unknown one is skipped with its
    number. `collection` is the name for lines that have none.
    """
    for number, line in text_lines(path, encoding, progress):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            yield Skipped.of(number, "not JSON", line)
            continue
        if not isinstance(fields, dict):
            yield Skipped.of(number, "not a JSON object", line)
            continue
        try:
            yield quotation_of(fields, collection)
        except ValueError as error:
            yield Skipped.of(number, str(error), line)


def quotation_of(fields: Mapping[str, object], collection: str = "user") -> Quotation:
    """Make a quotation of the fields of one line.

    Raises
    ------
    ValueError
        With the reason in a few words.
    """
    unknown = sorted(set(fields) - FIELDS - {"id"})
    if unknown:
        raise ValueError(f"unknown field {unknown[0]!r}")
    text = fields.get("text")
    if not isinstance(text, str):
        raise ValueError("field 'text' is missing" if text is None else "'text' is not a string")
    text = plain(text)
    fault = fault_of(text)
    if fault:
        raise ValueError(fault)
    for name in _STRINGS:
        if not isinstance(fields.get(name, ""), str):
            raise ValueError(f"'{name}' is not a string")
    for name in _INTEGERS:
        value = fields.get(name)
        # bool is an int to Python, but not to a reader of the file
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise ValueError(f"'{name}' is not a whole number")
    tier = fields.get("tier", "collected")
    if tier not in TIERS:
        raise ValueError(f"'tier' is none of {', '.join(TIERS)}")
    topics = fields.get("topics", [])
    if not isinstance(topics, list) or not all(isinstance(topic, str) for topic in topics):
        raise ValueError("'topics' is not a list of strings")
    words = {name: one_line(cast(str, fields.get(name, ""))) for name in _STRINGS}
    if any(fault_of(word) == "half a surrogate pair" for word in (*words.values(), *topics)):
        raise ValueError("half a surrogate pair")
    numbers = {name: cast("int | None", fields.get(name)) for name in _INTEGERS}
    carried = numbers["carried"]
    if carried is not None and carried < 1:
        raise ValueError("'carried' is less than 1")
    frequency = numbers["search_frequency"]
    if frequency is not None and frequency < 0:
        raise ValueError("'search_frequency' is negative")
    return Quotation(
        text=text,
        author=words["author"],
        work=words["work"],
        locator=words["locator"],
        year=numbers["year"],
        language=words["language"] or "en",
        tier=tier,
        topics=tuple(one_line(topic) for topic in topics if topic.strip()),
        collection=words["collection"] or collection,
        licence=words["licence"],
        source=words["source"],
        search_frequency=frequency,
        carried=carried or 1,
    )


def write_line(quotation: Quotation) -> str:
    """Return the line of `quotation`, without its end; what is empty or unknown is left out."""
    fields: dict[str, object] = {"text": quotation.text}
    fields |= {name: getattr(quotation, name) for name in _STRINGS}
    fields |= {"tier": quotation.tier, "topics": list(quotation.topics)}
    fields |= {name: getattr(quotation, name) for name in _INTEGERS}
    kept = {name: value for name, value in fields.items() if value not in ("", None, [])}
    return json.dumps(kept, ensure_ascii=False)
