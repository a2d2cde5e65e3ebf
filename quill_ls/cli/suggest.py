"""`quill-ls suggest`: ranked quotations for every placeholder of a document."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from quill_ls.cli.context import Invocation, common_options, print_json
from quill_ls.settings.definition import Method

if TYPE_CHECKING:
    from rich.console import RenderableType

    from quill_ls.app import App
    from quill_ls.engine.files import SourceFile
    from quill_ls.engine.suggestions import Suggestion, Suggestions
    from quill_ls.markup.document import Document
    from quill_ls.parsing.placeholder import Placeholder, Wishes

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class _Input:
    """One document with its placeholders; `path` is None for standard input."""

    name: str
    path: Path | None
    source: SourceFile
    document: Document
    placeholders: tuple[Placeholder, ...]


@dataclass(frozen=True, slots=True)
class _Answer:
    document: _Input
    placeholder: Placeholder
    found: Suggestions


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--limit", type=click.IntRange(1, 100), help="Quotations for each placeholder.")
@click.option("--method", type=click.Choice(get_args(Method)), help="How they are ranked.")
@click.option(
    "--novelty",
    type=click.FloatRange(-1, 1),
    help="From -1, quotations that everybody knows, to 1, quotations seldom read.",
)
@click.option("--markup", help="Markup of standard input, as the ending of a file: md, tex, typ.")
@click.option("--apply", is_flag=True, help="Write the best quotation into each place.")
@click.option("--diff", is_flag=True, help="Show what --apply would change, and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
def suggest(
    invocation: Invocation,
    files: tuple[str, ...],
    limit: int | None,
    method: str | None,
    novelty: float | None,
    markup: str | None,
    apply: bool,
    diff: bool,
    as_json: bool,
) -> None:
    """Suggest quotations for every [Q] in the prose of FILE.

    FILE may be Markdown, LaTeX, reStructuredText, Typst, HTML or plain text; - reads standard
    input, and with --apply writes the result to standard output.
    """
    if sum((apply, diff, as_json)) > 1:
        raise click.UsageError("Give only one of --apply, --diff and --json.")
    inputs = [_read(name, markup) for name in files]
    options = {"suggest.limit": limit, "suggest.method": method, "suggest.novelty": novelty}
    start = next((each.path for each in inputs if each.path is not None), None)
    settings = invocation.load_settings(start, options).settings

    from quill_ls.app import App

    with App(settings) as app:
        _tell_problems(invocation, inputs)
        if as_json:
            print_json(_as_json([each for one in inputs for each in _answers(app, one)], app))
        elif apply or diff:
            _write(invocation, app, inputs, diff)
        else:
            _show(invocation, app, inputs)


def _read(name: str, markup: str | None) -> _Input:
    from quill_ls.engine.files import decode, read_document
    from quill_ls.markup.document import format_of
    from quill_ls.markup.parse import parse
    from quill_ls.parsing.placeholder import placeholders

    if name == STANDARD_INPUT:
        path, source = None, decode(sys.stdin.buffer.read(), "standard input")
        format = format_of(f"x.{(markup or 'md').lstrip('.')}")
    else:
        path = Path(name)
        source, format = read_document(path), format_of(name)
    document = parse(source.text, format)
    return _Input(name, path, source, document, placeholders(document))


def _answers(app: App, document: _Input, limit: int | None = None) -> list[_Answer]:
    return [
        _Answer(document, placeholder, app.suggester.suggest(placeholder, limit=limit))
        for placeholder in document.placeholders
    ]


def _tell_problems(invocation: Invocation, inputs: list[_Input]) -> None:
    for each in inputs:
        if not each.placeholders:
            invocation.notice(f"{each.name} has no [Q] in its prose.")
        for placeholder in each.placeholders:
            for problem in placeholder.problems:
                place = _place(each, problem.span.start)
                invocation.notice(f"{place}: {problem.message}")


def _place(each: _Input, offset: int) -> str:
    from quill_ls.text.lines import LineIndex

    line, column = LineIndex(each.source.text).position(offset)
    return f"{each.name}:{line + 1}:{column + 1}"


def _show(invocation: Invocation, app: App, inputs: list[_Input]) -> None:
    for each in inputs:
        for placeholder in each.placeholders:
            with invocation.err.status("Ranking …"):
                found = app.suggester.suggest(placeholder)
            invocation.out.print(_heading(each, placeholder, found), soft_wrap=False)
            if found.suggestions:
                invocation.out.print(_table(found))
            else:
                invocation.out.print("  Nothing fits these demands.\n", style="dim")
            for notice in (*app.notices, *found.notices):
                invocation.notice(notice)


def _heading(each: _Input, placeholder: Placeholder, found: Suggestions) -> RenderableType:
    from rich.text import Text

    from quill_ls.cli.tables import plain

    heading = Text.assemble(plain(_place(each, placeholder.span.start), "bold cyan"), "  ")
    heading.append_text(plain(_end(placeholder.left, 50)))
    heading.append(" [Q] ", style="bold magenta")
    heading.append_text(plain(_beginning(placeholder.right, 30)))
    demands = [
        f"{constraint.kind}: {constraint.value}"
        + (" (your wish)" if constraint.origin == "wish" else " (from the text)")
        for constraint in found.constraints
    ]
    wishes = _wishes_in_words(placeholder.wishes)
    told = "; ".join((*demands, *wishes)) or "open place"
    heading.append(f"\n{told}; {found.pool:,} quotations to choose from", style="dim")
    if not found.reranked:
        heading.append("; in the order of recall", style="dim")
    return heading


def _end(text: str, length: int) -> str:
    """Return the end of `text`, cut at a space where there is one."""
    text = text.strip()
    if len(text) <= length:
        return text
    cut = text[-length:]
    return "… " + (cut.partition(" ")[2] or cut)


def _beginning(text: str, length: int) -> str:
    text = text.strip()
    if len(text) <= length:
        return text
    cut = text[:length]
    return (cut.rpartition(" ")[0] or cut) + " …"


def _wishes_in_words(wishes: Wishes) -> list[str]:
    words = []
    if wishes.words:
        words.append(f"about “{wishes.words}”")
    words += [f"topic: {topic}" for topic in wishes.topics]
    if wishes.language:
        words.append(f"language: {wishes.language}")
    if wishes.tiers:
        words.append("tier: " + ", ".join(wishes.tiers))
    if wishes.max_length is not None:
        words.append(f"at most {wishes.max_length} characters")
    return words


def _table(found: Suggestions) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from quill_ls.cli.tables import plain

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", expand=True)
    table.add_column("", justify="right", style="dim", width=2)
    table.add_column("quotation, source and tier, why", ratio=1, overflow="fold")
    for name in ("S_m", "S_f", "S_n"):
        table.add_column(name, justify="right", width=4)
    for rank, suggestion in enumerate(found.suggestions, start=1):
        quotation, scores = suggestion.quotation, suggestion.scores
        source = ", ".join(part for part in (quotation.work, quotation.locator) if part)
        source += _year(quotation.year) if source else ""
        cell = Text.assemble(
            plain(quotation.text),
            "\n— ",
            plain(quotation.author or "author unknown", "bold"),
            plain(f", {source}" if source else ""),
            "  ",
            (quotation.tier, _TIER_STYLE[quotation.tier]),
            "\n",
            plain(suggestion.why, "italic dim"),
        )
        table.add_row(
            str(rank),
            cell,
            *(_score(value) for value in (scores.matching, scores.fluency, scores.novelty)),
        )
    return table


_TIER_STYLE = {
    "reference": "green",
    "sourced": "green",
    "collected": "cyan",
    "disputed": "yellow",
    "misattributed": "red",
}


def _score(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _year(year: int | None) -> str:
    if year is None:
        return ""
    if year < 0:
        return f" ({-year} BCE)"
    return f" ({year} CE)" if year < 1000 else f" ({year})"


def _write(invocation: Invocation, app: App, inputs: list[_Input], diff: bool) -> None:
    """Put the best quotation into every place, or show the difference."""
    from quill_ls.engine.files import write_atomically
    from quill_ls.engine.insertion import apply_edits, insertion

    attribution = app.settings.suggest.attribution
    results = []
    for each in inputs:
        edits = []
        for answer in _answers(app, each, limit=1):
            for notice in (*app.notices, *answer.found.notices):
                invocation.notice(notice)
            if answer.found.suggestions:
                best = answer.found.suggestions[0].quotation
                edits.append(
                    insertion(each.document, answer.placeholder, best, attribution=attribution)
                )
            else:
                place = _place(each, answer.placeholder.span.start)
                invocation.notice(f"{place}: nothing fits, left as it is.")
        results.append((each, apply_edits(each.source.text, edits), len(edits)))
    for each, text, count in results:
        if diff:
            click.echo(_difference(each.name, each.source.text, text), nl=False)
        elif each.path is None:
            sys.stdout.write(text)
        elif count:
            write_atomically(each.path, each.source.encoded(text))
            invocation.notice(f"{each.name}: {count} quotation{'s' * (count > 1)} written.")


def _difference(name: str, before: str, after: str) -> str:
    import difflib

    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} (quoted)"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _as_json(answers: list[_Answer], app: App) -> dict[str, Any]:
    notices = [*app.notices, *(notice for answer in answers for notice in answer.found.notices)]
    return {
        "placeholders": [
            {
                "file": answer.document.name,
                "start": answer.placeholder.span.start,
                "end": answer.placeholder.span.end,
                "wishes": _wishes(answer.placeholder.wishes),
                "constraints": [asdict(constraint) for constraint in answer.found.constraints],
                "suggestions": [_suggestion(each) for each in answer.found.suggestions],
            }
            for answer in answers
        ],
        "notices": list(dict.fromkeys(notices)),
    }


def _wishes(wishes: Wishes) -> dict[str, Any]:
    return {key: value for key, value in asdict(wishes).items() if value}


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    quotation = suggestion.quotation
    return {
        "quote": quotation.text,
        "author": quotation.author,
        "work": quotation.work,
        "locator": quotation.locator,
        "year": quotation.year,
        "tier": quotation.tier,
        "language": quotation.language,
        "scores": asdict(suggestion.scores),
        "why": suggestion.why,
    }
