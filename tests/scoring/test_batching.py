from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quill_ls.scoring.batching import Fit, Limits, Slice, Tail, fit, plan_waves, split_calls

ROOMY = Limits(tokens=512, rows=1000, cells=2048, sequences=31)


def test_small_tails_share_one_call() -> None:
    tails = [Tail(3, 0), Tail(2, 1)]
    assert plan_waves(tails, 10, ROOMY) == [((Slice(0, 0, 3), Slice(1, 0, 2)),)]


def test_calls_are_of_even_size() -> None:
    waves = plan_waves([Tail(50, 20)] * 20, 12, ROOMY)
    assert [sum(part.end for part in wave[0]) for wave in waves] == [500, 500]


def test_an_empty_tail_is_not_decoded() -> None:
    assert plan_waves([Tail(0, 0), Tail(2, 0)], 0, ROOMY) == [((Slice(1, 0, 2),),)]


def test_tails_that_do_not_fit_into_the_cache_together_come_in_waves() -> None:
    limits = Limits(tokens=100, rows=100, cells=20, sequences=31)
    waves = plan_waves([Tail(6, 0)] * 3, 8, limits)
    assert [[part.tail for part in wave[0]] for wave in waves] == [[0, 1], [2]]


def test_no_more_tails_than_sequences() -> None:
    limits = Limits(tokens=100, rows=100, cells=100, sequences=2)
    waves = plan_waves([Tail(3, 0)] * 5, 0, limits)
    assert [len(wave[0]) for wave in waves] == [2, 2, 1]


def test_a_long_tail_is_cut_into_calls_of_one_wave() -> None:
    limits = Limits(tokens=4, rows=100, cells=100, sequences=2)
    [wave] = plan_waves([Tail(10, 10)], 0, limits)
    assert wave == ((Slice(0, 0, 4),), (Slice(0, 4, 8),), (Slice(0, 8, 10),))


def test_logits_rows_limit_a_call() -> None:
    # Six tokens without logits go with the first two rows.
    assert split_calls(Tail(10, 6), Limits(8, 2, 100, 1)) == [(0, 8), (8, 10)]


def test_a_tail_larger_than_the_cache_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        plan_waves([Tail(10, 0)], 5, Limits(4, 4, 12, 1))


def test_limits_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing fits"):
        Limits(tokens=0, rows=1, cells=1, sequences=1)


tails_of_any_size = st.lists(
    st.integers(0, 40).flatmap(
        lambda length: st.builds(Tail, st.just(length), st.integers(0, length))
    ),
    max_size=20,
)


@given(
    tails=tails_of_any_size,
    prefix=st.integers(0, 30),
    limits=st.builds(
        Limits,
        tokens=st.integers(1, 64),
        rows=st.integers(1, 64),
        cells=st.integers(70, 200),
        sequences=st.integers(1, 8),
    ),
)
def test_every_plan_decodes_every_token_once_in_order_and_within_the_limits(
    tails: list[Tail], prefix: int, limits: Limits
) -> None:
    waves = plan_waves(tails, prefix, limits)
    reached = [0] * len(tails)
    homes: dict[int, int] = {}
    for number, wave in enumerate(waves):
        members = {part.tail for call in wave for part in call}
        assert len(members) <= limits.sequences
        assert prefix + sum(tails[tail].length for tail in members) <= limits.cells
        for call in wave:
            assert 0 < sum(part.end - part.start for part in call) <= limits.tokens
            rows = sum(tails[part.tail].rows(part.start, part.end) for part in call)
            assert rows <= limits.rows
            for part in call:
                assert part.start == reached[part.tail]
                assert homes.setdefault(part.tail, number) == number
                reached[part.tail] = part.end
    assert reached == [tail.length for tail in tails]


def test_what_fits_is_kept_whole() -> None:
    assert fit(left=10, quotation=20, right=30, room=100) == Fit(10, 30)


def test_a_long_left_context_gets_half_of_the_room() -> None:
    assert fit(left=900, quotation=20, right=30, room=100) == Fit(50, 30)


def test_a_long_right_context_gets_what_is_left() -> None:
    assert fit(left=10, quotation=20, right=900, room=100) == Fit(10, 70)


def test_a_long_quotation_takes_from_the_left_before_the_last_quarter_of_the_right() -> None:
    assert fit(left=900, quotation=60, right=900, room=100) == Fit(15, 25)


def test_a_quotation_that_just_fits_has_no_context() -> None:
    assert fit(left=5, quotation=100, right=5, room=100) == Fit(0, 0)


def test_a_quotation_longer_than_the_room_does_not_fit() -> None:
    assert fit(left=0, quotation=101, right=0, room=100) is None


@given(*[st.integers(0, 300)] * 3, st.integers(1, 200))
def test_whatever_is_kept_fits(left: int, quotation: int, right: int, room: int) -> None:
    kept = fit(left, quotation, right, room)
    if kept is None:
        assert quotation > room
    else:
        assert kept.left + quotation + kept.right <= room
        assert 0 <= kept.left <= left
        assert 0 <= kept.right <= right
        if left + quotation + right <= room and left <= room // 2:
            assert kept == Fit(left, right)
