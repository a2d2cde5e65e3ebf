"""The author gazetteer: who is known by which names, and whose works have which titles."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from quill_ls.parsing.gazetteer import Gazetteer, Work
from quill_ls.store.records import Author
from quill_ls.text.fold import fold_key, simplify
from quill_ls.text.script import has_han

DATA = resources.files("quill_ls").joinpath("data")
BENCHMARK = Path(__file__).parents[3] / "shared/data/quill/rerank_dev.jsonl"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in DATA.joinpath("authors.jsonl").read_text("utf-8").splitlines()
]


KEPT = set("徵幹頫濛昇乾霑")
"""Characters that mainland spelling keeps in some names although they have a simplified form."""


def names(row: dict[str, Any]) -> list[str]:
    return [row["name"], *row["aliases"]]


@cache
def by_name() -> dict[str, str]:
    """Folded name or alias → canonical name."""
    return {fold_key(name): row["name"] for row in ROWS for name in names(row)}


@cache
def gazetteer() -> Gazetteer:
    authors = [
        Author(id=number, name=row["name"], aliases=tuple(row["aliases"]))
        for number, row in enumerate(ROWS, start=1)
    ]
    return Gazetteer(authors, [Work(title, row["name"]) for row in ROWS for title in row["works"]])


def named_in(text: str) -> list[str]:
    """Return the canonical names of all whom `text` mentions by name, alias or work."""
    return [ROWS[mention.authors[0] - 1]["name"] for mention in gazetteer().mentions(text)]


def test_every_line_has_the_schema():
    for row in ROWS:
        assert list(row) == ["name", "aliases", "born", "died", "works"]
        for text in (*names(row), *row["works"]):
            assert text == unicodedata.normalize("NFC", text).strip()
            assert fold_key(text)
            assert not set(text) & set("()（）《》;；|\t"), text
        for year in (row["born"], row["died"]):
            assert year is None or (isinstance(year, int) and -1200 < year < 2020 + 10)


def test_lives_have_a_human_length():
    for row in ROWS:
        if row["born"] is not None and row["died"] is not None:
            assert 10 < row["died"] - row["born"] <= 121, row["name"]


def test_no_name_means_two_authors():
    claims = Counter(key for row in ROWS for key in {fold_key(name) for name in names(row)})
    assert [key for key, times in claims.items() if times > 1] == []


def test_no_alias_repeats_another_after_folding():
    for row in ROWS:
        assert len({fold_key(name) for name in names(row)}) == len(names(row)), row["name"]


def test_no_title_means_two_works_or_a_person():
    claims = Counter(fold_key(title) for row in ROWS for title in row["works"])
    assert [key for key, times in claims.items() if times > 1] == []
    assert claims.keys() & by_name().keys() == set()


def test_alphabetic_titles_are_words_not_numbers():
    # Names are looked up by their letters: 1Q84 would match every "Q", Catch-22 every "Catch".
    for row in ROWS:
        for title in row["works"]:
            assert has_han(title) or not any(char.isdigit() for char in title), title


def test_chinese_people_have_chinese_names_in_simplified_script():
    for row in ROWS:
        for text in (*names(row), *row["works"]):
            assert simplify(text) == text or set(text) & KEPT, text


def test_every_author_of_the_starter_is_known():
    missing = set()
    for file in DATA.iterdir():
        if file.name.startswith("starter") and file.name.endswith(".jsonl"):
            authors = {json.loads(line)["author"] for line in file.read_text("utf-8").splitlines()}
            missing |= {name for name in authors if name and fold_key(name) not in by_name()}
    assert missing == set()


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("As Shakespeare put it, [Q]", "William Shakespeare"),
        ("In Hamlet we read [Q]", "William Shakespeare"),
        ("Dr. King wrote from prison: [Q]", "Martin Luther King Jr."),
        ("MLK's words, [Q]", "Martin Luther King Jr."),
        ("Nietzsche said [Q]", "Friedrich Nietzsche"),
        ("Thoreau, in Walden", "Henry David Thoreau"),
        ("Lao Tzu said [Q]", "老子"),
        ("The Tao Te Ching teaches [Q]", "老子"),
        ("Confucius said [Q]", "孔子"),
        ("Li Po sang [Q]", "李白"),
        ("爱因斯坦说过：[Q]", "Albert Einstein"),
        ("莎士比亚在《哈姆雷特》中", "William Shakespeare"),
        ("正如泰戈尔所说，[Q]", "Rabindranath Tagore"),
        ("苏东坡有词云：[Q]", "苏轼"),
        ("子曰：[Q]", "孔子"),
        ("《道德经》有言：[Q]", "老子"),
        ("李太白詩云：[Q]", "李白"),
    ],
)
def test_names_as_texts_write_them_are_found(text: str, author: str):
    assert author in named_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Q]",
        "The White House said nothing, and Will went home.",
        "他提高了效率，显示了老师说的道理。",
        "更高更快更强，思维加工和品德加分。",
        "他靠智慧能赢得一切，老实人与伪君子非此即彼。",
        "二十世纪德国的添加图片与工商、君臣。",
        "In April the Republic was founded by the prince.",
    ],
)
def test_common_words_are_nobody(text: str):
    named = [m for m in gazetteer().mentions(text) if m.kind != "surname"]
    assert named == []


@pytest.mark.skipif(not BENCHMARK.exists(), reason="needs shared/data/quill/rerank_dev.jsonl")
def test_benchmark_authors_are_known():
    wanted = [json.loads(line)["author"] for line in BENCHMARK.read_text("utf-8").splitlines()]
    known = sum(fold_key(author) in by_name() for author in wanted)
    assert known >= 0.95 * len(wanted)
