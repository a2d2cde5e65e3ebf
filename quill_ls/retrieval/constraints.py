"""What the wishes and the context demand of a quotation, before anything is searched.

In the benchmark nine of ten contexts name the author of the quotation that belongs there, so the
author comes first: a firm credit narrows recall to that author, a loose one leans towards it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from quill_ls.parsing.attribution import Credit, credits
from quill_ls.parsing.gazetteer import Gazetteer
from quill_ls.parsing.placeholder import Wishes

Kind = Literal["author", "work", "proverb", "topic", "language", "tier", "length"]
Origin = Literal["wish", "context"]

PROVERB = "Proverb"
"""How the store names the author of what a people says."""

MAX_SURNAME_AUTHORS = 3
"""A bare surname means one of the most quoted authors that bear it."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One demand, as it is told to the writer.

    Attributes
    ----------
    value
        What is demanded: a name, a title, a language.
    origin
        Whether the writer wished it or the context says it.
    phrase
        The words of the context that say so, or "".
    """

    kind: Kind
    value: str
    origin: Origin
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Demands:
    """All demands on one placeholder.

    Attributes
    ----------
    authors
        Ids that a quotation's author must be among; empty for any.
    work
        Title that the work must have, or "".
    proverb
        Whether a proverb is asked for.
    leanings
        Ids of authors that are named near by without being credited.
    told
        The demands in words, for the explanation.
    unknown_author
        An author that the writer asked for and the store does not hold, or "".
    """

    authors: tuple[int, ...] = ()
    work: str = ""
    proverb: bool = False
    leanings: tuple[int, ...] = ()
    told: tuple[Constraint, ...] = ()
    unknown_author: str = ""


def find_demands(left: str, right: str, wishes: Wishes, gazetteer: Gazetteer) -> Demands:
    """Return what wishes and context demand; wishes go before the context."""
    found = credits(left, right, gazetteer)
    leanings = tuple(
        author
        for credit in found
        if credit.strength == "loose" and credit.authors
        for author in credit.authors[:1]
    )
    if wishes.author or wishes.work:
        return _wished(wishes, leanings, gazetteer)
    return _credited([credit for credit in found if credit.strength == "firm"], leanings, gazetteer)


def _wished(wishes: Wishes, leanings: tuple[int, ...], gazetteer: Gazetteer) -> Demands:
    told: list[Constraint] = []
    authors: tuple[int, ...] = ()
    unknown = ""
    if wishes.author:
        authors = gazetteer.lookup(wishes.author)[:MAX_SURNAME_AUTHORS]
        if authors:
            told.append(Constraint("author", _names(authors[:1], gazetteer), "wish"))
        else:
            unknown = wishes.author
    if wishes.work:
        told.append(Constraint("work", wishes.work, "wish"))
    return Demands(authors, wishes.work, False, leanings, tuple(told), unknown)


def _credited(firm: Sequence[Credit], leanings: tuple[int, ...], gazetteer: Gazetteer) -> Demands:
    person = next((credit for credit in firm if credit.authors and not credit.work), None)
    work = next((credit for credit in firm if credit.work), None)
    proverb = next((credit for credit in firm if credit.proverb), None)
    told: list[Constraint] = []
    if person is None and work is None:
        if proverb is None:
            return Demands(leanings=leanings)
        told.append(Constraint("proverb", PROVERB, "context", proverb.phrase))
        return Demands(proverb=True, leanings=leanings, told=tuple(told))
    authors: tuple[int, ...] = ()
    title = ""
    if person is not None:
        authors = person.authors[:MAX_SURNAME_AUTHORS]
        told.append(Constraint("author", _names(authors[:1], gazetteer), "context", person.phrase))
    # A work counts with its author; one that belongs to somebody else than the person who is
    # credited is only what the person speaks about.
    if work is not None and (person is None or set(work.authors) & set(authors)):
        title = work.work
        authors = authors or work.authors[:1]
        told.append(Constraint("work", title, "context", work.phrase))
    return Demands(authors, title, False, leanings, tuple(told))


def _names(authors: Sequence[int], gazetteer: Gazetteer) -> str:
    return ", ".join(gazetteer.author(author).name for author in authors)
