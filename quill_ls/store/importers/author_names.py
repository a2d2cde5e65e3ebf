"""Names of authors: one key for all spellings of a name, one canonical spelling for known people.

The table of people whose name is written in several ways is ``quill_ls/data/author_names.toml``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from quill_ls.text.fold import fold_key

_SUFFIXES = frozenset(
    ["jr", "sr", "ii", "iii", "iv", "phd", "ph", "d", "md", "m", "esq", "obe", "cbe"]
)
_HONORIFICS = frozenset(
    ["dr", "prof", "professor", "rev", "reverend", "mr", "mrs", "ms", "sir", "dame", "hon", "fr"]
)
_SPACES = re.compile(r"\s+")
_INITIALS = re.compile(r"\b([^\W\d_])\.\s+(?=[^\W\d_]\.)")
_EDGE = ' \t,;:-–—~―•*"“”'


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The table of known people.

    Attributes
    ----------
    canonical
        Name key to canonical display name.
    spellings
        Canonical display name to its other spellings.
    """

    canonical: dict[str, str]
    spellings: dict[str, tuple[str, ...]]


@cache
def known_names() -> KnownNames:
    """Read the table once."""
    text = resources.files("quill_ls").joinpath("data/author_names.toml").read_text("utf-8")
    table: dict[str, list[str]] = tomllib.loads(text)["authors"]
    canonical = {}
    for name, spellings in table.items():
        for spelling in (name, *spellings):
            canonical[name_key(spelling)] = name
    return KnownNames(canonical, {name: tuple(others) for name, others in table.items()})


def name_key(name: str) -> str:
    """Return what all spellings of one written name have in common.

    Case, accents, dots, the spaces between initials, titles before and "Jr." after do not count:
    ``J. R. R. Tolkien`` and ``J.R.R. Tolkien`` have the same key. A name is never empty by it.
    """
    words = fold_key(name).split()
    while len(words) > 2 and words[0] in _HONORIFICS:
        words = words[1:]
    while len(words) > 2 and words[-1] in _SUFFIXES:
        words = words[:-1]
    return " ".join(words)


def author_key(name: str) -> str:
    """Return the key of the person that `name` means: the same for all known spellings."""
    key = name_key(name)
    known = known_names().canonical.get(key)
    return name_key(known) if known else key


def canonical_name(name: str) -> str:
    """Return the canonical spelling of a known person's name, and others tidied up."""
    return known_names().canonical.get(name_key(name)) or tidy_name(name)


def tidy_name(name: str) -> str:
    """Return `name` with single spaces, no spaces between initials, no dashes at its ends."""
    return _INITIALS.sub(r"\1.", _SPACES.sub(" ", name).strip(_EDGE))
