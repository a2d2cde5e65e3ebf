import pytest

from quill_ls.retrieval.fusion import reciprocal_rank_fusion, weighted_sum


def test_reciprocal_rank_fusion_by_hand():
    fused = reciprocal_rank_fusion([[7, 8], [8, 9]])
    assert fused == {
        7: pytest.approx(1 / 61),
        8: pytest.approx(1 / 62 + 1 / 61),
        9: pytest.approx(1 / 62),
    }


def test_weighted_sum_brings_each_search_to_the_same_scale():
    fused = weighted_sum([(1.0, {1: 0.2, 2: 0.7}), (0.5, {2: 10.0, 3: 30.0})])
    assert fused == {1: 0.0, 2: pytest.approx(1.0), 3: pytest.approx(0.5)}


def test_a_search_with_one_hit_or_none():
    assert weighted_sum([(1.0, {}), (0.3, {5: -4.0})]) == {5: pytest.approx(0.3)}
    assert weighted_sum([]) == {}
