"""Scoring with llama.cpp: the left context decoded once, all candidates beside each other.

Sequence 0 of the KV cache is the *prefix*: BOS, where the model wants one, and the left context.
For each candidate it is copied (no data moves: the cache cells are marked as shared) to a
sequence of its own, and the candidates' tails, quotation and right context, are decoded together,
several in one call, with logits only after the tokens whose successor is scored. The prefix
stays in the cache, so that the next call with the same left context, or one that begins alike,
starts where this one ended.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import ModelError
from quill_ls.scoring.batching import Call, Limits, Tail, fit, plan_waves, split_calls
from quill_ls.scoring.decoding import DecodingContext, Run
from quill_ls.scoring.logits import log_probabilities, log_softmax
from quill_ls.scoring.native import physical_cores
from quill_ls.scoring.perplexity import Continuation, Part, TokenScores
from quill_ls.scoring.weights import ModelInfo, Weights

CONTEXT_TOKENS = 2048
BATCH_TOKENS = 256
SEQUENCES = 31
LOGITS_BYTES = 128 << 20


@dataclass(frozen=True, slots=True)
class _Prefix:
    """What is known of sequence 0.

    Attributes
    ----------
    tokens
        All of its tokens.
    scores
        Log-probabilities of all tokens but the first, or None where they were not computed.
    following
        Shape (vocabulary,): log-probabilities of the token after the last; None for no tokens.
    """

    tokens: tuple[int, ...]
    scores: tuple[float, ...] | None
    following: NDArray[np.float32] | None


_NOTHING = _Prefix((), (), None)


@dataclass(frozen=True, slots=True)
class _Job:
    """One distinct continuation, tokenised and cut to size.

    Attributes
    ----------
    left
        How many tokens of the left context it keeps.
    tokens
        The quotation and the right context.
    border
        How many of the tokens are the quotation's.
    starts
        Offset of the first character of each token of the quotation.
    first, last
        The tokens ``first`` (included) to ``last`` (excluded) are scored.
    """

    left: int
    tokens: tuple[int, ...]
    border: int
    starts: tuple[int, ...]
    first: int
    last: int

    @property
    def tail(self) -> Tail:
        """What must be decoded: all before the last scored token, which itself need not be."""
        if self.first == self.last:
            return Tail(0, 0)
        return Tail(self.last - 1, max(0, self.first - 1))

    def scores(self, values: Sequence[float], left: tuple[float, ...]) -> TokenScores:
        """Share out the log-probabilities of the scored tokens.

        Where the first token of a sequence has no probability, there is one value less.
        """
        missing = self.last - self.first - len(values)
        border = max(0, self.border - self.first - missing)
        starts = self.starts[missing:] if self.first < self.border else ()
        return TokenScores(left, tuple(values[:border]), tuple(values[border:]), starts)


class LlamaModel:
    """A GGUF model as a `LanguageModel`. May be called from several threads, one at a time.

    Parameters
    ----------
    path
        The GGUF file.
    name
        Identifies the weights in caches and stores; by default the file's name and size.
    gpu_layers
        Layers to put on a GPU; -1 for as many as fit.
    threads
        Threads to compute with; 0 for the physical cores.
    context_tokens
        Longest sequence, and size of the KV cache; never more than the model was trained on.
    batch_tokens
        Tokens in one decode call.
    sequences
        Candidates in one decode call.
    logits_bytes
        Memory for the logits of one decode call.

    Raises
    ------
    ModelError
        If the file cannot be loaded, see `Weights`, or memory is short.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str | None = None,
        gpu_layers: int = -1,
        threads: int = 0,
        context_tokens: int = CONTEXT_TOKENS,
        batch_tokens: int = BATCH_TOKENS,
        sequences: int = SEQUENCES,
        logits_bytes: int = LOGITS_BYTES,
    ) -> None:
        self._lock = threading.Lock()
        self._weights = Weights(path, gpu_layers)
        try:
            self.info: ModelInfo = self._weights.info()
            self.threads = threads or physical_cores()
            cells = min(context_tokens, self.info.trained_context or context_tokens)
            self.limits = Limits(
                tokens=min(batch_tokens, cells),
                rows=max(1, logits_bytes // (4 * self._weights.vocabulary)),
                cells=cells,
                sequences=sequences,
            )
            self._context = DecodingContext(self._weights, self.limits, self.threads)
        except BaseException:
            self._weights.close()
            raise
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="logits")
        self._name = name or f"{path.stem}:{path.stat().st_size}"
        self._prefix = _NOTHING

    @property
    def name(self) -> str:
        """Identify the weights: the same name always gives the same scores."""
        return self._name

    def close(self) -> None:
        """Give the memory back; the model cannot be used afterwards."""
        with self._lock:
            self._pool.shutdown()
            self._context.close()
            self._weights.close()

    def __enter__(self) -> LlamaModel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of `text` in the middle of a sequence, without BOS."""
        return len(self._weights.tokens(text))

    def score(
        self,
        left: str,
        continuations: Sequence[Continuation],
        parts: frozenset[Part],
        cancel: CancelToken = NEVER,
    ) -> list[TokenScores]:
        """Score every continuation after `left`; see `LanguageModel.score`."""
        with self._lock:
            try:
                return self._score(left, continuations, parts, cancel)
            except BaseException:
                self._forget()  # the cache may hold a part of what was being decoded
                raise

    def forget(self) -> None:
        """Forget the left context of the last call."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._context.clear()
        self._prefix = _NOTHING

    def _score(
        self,
        left: str,
        continuations: Sequence[Continuation],
        parts: frozenset[Part],
        cancel: CancelToken,
    ) -> list[TokenScores]:
        bos, left_tokens = self._weights.bos_tokens, self._weights.tokens(left)
        jobs = {
            each: self._job(len(left_tokens), each, parts) for each in dict.fromkeys(continuations)
        }
        scores: dict[Continuation, TokenScores] = {}
        # All keep the same left context, but for quotations that nearly fill the model's.
        for kept in sorted({job.left for job in jobs.values()}, reverse=True):
            group = {each: job for each, job in jobs.items() if job.left == kept}
            prefix = bos + left_tokens[len(left_tokens) - kept :]
            self._decode_prefix(prefix, "left" in parts, cancel)
            left_scores = (self._prefix.scores or ()) if "left" in parts else ()
            values = self._score_tails(list(group.values()), cancel)
            for (each, job), job_values in zip(group.items(), values, strict=True):
                scores[each] = job.scores(job_values, left_scores)
        return [scores[each] for each in continuations]

    def _job(self, left: int, continuation: Continuation, parts: frozenset[Part]) -> _Job:
        quotation = self._weights.tokens(continuation.quotation)
        right = self._weights.tokens(continuation.right)
        room = self.limits.cells - len(self._weights.bos_tokens)
        kept = fit(left, len(quotation), len(right), room)
        if kept is None:
            raise ModelError(
                f"A quotation of {len(quotation)} tokens does not fit into the model's context "
                f"of {room} tokens.",
                "Raise the context size, or shorten the quotation.",
            )
        border = len(quotation)
        first = 0 if "quotation" in parts else border
        last = border + kept.right if "right" in parts else border
        return _Job(
            left=kept.left,
            tokens=quotation + right[: kept.right],
            border=border,
            starts=self._weights.starts(quotation),
            first=first,
            last=max(first, last),
        )

    def _decode_prefix(
        self, tokens: tuple[int, ...], scores_wanted: bool, cancel: CancelToken
    ) -> None:
        """Make sequence 0 hold `tokens`, decoding only what it does not hold yet."""
        old = self._prefix
        known = old.scores is not None or not scores_wanted
        if old.tokens == tokens and known:
            return
        if not tokens:
            self._forget()
            return
        kept = min(_common(old.tokens, tokens), len(tokens) - 1) if known else 0
        if scores_wanted:
            kept = max(0, kept - 1)  # its logits give the score of the first that differs
        if kept == 0 or not self._context.truncate(0, kept):
            self._context.clear()
            kept = 0
        self._prefix = _NOTHING  # until all is decoded

        new = tokens[kept:]
        scores = list(old.scores[:kept]) if scores_wanted and old.scores else []
        tail = Tail(len(new), 0 if scores_wanted else len(new) - 1)
        following: NDArray[np.float32] | None = None
        for start, end in split_calls(tail, self.limits):
            run = Run(0, kept + start, new[start:end], max(0, tail.first_row - start))
            logits = self._context.decode([run], cancel)
            if end == len(new):
                following = log_softmax(logits[-1])
                logits = logits[:-1]
            if scores_wanted:
                targets = new[start + 1 : start + 1 + len(logits)]
                scores += self._log_probabilities(logits, targets)
        self._prefix = _Prefix(tokens, tuple(scores) if scores_wanted else None, following)

    def _score_tails(self, jobs: Sequence[_Job], cancel: CancelToken) -> list[list[float]]:
        """Decode the tails of all jobs after the prefix; return the values of scored tokens."""
        prefix = self._prefix
        values: list[list[float]] = [[] for _ in jobs]
        for job, scored in zip(jobs, values, strict=True):
            if job.first == 0 < job.last and prefix.following is not None:
                scored.append(float(prefix.following[job.tokens[0]]))

        tails = [job.tail for job in jobs]
        for wave in plan_waves(tails, len(prefix.tokens), self.limits):
            for call in wave:
                self._decode_call(call, jobs, values, cancel)
            for sequence in range(1, len(wave[0]) + 1):
                self._context.truncate(sequence, 0)
        return values

    def _decode_call(
        self,
        call: Call,
        jobs: Sequence[_Job],
        values: list[list[float]],
        cancel: CancelToken,
    ) -> None:
        """Decode one call of a wave, and append what it tells to the jobs' values."""
        runs: list[Run] = []
        targets: list[tuple[int, ...]] = []
        for sequence, part in enumerate(call, start=1):
            if part.start == 0 and self._prefix.tokens:
                self._context.copy(0, sequence)
            job = jobs[part.tail]
            row = max(part.start, job.tail.first_row)
            position = len(self._prefix.tokens) + part.start
            tokens = job.tokens[part.start : part.end]
            runs.append(Run(sequence, position, tokens, row - part.start))
            targets.append(job.tokens[row + 1 : part.end + 1])
        logits = self._context.decode(runs, cancel)
        scores = iter(self._log_probabilities(logits, tuple(chain.from_iterable(targets))))
        for part, wanted in zip(call, targets, strict=True):
            values[part.tail].extend(islice(scores, len(wanted)))

    def _log_probabilities(self, logits: NDArray[np.float32], tokens: Sequence[int]) -> list[float]:
        followers = np.array(tokens, dtype=np.intp)
        scores = log_probabilities(logits, followers, self._pool)
        return [float(score) for score in scores]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many tokens two sequences have in common at their heads."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
