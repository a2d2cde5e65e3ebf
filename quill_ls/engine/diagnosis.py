"""What is there, what is missing, and what to do about it: the checks of `quill-ls doctor`.

Nothing here prints, changes a file or reaches the network. A check that fails says so in its
result; only one that finds something unusable is ``broken``.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from quill_ls import __version__
from quill_ls.errors import ModelError, QuillError, StoreError
from quill_ls.folders import data_folder, models_folder
from quill_ls.settings import LoadedSettings, Settings
from quill_ls.store.database import Store
from quill_ls.store.health import faults, has_full_text, sqlite_version

State = Literal["ok", "limited", "broken"]
"""``limited``: Quill works, with less than it could do."""

LIBRARIES = ("llama-cpp-python", "sentence-transformers", "torch", "pygls", "sqlite-utils")

_MEGABYTE = 1_000_000
_LITTLE_DISK = 500 * _MEGABYTE


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name
        What was looked at.
    state
        How it is.
    found
        What was found, in a few words.
    advice
        What to do, or "".
    """

    name: str
    state: State
    found: str
    advice: str = ""


def diagnose(loaded: LoadedSettings, language: str = "en") -> Iterator[Check]:
    """Yield the result of every check, as it is done.

    Parameters
    ----------
    loaded
        The settings in force.
    language
        Language of the texts, for the choice of the model where none is configured.
    """
    settings = loaded.settings
    yield _versions()
    yield _sqlite()
    yield from _settings(loaded)
    yield from _guarded("store", lambda: _store(settings))
    yield from _guarded("encoder", lambda: _encoder(settings))
    yield from _guarded("model", lambda: _model(settings, language))
    yield from _resources()


def _guarded(name: str, checks: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Let an error that a person can mend be the result of the check."""
    try:
        yield from checks()
    except QuillError as error:
        yield Check(name, "broken", error.message, error.hint)


def _versions() -> Check:
    parts = [f"quill-ls {__version__}", f"Python {platform.python_version()}"]
    missing = []
    for library in LIBRARIES:
        try:
            parts.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            missing.append(library)
    found = ", ".join([*parts, f"{platform.system()} {platform.machine()}"])
    if missing:
        advice = f"Missing: {', '.join(missing)}. Install quill-ls again with pip."
        return Check("versions", "broken", found, advice)
    return Check("versions", "ok", found)


def _sqlite() -> Check:
    if has_full_text():
        return Check("sqlite", "ok", f"{sqlite_version()} with full-text search")
    return Check(
        "sqlite",
        "broken",
        f"{sqlite_version()} without FTS5 and trigrams",
        "Use a Python whose SQLite is 3.34 or newer and has FTS5.",
    )


def _settings(loaded: LoadedSettings) -> Iterator[Check]:
    files = ", ".join(map(str, loaded.files)) or "no file, all defaults"
    if not loaded.problems:
        yield Check("settings", "ok", files)
    for problem in loaded.problems:
        yield Check("settings", "limited", str(problem), "Mend that key; until then it is ignored.")


def _store(settings: Settings) -> Iterator[Check]:
    with Store.open(settings.store.file, readonly=True) as store:
        damage = faults(store.connection)
        if damage:
            raise StoreError(
                f"The store {store.path} is damaged: {'; '.join(damage)}.",
                "Restore a copy, or move it away and run `quill-ls store build`.",
            )
        count = store.count()
    size = settings.store.file.stat().st_size / _MEGABYTE
    found = f"{settings.store.file}: {count:,} quotations, {size:,.0f} MB"
    if not count:
        yield Check("store", "broken", found, "Run `quill-ls store build`.")
    elif not _writable(settings.store.file):
        yield Check(
            "store", "limited", f"{found}, read only", "Suggesting works; nothing can be added."
        )
    else:
        yield Check("store", "ok", found)


def _encoder(settings: Settings) -> Iterator[Check]:
    """Find the encoder without loading it, and count what it has encoded of the store."""
    from quill_ls.retrieval.encoder import PACKAGED, find_encoder

    name = settings.encoder.name
    if not name:
        yield Check("encoder", "limited", "switched off: recall is by words alone")
        return
    try:
        folder = find_encoder(name)
    except ModelError as error:
        yield Check("encoder", "limited", f"{error.message} Recall is by words alone.", error.hint)
        return
    yield Check("encoder", "ok", f"{name}, {folder}")
    if name in PACKAGED and settings.store.file.exists():
        yield from _vectors(settings, name)


def _vectors(settings: Settings, encoder: str) -> Iterator[Check]:
    try:
        with Store.open(settings.store.file, readonly=True) as store:
            count, encoded = store.count(), store.vector_count(encoder)
    except StoreError:  # told by the check of the store
        return
    if not count:
        return
    found = f"{encoded:,} of {count:,} quotations ({encoded / count:.0%})"
    if encoded < count:
        advice = "The rest are found by words alone: run `quill-ls store embed`."
        yield Check("vectors", "limited", found, advice)
    else:
        yield Check("vectors", "ok", found)


def _model(settings: Settings, language: str) -> Iterator[Check]:
    from quill_ls.scoring.gguf import read_header
    from quill_ls.scoring.models import choose, resolve

    name = settings.model.name
    try:
        model = resolve(name, models_folder()) if name else choose(language, models_folder())
    except ModelError as error:
        if name:
            raise
        yield Check(
            "model", "limited", f"{error.message} Quotations come in recall order.", error.hint
        )
        return
    header = read_header(model.path)
    found = (
        f"{model.name}: {header.quantisation}, {header.size / _MEGABYTE:,.0f} MB, "
        f"{'BOS' if header.add_bos else 'no BOS'}, {model.path}"
    )
    if header.quantisation == "Q4_1":  # llama.cpp cannot repack it for the processor
        remedy = f"run `quill-ls model install {model.name}`" if model.entry else "take it as Q4_0"
        yield Check("model", "limited", found, f"It could be twice as fast: {remedy}.")
    else:
        yield Check("model", "ok", found)
    yield _compute(settings, model.path)


def _compute(settings: Settings, path: Path) -> Check:
    """Load the model, to see what it really runs on."""
    from quill_ls.scoring.native import devices, physical_cores
    from quill_ls.scoring.weights import Weights

    threads = settings.model.threads or physical_cores()
    gpus = [device for device in devices() if "gpu" in device.kind]
    with Weights(path, settings.model.gpu_layers) as weights:
        info = weights.info()
    if info.layers_offloaded:
        names = ", ".join(device.description for device in gpus)
        return Check("compute", "ok", f"{info.layers_offloaded} layers on {names}")
    on_processor = f"processor, {threads} threads"
    if gpus and settings.model.gpu_layers:
        return Check(
            "compute",
            "limited",
            f"{on_processor}; the GPU is there and not used",
            "Look whether other programs hold its memory.",
        )
    return Check("compute", "ok", f"{on_processor}; {_why_no_gpu(bool(gpus))}")


def _why_no_gpu(present: bool) -> str:
    if present:
        return "the GPU is switched off by model.gpu_layers = 0"
    return "this build of llama.cpp has no GPU, or there is none"


def _resources() -> Iterator[Check]:
    folder = data_folder()
    free = shutil.disk_usage(_existing(folder)).free
    found = f"{free / _MEGABYTE:,.0f} MB free for {folder}"
    if free < _LITTLE_DISK:
        yield Check("disk", "limited", found, "Make room before installing models.")
    else:
        yield Check("disk", "ok", found)
    memory = _available_memory()
    if memory is not None:
        yield Check("memory", "ok", f"{memory / _MEGABYTE:,.0f} MB available")


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _existing(folder: Path) -> Path:
    """Return the nearest folder above that is there."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _available_memory() -> int | None:
    """Return the bytes that programs may still take, or None where the system does not say."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None
