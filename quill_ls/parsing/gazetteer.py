"""Who and what a text names: authors and works that the store knows, found by their names.

A gazetteer, not a neural tagger: it answers in microseconds, it never names somebody whom the
store does not hold, and a wrong alias can be mended by hand.

Alphabetic names are looked up word by word, longest first, and must begin with a capital in the
text. Names in Han characters are looked up in the folded text, where traditional forms are
simplified and the dot of 爱德华·威尔逊 is gone. A bare surname is a name too, but a weaker one:
it is looked up where no full name stands and tells so in its `kind`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from quill_ls.store.records import Author
from quill_ls.text.fold import fold, fold_key
from quill_ls.text.script import has_han, is_han
from quill_ls.text.span import Span

Kind = Literal["name", "surname", "work"]

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_POSSESSIVE = re.compile(r"[’']s$", re.IGNORECASE)
_MAX_WORDS = 8
_MAX_HAN = 16
# One Han character is a name only to the grammar of "尧曰"; elsewhere it is any word.
_MIN_HAN = 2
_BEFORE_NAME = frozenset("和与及如据按像让对是以跟同把被用从说问，")
_AFTER_NAME = frozenset("曰云说言写提认指在的以曾把对等是与和也还则亦尝之又所在谓道讲主强著有")
"""Han characters beside which a name of two characters is a name, not a part of other words."""
_NOT_SURNAMES_WORDS = """
white black brown green
bible proverb anonymous unknown elder younger great jr sr junior senior ii iii iv saying may
will hope church day page moon king queen young wise love
"""
_NOT_SURNAMES = frozenset(_NOT_SURNAMES_WORDS.split())
"""Last words of author names that are seldom meant as names when they stand alone."""


@dataclass(frozen=True, slots=True)
class Work:
    """A title by which a text may call a work, and the author's canonical name."""

    title: str
    author: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a text names an author or a work.

    Attributes
    ----------
    span
        The name in the text, without a possessive ending.
    kind
        "name" for a full name or alias, "surname" for a last name alone, "work" for a title.
    authors
        Ids of the authors that the name may mean, most quoted first. A work's author is among
        them where the store holds one.
    work
        The title, for kind "work".
    """

    span: Span
    kind: Kind
    authors: tuple[int, ...]
    work: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: Kind
    authors: tuple[int, ...]
    work: str = ""


@lru_cache(maxsize=65_536)
def _fold_word(word: str) -> str:
    return fold_key(word)


def _words(text: str) -> Iterator[tuple[str, Span, bool]]:
    """Yield each word folded, its span without a possessive, and whether it has a capital."""
    for match in _WORD.finditer(text):
        word = match.group()
        if bare := _POSSESSIVE.search(word):
            word = word[: bare.start()]
        if key := _fold_word(word):
            yield key, Span(match.start(), match.start() + len(word)), word[0].isupper()


class Gazetteer:
    """The names of all authors and works, ready for looking them up in prose."""

    def __init__(self, authors: Sequence[Author], works: Iterable[Work] = ()) -> None:
        self._alphabetic: dict[str, _Entry] = {}
        self._han: dict[str, _Entry] = {}
        self._authors = {author.id: author for author in authors}
        self._add_names(authors)
        self._add_works(works)
        self._first_han = frozenset(key[0] for key in self._han)

    def author(self, author_id: int) -> Author:
        """Return the author with this id; KeyError for an id that was never mentioned."""
        return self._authors[author_id]

    def lookup(self, name: str) -> tuple[int, ...]:
        """Return the ids of the authors that `name` as a whole may mean, most quoted first."""
        entry = self._han.get(fold_key(name)) or self._alphabetic.get(_person_key(name))
        return entry.authors if entry and entry.kind != "work" else ()

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Find all names in `text`, in order; where names overlap the longest one counts."""
        found = [*self._alphabetic_mentions(text), *self._han_mentions(text)]
        return tuple(sorted(found, key=lambda mention: mention.span))

    def _add_names(self, authors: Sequence[Author]) -> None:
        by_quotations = sorted(authors, key=lambda author: -author.quotations)
        names: defaultdict[str, list[int]] = defaultdict(list)
        surnames: defaultdict[str, list[int]] = defaultdict(list)
        han: defaultdict[str, list[int]] = defaultdict(list)
        for author in by_quotations:
            for name in (author.name, *author.aliases):
                if has_han(name):
                    key = fold_key(name)
                    if len(key) >= _MIN_HAN and author.id not in han[key]:
                        han[key].append(author.id)
                    continue
                key = _person_key(name)
                if key and author.id not in names[key]:
                    names[key].append(author.id)
            last = _name_key(author.name).rpartition(" ")
            if last[0] and len(last[2]) > 2 and last[2] not in _NOT_SURNAMES:
                surnames[last[2]].append(author.id)
        self._han = {key: _Entry("name", tuple(ids)) for key, ids in han.items() if ids}
        self._alphabetic = {key: _Entry("surname", tuple(ids)) for key, ids in surnames.items()}
        for key, ids in names.items():
            if ids:
                self._alphabetic[key] = _Entry("name", tuple(ids))

    def _add_works(self, works: Iterable[Work]) -> None:
        for work in works:
            authors = self.lookup(work.author)
            if has_han(work.title):
                key = fold_key(work.title)
                if len(key) >= _MIN_HAN:
                    self._han.setdefault(key, _Entry("work", authors, work.title))
            elif key := _name_key(work.title):
                # Where a title is also a person's name (Emma, Hamlet), the person wins.
                self._alphabetic.setdefault(key, _Entry("work", authors, work.title))

    def _alphabetic_mentions(self, text: str) -> Iterator[Mention]:
        words = list(_words(text))
        at = 0
        while at < len(words):
            length, mention = self._longest(words, at)
            if mention is not None:
                yield mention
            at += length

    def _longest(
        self, words: Sequence[tuple[str, Span, bool]], at: int
    ) -> tuple[int, Mention | None]:
        if not words[at][2]:
            return 1, None
        for length in range(min(_MAX_WORDS, len(words) - at), 0, -1):
            entry = self._alphabetic.get(" ".join(key for key, _, _ in words[at : at + length]))
            if entry is not None:
                span = Span(words[at][1].start, words[at + length - 1][1].end)
                return length, Mention(span, entry.kind, entry.authors, entry.work)
        return 1, None

    def _han_mentions(self, text: str) -> Iterator[Mention]:
        if not self._han or not has_han(text):
            return
        folded = fold(text)
        at = 0
        while at < len(folded.text):
            length = 1
            if folded.text[at] in self._first_han:
                for size in range(min(_MAX_HAN, len(folded.text) - at), _MIN_HAN - 1, -1):
                    entry = self._han.get(folded.text[at : at + size])
                    if entry is None:
                        continue
                    span = folded.source_span(Span(at, at + size))
                    if _is_name(text, span):
                        yield Mention(span, entry.kind, entry.authors, entry.work)
                        length = size
                        break
            at += length


def _is_name(text: str, span: Span) -> bool:
    """Whether Han characters that spell a name are one where they stand.

    Words have no borders in Chinese: 子夏 stands in 孩子夏天, and across the comma of 工商、君臣
    stands 商君.
    """
    name = span.of(text)
    if any(not is_han(char) and char not in "·•・‧" for char in name):
        return False
    if len(name) > _MIN_HAN:
        return True
    before, after = text[: span.start][-1:], text[span.end :][:1]
    return (
        not (before and is_han(before))
        or not (after and is_han(after))
        or before in _BEFORE_NAME
        or after in _AFTER_NAME
    )


def _person_key(name: str) -> str:
    # Within a sentence it is "the Bible", and the capital comes after the article.
    return _name_key(name).removeprefix("the ")


def _name_key(name: str) -> str:
    return " ".join(key for key, _, _ in _words(name))
