import math

import pytest

from quill_ls.ranking.criteria import (
    PUBLISHED,
    Curve,
    calibrate,
    falling,
    known_constants,
    linear_novelty_score,
    linear_perplexity_score,
    rising,
)


def test_a_score_is_one_half_at_the_midpoint():
    assert falling(35.243, PUBLISHED.matching) == 0.5
    assert falling(16.470, PUBLISHED.fluency) == 0.5
    assert rising(10.67, PUBLISHED.novelty) == 0.5


def test_published_curves_by_hand():
    # 1 / (1 + exp(0.053 * (20 - 35.243))) = 1 / (1 + exp(-0.807879))
    assert falling(20.0, PUBLISHED.matching) == pytest.approx(0.691657, abs=1e-6)
    # 1 / (1 + exp(0.5 * (10 - 16.47))) = 1 / (1 + exp(-3.235))
    assert falling(10.0, PUBLISHED.fluency) == pytest.approx(0.962130, abs=1e-6)
    # 1 / (1 + exp(-0.253 * (5 - 10.67))) = 1 / (1 + exp(1.43451))
    assert rising(5.0, PUBLISHED.novelty) == pytest.approx(0.192397, abs=1e-6)


def test_perplexity_falls_and_novelty_rises():
    curve = Curve(mu=10.0, k=0.3)
    assert falling(5.0, curve) > falling(15.0, curve)
    assert rising(5.0, curve) < rising(15.0, curve)


@pytest.mark.parametrize("value", [1e9, -1e9, math.inf])
def test_extreme_values_stay_in_the_interval(value: float):
    assert 0.0 <= falling(value, PUBLISHED.matching) <= 1.0
    assert 0.0 <= rising(value, PUBLISHED.novelty) <= 1.0


def test_what_was_not_measured_stays_unmeasured():
    assert math.isnan(falling(math.nan, PUBLISHED.matching))
    assert math.isnan(rising(math.nan, PUBLISHED.novelty))
    assert math.isnan(linear_perplexity_score(math.nan))
    assert math.isnan(linear_novelty_score(math.nan))


def test_linear_scores_of_the_first_version():
    assert linear_perplexity_score(10.0) == pytest.approx(0.8)
    assert linear_perplexity_score(70.0) == 0.0
    assert linear_novelty_score(2.0) == pytest.approx(0.5)
    assert linear_novelty_score(9.0) == 1.0


def test_calibration_by_hand():
    # 0, 1, ..., 100: mean 50, Q5 = 5, Q95 = 95.
    curve = calibrate([float(i) for i in range(101)])
    assert curve.mu == pytest.approx(50.0)
    assert curve.k == pytest.approx(math.log(9.0) / 90.0)


def test_a_calibrated_curve_runs_from_a_quarter_to_three_quarters():
    curve = calibrate([float(i) for i in range(101)])
    assert falling(5.0, curve) == pytest.approx(0.75)
    assert falling(95.0, curve) == pytest.approx(0.25)


@pytest.mark.parametrize("sample", [[], [3.0], [2.0, 2.0, 2.0], [math.nan, math.inf, 4.0]])
def test_calibration_refuses_a_sample_without_spread(sample: list[float]):
    with pytest.raises(ValueError, match="calibration needs"):
        calibrate(sample)


def test_constants_belong_to_a_model():
    known = known_constants("smollm2-135m@0123456789ab")
    assert known == known_constants("smollm2-135m")
    assert known != PUBLISHED
    assert known_constants("somebody-elses") == PUBLISHED
