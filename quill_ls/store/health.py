"""Is SQLite able, and is the file whole? What `quill-ls doctor` asks of the store."""

from __future__ import annotations

import sqlite3

from quill_ls.store.connection import Connection

_FAULTS_SHOWN = 5


def sqlite_version() -> str:
    """Return the version of the SQLite library that Python uses."""
    return sqlite3.sqlite_version


def has_full_text() -> bool:
    """Whether that library can index words and trigrams (FTS5, since SQLite 3.34)."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text, tokenize='trigram')")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


def faults(connection: Connection) -> list[str]:
    """Return what is damaged in the file, in SQLite's words; nothing if it is whole.

    Reads the whole file: about a second for each 500 MB from a fast disk.
    """
    rows = connection.rows(f"PRAGMA quick_check({_FAULTS_SHOWN})")
    return [message for (message,) in rows if message != "ok"]
