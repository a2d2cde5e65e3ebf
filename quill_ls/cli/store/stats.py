"""`quill-ls store stats`: what the store holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.store.database import Store
from quill_ls.store.records import TIERS
from quill_ls.store.statistics import NamedCount, Statistics, statistics

if TYPE_CHECKING:
    from rich.table import Table


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def stats(invocation: Invocation, as_json: bool) -> None:
    """Count the quotations by language, collection, tier, topic and author.

    The tables are those by which the QUILL paper describes its knowledge base (1, 2 and 8).
    """
    path = invocation.settings.store.file
    with Store.open(path, readonly=True) as store:
        found = statistics(store.connection)
    size = path.stat().st_size
    if as_json:
        print_json({"path": str(path), "bytes": size, **asdict(found)})
        return
    invocation.out.print(
        f"{path}: {found.quotations:,} quotations by {found.authors:,} authors, "
        f"{found.linked:,} linked with a longer one, {size / 1_000_000:,.0f} MB.\n",
        markup=False,
        soft_wrap=True,
    )
    for table in _tables(found):
        invocation.out.print(table)


def _tables(found: Statistics) -> list[Table]:
    from quill_ls.cli.tables import table

    numbers = ("quotations", "authors", "works", "with work", "mean length")
    tiers = [tier for tier in TIERS if any(tier in each.tiers for each in found.collections)]
    tables = [
        table(
            ("language", *numbers),
            [
                (
                    each.language,
                    each.quotations,
                    each.authors,
                    each.works,
                    f"{each.with_work / each.quotations:.0%}",
                    f"{each.mean_length:.0f}",
                )
                for each in found.languages
            ],
            title="By language",
            right=numbers,
        ),
        table(
            ("collection", "quotations", "authors", *tiers, "licence"),
            [
                (
                    each.collection,
                    each.quotations,
                    each.authors,
                    *(each.tiers.get(tier) for tier in tiers),
                    each.licence,
                )
                for each in found.collections
            ],
            title="By collection and tier",
            right=("quotations", "authors", *tiers),
        ),
    ]
    if found.topic_shares:
        shares = ("quotations", "share of language")
        tables.append(
            table(
                ("language", "topic", *shares),
                [
                    (each.language, each.topic, each.quotations, f"{each.share:.1%}")
                    for each in found.topic_shares
                ],
                title=f"The most frequent of {found.topics:,} topics, by language",
                right=shares,
            )
        )
    if found.ranges:
        figures = ("quotations", "mean", "least", "greatest")
        tables.append(
            table(
                ("figure", *figures),
                [
                    (each.name, each.quotations, each.mean, each.minimum, each.maximum)
                    for each in found.ranges
                ],
                title="Lengths, search frequencies and what models measured",
                right=figures,
            )
        )
    if found.top_authors:
        title = f"The most quoted of {found.authors:,} authors"
        tables.append(_named("author", found.top_authors, title, found.quotations))
    computed = (*found.vectors, *found.measures)
    if computed:
        title = "Computed by encoders and models"
        tables.append(_named("encoder, or model: measure", computed, title, found.quotations))
    return tables


def _named(kind: str, counts: tuple[NamedCount, ...], title: str, total: int) -> Table:
    from quill_ls.cli.tables import table

    rows = [
        (each.name, each.quotations, f"{each.quotations / max(total, 1):.1%}") for each in counts
    ]
    columns = (kind, "quotations", "share")
    return table(columns, rows, title=title, right=columns[1:])
