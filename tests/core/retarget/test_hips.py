"""What standing legs ask of the hips: the triangle of a leg, and an even height between what legs ask for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retarget.hips import STIFF, Asked, asked, eased_distance, knee_bend, risen

LENGTHS = (0.42, 0.4)
bends = st.floats(0.0, 3.0)


def apart(bend: float, lengths=LENGTHS) -> float:
    """Metres from hip to ankle of a knee that is bent, by the places of its bones."""
    knee = np.array([lengths[0], 0.0])
    return float(np.linalg.norm(knee + lengths[1] * np.array([np.cos(bend), np.sin(bend)])))


@given(bends)
def test_the_bend_of_a_knee_is_that_of_its_triangle(bend):
    assert knee_bend(np.array([apart(bend)]), LENGTHS)[0] == pytest.approx(bend, abs=1e-6)
    assert knee_bend(np.array([2.0]), LENGTHS)[0] == 0.0


@given(bends, bends, st.floats(0.05, 1.0))
def test_a_knee_bends_as_wanted_up_to_half_its_limit_and_eases_toward_the_whole(before, wanted, limit):
    got = eased_distance(np.array([apart(wanted)]), np.array([apart(before)]), LENGTHS, limit)[0]
    more = wanted - before
    if more <= 0.5 * limit - 1e-6:
        assert got == apart(wanted)
        return
    over = max(more - 0.5 * limit, 0.0)
    bend = min(before + 0.5 * limit * (1.0 + np.tanh(over / (0.5 * limit))), np.pi)
    assert got == pytest.approx(apart(bend), abs=1e-5)


def pose(bend: float, down: float, aside: float = 0.0):
    """Hip over the ankle with the knee bent; a goal `down` metres lower and `aside` metres away."""
    far = apart(bend)
    root, ankle = np.array([[0.2, 1.0 + far, 0.3]]), np.array([[0.2, 1.0, 0.3]])
    return root, ankle, ankle + [[0.6 * aside, -down, 0.8 * aside]]


@given(st.floats(0.3, 2.0), st.floats(-0.1, 0.1), st.floats(0.0, 0.3), st.floats(0.0, 1.0))
def test_hips_that_rise_as_asked_keep_the_bend_and_as_most_just_reach(bend, down, aside, stands):
    root, ankle, goal = pose(bend, down, aside)
    full, size = 0.98, sum(LENGTHS)
    found = asked(root, ankle, goal, LENGTHS, full, np.array([stands]))
    far = apart(bend)
    at = np.linalg.norm(goal - root - [0.0, found.rise[0], 0.0])
    longest = max(full * size, far)
    if far**2 - aside**2 >= (0.3 * size) ** 2:
        assert at == pytest.approx(far, abs=1e-9)
    else:  # not over the foot: hips stay some way above it
        assert root[0, 1] + found.rise[0] - goal[0, 1] == pytest.approx(0.3 * size)
    assert np.linalg.norm(goal - root - [0.0, found.most[0], 0.0]) == pytest.approx(longest, abs=1e-9)
    assert found.weight[0] == pytest.approx(stands / np.sin(0.5 * bend) ** 2, rel=1e-6)


def test_a_leg_that_leans_or_lies_has_less_to_say_and_a_straight_one_not_all():
    root, ankle, goal = pose(0.0, 0.0)
    stiff = asked(root, ankle, goal, LENGTHS, 1.0, np.ones(1)).weight[0]
    assert stiff == pytest.approx(1.0 / np.sin(0.5 * STIFF) ** 2, rel=1e-6)
    far = apart(0.0)
    tilted = asked(ankle + [[0.6 * far, 0.8 * far, 0.0]], ankle, ankle, LENGTHS, 1.0, np.ones(1)).weight[0]
    assert tilted == pytest.approx(0.64 * stiff, rel=1e-6)
    for hip in (ankle + [[far, 0.0, 0.0]], ankle - [[0.0, far, 0.0]], ankle):  # lies, hangs, is nowhere
        assert asked(hip, ankle, ankle, LENGTHS, 1.0, np.ones(1)).weight[0] == 0.0


def legs(rise, *weights):
    return [
        Asked(np.array(r, float), np.ones(len(r)), np.array(w, float))
        for r, w in zip(rise, weights, strict=True)
    ]


def test_legs_that_all_ask_the_same_get_it_and_the_surer_leg_is_heard():
    same = legs([[0.02] * 60] * 2, [1.0] * 60, [3.0] * 60)
    np.testing.assert_allclose(risen(same, 30.0), 0.02, rtol=1e-3)
    two = legs([[0.0] * 60, [0.04] * 60], [1.0] * 60, [3.0] * 60)
    np.testing.assert_allclose(risen(two, 30.0), 0.03, rtol=1e-3)
    assert not risen(legs([[0.5] * 9], [0.0] * 9), 30.0).any()


def test_between_stances_hips_go_from_one_to_the_next_and_far_from_any_to_nothing():
    weight = np.zeros(400)
    weight[:20], weight[40:60] = 1.0, 1.0
    rise = np.full(400, 9.0)
    rise[:20], rise[40:60] = 0.0, 0.06
    found = risen(legs([rise], weight), 30.0)
    assert abs(found[2]) < 0.005 and found[55] == pytest.approx(0.06, abs=0.005)
    assert 0.01 < found[30] < 0.05 and (np.diff(found[15:45]) > -1e-4).all()
    assert np.abs(found[150:]).max() < 1e-3


def test_a_loop_is_even_over_its_seam_wherever_it_begins_and_a_cut_is_none():
    rng = np.random.default_rng(4)
    rise, weight = 0.1 * rng.random(50), rng.random(50)
    found = [
        risen(legs([np.append(np.roll(rise, -k), np.roll(rise, -k)[0])],
                   np.append(np.roll(weight, -k), np.roll(weight, -k)[0])), 30.0, looping=True)
        for k in (0, 17)
    ]  # fmt: skip
    assert found[0][0] == found[0][-1]
    np.testing.assert_allclose(np.roll(found[0][:-1], -17), found[1][:-1], atol=1e-12)
    parts = [risen(legs([rise[s]], weight[s]), 30.0) for s in (slice(0, 20), slice(20, 50))]
    np.testing.assert_array_equal(risen(legs([rise], weight), 30.0, (20,)), np.concatenate(parts))


def standing(count: int, stood: slice, rise: float) -> Asked:
    """A leg that stands for some frames and asks for one rise."""
    weight = np.zeros(count)
    weight[stood] = 100.0
    return Asked(np.where(weight > 0.0, rise, 0.0), np.ones(count), weight)


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_rise_is_kept_for_a_while_after_the_last_stance_and_eases_away(fps):
    second = round(fps)
    found = risen([standing(4 * second, slice(0, second), 0.1)], fps)
    last = second - 1
    assert found[: last + round(0.6 * fps)] == pytest.approx(0.1, abs=2e-4)
    assert found[last + round(1.2 * fps) + 1 :] == pytest.approx(0.0, abs=1e-9)
    assert 0.04 < found[last + round(0.9 * fps)] < 0.06  # half of it is left half of the way
    # All of it goes over six tenths of a second, at most half as fast again as evenly.
    assert np.abs(np.diff(found)).max() < 1.6 * 0.1 / (0.6 * fps)
    before = risen([standing(4 * second, slice(3 * second, 4 * second), 0.1)], fps)
    assert before == pytest.approx(found[::-1], abs=1e-12)


def test_a_loop_has_no_end_at_which_hips_drop():
    fps, count = 30.0, 91  # three seconds, the last frame the first again
    found = risen([standing(count, slice(0, 15), 0.1)], fps, looping=True)
    assert found[0] == found[-1]
    assert np.abs(np.diff(found)).max() < 1.6 * 0.1 / (0.6 * fps)
    assert found[[0, 14, 76, 90]] == pytest.approx(
        0.1, abs=2e-4
    )  # so long after it, or before it comes again
    assert found[52] == pytest.approx(0.0, abs=1e-9)
    # Between two stances half a second apart nothing is lost.
    both = risen([standing(count, slice(0, 15), 0.1), standing(count, slice(30, 45), 0.1)], fps)
    assert both[:60] == pytest.approx(0.1, abs=2e-4)
