"""The form in which every importer hands over a text: NFC, one line, no enclosing quotes."""

from __future__ import annotations

import re
import unicodedata

from quill_ls.text.script import HAN_CLASS

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CJK = HAN_CLASS + "\u3000-\u303f\uff01-\uff65\u2018-\u201d\u2026\u2014"
# The break of a line is nothing between two Chinese characters or marks, one space elsewhere.
_CJK_GAP = re.compile(f"(?<=[{_CJK}])\\s+(?=[{HAN_CLASS}\u3000-\u303f\uff01-\uff65])")
_SPACE = re.compile(r"\s+")
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "‹": "›", "「": "」", "『": "』", "‘": "’"}


def one_line(text: str) -> str:
    """Return `text` in NFC on one line: any white space is one space, none beside Chinese."""
    text = unicodedata.normalize("NFC", _CONTROL.sub("", text)).strip()
    return _SPACE.sub(" ", _CJK_GAP.sub("", text))


def unquoted(text: str) -> str:
    """Return `text` without a pair of quotation marks that encloses all of it.

    The marks stay when they do not belong together: ``"Yes," he said, "no."``
    """
    while len(text) >= 2:
        opening, closing = text[0], text[-1]
        inside = text[1:-1]
        if _PAIRS.get(opening) != closing or opening in inside or closing in inside:
            return text
        text = inside.strip()
    return text


def plain(text: str) -> str:
    """Return the stored form of a quotation's words (see `records.Quotation.text`)."""
    return unquoted(one_line(text))


def fault_of(text: str) -> str | None:
    """Return why `text` cannot be stored as a quotation, or None when it can."""
    if not text:
        return "empty text"
    if _SURROGATE.search(text):
        return "half a surrogate pair"
    if not any(char.isalpha() for char in text):
        return "no words"
    return None
