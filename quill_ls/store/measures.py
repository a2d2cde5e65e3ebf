"""What models have measured: a number per quotation or author, and calibrations."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping

from quill_ls.store.connection import Connection


def put_measures(
    connection: Connection, model: str, name: str, values: Mapping[int, float]
) -> None:
    """Store the measure `name` of quotations by `model`, by row, in place of older values.

    A NaN is nothing to store, and a removed quotation none to store it for: both are passed over.
    """
    _put(connection, "measures", "quote_id", "quotes", model, name, values)


def measures(
    connection: Connection, model: str, name: str, ids: Iterable[int] | None = None
) -> dict[int, float]:
    """Return the stored values, by row, of those of `ids` that have one, or of all."""
    return _get(connection, "measures", "quote_id", model, name, ids)


def put_author_measures(
    connection: Connection, model: str, name: str, values: Mapping[int, float]
) -> None:
    """Store the measure `name` of authors by `model`, as `put_measures` does."""
    _put(connection, "author_measures", "author_id", "authors", model, name, values)


def author_measures(
    connection: Connection, model: str, name: str, author_ids: Iterable[int] | None = None
) -> dict[int, float]:
    """Return the stored values of those of `author_ids` that have one, or of all authors."""
    return _get(connection, "author_measures", "author_id", model, name, author_ids)


def put_calibration(
    connection: Connection, model: str, criterion: str, mu: float, k: float, n: int
) -> None:
    """Store the constants of a criterion's logistic function, from a sample of `n`."""
    connection.change(
        "INSERT OR REPLACE INTO calibrations(model, criterion, mu, k, n) VALUES (?, ?, ?, ?, ?)",
        (model, criterion, mu, k, n),
    )


def calibrations(connection: Connection, model: str) -> dict[str, tuple[float, float, int]]:
    """Return mu, k and sample size by criterion."""
    return {
        criterion: (mu, k, n)
        for criterion, mu, k, n in connection.rows(
            "SELECT criterion, mu, k, n FROM calibrations WHERE model = ?", (model,)
        )
    }


def _put(
    connection: Connection,
    table: str,
    column: str,
    owners: str,
    model: str,
    name: str,
    values: Mapping[int, float],
) -> None:
    with connection.transaction():
        connection.change(
            "INSERT OR IGNORE INTO measure_kinds(model, name) VALUES (?, ?)", (model, name)
        )
        kind = _kind_id(connection, model, name)
        connection.change_many(
            f"INSERT OR REPLACE INTO {table}(kind_id, {column}, value)"
            f" SELECT ?, id, ? FROM {owners} WHERE id = ?",
            [
                (kind, float(value), int(id))
                for id, value in values.items()
                if not math.isnan(value)
            ],
        )


def _get(
    connection: Connection,
    table: str,
    column: str,
    model: str,
    name: str,
    ids: Iterable[int] | None,
) -> dict[int, float]:
    parameters: list[object] = [_kind_id(connection, model, name)]
    condition = ""
    if ids is not None:
        condition = f" AND {column} IN (SELECT value FROM json_each(?))"
        parameters.append(json.dumps([int(id) for id in ids]))
    return dict(
        connection.rows(
            f"SELECT {column}, value FROM {table} WHERE kind_id = ?{condition} ORDER BY {column}",
            parameters,
        )
    )


def _kind_id(connection: Connection, model: str, name: str) -> int:
    """Return the row of the measure, or -1, which no row has."""
    row = connection.row("SELECT id FROM measure_kinds WHERE model = ? AND name = ?", (model, name))
    return -1 if row is None else row[0]
