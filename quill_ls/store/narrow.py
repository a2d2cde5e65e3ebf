"""Narrowing a look-up to some quotations: by author, work, language, tier, topic and the like."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from quill_ls.store.records import Tier
from quill_ls.text.fold import fold_key
from quill_ls.text.script import has_han


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrow:
    """Which quotations to look at; an empty field does not narrow.

    Values within a field are alternatives; the fields must all hold.

    Attributes
    ----------
    author_ids
        Rows of the store's authors.
    work
        Words of the title, in any case and spelling: "hamlet" finds "The Tragedy of Hamlet",
        not "Hamletmachine"; in titles with Han characters, any part.
    languages, tiers, collections
        Exact values.
    topics
        Topics, in any case.
    min_length, max_length
        Length of the text in code points, both included.
    ids
        Only these; None for all, an empty tuple for none.
    exclude_ids
        Not these.
    """

    author_ids: tuple[int, ...] = ()
    work: str = ""
    languages: tuple[str, ...] = ()
    tiers: tuple[Tier, ...] = ()
    topics: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    min_length: int | None = None
    max_length: int | None = None
    ids: tuple[int, ...] | None = None
    exclude_ids: tuple[int, ...] = ()

    @property
    def selective(self) -> bool:
        """Whether it leaves few of the store's quotations, as far as its fields can tell."""
        return bool(self.author_ids or self.work or self.topics or self.ids is not None)


def where(narrow: Narrow | None) -> tuple[str, list[object]]:
    """Return the SQL condition on the table ``quotes``, and its parameters; "" for all."""
    if narrow is None:
        return "", []
    conditions: list[str] = []
    parameters: list[object] = []

    def one_of(column: str, values: Iterable[object]) -> None:
        conditions.append(f"{column} IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(list(values), default=int))  # NumPy's integers

    if narrow.author_ids:
        one_of("author_id", narrow.author_ids)
    if narrow.languages:
        one_of("language", narrow.languages)
    if narrow.tiers:
        one_of("tier", narrow.tiers)
    if narrow.collections:
        one_of("collection", narrow.collections)
    if narrow.topics:
        conditions.append(
            "id IN (SELECT quote_id FROM quote_topics"
            " WHERE topic IN (SELECT value FROM json_each(?)))"
        )
        parameters.append(json.dumps([topic_key(topic) for topic in narrow.topics]))
    if work := fold_key(narrow.work):
        if has_han(work):
            conditions.append("instr(folded_work, ?)")
            parameters.append(work)
        else:
            conditions.append("instr(' ' || folded_work || ' ', ?)")
            parameters.append(f" {work} ")
    if narrow.min_length is not None:
        conditions.append("length >= ?")
        parameters.append(narrow.min_length)
    if narrow.max_length is not None:
        conditions.append("length <= ?")
        parameters.append(narrow.max_length)
    if narrow.ids is not None:
        one_of("id", narrow.ids)
    if narrow.exclude_ids:
        conditions.append("id NOT IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(list(narrow.exclude_ids), default=int))
    return " AND ".join(conditions), parameters


def topic_key(topic: str) -> str:
    """Return a topic as the store keeps it: case folded, white space in single spaces."""
    return " ".join(topic.casefold().split())
