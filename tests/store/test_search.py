"""Looking quotations up by words, by Chinese characters, by misspelt words, and exactly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import Quotation
from quill_ls.store.segments import bigrams, segmented
from quill_ls.text.fold import fold_key

QUOTATIONS = {
    "wit": Quotation(
        text="Brevity is the soul of wit.", author="William Shakespeare", work="Hamlet"
    ),
    "courage": Quotation(text="Courage is the price that life exacts", author="Amelia Earhart"),
    "brave": Quotation(text="The brave may not live forever", topics=("courage",)),
    "dont": Quotation(text="Don’t count your chickens — naïve œufs", author="Proverb"),
    "study": Quotation(text="學而時習之，不亦說乎？", author="孔子", work="論語", language="lzh"),
    "heaven": Quotation(text="天行健，君子以自强不息。", author="", work="周易", language="lzh"),
    "mixed": Quotation(text="我用 Python 写诗", author="某人", language="zh"),
}


@pytest.fixture
def ids(store: Store) -> dict[str, int]:
    return dict(zip(QUOTATIONS, store.add(QUOTATIONS.values()).ids, strict=True))


def found(store: Store, ids: dict[str, int], *terms: str, **wanted: object) -> list[str]:
    names = {id: name for name, id in ids.items()}
    return [names[hit.id] for hit in store.search_words(terms, **wanted)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (["wit"], {"wit"}),
        (["BREVITY"], {"wit"}),
        (["lives", "prices"], {"brave", "courage"}),  # stems of "live", "life", "price"
        (["shakespeare"], {"wit"}),
        (["hamlet"], {"wit"}),
        (["courage"], {"courage", "brave"}),  # in the text, in the topics
        (["soul of wit"], {"wit"}),  # a phrase
        (["wit of soul"], set()),
        (["don't"], {"dont"}),
        (["dont"], {"dont"}),
        (["naive"], {"dont"}),
        (["oeufs"], {"dont"}),
        (["python"], {"mixed"}),
        (["nowhere"], set()),
        ([], set()),
        (["", "?!", "🙂"], set()),
    ],
)
def test_words(store: Store, ids: dict[str, int], terms: list[str], expected: set[str]) -> None:
    assert set(found(store, ids, *terms)) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("时习", {"study"}),  # stored in traditional characters
        ("時習", {"study"}),
        ("学而", {"study"}),
        ("习", {"study"}),  # one character, inside
        ("乎", {"study"}),  # one character, the last one
        ("天", {"heaven"}),
        ("君子", {"heaven"}),
        ("自强不息", {"heaven"}),
        ("自强自立", {"heaven"}),  # one of its bigrams
        ("论语", {"study"}),  # the work
        ("孔子", {"study"}),  # the author
        ("写诗", {"mixed"}),
        ("用Python写", {"mixed"}),
        ("红楼", set()),
    ],
)
def test_han_characters(store: Store, ids: dict[str, int], term: str, expected: set[str]) -> None:
    assert set(found(store, ids, term)) == expected


def test_the_best_comes_first_with_the_greatest_score(store: Store, ids: dict[str, int]) -> None:
    hits = store.search_words(["soul", "wit", "life"])
    assert [hit.id for hit in hits] == [ids["wit"], ids["courage"]]
    assert hits[0].score > hits[1].score > 0


def test_no_more_than_asked_for(store: Store, ids: dict[str, int]) -> None:
    assert len(store.search_words(["courage", "wit"], limit=2)) == 2
    assert store.search_words(["courage"], limit=0) == []


@pytest.mark.parametrize(
    ("narrow", "expected"),
    [
        (Narrow(max_length=32), {"brave"}),
        (Narrow(topics=("courage",)), {"brave"}),
        (Narrow(topics=("courage",), max_length=5), set()),
        (Narrow(languages=("lzh",)), set()),
        (Narrow(ids=()), set()),
        (Narrow(), {"brave", "courage"}),
    ],
)
def test_within_a_part_of_the_store(
    store: Store, ids: dict[str, int], narrow: Narrow, expected: set[str]
) -> None:
    assert set(found(store, ids, "courage", narrow=narrow)) == expected
    assert set(found(store, ids, "courage", narrow=narrow, limit=1)) <= expected


def test_a_broad_and_a_narrow_way_find_the_same(store: Store, ids: dict[str, int]) -> None:
    everything = tuple(ids.values())
    for terms in (["courage", "wit", "life"], ["君子", "时习"]):
        plain = store.search_words(terms)
        assert store.search_words(terms, narrow=Narrow(ids=everything)) == plain
        assert store.search_words(terms, narrow=Narrow(min_length=1)) == plain


def test_exactly_these_words(store: Store, ids: dict[str, int]) -> None:
    (quotation,) = store.find_text(fold_key("brevity is the SOUL of wit"))
    assert quotation.id == ids["wit"]
    assert store.find_text(fold_key("brevity is the soul")) == ()
    (quotation,) = store.find_text(fold_key("学而时习之不亦说乎"))
    assert quotation.id == ids["study"]


# Misspelt


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Breviti is the sole of witt", "wit"),
        ("corage is the prize that live exacts", "courage"),
        ("dont count you're chikens", "dont"),
        ("君子以自強不息", "heaven"),
    ],
)
def test_misspelt_texts(store: Store, ids: dict[str, int], text: str, expected: str) -> None:
    hits = store.search_trigrams(text)
    assert hits[0].id == ids[expected]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_same_spelling_scores_one(store: Store, ids: dict[str, int]) -> None:
    (hit,) = store.search_trigrams(QUOTATIONS["brave"].text, limit=1)
    assert hit.score == pytest.approx(1)


def test_misspelt_within_a_part_of_the_store(store: Store, ids: dict[str, int]) -> None:
    hits = store.search_trigrams("the soul", narrow=Narrow(exclude_ids=(ids["wit"],)))
    assert ids["wit"] not in {hit.id for hit in hits}
    assert hits


@pytest.mark.parametrize("text", ["", "ab", "?!", "qqq"])
def test_nothing_to_compare(store: Store, ids: dict[str, int], text: str) -> None:
    assert store.search_trigrams(text) == []


def test_misspelt_in_a_store_that_cannot_be_written(store: Store, ids: dict[str, int]) -> None:
    with Store.open(store.path, readonly=True) as reader:
        assert reader.search_trigrams("the brave may") != []


# Any text at all


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=40))
@example(text='"')
@example(text='courage" OR "wit')
@example(text="NEAR(courage wit, 5)")
@example(text="text : courage")
@example(text="cour*")
@example(text="^courage AND NOT (wit")
@example(text="a\0b")
@example(text="\ud800 天\ud800")
@example(text="--; DROP TABLE quotes")
@example(text="👩‍👩‍👧 ﷽ \u202e")
def test_no_text_is_an_error_or_an_operator(text: str, any_store: Store) -> None:
    any_store.search_words([text])
    any_store.search_words(text.split(" "), narrow=Narrow(work=text, topics=(text,), min_length=1))
    any_store.search_trigrams(text)
    any_store.find_text(fold_key(text))
    any_store.author(text)
    assert any_store.count() == len(QUOTATIONS)


@pytest.fixture(scope="module")
def any_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("any") / "quotes.db") as store:
        store.add(QUOTATIONS.values())
        yield store


def test_a_whole_document_of_terms(store: Store, ids: dict[str, int]) -> None:
    terms = [f"word{n}" for n in range(5_000)]
    assert store.search_words(["wit", *terms]) != []
    assert store.search_trigrams(" ".join(terms)) == []


# Bigrams


@pytest.mark.parametrize(
    ("folded", "index", "query"),
    [
        ("plain words", None, []),
        ("学", "学", ["学"]),
        ("学而时习", "学而 而时 时习 习", ["学而", "而时", "时习"]),
        ("用python写诗", "用 python 写诗 诗", ["用", "写诗"]),
        ("天天天", "天天 天天 天", ["天天"]),
    ],
)
def test_bigrams(folded: str, index: str | None, query: list[str]) -> None:
    assert segmented(folded) == index
    assert bigrams(folded) == query
