"""Vectors of the quotations, one per sentence encoder, as little-endian float16.

Written a few at a time, so that work that was broken off goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from quill_ls.errors import StoreError
from quill_ls.store.connection import Connection
from quill_ls.store.narrow import Narrow, where

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Ids: TypeAlias = NDArray[numpy.int64]
    Matrix: TypeAlias = NDArray[numpy.float16]


def put_vectors(connection: Connection, encoder: str, rows: Iterable[tuple[int, bytes]]) -> None:
    """Store vectors of the encoder, in place of older ones; removed quotations are passed over."""
    ready = list(rows)  # encoding takes its time: not while the store is locked
    with connection.transaction():
        connection.change("INSERT OR IGNORE INTO encoders(name) VALUES (?)", (encoder,))
        encoder_id = _encoder_id(connection, encoder)
        connection.change_many(
            "INSERT OR REPLACE INTO vectors(encoder_id, quote_id, vector)"
            " SELECT ?, id, ? FROM quotes WHERE id = ?",
            ((encoder_id, vector, id) for id, vector in ready),
        )


def missing_vectors(
    connection: Connection, encoder: str, narrow: Narrow | None = None, limit: int | None = None
) -> list[tuple[int, str]]:
    """Return id and text of quotations that the encoder has no vector of, by ascending id."""
    condition, parameters = where(narrow)
    return connection.rows(
        f"SELECT id, text FROM quotes WHERE ({condition or 'true'})"
        " AND id NOT IN (SELECT quote_id FROM vectors WHERE encoder_id = ?)"
        " ORDER BY id LIMIT ?",
        (*parameters, _encoder_id(connection, encoder), -1 if limit is None else limit),
    )


def vector_count(connection: Connection, encoder: str) -> int:
    """Return how many quotations the encoder has vectors of."""
    row = connection.row(
        "SELECT count(*) FROM vectors WHERE encoder_id = ?", (_encoder_id(connection, encoder),)
    )
    assert row is not None
    count: int = row[0]
    return count


def vectors(
    connection: Connection, encoder: str, ids: Sequence[int] | None = None
) -> tuple[Ids, Matrix]:
    """Return the ids that have vectors, ascending, and their vectors as rows of a matrix.

    Returns
    -------
    ids
        int64, shape (n,); those of `ids` that have a vector, or all.
    matrix
        float16, shape (n, dimensions); (0, 0) where there is none.

    Raises
    ------
    StoreError
        If the vectors are not all of one length.
    """
    import numpy  # a tenth of a second that a program without vectors need not spend

    condition, parameters = ("", []) if ids is None else _one_of(ids)
    rows = connection.rows(
        f"SELECT quote_id, vector FROM vectors WHERE encoder_id = ?{condition} ORDER BY quote_id",
        (_encoder_id(connection, encoder), *parameters),
    )
    found = numpy.fromiter((row[0] for row in rows), dtype=numpy.int64, count=len(rows))
    size = len(rows[0][1]) if rows else 0
    data = b"".join(row[1] for row in rows)
    if size % 2 or len(data) != size * len(rows) or any(len(row[1]) != size for row in rows):
        raise StoreError(
            f"The vectors of {encoder} in {connection.path} are not all of one length.",
            "Run 'quill-ls store embed --again' to compute them anew.",
        )
    matrix = numpy.frombuffer(data, dtype="<f2").reshape(len(rows), size // 2)
    return found, matrix.astype(numpy.float16, copy=False)


def remove_vectors(connection: Connection, encoder: str) -> None:
    """Forget the encoder with all its vectors."""
    connection.change("DELETE FROM encoders WHERE name = ?", (encoder,))


def _one_of(ids: Sequence[int]) -> tuple[str, list[object]]:
    wanted = json.dumps([int(id) for id in ids])
    return " AND quote_id IN (SELECT value FROM json_each(?))", [wanted]


def _encoder_id(connection: Connection, encoder: str) -> int:
    """Return the row of the encoder, or -1, which no row has."""
    row = connection.row("SELECT id FROM encoders WHERE name = ?", (encoder,))
    return -1 if row is None else row[0]
