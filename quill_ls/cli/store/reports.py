"""Telling what became of the rows of an import."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from quill_ls.cli.context import Invocation
from quill_ls.store.importers.rows import ImportReport


def import_report_as_json(report: ImportReport) -> dict[str, Any]:
    """Return the report with its field names as keys."""
    return asdict(report)


def print_import_report(
    invocation: Invocation, report: ImportReport, *, examples: bool = True
) -> None:
    """Print the sums, and the skipped rows by reason, with or without examples."""
    from quill_ls.cli.tables import plain

    invocation.out.print(
        f"{report.read:,} rows: {report.added:,} added, {report.merged:,} in the store already, "
        f"{report.skipped_count:,} skipped."
    )
    for group in report.skipped:
        invocation.out.print(plain(f"  {group.count:,} skipped: {group.reason}"))
        for row in group.examples if examples else ():
            excerpt = f": {row.excerpt}" if row.excerpt else ""
            example = plain(f"    row {row.line}{excerpt}", "dim")
            invocation.out.print(example, no_wrap=True, overflow="ellipsis")
