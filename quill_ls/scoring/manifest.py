"""The language models that are known by name: ``models/manifest.toml`` as typed values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import quill_ls
from quill_ls.errors import ModelError

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class PackagePart:
    """A file that an installed Python package carries.

    Attributes
    ----------
    distribution
        Name under which the package is installed with pip.
    file
        Path of the file, with forward slashes; its first part is the importable package.
    """

    distribution: str
    file: str


@dataclass(frozen=True, slots=True)
class PackageSource:
    """A model that comes with Python packages, in one file or cut into parts to be joined.

    Attributes
    ----------
    extra
        The extra of quill-ls that installs the packages.
    parts
        The pieces of the file, in order.
    """

    extra: str
    parts: tuple[PackagePart, ...]


@dataclass(frozen=True, slots=True)
class HubSource:
    """A file of a repository on the Hugging Face Hub, at one revision."""

    repository: str
    file: str
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """One known model.

    Attributes
    ----------
    name
        The name to install and configure it by: lower case, no spaces.
    title
        Its name for people.
    parameters
        Number of weights.
    languages
        BCP 47 tags of the languages that it reads well.
    licence
        Licence of the weights.
    context_length
        Tokens of context that it was trained with.
    bos
        Whether texts start with a BOS token, in words.
    quantisation
        Type of the weights as published.
    size, sha256
        Bytes and checksum of the published file. An empty checksum means that it is not known
        here; the download is then verified against the hub's own.
    preference
        Where nothing is configured the installed model with the highest one is taken.
    source
        Where the file comes from.
    """

    name: str
    title: str
    parameters: int
    languages: tuple[str, ...]
    licence: str
    context_length: int
    bos: str
    quantisation: str
    size: int
    sha256: str
    preference: int
    source: PackageSource | HubSource

    def reads(self, language: str) -> bool:
        """Whether the model reads `language`; classical Chinese counts as Chinese."""
        return ("zh" if language == "lzh" else language.partition("-")[0]) in self.languages

    @property
    def how_to_install(self) -> str:
        """The commands that install the model, as a sentence."""
        command = f"`quill-ls model install {self.name}`"
        if isinstance(self.source, PackageSource):
            return f'Run `pip install "quill-ls[{self.source.extra}]"`, then {command}.'
        return f"Run {command}."


@dataclass(frozen=True, slots=True)
class Manifest:
    """All known models, in the order of the file: from small to large."""

    entries: tuple[ModelEntry, ...]

    def __iter__(self) -> Iterator[ModelEntry]:
        return iter(self.entries)

    def get(self, name: str) -> ModelEntry | None:
        """Return the entry of that name, or None."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def entry(self, name: str) -> ModelEntry:
        """Return the entry of that name.

        Raises
        ------
        ModelError
            If there is none.
        """
        found = self.get(name)
        if found is None:
            known = ", ".join(entry.name for entry in self.entries)
            raise ModelError(f'No model is known by the name "{name}".', f"Known are: {known}.")
        return found


@cache
def default_manifest() -> Manifest:
    """Return the manifest that belongs to this version of Quill."""
    # The wheel carries it among the data; a source checkout has it in its own folder.
    shipped = resources.files(quill_ls).joinpath("data", "models.toml")
    if shipped.is_file():
        return parse_manifest(shipped.read_text(encoding="utf-8"))
    checkout = Path(quill_ls.__file__).resolve().parents[1] / "models" / "manifest.toml"
    return parse_manifest(checkout.read_text(encoding="utf-8"))


def parse_manifest(text: str) -> Manifest:
    """Read a manifest.

    Raises
    ------
    ModelError
        If it is not TOML, or an entry is not as ``models/README.md`` says.
    """
    try:
        tables = tomllib.loads(text).get("model", [])
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"The model manifest is not TOML: {error}.") from error
    entries = tuple(_entry(table) for table in tables)
    names = [entry.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f'The model manifest has two models named "{name}".')
    return Manifest(entries)


def _entry(table: Mapping[str, Any]) -> ModelEntry:
    name = table.get("name", "")
    try:
        entry = ModelEntry(
            name=name,
            title=table["title"],
            parameters=table["parameters"],
            languages=tuple(table["languages"]),
            licence=table["licence"],
            context_length=table["context_length"],
            bos=table["bos"],
            quantisation=table["quantisation"],
            size=table["size"],
            sha256=table.get("sha256", ""),
            preference=table["preference"],
            source=_source(table),
        )
    except (KeyError, TypeError) as error:
        raise ModelError(f'Model "{name}" of the manifest lacks or misuses {error}.') from error
    if not _NAME.fullmatch(entry.name):
        raise ModelError(f'"{entry.name}" cannot be the name of a model.')
    if entry.sha256 and not _SHA256.fullmatch(entry.sha256):
        raise ModelError(f'The sha256 of model "{name}" is not 64 hexadecimal digits.')
    return entry


def _source(table: Mapping[str, Any]) -> PackageSource | HubSource:
    if "hub" in table:
        return HubSource(**table["hub"])
    package = table["package"]
    return PackageSource(package["extra"], tuple(PackagePart(**part) for part in package["parts"]))
