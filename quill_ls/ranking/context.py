"""The text that the model reads: the prose around a place with a quotation put in."""

from __future__ import annotations

from dataclasses import dataclass

from quill_ls.scoring.perplexity import Continuation
from quill_ls.text.script import has_han, is_han

LATIN_CHARACTERS_PER_TOKEN = 4.5
HAN_CHARACTERS_PER_TOKEN = 1.6
"""Rough averages, to cut a context before it is tokenised; the model's own limit is exact."""

_GOING_ON = ".。,，;；:：!！?？…)）"
_OPENING = "“‘\"'«„「『([（《—-–$"


@dataclass(frozen=True, slots=True)
class Context:
    """The prose around a place, cut to what the model is to read.

    Attributes
    ----------
    left
        Ends without white space; the space that the text needs is put at the head of what
        follows, so that all candidates share the tokens of `left`.
    right
        Begins with the white space that the text has there.
    as_inserted
        Whether a quotation loses its full stop before punctuation, as it does when it is
        written into a document. The papers' measures join the texts as they are.
    """

    left: str
    right: str
    as_inserted: bool = False

    def continuation(self, quotation: str) -> Continuation:
        """Return what follows `left` when `quotation` stands in the place."""
        words = without_final_stop(quotation, self.right) if self.as_inserted else quotation
        return Continuation(self._space(words) + words, self.right)

    def _space(self, quotation: str) -> str:
        if not self.left or self.left[-1] in _OPENING:
            return ""
        return "" if is_han(quotation[:1] or " ") or has_han(self.left[-1]) else " "


def without_final_stop(quotation: str, right: str) -> str:
    """Return `quotation` without its full stop where the text goes on with punctuation.

    The right context stays the same for all candidates: otherwise their PPL_m would not be
    comparable.
    """
    if right[:1] in tuple(_GOING_ON) and quotation[-1:] in tuple(".。") and quotation[-3:] != "...":
        return quotation[:-1]
    return quotation


def bounded(left: str, right: str, left_tokens: int, right_tokens: int) -> Context:
    """Cut the contexts to about so many tokens, at the border of a word.

    Parameters
    ----------
    left, right
        Prose before and after the place, of any length.
    left_tokens, right_tokens
        How much of each the model is to read.
    """
    keep_left = _characters(left, left_tokens)
    keep_right = _characters(right, right_tokens)
    left = left.rstrip()
    if len(left) > keep_left:
        left = left[len(left) - keep_left :]
        if not has_han(left[:8]):
            left = left.partition(" ")[2] or left
    if len(right) > keep_right:
        right = right[:keep_right]
        if not has_han(right[-8:]):
            right = right.rpartition(" ")[0] or right
    return Context(left, right.rstrip())


def _characters(text: str, tokens: int) -> int:
    han = has_han(text[:200])
    return int(tokens * (HAN_CHARACTERS_PER_TOKEN if han else LATIN_CHARACTERS_PER_TOKEN))
