"""`quill-ls store`: filling, searching and changing a store from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from quill_ls.store.database import Store
from quill_ls.store.records import Quotation

QUOTATIONS = [
    Quotation(text="Know thyself.", author="Socrates", topics=("self",)),
    Quotation(text="Nothing in excess.", author="Solon", work="Sayings", tier="sourced"),
    Quotation(text="学而时习之，不亦说乎？", author="孔子", work="论语", language="lzh"),
]


@pytest.fixture
def store_file(tmp_path: Path) -> Path:
    path = tmp_path / "my quotes.db"
    with Store.open(path) as store:
        store.add(QUOTATIONS)
    return path


def texts(path: Path) -> list[str]:
    with Store.open(path, readonly=True) as store:
        return [quotation.text for quotation in store.quotations()]


def found(run: object) -> list[str]:
    return [each["text"] for each in json.loads(run.out)["quotations"]]


def test_search_by_words(quill: Callable, store_file: Path) -> None:
    run = quill("store", "search", "excess", "--store", store_file)
    assert run.status == 0
    assert "Nothing in excess." in run.out
    assert "Solon, Sayings" in run.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--author", "solon"], ["Nothing in excess."]),
        (["--tier", "collected", "--language", "en"], ["Know thyself."]),
        (["--topic", "Self"], ["Know thyself."]),
        (["--work", "论语"], ["学而时习之，不亦说乎？"]),
        (["时习"], ["学而时习之，不亦说乎？"]),
        (["--limit", "1"], ["Know thyself."]),
        (['"; DROP TABLE quotes; --'], []),
    ],
)
def test_search_narrows(
    quill: Callable, store_file: Path, arguments: list[str], expected: list[str]
) -> None:
    run = quill("store", "search", *arguments, "--json", "--store", store_file)
    assert run.status == 0
    assert found(run) == expected


def test_a_misspelt_author_is_told_the_right_name(quill: Callable, store_file: Path) -> None:
    run = quill("store", "search", "--author", "Socrate", "--store", store_file)
    assert run.status == 2
    assert "knows no author 'Socrate'. It knows Socrates." in run.err


def test_no_store_says_how_to_make_one(quill: Callable, tmp_path: Path) -> None:
    run = quill("store", "search", "x", "--store", tmp_path / "absent.db")
    assert run.status == 2
    assert "quill-ls store build" in run.err
    assert not (tmp_path / "absent.db").exists()


def test_a_file_that_is_no_store(quill: Callable, tmp_path: Path) -> None:
    path = tmp_path / "essay.md"
    path.write_text("not a database " * 100)
    run = quill("store", "search", "x", "--store", path)
    assert run.status == 2
    assert f"{path} is not a Quill store." in run.err


def test_show_tells_everything(quill: Callable, store_file: Path) -> None:
    run = quill("store", "show", 2, "--store", store_file)
    assert run.status == 0
    for shown in ("Nothing in excess.", "Solon", "Sayings", "sourced", "user"):
        assert shown in run.out
    assert json.loads(quill("store", "show", 2, "--json", "--store", store_file).out)["id"] == 2


def test_show_of_nothing(quill: Callable, store_file: Path) -> None:
    run = quill("store", "show", 9, "--store", store_file)
    assert (run.status, run.out) == (2, "")
    assert "has no quotation 9." in run.err


def test_add_and_show(quill: Callable, tmp_path: Path) -> None:
    path = tmp_path / "new" / "quotes.db"
    run = quill(
        "store", "add", "Time flies.", "--author", "Virgil", "--work", "Georgics",
        "--locator", "Book 3", "--year", "-29", "--topic", "time", "--store", path,
    )  # fmt: skip
    assert (run.status, run.out) == (0, "Added as 1.\n")
    with Store.open(path, readonly=True) as store:
        assert store.get(1) == Quotation(
            id=1, text="Time flies.", author="Virgil", work="Georgics", locator="Book 3",
            year=-29, topics=("time",), tier="sourced",
        )  # fmt: skip
    again = quill("store", "add", "Time flies.", "--author", "Virgil", "--store", path)
    assert again.out == "It is there already: 1.\n"


def test_an_empty_quotation_is_refused(quill: Callable, tmp_path: Path) -> None:
    run = quill("store", "add", " ", "--author", "Nobody", "--store", tmp_path / "x.db")
    assert run.status == 2
    assert run.err.startswith("quill-ls: The quotation cannot be added: ")
    assert not (tmp_path / "x.db").exists()


def test_remove(quill: Callable, store_file: Path) -> None:
    run = quill("store", "remove", 1, 2, "--yes", "--store", store_file)
    assert (run.status, run.out) == (0, "Removed 2.\n")
    assert texts(store_file) == [QUOTATIONS[2].text]


@pytest.mark.parametrize("arguments", [[1, 9, "--yes"], [1]])
def test_remove_does_all_or_nothing_and_never_unasked(
    quill: Callable, store_file: Path, arguments: list[object]
) -> None:
    run = quill("store", "remove", *arguments, "--store", store_file)
    assert run.status == 2
    assert len(texts(store_file)) == 3


def test_import_jsonl_reports_the_broken_line(quill: Callable, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(
        '{"text": "One is enough.", "author": "A"}\n{broken\n{"text": "Two are better.", '
        '"author": "B", "collection": "pairs"}\n'
    )
    path = tmp_path / "quotes.db"

    run = quill("store", "import", "jsonl", file, "--tier", "disputed", "--store", path)

    assert run.status == 0
    assert "3 rows: 2 added, 0 in the store already, 1 skipped." in run.out
    assert "row 2: {broken" in run.out
    with Store.open(path, readonly=True) as store:
        rows = list(store.quotations())
    assert [row.collection for row in rows] == ["mine", "pairs"]
    assert {row.tier for row in rows} == {"disputed"}


def test_import_csv_with_columns(quill: Callable, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("Zitat;Wer\nMehr Licht in der Welt.;Goethe\n", encoding="cp1252")
    path = tmp_path / "quotes.db"

    run = quill(
        "store", "import", "csv", file, "--column", "text=Zitat", "--map", "author=Wer",
        "--language", "de", "--encoding", "cp1252", "--json", "--store", path,
    )  # fmt: skip

    assert run.status == 0
    assert json.loads(run.out) == {"read": 1, "added": 1, "merged": 0, "skipped": []}
    with Store.open(path, readonly=True) as store:
        (row,) = store.quotations()
    assert (row.text, row.author, row.language) == (
        "Mehr Licht in der Welt.",
        "Johann Wolfgang von Goethe",
        "de",
    )


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (b"", [], "is empty."),
        (b"\x00\x01\x02", [], "is a binary file"),
        (b"\xff\xfe\xfd rubbish", ["--encoding", "utf-8"], "is not utf-8 text"),
        (b"{}", ["--encoding", "klingon"], "no encoding 'klingon'"),
        (b"{}", ["--column", "text=Quote"], "goes with the format csv only"),
        (None, [], "does not exist."),
    ],
)
def test_import_of_a_bad_file_changes_nothing(
    quill: Callable,
    store_file: Path,
    tmp_path: Path,
    content: bytes | None,
    arguments: list[str],
    message: str,
) -> None:
    file = tmp_path / "bad.jsonl"
    if content is not None:
        file.write_bytes(content)
    run = quill("store", "import", "jsonl", file, *arguments, "--store", store_file)
    assert (run.status, run.out) == (2, "")
    assert message in run.err
    assert len(run.err.splitlines()) == 1
    assert len(texts(store_file)) == 3

    new = tmp_path / "new.db"
    assert quill("store", "import", "jsonl", file, *arguments, "--store", new).status == 2
    assert not new.exists()


def test_a_column_must_say_its_field(quill: Callable, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("Quote\nWords of some length.\n")
    run = quill("store", "import", "csv", file, "--map", "Quote", "--store", tmp_path / "x.db")
    assert run.status == 2
    assert "Write it as text=Quote." in run.err


def test_texts_cannot_command_the_terminal(quill: Callable, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with Store.open(path) as store:
        store.add([Quotation(text="[red]a\x1b[31mb[/red]", author="\x1b]0;owned\x07")])
    for command in (["search", "--limit", "5"], ["show", "1"]):
        run = quill("store", *command, "--store", path)
        assert "[red]a" in run.out
        assert "\x1b" not in run.out
        assert "\x07" not in run.out


def test_export_and_import_again(quill: Callable, store_file: Path, tmp_path: Path) -> None:
    file, copy = tmp_path / "out.csv", tmp_path / "copy.db"
    run = quill("store", "export", file, "--store", store_file)
    assert (run.status, run.out) == (0, f"3 quotations written to {file}.\n")
    assert quill("store", "import", "csv", file, "--store", copy).status == 0
    assert sorted(texts(copy)) == sorted(texts(store_file))

    refused = quill("store", "export", file, "--store", store_file)
    assert refused.status == 2
    assert "Say --force to replace it." in refused.err


def test_export_to_standard_output(quill: Callable, store_file: Path) -> None:
    run = quill("store", "export", "-", "--author", "Solon", "--store", store_file)
    assert [json.loads(line)["text"] for line in run.out.splitlines()] == ["Nothing in excess."]


def test_stats(quill: Callable, store_file: Path) -> None:
    run = quill("store", "stats", "--store", store_file)
    assert run.status == 0
    assert "3 quotations by 3 authors" in run.out
    for heading in ("By language", "By collection and tier", "The most quoted of 3 authors"):
        assert heading in run.out
    document = json.loads(quill("store", "stats", "--json", "--store", store_file).out)
    assert document["quotations"] == 3
    assert document["languages"][0]["language"] == "en"


def test_build_twice_changes_nothing(
    quill: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Popular quotations take minutes where they are installed.
    monkeypatch.setattr("quill_ls.store.building.DEFAULT_COLLECTIONS", ("starter",))
    path = tmp_path / "quotes.db"
    with Store.open(path) as store:
        store.add([Quotation(text="A word of my own, kept.", author="Me")])

    with_notices = quill("store", "build", "--json", "--store", path)

    assert with_notices.status == 0
    document = json.loads(with_notices.out)
    assert document["imports"]["starter"]["added"] > 1000
    first = texts(path)
    assert "A word of my own, kept." in first

    again = quill("store", "build", "--store", path)
    assert again.status == 0
    assert "The collection starter is in the store already." in again.err
    assert texts(path) == first


def test_collections_are_listed(quill: Callable) -> None:
    run = quill("store", "collections")
    assert run.status == 0
    assert "starter" in run.out
    listed = json.loads(quill("store", "collections", "--json").out)["collections"]
    assert {"name", "tier", "licence", "ready", "hint"} <= listed[0].keys()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-thing"], "is neither a format nor a known collection"),
        (["csv"], "The format csv needs a file."),
        (["chinese-poetry"], "npm pack chinese-poetry@"),
        (["starter", "--column", "text=Quote"], "go with the formats jsonl, csv"),
    ],
)
def test_import_says_what_is_missing(
    quill: Callable, tmp_path: Path, arguments: list[str], message: str
) -> None:
    run = quill("store", "import", *arguments, "--store", tmp_path / "x.db")
    assert (run.status, run.out) == (2, "")
    assert message in run.err
    assert not (tmp_path / "x.db").exists()


def test_import_of_a_collection_by_name(quill: Callable, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    run = quill("store", "import", "starter", "--tier", "collected", "--json", "--store", path)
    assert run.status == 0
    with Store.open(path, readonly=True) as store:
        assert store.count() == json.loads(run.out)["added"] > 1000
        assert {quotation.collection for quotation in store.quotations()} == {"starter"}
        assert {quotation.tier for quotation in store.quotations()} == {"collected"}
