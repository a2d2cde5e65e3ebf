"""CSV, fortune files and QUILL's JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quill_ls.errors import InputError
from quill_ls.store.importers.delimited import read_delimited
from quill_ls.store.importers.fortune import read_fortune, split_attribution
from quill_ls.store.importers.quill_json import read_quill_json
from quill_ls.store.importers.rows import Skipped
from quill_ls.store.records import Quotation

SHARED = Path(__file__).parents[4] / "shared" / "data" / "quill"


def written(folder: Path, text: str, name: str = "file.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_csv_with_a_mapping(tmp_path: Path) -> None:
    path = written(tmp_path, 'Who,Quote,Year\nSeneca,"While we wait, life passes.",65\n')
    (row,) = read_delimited(path, columns={"text": "Quote", "author": "Who", "year": "year"})
    assert row == Quotation(text="While we wait, life passes.", author="Seneca", year=65)


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_csv_finds_delimiter_and_usual_headings(tmp_path: Path, delimiter: str) -> None:
    records = [
        ("Quote", "Author", "Tags"),
        ("Know thyself.", "Socrates", "self, wisdom"),
        ("All is flux.", "Heraclitus", "change"),
    ]
    text = "\r\n".join(
        delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in record)
        for record in records
    )
    first, second = read_delimited(written(tmp_path, text))
    assert first == Quotation(text="Know thyself.", author="Socrates", topics=("self", "wisdom"))
    assert isinstance(second, Quotation)


def test_csv_without_a_header_counts_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "Know thyself.,Socrates\nAll is flux.,Heraclitus\n")
    rows = list(read_delimited(path, header=False, columns={"text": "1", "author": "2"}))
    assert [row.author for row in rows if isinstance(row, Quotation)] == ["Socrates", "Heraclitus"]


def test_csv_reports_odd_records_by_line(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'quote,author,year\n"Two\nlines.",Ann,\nToo,many,3,4\n'
        "The last.,Bob,soon\nGood one.,Cid,7\n",
    )
    rows = list(read_delimited(path))
    assert [row.text for row in rows if isinstance(row, Quotation)] == ["Two lines.", "Good one."]
    assert [(row.line, row.reason) for row in rows if isinstance(row, Skipped)] == [
        (4, "another number of columns"),
        (5, "'year' is not a whole number"),
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": "Words"}, "has no column 'Words'"),
        ({"colour": "quote"}, "no field of a quotation"),
        ({"author": "author"}, "known to hold the quotations"),
    ],
)
def test_csv_mapping_that_cannot_be(tmp_path: Path, columns: dict[str, str], message: str) -> None:
    path = written(tmp_path, "quote,author\nKnow thyself.,Socrates\n")
    with pytest.raises(InputError, match=message):
        list(read_delimited(path, columns=columns))


def test_fortune_file(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'All happy families are alike.\n\t\t-- Leo Tolstoy, "Anna Karenina"\n%\n'
        "Plain words\nover two lines.\n%\n%\n"
        "学而时习之，\n不亦说乎？\n  —— 孔子\n%\n42\n%\n"
        "One.\n-- Ann\nTwo.\n-- Bob\n",
        "fortunes",
    )
    rows = list(read_fortune(path))
    assert rows[0] == Quotation(
        text="All happy families are alike.",
        author="Leo Tolstoy",
        work="Anna Karenina",
        collection="fortune",
    )
    assert rows[1] == Quotation(text="Plain words over two lines.", collection="fortune")
    assert rows[2] == Quotation(
        text="学而时习之，不亦说乎？", author="孔子", language="zh", collection="fortune"
    )
    assert [(row.line, row.reason) for row in rows[3:] if isinstance(row, Skipped)] == [
        (12, "no words"),
        (14, "several attributions"),
    ]


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("Leo Tolstoy, Anna Karenina", ("Leo Tolstoy", "Anna Karenina")),
        ('Leo Tolstoy, "Anna Karenina", 1877', ("Leo Tolstoy", "Anna Karenina")),
        ("鲁迅《故乡》", ("鲁迅", "故乡")),
        ("Seneca", ("Seneca", "")),
        ("seen on a wall in a street whose name I have since forgotten, alas", ("", "")),
    ],
)
def test_attributions(who: str, expected: tuple[str, str]) -> None:
    assert split_attribution(who) == expected


def test_quill_json(tmp_path: Path) -> None:
    entries = [
        {
            "quote": "一万年太久，只争朝夕。",
            "author": "某某",
            "poem": "《满江红》",
            "topic": "励志",
            "PPL": 2.2,
            "Search": 706000,
            "novelty": 3.0,
        },
        {"quote": "生活不是等待。", "author": "佚名", "topic": "生活、时间", "Search": 0},
        {"quote": "", "author": "x"},
        {"quote": 5},
        "text",
    ]
    rows = list(read_quill_json(written(tmp_path, json.dumps(entries), "q.json")))
    assert rows[0] == Quotation(
        text="一万年太久，只争朝夕。",
        author="某某",
        work="满江红",
        language="lzh",
        topics=("励志",),
        collection="quill",
        search_frequency=706000,
    )
    assert rows[1] == Quotation(
        text="生活不是等待。", language="zh", topics=("生活", "时间"), collection="quill"
    )
    assert [(row.line, row.reason) for row in rows[2:] if isinstance(row, Skipped)] == [
        (3, "empty text"),
        (4, "'quote' is not a string"),
        (5, "not a JSON object"),
    ]


@pytest.mark.parametrize("text", ['{"quote": "x"}', "[1, 2", '{"a": 1}\n{"b": 2}'])
def test_quill_json_that_is_none(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="is not"):
        list(read_quill_json(written(tmp_path, text, "q.json")))


@pytest.mark.parametrize(
    ("name", "rows", "language"), [("quote_ch", 8110, "lzh"), ("quote_mo", 7519, "zh")]
)
def test_the_published_knowledge_base(name: str, rows: int, language: str) -> None:
    path = SHARED / f"{name}.json"
    if not path.exists():
        pytest.skip("needs ../shared/data/quill")
    read = list(read_quill_json(path))
    assert len(read) == rows
    kept = [row for row in read if isinstance(row, Quotation)]
    assert len(kept) == rows
    assert sum(row.language == language for row in kept) > 0.99 * rows
    assert sum(row.search_frequency is not None for row in kept) > 0.9 * rows
