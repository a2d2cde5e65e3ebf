"""`quill-ls store embed`: the vectors by which quotations are found by meaning."""

from __future__ import annotations

from typing import Any

import click

from quill_ls.cli.context import Invocation, common_options
from quill_ls.cli.progress import progress_bar
from quill_ls.cli.store.narrowing import narrow, narrowing_options
from quill_ls.errors import ModelError


@click.command()
@narrowing_options
@click.option("--all", "everybody", is_flag=True, help="Also authors whom few readers know.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many, the best first.")
@click.option("--again", is_flag=True, help="Forget the vectors of this encoder first.")
@common_options
def embed(
    invocation: Invocation, everybody: bool, limit: int | None, again: bool, **narrowing: Any
) -> None:
    """Compute the vectors that are missing, of quotations whose author is known to readers.

    Those that are sourced come first, then those that are carried most often. The vectors of
    others are computed when an author is asked for by name, or with --all.

    Takes about a second for a hundred quotations. It may be interrupted at any time: what is
    done is kept, and the next call goes on from there.
    """
    from quill_ls.app import App
    from quill_ls.engine.renown import by_worth
    from quill_ls.retrieval.embedding import embed_missing

    with App(invocation.settings) as app:
        wanted = narrow(app.store, **narrowing)
        encoder = app.encoder
        if encoder is None:
            raise ModelError("There is no sentence encoder.", " ".join(app.notices))
        if again:
            app.store.remove_vectors(encoder.name)
        with progress_bar(invocation, f"Embedding with {encoder.name}") as progress:
            order = by_worth(
                app.store, app.renown, wanted, reads=encoder.reads, everybody=everybody
            )
            count = embed_missing(app.store, encoder, wanted, progress, order=order[:limit])
        total = app.store.vector_count(encoder.name)
    click.echo(f"{count:,} vectors computed, {total:,} in the store.")
