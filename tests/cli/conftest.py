"""Calling commands as the shell does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from quill_ls.cli import cli
from quill_ls.cli.border import run_command


@dataclass(frozen=True, slots=True)
class Run:
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def quill(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Run ``quill-ls`` with the arguments given, in this process."""
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments: object) -> Run:
        status = run_command(cli, [str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Run(status, captured.out, captured.err)

    return run
