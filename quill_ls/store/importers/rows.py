"""What an importer yields and what an import reports: every row read is accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.store.records import Quotation

Progress = Callable[[int, int | None], None]
"""Called with what is done and what there is to do (None when unknown), in bytes or rows."""

EXAMPLES_KEPT = 5
"""Skipped rows of each reason that a report shows."""

_EXCERPT = 80


def silent(done: int, total: int | None) -> None:
    """Report no progress."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that was read and not imported.

    Attributes
    ----------
    line
        Where it is: line number of a text file (from 1), or row number of a table.
    reason
        A few words, the same for all rows of the same fault.
    excerpt
        The beginning of what stood there, on one line.
    """

    line: int
    reason: str
    excerpt: str = ""

    @classmethod
    def of(cls, line: int, reason: str, content: object) -> Skipped:
        """Make one with a short excerpt of `content`."""
        text = " ".join(str(content).split())
        return cls(line, reason, text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…")


Row = Quotation | Skipped
"""What importers yield: one for each row of the source, in its order."""


@dataclass(frozen=True, slots=True)
class SkippedRows:
    """All rows that were skipped for one reason."""

    reason: str
    count: int
    examples: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of the rows of one import.

    ``read == added + merged + sum(group.count for group in skipped)``, always.

    Attributes
    ----------
    read
        Rows of the source.
    added
        Rows that became quotations of their own.
    merged
        Rows whose words the store had already.
    skipped
        The rest by reason, most frequent first.
    """

    read: int
    added: int
    merged: int
    skipped: tuple[SkippedRows, ...]

    @property
    def skipped_count(self) -> int:
        """Number of rows that were not imported."""
        return sum(group.count for group in self.skipped)


class _Added(Protocol):
    @property
    def added(self) -> int: ...
    @property
    def merged(self) -> int: ...


class Sink(Protocol):
    """The part of the store that an import needs."""

    def add(self, quotations: Iterable[Quotation]) -> _Added:
        """Store all of `quotations` in one transaction, or none when it fails."""
        ...


def import_into(store: Sink, rows: Iterable[Row], cancel: CancelToken = NEVER) -> ImportReport:
    """Store the quotations among `rows` in one transaction and account for the rest.

    Raises
    ------
    InputError
        From the importer: the source cannot be read at all. Nothing is stored then.
    Cancelled
        The token was set; nothing is stored.
    """
    read = 0
    counts: dict[str, int] = {}
    examples: dict[str, list[Skipped]] = {}

    def quotations() -> Iterator[Quotation]:
        nonlocal read
        for row in rows:
            cancel.check()
            read += 1
            if isinstance(row, Quotation):
                yield row
                continue
            counts[row.reason] = counts.get(row.reason, 0) + 1
            shown = examples.setdefault(row.reason, [])
            if len(shown) < EXAMPLES_KEPT:
                shown.append(row)

    stored = store.add(quotations())
    skipped = tuple(
        SkippedRows(reason, count, tuple(examples[reason]))
        for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
    return ImportReport(read, stored.added, stored.merged, skipped)
