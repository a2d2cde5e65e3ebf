"""Which characters are Han: the one question of script that folding and language detection ask."""

from __future__ import annotations

import re

HAN_CLASS = (
    "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f\U00030000-\U000323af"
)
"""The Han characters as the inside of a regular expression's ``[...]``.

The ideographs with their extensions and compatibility forms, and the two signs that stand in
their place, ``々`` (repetition) and ``〇`` (zero)."""

_HAN = re.compile(f"[{HAN_CLASS}]")


def is_han(char: str) -> bool:
    """Whether the one character `char` is Han."""
    return _HAN.match(char) is not None


def has_han(text: str) -> bool:
    """Whether any character of `text` is Han."""
    return not text.isascii() and _HAN.search(text) is not None
