"""Placeholders of a document, with what they ask for and the prose around them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quill_ls.markup.document import Block, Document
from quill_ls.parsing.wishes import Wishes, WishProblem, parse_wishes
from quill_ls.text.script import is_han
from quill_ls.text.span import Span

__all__ = ["Placeholder", "WishProblem", "Wishes", "placeholders"]

CONTEXT_LENGTH = 2000
"""Characters of context that are kept on each side; a model reads fewer."""

_WORD = re.compile(r"[^\W_]")
_HEAD = re.compile(r"\[Q[ \t]*[:：]?")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One ``[Q]`` in the prose of a document.

    Attributes
    ----------
    span
        Its place in the source, brackets included.
    wishes
        What it asks for.
    problems
        The wishes that could not be understood, with spans in the source.
    left, right
        The prose before and after it, white space beside it included, so that left context,
        quotation and right context joined read as the document will; at most 2,000 characters
        each. Other placeholders are left out. Where there are no words on a side of the block,
        the nearest block on that side that has some is taken along.
    block
        Index of its block in the document.
    alone
        Whether there is nothing else in its block.
    """

    span: Span
    wishes: Wishes
    problems: tuple[WishProblem, ...]
    left: str
    right: str
    block: int
    alone: bool


def placeholders(document: Document) -> tuple[Placeholder, ...]:
    """Return the placeholders of a document in the order of the source."""
    if not any(block.placeholders for block in document.blocks):
        return ()
    before = _words_so_far(document.blocks)
    after = _words_so_far(document.blocks, backwards=True)
    found = [
        placeholder
        for index, block in enumerate(document.blocks)
        if block.placeholders
        for placeholder in _in_block(block, index, before[index], after[index])
    ]
    return tuple(sorted(found, key=lambda placeholder: placeholder.span))


def _in_block(block: Block, index: int, before: str, after: str) -> Iterable[Placeholder]:
    # The text between the placeholders: one piece more than there are placeholders.
    borders = [0, *(edge for span in block.placeholders for edge in (span.start, span.end))]
    borders.append(len(block.text))
    pieces = [block.text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True)]
    lefts = _running(pieces[:-1], before)
    rights = _running(pieces[:0:-1], after, backwards=True)[::-1]
    for span, left, right in zip(block.placeholders, lefts, rights, strict=True):
        text = span.of(block.text)
        head = _HEAD.match(text)
        inside = span.start + (head.end() if head else 2)
        wishes, problems = parse_wishes(block.text[inside : span.end - 1])
        yield Placeholder(
            span=block.source_span(span),
            wishes=wishes,
            problems=tuple(
                WishProblem(
                    block.source_span(Span(inside + p.span.start, inside + p.span.end)), p.message
                )
                for p in problems
            ),
            left=left,
            right=right,
            block=index,
            alone=len(span) == len(block.text),
        )


def _running(pieces: list[str], neighbour: str, *, backwards: bool = False) -> list[str]:
    """Return the context that has come together after each of the pieces.

    `pieces` go away from the border of the block that touches `neighbour`; backwards they come
    from the end of the block.
    """
    own = ""
    contexts = []
    for piece in pieces:
        own = _join(own, piece, backwards)
        context = own if _WORD.search(own) else _across(neighbour, own, backwards)
        contexts.append(context)
    return contexts


def _join(context: str, piece: str, backwards: bool) -> str:
    """Put a piece at the inner end of a context, with one space where both have one."""
    first, second = (piece, context) if backwards else (context, piece)
    if second.startswith(" ") and (first.endswith(" ") or not (first or backwards)):
        second = second[1:]
    if backwards and first.endswith(" ") and not second:
        first = first[:-1]
    return _bounded(first + second, backwards)


def _across(neighbour: str, own: str, backwards: bool) -> str:
    """Put the words of a neighbouring block at the outer end of a context without any."""
    if not neighbour:
        return own
    first, second = (own, neighbour) if backwards else (neighbour, own)
    space = "" if _meet(first.strip() or first, second.strip() or second) else " "
    return _bounded(first.rstrip() + space + second.lstrip(), backwards)


def _meet(first: str, second: str) -> bool:
    """Whether two texts are joined without a space, as in Chinese."""
    if not first or not second:
        return False
    return is_han(first[-1]) or is_han(second[0]) or first[-1] in "。！？；：，、」』》）"


def _bounded(context: str, backwards: bool) -> str:
    return context[:CONTEXT_LENGTH] if backwards else context[-CONTEXT_LENGTH:]


def _words_so_far(blocks: tuple[Block, ...], *, backwards: bool = False) -> list[str]:
    """Return, for each block, the text of the nearest one before it (after it) that has words.

    Footnotes are not between two paragraphs and so are nobody's neighbours.
    """
    nearest = ""
    result = []
    for block in reversed(blocks) if backwards else blocks:
        result.append(nearest)
        if block.kind == "footnote":
            continue
        text = _without_placeholders(block)
        if _WORD.search(text):
            nearest = _bounded(text, backwards)
    return result[::-1] if backwards else result


def _without_placeholders(block: Block) -> str:
    if not block.placeholders:
        return block.text
    text, start = "", 0
    pieces = []
    for span in block.placeholders:
        pieces.append(block.text[start : span.start])
        start = span.end
    pieces.append(block.text[start:])
    text = pieces[0]
    kept = [text]
    for piece in pieces[1:]:
        if piece.startswith(" ") and (not kept[-1] or kept[-1].endswith(" ")):
            piece = piece[1:]
        if piece:
            kept.append(piece)
    return "".join(kept).strip()
