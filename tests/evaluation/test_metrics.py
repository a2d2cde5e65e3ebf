import math

import pytest

from quill_ls.evaluation.metrics import dcg, hit_rate, ndcg, reciprocal_rank


def test_hit_rate():
    assert hit_rate([False, True, False], 1) == 0.0
    assert hit_rate([False, True, False], 3) == 1.0
    assert hit_rate([], 3) == 0.0


def test_reciprocal_rank():
    assert reciprocal_rank([False, False, True]) == pytest.approx(1 / 3)
    assert reciprocal_rank([False, False]) == 0.0


def test_dcg_by_hand():
    # 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert dcg([3, 2, 1]) == pytest.approx(3 + 2 / math.log2(3) + 0.5)


def test_ndcg_by_hand():
    # Ranked 1, 5, 3; the best two are 5 and 3.
    expected = (1 + 5 / math.log2(3)) / (5 + 3 / math.log2(3))
    assert ndcg([1, 5, 3], 2) == pytest.approx(expected)
    assert ndcg([5, 3, 1], 3) == 1.0
    assert ndcg([0, 0], 1) == 0.0
