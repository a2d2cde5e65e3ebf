"""The weights of a GGUF model: loading them, what they are, and their tokeniser."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import llama_cpp

from quill_ls.errors import ModelError
from quill_ls.scoring import gguf, native

_ALL_LAYERS = 0x7FFFFFFF
_NULL_TOKEN = -1
_VOCAB_SENTENCEPIECE = 1  # llama.h, enum llama_vocab_type: SPM
_FIELD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a loaded model is, for `model info` and `doctor`.

    Attributes
    ----------
    path
        The file.
    description
        Architecture, size and quantisation in llama.cpp's words ("llama 134M Q4_0").
    architecture
        ``general.architecture`` of the file.
    parameters
        Number of weights.
    size_bytes
        Size of all tensors.
    vocabulary
        Number of tokens in the vocabulary.
    trained_context
        Tokens of context that the model was trained on.
    layers
        Number of layers.
    adds_bos
        Whether every text begins with the BOS token, as the file's metadata says.
    bos, eos
        Token ids, or None.
    devices
        Names and descriptions of the devices other than the processor.
    layers_offloaded
        How many layers (the output counts as one) llama.cpp says it put on those.
    """

    path: Path
    description: str
    architecture: str
    parameters: int
    size_bytes: int
    vocabulary: int
    trained_context: int
    layers: int
    adds_bos: bool
    bos: int | None
    eos: int | None
    devices: tuple[str, ...]
    layers_offloaded: int


class Weights:
    """A GGUF file loaded into memory.

    Parameters
    ----------
    path
        The file. Several shards are found from the first.
    gpu_layers
        Layers to put on a GPU: -1 as many as there are, falling back to the processor alone
        where they do not fit; 0 none; else that number, or an error.

    Raises
    ------
    ModelError
        If the file is missing, is not a GGUF, is damaged, has an architecture that this
        llama.cpp does not know or that is not a causal language model, or needs more memory
        than there is.
    """

    def __init__(self, path: Path, gpu_layers: int = -1) -> None:
        _check_file(path)
        native.start_backend()
        self.path = path
        self.model: int | None
        self.model, self.layers_offloaded = _load(path, gpu_layers)
        self.vocab = llama_cpp.llama_model_get_vocab(self.model)
        self.vocabulary: int = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self._pieces: dict[int, bytes] = {}
        try:
            self._check_causal()
        except ModelError:
            self.close()
            raise
        self.bos: int | None = None
        if llama_cpp.llama_vocab_get_add_bos(self.vocab):
            bos = llama_cpp.llama_vocab_bos(self.vocab)
            self.bos = bos if bos != _NULL_TOKEN else None
        self._space_added = (
            llama_cpp.llama_vocab_type(self.vocab) == _VOCAB_SENTENCEPIECE
            and self._metadata("tokenizer.ggml.add_space_prefix") != "false"
        )

    def close(self) -> None:
        """Give the memory back; the object cannot be used afterwards."""
        if self.model is not None:
            llama_cpp.llama_model_free(self.model)
            self.model = None

    def __enter__(self) -> Weights:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def bos_tokens(self) -> tuple[int, ...]:
        """Return what every sequence begins with: the BOS token, or nothing."""
        return () if self.bos is None else (self.bos,)

    def tokens(self, text: str) -> tuple[int, ...]:
        """Tokenise text that stands in the middle of a sequence, special tokens as plain text.

        Sentencepiece tokenisers of the Llama 2 kind put a space before every text that they
        are given. Here the space, if there is one, is the caller's.
        """
        if not text or not self._space_added:
            return self._tokenise(text)
        if text.startswith(" "):
            return self._tokenise(text[1:])
        # A line break takes the space, and is then cut off with it.
        head = self._tokenise("\n")
        whole = self._tokenise("\n" + text)
        return whole[len(head) :] if whole[: len(head)] == head else self._tokenise(text)

    def _tokenise(self, text: str) -> tuple[int, ...]:
        if not text:
            return ()
        # A lone surrogate, which a careless editor can send, must not stop the scoring.
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self.vocab, data, len(data), buffer, room, False, False)
        if count < 0:  # more tokens than bytes: a tokeniser that normalises
            buffer = (llama_cpp.llama_token * -count)()
            count = llama_cpp.llama_tokenize(
                self.vocab, data, len(data), buffer, -count, False, False
            )
        return tuple(buffer[:count])

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token, which may be a part of a character."""
        known = self._pieces.get(token)
        if known is not None:
            return known
        buffer = ctypes.create_string_buffer(256)
        length = llama_cpp.llama_token_to_piece(self.vocab, token, buffer, 256, 0, True)
        if length < 0:
            buffer = ctypes.create_string_buffer(-length)
            length = llama_cpp.llama_token_to_piece(self.vocab, token, buffer, -length, 0, True)
        piece = buffer.raw[: max(0, length)]
        self._pieces[token] = piece
        return piece

    def starts(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """Return for each token the code-point offset of its first character.

        A token that begins in the middle of a character has that character's offset.
        """
        starts: list[int] = []
        characters = 0  # begun before this token
        for token in tokens:
            piece = self.piece(token)
            inside = bool(piece) and _continues(piece[0])
            starts.append(max(0, characters - 1) if inside else characters)
            characters += sum(not _continues(byte) for byte in piece)
        return tuple(starts)

    def info(self) -> ModelInfo:
        """Return what the model is."""
        eos = llama_cpp.llama_vocab_eos(self.vocab)
        bos = llama_cpp.llama_vocab_bos(self.vocab)
        return ModelInfo(
            path=self.path,
            description=self._text(llama_cpp.llama_model_desc),
            architecture=self._metadata("general.architecture"),
            parameters=llama_cpp.llama_model_n_params(self.model),
            size_bytes=llama_cpp.llama_model_size(self.model),
            vocabulary=self.vocabulary,
            trained_context=llama_cpp.llama_model_n_ctx_train(self.model),
            layers=llama_cpp.llama_model_n_layer(self.model),
            adds_bos=self.bos is not None,
            bos=bos if bos != _NULL_TOKEN else None,
            eos=eos if eos != _NULL_TOKEN else None,
            devices=tuple(
                f"{device.name}: {device.description}"
                for device in native.devices()
                if device.kind != "cpu"
            ),
            layers_offloaded=self.layers_offloaded,
        )

    def _check_causal(self) -> None:
        architecture = self._metadata("general.architecture")
        causal = self._metadata(f"{architecture}.attention.causal") != "false"
        encodes = llama_cpp.llama_model_has_encoder(self.model)
        if encodes or not causal or not llama_cpp.llama_model_has_decoder(self.model):
            raise ModelError(
                f"{self.path} is no causal language model (architecture {architecture}).",
                "Choose a text-generating model; encoders cannot give perplexities.",
            )

    def _metadata(self, key: str) -> str:
        """Return a metadata value as text, "" where the file has none."""
        buffer = ctypes.create_string_buffer(_FIELD_BYTES)
        length = llama_cpp.llama_model_meta_val_str(self.model, key.encode(), buffer, _FIELD_BYTES)
        return buffer.value.decode("utf-8", "replace") if length >= 0 else ""

    def _text(self, function: Callable[..., int]) -> str:
        buffer = ctypes.create_string_buffer(_FIELD_BYTES)
        function(self.model, buffer, _FIELD_BYTES)
        return buffer.value.decode("utf-8", "replace")


def _continues(byte: int) -> bool:
    """Whether a byte of UTF-8 continues a character."""
    return byte & 0b1100_0000 == 0b1000_0000


def _check_file(path: Path) -> None:
    """Refuse what is plainly no model before llama.cpp sees it."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(gguf.MAGIC))
    except OSError:
        magic = b""
    if magic != gguf.MAGIC:
        gguf.read_header(path)  # says what is wrong
        raise ModelError(f"The model file {path} cannot be read.")


def _load(path: Path, gpu_layers: int) -> tuple[int, int]:
    """Load a file; return the model's handle and the number of layers on a GPU."""
    attempts = [gpu_layers]
    if gpu_layers < 0:
        attempts = [_ALL_LAYERS, 0] if llama_cpp.llama_supports_gpu_offload() else [0]
    for layers in attempts:
        native.LOG.clear()
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = layers
        model = llama_cpp.llama_model_load_from_file(os.fsencode(path), parameters)
        if model is not None:
            return model, native.LOG.layers_offloaded()
    gguf.read_header(path)  # a damaged file is told more clearly by its header
    raise ModelError(
        f"llama.cpp cannot load the model {path}: {native.LOG.reason()}.",
        "If its architecture is new, upgrade llama-cpp-python; if memory is short, choose a "
        "smaller model or fewer GPU layers.",
    )
