"""Writing quotations: adding with exact duplicates merged, merging, removing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import islice

from quill_ls.store.authors import AuthorIndex, forget_authors
from quill_ls.store.connection import Connection
from quill_ls.store.indexing import reindexed
from quill_ls.store.merging import absorbed, evidence, merged
from quill_ls.store.narrow import topic_key
from quill_ls.store.records import Progress, Quotation
from quill_ls.store.rows import (
    QUOTATION_COLUMNS,
    STORED_COLUMNS,
    quotation,
    stored_row,
    text_hash,
    text_key,
)

CHUNK = 2_000
"""How many quotations are held in memory while a stream is added."""

_PLACES = ", ".join("?" for _ in STORED_COLUMNS.split(","))
_INSERT = f"INSERT INTO quotes({STORED_COLUMNS}) VALUES ({_PLACES})"
_UPDATE = f"UPDATE quotes SET ({STORED_COLUMNS}) = ({_PLACES}) WHERE id = ?"


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of the quotations that were added.

    Attributes
    ----------
    added
        How many are new rows.
    merged
        How many were in the store, or among the added ones, in the same words already.
    ids
        For each of them, in the order given, the row that holds it now.
    """

    added: int
    merged: int
    ids: tuple[int, ...]


@dataclass(slots=True)
class _Slot:
    """One row in the making: stored already or new, and whether it must be written."""

    id: int
    entry: Quotation
    new: bool
    changed: bool


def add(
    connection: Connection, quotations: Iterable[Quotation], progress: Progress | None = None
) -> AddReport:
    """Add `quotations` in one transaction, an exact duplicate merged into the row that has it.

    Duplicates have the same folded text, and the same author or no author on one side.
    """
    total = len(quotations) if isinstance(quotations, Sized) else None
    ids: list[int] = []
    added = 0
    with connection.transaction():
        authors = AuthorIndex(connection)
        last = connection.row("SELECT seq FROM sqlite_sequence WHERE name = 'quotes'")
        next_id = last[0] + 1 if last else 1
        for chunk in _chunks(quotations):
            slots = _stored_slots(connection, chunk)
            new: list[_Slot] = []
            for folded, given in chunk:
                entry = _cleaned(given, authors)
                slot = _same(slots[folded], entry)
                if slot is None:
                    slot = _Slot(next_id, entry, new=True, changed=True)
                    next_id += 1
                    slots[folded].append(slot)
                    new.append(slot)
                else:
                    joined = merged(slot.entry, entry)
                    if joined.author != slot.entry.author:
                        authors.doubtful.append(authors.resolve(slot.entry.author)[0])
                    slot.entry = joined
                    slot.changed = True
                ids.append(slot.id)
            changed = [s for same in slots.values() for s in same if s.changed and not s.new]
            with reindexed(connection, [slot.id for slot in (*new, *changed)]):
                connection.change_many(_INSERT, [_row(slot, authors) for slot in new])
                _update(connection, [_row(slot, authors) for slot in changed])
            added += len(new)
            if progress is not None:
                progress(len(ids), total)
        forget_authors(connection, authors.doubtful)
    return AddReport(added=added, merged=len(ids) - added, ids=tuple(ids))


def merge(connection: Connection, keep: int, drop: Sequence[int]) -> None:
    """Let the row `keep` stand for the rows `drop` as well, and remove those.

    Text, tier and attribution stay those of `keep`; topics, counts and what it does not know
    are taken over, and so are links. Unknown rows in `drop` are passed over.
    """
    with connection.transaction():
        entries: dict[int, Quotation] = {}
        author_ids: dict[str, int | None] = {}
        for row in connection.rows(
            f"SELECT {QUOTATION_COLUMNS}, author_id FROM quotes"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps([keep, *drop]),),
        ):
            entries[row[0]] = quotation(row)
            author_ids[row[2]] = row[-1]
        if keep not in entries:
            raise ValueError(f"no quotation {keep}")
        dropped = [id for id in dict.fromkeys(drop) if id != keep and id in entries]
        entry = entries[keep]
        for id in dropped:
            entry = absorbed(entry, entries[id], id=keep)
            for column, other in (("shorter", "longer"), ("longer", "shorter")):
                connection.change(
                    f"UPDATE OR IGNORE links SET {column} = ? WHERE {column} = ? AND {other} != ?",
                    (keep, id, keep),
                )
        remove(connection, dropped)
        with reindexed(connection, [keep]):
            author_id = author_ids[entry.author] if entry.author else None
            _update(connection, [stored_row(keep, entry, author_id)])


def remove(connection: Connection, ids: Iterable[int]) -> int:
    """Remove rows with all that was computed of them; return how many there were."""
    with connection.transaction():
        gone = [int(id) for id in ids]
        wanted = json.dumps(gone)
        condition = "id IN (SELECT value FROM json_each(?))"
        authors = connection.rows(
            f"SELECT DISTINCT author_id FROM quotes WHERE author_id IS NOT NULL AND {condition}",
            (wanted,),
        )
        with reindexed(connection, gone):
            removed = connection.change(f"DELETE FROM quotes WHERE {condition}", (wanted,))
        forget_authors(connection, [id for (id,) in authors])
    return removed


def _chunks(quotations: Iterable[Quotation]) -> Iterator[list[tuple[str, Quotation]]]:
    stream = iter(quotations)
    while chunk := [(text_key(entry.text.strip()), entry) for entry in islice(stream, CHUNK)]:
        yield chunk


def _stored_slots(
    connection: Connection, chunk: Sequence[tuple[str, Quotation]]
) -> defaultdict[str, list[_Slot]]:
    """Return the rows that have the words of any of `chunk` already, by folded text."""
    slots: defaultdict[str, list[_Slot]] = defaultdict(list)
    hashes = json.dumps([text_hash(folded) for folded, _ in chunk])
    for row in connection.rows(
        f"SELECT {QUOTATION_COLUMNS}, folded FROM quotes"
        " WHERE text_hash IN (SELECT value FROM json_each(?)) ORDER BY id",
        (hashes,),
    ):
        slots[row[-1]].append(_Slot(row[0], quotation(row), new=False, changed=False))
    return slots


def _cleaned(entry: Quotation, authors: AuthorIndex) -> Quotation:
    """Return `entry` with its author's canonical name and its topics as the store keeps them."""
    text = entry.text.strip()
    if not text:
        raise ValueError("a quotation needs words")
    topics = tuple(dict.fromkeys(key for topic in entry.topics if (key := topic_key(topic))))
    _, author = authors.resolve(entry.author)
    if text == entry.text and author == entry.author and topics == entry.topics:
        return entry  # as most are: building a value anew would cost as much as all the rest
    return replace(entry, text=text, author=author, topics=topics)


def _same(slots: Sequence[_Slot], entry: Quotation) -> _Slot | None:
    """Return the row that `entry` duplicates: of its author first, then the best-proved one."""
    if not slots:
        return None
    author = text_key(entry.author)
    by_author = {text_key(slot.entry.author): slot for slot in slots}
    if author in by_author:
        return by_author[author]
    if author:
        return by_author.get("")
    return max(slots, key=lambda slot: evidence(slot.entry.tier))


def _row(slot: _Slot, authors: AuthorIndex) -> tuple[object, ...]:
    author_id, _ = authors.resolve(slot.entry.author)
    return stored_row(slot.id, slot.entry, author_id)


def _update(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    connection.change_many(_UPDATE, [(*row, row[0]) for row in rows])
