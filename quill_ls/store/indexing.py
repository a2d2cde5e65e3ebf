"""Keeping what is derived from the table ``quotes`` in step: full-text indexes and topics.

Not by triggers: SQLite writes a full-text index out after every statement that a trigger is part
of, which makes adding many rows several times slower. So whoever writes to ``quotes`` takes the
rows out of the indexes first, and puts them in again after.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from quill_ls.store.connection import Connection

_INDEXES = {
    "quotes_words": "text, author, work, topics",
    "quotes_trigrams": "spelling",
}
"""Each index with its columns, which the view ``quotes_searchable`` has under the same names."""

_GIVEN = "IN (SELECT value FROM json_each(?))"


@contextmanager
def reindexed(connection: Connection, ids: Sequence[int]) -> Iterator[None]:
    """Change, add or remove the rows `ids` of ``quotes`` inside, and no others."""
    rows = (json.dumps(list(ids)),)
    for index, columns in _INDEXES.items():
        connection.change(
            f"INSERT INTO {index}({index}, rowid, {columns})"
            f" SELECT 'delete', id, {columns} FROM quotes_searchable WHERE id {_GIVEN}",
            rows,
        )
    connection.change(f"DELETE FROM quote_topics WHERE quote_id {_GIVEN}", rows)
    yield
    for index, columns in _INDEXES.items():
        connection.change(
            f"INSERT INTO {index}(rowid, {columns})"
            f" SELECT id, {columns} FROM quotes_searchable WHERE id {_GIVEN}",
            rows,
        )
    connection.change(
        "INSERT INTO quote_topics(topic, quote_id) SELECT DISTINCT value, quotes.id"
        f" FROM quotes, json_each(quotes.topics) WHERE quotes.id {_GIVEN} AND topics != '[]'",
        rows,
    )
