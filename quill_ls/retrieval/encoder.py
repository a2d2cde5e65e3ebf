"""Sentence encoders: sentences as vectors whose cosine says how near their meanings are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from quill_ls.cancel import NEVER, CancelToken

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
