import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.text.fold import fold, fold_key
from quill_ls.text.span import Span

# Mostly characters that folding has an opinion about, and now and then any other.
TEXTS = st.text(
    st.one_of(
        st.sampled_from(
            "aAéE\u0301ßſﬁÆ 　\t\n.,;-—–“”‘’'\"…½ⅨİıΣς你國国乾，。《》々ー\u200b\ufeff\u00ad😀"
        ),
        st.characters(),
    )
)


@pytest.mark.parametrize(
    ("variants", "key"),
    [
        (["Don't  panic!", "don’t panic", "DON‘T\u00a0PANIC", "“Don't—panic.”"], "dont panic"),
        (["café", "cafe\u0301", "CAFÉ", "Ｃａｆé"], "cafe"),
        (["ﬁne ſtate", "Fine ſtate", "fi\u00adne\u200b state"], "fine state"),
        (["Æsop’s fœtus", "aesops FOETUS"], "aesops foetus"),
        (["straße", "STRASSE", "stra\u1e9ee"], "strasse"),
        (["well-known", "well – known", "well known"], "well known"),
        (
            ["學而時習之，不亦說乎？", "学而时习之 不亦说乎", "「学而时习之，\n不亦说乎」"],
            "学而时习之不亦说乎",
        ),
        (["用 Python 写", "用Python写", "用《Python》写！"], "用python写"),
        (["", "  ", "“…”", "！？"], ""),
    ],
)
def test_variants_share_one_key(variants: list[str], key: str) -> None:
    assert [fold_key(variant) for variant in variants] == [key] * len(variants)


def test_different_words_keep_different_keys() -> None:
    keys = {fold_key(text) for text in ["to be", "tobe", "to bee", "不", "不不", "naïve", "navel"]}

    assert len(keys) == 7


def test_the_way_back_leads_to_the_source() -> None:
    source = "He said: “Don’t  pa\u0301nic, ﬁsh!”"
    folded = fold(source)

    def back(words: str) -> str:
        start = folded.text.index(words)
        return folded.source_span(Span(start, start + len(words))).of(source)

    assert folded.text == "he said dont panic fish"
    assert back("said dont") == "said: “Don’t"
    assert back("pa") == "pa\u0301"  # the accent belongs to its letter
    assert back("f") == "ﬁ"  # half a ligature is the ligature
    assert back("dont panic") == "Don’t  pa\u0301nic"
    assert folded.source_span(Span(0, 0)) == Span(0, 0)
    assert folded.source_span(Span(23, 23)) == Span(len(source), len(source))


@given(TEXTS)
def test_folding_is_idempotent_and_the_two_functions_agree(text: str) -> None:
    folded = fold(text)

    assert folded.text == fold_key(text)
    assert fold_key(folded.text) == folded.text
    assert folded.text == folded.text.strip()
    assert "  " not in folded.text


@given(TEXTS)
def test_offsets_are_in_order_and_within_the_source(text: str) -> None:
    folded = fold(text)
    offsets, ends = list(folded.offsets), list(folded.ends)

    assert len(offsets) == len(folded.text) + 1
    assert len(ends) == len(folded.text)
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(text)
    assert all(0 <= start < end <= len(text) for start, end in zip(offsets, ends, strict=False))


@given(TEXTS)
def test_every_character_folds_to_itself_at_its_place(text: str) -> None:
    folded = fold(text)

    for index, char in enumerate(folded.text):
        source = folded.source_span(Span(index, index + 1)).of(text)
        assert char == " " or char in fold_key(source)


@given(st.text(st.characters(categories=["L", "N", "P", "Z"])))
def test_composed_and_decomposed_text_share_one_key(text: str) -> None:
    assert fold_key(unicodedata.normalize("NFC", text)) == fold_key(
        unicodedata.normalize("NFD", text)
    )
