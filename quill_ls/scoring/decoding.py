"""A llama.cpp context: its KV cache with several sequences, and decode calls on it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from quill_ls.cancel import NEVER, Cancelled, CancelToken
from quill_ls.errors import ModelError
from quill_ls.scoring import native
from quill_ls.scoring.batching import Limits
from quill_ls.scoring.weights import Weights

_DECODE_OK, _DECODE_NO_SLOT, _DECODE_ABORTED = 0, 1, 2  # llama.h, llama_decode
_ROW_BLOCK, _FEWEST_ROWS = 4, 8
_NO_CALLBACK = llama_cpp.ggml_abort_callback(0)


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive tokens of one sequence in a decode call.

    Attributes
    ----------
    sequence
        Number of the sequence in the KV cache.
    position
        Position of the first token.
    tokens
        The tokens.
    first_row
        Index of the first token whose logits are wanted; those of all after it are too.
    """

    sequence: int
    position: int
    tokens: Sequence[int]
    first_row: int


class DecodingContext:
    """The KV cache of one model, and the buffers of a decode call.

    Parameters
    ----------
    weights
        The loaded model, which must outlive the context.
    limits
        Tokens and rows of a call, cells of the cache, sequences beside sequence 0.
    threads
        Threads to compute with.

    Raises
    ------
    ModelError
        If there is not enough memory.
    """

    def __init__(self, weights: Weights, limits: Limits, threads: int) -> None:
        self.limits = limits
        self._vocabulary = weights.vocabulary
        self._padding = limits.sequences + 1  # the sequence that takes the padding
        self._context = self._create(weights, limits, threads)
        self._memory = llama_cpp.llama_get_memory(self._context)
        # The arrays that llama_batch points to. One sequence number for each token.
        size = _padded(limits.tokens)
        self._tokens = np.zeros(size, dtype=np.int32)
        self._positions = np.zeros(size, dtype=np.int32)
        self._counts = np.ones(size, dtype=np.int32)
        self._sequences = np.zeros(size, dtype=np.int32)
        self._wanted = np.zeros(size, dtype=np.int8)
        first = self._sequences.ctypes.data
        self._sequence_pointers = first + np.arange(size, dtype=np.uintp) * 4
        self._batch = llama_cpp.llama_batch()
        self._batch.token = _pointer(self._tokens, llama_cpp.llama_batch, "token")
        self._batch.pos = _pointer(self._positions, llama_cpp.llama_batch, "pos")
        self._batch.n_seq_id = _pointer(self._counts, llama_cpp.llama_batch, "n_seq_id")
        self._batch.seq_id = _pointer(self._sequence_pointers, llama_cpp.llama_batch, "seq_id")
        self._batch.logits = _pointer(self._wanted, llama_cpp.llama_batch, "logits")

    @staticmethod
    def _create(weights: Weights, limits: Limits, threads: int) -> Any:
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = _padded(limits.cells) + _FEWEST_ROWS
        parameters.n_batch = parameters.n_ubatch = _padded(limits.tokens)
        parameters.n_seq_max = limits.sequences + 2
        parameters.n_threads = parameters.n_threads_batch = threads
        # On the processor flash attention brings no speed, and rounds differently with every
        # number of tokens, so that scores would depend on the company they are computed in.
        if weights.layers_offloaded == 0:
            parameters.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
        # One cache that all sequences share: copying the prefix copies no data.
        parameters.kv_unified = True
        # Without the whole of a sliding window the prefix could not be used again.
        parameters.swa_full = True
        parameters.no_perf = True
        if hasattr(parameters, "n_outputs_max"):
            # Otherwise llama.cpp reserves logits for every token of a call.
            parameters.n_outputs_max = max(limits.rows, parameters.n_seq_max)
            parameters.n_outputs_max_per_seq = 0
        native.LOG.clear()
        context = llama_cpp.llama_init_from_model(weights.model, parameters)
        if context is None:
            raise ModelError(
                f"llama.cpp cannot make a context of {limits.cells} tokens for {weights.path}: "
                f"{native.LOG.reason()}.",
                "Choose a smaller model, a smaller context or fewer GPU layers.",
            )
        return context

    def close(self) -> None:
        """Give the memory back; the object cannot be used afterwards."""
        if self._context is not None:
            llama_cpp.llama_free(self._context)
            self._context = None

    def clear(self) -> None:
        """Empty the KV cache."""
        llama_cpp.llama_memory_clear(self._memory, False)

    def truncate(self, sequence: int, length: int) -> bool:
        """Keep the first `length` tokens of a sequence; False where the model cannot."""
        return bool(llama_cpp.llama_memory_seq_rm(self._memory, sequence, length, -1))

    def copy(self, source: int, target: int) -> None:
        """Let the sequence `target` begin with all of `source`."""
        llama_cpp.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def decode(self, runs: Sequence[Run], cancel: CancelToken = NEVER) -> NDArray[np.float32]:
        """Decode the runs in one call.

        Returns
        -------
        numpy.ndarray
            Shape (rows, vocabulary): the logits after each token that they were wanted for, in
            order. A view of llama.cpp's own buffer, valid until the next call.

        Raises
        ------
        quill_ls.cancel.Cancelled
            Before the call, or in its middle, once `cancel` is set. What the cache then holds
            is not known: `clear` it.
        ModelError
            If llama.cpp cannot decode.
        """
        cancel.check()
        end = 0
        for run in runs:
            start, end = end, end + len(run.tokens)
            self._tokens[start:end] = run.tokens
            self._positions[start:end] = np.arange(run.position, run.position + end - start)
            self._sequences[start:end] = run.sequence
            self._wanted[start:end] = 0
            self._wanted[start + run.first_row : end] = 1
        rows = int(self._wanted[:end].sum())
        self._batch.n_tokens = self._pad(end)
        self._call(cancel)
        self.truncate(self._padding, 0)
        if rows == 0:
            return np.empty((0, self._vocabulary), dtype=np.float32)
        address = llama_cpp.llama_get_logits(self._context)
        if not address:
            raise ModelError("The model gives no logits: it is no causal language model.")
        return np.ctypeslib.as_array(address, shape=(rows, self._vocabulary))

    def _pad(self, end: int) -> int:
        """Fill the call up to whole blocks of rows; return its new size.

        llama.cpp multiplies blocks of four tokens by one routine, and the rest, or very small
        calls, by another that rounds differently: up to a whole nat for a token of Gemma 3 270M.
        """
        size = _padded(end)
        self._tokens[end:size] = self._tokens[0]
        self._positions[end:size] = np.arange(size - end)
        self._sequences[end:size] = self._padding
        self._wanted[end:size] = 0
        return size

    def _call(self, cancel: CancelToken) -> None:
        native.LOG.clear()
        if cancel is not NEVER:
            # A call of a large model takes seconds; this stops it between two operations.
            callback = llama_cpp.ggml_abort_callback(_asks(cancel))
            llama_cpp.llama_set_abort_callback(self._context, callback, None)
        try:
            status = llama_cpp.llama_decode(self._context, self._batch)
        finally:
            if cancel is not NEVER:
                llama_cpp.llama_set_abort_callback(self._context, _NO_CALLBACK, None)
        if status == _DECODE_ABORTED:
            raise Cancelled
        if status != _DECODE_OK:
            reason = "the KV cache is full" if status == _DECODE_NO_SLOT else native.LOG.reason()
            raise ModelError(f"llama.cpp cannot decode (status {status}): {reason}.")


def _padded(tokens: int) -> int:
    return max(_FEWEST_ROWS, -(-tokens // _ROW_BLOCK) * _ROW_BLOCK)


def _asks(cancel: CancelToken) -> Callable[[object], bool]:
    return lambda _data: cancel.cancelled


def _pointer(array: NDArray[Any], structure: type, field: str) -> Any:
    """Return the address of an array as the pointer type of a structure's field."""
    types = dict(structure._fields_)  # type: ignore[attr-defined]
    return ctypes.cast(array.ctypes.data, types[field])
