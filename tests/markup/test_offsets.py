"""The way back: what holds for the offsets of any text, sane or hostile, in every format."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.markup.document import Document, Format
from quill_ls.markup.parse import parse
from quill_ls.text.span import Span

FORMATS = get_args(Format)

# Pieces of markup of all formats, so that random text is full of things begun and not ended.
PIECES = r"""
[Q] [Q: a=b] [ ] ( ) { } < > * ** _ ` `` ``` ~~ $ $$ # ## = == - -- --- + ++ | & &amp; \ \[ \] \(
\) \begin{ \begin{quote} \end{quote} \begin{tabular} \item \emph{ \footnote{ \enquote{ \section{
\verb| \" \c % /* */ // #f( #f[ #let #if @a .. :: :a: .. |a| `_ _` <p> </p> <q> <code> <!-- --> <a
b=' http://a.b/c ]( ][ ]: [^1] [^1]: > ::: +++ === ' " “ ” 「 」 。 ， 我 国 😀 a b
""".split(" ")
PIECES += ["e\u0301", "\u2028", "\x85", "\f", "\v", "\0", "\ufeff"]
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.sampled_from(["\n", "\n\n", "\r\n", "\r", " ", "    ", "\n- ", "\n> ", "\n   ", "\t"]),
        st.text(max_size=3),
    ),
    max_size=40,
).map("".join)


def check(document: Document) -> None:
    source = document.source
    for block in document.blocks:
        offsets = list(block.offsets)
        assert len(offsets) == len(block.text) + 1
        assert offsets == sorted(offsets)
        assert offsets[0] >= 0
        assert offsets[-1] <= len(source)
        assert block.text.strip()
        for index, char in enumerate(block.text):
            start = offsets[index]
            if start not in block.wide:  # stands for itself
                assert char == source[start] or (char, source[start]) == ("\ufffd", "\0")
            span = block.source_span(Span(index, index + 1))
            assert span.start == start
            assert len(span) >= 1
            assert span.end <= offsets[-1]
            assert block.text_offset(start) <= index
        for placeholder in block.placeholders:
            text = placeholder.of(block.text)
            assert text.startswith("[Q")
            assert text.endswith("]")
            assert source[block.offsets[placeholder.start]] == "["
    starts = [block.span.start for block in document.blocks]
    assert starts == sorted(starts)


@pytest.mark.parametrize("format", FORMATS)
@given(source=TEXTS)
def test_offsets_of_any_text(format: Format, source: str) -> None:
    check(parse(source, format))


@pytest.mark.parametrize("format", FORMATS)
@given(words=st.lists(st.text("abcé国😀", min_size=1, max_size=5), min_size=1, max_size=20))
def test_plain_words_survive_in_every_format(format: Format, words: list[str]) -> None:
    source = " ".join(words)

    (block,) = parse(source, format).blocks

    assert block.text == source
    assert list(block.offsets) == list(range(len(source) + 1))


@pytest.mark.parametrize("format", FORMATS)
def test_the_span_of_words_leaves_the_markup_around_them_outside(format: Format) -> None:
    left, right = {
        "markdown": ("**", "**"),
        "latex": (r"\textbf{", "}"),
        "rst": ("**", "**"),
        "typst": ("*", "*"),
        "html": ("<b>", "</b>"),
        "plain": ("", ""),
    }[format]
    source = f"😀 a {left}bold 国{right} end"
    (block,) = parse(source, format).blocks
    start = block.text.index("bold")

    assert block.text == "😀 a bold 国 end"
    assert block.source_span(Span(start, start + 6)).of(source) == "bold 国"
    assert block.source_span(Span(start, start)) == Span(4 + len(left), 4 + len(left))


def test_an_entity_is_one_character_and_its_source_the_whole() -> None:
    source = "a &amp; b"
    (block,) = parse(source, "html").blocks

    assert block.text == "a & b"
    assert block.source_span(Span(2, 3)).of(source) == "&amp;"
    assert [block.text_offset(offset) for offset in range(10)] == [0, 1, 2, 2, 2, 2, 2, 3, 4, 5]


def test_a_cursor_is_found_in_its_block() -> None:
    source = "One *two*.\n\nThree.\\footnote{Four.} Five.\n"
    document = parse(source, "latex")

    def at(words: str) -> tuple[int, int] | None:
        return document.locate(source.index(words))

    assert [block.text for block in document.blocks] == ["One *two*.", "Three. Five.", "Four."]
    assert at("two") == (0, 5)
    assert at("Four") == (2, 0)
    assert at("Five") == (1, 7)
    assert document.locate(11) is None  # the empty line
    assert document.locate(len(source) + 5) is None


def test_a_document_without_prose() -> None:
    for format in FORMATS:
        assert parse("", format).blocks == ()
        assert parse(" \n\t\r\n\u2028", format).blocks == ()
        assert parse("", format).locate(0) is None


HOSTILE = r"""
[ ] * _ $ { } ( < ` \ > <b> <div> [a]( \{ \begin{a} \footnote{ \verb| #f( #f[ `a [Q] <a' & /* " *_
|a| ![ {{< ~~ http:// [^
""".split()
HOSTILE += ["> ", "- ", "*a ", "$a ", "[Q: ", "<a '", ".. a::\n ", "#let x = ["]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("format", FORMATS)
def test_hostile_repetition_ends(format: Format) -> None:
    """Each of these took minutes, or the process, in a parser that looks ahead or recurses."""
    for piece in ["[", "*", "$", "{"]:
        check_size(piece * 200_000, format)
    for piece in HOSTILE:
        check_size((piece * 40_000)[:40_000], format)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("pair", ["[]", "{}", "()"])
def test_deep_nesting_does_not_end_the_stack(format: Format, pair: str) -> None:
    check_size(pair[0] * 20_000 + "deep" + pair[1] * 20_000, format)


def check_size(source: str, format: Format) -> None:
    document = parse(source, format)
    assert sum(len(block.text) for block in document.blocks) <= len(source)
