"""Quotation marks inside a quotation that was scraped: pairs stay, what lost its partner goes.

Collections that stripped the outer quotation marks broke every text that begins or ends with
speech, and turned double marks into apostrophes. Marks are read as a sequence of opening and
closing ones; apostrophes are told from them by their words.
"""

from __future__ import annotations

import re

_APOSTROPHES = re.compile(
    r"(?:^|(?<=[\s—–\-(\"“]))['‘’](?=(?:tis|twas|twere|twill|twould|em|tils?|till|cause|round|bout|"
    r"neath|gainst|n|cos|coz|fore|ere|\d0s)\b)|(?<=\w)['’](?=\w)|(?<=in)['’](?=\s)|(?<=\bo)['’]|"
    r"(?<=\bth)['’]|(?<=\ban)['’]|(?<=['’]n)['’]",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?P<open>(?:^|(?<=[\s(\[—–\-]))[\"'‘“](?=\S))|(?P<close>(?<=\S)[\"'’”](?=$|[\s)\].,;:!?—–\-]))"
)
_SAID = re.compile(
    r"\b(?:said|asked|replied|whispered|muttered|shouted|murmured|answered|exclaimed|cried|says|"
    r"told|retorted|laughed|smiled|grinned|sighed|nodded|shrugged|growled|snapped|continued|"
    r"explained|added|thought|called|yelled|screamed|gasped|breathed|hissed|mumbled|insisted)\b"
)
_TERM_WORDS = 6
"""A quoted term or saying is this short; a longer piece that lost a mark is speech."""


def paired_quotes(text: str, author: str = "") -> tuple[str, str]:
    """Return `text` with its quotation marks in pairs and "", or why that cannot be had.

    Marks around the whole are cut; one that lost its partner at the beginning or end of the text
    gets it back where it encloses a few words; narrated speech is refused as "dialogue".
    """
    if not any(mark in text for mark in "\"'‘’“”"):
        return text, ""
    text = text.replace("''", '"')
    bare = _APOSTROPHES.sub("\0", text)
    marks = [(match.start(), match.lastgroup == "open") for match in _MARK.finditer(bare)]
    marks = _without_plurals(bare, marks)
    if not marks:
        return text, "unbalanced quotation marks" if '"' in text else ""
    opened = [is_open for _, is_open in marks]
    if opened == [True, False] and marks[0][0] == 0 and marks[1][0] == len(text) - 1:
        return text[1:-1].strip(), ""
    if marks[-1][0] == len(text) - 1 and not opened[-1] and _alternate(opened[:-1]):
        text = text[:-1].rstrip()  # a lone mark at the very end, cut from a pair around the whole
        opened = opened[:-1]
    elif not opened[0] and _alternate([True, *opened]) and _short(text[: marks[0][0]]):
        text = ('"' if text[marks[0][0]] in '"”' else "'") + text
        opened = [True, *opened]
    elif opened[-1] and _alternate([*opened, False]) and _short(text[marks[-1][0] :]):
        text += '"' if text[marks[-1][0]] in '"“' else "'"
        opened = [*opened, False]
    if not _alternate(opened):
        return text, "unbalanced quotation marks"
    if opened and _SAID.search(text):
        return text, "dialogue"
    return text, ""


def _alternate(opened: list[bool]) -> bool:
    return len(opened) % 2 == 0 and all(
        is_open == (place % 2 == 0) for place, is_open in enumerate(opened)
    )


def _short(text: str) -> bool:
    return len(text.split()) <= _TERM_WORDS


def _without_plurals(bare: str, marks: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """Drop the closing marks after an s that close nothing: "the gods' will"."""
    kept: list[tuple[int, bool]] = []
    for place, is_open in marks:
        closes = bool(kept) and kept[-1][1]
        genitive = bare[place - 1 : place] == "s" and re.match(r"['’] [a-z]", bare[place:])
        if not is_open and not closes and genitive:
            continue
        kept.append((place, is_open))
    return kept
