"""The scores S_m, S_f and S_n of QUILL: perplexities and novelty brought to the interval 0..1.

A logistic curve with midpoint mu and steepness k (QUILL section 3, Appendix D)::

    S_m, S_f = 1 / (1 + exp( k (PPL - mu)))      high where the perplexity is low
    S_n      = 1 / (1 + exp(-k (Novelty - mu)))  high where the novelty is high

The published constants belong to the paper's two models averaged (Qwen2-7B and Llama3-8B).
For any other model they are calibrated on a sample: mu is the mean, k = ln 9 / (Q95 - Q5), so
that the scores run from 1/4 to 3/4 over the middle nine tenths of a symmetric sample.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

import numpy as np

Criterion = Literal["matching", "fluency", "novelty"]
CRITERIA: tuple[Criterion, ...] = ("matching", "fluency", "novelty")


@dataclass(frozen=True, slots=True)
class Curve:
    """Midpoint and steepness of one criterion's logistic curve; `k` is positive."""

    mu: float
    k: float


@dataclass(frozen=True, slots=True)
class Constants:
    """The three curves that belong to one model."""

    matching: Curve
    fluency: Curve
    novelty: Curve


PUBLISHED = Constants(
    matching=Curve(mu=35.243, k=0.053),
    fluency=Curve(mu=16.470, k=0.500),
    novelty=Curve(mu=10.67, k=0.253),
)
"""QUILL Appendix D."""


@cache
def known_constants(model: str) -> Constants:
    """Return the constants that come with Quill for a model, the published ones for any other.

    Parameters
    ----------
    model
        Name of the model, with or without the fingerprint of its weights ("name@...").
    """
    text = resources.files("quill_ls").joinpath("data/constants.toml").read_text("utf-8")
    curves = tomllib.loads(text).get(model.partition("@")[0])
    if curves is None:
        return PUBLISHED
    return Constants(**{criterion: Curve(**curves[criterion]) for criterion in CRITERIA})


def falling(value: float, curve: Curve) -> float:
    """Return 1 / (1 + exp(k (value - mu))): S_m of PPL_m, S_f of PPL_f. NaN stays NaN."""
    return _logistic(-curve.k * (value - curve.mu))


def rising(value: float, curve: Curve) -> float:
    """Return 1 / (1 + exp(-k (value - mu))): S_n of the novelty. NaN stays NaN."""
    return _logistic(curve.k * (value - curve.mu))


def linear_perplexity_score(perplexity: float) -> float:
    """Return 1 - PPL/50, the score of the paper's first version, not below 0."""
    return max(0.0, 1.0 - perplexity / 50.0) if not math.isnan(perplexity) else math.nan


def linear_novelty_score(novelty: float) -> float:
    """Return Novelty * 5 / 20, the score of the paper's first version, not above 1."""
    return min(1.0, novelty * 5.0 / 20.0) if not math.isnan(novelty) else math.nan


def calibrate(sample: Sequence[float]) -> Curve:
    """Fit a curve to a sample of perplexities or novelties (QUILL Appendix D).

    mu is the mean and k = ln 9 / (Q95 - Q5), quantiles by linear interpolation. Values that
    are not finite are left out.

    Raises
    ------
    ValueError
        For fewer than two finite values, or a sample without any spread.
    """
    values = np.asarray([value for value in sample if math.isfinite(value)], dtype=np.float64)
    if values.size < 2:
        raise ValueError("calibration needs at least two finite values")
    low, high = np.quantile(values, (0.05, 0.95))
    if not high > low:
        raise ValueError("calibration needs values that differ")
    return Curve(mu=float(values.mean()), k=math.log(9.0) / float(high - low))


def _logistic(x: float) -> float:
    if math.isnan(x):
        return math.nan
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-min(x, 700.0)))
    grown = math.exp(max(x, -700.0))
    return grown / (1.0 + grown)
