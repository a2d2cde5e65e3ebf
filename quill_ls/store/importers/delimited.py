"""CSV and TSV files, with the columns mapped to the fields of a quotation."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.store.importers.jsonl import FIELDS, quotation_of
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.source import text_of

_USUAL_NAMES = {
    "text": ("text", "quote", "quotation", "words", "引文", "名言"),
    "author": ("author", "who", "by", "name", "speaker", "作者"),
    "work": ("work", "title", "book", "出处", "作品"),
    "locator": ("locator", "place", "page", "chapter"),
    "year": ("year", "date", "年份"),
    "language": ("language", "lang"),
    "topics": ("topics", "topic", "tags", "tag", "category", "categories"),
    "source": ("source", "url", "link"),
}
"""Headings that are understood without a mapping, best first."""

_INTEGERS = frozenset({"year", "search_frequency", "carried"})
_SEPARATORS = re.compile(r"[,;|、，；]")
_SNIFFED = 1 << 16
_MAX_FIELD = 1 << 20
_REPORT_EVERY = 500


def read_delimited(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    header: bool = True,
    delimiter: str | None = None,
    encoding: str | None = None,
    collection: str = "user",
    language: str = "en",
    progress: Progress = silent,
) -> Iterator[Row]:
    """Yield a quotation for each record of a CSV or TSV file.

    Parameters
    ----------
    columns
        Field of `Quotation` to heading (``{"text": "Quote", "author": "Who"}``), or to column
        number from 1 where the file has no header. None takes the usual headings.
    header
        Whether the first record names the columns.
    delimiter
        None finds it out: comma, tab, semicolon or bar.
    language
        For records without a language of their own.

    Raises
    ------
    InputError
        The file cannot be read, or the mapping names a field or a column that is not there.
    """
    text = text_of(path, encoding)
    lines = _records(text, _dialect(text, path, delimiter))
    headings: Sequence[str] = ()
    if header:
        first = next(lines, None)
        headings = [cell.strip() for cell in first[1]] if first and first[1] else ()
    places = _places(columns, headings, path)
    width = len(headings) or max(places.values()) + 1
    done = 0
    for number, cells, fault in lines:
        done += 1
        if done % _REPORT_EVERY == 0:
            progress(done, None)
        if fault:
            yield Skipped.of(number, fault, "")
        elif not any(cell.strip() for cell in cells):
            yield Skipped.of(number, "empty record", "")
        elif len(cells) < max(places.values()) + 1 or (header and len(cells) > width):
            yield Skipped.of(number, "another number of columns", " | ".join(cells))
        else:
            try:
                fields = _fields(cells, places, language)
                yield quotation_of(fields, collection)
            except ValueError as error:
                yield Skipped.of(number, str(error), " | ".join(cells))
    progress(done, done)


def _dialect(text: str, path: Path, delimiter: str | None) -> type[csv.Dialect]:
    if delimiter is None:
        try:
            return csv.Sniffer().sniff(text[:_SNIFFED], delimiters=",\t;|")
        except csv.Error:  # one column, or too few records to tell
            delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else ","
    if len(delimiter) != 1:
        raise InputError(f"The delimiter {delimiter!r} is not one character.")

    class Named(csv.excel):
        pass

    Named.delimiter = delimiter
    return Named


def _records(text: str, dialect: type[csv.Dialect]) -> Iterator[tuple[int, list[str], str]]:
    """Yield line number, cells and fault of each record."""
    # A long cell is a fault of its record, not of the file; the limit is the csv library's own
    # and global, so it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), _MAX_FIELD))
    # Doubled quotation marks are how every spreadsheet writes them; the sniffer does not see it
    # where the first records have none.
    reader = csv.reader(StringIO(text, newline=""), dialect, doublequote=True)
    while True:
        number = reader.line_num + 1
        try:
            yield number, next(reader), ""
        except StopIteration:
            return
        except csv.Error as error:
            yield number, [], f"not CSV ({error})"


def _places(
    columns: Mapping[str, str] | None, headings: Sequence[str], path: Path
) -> dict[str, int]:
    """Return the column index of each field."""
    lowered = [heading.casefold() for heading in headings]
    if columns is None:
        if not headings:
            columns = {"text": "1", "author": "2"}
        else:
            columns = {
                field: name
                for field, names in _USUAL_NAMES.items()
                for name in [next((name for name in names if name in lowered), "")]
                if name
            }
    places = {}
    for field, name in columns.items():
        if field not in FIELDS:
            raise InputError(
                f"A column is mapped to {field!r}, which is no field of a quotation.",
                f"The fields are {', '.join(sorted(FIELDS))}.",
            )
        if name.casefold() in lowered:
            places[field] = lowered.index(name.casefold())
        elif name.isdecimal() and int(name) >= 1 and (not headings or int(name) <= len(headings)):
            places[field] = int(name) - 1
        else:
            known = ", ".join(headings) or "numbered from 1"
            raise InputError(f"{path} has no column {name!r}.", f"Its columns are {known}.")
    if "text" not in places:
        raise InputError(
            f"No column of {path} is known to hold the quotations.",
            f"Say which, for instance --column text=Quote; its columns are {', '.join(headings)}.",
        )
    return places


def _fields(cells: Sequence[str], places: Mapping[str, int], language: str) -> dict[str, object]:
    fields: dict[str, object] = {}
    for field, place in places.items():
        cell = cells[place].strip()
        if field == "topics":
            fields[field] = [topic.strip() for topic in _SEPARATORS.split(cell) if topic.strip()]
        elif field in _INTEGERS:
            try:
                fields[field] = int(cell) if cell else None
            except ValueError:
                raise ValueError(f"'{field}' is not a whole number") from None
        elif cell or field == "text":
            fields[field] = cell
    fields.setdefault("language", language)
    return fields
