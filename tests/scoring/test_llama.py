"""The real model gives the numbers of the plain computation, however the work is cut."""

from __future__ import annotations

import ctypes
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import pytest

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.errors import ModelError
from quill_ls.scoring import llama, native
from quill_ls.scoring.llama import LlamaModel
from quill_ls.scoring.naive import NaiveModel
from quill_ls.scoring.perplexity import (
    Continuation,
    Part,
    TokenScores,
    fluency_perplexity,
    matching_perplexity,
    quotation_perplexity,
)

pytestmark = pytest.mark.model

ALL: frozenset[Part] = frozenset({"left", "quotation", "right"})
RIGHT: frozenset[Part] = frozenset({"right"})

LEFT = "My grandfather, who never opened a book in his life, used to tell us:"
CANDIDATES = (
    Continuation(' "The unexamined life is not worth living."', " Then he went back to his bees."),
    Continuation(' "All that glitters is not gold."', " Then he went back to his bees."),
    Continuation(' "Well begun is half done."', ""),  # nothing follows
    Continuation("", " Nothing at all."),  # the vanilla case: no quotation
    Continuation("", ""),
    Continuation(' "No"', " was all."),  # shorter than the head of five characters
    Continuation("“学而时习之，不亦说乎？”", "这是孔子说的。"),
    Continuation(" 🎉👩‍👩‍👧 naïve café", " 🎉!"),
    Continuation(' "All that glitters is not gold."', " Then he went back to his bees."),  # again
)

TOLERANCE = 0.001
"""In log-probability, with exact arithmetic: see `exact_path`."""

QUANTISED_TOLERANCE = 0.05
"""Of a perplexity, relative. Quantised activations turn a last bit into a step."""


@pytest.fixture(scope="module")
def exact_path(smollm2_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The model with float32 weights, and from here on float32 in the KV cache.

    Quantised weights hide mistakes: they round the activations too, so that a different order
    of additions, which any other batch means, can change a log-probability by 0.3. In float32
    the difference is 0.00003.
    """
    native.start_backend()
    path = tmp_path_factory.mktemp("exact") / "smollm2-f32.gguf"
    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype, parameters.allow_requantize = llama_cpp.LLAMA_FTYPE_ALL_F32, True
    source, target = os.fsencode(smollm2_path), os.fsencode(path)
    assert llama_cpp.llama_model_quantize(source, target, ctypes.byref(parameters)) == 0

    defaults = llama_cpp.llama_context_default_params

    def float32_cache() -> Any:
        parameters = defaults()
        parameters.type_k = parameters.type_v = llama_cpp.GGML_TYPE_F32
        return parameters

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llama_cpp, "llama_context_default_params", float32_cache)
        yield path
    path.unlink()


@pytest.fixture(scope="module")
def exact(exact_path: Path) -> Iterator[LlamaModel]:
    with LlamaModel(exact_path) as model:
        yield model


Plain = Callable[[str, Sequence[Continuation]], list[TokenScores]]


@pytest.fixture(scope="module")
def plain(exact_path: Path) -> Iterator[Plain]:
    """The one-at-a-time computation, each result computed once."""
    model = NaiveModel(exact_path)
    known: dict[tuple[str, Continuation], TokenScores] = {}

    def score(left: str, continuations: Sequence[Continuation]) -> list[TokenScores]:
        for each in continuations:
            if (left, each) not in known:
                [known[left, each]] = model.score_one_at_a_time(left, [each])
        return [known[left, each] for each in continuations]

    yield score
    model.close()


@pytest.fixture
def load(exact_path: Path) -> Iterator[Callable[..., LlamaModel]]:
    """Load the exact model again, with options of its own."""
    models: list[LlamaModel] = []

    def load(**options: Any) -> LlamaModel:
        models.append(LlamaModel(exact_path, **options))
        return models[-1]

    yield load
    for model in models:
        model.close()


MEASURES = (matching_perplexity, quotation_perplexity, fluency_perplexity)


def assert_same(
    got: Sequence[TokenScores], expected: Sequence[TokenScores], parts: frozenset[Part] = ALL
) -> None:
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        for part in ALL:
            wanted = getattr(other, part) if part in parts else ()
            assert getattr(one, part) == pytest.approx(wanted, abs=TOLERANCE)
        assert one.quotation_starts == (other.quotation_starts if "quotation" in parts else ())


@pytest.mark.parametrize("left", [LEFT, ""])
def test_every_measure_equals_the_one_at_a_time_computation(
    exact: LlamaModel, plain: Plain, left: str
) -> None:
    got = exact.score(left, CANDIDATES, ALL)
    expected = plain(left, CANDIDATES)
    assert_same(got, expected)
    for measure in MEASURES:
        assert [measure(scores) for scores in got] == pytest.approx(
            [measure(scores) for scores in expected], rel=TOLERANCE, nan_ok=True
        )


def test_with_quantised_weights_every_measure_is_nearly_the_same(
    smollm2: LlamaModel, smollm2_path: Path
) -> None:
    got = smollm2.score(LEFT, CANDIDATES[:4], ALL)
    quantised = NaiveModel(smollm2_path)
    expected = quantised.score_one_at_a_time(LEFT, CANDIDATES[:4])
    quantised.close()
    for measure in MEASURES:
        assert [measure(scores) for scores in got] == pytest.approx(
            [measure(scores) for scores in expected], rel=QUANTISED_TOLERANCE, nan_ok=True
        )


@pytest.mark.parametrize("left", [LEFT, ""])
@pytest.mark.parametrize(
    "parts",
    [frozenset(), {"left"}, {"quotation"}, {"right"}, {"left", "right"}, {"quotation", "right"}],
    ids=lambda parts: "+".join(sorted(parts)) or "none",
)
def test_only_the_parts_asked_for_are_scored(
    exact: LlamaModel, plain: Plain, left: str, parts: set[Part]
) -> None:
    got = exact.score(left, CANDIDATES, frozenset(parts))
    assert_same(got, plain(left, CANDIDATES), frozenset(parts))


@pytest.mark.parametrize(
    "options",
    [
        {"batch_tokens": 5},
        {"batch_tokens": 40},
        {"sequences": 1},
        {"sequences": 2, "batch_tokens": 64},
        {"context_tokens": 70},  # two candidates at most beside the left context
        {"logits_bytes": 3 * 4 * 49152},  # three rows of logits in a call
    ],
    ids=str,
)
def test_scores_do_not_depend_on_the_split(
    load: Callable[..., LlamaModel], plain: Plain, options: dict[str, int]
) -> None:
    model = load(**options)
    for left in (LEFT, ""):
        expected = plain(left, CANDIDATES)
        assert_same(model.score(left, CANDIDATES, ALL), expected)


def test_without_bos_and_left_context_the_first_token_has_no_score(smollm2: LlamaModel) -> None:
    assert not smollm2.info.adds_bos
    [scores] = smollm2.score("", [Continuation("Hello world", "!")], ALL)
    assert scores.quotation_starts == (5,)
    assert len(scores.quotation) == 1
    [scores] = smollm2.score("", [Continuation("", "Hello world")], ALL)
    assert len(scores.right) == 1


def test_probabilities_are_over_the_whole_vocabulary(smollm2: LlamaModel) -> None:
    # The letters after "a, b, c," are nearly certain: d, not z.
    scores = smollm2.score("a, b, c, d, e, f,", [Continuation("", x) for x in (" g", " z")], RIGHT)
    likely, unlikely = (math.exp(each.right[0]) for each in scores)
    assert 0.5 < likely < 1
    assert likely + unlikely < 1


class TestQuotationStarts:
    def test_words(self, smollm2: LlamaModel) -> None:
        [scores] = smollm2.score("x", [Continuation(" life is short", "")], ALL)
        assert scores.quotation_starts == (0, 5, 8)

    def test_a_token_inside_a_character_has_the_offset_of_the_character(
        self, smollm2: LlamaModel
    ) -> None:
        # SmolLM2 cuts 🎉 (F0 9F 8E 89) into several tokens, the first with the space before.
        [scores] = smollm2.score("x", [Continuation(" 🎉!", "")], ALL)
        assert scores.quotation_starts[0] == 0
        assert set(scores.quotation_starts[1:-1]) == {1}
        assert scores.quotation_starts[-1] == 2

    def test_chinese(self, smollm2: LlamaModel) -> None:
        text = "学而时习之"
        [scores] = smollm2.score("x", [Continuation(text, "")], ALL)
        assert list(scores.quotation_starts) == sorted(scores.quotation_starts)
        assert scores.quotation_starts[0] == 0
        assert max(scores.quotation_starts) == len(text) - 1


class TestLongContexts:
    def test_the_left_context_loses_its_head(self, load: Callable[..., LlamaModel]) -> None:
        model = load(context_tokens=64)
        tail = " and so the old man said"
        kept = 64 // 2
        far = " far" * (kept - model.count_tokens(tail))
        ends_alike = [text + far + tail for text in ("", " other words", " many" * 500)]
        continuation = Continuation(' "Know thyself."', " Nobody answered.")
        first, *others = [model.score(text, [continuation], RIGHT)[0] for text in ends_alike]
        for other in others:
            assert other.right == pytest.approx(first.right, abs=TOLERANCE)

    def test_the_right_context_loses_its_tail(self, load: Callable[..., LlamaModel]) -> None:
        model = load(context_tokens=64)
        quotation = ' "Know thyself."'
        [scores] = model.score("He said", [Continuation(quotation, " more" * 500)], ALL)
        used = model.count_tokens("He said") + model.count_tokens(quotation)
        assert len(scores.right) == 64 - used

    def test_the_quotation_is_never_cut(self, load: Callable[..., LlamaModel]) -> None:
        model = load(context_tokens=64)
        long = " word" * 60
        [scores] = model.score(LEFT * 9, [Continuation(long, " more" * 99)], ALL)
        # Nothing is left of the left context, so the first token has no score.
        assert scores.quotation_starts == tuple(range(5, 300, 5))
        assert len(scores.right) == 4  # the room that the quotation leaves

    def test_long_and_short_quotations_in_one_call_keep_their_own_scores(
        self, load: Callable[..., LlamaModel]
    ) -> None:
        model = load(context_tokens=64)
        each = [Continuation(" word" * 60, " more" * 99), Continuation(" word", " more")]
        together = model.score(LEFT * 9, each, ALL)
        assert_same(together, [model.score(LEFT * 9, [one], ALL)[0] for one in each])

    def test_a_quotation_longer_than_the_context_is_an_error(
        self, load: Callable[..., LlamaModel]
    ) -> None:
        model = load(context_tokens=64)
        with pytest.raises(ModelError, match="65 tokens does not fit"):
            model.score(LEFT, [Continuation(" word" * 65, "")], ALL)


class TestPrefix:
    @pytest.mark.parametrize(
        "then",
        [
            LEFT,
            LEFT + " once:",
            LEFT[:30],
            "My grandfather, who hated books, used to say:",
            "",
            "Q",
        ],
        ids=["same", "longer", "shorter", "begins alike", "empty", "different"],
    )
    @pytest.mark.parametrize("first_parts", [RIGHT, ALL], ids=["right", "all"])
    @pytest.mark.parametrize("then_parts", [RIGHT, ALL], ids=["right", "all"])
    def test_an_earlier_call_changes_nothing(
        self,
        exact: LlamaModel,
        plain: Plain,
        then: str,
        first_parts: frozenset[Part],
        then_parts: frozenset[Part],
    ) -> None:
        exact.score(LEFT, CANDIDATES[:2], first_parts)
        got = exact.score(then, CANDIDATES[:2], then_parts)
        assert_same(got, plain(then, CANDIDATES[:2]), then_parts)

    def test_the_same_left_context_is_not_decoded_again(
        self, smollm2: LlamaModel, decoded: list[int]
    ) -> None:
        smollm2.score(LEFT, [], frozenset({"left"}))
        smollm2.score(LEFT, CANDIDATES[:1], ALL)
        before = len(decoded)
        smollm2.score(LEFT, CANDIDATES[:1], ALL)
        assert len(decoded) == before + 1

    def test_identical_continuations_are_decoded_once(
        self, smollm2: LlamaModel, decoded: list[int]
    ) -> None:
        one = CANDIDATES[0]
        smollm2.score(LEFT, [one], RIGHT)
        smollm2.score(LEFT, [one] * 20, RIGHT)
        assert decoded[-1] == decoded[-2]


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of tokens of every decode call, as they happen."""
    sizes: list[int] = []
    decode = llama.DecodingContext.decode

    def counting(self: Any, runs: Any, cancel: CancelToken) -> Any:
        sizes.append(sum(len(run.tokens) for run in runs))
        return decode(self, runs, cancel)

    monkeypatch.setattr(llama.DecodingContext, "decode", counting)
    return sizes


class TestCancelling:
    def test_a_token_cancelled_beforehand_stops_everything(
        self, smollm2: LlamaModel, decoded: list[int]
    ) -> None:
        cancel = CancelToken()
        cancel.cancel()
        with pytest.raises(Cancelled):
            smollm2.score("A left context of its own", CANDIDATES, ALL, cancel)
        assert len(decoded) == 1  # the call that found out

    def test_between_two_calls(
        self, load: Callable[..., LlamaModel], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        model, cancel = load(batch_tokens=16), CancelToken()
        calls: list[int] = []
        decode = llama.DecodingContext.decode

        def cancelling(self: Any, runs: Any, token: CancelToken) -> Any:
            logits = decode(self, runs, token)
            calls.append(len(runs))
            if len(calls) == 3:
                cancel.cancel()
            return logits

        monkeypatch.setattr(llama.DecodingContext, "decode", cancelling)
        with pytest.raises(Cancelled):
            model.score(LEFT, CANDIDATES, ALL, cancel)
        assert len(calls) == 3

    def test_from_another_thread_in_the_middle_of_a_call(
        self, load: Callable[..., LlamaModel], plain: Plain
    ) -> None:
        # One call of 2,000 tokens takes seconds: it must not be waited for.
        model, cancel = load(batch_tokens=2048), CancelToken()
        timer = threading.Timer(0.05, cancel.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            model.score("", [Continuation(" word" * 2000, "")], ALL, cancel)
        timer.join()
        # And what was half done does not matter for what comes next.
        got = model.score(LEFT, CANDIDATES[:2], ALL)
        assert_same(got, plain(LEFT, CANDIDATES[:2]))


def test_several_threads_take_turns(exact: LlamaModel) -> None:
    expected = exact.score(LEFT, CANDIDATES[:1], RIGHT)
    results: list[list[TokenScores]] = []

    def work() -> None:
        results.append(exact.score(LEFT, CANDIDATES[:1], RIGHT))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for result in results:
        assert_same(result, expected, RIGHT)


def test_text_that_looks_like_a_control_token_is_text(smollm2: LlamaModel) -> None:
    assert smollm2.count_tokens("<|im_start|>") > 1


def test_a_lone_surrogate_does_not_stop_the_scoring(smollm2: LlamaModel) -> None:
    [scores] = smollm2.score("x", [Continuation("a \ud800 b", " c")], ALL)
    assert scores.right


def test_info_tells_what_was_loaded(smollm2: LlamaModel) -> None:
    info = smollm2.info
    assert info.architecture == "llama"
    assert info.vocabulary == 49152
    assert info.trained_context == 8192
    assert info.layers == 30
    assert (info.bos, info.eos, info.adds_bos) == (1, 2, False)
    assert info.layers_offloaded <= info.layers + 1
    if not info.devices:
        assert info.layers_offloaded == 0


def test_the_name_of_a_file_tells_its_weights_apart(smollm2_path: Path) -> None:
    with LlamaModel(smollm2_path, context_tokens=64) as model:
        assert model.name == f"SmolLM2-135M-Instruct.Q4_1:{smollm2_path.stat().st_size}"


def test_nothing_is_written_to_the_standard_streams(
    smollm2_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with LlamaModel(smollm2_path, context_tokens=64) as model:
        model.score(LEFT, CANDIDATES[:1], RIGHT)
    assert capfd.readouterr() == ("", "")
