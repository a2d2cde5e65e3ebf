import pytest

from quill_ls.retrieval.quotability import quotability


@pytest.mark.parametrize(
    ("general", "personal"),
    [
        ("Knowledge comes, but wisdom lingers.", "I went home and I told her what he said to me."),
        (
            "A friend may well be reckoned the masterpiece of nature.",
            "He was late, and she said so.",
        ),
        ("Courage is resistance to fear.", "Courage is resistance to fear, and so on. " * 10),
    ],
)
def test_what_speaks_in_general_and_in_few_words_is_quoted(general: str, personal: str):
    assert quotability(general) > quotability(personal)


def test_an_ordinary_aphorism_is_fully_quotable():
    assert quotability("Knowledge comes, but wisdom lingers.") == 1.0
    assert quotability("学而不思则罔，思而不学则殆。") == 1.0


@pytest.mark.parametrize("text", ["", "!", "I", "😀", "他" * 4000, "I was. " * 500])
def test_any_text_has_a_value_in_the_interval(text: str):
    assert 0.0 <= quotability(text) <= 1.0
