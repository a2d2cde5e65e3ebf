"""Names of authors: one key for all spellings of a name, one spelling for known people."""

from __future__ import annotations

import re
from functools import cache

from quill_ls.store.authority import authorities
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


@cache
def known_names() -> dict[str, str]:
    """Return the canonical name of every known person by the keys of all his names."""
    return {
        name_key(name): entry.name
        for entry in authorities()
        for name in (*entry.aliases, entry.name)
    }


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
    known = known_names().get(key)
    return name_key(known) if known else key


def canonical_name(name: str) -> str:
    """Return the canonical spelling of a known person's name, and others tidied up."""
    return known_names().get(name_key(name)) or tidy_name(name)


def tidy_name(name: str) -> str:
    """Return `name` with single spaces, no spaces between initials, no dashes at its ends."""
    return _INITIALS.sub(r"\1.", _SPACES.sub(" ", name).strip(_EDGE))
