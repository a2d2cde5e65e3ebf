"""`quill-ls store build` and `collections`: a store from what is installed."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.cli.progress import Progress, progress_bar
from quill_ls.cli.store.reports import import_report_as_json, print_import_report
from quill_ls.store.building import BuildReport, build_default
from quill_ls.store.collections import availability, known_collections
from quill_ls.store.curation import CurationReport
from quill_ls.store.database import Store

_CONFLICTS_SHOWN = 5


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def build(invocation: Invocation, as_json: bool) -> None:
    """Fill the store with the starter collection and, where installed, popular quotations.

    Near-duplicates become one, and shorter quotations are linked with longer ones that contain
    them. What is in the store already stays. All of it happens, or nothing.
    """
    path = invocation.settings.store.file
    with Store.open(path) as store, _Stages(invocation) as stages:
        report = build_default(store, stages)
    for notice in report.notices:
        invocation.notice(notice)
    if as_json:
        print_json(_as_json(report))
        return
    for name, imported in report.imports:
        invocation.out.print(f"{name}:", style="bold")
        print_import_report(invocation, imported, examples=False)
    _print_curation(invocation, report.curation)
    invocation.out.print(
        f"{path}: {report.curation.kept:,} quotations. `quill-ls store embed` lets them be found "
        "by meaning.",
        markup=False,
        soft_wrap=True,
    )


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def collections(invocation: Invocation, as_json: bool) -> None:
    """Show the collections that `store import` knows by name, and how to get their data."""
    known = [(each, availability(each)) for each in known_collections()]
    if as_json:
        print_json(
            {"collections": [{**asdict(each), **asdict(ready)} for each, ready in known]},
        )
        return

    from quill_ls.cli.tables import plain

    for each, ready in known:
        languages = ", ".join(each.languages)
        about = f"{each.quotations:,} quotations ({languages}), {each.tier}; {each.licence}"
        invocation.out.print(plain(each.name, "bold"), plain(about, "dim"))
        invocation.out.print(plain(f"    {each.description} {ready.hint or 'Ready.'}"))


class _Stages(ExitStack):
    """A progress bar for each stage of a build, which ends when the next one begins."""

    def __init__(self, invocation: Invocation) -> None:
        super().__init__()
        self._invocation = invocation

    def __call__(self, stage: str) -> Progress:
        self.close()
        return self.enter_context(progress_bar(self._invocation, stage, "share"))


def _print_curation(invocation: Invocation, curation: CurationReport) -> None:
    from quill_ls.cli.tables import plain

    invocation.out.print("curation:", style="bold")
    removed = curation.too_short + curation.too_long + curation.malformed
    invocation.out.print(
        f"{curation.merged:,} near-duplicates merged, {curation.linked:,} linked with a longer "
        f"one, {removed:,} removed for their length or as broken, {curation.conflicts:,} stand "
        "under two names."
    )
    for conflict in curation.shown[:_CONFLICTS_SHOWN]:
        names = f"  {conflict.first_author} or {conflict.second_author}: "
        invocation.out.print(plain(names + conflict.text, "dim"), no_wrap=True, overflow="ellipsis")


def _as_json(report: BuildReport) -> dict[str, object]:
    return {
        "imports": {name: import_report_as_json(each) for name, each in report.imports},
        "curation": asdict(report.curation),
        "notices": list(report.notices),
    }
