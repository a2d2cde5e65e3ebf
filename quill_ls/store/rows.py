"""Quotations as rows of the table ``quotes``, and back."""

from __future__ import annotations

import json
from hashlib import blake2b

from quill_ls.store.connection import Row
from quill_ls.store.records import Quotation
from quill_ls.store.segments import segmented
from quill_ls.text.fold import fold_key

QUOTATION_COLUMNS = (
    "id, text, author, work, locator, year, language, tier, topics, collection, licence,"
    " source, search_frequency, carried"
)
"""What `quotation` reads, in its order."""

STORED_COLUMNS = (
    "id, text, author, author_id, work, locator, year, language, tier, topics, collection,"
    " licence, source, search_frequency, carried, length, folded, folded_author, folded_work,"
    " segmented, text_hash, hash"
)
"""What `stored_row` writes, in its order."""


def quotation(row: Row) -> Quotation:
    """Return the quotation of a row of `QUOTATION_COLUMNS`."""
    return Quotation(
        id=row[0],
        text=row[1],
        author=row[2],
        work=row[3],
        locator=row[4],
        year=row[5],
        language=row[6],
        tier=row[7],
        topics=() if row[8] == "[]" else tuple(json.loads(row[8])),
        collection=row[9],
        licence=row[10],
        source=row[11],
        search_frequency=row[12],
        carried=row[13],
    )


def stored_row(id: int, entry: Quotation, author_id: int | None) -> tuple[object, ...]:
    """Return the row of `STORED_COLUMNS` that holds `entry` under `id`."""
    folded = text_key(entry.text)
    author = text_key(entry.author)
    return (
        id,
        entry.text,
        entry.author,
        author_id,
        entry.work,
        entry.locator,
        entry.year,
        entry.language,
        entry.tier,
        json.dumps(entry.topics, ensure_ascii=False) if entry.topics else "[]",
        entry.collection,
        entry.licence,
        entry.source,
        entry.search_frequency,
        entry.carried,
        len(entry.text),
        folded,
        author,
        fold_key(entry.work),
        segmented(folded),
        text_hash(folded),
        content_hash(folded, author),
    )


def text_key(text: str) -> str:
    """Return the key by which two texts are the same: folded, or the text if that leaves nothing.

    A text of nothing but signs ("?!", emoji) folds to nothing, and is its own key.
    """
    return fold_key(text) or text


def text_hash(folded: str) -> int:
    """Return 64 bits of hash of a folded text, signed as SQLite's integers are."""
    return int.from_bytes(blake2b(folded.encode(), digest_size=8).digest(), "big", signed=True)


def content_hash(folded: str, folded_author: str) -> bytes:
    """Return the 16-byte hash by which an entry is known in every store."""
    return blake2b(f"{folded}\0{folded_author}".encode(), digest_size=16).digest()
