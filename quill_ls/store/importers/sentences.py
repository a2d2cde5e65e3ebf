"""Cuts running text of reference works into pieces of quotable length, at sentence ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_END = re.compile(r"(?<=[.!?])['’”\"]?\s+(?=['‘“\"]?[A-Z])")
_CLAUSE = re.compile(r"(?<=[;:])\s+")
_HAN_END = re.compile(r"(?<=[。！？])(?![”’」』）])|(?<=[。！？][”’」』])")
_HAN_CLAUSE = re.compile(r"(?<=；)")
_HAN_QUOTES = re.compile("[“”‘’「」『』]")


def sentences(text: str, most: int) -> Iterator[str]:
    """Yield the sentences of an alphabetic text; those longer than `most` are cut at clauses."""
    for sentence in _END.split(text):
        if len(sentence) <= most:
            yield sentence.strip()
        else:
            yield from grouped(_CLAUSE.split(sentence), most // 2, most)


def chinese_sentences(text: str, most: int) -> Iterator[str]:
    """Yield the sentences of a Chinese text; quotation marks that lost their partner are cut."""
    for sentence in _HAN_END.split(text):
        parts = [sentence] if len(sentence) <= most else _HAN_CLAUSE.split(sentence)
        yield from (balanced(part.strip()) for part in parts if part.strip())


def grouped(parts: Iterable[str], least: int, most: int, joint: str = " ") -> Iterator[str]:
    """Yield `parts`, those shorter than `least` joined with the next while `most` allows."""
    held = ""
    for part in parts:
        if not part:
            continue
        joined = f"{held}{joint}{part}" if held else part
        if held and len(joined) > most:
            yield held
            joined = part
        held = joined
        if len(held) >= least:
            yield held
            held = ""
    if held:
        yield held


def balanced(text: str) -> str:
    """Return a Chinese text without its quotation marks if they do not pair."""
    for opening, closing in ("“”", "‘’", "「」", "『』"):
        if text.count(opening) != text.count(closing):
            return _HAN_QUOTES.sub("", text)
    if len(text) > 1 and text[0] in "“「" and text[-1] in "”」" and text.count(text[0]) == 1:
        return text[1:-1]
    return text
