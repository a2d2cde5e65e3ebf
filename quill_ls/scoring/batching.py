"""Planning what the model decodes, and in which order: pure arithmetic on token counts.

The sequence of every continuation begins with the shared prefix (BOS and left context), which is
decoded once. The rest, the *tails*, are packed into waves: the tails of one wave stand in the KV
cache side by side, each seeing the prefix and itself, and leave it before the next wave comes.
That keeps the cache small, and attention over it cheap, since llama.cpp computes the attention of
every token over all cells in use and masks those of other sequences. A wave is decoded in one
call, or, where a tail is larger than a call, in several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the model takes at once.

    Attributes
    ----------
    tokens
        Tokens in one decode call.
    rows
        Rows of logits that one decode call returns.
    cells
        Tokens in the KV cache: the prefix and all tails of a wave.
    sequences
        Tails in a wave.
    """

    tokens: int
    rows: int
    cells: int
    sequences: int

    def __post_init__(self) -> None:
        if min(self.tokens, self.rows, self.cells, self.sequences) < 1:
            raise ValueError(f"nothing fits into {self}")


@dataclass(frozen=True, slots=True)
class Tail:
    """Tokens to decode after the prefix, and those of them after which logits are needed.

    Attributes
    ----------
    length
        Number of tokens to decode.
    first_row
        Index of the first token whose logits are needed; all after it are needed too.
        Equal to `length` where none is.
    """

    length: int
    first_row: int

    def rows(self, start: int, end: int) -> int:
        """Return how many rows of logits the tokens ``start`` to ``end`` give."""
        return max(0, end - max(start, self.first_row))


@dataclass(frozen=True, slots=True)
class Slice:
    """Tokens ``start`` to ``end`` of one tail, decoded in one call."""

    tail: int
    start: int
    end: int


Call = tuple[Slice, ...]
Wave = tuple[Call, ...]


def plan_waves(tails: Sequence[Tail], prefix: int, limits: Limits) -> list[Wave]:
    """Pack `tails` into waves of decode calls, in the order given.

    Parameters
    ----------
    tails
        What to decode. Tails of no tokens need no decoding and appear in no wave.
    prefix
        Tokens of the shared prefix, which stay in the cache.
    limits
        What fits into a call and into the cache.

    Raises
    ------
    ValueError
        If a tail does not fit into the cache beside the prefix.
    """
    waves: list[Wave] = []
    call: list[Slice] = []
    tokens = rows = 0
    cells = limits.cells - prefix
    # Calls of even size are better than full ones and a small rest.
    total = sum(tail.length for tail in tails)
    even = -(-total // max(1, -(-total // limits.tokens)))

    def close() -> None:
        nonlocal tokens, rows
        if call:
            waves.append((tuple(call),))
            call.clear()
        tokens = rows = 0

    for index, tail in enumerate(tails):
        if tail.length > cells:
            raise ValueError(f"a tail of {tail.length} tokens does not fit into {cells} cells")
        needed = tail.rows(0, tail.length)
        if tail.length > limits.tokens or needed > limits.rows:
            close()
            waves.append(tuple((Slice(index, *part),) for part in split_calls(tail, limits)))
            continue
        if (
            tokens >= even
            or tokens + tail.length > min(limits.tokens, cells)
            or rows + needed > limits.rows
            or len(call) == limits.sequences
        ):
            close()
        if tail.length:
            call.append(Slice(index, 0, tail.length))
            tokens += tail.length
            rows += needed
    close()
    return waves


def split_calls(tail: Tail, limits: Limits) -> list[tuple[int, int]]:
    """Cut a tail into as few decode calls as the limits allow; start and end of each."""
    calls: list[tuple[int, int]] = []
    start = 0
    while start < tail.length:
        # Tokens without logits first, as many as fit; then no more rows than fit.
        end = min(start + limits.tokens, max(start, tail.first_row) + limits.rows, tail.length)
        calls.append((start, end))
        start = end
    return calls


@dataclass(frozen=True, slots=True)
class Fit:
    """How much of each part of ``l q r`` fits into the model's context.

    Attributes
    ----------
    left
        Tokens kept at the end of the left context.
    right
        Tokens kept at the beginning of the right context.
    """

    left: int
    right: int


def fit(left: int, quotation: int, right: int, room: int) -> Fit | None:
    """Cut the contexts at their far ends so that all three parts fit into `room` tokens.

    The left context gets at most half of the room, whatever follows, so that it is the same for
    all candidates and is decoded once; the right context gets what the other two leave, and at
    least a quarter. Only for a quotation so long that this cannot be is the left context cut
    further. The result depends on nothing but the four lengths, so a score never depends on the
    company that it was computed in.

    Returns
    -------
    Fit or None
        None where the quotation alone does not fit.
    """
    if quotation > room:
        return None
    rest = room - quotation
    kept_left = min(left, room // 2)
    kept_right = min(right, max(room // 4, rest - kept_left), rest)
    return Fit(min(kept_left, rest - kept_right), kept_right)
