"""The Chinese half of the starter collection: what every line of it promises."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from quill_ls.store.records import Quotation
from quill_ls.text.fold import fold_key
from quill_ls.text.script import is_han

CHINESE = {"zh", "lzh"}
TOPICS = """
学习 时间 坚持 自然 志向 战争 修身 爱国 爱情 治国 智慧 人生 友情 希望 行动 春天 品格 勇气 思乡 道德
民本 离别 历史 哀愁 忧患 文学 用人 教育 秋天 谦虚 正义 生死 孤独 山水 逆境 变化 豁达 月亮 理想 边塞
思考 言语 节俭 读书 诚信 真理 亲情 仁爱 和谐 知己 法治 自由 孝道 财富 田园 命运 艺术 贫富 幸福
"""
ANONYMOUS_WORKS = {"诗经", "礼记", "易经", "尚书", "战国策", "古诗十九首", "长歌行", "敕勒歌"}


def read_rows() -> list[dict[str, Any]]:
    files = [
        file
        for file in resources.files("quill_ls").joinpath("data").iterdir()
        if re.fullmatch(r"starter(\.zh)?\.jsonl", file.name)
    ]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return [row for row in map(json.loads, lines) if row["language"] in CHINESE]


ROWS = read_rows()


def of_work(work: str) -> list[dict[str, Any]]:
    return [row for row in ROWS if row["work"] == work]


@cache
def converter() -> Any:
    from opencc import OpenCC

    return OpenCC("t2s")


def simplified(text: str) -> str:
    return str(converter().convert(text))


def test_there_are_enough_of_them_from_every_age():
    languages = Counter(row["language"] for row in ROWS)
    assert languages["lzh"] >= 150
    assert languages["zh"] >= 15
    for first, last in [(-700, -1), (0, 600), (600, 960), (960, 1280), (1280, 1912), (1912, 1955)]:
        assert sum(first <= row["year"] <= last for row in ROWS) >= 10, (first, last)


def test_no_quotation_stands_twice_or_inside_another():
    keys = sorted((fold_key(row["text"]) for row in ROWS), key=len)
    for number, key in enumerate(keys):
        assert not [longer for longer in keys[number + 1 :] if key in longer]


def test_every_topic_of_the_vocabulary_is_used():
    assert {topic for row in ROWS for topic in row["topics"]} == set(TOPICS.split())


@pytest.mark.parametrize("work", sorted({row["work"] for row in ROWS}))
def test_fields_make_quotations_with_a_source(work: str):
    for row in of_work(work):
        quotation = Quotation(**{**row, "topics": tuple(row["topics"])})

        assert quotation.tier == "sourced"
        assert quotation.collection == "starter"
        assert quotation.licence == "public domain"
        assert quotation.work
        assert quotation.locator
        assert isinstance(quotation.year, int)
        # The last of these authors died in 1948: public domain where seventy years count.
        assert -1100 < quotation.year <= 1948
        assert quotation.language == "lzh" or quotation.year >= 1912
        assert 1 <= len(set(quotation.topics)) == len(row["topics"]) <= 4
        # Only the works that tradition gives to nobody lack an author.
        assert (quotation.author == "") == (quotation.work in ANONYMOUS_WORKS)


@pytest.mark.parametrize("work", sorted({row["work"] for row in ROWS}))
def test_texts_are_punctuated_lines_in_simplified_script(work: str):
    for row in of_work(work):
        text = row["text"]
        assert text == unicodedata.normalize("NFC", text).strip()
        assert all(is_han(character) or character in "，。？！；：、《》…" for character in text), (
            text
        )
        assert text[-1] in "。？！…"
        for name in (text, row["author"], row["work"], row["locator"]):
            # Which of 于 and 於 is right depends on the word: the phrase table decides. It does
            # not know the hexagram 乾.
            assert simplified(name) == name.replace("乾·", "干·")
        assert not re.search("[《》]", row["work"])


def check_against_package(folder: Path, printed: str) -> subprocess.CompletedProcess[str]:
    """Run the kept script on a package that holds one chapter, printed as given."""
    book = folder / "package/dist/lunyu/lunyu.json"
    book.parent.mkdir(parents=True)
    book.write_text(json.dumps([{"chapter": "為政篇", "paragraphs": [printed]}]), "utf-8")
    starter = folder / "starter.jsonl"
    row = next(row for row in ROWS if row["text"].startswith("学而不思则罔"))
    starter.write_text(json.dumps(row), "utf-8")
    script = Path(__file__).parents[2] / "scripts/check_starter_chinese.py"
    return subprocess.run(
        [sys.executable, str(script), str(folder / "package"), "--starter", str(starter), "--all"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


def test_check_reads_through_script_and_punctuation(tmp_path: Path):
    result = check_against_package(tmp_path, "子曰：「學而不思，則罔；思而不學，則殆。」")

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("verbatim")


def test_check_fails_where_a_word_differs(tmp_path: Path):
    result = check_against_package(tmp_path, "子曰：「學而不習則罔，思而不學則殆。」")

    assert result.returncode == 1, result.stderr
    assert "the package has 学而不习则罔思而不学则殆" in result.stdout
