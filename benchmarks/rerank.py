"""Order the candidates of QUILL's test with every method: HR@k, nDCG@k and MRR (Table 4).

    python benchmarks/rerank.py ../shared/data/quill/rerank_dev.jsonl --model gemma3-270m

Candidates are shuffled with several seeds and the figures averaged, since ties would otherwise
keep the order of the file. Methods that ask a model share its answers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from quill_ls.app import App
from quill_ls.cli.border import run_command
from quill_ls.evaluation.datasets import RerankCase, read_rerank
from quill_ls.evaluation.rerank import RerankFigures, evaluate
from quill_ls.ranking.context import bounded
from quill_ls.ranking.features import NAN, Case
from quill_ls.ranking.measurement import Known, Subject, measure
from quill_ls.ranking.rerank import METHODS, Weights
from quill_ls.retrieval.query import build_query
from quill_ls.settings import Settings

DATA = Path(__file__).parents[2] / "shared" / "data" / "quill"
COLUMNS = ("HR@1", "HR@3", "nDCG@1", "nDCG@3", "MRR")


def search_frequencies(path: Path) -> dict[str, int]:
    if not path.exists():
        return {}
    return {row["quote"]: int(row["Search"]) for row in json.loads(path.read_text("utf-8"))}


def similarities(app: App, case: RerankCase) -> list[float]:
    """Return the cosine of the context and each candidate; NaN without a fitting encoder."""
    query = build_query(case.left, case.right).text
    if app.encoder is None or not app.encoder.reads(query):
        return [NAN] * len(case.candidates)
    vectors = app.encoder.encode([query, *case.candidates])
    return [float(value) for value in vectors[1:] @ vectors[0]]


def mean(rows: list[RerankFigures]) -> list[float]:
    table = [(row.hr1, row.hr3, row.ndcg1, row.ndcg3, row.mrr) for row in rows]
    return [sum(column) / len(table) for column in zip(*table, strict=True)]


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=DATA / "rerank_dev.jsonl")
@click.option("--model", default="", help="Name or path.  [default: the one for Chinese]")
@click.option("--method", "methods", multiple=True, type=click.Choice(list(METHODS)))
@click.option("--language", type=click.Choice(("en", "zh")), help="Only these cases.")
@click.option("--seeds", default=5, show_default=True)
@click.option("--right-tokens", default=40, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(
    file: Path,
    model: str,
    methods: tuple[str, ...],
    language: str | None,
    seeds: int,
    right_tokens: int,
    as_json: bool,
) -> None:
    """Print a table of all methods, per language and over all."""
    cases = [case for case in read_rerank(file) if language in (None, case.language)]
    chosen = [METHODS[name] for name in methods or METHODS]
    needs = frozenset().union(*(method.needs for method in chosen)) - {"notability"}
    frequency = search_frequencies(file.parent / "search_frequency.json")
    known = Known()
    measured: list[Case] = []
    with App(Settings().replace({"model.name": model})) as app:
        scorer = app.model("zh") if needs else None
        for case in track(cases, "Measuring", console=Console(stderr=True), transient=True):
            context = bounded(case.left, case.right, 256, right_tokens)
            subjects = [
                Subject(
                    text=quote,
                    relevance=near,
                    similarity=near,
                    search_frequency=frequency.get(quote),
                )
                for quote, near in zip(case.candidates, similarities(app, case), strict=True)
            ]
            features = measure(context, subjects, needs, scorer, known)
            measured.append(Case(case.left, case.right, features))
        name = scorer.name if scorer else "no model"
    rows = []
    for method in chosen:
        for part in ("all", "en", "zh"):
            at = [i for i, case in enumerate(cases) if part in ("all", case.language)]
            if at:
                figures = mean(
                    [
                        evaluate(
                            [cases[i] for i in at],
                            [measured[i] for i in at],
                            method,
                            Weights(),
                            seed=seed,
                        )
                        for seed in range(seeds)
                    ]
                )
                rows.append((method.name, part, len(at), figures))
    if as_json:
        print(
            json.dumps(
                [
                    {
                        "method": method,
                        "language": part,
                        "n": n,
                        "model": name,
                        **dict(zip(COLUMNS, figures, strict=True)),
                    }
                    for method, part, n, figures in rows
                ],
                indent=2,
            )
        )
        return
    table = Table("method", "cases", "n", *COLUMNS, title=f"{file.name}, {name}")
    for method, part, n, figures in rows:
        table.add_row(
            method,
            part,
            str(n),
            *(f"{value:.3f}" for value in figures),
            end_section=part == rows[-1][1],
        )
    Console().print(table)


if __name__ == "__main__":
    sys.exit(run_command(main))
