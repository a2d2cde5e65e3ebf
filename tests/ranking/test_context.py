import pytest

from quill_ls.ranking.context import Context, bounded, without_final_stop
from quill_ls.scoring.perplexity import Continuation


@pytest.mark.parametrize(
    ("left", "quotation", "expected"),
    [
        ("As Plato stated,", "Know thyself.", " Know thyself."),
        ("", "Know thyself.", "Know thyself."),
        ("He said “", "Know thyself.", "Know thyself."),
        ("庄子曰：", "吾生也有涯", "吾生也有涯"),
        ("他说", "Know thyself", "Know thyself"),
    ],
)
def test_the_space_that_the_text_needs_stands_at_the_head_of_the_quotation(
    left: str, quotation: str, expected: str
):
    assert Context(left, " And so on.").continuation(quotation).quotation == expected


def test_the_right_context_is_the_same_for_all_candidates():
    context = Context("As she said,", ". And so on.", as_inserted=True)
    assert context.continuation("It rained.") == Continuation(" It rained", ". And so on.")
    assert context.continuation("It rained") == Continuation(" It rained", ". And so on.")
    assert context.continuation("Did it?") == Continuation(" Did it?", ". And so on.")


def test_the_measures_of_the_papers_join_the_texts_as_they_are():
    context = Context("As she said,", ". And so on.")
    assert context.continuation("It rained.") == Continuation(" It rained.", ". And so on.")


def test_an_ellipsis_is_no_full_stop():
    assert without_final_stop("It rained...", ". Next.") == "It rained..."


def test_contexts_are_cut_at_the_border_of_a_word():
    context = bounded("one two three four five six", " seven eight nine ten", 4, 3)
    assert context.left == "four five six"
    assert context.right == " seven eight"


def test_chinese_contexts_are_cut_at_any_character():
    context = bounded("一二三四五六七八九十" * 3, "甲乙丙丁戊己庚辛壬癸", 5, 2)
    assert context.left == "三四五六七八九十"
    assert context.right == "甲乙丙"


def test_short_contexts_stay_whole_but_for_the_white_space_at_the_place():
    assert bounded("Only this. ", " And that. ", 100, 100) == Context("Only this.", " And that.")


def test_no_context_at_all():
    context = bounded("", "", 100, 100)
    assert context.continuation("Know thyself.") == Continuation("Know thyself.", "")
