"""What may go wrong in a way that a person can mend.

Every error here is one sentence that says what is wrong and where, and, where there is
something to do about it, a second one that says what. The command line prints both and exits
with status 2; the language server logs them.
"""

from __future__ import annotations


class QuillError(Exception):
    """Something that the user can understand and mend.

    Parameters
    ----------
    message
        One sentence: what is wrong, and where.
    hint
        What to do next, or the empty string.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class InputError(QuillError):
    """A document, a file to import or an argument is not what it should be."""


class SettingsError(QuillError):
    """A settings file cannot be read."""


class StoreError(QuillError):
    """The store cannot be opened, read or written."""


class ModelError(QuillError):
    """A language model or encoder is missing, broken or too large."""
