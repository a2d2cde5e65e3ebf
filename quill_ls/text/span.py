"""The one coordinate of the core: half-open spans of code-point offsets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points ``start`` (included) to ``end`` (excluded) of a text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        """Whether the code point at `offset` lies in the span (its end does not)."""
        return self.start <= offset < self.end

    def touches(self, offset: int) -> bool:
        """Whether a cursor at `offset` stands in the span or at either border."""
        return self.start <= offset <= self.end

    def of(self, text: str) -> str:
        """Return the part of `text` that the span covers."""
        return text[self.start : self.end]
