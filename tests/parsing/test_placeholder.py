from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.markup.document import Format
from quill_ls.markup.parse import parse
from quill_ls.parsing.placeholder import CONTEXT_LENGTH, Placeholder, placeholders


def find(source: str, format: Format = "markdown") -> tuple[Placeholder, ...]:
    return placeholders(parse(source, format))


def contexts(source: str, format: Format = "markdown") -> list[tuple[str, str]]:
    return [(found.left, found.right) for found in find(source, format)]


def test_a_placeholder_in_a_sentence() -> None:
    source = "As *Seneca* wrote, [Q: anger author=Seneca], and he knew."

    (found,) = find(source)

    assert found.span.of(source) == "[Q: anger author=Seneca]"
    assert (found.wishes.words, found.wishes.author) == ("anger", "Seneca")
    assert (found.left, found.right) == ("As Seneca wrote, ", ", and he knew.")
    assert (found.block, found.alone, found.problems) == (0, False, ())


def test_an_empty_side_goes_on_in_the_next_block_with_words() -> None:
    source = "# On anger\n\n---\n\n> “[Q]”\n\n***\n\nSo he said.\n\nAnd more."

    (found,) = find(source)

    assert (found.left, found.right) == ("On anger “", "” So he said.")
    assert not found.alone


def test_alone_in_its_block() -> None:
    first, second = find("[Q]\n\nText.\n\n[Q]\n")

    assert (first.left, first.right, first.alone) == ("", " Text.", True)
    assert (second.left, second.right, second.alone) == ("Text. ", "", True)


def test_other_placeholders_leave_no_trace() -> None:
    assert contexts("A [Q] b [Q: x] c, [Q].") == [
        ("A ", " b c, ."),
        ("A b ", " c, ."),
        ("A b c, ", "."),
    ]


def test_a_block_of_placeholders_is_no_neighbour() -> None:
    assert contexts("Before.\n\n[Q] [Q]\n\n[Q]\n\nAfter.") == [("Before. ", " After.")] * 3


def test_footnotes_stand_between_no_paragraphs() -> None:
    source = r"One.\footnote{See [Q].}" + "\n\n[Q]\n\n" + r"Two\footnote{Aside.}."

    assert contexts(source, "latex") == [("See ", ". Two."), ("One. ", " Two.")]


def test_chinese_contexts_are_joined_without_a_space() -> None:
    assert contexts("庄子说过一句话。\n\n“[Q]”\n\n这句话很有名。") == [
        ("庄子说过一句话。“", "”这句话很有名。")
    ]


def test_contexts_are_bounded() -> None:
    (found,) = find("a" * 3000 + " [Q] " + "b" * 3000, "plain")

    assert len(found.left) == len(found.right) == CONTEXT_LENGTH
    assert found.left.endswith("a ")
    assert found.right.startswith(" b")


@pytest.mark.parametrize(
    ("format", "source"),
    [
        ("markdown", "```\n[Q]\n```\n\n`[Q]` $[Q]$ <!-- [Q] --> [Q](u) \\[Q\\] [q] Q"),
        ("latex", "% [Q]\n\\verb|[Q]| $[Q]$ \\begin{lstlisting}[Q]\\end{lstlisting}"),
        ("rst", ".. [Q]\n\n::\n\n   [Q]\n\n``[Q]``"),
        ("typst", "// [Q]\n`[Q]` $[Q]$ #f[Q] #let x = [[Q]]"),
        ("html", "<!-- [Q] --><script>[Q]</script><pre>[Q]</pre><i title='[Q]'>"),
    ],
)
def test_what_is_not_prose_holds_no_placeholder(format: Format, source: str) -> None:
    assert find(source, format) == ()


@pytest.mark.parametrize(
    ("format", "source"),
    [
        ("markdown", "> a\n> [Q: lang=klingon\n> auhtor=x]"),
        ("latex", "a~[Q: lang=klingon\nauhtor=x]"),
        ("html", "a &amp; [Q: lang=klingon   auhtor=x]"),
        ("plain", "😀 [Q: lang=klingon\r\n auhtor=x]"),
    ],
)
def test_problems_point_into_the_source(format: Format, source: str) -> None:
    (found,) = find(source, format)

    assert [problem.span.of(source) for problem in found.problems] == ["klingon", "auhtor"]


PIECES = ["[Q]", "[Q: x=]", "word", "“", " ", "\n\n", "字", "。", "- "]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_what_is_true_of_every_placeholder(pieces: list[str]) -> None:
    source = "".join(pieces)
    found = find(source, "plain")

    assert len(found) == source.count("[Q")
    assert [p.span for p in found] == sorted(p.span for p in found)
    words = "word" in source or "字" in source
    for placeholder in found:
        assert placeholder.span.of(source) in ("[Q]", "[Q: x=]")
        for context in (placeholder.left, placeholder.right):
            assert "[Q" not in context
            assert "  " not in context
        both = placeholder.left + placeholder.right
        assert words == ("word" in both or "字" in both)


@pytest.mark.timeout(60)
def test_tens_of_thousands_of_placeholders() -> None:
    assert len(find("[Q]" * 20_000)) == 20_000
    assert len(find("[Q]\n\n" * 5_000)) == 5_000
