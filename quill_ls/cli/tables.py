"""Tables in one look, safe for texts of any origin."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text


def plain(text: str, style: str = "") -> Text:
    """Return foreign text for the console: no markup, no control characters.

    A quotation may carry ``[red]`` or an escape sequence; the first shows as it is, the second
    as a replacement character, so that no text can command the terminal.
    """
    shown = "".join(
        "\N{REPLACEMENT CHARACTER}" if _controls(character) else character for character in text
    )
    return Text(shown, style=style)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    right: Sequence[str] = (),
    style: dict[str, str] | None = None,
) -> Table:
    """Return a table of plain cells.

    Parameters
    ----------
    columns
        Headings.
    rows
        Cells as they are to be shown: whole numbers get thousands separators, fractions two
        digits, None is empty, a `rich.text.Text` stays as it is.
    right
        Headings of the columns of numbers: aligned to the right, never broken.
    style
        Rich style by heading.
    """
    result = Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
    )
    for column in columns:
        result.add_column(
            column,
            justify="right" if column in right else "left",
            style=(style or {}).get(column),
            overflow="fold",
            no_wrap=column in right,
        )
    for row in rows:
        result.add_row(*(_cell(value) for value in row))
    return result


def _cell(value: object) -> Text:
    if isinstance(value, Text):
        return value
    if value is None:
        return Text()
    if isinstance(value, int) and not isinstance(value, bool):
        return Text(f"{value:,}")
    if isinstance(value, float):
        return Text(f"{value:.2f}")
    return plain(str(value))


def _controls(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cs")
