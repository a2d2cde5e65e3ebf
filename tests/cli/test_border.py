"""Whatever goes wrong, the shell sees one sentence and a status."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from quill_ls.cancel import Cancelled
from quill_ls.cli.border import run_command
from quill_ls.errors import InputError


def failing(error: BaseException) -> click.Command:
    @click.command()
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (InputError("The file is empty.", "Write one."), 2, "The file is empty. Write one."),
        (OSError(errno.ENOSPC, "No space left", "/x/y"), 2, "No space left: /x/y."),
        (OSError("odd"), 2, "odd."),
        (KeyboardInterrupt(), 130, ""),
        (Cancelled(), 130, ""),
        (ZeroDivisionError("by zero"), 1, "This is a fault in Quill: ZeroDivisionError: by zero."),
    ],
)
def test_errors_are_one_sentence(
    error: BaseException, status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(failing(error), []) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert told in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) <= 1


def test_debug_shows_where_it_came_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUILL_DEBUG", "1")
    assert run_command(failing(InputError("Bad.")), []) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_command_may_choose_its_status() -> None:
    @click.command()
    @click.pass_context
    def command(context: click.Context) -> None:
        context.exit(1)

    assert run_command(command, []) == 1


def shell(
    *arguments: str, stdout: int | None = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quill_ls", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_version() -> None:
    run = shell("--version")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("quill-ls, version ")


def test_an_unknown_command_is_told() -> None:
    run = shell("sugest")
    assert run.returncode == 2
    assert "No such command 'sugest'" in run.stderr


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = shell("settings", "show", "--json", stdout=writing)
    finally:
        os.close(writing)
    assert run.stderr == ""
