"""Re-quantising a GGUF file, so that llama.cpp can use its fast routines for the CPU.

llama.cpp repacks Q4_0 and Q8_0 (and the K types) for the vector units of the CPU when it loads
them; Q4_1 it cannot, and runs it at about half the speed.

The work is done in a process of its own: it can be interrupted, its native code cannot take the
caller along, and what llama.cpp prints stays out of the caller's output.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import ModelError

Quantisation = Literal["auto", "q4_0", "q8_0", "none"]
"""``auto`` re-quantises what is slow on the CPU, to Q4_0; ``none`` leaves every file alone."""

_FILE_TYPES: Final[Mapping[str, int]] = MappingProxyType({"q4_0": 2, "q8_0": 7})
_SLOW_ON_CPU: Final = frozenset({"Q4_1", "Q5_0", "Q5_1"})


def target_type(present: str, wish: Quantisation) -> Literal["q4_0", "q8_0"] | None:
    """Return the type to re-quantise a file of type `present` to, or None to leave it alone."""
    if wish == "none" or wish.upper() == present:
        return None
    if wish == "auto":
        return "q4_0" if present == "Q4_1" else "q8_0" if present in _SLOW_ON_CPU else None
    return wish


def requantise(
    source: Path,
    target: Path,
    file_type: Literal["q4_0", "q8_0"],
    cancel: CancelToken = NEVER,
) -> None:
    """Write the model `source` to `target` with weights of another type.

    Takes seconds for a model of 100 million weights, minutes for one of 8 billion.

    Raises
    ------
    ModelError
        If llama.cpp fails; `target` is not left behind.
    quill_ls.cancel.Cancelled
        Once `cancel` is set.
    """
    command = [sys.executable, "-m", "quill_ls.scoring.quantize"]
    process = subprocess.Popen(
        [*command, os.fspath(source), os.fspath(target), file_type],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    done = False
    try:
        while True:
            try:
                _, said = process.communicate(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                cancel.check()
        if process.returncode != 0:
            reason = next((line for line in reversed(said.splitlines()) if line.strip()), "")
            raise ModelError(
                f"llama.cpp could not re-quantise {source}: "
                f"{reason.strip() or f'it ended with status {process.returncode}'}",
                "Install it as it is with `--quantize none`.",
            )
        done = True
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if not done:
            target.unlink(missing_ok=True)


def _main(source: str, target: str, file_type: str) -> int:
    import llama_cpp

    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = _FILE_TYPES[file_type]
    parameters.allow_requantize = True
    return int(
        llama_cpp.llama_model_quantize(
            os.fsencode(source), os.fsencode(target), ctypes.byref(parameters)
        )
    )


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
