"""Showing quotations of the store."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from quill_ls.cli.context import Invocation
from quill_ls.store.records import Quotation

if TYPE_CHECKING:
    from rich.table import Table


def as_json(quotation: Quotation) -> dict[str, Any]:
    """Return all fields of a quotation, by the names of `Quotation`."""
    return asdict(quotation)


def attribution(quotation: Quotation) -> str:
    """Return author, work, locator and year as a reader would write them."""
    year = quotation.year
    shown_year = "" if year is None else f"{-year} BCE" if year < 0 else str(year)
    parts = (quotation.author, quotation.work, quotation.locator, shown_year)
    return ", ".join(part for part in parts if part) or "(unknown)"


def listing(quotations: list[Quotation]) -> Table:
    """Return a table with one row for each quotation."""
    from quill_ls.cli.tables import table

    return table(
        ("id", "quotation", "author, work", "tier"),
        [
            (str(quotation.id), quotation.text, attribution(quotation), quotation.tier)
            for quotation in quotations
        ],
        right=("id",),
        style={"id": "dim", "tier": "dim"},
    )


def print_card(invocation: Invocation, quotation: Quotation) -> None:
    """Print everything that is known of one quotation; what is unknown is left out."""
    from quill_ls.cli.tables import plain

    invocation.out.print(plain(quotation.text, "bold"))
    for name, value in asdict(quotation).items():
        if name == "text" or value in ("", None, ()):
            continue
        shown = ", ".join(value) if isinstance(value, tuple) else str(value)
        invocation.out.print(plain(f"{name.replace('_', ' '):>18}  {shown}"))
