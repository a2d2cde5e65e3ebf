"""The connection to the store's file: opening it, transactions, errors that a user can mend.

Everything that speaks to SQLite goes through a `Connection`, so that every failure of the file,
the disk or another program's lock becomes a `StoreError` in one place.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from quill_ls.errors import StoreError

Row = tuple[Any, ...]
Parameters = Sequence[object] | dict[str, object]

PATIENCE = 10.0
"""Seconds to wait for another program's write before giving up. Readers never wait."""


class Connection:
    """One open store file.

    Attributes
    ----------
    db
        The sqlite-utils database.
    path
        The file.
    readonly
        Whether writing is impossible or unwanted.
    """

    def __init__(self, db: Database, path: Path, readonly: bool) -> None:
        self.db = db
        self.path = path
        self.readonly = readonly
        # Threads share the handle, and so its transaction: one of them at a time.
        self._writing = threading.RLock()

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        self.db.close()

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Return all rows of a query."""
        with translated(self.path):
            return self.db.conn.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Return the first row of a query, or None."""
        with translated(self.path):
            row: Row | None = self.db.conn.execute(sql, parameters).fetchone()
            return row

    def change(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement that writes; return the number of rows it touched."""
        self._require_writable()
        with self._writing, translated(self.path):
            return self.db.conn.execute(sql, parameters).rowcount

    def change_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement that writes for every row; all or nothing."""
        with self.transaction():
            self.db.conn.executemany(sql, rows)

    def let_readers_in(self) -> None:
        """Use a write-ahead log from now on, so that readers and a writer need not wait."""
        if self.readonly:
            return
        with translated(self.path):
            try:
                # Some network drives cannot; the store is as safe there, but readers wait.
                self.db.enable_wal()
            except sqlite3.OperationalError as error:
                if primary_code(error) not in _BUSY:
                    raise
                # Somebody is at work in the store; the next who opens it will do it.
            if self.db.journal_mode == "wal":  # safe without waiting for the disk every time
                self.db.conn.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make everything inside happen entirely or not at all; may be nested.

        The outermost one takes the write lock at once: one that begins by reading could find,
        when it comes to write, that another program has changed what it read.
        """
        self._require_writable()
        with self._writing, translated(self.path):
            if self.db.conn.in_transaction:
                with self.db.atomic():
                    yield
                return
            self.db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.conn.execute("COMMIT")
            except BaseException:
                self.db.rollback()
                raise

    def _require_writable(self) -> None:
        if self.readonly:
            raise StoreError(
                f"The store {self.path} is open for reading only.",
                "Check the permissions of the file and its folder, or choose another with --store.",
            )


def connect(path: Path, *, readonly: bool = False, timeout: float = PATIENCE) -> Connection:
    """Open `path`, creating file and parent folders unless `readonly`.

    A file or folder that cannot be written is opened for reading only, even where SQLite cannot
    lay its write-ahead log beside it. The schema is not looked at.

    Raises
    ------
    StoreError
        If there is no such file, or it cannot be read, or is no SQLite database.
    """
    with _io_translated(path):
        exists = path.exists()
        if exists and path.is_dir():
            raise StoreError(f"{path} is a folder, not a store.", "Name a file with --store.")
        if not readonly and not exists:
            path.parent.mkdir(parents=True, exist_ok=True)
    if readonly and not exists:
        raise StoreError(
            f"There is no store at {path}.", "Make one with 'quill-ls store build', or see --store."
        )
    with translated(path):
        if not readonly and _seems_writable(path):
            try:
                return _read_write(path, timeout)
            except sqlite3.OperationalError as error:
                if not exists or primary_code(error) not in _UNWRITABLE:
                    raise
        return _read_only(path, timeout)


def _read_write(path: Path, timeout: float) -> Connection:
    conn = _open(str(path), timeout)
    conn.execute("PRAGMA secure_delete = OFF")  # some builds overwrite what is deleted
    return Connection(Database(conn), path, readonly=False)


def _read_only(path: Path, timeout: float) -> Connection:
    """Open for reading; as an immutable file where the log's index cannot be created."""
    address = path.absolute().as_uri()
    try:
        conn = _open(f"{address}?mode=ro", timeout)
    except sqlite3.OperationalError as error:
        if primary_code(error) not in _UNWRITABLE:
            raise
        if _has_unread_log(path):
            raise StoreError(
                f"The store {path} has changes in {path.name}-wal that cannot be read here.",
                "Copy both files to a folder that can be written, and open the copy.",
            ) from error
        conn = _open(f"{address}?immutable=1", timeout)
    return Connection(Database(conn), path, readonly=True)


def _open(address: str, timeout: float) -> sqlite3.Connection:
    """Open a path or an address and read from it once: only then does SQLite look at the file."""
    conn = sqlite3.connect(
        address,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,  # threads may share it: SQLite is built serialised
        uri=address.startswith("file:"),
    )
    try:
        conn.execute("SELECT count(*) FROM sqlite_master").fetchone()
        conn.execute(f"PRAGMA cache_size = {-32 * 1024}")  # 32 MiB
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute("PRAGMA temp_store = MEMORY")
    except BaseException:
        conn.close()
        raise
    return conn


def _seems_writable(path: Path) -> bool:
    if not path.exists():
        return True  # creating it will tell
    effective = os.access in os.supports_effective_ids
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in (path, path.parent))


def _has_unread_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    try:
        return log.stat().st_size > 0
    except OSError:
        return False


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite says about the file, the disk or a lock into a `StoreError`.

    Errors of the program itself (wrong SQL, a closed handle) pass unchanged.
    """
    try:
        yield
    except sqlite3.Error as error:
        known = _explain(error, path)
        if known is None:
            raise
        raise known from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise StoreError(
            f"A value cannot be stored in {path}: {error}.",
            "Nothing was written. Numbers have at most 64 bits, and texts no lone surrogates.",
        ) from error


@contextmanager
def _io_translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"The store {path} cannot be reached: {error.strerror or error}.",
            "Choose another place with --store.",
        ) from error


_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


def primary_code(error: BaseException) -> int:
    """Return SQLite's primary result code of an error, or -1."""
    code = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else int(code) & 0xFF


_EXPLANATIONS: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_NOTADB: (
        "{path} is not a Quill store.",
        "Choose another file with --store, or move this one away.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "The store {path} is damaged.",
        "Restore a copy, or move it away and run 'quill-ls store build'.",
    ),
    sqlite3.SQLITE_FULL: (
        "There is no room left on the disk of {path}.",
        "Nothing was written; make room and try again.",
    ),
    sqlite3.SQLITE_BUSY: (
        "Another program is writing to the store {path}.",
        "Nothing was written; try again when it has finished.",
    ),
    sqlite3.SQLITE_LOCKED: (
        "Another part of this program is writing to the store {path}.",
        "Nothing was written; try again when it has finished.",
    ),
    sqlite3.SQLITE_READONLY: (
        "The store {path} cannot be written.",
        "Check the permissions of the file and its folder, or choose another with --store.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The store {path} cannot be opened.",
        "Check that its folder exists and may be read, or choose another with --store.",
    ),
    sqlite3.SQLITE_PERM: (
        "The store {path} may not be opened.",
        "Check the permissions of the file and its folder.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The store {path} cannot be read or written: the disk reports an error.",
        "Nothing was written; check the disk.",
    ),
}


def _explain(error: sqlite3.Error, path: Path) -> StoreError | None:
    explanation = _EXPLANATIONS.get(primary_code(error))
    if explanation is None:
        return None
    message, hint = explanation
    return StoreError(message.format(path=path), hint)
