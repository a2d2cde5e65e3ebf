"""Folding: one plain spelling for all typographic variants of the same words.

Two texts that differ only in case, width, accents, quotation marks, punctuation, dashes, white
space, ligatures or in traditional and simplified characters fold to the same key. `fold` keeps
the way back to the source; `fold_key` is the same text without it, fast enough for a whole store.

What becomes of a character is decided character by character, so that the way back is exact:

- compatibility decomposition (NFKD), case folding, combining diacritics dropped;
- letters that no decomposition splits are spelled out (æ, ø, ß, þ …);
- apostrophes and single quotation marks are dropped, other punctuation, symbols and white space
  separate words, format characters (soft hyphen, joiners, byte-order mark) are dropped;
- traditional Han characters become simplified ones (OpenCC, t2s).

A run of separators is one space between two words, and nothing at either end of the text or
beside a Han character: 用 Python 写 and 用Python写 are the same.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from quill_ls.text.script import HAN_CLASS, has_han, is_han
from quill_ls.text.span import Span

_SPELLED_OUT = {
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ł": "l",
    "ħ": "h",
    "ı": "i",
    "ŋ": "n",
}
_APOSTROPHES = frozenset("'‘’‚‛ʹʻʼʽ`´′＇")
_DIACRITICS = re.compile(
    # Combining diacritical marks with their extensions, and variation selectors. The vowel signs
    # of other scripts are not among them: they are letters, not ornaments.
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)
_SPACE_BESIDE_HAN = re.compile(f"(?<=[{HAN_CLASS}]) | (?=[{HAN_CLASS}])")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text with the way back to its source.

    Attributes
    ----------
    text
        The folded text, n characters.
    offsets
        n + 1 source offsets, in code points: where the source of each folded character begins,
        and the length of the source.
    ends
        n source offsets: where the source of each folded character ends, diacritics that were
        dropped included.
    """

    text: str
    offsets: array[int]
    ends: array[int]

    def source_span(self, span: Span) -> Span:
        """Return the span of the source that the folded characters of `span` come from."""
        if not len(span):
            return Span(self.offsets[span.start], self.offsets[span.start])
        return Span(self.offsets[span.start], self.ends[span.end - 1])


def fold_key(text: str) -> str:
    """Return the folded text alone, equal to ``fold(text).text``."""
    key = " ".join(text.translate(_TABLE).split())
    return _SPACE_BESIDE_HAN.sub("", key) if has_han(key) else key


def fold(text: str) -> Folded:
    """Fold `text` and keep, for every folded character, its place in `text`."""
    chars: list[str] = []
    offsets = array("q")
    ends = array("q")
    gap = -1  # where the run of separators before the next character began
    gap_end = -1
    for offset, char in enumerate(text):
        folded = _TABLE[ord(char)]
        if folded == " ":
            gap = offset if gap < 0 else gap
            gap_end = offset + 1
            continue
        if not folded:
            if ends and gap < 0 and _DIACRITICS.match(char):
                ends[-1] = offset + 1
            continue
        if gap >= 0 and chars and not is_han(chars[-1]) and not is_han(folded[0]):
            chars.append(" ")
            offsets.append(gap)
            ends.append(gap_end)
        gap = -1
        for piece in folded:
            chars.append(piece)
            offsets.append(offset)
            ends.append(offset + 1)
    offsets.append(len(text))
    return Folded("".join(chars), offsets, ends)


class _Converter(Protocol):
    def convert(self, text: str) -> str: ...


def simplify(text: str) -> str:
    """Return `text` with traditional Han characters as simplified ones, one for one."""
    return "".join(_TABLE[ord(char)] if is_han(char) else char for char in text)


@cache
def _simplifier() -> _Converter:
    from opencc import OpenCC  # its dictionaries are read only when Han characters are met

    converter: _Converter = OpenCC("t2s")
    return converter


class _Table(dict[int, str]):
    """What each code point folds to, found when it is first met.

    The value is the folded characters, a single space for a separator, or nothing.
    """

    def __missing__(self, code: int) -> str:
        folded = chr(code)
        # Case folding can bring up what decomposition would have split and the reverse, and a
        # simplified character may itself have a simpler one: repeat until nothing changes.
        for _ in range(4):
            again = "".join(map(_fold_once, folded))
            if again == folded:
                break
            folded = again
        if " " in folded:  # "½" is "1⁄2", "…" is "...": a separator inside stays a space
            folded = " ".join(folded.split()) or " "
        self[code] = folded
        return folded


def _fold_once(char: str) -> str:
    if char in _APOSTROPHES:
        return ""
    pieces = []
    for piece in unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold()):
        if _DIACRITICS.match(piece) or piece in _APOSTROPHES:
            continue
        category = unicodedata.category(piece)
        if category == "Cf":
            continue
        if category[0] in "PSZ" or category in ("Cc", "Cs"):
            pieces.append(" ")
        elif is_han(piece):
            pieces.append(_simplifier().convert(piece))
        else:
            pieces.append(_SPELLED_OUT.get(piece, piece))
    return "".join(pieces)


_TABLE = _Table()
