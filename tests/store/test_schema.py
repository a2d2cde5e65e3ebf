"""Migrations: what a fresh store has, and what becomes of older, newer and foreign files."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlite_utils import Database

from quill_ls.errors import StoreError
from quill_ls.store import schema
from quill_ls.store.database import Store
from quill_ls.store.records import Quotation


def applied(path: Path) -> list[str]:
    return [row["name"] for row in Database(path)["_migrations"].rows]


def test_a_fresh_store_has_all_migrations_and_a_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "quotes.db"
    Store.open(path).close()
    assert applied(path) == [migration.__name__ for migration in schema.MIGRATIONS]
    assert Database(path).journal_mode == "wal"
    assert {"quotes", "authors", "vectors"} <= set(Database(path).table_names())


def test_an_empty_file_is_a_fresh_store(tmp_path: Path) -> None:
    path = tmp_path / "quotes.db"
    path.touch()
    with Store.open(path) as store:
        assert store.count() == 0


def test_an_older_store_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "quotes.db"
    with Store.open(path) as store:
        store.add([Quotation(text="Kept")])

    def m999_moods(db: Database) -> None:
        db["quotes"].add_column("mood", str)  # type: ignore[union-attr]

    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, m999_moods))
    with pytest.raises(StoreError, match="older version"):
        Store.open(path, readonly=True)
    with Store.open(path) as store:
        assert [q.text for q in store.quotations()] == ["Kept"]
    assert applied(path)[-1] == "m999_moods"


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "quotes.db"
    Store.open(path).close()

    def m998_good(db: Database) -> None:
        db.executescript("CREATE TABLE good (id INTEGER); CREATE TABLE better (id INTEGER);")

    def m999_bad(db: Database) -> None:
        db.execute("CREATE TABLE half (id INTEGER)")
        raise sqlite3.OperationalError("no")

    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, m998_good, m999_bad))
    with pytest.raises(sqlite3.OperationalError):
        Store.open(path)
    assert not {"good", "better", "half"} & set(Database(path).table_names())
    assert len(applied(path)) == len(schema.MIGRATIONS) - 2


def test_a_store_of_a_newer_version_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "quotes.db"
    Store.open(path).close()
    Database(path)["_migrations"].insert({"name": "m900_future", "applied": "2040-01-01"})  # type: ignore[union-attr]
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(StoreError, match=r"newer version of Quill \(m900_future") as caught:
            Store.open(path, readonly=readonly)
        assert "Update quill-ls" in caught.value.hint
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE bookmarks (address TEXT)")
    other.close()
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(StoreError, match="not a Quill store"):
            Store.open(path, readonly=readonly)
    assert path.read_bytes() == before


def test_processes_that_make_the_same_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "quotes.db"
    program = (
        "import sys; from pathlib import Path; from quill_ls.store.database import Store;"
        "store = Store.open(Path(sys.argv[1])); print(store.count())"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in processes] == [b"0"] * 4
    assert len(applied(path)) == len(schema.MIGRATIONS)
