import pytest

from quill_ls.parsing.attribution import credits
from quill_ls.parsing.gazetteer import Gazetteer, Work
from quill_ls.store.records import Author

PLATO, SENECA, JEFFERSON, ZHUANGZI, CONFUCIUS, THOREAU, WILSON, BACON, ROGER, BIBLE = range(1, 11)
GAZETTEER = Gazetteer(
    [
        Author(id=PLATO, name="Plato", aliases=("柏拉图",), quotations=90),
        Author(id=SENECA, name="Seneca", aliases=("Seneca the Younger",), quotations=80),
        Author(id=JEFFERSON, name="Thomas Jefferson", quotations=70),
        Author(id=ZHUANGZI, name="庄子", aliases=("庄周", "Zhuangzi"), quotations=60),
        Author(id=CONFUCIUS, name="孔子", aliases=("Confucius",), quotations=60),
        Author(id=THOREAU, name="Henry David Thoreau", quotations=50),
        Author(id=WILSON, name="爱德华·威尔逊", quotations=3),
        Author(id=BACON, name="Francis Bacon", quotations=40),
        Author(id=BIBLE, name="The Bible", quotations=120),
        Author(id=ROGER, name="Roger Bacon", quotations=4),
    ],
    [Work("Walden", "Henry David Thoreau"), Work("论语", "孔子")],
)


def firm(text: str) -> tuple[int, ...]:
    left, _, right = text.partition("[Q]")
    found = [c for c in credits(left, right, GAZETTEER) if c.strength == "firm"]
    return found[0].authors if found else ()


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("As Plato stated, [Q] and we agree.", PLATO),
        ("According to Plato, [Q]", PLATO),
        ("As the Bible says, [Q] and so we tried again.", BIBLE),
        ("The phrase [Q]. by Plato has become famous.", PLATO),
        ("We went on for years. [Q] Seneca", SENECA),
        ("In the words of Seneca the Younger: [Q]", SENECA),
        ("As Seneca put it, [Q] He did not mean much.", SENECA),
        ("As Thomas Jefferson wrote in 1816, [Q]", JEFFERSON),
        ("Jefferson once famously said: [Q]", JEFFERSON),
        ("Jefferson’s phrase [Q] became famous.", JEFFERSON),
        ("The quote [Q] by Plato refers to a cave.", PLATO),
        ("So it goes: [Q] — Seneca", SENECA),
        ("[Q], wrote Seneca to his friend.", SENECA),
        ("Life is long. [Q] (Seneca)", SENECA),
        ("Seneca lived under Nero. He famously wrote: [Q]", SENECA),
        ("庄子曰：[Q]。要因时而变。", ZHUANGZI),
        ("莊子曾說：[Q]", ZHUANGZI),
        ("当代生物学家爱德华·威尔逊曾说过:[Q]。", WILSON),
        ("引用柏拉图的名言：[Q]。", PLATO),
        ("孔子热爱学习。他提出：[Q]。", CONFUCIUS),
        ("《论语》有云：[Q]", CONFUCIUS),
    ],
)
def test_the_grammar_says_who_is_credited(text: str, author: int):
    assert firm(text)[:1] == (author,)


@pytest.mark.parametrize(
    "text",
    [
        "Plato was a wrestler. Years went by, and the city fell. [Q]",
        "We walked along the river. [Q] It was late.",
        "I said to my friend: [Q]",
        "他说：[Q]",
        "It takes courage. [Q] Plato would have disagreed with all of this.",
        "[Q]",
    ],
)
def test_a_name_near_by_is_no_credit(text: str):
    assert firm(text) == ()


def test_a_name_near_by_leans_towards_its_author():
    (credit,) = credits("Plato was a wrestler. Years went by. ", " It ended.", GAZETTEER)
    assert (credit.strength, credit.authors) == ("loose", (PLATO,))


def test_a_bare_surname_means_the_most_quoted_bearer_first():
    assert firm("Bacon wrote that [Q]") == (BACON, ROGER)


def test_a_work_is_credited_with_its_author():
    found = credits("As Thoreau writes in Walden, ", "", GAZETTEER)
    assert [(c.authors, c.work) for c in found if c.strength == "firm"] == [
        ((THOREAU,), "Walden"),
        ((THOREAU,), ""),
    ]


@pytest.mark.parametrize(
    "left", ["As the old proverb goes, ", "There is a Dutch proverb: ", "俗话说：", "古人云："]
)
def test_proverbs(left: str):
    assert any(credit.proverb for credit in credits(left, "", GAZETTEER))


def test_the_explanation_quotes_the_words_that_say_so():
    (credit, *_) = credits("It was raining. As Plato stated, ", "", GAZETTEER)
    assert credit.phrase == "As Plato stated,"


@pytest.mark.parametrize("text", ["孩子庄周围的人", "工商管理", "读1Q84和[Q]"])
def test_han_names_do_not_stand_inside_other_words(text: str):
    assert GAZETTEER.mentions(text.replace("庄周", "庄、周")) == ()


def test_a_name_of_two_characters_needs_a_border_or_a_verb():
    names = Gazetteer(
        [Author(id=1, name="子夏", quotations=2), Author(id=2, name="于谦", quotations=1)]
    )
    assert names.mentions("孩子夏天游泳，这是由于谦虚。") == ()
    assert [m.authors for m in names.mentions("弟子子夏曰：博学而笃志。明朝于谦写道")] == [
        (1,),
        (2,),
    ]
