"""Tiny GGUF files, and a hub on the loopback interface."""

from __future__ import annotations

import hashlib
import struct
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def make_gguf(*, file_type: int = 2, add_bos: bool = True, filler: int = 0) -> bytes:
    """A whole GGUF file with three tokens and one tensor of 64 weights in Q4_0."""

    def string(text: str) -> bytes:
        return struct.pack("<Q", len(text.encode())) + text.encode()

    pairs = [
        string("general.architecture") + struct.pack("<I", 8) + string("tiny"),
        string("general.name") + struct.pack("<I", 8) + string("Tiny 小"),
        string("general.file_type") + struct.pack("<II", 4, file_type),
        string("tiny.context_length") + struct.pack("<II", 4, 512),
        string("tokenizer.ggml.tokens")
        + struct.pack("<IIQ", 9, 8, 3)
        + b"".join(map(string, ("a", "b", "小"))),
        string("tokenizer.ggml.scores") + struct.pack("<IIQ3f", 9, 6, 3, 0, 1, 2),
        string("tokenizer.ggml.add_bos_token") + struct.pack("<I?", 7, add_bos),
    ]
    tensor = string("w") + struct.pack("<IQIQ", 1, 64, 2, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs)) + b"".join(pairs) + tensor
    return head + bytes(-len(head) % 32) + bytes(36) + b"\xaa" * filler


@pytest.fixture
def tiny_gguf() -> Callable[..., bytes]:
    return make_gguf


class Hub:
    """What a test wants the hub to hold and how it shall behave."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.etag: str | None = None
        self.drop_after: list[int] = []
        """Byte counts after which the next responses break off."""
        self.ranges: list[str | None] = []
        """Range header of every request for contents."""
        self.status = 200
        self.address = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self.hub.ranges.append(self.headers.get("Range"))
        self._answer(body=True)

    def _answer(self, body: bool) -> None:
        contents = self.hub.files.get(self.path.replace(f"/resolve/{COMMIT}/", "/resolve/main/"))
        if contents is None or self.hub.status != 200:
            self.send_response(404 if contents is None else self.hub.status)
            self.send_header("X-Error-Code", "EntryNotFound" if contents is None else "")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = int((self.headers.get("Range") or "bytes=0-")[len("bytes=") :].split("-")[0])
        self.send_response(206 if start else 200)
        etag = self.hub.etag or hashlib.sha256(contents).hexdigest()
        self.send_header("ETag", f'"{etag}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("X-Linked-Etag", f'"{etag}"')
        self.send_header("X-Linked-Size", str(len(contents)))
        self.send_header("Content-Length", str(len(contents) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(contents) - 1}/{len(contents)}")
        self.end_headers()
        if body:
            limit = self.hub.drop_after.pop(0) if self.hub.drop_after else len(contents)
            self.wfile.write(contents[start : start + limit])
            if start + limit < len(contents):
                self.close_connection = True
                self.connection.close()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    from huggingface_hub import constants

    # The hub library keeps what it reads in pieces of 10 MB, and loses the last when cut off.
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 1000)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    state = Hub()
    handler = type("Handler", (_Handler,), {"hub": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    state.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield state
    server.shutdown()
    server.server_close()
