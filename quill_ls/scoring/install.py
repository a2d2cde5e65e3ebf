"""Installing a model: fetch, verify, re-quantise for the CPU, put in place in one step."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import ModelError
from quill_ls.scoring.download import (
    Progress,
    download,
    offline_by_environment,
    offline_error,
    verify,
)
from quill_ls.scoring.gguf import read_header
from quill_ls.scoring.manifest import Manifest, ModelEntry, PackageSource, default_manifest
from quill_ls.scoring.models import (
    SUFFIX,
    InstalledModel,
    InstallRecord,
    installed,
    package_parts,
    record_path,
    write_record,
)
from quill_ls.scoring.quantize import Quantisation, requantise, target_type

Steps = Callable[[str], AbstractContextManager[Progress]]
"""Called with the name of each step; what it returns is told the bytes done and the total."""

_BLOCK: Final = 1 << 20
_SPARE: Final = 64 * 1024 * 1024
_BITS_PER_WEIGHT: Final = {"q4_0": 5.0, "q8_0": 9.0}  # rounded up: embeddings may be larger


def no_steps(step: str) -> AbstractContextManager[Progress]:
    """Report nothing."""
    return contextlib.nullcontext(lambda done, total: None)


def install(
    name: str,
    folder: Path,
    *,
    quantise: Quantisation = "auto",
    offline: bool = False,
    steps: Steps = no_steps,
    cancel: CancelToken = NEVER,
    endpoint: str | None = None,
    manifest: Manifest | None = None,
) -> InstalledModel:
    """Install the model `name` into the folder `folder`.

    The folder never shows a half-installed model: work is done in ``.partial`` beside the models,
    and the finished file is renamed into place. A download that was interrupted stays there and
    is taken up by the next call. A model that is already installed in that form is left alone.

    Parameters
    ----------
    name
        A name of the manifest.
    folder
        The models folder; made if it is not there.
    quantise
        Which type the weights shall have; ``auto`` mends what is slow on the CPU.
    offline
        Refuse to download; models from installed packages can still be installed.
    steps
        Told the steps and how far they are.
    cancel
        Looked at all the time.
    endpoint
        Address of the hub, for tests and mirrors.
    manifest
        The known models; None takes those of this version.

    Raises
    ------
    ModelError
        If the name is not known, a package is missing, the download fails, the file is not the
        expected one, there is not enough space, or llama.cpp cannot re-quantise it.
    quill_ls.cancel.Cancelled
        Once `cancel` is set.
    """
    manifest = manifest or default_manifest()
    entry = manifest.entry(name)
    target = target_type(entry.quantisation, quantise)
    present = _already_there(entry, target, folder, manifest)
    if present is not None:
        return present
    work = folder / ".partial"
    work.mkdir(parents=True, exist_ok=True)
    _check_space(entry, target, work)
    finished = work / f"{name}{SUFFIX}"
    try:
        source, sha256 = _fetch(entry, work, offline, steps, cancel, endpoint)
        from_type = read_header(source).quantisation
        if target is None:
            _take(source, finished, work)
        else:
            with steps(f"Re-quantising {name} to {target.upper()}"):
                requantise(source, finished, target, cancel)
            if source.parent == work:
                source.unlink()
        record = InstallRecord(
            name=name,
            origin=_origin(entry),
            source_sha256=sha256,
            sha256=sha256 if target is None else _sha256(finished, cancel),
            size=finished.stat().st_size,
            quantised_from=from_type,
            quantised_to=read_header(finished).quantisation,
            llama_cpp=_version("llama-cpp-python") if target is not None else "",
            installed=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        return _put_in_place(finished, record, folder, entry)
    finally:
        _joined(entry, work).unlink(missing_ok=True)
        finished.unlink(missing_ok=True)
        record_path(finished).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty: a download to be taken up
            work.rmdir()


def _already_there(
    entry: ModelEntry, target: str | None, folder: Path, manifest: Manifest
) -> InstalledModel | None:
    for model in installed(folder, manifest):
        if model.name == entry.name and model.record is not None and not model.damaged:
            same_source = model.record.source_sha256 == entry.sha256 or not entry.sha256
            wanted = (target or entry.quantisation).upper()
            if same_source and model.record.quantised_to == wanted:
                return model
    return None


def _check_space(entry: ModelEntry, target: str | None, work: Path) -> None:
    here = sum(part.stat().st_size for part in work.glob(f"{entry.name}-*.part"))
    needed = entry.size - here + _SPARE
    if target is not None:
        needed += int(entry.parameters * _BITS_PER_WEIGHT[target] / 8)
    free = shutil.disk_usage(work).free
    if free < needed:
        raise ModelError(
            f"There is not enough space for {entry.name} in {work.parent}: it takes "
            f"{needed / 1e6:,.0f} MB while it is installed, and {free / 1e6:,.0f} MB are free."
        )


def _fetch(
    entry: ModelEntry,
    work: Path,
    offline: bool,
    steps: Steps,
    cancel: CancelToken,
    endpoint: str | None,
) -> tuple[Path, str]:
    """Return the published file, verified, and its checksum."""
    if isinstance(entry.source, PackageSource):
        with steps(f"Reading {entry.name}") as progress:
            return _from_packages(entry, work, progress, cancel), entry.sha256
    if offline or offline_by_environment():
        raise offline_error(entry)
    with steps(f"Downloading {entry.name}") as progress:
        partial, sha256 = download(entry, work, progress, cancel, endpoint)
    with steps(f"Verifying {entry.name}") as progress:
        try:
            verify(partial, sha256, progress, cancel)
        except ModelError:
            partial.unlink()
            raise
    return partial, sha256


def _from_packages(entry: ModelEntry, work: Path, progress: Progress, cancel: CancelToken) -> Path:
    parts = package_parts(entry)
    if parts is None:
        raise ModelError(
            f"The packages that carry {entry.name} are not installed.", entry.how_to_install
        )
    if len(parts) == 1:
        verify(parts[0], entry.sha256, progress, cancel)
        return parts[0]
    joined = _joined(entry, work)
    with joined.open("wb") as out:
        for part in parts:
            with part.open("rb") as piece:
                while block := piece.read(_BLOCK):
                    cancel.check()
                    out.write(block)
                    progress(out.tell(), entry.size)
    verify(joined, entry.sha256, progress, cancel)
    return joined


def _joined(entry: ModelEntry, work: Path) -> Path:
    return work / f"{entry.name}.joined"


def _take(source: Path, finished: Path, work: Path) -> None:
    """Move a file of the work folder; copy one that belongs to a package."""
    if source.parent == work:
        source.replace(finished)
    else:
        shutil.copyfile(source, finished)


def _put_in_place(
    finished: Path, record: InstallRecord, folder: Path, entry: ModelEntry
) -> InstalledModel:
    path = folder / finished.name
    write_record(finished, record)
    # The record first: a model counts as there once its weights are.
    record_path(finished).replace(record_path(path))
    finished.replace(path)
    return InstalledModel(entry.name, path, record.size, entry, record)


def _origin(entry: ModelEntry) -> str:
    if isinstance(entry.source, PackageSource):
        distributions = (part.distribution for part in entry.source.parts)
        return ", ".join(f"{name} {_version(name)}" for name in distributions)
    return f"{entry.source.repository}/{entry.source.file}@{entry.source.revision}"


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _sha256(path: Path, cancel: CancelToken) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            cancel.check()
            digest.update(block)
    return digest.hexdigest()
