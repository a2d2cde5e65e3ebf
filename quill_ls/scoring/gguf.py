"""Reading the header of a GGUF file: what kind of model it is, and whether it is whole.

The reader looks at the key-value pairs and the tensor list only, never at the weights, and never
beyond the end of the file, whatever lengths the file claims.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from quill_ls.errors import ModelError

MAGIC: Final = b"GGUF"
SUPPORTED_VERSIONS: Final = (2, 3)

Scalar = int | float | bool | str

_STRING: Final = 8
_ARRAY: Final = 9
_SCALARS: Final[Mapping[int, struct.Struct]] = MappingProxyType(
    {
        code: struct.Struct("<" + letter)
        for code, letter in {
            0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f",
            7: "?", 10: "Q", 11: "q", 12: "d",
        }.items()
    }
)  # fmt: skip
_LENGTH: Final = struct.Struct("<Q")
_WORD: Final = struct.Struct("<I")

QUANTISATIONS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1",
        10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M",
        16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S",
        22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M",
        28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0",
        37: "TQ2_0", 38: "MXFP4",
    }
)  # fmt: skip
"""llama.cpp's file types (``general.file_type``) by number."""

# Elements and bytes of one block, for the tensor types that are in common use.
_BLOCKS: Final[Mapping[int, tuple[int, int]]] = MappingProxyType(
    {
        0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
        10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
        20: (32, 18), 23: (256, 136), 30: (1, 2),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a GGUF file says about itself.

    Attributes
    ----------
    version
        Version of the GGUF format.
    architecture
        llama.cpp's name of the architecture ("llama", "qwen2", "gemma3").
    title
        The name that the file gives the model, or "".
    quantisation
        Main type of the weights ("Q4_0", "Q4_K_M"), or "unknown".
    context_length
        Tokens of context that the model was trained with; 0 when not given.
    vocabulary
        Number of tokens that the tokenizer knows; 0 when not given.
    parameters
        Number of weights, counted from the tensor list.
    add_bos
        Whether texts start with a BOS token; None when the file leaves it to the tokenizer.
    size
        Bytes of the file.
    """

    version: int
    architecture: str
    title: str
    quantisation: str
    context_length: int
    vocabulary: int
    parameters: int
    add_bos: bool | None
    size: int


def read_header(path: Path) -> GgufHeader:
    """Read the header of the GGUF file at `path`.

    Raises
    ------
    ModelError
        If the file is missing, not GGUF, of a version that is not supported, or shorter than its
        header says.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise ModelError(f"{path} is not a file.", "Name a GGUF file.")
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ModelError(
                    f"{path} is not a GGUF model: it does not start with the letters GGUF.",
                    "Language models must be in llama.cpp's GGUF format.",
                )
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _Reader(data, path).header(size)
    except FileNotFoundError:
        raise ModelError(
            f"There is no model file {path}.", "See `quill-ls model list` for the known models."
        ) from None
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error


class _Reader:
    """A cursor over the mapped file that refuses to leave it."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data = data
        self._path = path
        self._end = len(data)
        self._at = len(MAGIC)
        self._array_lengths: dict[str, int] = {}

    def header(self, size: int) -> GgufHeader:
        version = self._scalar(_WORD)
        if version not in SUPPORTED_VERSIONS:
            raise ModelError(
                f"{self._path} is a GGUF file of version {version}, which is not supported.",
                "Versions 2 and 3, little-endian, are.",
            )
        tensors, pairs = self._scalar(_LENGTH), self._scalar(_LENGTH)
        values = dict(self._pair() for _ in range(self._count(pairs, 13)))
        parameters = self._tensors(self._count(tensors, 24), values)
        architecture = str(values.get("general.architecture", "unknown"))
        bos = values.get("tokenizer.ggml.add_bos_token")
        return GgufHeader(
            version=version,
            architecture=architecture,
            title=str(values.get("general.name", "")),
            quantisation=QUANTISATIONS.get(_integer(values, "general.file_type", -1), "unknown"),
            context_length=_integer(values, f"{architecture}.context_length", 0),
            vocabulary=self._array_lengths.get("tokenizer.ggml.tokens", 0),
            parameters=parameters,
            add_bos=bos if isinstance(bos, bool) else None,
            size=size,
        )

    def _tensors(self, count: int, values: Mapping[str, Scalar]) -> int:
        """Walk the tensor list; return the number of weights, and check that all are there."""
        parameters = last = 0
        for _ in range(count):
            self._string()
            dimensions = self._scalar(_WORD)
            elements = 1
            for _ in range(self._count(dimensions, 8)):
                elements *= self._scalar(_LENGTH)
            kind, offset = self._scalar(_WORD), self._scalar(_LENGTH)
            per_block, bytes_per_block = _BLOCKS.get(kind, (1, 0))
            last = max(last, offset + elements // per_block * bytes_per_block)
            parameters += elements
        alignment = max(1, _integer(values, "general.alignment", 32))
        start = -(-self._at // alignment) * alignment
        if start + last > self._end:
            raise self._truncated()
        return parameters

    def _pair(self) -> tuple[str, Scalar]:
        key = self._string()
        kind = self._scalar(_WORD)
        if kind != _ARRAY:
            return key, self._value(kind)
        kind, count = self._scalar(_WORD), self._scalar(_LENGTH)
        self._array_lengths[key] = count
        if kind == _STRING:
            for _ in range(self._count(count, 8)):
                self._skip(self._scalar(_LENGTH))
        elif kind in _SCALARS:
            self._skip(count * _SCALARS[kind].size)
        else:
            raise self._broken()
        return key, ""

    def _value(self, kind: int) -> Scalar:
        if kind == _STRING:
            return self._string()
        if kind not in _SCALARS:
            raise self._broken()
        value: Scalar = self._scalar(_SCALARS[kind])
        return value

    def _scalar(self, form: struct.Struct) -> Any:
        start = self._at
        self._skip(form.size)
        return form.unpack_from(self._data, start)[0]

    def _string(self) -> str:
        length = self._scalar(_LENGTH)
        start = self._at
        self._skip(length)
        return self._data[start : self._at].decode("utf-8", "replace")

    def _skip(self, length: int) -> None:
        if length > self._end - self._at:
            raise self._truncated()
        self._at += length

    def _count(self, count: int, least: int) -> int:
        """Refuse a count of items, each at least `least` bytes long, that cannot fit."""
        if count * least > self._end - self._at:
            raise self._truncated()
        return count

    def _truncated(self) -> ModelError:
        return ModelError(
            f"The model file {self._path} is damaged: it ends before its header says it should.",
            "Install or download it again.",
        )

    def _broken(self) -> ModelError:
        return ModelError(
            f"The model file {self._path} is damaged: its header cannot be read "
            f"(at byte {self._at}).",
            "Install or download it again.",
        )


def _integer(values: Mapping[str, Scalar], key: str, default: int) -> int:
    value = values.get(key, default)
    return value if isinstance(value, int) and not isinstance(value, bool) else default
