# ruff: noqa: E501  (a case is a line)
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.parsing.wishes import Wishes, parse_wishes


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("", Wishes()),
        (" courage in\n old age ", Wishes(words="courage in old age")),
        ('author="Marcus Aurelius"', Wishes(author="Marcus Aurelius")),
        ("author=“Marcus Aurelius” work=‘Meditations’", Wishes(author="Marcus Aurelius", work="Meditations")),
        ("author=``Marcus Aurelius''", Wishes(author="Marcus Aurelius")),
        ("author=「庄子」 作品=《逍遥游》", Wishes(author="庄子", work="逍遥游")),
        ("author = Seneca, topic=anger", Wishes(author="Seneca", topics=("anger",))),
        ("AUTHOR=O'Brien", Wishes(author="O'Brien")),
        ("by=Seneca", Wishes(author="Seneca")),
        ("topic=death,time topic=“old age” topic=time", Wishes(topics=("death", "time", "old age"))),
        ("short topic=anger and calm", Wishes(words="short and calm", topics=("anger",))),
        ("作者：庄子 主题=自由、逍遥 语言=文言", Wishes(author="庄子", topics=("自由", "逍遥"), language="lzh")),
        ("出处=论语，短一点", Wishes(work="论语，短一点")),
        ("lang=Chinese", Wishes(language="zh")),
        ('lang="classical Chinese"', Wishes(language="lzh")),
        ("lang=FR max=120", Wishes(language="fr", max_length=120)),
        ("tier=sourced,Reference", Wishes(tiers=("sourced", "reference"))),
        ("a=b? no: 2 = 2", None),
        ("life: a riddle", Wishes(words="life: a riddle")),
    ],
)  # fmt: skip
def test_wishes(text: str, wishes: Wishes | None) -> None:
    found, problems = parse_wishes(text)

    if wishes is None:
        assert problems
    else:
        assert (found, problems) == (wishes, ())


@pytest.mark.parametrize(
    ("text", "place", "message", "rest"),
    [
        (
            "auhtor=Seneca topic=anger",
            "auhtor",
            'There is no "auhtor": write author.',
            Wishes(topics=("anger",)),
        ),
        (
            "colour=red anger",
            "colour",
            'There is no "colour": write author, work, topic, lang, tier or max.',
            Wishes(words="anger"),
        ),
        (
            'author="Seneca topic=anger',
            '"Seneca',
            'This quotation mark is not closed: write author="Seneca".',
            Wishes(author="Seneca", topics=("anger",)),
        ),
        (
            'author="Seneca topic="anger"',
            '"Seneca',
            'This quotation mark is not closed: write author="Seneca".',
            Wishes(author="Seneca", topics=("anger",)),
        ),
        (
            "tier=sourced,gold max=9",
            "gold",
            'There is no tier "gold": write reference, sourced, collected, disputed or misattributed.',
            Wishes(tiers=("sourced",), max_length=9),
        ),
        (
            "lang=klingon x",
            "klingon",
            '"klingon" is not a language that is known here: write en, zh (modern Chinese), lzh '
            "(classical Chinese), or another language's two-letter code.",
            Wishes(words="x"),
        ),
        *(
            (
                f"max={value} x",
                value,
                f'"{value}" is not a number of characters: write a whole number above 0, as in max=120.',
                Wishes(words="x"),
            )
            for value in ["0", "-5", "many", "1.5"]
        ),
        (
            "author=Seneca author=Cato x",
            "author=Cato",
            "author is given twice: leave one out; the first one counts.",
            Wishes(author="Seneca", words="x"),
        ),
        (
            "author= topic=anger",
            "author=",
            'author has no value: write author="…", or leave it out.',
            Wishes(topics=("anger",)),
        ),
        (
            'max="" x',
            "max=",
            "max has no value: write max=120, or leave it out.",
            Wishes(words="x"),
        ),
    ],
)
def test_a_malformed_wish_is_reported_and_the_rest_counts(
    text: str, place: str, message: str, rest: Wishes
) -> None:
    wishes, problems = parse_wishes(text)

    assert [(problem.span.of(text), problem.message) for problem in problems] == [(place, message)]
    assert wishes == rest


def test_a_wish_that_failed_may_be_given_again() -> None:
    wishes, problems = parse_wishes("max=x max=80")

    assert wishes.max_length == 80
    assert len(problems) == 1


@given(
    st.text(
        st.sampled_from("author topic=max:：,，\"“”'「」= 0123字") | st.characters(), max_size=60
    )
)
def test_any_text_is_read(text: str) -> None:
    _, problems = parse_wishes(text)

    assert all(problem.span.end <= len(text) for problem in problems)
    assert all(problem.message.endswith(".") for problem in problems)
