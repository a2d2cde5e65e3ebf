"""Garbage, full disks, locks, read-only places, killed writers: one clear error, nothing lost."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from quill_ls.errors import StoreError
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import Quotation
from quill_ls.text.fold import fold_key

MANY = [
    Quotation(text=f"Saying number {n} of many", author=f"Author {n % 50}", topics=("many",))
    for n in range(3_000)
]
NOBODY = 65534


@pytest.mark.parametrize(
    "content",
    [b"not a database " * 100, b"\x1f\x8b\x08garbage", b"SQLite format 3\0" + b"\xff" * 4096],
)
@pytest.mark.parametrize("readonly", [True, False])
def test_a_file_of_something_else(tmp_path: Path, content: bytes, readonly: bool) -> None:
    path = tmp_path / "essay.md"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        Store.open(path, readonly=readonly)
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="folder"):
        Store.open(tmp_path)


def test_a_store_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "none" / "quotes.db"
    with pytest.raises(StoreError, match="no store") as caught:
        Store.open(path, readonly=True)
    assert "store build" in caught.value.hint
    assert not path.parent.exists()


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be reached"):
        Store.open(tmp_path / "file" / "quotes.db")


def test_a_damaged_store_is_reported_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "quotes.db"
    with Store.open(path) as store:
        store.add(MANY)
    with path.open("r+b") as file:
        file.seek(8 * 4096)
        file.write(os.urandom(60 * 4096))
    with pytest.raises(StoreError, match="damaged"), Store.open(path) as store:
        list(store.quotations())


def test_names_that_mean_something_in_an_address(tmp_path: Path) -> None:
    path = tmp_path / "100% quotes? #1 & 引用.db"
    with Store.open(path) as store:
        store.add(MANY[:1])
    with Store.open(path, readonly=True) as store:
        assert store.count() == 1


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Store.open(Path("quotes.db")).close()
    with Store.open(Path("quotes.db"), readonly=True) as store:
        assert store.count() == 0


# A full disk


def test_a_full_disk_leaves_the_store_as_it_was(
    store: Store, consistent: Callable[[Store], None]
) -> None:
    store.add(MANY[:10])
    conn = store.connection.db.conn
    (pages,) = conn.execute("PRAGMA page_count").fetchone()
    conn.execute(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(StoreError, match="no room left") as caught:
        store.add(MANY)
    assert "Nothing was written" in caught.value.hint
    assert [q.text for q in store.quotations()] == [q.text for q in MANY[:10]]
    consistent(store)
    conn.execute(f"PRAGMA max_page_count = {pages + 10_000}")
    assert store.add(MANY).added == len(MANY) - 10


# Several programs at once


def test_readers_see_the_old_state_while_a_writer_works(store: Store) -> None:
    store.add(MANY[:10])
    with Store.open(store.path, readonly=True) as reader, store.transaction():
        store.add(MANY)
        assert reader.count() == 10
        assert reader.search_words(["saying"]) != []
        with Store.open(store.path) as late:
            assert late.count() == 10
    with Store.open(store.path, readonly=True) as reader:
        assert reader.count() == len(MANY)


def test_a_second_writer_is_told_to_wait(store: Store) -> None:
    with Store.open(store.path, timeout=0.05) as second:
        with store.transaction():
            with pytest.raises(StoreError, match="Another program is writing"):
                second.add(MANY[:10])
            with pytest.raises(StoreError, match="Another program is writing"):
                second.put_meta("key", "value")
        second.add(MANY[:10])
    assert store.count() == 10


def test_threads_of_one_program_take_turns(
    store: Store, consistent: Callable[[Store], None]
) -> None:
    def work(number: int) -> int:
        fails = number % 4 == 3
        try:
            with store.transaction():
                added = store.add(MANY[number * 100 : (number + 1) * 100]).added
                store.put_meta(f"thread {number}", "done")
                if fails:
                    raise RuntimeError
        except RuntimeError:
            return 0
        return added

    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(work, range(16)))
        assert all(pool.map(lambda _: store.search_words(["saying"], limit=5), range(16)))
    assert added == [0 if number % 4 == 3 else 100 for number in range(16)]
    assert store.count() == sum(added)
    assert [store.meta(f"thread {n}") for n in (2, 3)] == ["done", None]
    consistent(store)


WRITER = """
import os, sys
from pathlib import Path
from quill_ls.store.database import Store
from quill_ls.store.records import Quotation
store = Store.open(Path(sys.argv[1]))
def quotations():
    for n in range(30_000):
        yield Quotation(text=f"Half-written {n}", author=f"Somebody {n}")
    os._exit(9)  # as a power cut would: no rollback, no closing
store.connection.db.conn.execute("PRAGMA cache_size = 10")  # so that much of it is in the log
store.add(quotations())
"""


def test_a_writer_that_is_killed_leaves_the_store_as_it_was(
    tmp_path: Path, consistent: Callable[[Store], None]
) -> None:
    path = tmp_path / "quotes.db"
    with Store.open(path) as store:
        store.add(MANY[:10])
    killed = subprocess.run([sys.executable, "-c", WRITER, str(path)], check=False)
    assert killed.returncode == 9
    assert path.with_name("quotes.db-wal").stat().st_size > 100_000
    with Store.open(path, readonly=True) as reader:
        assert reader.count() == 10
    with Store.open(path) as store:
        assert [q.text for q in store.quotations()] == [q.text for q in MANY[:10]]
        assert len(store.authors()) == 10
        consistent(store)
        assert store.add(MANY).added == len(MANY) - 10


# Places that cannot be written


@contextmanager
def without_privileges() -> Iterator[None]:
    """Be nobody for a while, where the tests run as root, whom no permission stops."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def readonly_folder() -> Iterator[Path]:
    """A store of ten quotations in a folder where nobody can write."""
    if sys.platform == "win32":
        pytest.skip("permissions of folders work otherwise on Windows")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "quotes.db"
        with Store.open(path) as store:
            store.add(MANY[:10])
        path.chmod(0o444)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


def read_everything(store: Store) -> None:
    assert store.readonly
    assert store.count(Narrow(topics=("many",))) == 10
    assert len(list(store.quotations())) == 10
    assert len(store.search_words(["saying"])) == 10
    assert len(store.search_trigrams("sayin nunber")) == 10
    assert len(store.find_text(fold_key(MANY[0].text))) == 1
    assert len(store.authors()) == 10
    assert store.missing_vectors("minilm", limit=1) != []
    assert store.vectors("minilm")[0].tolist() == []


@pytest.mark.parametrize("readonly", [True, False])
def test_a_folder_that_cannot_be_written(readonly_folder: Path, readonly: bool) -> None:
    with (
        without_privileges(),
        Store.open(readonly_folder / "quotes.db", readonly=readonly) as store,
    ):
        read_everything(store)


@pytest.mark.parametrize("mode", [0o444, 0o644])
def test_a_file_that_cannot_be_written(readonly_folder: Path, mode: int) -> None:
    readonly_folder.chmod(0o777)
    if os.geteuid() == 0:
        (readonly_folder / "quotes.db").chmod(mode)  # root's, and nobody's to read alone
    with without_privileges(), Store.open(readonly_folder / "quotes.db") as store:
        read_everything(store)


def test_a_folder_that_cannot_be_written_with_a_log_left_behind(
    readonly_folder: Path, tmp_path: Path
) -> None:
    readonly_folder.chmod(0o755)
    path = readonly_folder / "quotes.db"
    path.chmod(0o644)
    store = Store.open(path)
    store.add(MANY)
    wal = path.with_name("quotes.db-wal").read_bytes()
    store.close()
    path.with_name("quotes.db-wal").write_bytes(wal)
    readonly_folder.chmod(0o555)
    with without_privileges(), pytest.raises(StoreError, match="cannot be read here") as caught:
        Store.open(path)
    assert "Copy both files" in caught.value.hint


def test_a_file_that_may_not_be_read(readonly_folder: Path) -> None:
    path = readonly_folder / "quotes.db"
    path.chmod(0)
    with without_privileges(), pytest.raises(StoreError) as caught:
        Store.open(path)
    assert caught.value.hint


def test_a_folder_in_which_none_can_be_made(readonly_folder: Path) -> None:
    with without_privileges():
        for path in (readonly_folder / "new.db", readonly_folder / "new" / "quotes.db"):
            with pytest.raises(StoreError):
                Store.open(path)
    assert [path.name for path in readonly_folder.iterdir()] == ["quotes.db"]


def test_nothing_is_written_to_a_store_opened_for_reading(store: Store) -> None:
    (id,) = store.add(MANY[:1]).ids
    writes: list[Callable[[Store], object]] = [
        lambda s: s.add(MANY),
        lambda s: s.remove([id]),
        lambda s: s.merge(id, []),
        lambda s: s.link(id, id),
        lambda s: s.add_aliases("Plato", ["Platon"]),
        lambda s: s.put_vectors("minilm", []),
        lambda s: s.put_measures("smol", "x", {id: 1.0}),
        lambda s: s.put_author_measures("smol", "x", {1: 1.0}),
        lambda s: s.put_calibration("smol", "x", 1.0, 1.0, 1),
        lambda s: s.put_meta("a", "b"),
        lambda s: s.remove_vectors("minilm"),
    ]
    with Store.open(store.path, readonly=True) as reader:
        assert reader.readonly
        for write in writes:
            with pytest.raises(StoreError, match="reading only"):
                write(reader)


def test_a_store_made_read_only_while_it_is_open(tmp_path: Path) -> None:
    with Store.open(tmp_path / "quotes.db") as store:
        store.connection.db.conn.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match="cannot be written"):
            store.add(MANY)
        assert store.count() == 0


def test_errors_of_the_program_itself_are_not_dressed_up(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        store.connection.rows("SELECT * FROM nowhere")


def test_permissions_of_a_new_store_are_the_usual_ones(tmp_path: Path) -> None:
    path = tmp_path / "quotes.db"
    Store.open(path).close()
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR
