"""The llama.cpp library as this process sees it: its log, its devices, the processor's cores.

llama.cpp writes its log to file descriptor 2 unless it is given a callback. A language server
that speaks over standard streams must not have that, so the callback is set before anything is
loaded, and the last lines are kept for error messages. No file descriptor is redirected.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import llama_cpp

_LOG_LINES_KEPT = 400
_LOG_LEVEL_ERROR = 4  # ggml.h, enum ggml_log_level
_LOG_LEVEL_CONTINUED = 5

_OFFLOADED = re.compile(r"offloaded (\d+)/\d+ layers to GPU")

_DEVICE_KINDS = ("cpu", "gpu", "integrated gpu", "accelerator")  # ggml-backend.h


@dataclass(frozen=True, slots=True)
class Device:
    """One device that llama.cpp can compute on.

    Attributes
    ----------
    name, description
        As the backend gives them ("CUDA0", "NVIDIA H200").
    kind
        "cpu", "gpu", "integrated gpu", "accelerator" or "unknown".
    memory_free, memory_total
        Bytes.
    """

    name: str
    description: str
    kind: str
    memory_free: int
    memory_total: int


class _Log:
    """The last lines of the library's log, with their levels."""

    def __init__(self) -> None:
        self._lines: deque[tuple[int, str]] = deque(maxlen=_LOG_LINES_KEPT)
        # The callback must stay alive as long as the library may call it.
        self._callback = llama_cpp.llama_log_callback(self._receive)

    def install(self) -> None:
        """Take the log over. llama_cpp sets a printing callback when it is imported."""
        llama_cpp.llama_log_set(self._callback, ctypes.c_void_p(0))

    def clear(self) -> None:
        """Forget the lines of earlier work."""
        self._lines.clear()

    def _receive(self, level: int, text: bytes | None, _data: object) -> None:
        line = (text or b"").decode("utf-8", "replace")
        if level == _LOG_LEVEL_CONTINUED and self._lines:
            last_level, last = self._lines[-1]
            self._lines[-1] = (last_level, last + line)
        else:
            self._lines.append((level, line))

    def reason(self) -> str:
        """Return the first error since `clear`: the later ones follow from it."""
        for level, text in list(self._lines):
            if level == _LOG_LEVEL_ERROR and text.strip():
                # "llama_model_load: error loading model: unknown ..." - the last part tells.
                return text.strip().rstrip(".")
        return "it gives no reason"

    def layers_offloaded(self) -> int:
        """Return how many layers the last load put on a GPU, by its own account."""
        for _, text in list(self._lines):
            found = _OFFLOADED.search(text)
            if found:
                return int(found[1])
        return 0


LOG = _Log()
"""The log of the whole process: llama.cpp has one."""

_backend_ready = False


def start_backend() -> None:
    """Silence the log and initialise llama.cpp; safe to call again."""
    global _backend_ready
    LOG.install()
    if not _backend_ready:
        llama_cpp.llama_backend_init()
        _backend_ready = True


def devices() -> tuple[Device, ...]:
    """Return the devices that this build of llama.cpp can use, the processor among them."""
    from llama_cpp._ggml import libggml

    start_backend()
    try:
        return tuple(_device(libggml, index) for index in range(libggml.ggml_backend_dev_count()))
    except AttributeError:  # another build of the library, without the device registry
        return ()


def _device(library: ctypes.CDLL, index: int) -> Device:
    get = library.ggml_backend_dev_get
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    name = library.ggml_backend_dev_name
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    description = library.ggml_backend_dev_description
    description.restype, description.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    kind = library.ggml_backend_dev_type
    kind.restype, kind.argtypes = ctypes.c_int, [ctypes.c_void_p]
    memory = library.ggml_backend_dev_memory
    size_p = ctypes.POINTER(ctypes.c_size_t)
    memory.restype, memory.argtypes = None, [ctypes.c_void_p, size_p, size_p]

    handle = get(index)
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    memory(handle, ctypes.byref(free), ctypes.byref(total))
    number = kind(handle)
    return Device(
        name=name(handle).decode("utf-8", "replace"),
        description=description(handle).decode("utf-8", "replace"),
        kind=_DEVICE_KINDS[number] if 0 <= number < len(_DEVICE_KINDS) else "unknown",
        memory_free=free.value,
        memory_total=total.value,
    )


def physical_cores() -> int:
    """Return how many threads are worth starting: the physical cores this process may use.

    A second hardware thread of a core brings nothing to matrix products, and threads beyond a
    container's quota make llama.cpp's spinning barriers very slow.
    """
    if hasattr(os, "sched_getaffinity"):
        allowed = os.sched_getaffinity(0)
    else:
        allowed = set(range(os.cpu_count() or 1))
    cores = len(allowed)
    if sys.platform == "linux":
        cores = len({_core_of(cpu) for cpu in allowed})
    elif sys.platform == "win32":
        cores = max(1, cores // 2)  # no cheap way to ask; nearly all have two threads a core
    return max(1, min(cores, _quota(cores)))


def _core_of(cpu: int) -> str:
    siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
    try:
        return siblings.read_text(encoding="ascii").strip()
    except OSError:
        return str(cpu)


def _quota(otherwise: int) -> int:
    """Return the whole cores of the container's quota (cgroup version 2)."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return max(1, int(quota) // int(period))
    except (OSError, ValueError):  # no cgroup, or the quota is "max"
        return otherwise
