"""Pairs of emphasis marks in Markdown: the delimiter algorithm of CommonMark 0.31, section 6."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Run:
    """A run of one delimiter character.

    Attributes
    ----------
    char
        ``*``, ``_`` or ``~``.
    start, end
        What is left of it in the text: pairing takes away from both sides.
    opens, closes
        Whether it can open and close emphasis (left- and right-flanking).
    length
        Its length as written.
    """

    char: str
    start: int
    end: int
    opens: bool
    closes: bool
    length: int


def flanking(char: str, before: str, after: str) -> tuple[bool, bool]:
    """Return whether a run of `char` between two characters can open and close emphasis.

    The beginning and the end of the text count as white space: give "" for them.
    """
    space_before, space_after = not before or before.isspace(), not after or after.isspace()
    mark_before, mark_after = _is_punctuation(before), _is_punctuation(after)
    left = not space_after and (not mark_after or space_before or mark_before)
    right = not space_before and (not mark_before or space_after or mark_after)
    if char == "_":
        return left and (not right or mark_before), right and (not left or mark_after)
    return left, right


def paired(runs: list[Run]) -> list[tuple[int, int]]:
    """Return the spans of the delimiters that belong to a pair, in no order.

    Takes time linear in the number of runs: where a closer has found no opener of its sort, none
    is looked for there again.
    """
    spans: list[tuple[int, int]] = []
    openers: list[Run] = []
    floor: dict[tuple[str, bool, int], int] = {}
    for closer in runs:
        if closer.closes:
            _close(closer, openers, floor, spans)
        if closer.opens and closer.start < closer.end:
            openers.append(closer)
    return spans


def _close(
    closer: Run,
    openers: list[Run],
    floor: dict[tuple[str, bool, int], int],
    spans: list[tuple[int, int]],
) -> None:
    sort = (closer.char, closer.opens, closer.length % 3)
    while closer.start < closer.end:
        bottom = min(floor.get(sort, 0), len(openers))
        index = len(openers) - 1
        while index >= bottom and not _match(openers[index], closer):
            index -= 1
        if index < bottom:
            floor[sort] = len(openers)
            return
        opener = openers[index]
        del openers[index + 1 :]
        width = 2 if min(opener.end - opener.start, closer.end - closer.start) >= 2 else 1
        spans.append((opener.end - width, opener.end))
        spans.append((closer.start, closer.start + width))
        opener.end -= width
        closer.start += width
        if opener.start == opener.end:
            openers.pop()


def _match(opener: Run, closer: Run) -> bool:
    if opener.char != closer.char:
        return False
    if opener.char == "~":  # struck out only by two of them; one is a subscript at most
        return opener.end - opener.start == closer.end - closer.start == 2
    both = opener.closes or closer.opens
    third = (opener.length + closer.length) % 3 == 0
    return not (both and third and (opener.length % 3 or closer.length % 3))


def _is_punctuation(char: str) -> bool:
    return bool(char) and not char.isalnum() and not char.isspace()
