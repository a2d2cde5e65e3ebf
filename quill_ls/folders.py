"""Where Quill keeps its files: the platform's folders, or one folder that the user names.

The environment variable ``QUILL_HOME`` puts everything under one folder. Tests set it, so that
they never touch the user's own files, and so does ``make demo``.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_NAME = "quill-ls"


def config_folder() -> Path:
    """Folder of the user's ``config.toml``; it may not exist yet."""
    home = _home()
    return home or Path(platformdirs.user_config_dir(_NAME, appauthor=False))


def data_folder() -> Path:
    """Folder of the store, the models and the calibrations; it may not exist yet."""
    home = _home()
    return home or Path(platformdirs.user_data_dir(_NAME, appauthor=False))


def default_store_path() -> Path:
    """Return the store that is used when neither settings nor command line name one."""
    return data_folder() / "quill.db"


def models_folder() -> Path:
    """Folder of the installed language models."""
    return data_folder() / "models"


def _home() -> Path | None:
    value = os.environ.get("QUILL_HOME", "")
    return Path(value).expanduser().absolute() if value else None
