"""Reading the files that methods are measured on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from quill_ls.errors import InputError
from quill_ls.text.fold import fold_key

PLACEHOLDER = "[Q]"


@dataclass(frozen=True, slots=True)
class RerankCase:
    """One context of QUILL's test with its candidates.

    Attributes
    ----------
    left, right
        The context before and after the placeholder.
    gold
        The quotation that the text had; not always among the candidates.
    candidates, relevances
        Quotations and their graded relevance, 1 to 5.
    """

    id: int
    language: str
    author: str
    gold: str
    left: str
    right: str
    candidates: tuple[str, ...]
    relevances: tuple[float, ...]

    @property
    def golds(self) -> tuple[bool, ...]:
        """For each candidate whether it is the gold, but for case and punctuation."""
        gold = fold_key(self.gold)
        return tuple(fold_key(candidate) == gold for candidate in self.candidates)


def read_rerank(path: Path) -> tuple[RerankCase, ...]:
    """Read a file of the form of ``rerank_dev.jsonl``: one JSON object a line.

    Raises
    ------
    quill_ls.errors.InputError
        If the file is missing or a line is not of that form.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            left, _, right = row["text"].partition(PLACEHOLDER)
            cases.append(
                RerankCase(
                    row["id"],
                    row["language"],
                    row["author"],
                    row["gold"],
                    left,
                    right,
                    tuple(candidate["quote"] for candidate in row["candidates"]),
                    tuple(float(candidate["relevance"]) for candidate in row["candidates"]),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}, line {number}: not a case to rerank ({error!r}).") from error
    return tuple(cases)
