# ruff: noqa: E501  (a case is a line)
"""What is prose in each format: small documents, and the blocks that they should give."""

from __future__ import annotations

import pytest

from quill_ls.markup.document import Format, format_of
from quill_ls.markup.parse import parse


def blocks(source: str, format: Format) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parse(source, format).blocks]


def prose(source: str, format: Format) -> str:
    """The text of a document of one block, or of several with bars between them."""
    return " | ".join(block.text for block in parse(source, format).blocks)


def marked(source: str, format: Format) -> list[str]:
    """The placeholders of a document, as they stand in its source."""
    return [
        block.source_span(span).of(source)
        for block in parse(source, format).blocks
        for span in block.placeholders
    ]


MARKDOWN = """---
title: not prose [Q]
---
# On *anger* {#anger}

First line,
second line `code`.

- an item
  going on
  - a nested one

> Quoted **words**
> of somebody

| Name | Words |
|------|-------|
| Seneca | a \\| b |

```
code [Q]
```

Term
:   Its definition

See the note[^1].

[^1]: The footnote
    goes on.

[ref]: https://example.org "Title"

<div>Some <b>HTML</b> &amp; text</div>

$$
x [Q]
$$

Setext
======

    indented code [Q]
"""

LATEX = r"""\documentclass[a4paper]{article}
\usepackage{csquotes} % comment
\newcommand{\me}[1]{not prose #1}
\title{On \emph{Anger}}
\author{Nobody}
\begin{document}
\maketitle
\section[short]{Beginnings}\label{sec:one}
First line,
second line.\footnote{The footnote \emph{here}.}

\begin{itemize}
  \item an item
  \item[Term] another
\end{itemize}
\begin{quote}
Quoted \textbf{words}
\end{quote}
\begin{equation}
x = [Q]
\end{equation}
\begin{tabular}{ll}
\toprule
a & b \\[2pt]
c & d
\end{tabular}
\begin{verbatim}
code [Q] { % unbalanced
\end{verbatim}
\begin{figure}
\includegraphics[width=1cm]{a.png}
\caption{A caption}
\end{figure}
\epigraph{Words}{Seneca}
\end{document}
not prose [Q]
"""

RST = """=====
Title
=====

Section
-------

First line,
second line ``code [Q]``. [1]_

- an item
  going on

  its second paragraph
1. one

    Quoted *words*

    -- Seneca

.. code-block:: python

   code [Q]

.. note:: A note
   going on.

   Its body.

.. figure:: x.png
   :alt: not prose

   A caption.

.. [1] The footnote
   goes on.

.. a comment [Q]
   goes on

.. _target: https://example.org

Literal::

   code [Q]

term
  its definition

| verse one
| verse two

+-----+-----+
| a   | b   |
|     | c   |
+=====+=====+
| d   | e   |
+-----+-----+

====  ====
f     g
====  ====
h     i
====  ====
"""

TYPST = """#import "x.typ": y
#set text(lang: "en")
#let greet(x) = [not prose #x [Q]]
= On *anger* <anger>
First line,
second line `code`.#footnote[The footnote _here_.]

- an item
  going on
- another
+ numbered
Text after the list.

#quote(block: true, attribution: [Seneca])[Quoted words]

#figure(image("a.png"), caption: [A caption]) <fig>
#table(columns: 2, [a], table.cell(colspan: 2)[b])
```py
code [Q]
```
/* comment /* nested */ [Q] */
#if x [one] else [two]
"""

HTML = """<!DOCTYPE html>
<html><head><title>not prose [Q]</title><style>p { color: red }</style></head>
<body class="not prose [Q]"><h1>On <em>anger</em></h1>
<script>if (a < b) "[Q]"</script><!-- comment [Q] -->
<p>First line,
second line <code>code [Q]</code>&amp; &#8220;more&#8221;.<br>Next
<ul><li>an item<li>another</ul>
<blockquote><p>Quoted <b>words</b></blockquote>
<table><tr><td>a<td>b</table>
<p>He said <q>go</q>.</p>
</body></html>
"""


def test_markdown() -> None:
    assert blocks(MARKDOWN, "markdown") == [
        ("heading", "On anger"),
        ("paragraph", "First line, second line ."),
        ("item", "an item going on"),
        ("item", "a nested one"),
        ("quote", "Quoted words of somebody"),
        ("cell", "Name"),
        ("cell", "Words"),
        ("cell", "Seneca"),
        ("cell", "a | b"),
        ("item", "Term"),
        ("item", "Its definition"),
        ("paragraph", "See the note."),
        ("footnote", "The footnote goes on."),
        ("paragraph", "Some HTML & text"),
        ("heading", "Setext"),
    ]


def test_latex() -> None:
    assert blocks(LATEX, "latex") == [
        ("heading", "On Anger"),
        ("heading", "Beginnings"),
        ("paragraph", "First line, second line."),
        ("footnote", "The footnote here."),
        ("item", "an item"),
        ("item", "Term another"),
        ("quote", "Quoted words"),
        ("cell", "a"),
        ("cell", "b"),
        ("cell", "c"),
        ("cell", "d"),
        ("paragraph", "A caption"),
        ("quote", "Words Seneca"),
    ]


def test_rst() -> None:
    assert blocks(RST, "rst") == [
        ("heading", "Title"),
        ("heading", "Section"),
        ("paragraph", "First line, second line ."),
        ("item", "an item going on"),
        ("item", "its second paragraph"),
        ("item", "one"),
        ("quote", "Quoted words"),
        ("quote", "-- Seneca"),
        ("paragraph", "A note going on."),
        ("paragraph", "Its body."),
        ("paragraph", "A caption."),
        ("footnote", "The footnote goes on."),
        ("paragraph", "Literal:"),
        ("item", "term"),
        ("item", "its definition"),
        ("paragraph", "verse one verse two"),
        *(("cell", text) for text in ["a", "b c", "d", "e", "f", "g", "h", "i"]),
    ]


def test_typst() -> None:
    assert blocks(TYPST, "typst") == [
        ("heading", "On anger"),
        ("paragraph", "First line, second line ."),
        ("footnote", "The footnote here."),
        ("item", "an item going on"),
        ("item", "another"),
        ("item", "numbered"),
        ("paragraph", "Text after the list."),
        ("paragraph", "Seneca"),
        ("quote", "Quoted words"),
        ("paragraph", "A caption"),
        ("cell", "a"),
        ("cell", "b"),
        ("paragraph", "onetwo"),
    ]


def test_html() -> None:
    assert blocks(HTML, "html") == [
        ("heading", "On anger"),
        ("paragraph", "First line, second line & “more”. Next"),
        ("item", "an item"),
        ("item", "another"),
        ("quote", "Quoted words"),
        ("cell", "a"),
        ("cell", "b"),
        ("paragraph", "He said “go”."),
    ]


def test_plain() -> None:
    assert blocks("One\nline.\n \n\n  Two *words*.\n", "plain") == [
        ("paragraph", "One line."),
        ("paragraph", "Two *words*."),
    ]


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize(
    ("source", "format"),
    [
        (MARKDOWN, "markdown"),
        (LATEX, "latex"),
        (RST, "rst"),
        (TYPST, "typst"),
        (HTML, "html"),
        ("One\nline.\n\nTwo [Q: a\nb].\n", "plain"),
    ],
)
def test_line_ends_make_no_difference(source: str, format: Format, line_end: str) -> None:
    assert blocks(source.replace("\n", line_end), format) == blocks(source, format)


@pytest.mark.parametrize(
    ("format", "source", "text"),
    [
        ("markdown", "***both*** _one_ __two__ ~~out~~ snake_case 2 * 3", "both one two out snake_case 2 * 3"),
        ("markdown", "\\*plain\\* &lt;tag&gt; &copy; &nothing; AT&T", "*plain* <tag> © &nothing; AT&T"),
        ("markdown", "A [link *text*](<http://x> 'title') and [ref][r].\n\n[r]: /u", "A link text and ref."),
        ("markdown", "See <https://x.org>, https://y.org/a_b_c. Done", "See , . Done"),
        ("markdown", "It costs $5 and $10, but $x^2$ is math", "It costs $5 and $10, but is math"),
        ("markdown", "said so [see @seneca, p. 3] once [^n]", "said so once"),
        ("markdown", "a ``co`de`` b <code>c</code> d<br>e <!-- f --> g", "a b d e g"),
        ("markdown", "![A caption](x.png)", "A caption"),
        ("markdown", "an ![icon](x.png) here", "an here"),
        ("markdown", "+++\na = 1\n+++\n\nText", "Text"),
        ("markdown", "::: {.note}\nInside\n:::", "Inside"),
        ("markdown", "# A # b #\n\n## C", "A # b | C"),
        ("latex", r"50\% of \$3 \& \#1\_x \{y\}", "50% of $3 & #1_x {y}"),
        ("latex", r"``double'' and \enquote{csquotes} and \enquote*{single}", "“double” and “csquotes” and ‘single’"),
        ("latex", r"na\"{\i}ve caf\'e \c{c}a \v{S} \oe uvre stra\ss e --- no -- yes\dots", "naïve café ça Š œuvre straße — no – yes…"),
        ("latex", r"Costs \$5, $x$, \(y\), \[z\] and $$w$$ end", "Costs $5, , , and end"),
        ("latex", "one% comment\n two\n% whole line\nthree", "onetwo three"),
        ("latex", r"as \citet[p.~3]{x} and \textcite{y} say, see \cref{a} \url{http://x}", "as and say, see"),
        ("latex", r"\textcolor{red}{red} \href{http://x}{link} \mycommand[opt]{mine}", "red link mine"),
        ("latex", r"\verb|a}b| \lstinline!c! \texttt{d} e", "e"),
        ("latex", r"\begin{document}a\section{open", "a | open"),
        ("latex", r"costs 5$ more" + "\n\n" + r"next $x$ end", "costs 5 more | next end"),
        ("rst", r"*one* **two** 2 * 3 \*four\* esc\ aped", "one two 2 * 3 *four* escaped"),
        ("rst", "`link <http://x>`_ and ref_ and `phrase ref`__ |sub| here", "link and ref and phrase ref here"),
        ("rst", ":emphasis:`a` :math:`b` :ref:`c` :ref:`d <e>` `f`:code: :py:func:`g`", "a d"),
        ("rst", "A. Einstein said so\nonce.", "A. Einstein said so once."),
        ("rst", ":Author: Somebody\n:Date: today\n\nText", "Text"),
        ("typst", r"*one* _two_ snake_case \*three\* \u{1F600}", "one two snake_case *three* 😀"),
        ("typst", "a --- b -- c... d~e @ref f // comment", "a — b – c… d e f"),
        ("typst", "#emph[one] #text(fill: red)[two #strong[three]] #h(1em) $x$ four", "one two three four"),
        ("typst", '#link("http://x")[text] http://y.org/a_b. #quote[said] #x.y; end', "text . “said” end"),
        ("typst", "#{ let x = 1; [inner] } #(1 + 2) #\"str\" end", "inner end"),
        ("typst", "before #f(\n\nafter it is typed", "before | after it is typed"),
        ("html", "a <a href='b>c'>d</a> e<br/>f &lt;g&gt; &copy &unknown; 1 < 2", "a d e f <g> &copy &unknown; 1 < 2"),
        ("html", "<p>one <code>two</p><p>three", "one | three"),
        ("html", "<pre>x</pre>a<svg><text>y</text></svg>b", "a | b"),
        ("plain", "see https://example.org/a_(b).", "see ."),
    ],
)  # fmt: skip
def test_inline_markup(format: Format, source: str, text: str) -> None:
    assert prose(source, format) == text


@pytest.mark.parametrize("format", ["markdown", "latex", "rst", "typst", "html", "plain"])
def test_chinese_lines_are_joined_without_a_space(format: Format) -> None:
    source = "学而时习之，\n不亦说乎？“有朋\n自远方来”\nas they say\n好。"

    assert prose(source, format) == "学而时习之，不亦说乎？“有朋自远方来” as they say 好。"


@pytest.mark.parametrize(
    ("format", "source", "found"),
    [
        *(
            (format, 'A [Q] b [Q: author="Marcus Aurelius" topic=a_b *c* d] e', None)
            for format in ["markdown", "latex", "rst", "typst", "html", "plain"]
        ),
        *(
            (format, "A [Q: wrapped\nwish] and [Q：中文] b", None)
            for format in ["markdown", "latex", "rst", "typst", "html", "plain"]
        ),
        ("markdown", "*[Q]* and **“[Q]”** and [see [Q] there](u)", ["[Q]"] * 3),
        ("markdown", r"[Q](url) [Q][] [Q][r] [r][Q] \[Q\] `[Q]` $[Q]$ ![Q](x)" + "\n\n[r]: /u", ["[Q]"] * 1),
        ("markdown", "Is [Q]\n\n[Q]: /defined", []),
        ("markdown", "[Q] (Seneca), [Q](Letters, 7) [q] [Q:\n\n]", ["[Q]", "[Q]"]),
        ("latex", r"\item[Q] \section[Q]{x} \foo[Q]{y} \[Q\] \verb|[Q]| % [Q]", []),
        ("latex", r"\begin{quote}[Q]\end{quote} \noindent[Q] \emph{[Q]} \enquote{[Q]}", ["[Q]"] * 4),
        ("rst", r"[Q]_ \[Q\] ``[Q]`` :math:`[Q]`", []),
        ("rst", "*x* [Q]_x **[Q]**", ["[Q]", "[Q]"]),
        ("typst", r"#f[Q] \[Q\] `[Q]` $[Q]$ #g(x)[Q] // [Q]", []),
        ("typst", "#f[[Q]] *[Q]* [see [Q]]", ["[Q]"] * 3),
        ("html", "<p title='[Q]'>&#91;Q] <code>[Q]</code><!-- [Q] -->", []),
        ("html", "<p>[Q: author=&quot;Seneca&quot;]", ["[Q: author=&quot;Seneca&quot;]"]),
        ("plain", "[Q [Q: [nested] [Q]]", ["[Q]"]),
        ("plain", "http://a.b/c[Q] and [Q: like http://a.b/c]", ["[Q]", "[Q: like http://a.b/c]"]),
    ],
)  # fmt: skip
def test_placeholders_are_told_from_what_looks_like_them(
    format: Format, source: str, found: list[str] | None
) -> None:
    if found is None:
        found = ["[Q" + rest.partition("]")[0] + "]" for rest in source.split("[Q")[1:]]

    assert marked(source, format) == found


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("essay.md", "markdown"),
        ("C:\\Users\\Zoë\\Essay.MD", "markdown"),
        ("notes.qmd", "markdown"),
        ("report.Rmd", "markdown"),
        ("markdown", "markdown"),
        ("thesis.tex", "latex"),
        ("latex", "latex"),
        ("index.rst", "rst"),
        ("restructuredtext", "rst"),
        ("paper.typ", "typst"),
        ("page.xhtml", "html"),
        ("book.adoc", "plain"),
        ("README", "plain"),
        ("untitled:Untitled-1", "plain"),
        ("", "plain"),
    ],
)
def test_format_of_a_name(name: str, format: Format) -> None:
    assert format_of(name) == format
