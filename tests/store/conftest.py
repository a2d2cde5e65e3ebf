"""An empty store, and a way to see that its indexes agree with its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quill_ls.store.database import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "quotes.db") as opened:
        yield opened


@pytest.fixture
def consistent() -> Callable[[Store], None]:
    """Let SQLite compare both full-text indexes with what the rows say, and check all keys."""

    def check(store: Store) -> None:
        conn = store.connection.db.conn
        for index in ("quotes_words", "quotes_trigrams"):
            # Rank 1: compare with the content too; raises "database disk image is malformed".
            conn.execute(f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)")
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        stale = conn.execute(
            "SELECT quotes.id, value FROM quotes, json_each(topics)"
            " EXCEPT SELECT quote_id, topic FROM quote_topics"
        ).fetchall()
        unknown = conn.execute(
            "SELECT quote_id, topic FROM quote_topics"
            " EXCEPT SELECT quotes.id, value FROM quotes, json_each(topics)"
        ).fetchall()
        assert (stale, unknown) == ([], [])

    return check
