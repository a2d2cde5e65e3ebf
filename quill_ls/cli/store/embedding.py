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
@click.option("--again", is_flag=True, help="Forget the vectors of this encoder first.")
@common_options
def embed(invocation: Invocation, again: bool, **narrowing: Any) -> None:
    """Compute the vectors that are missing, of all quotations or of those that are asked for.

    Takes about a second for a hundred quotations. It may be interrupted at any time: what is
    done is kept, and the next call goes on from there.
    """
    from quill_ls.app import App
    from quill_ls.retrieval.embedding import embed_missing

    with App(invocation.settings) as app:
        wanted = narrow(app.store, **narrowing)
        encoder = app.encoder
        if encoder is None:
            raise ModelError("There is no sentence encoder.", " ".join(app.notices))
        if again:
            app.store.remove_vectors(encoder.name)
        with progress_bar(invocation, f"Embedding with {encoder.name}") as progress:
            count = embed_missing(app.store, encoder, wanted, progress)
        total = app.store.vector_count(encoder.name)
    click.echo(f"{count:,} vectors computed, {total:,} in the store.")
