import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.text.lines import LineIndex
from quill_ls.text.span import Span

TEXTS = st.text(st.sampled_from("ab\n\r\u2028\u0085\f\v😀e\u0301") | st.characters())


def test_only_newline_and_carriage_return_end_a_line() -> None:
    text = "one\ntwo\r\nthree\rfour\u2028still\u0085four\f\v\x1c"
    lines = LineIndex(text)

    assert lines.line_count == 4
    assert [lines.line_span(line).of(text) for line in range(3)] == ["one", "two", "three"]
    assert lines.line_span(3).of(text) == "four\u2028still\u0085four\f\v\x1c"


def test_columns_count_code_points() -> None:
    text = "😀 a\u0301 x\nsecond"
    lines = LineIndex(text)

    assert lines.position(text.index("x")) == (0, 5)
    assert lines.position(text.index("cond")) == (1, 2)
    assert lines.offset(0, 5) == text.index("x")


def test_positions_outside_are_clamped() -> None:
    lines = LineIndex("ab\r\ncd")

    assert lines.offset(0, 99) == 2
    assert lines.offset(0, -1) == 0
    assert lines.offset(-1, 5) == 0
    assert lines.offset(9, 0) == 6
    assert lines.position(-4) == (0, 0)
    assert lines.position(99) == (1, 2)
    with pytest.raises(IndexError, match="no line 2"):
        lines.line_span(2)


@pytest.mark.parametrize(
    ("text", "count"), [("", 1), ("a", 1), ("a\n", 2), ("\r\n", 2), ("\n\r", 3), ("\r\r\n", 3)]
)
def test_line_count(text: str, count: int) -> None:
    assert LineIndex(text).line_count == count


@given(TEXTS)
def test_lines_are_the_text_split_at_line_ends(text: str) -> None:
    lines = LineIndex(text)

    assert [lines.line_span(line).of(text) for line in range(lines.line_count)] == re.split(
        "\r\n|\r|\n", text
    )


@given(TEXTS, st.integers(0, 20))
def test_position_and_offset_are_inverse(text: str, offset: int) -> None:
    lines = LineIndex(text)
    offset = min(offset, len(text))
    line, column = lines.position(offset)

    between = text[offset - 1 : offset + 1] == "\r\n"  # inside of one line end
    assert lines.offset(line, column) == offset - between
    assert lines.line_span(line).touches(offset - between)
    assert Span(0, len(text)).touches(offset)
