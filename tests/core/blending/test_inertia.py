"""Inertialisation and dead blending: the definition integrated step by step, and what must hold at the switch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.inertia import SHORTEST_STEP, dead_blend, decay, inertialise
from core.math import quat
from core.math.transform import Transform


def random_pose(rng: np.random.Generator, bones: int = 6) -> Transform:
    turn = quat.normalise(rng.normal(size=(bones, 4)))
    return Transform(rng.normal(size=(bones, 3)), turn, rng.uniform(0.5, 2.0, (bones, 3)))


def nudged(pose: Transform, rng: np.random.Generator, amount: float) -> Transform:
    turn = quat.from_rotation_vector(rng.normal(size=(len(pose.rotation), 3)) * amount)
    move, grow = (rng.normal(size=pose.translation.shape) * amount for _ in range(2))
    return Transform(pose.translation + move, quat.multiply(turn, pose.rotation), pose.scale + grow)


def integrated(x0: float, v0: float, seconds: float, at: float, steps: int = 4000) -> float:
    """The definition as a motion of constant fifth derivative, integrated by Runge and Kutta's fourth order."""
    v0 = min(v0, 0.0)
    end = min(seconds, -5 * x0 / v0) if v0 < 0 else seconds
    a0 = max((-8 * v0 * end - 20 * x0) / end**2, 0.0)
    a = -(a0 * end**2 + 6 * v0 * end + 12 * x0) / (2 * end**5)
    b = (3 * a0 * end**2 + 16 * v0 * end + 30 * x0) / (2 * end**4)
    c = -(3 * a0 * end**2 + 12 * v0 * end + 20 * x0) / (2 * end**3)
    state = np.array([x0, v0, a0, 6 * c, 24 * b])

    def change(s):
        return np.array([s[1], s[2], s[3], s[4], 120 * a])

    h = min(at, end) / steps
    for _ in range(steps):
        k1 = change(state)
        k2 = change(state + h / 2 * k1)
        k3 = change(state + h / 2 * k2)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + change(state + h * k3))
    return float(state[0])


@pytest.mark.parametrize(("x0", "v0"), [(0.3, 0.0), (0.3, -0.5), (0.3, -20.0), (1.0, 3.0)])
def test_decay_agrees_with_its_definition_integrated(x0, v0):
    found = decay(np.array([x0]), np.array([v0]), 0.25)
    for at in (0.03, 0.1, 0.2):
        if at < float(found.end[0]):
            assert float(found.at(at)[0]) == pytest.approx(integrated(x0, v0, 0.25, at), abs=1e-8)


@settings(max_examples=60)
@given(st.floats(1e-6, 10), st.floats(-100, 100), st.floats(0.01, 3))
def test_decay_falls_to_zero_and_never_rises(x0, v0, seconds):
    found = decay(np.array([x0]), np.array([v0]), seconds)
    end = float(found.end[0])
    assert end <= seconds
    values = [float(found.at(t)[0]) for t in np.linspace(0, end, 200)]
    if end <= SHORTEST_STEP:  # over before a step could show it
        assert end == 0.0 and values[0] == 0.0
        return
    assert values[0] == x0
    assert (np.diff(values) <= x0 * 1e-9).all()
    assert values[-1] == 0.0
    assert float(found.at(end * (1 - 1e-4))[0]) <= x0 * 1e-7  # slope and curvature end at 0


def test_decay_of_no_time_is_gone_at_once():
    assert decay(np.array([0.5, 0.0]), np.array([-1.0, 0.0]), 0.0).at(0.0).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("known", [True, False])
def test_inertialise_starts_at_the_last_output_and_ends_on_the_target(known):
    rng = np.random.default_rng(1)
    last, target = random_pose(rng), random_pose(rng)
    inertia = inertialise(target, last, nudged(last, rng, 0.01) if known else None, 1 / 60, 0.4)
    start, end = inertia.put_on(target, 0.0), inertia.put_on(target, 0.4)
    assert start.translation == pytest.approx(last.translation, abs=1e-12)
    assert start.scale == pytest.approx(last.scale, abs=1e-12)
    assert float(quat.angle_between(start.rotation, last.rotation).max()) < 1e-7
    for found, wanted in zip(end, target, strict=True):
        assert found == pytest.approx(wanted, abs=1e-12)


def test_inertialise_goes_on_with_the_speed_toward_the_target():
    """One bone that moves at 1 m/s toward the target's place goes on at 1 m/s."""
    one = np.ones((1, 3))
    still = quat.IDENTITY[None]
    h = 1 / 60
    at = lambda x: Transform(np.array([[x, 0.0, 0.0]]), still, one)  # noqa: E731
    inertia = inertialise(at(1.0), at(0.5), at(0.5 - h), h, 1.0)
    small = 1e-4
    moved = inertia.put_on(at(1.0), small).translation[0, 0] - 0.5
    assert moved / small == pytest.approx(1.0, rel=1e-2)


def test_inertialise_takes_the_short_way_whatever_sign_quaternions_have():
    rng = np.random.default_rng(2)
    last, target = random_pose(rng), random_pose(rng)
    flipped = Transform(last.translation, -last.rotation, last.scale)
    a = inertialise(target, last, last, 1 / 60, 0.3).put_on(target, 0.1)
    b = inertialise(target, flipped, last, 1 / 60, 0.3).put_on(target, 0.1)
    assert float(quat.angle_between(a.rotation, b.rotation).max()) < 1e-7


def test_dead_blend_starts_with_the_outputs_place_and_speed():
    rng = np.random.default_rng(3)
    h = 1 / 60
    last, target = random_pose(rng), random_pose(rng)
    before = nudged(last, rng, 0.01)
    dead = dead_blend(target, last, before, h)
    assert dead.crossfaded(target, 0.0, 0.0).translation == pytest.approx(last.translation)
    t = 1e-6
    speed = (dead.at(t).translation - last.translation) / t
    assert speed == pytest.approx((last.translation - before.translation) / h, abs=1e-3)
    for found, wanted in zip(dead.crossfaded(target, 0.2, 1.0), target, strict=True):
        assert found == pytest.approx(wanted, abs=1e-12)


def test_dead_blend_half_life_follows_where_the_speed_leads():
    one, still, h = np.ones((1, 3)), quat.IDENTITY[None], 0.1
    at = lambda *x: Transform(np.array([x]), still, one)  # noqa: E731
    # x leads toward the target (5 m at 1 m/s: 0.1·5 = 0.5 s), y away from it, z does not move.
    dead = dead_blend(at(5.0, -1.0, 1.0), at(0.0, 0.0, 0.0), at(-0.1, -0.1, 0.0), h)
    assert dead.rates[0][0] == pytest.approx(np.log(2) / np.array([0.5, 0.05, 1.0]))
    # All of the way: v / λ.
    assert dead.at(1e3).translation[0, 0] == pytest.approx(0.5 / np.log(2))


def test_dead_blend_does_not_run_faster_than_its_limits():
    one, h = np.ones((1, 3)), 0.01
    turned = quat.from_rotation_vector(np.array([[0.0, 3.0, 0.0]]))
    far = Transform(np.array([[9.0, 9.0, 0.0]]), turned, one)
    dead = dead_blend(far, far, Transform(np.zeros((1, 3)), quat.IDENTITY[None], one), h)
    assert np.linalg.norm(dead.speeds[0]) == pytest.approx(5.0)
    assert np.linalg.norm(dead.speeds[1]) == pytest.approx(2 * np.pi)
