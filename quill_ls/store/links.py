"""Links between a quotation and a longer one that contains it: neither is lost."""

from __future__ import annotations

from dataclasses import dataclass

from quill_ls.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Links:
    """The rows that a quotation is linked with, ascending.

    Attributes
    ----------
    shorter
        Quotations that this one contains.
    longer
        Quotations that contain this one.
    """

    shorter: tuple[int, ...]
    longer: tuple[int, ...]


def link(connection: Connection, shorter: int, longer: int) -> None:
    """Note that the quotation `longer` contains `shorter`; removed rows are passed over."""
    connection.change(
        "INSERT OR IGNORE INTO links(shorter, longer)"
        " SELECT s.id, l.id FROM quotes s, quotes l WHERE s.id = ? AND l.id = ? AND s.id != l.id",
        (shorter, longer),
    )


def links(connection: Connection, id: int) -> Links:
    """Return what the quotation is linked with."""
    shorter = connection.rows("SELECT shorter FROM links WHERE longer = ? ORDER BY 1", (id,))
    longer = connection.rows("SELECT longer FROM links WHERE shorter = ? ORDER BY 1", (id,))
    return Links(tuple(id for (id,) in shorter), tuple(id for (id,) in longer))
