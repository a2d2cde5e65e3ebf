"""What texts of any origin may do to the terminal: nothing."""

from __future__ import annotations

import io

from rich.console import Console

from quill_ls.cli.tables import plain, table


def shown(*things: object) -> str:
    stream = io.StringIO()
    Console(file=stream, force_terminal=True, color_system=None, width=80).print(*things)
    return stream.getvalue()


def test_markup_in_a_text_is_text() -> None:
    assert "[bold red]hot[/]" in shown(table(["quote"], [["[bold red]hot[/]"]]))


def test_escape_sequences_do_not_reach_the_terminal() -> None:
    hostile = "a\x1b]0;owned\x07b\x9b31mc\r"
    assert not set(shown(plain(hostile))) & {"\x1b", "\x07", "\x9b", "\r"}
    assert not set(shown(table(["quote"], [[hostile]]))) & {"\x07", "\x9b", "\r"}


def test_numbers_read_well() -> None:
    text = shown(table(["n", "x", "none"], [[1234567, 0.5, None]], right=["n"]))
    assert "1,234,567" in text
    assert "0.50" in text
    assert "None" not in text
