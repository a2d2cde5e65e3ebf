"""What to look for: the prose around a place, cut to what says something about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quill_ls.text.script import is_han

_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？；])")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")

_STOP_WORDS = """
a about above after again against all also am an and any are as at be because been before being
below between both but by can cannot could did do does doing down during each even every few for
from further get had has have having he her here hers herself him himself his how i if in into
is it its itself just like many may me might more most much must my myself no nor not now of off
on once one only or other our ours ourselves out over own perhaps rather s same she should so
some still such t than that the their theirs them themselves then there these they this those
though through to too two under until up upon us very was we were what when where whether which
while who whom whose why will with without would yet you your yours yourself quote quotes quoted
quotation quotations said says saying wrote writes famous famously words word author text
chapter book once remarked observed stated put phrase proverb reminds thing things way someone
something anything people person
"""
_STOP = frozenset(_STOP_WORDS.split())
"""Words that say nothing of what is quoted: function words, and the vocabulary of quoting."""

NEAR_CHARACTERS = 320
"""Prose on each side that is read for recall: about two sentences."""


@dataclass(frozen=True, slots=True)
class Query:
    """What recall looks for.

    Attributes
    ----------
    text
        Prose for the encoder: free words of the wish first, then the sentences around.
    terms
        Words for the full-text index, most telling first, each once.
    """

    text: str
    terms: tuple[str, ...]


def build_query(left: str, right: str, words: str = "", max_terms: int = 24) -> Query:
    """Return the query for a place.

    Parameters
    ----------
    left, right
        Prose before and after the place.
    words
        Free words of the writer's wish; they count more than the prose around.
    """
    before = _whole_sentences_at_end(left[-2 * NEAR_CHARACTERS :])
    after = _whole_sentences_at_start(right[: 2 * NEAR_CHARACTERS])
    text = " ".join(part for part in (words, before, after) if part).strip()
    return Query(text, _terms((words, _last_sentence(before), after, before), max_terms))


def _whole_sentences_at_end(text: str) -> str:
    """Keep the last sentences, as many as fit into `NEAR_CHARACTERS`, at least one."""
    kept = ""
    for sentence in reversed(_sentences(text)):
        if kept and len(kept) + len(sentence) > NEAR_CHARACTERS:
            break
        kept = f"{sentence} {kept}" if kept else sentence
    return kept.strip()[-2 * NEAR_CHARACTERS :]


def _whole_sentences_at_start(text: str) -> str:
    kept = ""
    for sentence in _sentences(text):
        if kept and len(kept) + len(sentence) > NEAR_CHARACTERS:
            break
        kept = f"{kept} {sentence}" if kept else sentence
    return kept.strip()


def _last_sentence(text: str) -> str:
    sentences = _sentences(text)
    return sentences[-1] if sentences else ""


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.split(text) if part and part.strip(" .。,，;；")]


def _terms(parts: tuple[str, ...], limit: int) -> tuple[str, ...]:
    terms: dict[str, None] = {}
    for part in parts:
        for match in _WORD.finditer(part):
            word = match.group()
            if any(is_han(char) for char in word):
                terms.update(dict.fromkeys(_bigrams(word)))
            elif word.casefold() not in _STOP and len(word) > 2:
                terms.setdefault(word.casefold())
    return tuple(terms)[:limit]


def _bigrams(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]
