"""Writing a quotation into a document: its quoting style, the edit, and the whole file.

The style is read off the document itself: a writer who uses curly quotation marks gets curly
ones, a LaTeX file that says ``\\enquote`` gets ``\\enquote``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from quill_ls.markup.document import Document
from quill_ls.parsing.placeholder import Placeholder
from quill_ls.ranking.context import without_final_stop
from quill_ls.store.records import Quotation
from quill_ls.text.script import has_han
from quill_ls.text.span import Span

Style = Literal["straight", "curly", "guillemets", "low-high", "corner", "latex", "enquote", "none"]

MARKS: dict[Style, tuple[str, str]] = {
    "straight": ('"', '"'),
    "curly": ("“", "”"),
    "guillemets": ("«", "»"),
    "low-high": ("„", "“"),
    "corner": ("「", "」"),
    "latex": ("``", "''"),
    "enquote": (r"\enquote{", "}"),
    "none": ("", ""),
}
"""Opening and closing mark of each style."""

_SIGNS: tuple[tuple[Style, str], ...] = (
    ("enquote", r"\enquote{"),
    ("latex", "``"),
    ("low-high", "„"),
    ("guillemets", "«"),
    ("corner", "「"),
    ("curly", "“"),
    ("straight", '"'),
)
_QUOTED_ALREADY = '“"«„「『‘'

_ESCAPES: dict[str, dict[str, str]] = {
    "latex": {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
    },
    "html": {"&": "&amp;", "<": "&lt;", ">": "&gt;"},
    "markdown": {c: f"\\{c}" for c in "\\*_[]`<"},
    "rst": {c: f"\\{c}" for c in "\\*`|_"},
    "typst": {c: f"\\{c}" for c in "\\*_`#[]$@<"},
    "plain": {},
}
"""Characters of a quotation that would mean something else in each markup."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the source under `span` by `text`."""

    span: Span
    text: str


def quoting_style(document: Document, near: int | None = None) -> Style:
    """Return the style of the document: the marks that it uses most, nearest in a tie.

    A document without quotation marks is given those of its markup and script: ``\\enquote``
    where LaTeX loads csquotes, else two backticks; curly marks for Chinese; else straight ones.
    """
    source = document.source
    counts = {
        style: source.count(sign) - (source.count("„") if style == "curly" else 0)
        for style, sign in _SIGNS
    }
    if document.format == "html":
        counts["straight"] = sum(block.text.count('"') for block in document.blocks)
    if document.format != "latex":
        counts["enquote"] = counts["latex"] = 0
    else:
        if counts["enquote"] or "{csquotes}" in source:
            return "enquote"
        counts["straight"] = 0
    best = max(_SIGNS, key=lambda sign: counts[sign[0]])[0]
    if counts[best] > 0:
        return best
    if document.format == "latex":
        return "latex"
    return "curly" if has_han(source) else "straight"


def insertion(
    document: Document,
    placeholder: Placeholder,
    quotation: Quotation,
    *,
    attribution: bool = False,
) -> Edit:
    """Return the edit that puts `quotation` in the place of `placeholder`.

    Parameters
    ----------
    attribution
        Name the author and the work after the quotation, unless the text before credits
        somebody already (it ends with a comma or a colon).
    """
    style = quoting_style(document, placeholder.span.start)
    before = document.source[: placeholder.span.start].rstrip()[-1:]
    opening, closing = ("", "") if before in tuple(_QUOTED_ALREADY) else MARKS[style]
    text = without_final_stop(quotation.text, document.source[placeholder.span.end :])
    inner = _escaped(text, document.format)
    if closing == '"':
        inner = inner.replace('"', "'")
    elif closing == "”":
        inner = inner.replace("“", "‘").replace("”", "’").replace('"', "'")
    credit = ""
    if attribution and quotation.author and before not in tuple(",:，：;"):
        credit = _credit(quotation, document.format)
    return Edit(placeholder.span, f"{opening}{inner}{closing}{credit}")


def apply_edits(source: str, edits: Sequence[Edit]) -> str:
    """Return `source` with all edits made; they must not overlap.

    Raises
    ------
    ValueError
        If two edits overlap.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: e.span):
        if edit.span.start < at:
            raise ValueError(f"edits overlap at {edit.span.start}")
        parts += (source[at : edit.span.start], edit.text)
        at = edit.span.end
    return "".join(parts) + source[at:]


def _credit(quotation: Quotation, markup: str) -> str:
    author = _escaped(quotation.author, markup)
    if has_han(quotation.text):
        work = f"《{_escaped(quotation.work, markup)}》" if quotation.work else ""
        return f"（{author}{work}）"
    work = f", {_escaped(quotation.work, markup)}" if quotation.work else ""
    return f" ({author}{work})"


def _escaped(text: str, markup: str) -> str:
    table = _ESCAPES.get(markup, {})
    return "".join(table.get(char, char) for char in text) if table else text
