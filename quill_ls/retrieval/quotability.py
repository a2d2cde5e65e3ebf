"""How well a sentence can be lifted out of its book, judged by its form alone.

Memorable quotations speak in general: they have fewer personal pronouns and are easier to carry
to another place than other sentences of the same books (Danescu-Niculescu-Mizil et al. 2012,
"You had me at hello", section 4). A fragment of a novel may be near in meaning to an essay, and
still nobody would quote it there. Long ones are cut before they are quoted.
"""

from __future__ import annotations

import re

from quill_ls.text.script import has_han

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PERSONAL_WORDS = """
i me my mine myself i'm i've i'd i'll he him his himself he's he'd she her hers herself she's she'd
they'd we'd it'd you'd was were had did said told went came got
"""
_PERSONAL = frozenset(_PERSONAL_WORDS.split())
"""Pronouns of one person, and the tense in which stories are told."""

_TOLERATED = 0.04
"""Share of such words that any sentence may have."""
_TOO_PERSONAL = 0.20

SHORT, EASY, LONG = 20, 160, 320
"""Characters: below the first it is hardly a thought, up to the second easy to quote, above the
third hardly ever quoted whole."""

_HAN_FACTOR = 3.5
"""Latin characters that say as much as one Han character."""


def quotability(text: str) -> float:
    """Return 0..1: how likely the form of `text` makes it that somebody quotes it whole."""
    return 0.7 * _generality(text) + 0.3 * _brevity(text)


def _generality(text: str) -> float:
    words = [word.replace("’", "'").casefold() for word in _WORD.findall(text)]
    if not words or has_han(text):
        return 1.0
    share = sum(word in _PERSONAL for word in words) / len(words)
    return _falling(share, _TOLERATED, _TOO_PERSONAL)


def _brevity(text: str) -> float:
    length = len(text) * (_HAN_FACTOR if has_han(text) else 1.0)
    if length < SHORT:
        return 0.5
    return _falling(length, EASY, LONG)


def _falling(value: float, full: float, none: float) -> float:
    """Return 1 up to `full`, 0 from `none` on, linear between."""
    return min(1.0, max(0.0, (none - value) / (none - full)))
