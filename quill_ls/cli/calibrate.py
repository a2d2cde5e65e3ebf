"""`quill-ls calibrate`: the constants of the criteria for the model in use."""

from __future__ import annotations

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.cli.progress import progress_bar


@click.command()
@click.option(
    "--size",
    type=click.IntRange(20, 10_000),
    default=200,
    show_default=True,
    help="Quotations to draw from the store.",
)
@click.option(
    "--language",
    type=click.Choice(("en", "zh")),
    default="en",
    show_default=True,
    help="Language of the quotations and of the texts that they are put into.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the drawing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def calibrate(invocation: Invocation, size: int, language: str, seed: int, as_json: bool) -> None:
    """Compute the constants of S_m, S_f and S_n for the model, and save them in the store.

    The published constants belong to the models of the QUILL paper. mu is the mean over a sample
    of the store, k is ln 9 / (Q95 - Q5).
    """
    from quill_ls.app import App
    from quill_ls.engine.calibration import calibrate_model

    with App(invocation.settings) as app:
        model = app.model(language)
        with progress_bar(invocation, f"Calibrating {model.name}") as progress:
            result = calibrate_model(
                app.store, model, language, size=size, seed=seed, progress=progress
            )
    if as_json:
        curves = {name: {"mu": curve.mu, "k": curve.k} for name, curve in result.curves.items()}
        print_json({"model": result.model, "sample": result.sample, "constants": curves})
        return

    from quill_ls.cli.tables import table

    rows = [(name, curve.mu, f"{curve.k:.4f}") for name, curve in result.curves.items()]
    title = f"Constants of {result.model}, from {result.sample} quotations"
    invocation.out.print(table(("criterion", "mu", "k"), rows, title=title, right=("mu", "k")))
