"""Notability of an author: does a reader know the name? The model that has read much does.

log P(name) after a line of famous quotations with their authors, summed over the tokens of the
name (design, "Ranking"): about -4 for Einstein, -17 for Toni Morrison, below -30 for authors
whom no reader knows. Computed once for an author and a model, and kept in the store.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.scoring.perplexity import Continuation, LanguageModel
from quill_ls.text.script import has_han

_PROMPT = {
    "en": (
        "Famous quotations with their authors:\n"
        "“To be, or not to be, that is the question.” — William Shakespeare\n"
        "“I think, therefore I am.” — René Descartes\n"
        "“That which does not kill us makes us stronger.” — Friedrich Nietzsche\n"
        "“The unexamined life is not worth living.” —"
    ),
    "zh": (
        "名人名言及其作者：\n"
        "“学而时习之，不亦说乎？”——孔子\n"
        "“床前明月光，疑是地上霜。”——李白\n"
        "“先天下之忧而忧，后天下之乐而乐。”——范仲淹\n"
        "“路漫漫其修远兮，吾将上下而求索。”——"
    ),
}

WELL_KNOWN = -8.0
UNKNOWN = -30.0
"""Log-probabilities at which the prior reaches 1 and 0."""


def measure_notability(
    model: LanguageModel, names: Sequence[str], cancel: CancelToken = NEVER
) -> list[float]:
    """Return log P(name), summed over its tokens, for every name, in order.

    Names in Han characters are asked for after Chinese quotations, all others after English
    ones. All names of one script share one decoded prefix.
    """
    result = [math.nan] * len(names)
    for script, prompt in _PROMPT.items():
        rows = [i for i, name in enumerate(names) if _script(name) == script]
        space = "" if script == "zh" else " "
        continuations = [Continuation(space + names[i], "") for i in rows]
        scores = model.score(prompt, continuations, frozenset({"quotation"}), cancel)
        for row, score in zip(rows, scores, strict=True):
            result[row] = math.fsum(score.quotation)
    return result


def prior(log_probability: float) -> float:
    """Map log P(name) to 0..1, linearly between `UNKNOWN` and `WELL_KNOWN`; NaN gives 0.5."""
    if math.isnan(log_probability):
        return 0.5
    return min(1.0, max(0.0, (log_probability - UNKNOWN) / (WELL_KNOWN - UNKNOWN)))


def priors(log_probabilities: Mapping[int, float]) -> dict[int, float]:
    """Map log P(name) by author id to priors by author id."""
    return {author: prior(value) for author, value in log_probabilities.items()}


def _script(name: str) -> str:
    return "zh" if has_han(name) else "en"
