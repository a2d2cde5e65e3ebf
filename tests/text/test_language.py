import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quill_ls.text.language import chinese_period, detect

QUILL_DATA = Path(__file__).parents[3] / "shared" / "data" / "quill"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Brevity is the soul of wit.", "en"),
        ("THE UNEXAMINED LIFE IS NOT WORTH LIVING", "en"),
        ("Knowledge itself is power.", "en"),
        ("L'enfer, c'est les autres.", "fr"),
        ("Die Welt ist alles, was der Fall ist.", "de"),
        ("Мой дядя самых честных правил", "ru"),
        ("吾輩は猫である。名前はまだ無い。", "ja"),
        ("나는 생각한다, 고로 나는 존재한다", "ko"),
        ("其实地上本没有路，走的人多了，也便成了路。", "zh"),
        ("在這個世界上，最難的事情是認識你自己。", "zh"),
        ("道可道，非常道。", "lzh"),
        ("學而時習之，不亦說乎？", "lzh"),
        ("落霞与孤鹜齐飞，秋水共长天一色。", "lzh"),
        ("床前明月光，疑是地上霜。", "lzh"),
        ("庄子曰：这句话说明了 Plato 的 idea", "zh"),
        ("He said 你好 to me and left.", "en"),
        ("", "und"),
        ("42 — 17!", "und"),
        ("😀", "und"),
    ],
)
def test_language_of_a_sentence(text: str, language: str) -> None:
    assert detect(text) == language


@settings(max_examples=50)
@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    assert detect(text)


def test_classical_and_modern_chinese_of_the_paper_are_told_apart() -> None:
    """The labels are the files' own; about half of the "modern" misses are old sayings there."""
    if not QUILL_DATA.exists():
        pytest.skip("QUILL's Chinese knowledge base is not here")

    def share(file: str, period: str) -> float:
        quotes = [row["quote"] for row in json.loads((QUILL_DATA / file).read_text("utf-8"))]
        return sum(chinese_period(quote) == period for quote in quotes) / len(quotes)

    assert share("quote_ch.json", "lzh") >= 0.97  # measured: 0.987
    assert share("quote_mo.json", "zh") >= 0.86  # measured: 0.879
