"""Fetching a model file from the Hugging Face Hub: resumable, verified, never half done.

The hub's own library speaks to the hub (addresses, tokens, redirects, retries within a
download). What it does not do is to take up a download that an earlier run began: it writes to a
new temporary file each time. So the partial file is kept here, named by the checksum of what it
will become, and grows until it is whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import ModelError
from quill_ls.scoring.manifest import HubSource, ModelEntry

Progress = Callable[[int, int | None], None]
"""Called with the bytes done so far and the total."""

_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_BLOCK: Final = 1 << 20


def offline_by_environment() -> bool:
    """Whether the environment forbids the hub (``HF_HUB_OFFLINE`` or ``TRANSFORMERS_OFFLINE``)."""
    return any(
        os.environ.get(name, "").upper() in {"1", "ON", "YES", "TRUE"}
        for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    )


def download(
    entry: ModelEntry,
    folder: Path,
    progress: Progress,
    cancel: CancelToken = NEVER,
    endpoint: str | None = None,
) -> tuple[Path, str]:
    """Fetch the file of a hub model into `folder`; return it with the checksum it must have.

    What an earlier call left unfinished is taken up where it ended. The contents are not looked
    at: `verify` does that.

    Parameters
    ----------
    entry
        A model whose source is the hub.
    folder
        Where partial files are kept; it must exist.
    progress
        Told the bytes that are here.
    cancel
        Looked at between pieces; the partial file is kept.
    endpoint
        Address of the hub; None takes ``HF_ENDPOINT`` or the public one.

    Raises
    ------
    ModelError
        If the hub cannot be reached, does not have the file or does not let the user have it,
        or has another file than the manifest knows.
    quill_ls.cancel.Cancelled
        Once `cancel` is set.
    """
    from huggingface_hub import get_hf_file_metadata, hf_hub_url
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

    source = entry.source
    if not isinstance(source, HubSource):
        raise TypeError(f"{entry.name} does not come from the hub")
    with _told_plainly(entry, source):
        url = hf_hub_url(
            source.repository, source.file, revision=source.revision, endpoint=endpoint
        )
        metadata = get_hf_file_metadata(url, endpoint=endpoint)
        sha256 = _expected_sha256(entry, metadata.etag or "")
        size = metadata.size or entry.size
        # The commit instead of a branch, so that both halves of a download are of one file.
        url = hf_hub_url(
            source.repository,
            source.file,
            revision=metadata.commit_hash or source.revision,
            endpoint=endpoint,
        )
        partial = folder / f"{entry.name}-{sha256[:16]}.part"
        with _PartialFile(partial, size, progress, cancel) as file, _no_bars():
            http_get(
                url,
                cast(Any, file),
                resume_size=file.tell(),
                headers=build_hf_headers(),
                expected_size=size,
            )
    return partial, sha256


def verify(path: Path, sha256: str, progress: Progress, cancel: CancelToken = NEVER) -> None:
    """Compare a file with the checksum that it must have.

    Raises
    ------
    ModelError
        If it has another one.
    """
    digest = hashlib.sha256()
    total = path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            cancel.check()
            digest.update(block)
            progress(file.tell(), total)
    if digest.hexdigest() != sha256:
        raise ModelError(
            f"{path.name} does not have the contents it should: its SHA-256 is "
            f"{digest.hexdigest()} instead of {sha256}.",
            "Nothing was installed. Try again; if it happens again, the source has changed.",
        )


class _PartialFile(io.FileIO):
    """The file that a download grows in; reports every piece, and stops when cancelled."""

    def __init__(self, path: Path, total: int, progress: Progress, cancel: CancelToken) -> None:
        super().__init__(path, "ab")
        if self.tell() > total:
            self.truncate(0)
        self._total, self._progress, self._cancel = total, progress, cancel

    def write(self, data: Any, /) -> int:
        written = 0
        view = memoryview(data)
        while written < len(view):
            self._cancel.check()
            written += super().write(view[written:])
        self._progress(self.tell(), self._total)
        return written


def _expected_sha256(entry: ModelEntry, etag: str) -> str:
    """Agree with the hub on the checksum: the hub's etag of a large file is its SHA-256."""
    offered = etag if _SHA256.fullmatch(etag) else ""
    expected = entry.sha256 or offered
    if not expected:
        raise ModelError(
            f"The hub gives no checksum for {entry.name}, so it cannot be verified.",
            "Download the file yourself and name its path as the model.",
        )
    if offered and offered != expected:
        raise ModelError(
            f"The file of {entry.name} on the hub is not the one that Quill knows: its SHA-256 is "
            f"{offered} instead of {expected}.",
            "Nothing was downloaded. A newer version of Quill may know it.",
        )
    return expected


@contextlib.contextmanager
def _no_bars() -> Iterator[None]:
    """Keep the hub library's own progress bars away: progress is the caller's to show."""
    from huggingface_hub import utils as hub

    group = "huggingface_hub.http_get"
    if hub.are_progress_bars_disabled(group):  # type: ignore[attr-defined]
        yield
        return
    hub.disable_progress_bars(group)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        hub.enable_progress_bars(group)  # type: ignore[attr-defined]


@contextlib.contextmanager
def _told_plainly(entry: ModelEntry, source: HubSource) -> Iterator[None]:
    """Turn what the hub library raises into one sentence."""
    from huggingface_hub import errors

    where = f"{source.repository}/{source.file}"
    try:
        yield
    except errors.OfflineModeIsEnabled:
        raise offline_error(entry) from None
    except errors.GatedRepoError as error:
        raise ModelError(
            f"The hub wants its terms for {source.repository} to be accepted first.",
            "Accept them on its page, run `hf auth login`, and try again.",
        ) from error
    except (errors.RepositoryNotFoundError, errors.EntryNotFoundError) as error:
        raise ModelError(
            f"The hub does not have {where} (revision {source.revision}), or not for you."
        ) from error
    except errors.HfHubHTTPError as error:
        raise ModelError(
            f"The hub answered with an error for {where}: {_first_line(error)}.",
            "What has arrived is kept; run the command again later to go on.",
        ) from error
    except Exception as error:
        if not _is_of_the_network(error):
            raise
        raise ModelError(
            f"The download of {where} failed: {_first_line(error)}.",
            "What has arrived is kept; run the command again to go on.",
        ) from error


def offline_error(entry: ModelEntry) -> ModelError:
    """Return the error for a download while downloads are forbidden."""
    return ModelError(
        f"{entry.name} would have to be downloaded, and Quill is offline.",
        "Unset `model.offline` and HF_HUB_OFFLINE and leave out `--offline`; or fetch the file on "
        "another machine and name its path as the model.",
    )


def _is_of_the_network(error: Exception) -> bool:
    # The hub library speaks through httpx, or its successor, or requests, as its version goes.
    modules = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    return bool(modules & {"httpx", "httpx2", "httpcore", "requests", "urllib3"}) or (
        isinstance(error, ConnectionError | TimeoutError)
        or (isinstance(error, OSError) and error.errno is None)
    )


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return (text[0] if text else type(error).__name__).rstrip(".")
