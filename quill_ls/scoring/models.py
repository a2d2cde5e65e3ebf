"""Finding the language model to use: installed by name, carried by a package, or any GGUF file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from quill_ls.errors import ModelError
from quill_ls.scoring.manifest import (
    Manifest,
    ModelEntry,
    PackagePart,
    PackageSource,
    default_manifest,
)

SUFFIX: Final = ".gguf"
_RECORD_SUFFIX: Final = ".json"
_SAMPLE: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallRecord:
    """What is remembered of an installation, in a small JSON file beside the model.

    Attributes
    ----------
    name
        Name of the model in the manifest.
    origin
        Where the file came from, in words.
    source_sha256
        Checksum of the published file.
    sha256, size
        Checksum and bytes of the file as installed.
    quantised_from, quantised_to
        Types of the weights before and after re-quantising; the same when left alone.
    llama_cpp
        Version of llama-cpp-python that re-quantised it, or "".
    installed
        Date, ISO 8601, UTC.
    """

    name: str
    origin: str
    source_sha256: str
    sha256: str
    size: int
    quantised_from: str
    quantised_to: str
    llama_cpp: str
    installed: str


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A GGUF file in the models folder.

    Attributes
    ----------
    name
        Name of the file without its suffix.
    path, size
        The file, and its bytes.
    entry
        The entry of the manifest, or None for a file that the user put there.
    record
        What is remembered of the installation, or None.
    """

    name: str
    path: Path
    size: int
    entry: ModelEntry | None
    record: InstallRecord | None

    @property
    def damaged(self) -> bool:
        """Whether the file does not have the size that it was installed with."""
        return self.record is not None and self.record.size != self.size


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """The model to use.

    Attributes
    ----------
    name
        Its name in the manifest, or the name of the file without suffix.
    path
        The GGUF file.
    entry
        The entry of the manifest, or None for a file of the user's own.
    """

    name: str
    path: Path
    entry: ModelEntry | None

    @property
    def identity(self) -> str:
        """The name with a fingerprint of the weights: other weights, another identity.

        It holds the size and samples of the file, not a checksum of it all, which would take
        many seconds for a large model.
        """
        return f"{self.name}@{fingerprint(self.path)}"


def installed(folder: Path, manifest: Manifest | None = None) -> list[InstalledModel]:
    """Return the models in the folder `folder`, by name; none if it does not exist."""
    manifest = manifest or default_manifest()
    return [
        InstalledModel(
            path.stem, path, path.stat().st_size, manifest.get(path.stem), _read_record(path)
        )
        for path in sorted(folder.glob(f"*{SUFFIX}"))
        if path.is_file()
    ]


def resolve(
    name_or_path: str | Path, folder: Path, manifest: Manifest | None = None
) -> ResolvedModel:
    """Find the model that the user named.

    Looked for in this order: an installed model of that name; a model of the manifest that an
    installed package carries in one file; a GGUF file at that path.

    Raises
    ------
    ModelError
        If there is no such model; the hint says how to install it.
    """
    manifest = manifest or default_manifest()
    name = str(name_or_path)
    entry = manifest.get(name)
    for model in installed(folder, manifest):
        if model.name == name:
            return ResolvedModel(name, _whole(model), entry)
    if entry is not None:
        packaged = packaged_file(entry)
        if packaged is not None:
            return ResolvedModel(name, packaged, entry)
        raise ModelError(f'The model "{name}" is not installed.', _how_to_install(entry))
    path = Path(name_or_path).expanduser()
    if path.is_file():
        return ResolvedModel(path.stem, path, None)
    if path.suffix == SUFFIX or path.name != name:
        raise ModelError(f"There is no model file {path}.", "Check the path.")
    raise ModelError(
        f'There is no model "{name}".',
        "`quill-ls model list` shows the known ones; or name a file.",
    )


def choose(language: str, folder: Path, manifest: Manifest | None = None) -> ResolvedModel:
    """Choose a model for texts in `language` where nothing is configured.

    Of the models that read the language and are installed, or carried by a package in one file,
    the one that the manifest prefers.

    Raises
    ------
    ModelError
        If there is none; the hint says what to install.
    """
    manifest = manifest or default_manifest()
    here = {model.name for model in installed(folder, manifest) if not model.damaged}
    able = [entry for entry in manifest if entry.reads(language)] or list(manifest)
    usable = [entry for entry in able if entry.name in here or packaged_file(entry) is not None]
    if not usable:
        easiest = next(
            (entry for entry in able if isinstance(entry.source, PackageSource)), able[0]
        )
        raise ModelError(
            f'No language model for texts in "{language}" is installed.', _how_to_install(easiest)
        )
    return resolve(max(usable, key=lambda entry: entry.preference).name, folder, manifest)


def remove(name: str, folder: Path, manifest: Manifest | None = None) -> InstalledModel:
    """Delete an installed model and its record; return what was deleted.

    Raises
    ------
    ModelError
        If no model of that name is in the folder, or it cannot be deleted.
    """
    for model in installed(folder, manifest):
        if model.name == name:
            try:
                model.path.unlink()
                record_path(model.path).unlink(missing_ok=True)
            except OSError as error:
                raise ModelError(f"{model.path} cannot be deleted: {error.strerror}.") from error
            return model
    raise ModelError(
        f'No model "{name}" is installed in {folder}.', "`quill-ls model list` shows what is."
    )


def package_parts(entry: ModelEntry) -> list[Path] | None:
    """Return the files of the packages that carry the model, or None if one is missing."""
    if not isinstance(entry.source, PackageSource):
        return None
    paths = [_part_path(part) for part in entry.source.parts]
    return None if None in paths else [path for path in paths if path is not None]


def packaged_file(entry: ModelEntry) -> Path | None:
    """Return the GGUF file inside an installed package, where it is there in one piece."""
    parts = package_parts(entry)
    return parts[0] if parts is not None and len(parts) == 1 else None


def record_path(model: Path) -> Path:
    """Return where the record of an installed model lies."""
    return model.with_suffix(_RECORD_SUFFIX)


def write_record(model: Path, record: InstallRecord) -> None:
    """Write the record of the model `model`."""
    record_path(model).write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")


def fingerprint(path: Path) -> str:
    """Return 12 hexadecimal digits that change with the size of a file or its sampled contents."""
    size = path.stat().st_size
    digest = hashlib.sha256(size.to_bytes(8, "little"))
    with path.open("rb") as file:
        for step in range(17):
            file.seek(max(0, size - _SAMPLE) * step // 16)
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()[:12]


def _part_path(part: PackagePart) -> Path | None:
    package, _, inside = part.file.partition("/")
    # For a package at the top level this looks for it without running any of its code.
    spec = find_spec(package)
    for location in (spec and spec.submodule_search_locations) or ():
        path = Path(location) / inside
        if path.is_file():
            return path
    return None


def _how_to_install(entry: ModelEntry) -> str:
    if package_parts(entry) is not None:
        return f"Run `quill-ls model install {entry.name}`."
    return entry.how_to_install


def _whole(model: InstalledModel) -> Path:
    if model.damaged:
        raise ModelError(
            f"The installed model {model.path} is damaged: it does not have the size that it was "
            "installed with.",
            f"Run `quill-ls model install {model.name}` to install it again.",
        )
    return model.path


def _read_record(model: Path) -> InstallRecord | None:
    try:
        return InstallRecord(**json.loads(record_path(model).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        # Without a readable record the file is one that the user put there: it can be used.
        return None
