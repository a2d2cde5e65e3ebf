"""Cancelling long work: a token that the caller sets and the worker looks at."""

from __future__ import annotations

import threading


class Cancelled(Exception):
    """The caller no longer wants the result."""


class CancelToken:
    """Set once by the caller, from any thread; looked at by the work between its steps."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop at its next step."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether the work should stop."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if the work should stop."""
        if self._event.is_set():
            raise Cancelled


NEVER = CancelToken()
"""A token that nobody cancels: the default where a caller gives none."""
