"""The border between commands and the shell: errors become one sentence and an exit status.

======  ==========================================================
status  meaning
======  ==========================================================
0       done
1       done, and what was looked at is not well; or a fault of Quill's own
2       the input, the settings, the store or the model is not as it should be
130     interrupted
======  ==========================================================
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence

import click

from quill_ls.cancel import Cancelled
from quill_ls.errors import QuillError

MENDABLE = 2
INTERRUPTED = 130
FAULT = 1


def run_command(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Run `command` and return the exit status; errors are told on standard error.

    Parameters
    ----------
    arguments
        Those after the program's name; the process's own when None.
    """
    _write_utf8()
    try:
        status = _run(command, arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, `head` say, has what it wanted. Python flushes once more at exit: let
        # that go nowhere instead of into a complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULT
    return status


def _run(command: click.Command, arguments: Sequence[str] | None) -> int:
    try:
        result = command.main(
            list(arguments) if arguments is not None else None,
            prog_name="quill-ls",
            standalone_mode=False,
        )
    except click.ClickException as error:
        error.show()
        return MENDABLE
    except (click.Abort, KeyboardInterrupt, Cancelled):
        return INTERRUPTED
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else FAULT
    except BrokenPipeError:
        raise
    except QuillError as error:
        return _tell(str(error), MENDABLE)
    except OSError as error:
        # No space, no permission, a folder gone: the sentence of the system, with the place.
        return _tell(_sentence(error), MENDABLE)
    except Exception as error:
        return _tell(
            f"This is a fault in Quill: {type(error).__name__}: {error}. Please report it with "
            "what `--debug` prints and the output of `quill-ls doctor`.",
            FAULT,
        )
    return result if isinstance(result, int) else 0


def _tell(message: str, status: int) -> int:
    if os.environ.get("QUILL_DEBUG"):
        traceback.print_exc()
    click.echo(f"quill-ls: {message}", err=True)
    return status


def _sentence(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{reason}: {error.filename}." if error.filename is not None else f"{reason}."


def _write_utf8() -> None:
    """Make both output streams able to write any quotation.

    A pipe on Windows has the encoding of the system's old code page, in which Chinese is an
    error; readers of pipes expect UTF-8. A terminal keeps its encoding and shows a question
    mark for what it cannot.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if stream.isatty():
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8", errors="replace")
