"""Authors under one name, whatever texts call them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quill_ls.store.database import Store
from quill_ls.store.records import Author, Quotation


def test_found_by_name_and_alias_in_any_spelling(store: Store) -> None:
    store.add([Quotation(text="The noblest revenge", author="Marcus Aurelius")])
    id = store.add_aliases("Marcus Aurelius", ["Aurelius", "马可·奥勒留", " Marcus Antoninus "])
    expected = Author(
        id=id,
        name="Marcus Aurelius",
        aliases=("Aurelius", "Marcus Antoninus", "马可·奥勒留"),
        quotations=1,
    )
    for name in ("MARCUS AURELIUS", "aurelius", "馬可奧勒留", "Marcus  Antoninus"):
        assert store.author(name) == expected
    assert store.authors() == [expected]
    assert store.author("Marcus") is None
    assert store.author("") is None


def test_an_alias_given_with_a_quotation_becomes_the_canonical_name(store: Store) -> None:
    store.add_aliases("Mark Twain", ["Samuel Clemens"])
    (id,) = store.add([Quotation(text="Get your facts first", author="samuel clemens")]).ids
    stored = store.get(id)
    assert stored is not None
    assert stored.author == "Mark Twain"
    assert [(a.name, a.quotations) for a in store.authors()] == [("Mark Twain", 1)]


def test_the_first_spelling_of_a_new_name_is_the_canonical_one(store: Store) -> None:
    ids = store.add(
        [Quotation(text="a", author="Émile Zola"), Quotation(text="b", author="EMILE ZOLA")]
    ).ids
    assert {q.author for q in store.get_many(ids).values()} == {"Émile Zola"}


def test_an_alias_that_two_authors_share_names_neither(store: Store) -> None:
    store.add_aliases("Samuel Johnson", ["Johnson", "Dr. Johnson"])
    store.add_aliases("Lyndon B. Johnson", ["Johnson", "LBJ"])
    assert store.author("Johnson") is None
    author = store.author("Dr Johnson")
    assert author is not None
    assert author.name == "Samuel Johnson"
    (id,) = store.add([Quotation(text="x", author="Johnson")]).ids
    stored = store.get(id)
    assert stored is not None
    assert stored.author == "Johnson"  # an author of their own, until somebody knows better


def test_a_canonical_name_goes_before_an_alias(store: Store) -> None:
    store.add_aliases("Seneca", [])
    store.add_aliases("Seneca the Elder", ["Seneca"])
    author = store.author("Seneca")
    assert author is not None
    assert author.name == "Seneca"


def test_the_name_itself_is_no_alias(store: Store) -> None:
    store.add_aliases("Plato", ["PLATO", "", "  ", "Platon"])
    (plato,) = store.authors()
    assert plato.aliases == ("Platon",)


def test_an_author_needs_a_name(store: Store) -> None:
    with pytest.raises(ValueError, match="name"):
        store.add_aliases(" ", ["x"])


def test_aliases_added_twice_are_there_once(store: Store) -> None:
    assert store.add_aliases("Plato", ["Platon"]) == store.add_aliases("plato", ["PLATON"])
    (plato,) = store.authors()
    assert len(plato.aliases) == 1


def test_uniting_two_authors(store: Store, consistent: Callable[[Store], None]) -> None:
    store.add(
        [
            Quotation(text="one", author="Mark Twain"),
            Quotation(text="two", author="Samuel Clemens"),
            Quotation(text="three", author="S. L. Clemens"),
        ]
    )
    store.add_aliases("Samuel Clemens", ["Sam Clemens", "Twain"])
    store.add_aliases("S. L. Clemens", ["Mark Twain"])
    twain, *others = store.authors()
    store.unite_authors(twain.id, (author.id for author in (twain, *others)))
    (author,) = store.authors()
    assert author == Author(
        id=twain.id,
        name="Mark Twain",
        aliases=("S. L. Clemens", "Sam Clemens", "Samuel Clemens", "Twain"),
        quotations=3,
    )
    assert {q.author for q in store.quotations()} == {"Mark Twain"}
    assert len(store.search_words(["twain"])) == 3
    assert store.search_words(["clemens"]) == []
    assert store.add([Quotation(text="Two!", author="Sam Clemens")]).merged == 1
    consistent(store)


def test_uniting_leaves_an_entry_that_would_be_there_twice(
    store: Store, consistent: Callable[[Store], None]
) -> None:
    keep, drop = store.add(
        [Quotation(text="same", author="Twain"), Quotation(text="Same.", author="Clemens")]
    ).ids
    twain, clemens = store.authors()
    store.unite_authors(twain.id, [clemens.id])
    assert [a.name for a in store.authors()] == ["Twain", "Clemens"]
    store.merge(keep, [drop])
    assert [a.name for a in store.authors()] == ["Twain"]
    consistent(store)


def test_uniting_with_an_author_who_is_not_there(store: Store) -> None:
    with pytest.raises(ValueError, match="no author"):
        store.unite_authors(7, [])


def test_authors_without_quotations_are_forgotten_unless_they_were_described(store: Store) -> None:
    ids = store.add([Quotation(text="a", author="Ann"), Quotation(text="b", author="Bob")]).ids
    store.add_aliases("Bob", ["Robert"])
    store.remove(ids)
    assert store.authors() == [Author(id=2, name="Bob", aliases=("Robert",), quotations=0)]


def test_an_author_whose_claim_was_overruled_is_forgotten(store: Store) -> None:
    store.add([Quotation(text="Pride goes before a fall", author="Somebody")])
    store.add([Quotation(text="Pride goes before a fall", work="Proverbs", tier="reference")])
    assert store.authors() == []
