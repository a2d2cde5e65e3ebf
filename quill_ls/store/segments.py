"""Chinese for an index of words: overlapping pairs of characters.

Chinese is written without spaces, and most of its words have two characters. Bigrams find every
word of two, and longer ones by several bigrams, with no dictionary that could be wrong.
"""

from __future__ import annotations

import re

from quill_ls.text.script import HAN_CLASS, has_han

_RUN = re.compile(f"[{HAN_CLASS}]+|[^{HAN_CLASS}]+")


def segmented(folded: str) -> str | None:
    """Return a folded text with its Han characters as bigrams, or None if it has none.

    The last character of a run stands alone at its end, so that a search for words that begin
    with a given character finds it wherever it occurs.

    >>> segmented("学而时习")
    '学而 而时 时习 习'
    """
    if not has_han(folded):
        return None
    parts: list[str] = []
    for run in _RUN.findall(folded):
        if has_han(run):
            parts.extend(run[i : i + 2] for i in range(len(run)))
        else:
            parts.append(run.strip())
    return " ".join(parts)


def bigrams(folded: str) -> list[str]:
    """Return the distinct bigrams of the Han runs of `folded`, in order; runs of one as they are.

    >>> bigrams("学而时习")
    ['学而', '而时', '时习']
    """
    found: dict[str, None] = {}
    for run in _RUN.findall(folded):
        if has_han(run):
            for i in range(max(1, len(run) - 1)):
                found[run[i : i + 2]] = None
    return list(found)
