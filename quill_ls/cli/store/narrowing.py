"""The options that say which quotations of the store are meant."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import TypeVar, get_args

import click

from quill_ls.errors import InputError
from quill_ls.settings.definition import Tier
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow

F = TypeVar("F", bound=Callable[..., object])

TIERS = click.Choice(get_args(Tier))

_OPTIONS = (
    click.option("--author", "authors", multiple=True, help="Only by this author."),
    click.option("--work", default="", help="Only from works with these words in the title."),
    click.option("--language", "languages", multiple=True, help="Only in this language."),
    click.option("--tier", "tiers", multiple=True, type=TIERS, help="Only of this tier."),
    click.option("--topic", "topics", multiple=True, help="Only on this topic."),
    click.option("--collection", "collections", multiple=True, help="Only of this collection."),
)


def narrowing_options(function: F) -> F:
    """Give a command the options whose values `narrow` takes."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def narrow(
    store: Store,
    authors: tuple[str, ...],
    work: str,
    languages: tuple[str, ...],
    tiers: tuple[Tier, ...],
    topics: tuple[str, ...],
    collections: tuple[str, ...],
) -> Narrow:
    """Return what the options of `narrowing_options` ask for.

    Raises
    ------
    InputError
        If the store knows no author of a given name.
    """
    return Narrow(
        author_ids=tuple(_author_id(store, name) for name in authors),
        work=work,
        languages=languages,
        tiers=tiers,
        topics=topics,
        collections=collections,
    )


def _author_id(store: Store, name: str) -> int:
    author = store.author(name)
    if author is None:
        known = [each.name for each in store.authors() if each.quotations]
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.75)
        hint = f"It knows {', '.join(near)}." if near else "See `quill-ls store stats`."
        raise InputError(f"The store knows no author {name!r}.", hint)
    return author.id
