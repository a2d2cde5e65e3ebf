"""The authority file: the people whom texts quote, under one name each (``data/authors.jsonl``)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from quill_ls.text.script import has_han

if TYPE_CHECKING:
    from quill_ls.store.database import Store

_SEEDED = "authority"


@dataclass(frozen=True, slots=True)
class Authority:
    """A person, a people's proverbs or a holy book.

    Attributes
    ----------
    name
        Canonical display name.
    aliases
        Other names by which texts call the author.
    born, died
        Years, negative before the common era, or None.
    works
        Distinctive titles that name the author as surely as the name does.
    notability
        log P(name) of the model that ``data/notability.json`` was measured with, or None.
    """

    name: str
    aliases: tuple[str, ...] = ()
    born: int | None = None
    died: int | None = None
    works: tuple[str, ...] = ()
    notability: float | None = None


@lru_cache(maxsize=1)
def authorities() -> tuple[Authority, ...]:
    """Return all entries of the authority file."""
    data = resources.files("quill_ls").joinpath("data")
    text = data.joinpath("authors.jsonl").read_text("utf-8")
    measured = json.loads(data.joinpath("notability.json").read_text("utf-8"))["log_probability"]
    return tuple(
        Authority(
            row["name"],
            tuple(row.get("aliases", ())),
            row.get("born"),
            row.get("died"),
            tuple(row.get("works", ())),
            measured.get(row["name"]),
        )
        for row in map(json.loads, text.splitlines())
    )


def display_name(name: str, language: str) -> str:
    """Return how texts in `language` call an author: 孔子 in Chinese, Confucius elsewhere.

    Names that the authority file does not know stay as they are.
    """
    entry = _by_name().get(name)
    if entry is None or has_han(name) == (language in ("zh", "lzh")):
        return name
    wanted = not has_han(name)
    return next((alias for alias in entry.aliases if has_han(alias) == wanted), name)


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Authority]:
    return {entry.name: entry for entry in authorities()}


def seed_authorities(store: Store) -> None:
    """Let a store know the authors of the authority file, once for each version of the file.

    Quotations that come in later are filed under the canonical name, whatever they call the
    author.
    """
    version = f"{len(authorities())}:{sum(len(entry.aliases) for entry in authorities())}"
    if store.readonly or store.meta(_SEEDED) == version:
        return
    with store.transaction():
        store.add_authors((entry.name, entry.aliases) for entry in authorities())
        store.put_meta(_SEEDED, version)
