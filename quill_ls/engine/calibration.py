"""The use case "calibrate": the constants of the criteria for one model (QUILL Appendix D).

The published constants belong to the paper's two models. For another one, quotations are drawn
from the store and put into contexts that come with Quill (``data/contexts.jsonl``, written for
this purpose): each drawn quotation into one context of its language. mu and k follow from the
perplexities and novelties of this sample.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.errors import InputError
from quill_ls.ranking.context import Context
from quill_ls.ranking.criteria import CRITERIA, Criterion, Curve, calibrate
from quill_ls.ranking.features import Features
from quill_ls.ranking.measurement import Known, Subject, measure
from quill_ls.ranking.rerank import Need
from quill_ls.scoring.perplexity import LanguageModel
from quill_ls.store.database import Store
from quill_ls.store.narrow import Narrow
from quill_ls.store.records import Quotation

Progress = Callable[[int, int | None], None]

MIN_SAMPLE = 20
LONGEST = 300
"""Code points of the longest quotation in the sample: longer ones are seldom suggested."""

_CHINESE = ("zh", "lzh")
_BLOCK = 16
"""Quotations that are scored in one context at once."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The constants that were found, and from how many quotations."""

    model: str
    curves: dict[Criterion, Curve]
    sample: int


def calibrate_model(
    store: Store,
    model: LanguageModel,
    language: str,
    *,
    size: int = 200,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
    cancel: CancelToken = NEVER,
) -> Calibration:
    """Measure a sample of the store and save the constants of `model` in it.

    Parameters
    ----------
    language
        "en", or "zh" for modern and classical Chinese: the language of the contexts.
    size
        Quotations to draw; fewer if the store has fewer.

    Raises
    ------
    InputError
        If the store has fewer than `MIN_SAMPLE` quotations in the language, or there are no
        contexts in it.
    StoreError
        If the store cannot be written.
    Cancelled
        Once `cancel` is set; nothing is saved.
    """
    contexts = _contexts(language)
    sample = _draw(store, language, size, seed)
    features: list[Features] = []
    known = Known()
    blocks = [sample[i : i + _BLOCK] for i in range(0, len(sample), _BLOCK)]
    for number, block in enumerate(blocks):
        context = contexts[number % len(contexts)]
        subjects = [
            Subject(text=each.text, search_frequency=each.search_frequency) for each in block
        ]
        needs: frozenset[Need] = frozenset({"matching", "fluency", "alone"})
        features += measure(context, subjects, needs, model, known, cancel)
        progress(len(features), len(sample))
    values: dict[Criterion, list[float]] = {
        "matching": [feature.ppl_m for feature in features],
        "fluency": [feature.ppl_f for feature in features],
        "novelty": [feature.novelty for feature in features],
    }
    curves = {criterion: calibrate(values[criterion]) for criterion in CRITERIA}
    with store.transaction():
        for criterion, curve in curves.items():
            count = sum(math.isfinite(value) for value in values[criterion])
            store.put_calibration(model.name, criterion, curve.mu, curve.k, count)
    return Calibration(model.name, curves, len(sample))


def _draw(store: Store, language: str, size: int, seed: int) -> list[Quotation]:
    languages = _CHINESE if language in _CHINESE else (language,)
    narrow = Narrow(languages=languages, max_length=LONGEST)
    ids = store.ids(narrow)
    if len(ids) < MIN_SAMPLE:
        raise InputError(
            f"The store has {len(ids)} quotations in “{language}”: calibration needs "
            f"{MIN_SAMPLE} at least.",
            "Import more first.",
        )
    drawn = random.Random(seed).sample(ids, min(size, len(ids)))
    return list(store.get_many(drawn).values())


def _contexts(language: str) -> Sequence[Context]:
    wanted = "zh" if language in _CHINESE else language
    text = resources.files("quill_ls").joinpath("data/contexts.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    chosen = [row for row in rows if row["language"] == wanted]
    if not chosen:
        raise InputError(
            f"There are no contexts in “{language}” to calibrate with.", "Try en or zh."
        )
    space = "" if wanted == "zh" else " "
    return [Context(row["left"], space + row["right"]) for row in chosen]
