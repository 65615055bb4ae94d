"""Solvers of one bone, whatever is above it: a bone that follows, turns or aims; and legs over hips that rise."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.ik.chain import take_chain
from core.ik.ground import STRAIGHT, _highest
from core.ik.keyed import steady_poles, unrolled
from core.ik.solve import IkGoal, solve
from core.math import euler, quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import IkSetup, IkSolver
from tests.core.ik.chains import bent, chain_rig

RIG = chain_rig(3)
BONES = ["b0", "b1", "b2", "b3"]


def random_poses(seed: int) -> Transform:
    """Bones of other places and sizes; the sizes are even, so that no parent shears."""
    rng = np.random.default_rng(seed)
    local = bent(RIG, seed, 4)
    scale = np.tile(rng.uniform(0.6, 1.5, size=(4, len(RIG.skeleton), 1)), 3)
    return local._replace(
        translation=local.translation + 0.05 * rng.normal(size=local.translation.shape), scale=scale
    )


def goals(seed: int) -> IkGoal:
    rng = np.random.default_rng(seed)
    return IkGoal(rng.normal(size=(4, 3)), quat.normalise(rng.normal(size=(4, 4))))


def others_stay(before: Transform, after: Transform, bone: int) -> None:
    kept = [b for b in range(len(RIG.skeleton)) if b != bone]
    for a, b in zip(before, after, strict=True):
        assert np.array_equal(a[:, kept], b[:, kept])
    assert np.array_equal(before.scale, after.scale)


@pytest.mark.parametrize("bone", range(4))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_bone_follows_its_goal_below_any_parent(bone, seed) -> None:
    local, goal = random_poses(seed), goals(seed + 7)
    setup = IkSetup("prop", BONES[bone], BONES[bone], IkSolver.FOLLOW)
    done = solve(RIG, local, setup, goal)
    model = down_chain(RIG.skeleton.parents, done.local)
    np.testing.assert_allclose(model.translation[:, bone], goal.position, atol=1e-9)
    assert quat.angle_between(model.rotation[:, bone], goal.rotation).max() < 1e-7
    assert done.residual.max() < 1e-9 and done.residual.shape == (4,)
    others_stay(local, done.local, bone)


@pytest.mark.parametrize("bone", range(4))
def test_a_bone_that_follows_a_goal_without_a_rotation_keeps_its_own(bone) -> None:
    local, goal = random_poses(3), IkGoal(goals(4).position)
    done = solve(RIG, local, IkSetup("prop", BONES[bone], BONES[bone], IkSolver.FOLLOW), goal)
    assert np.array_equal(done.local.rotation, local.rotation)
    model = down_chain(RIG.skeleton.parents, done.local)
    np.testing.assert_allclose(model.translation[:, bone], goal.position, atol=1e-9)


@pytest.mark.parametrize("bone", range(4))
def test_a_bone_that_turns_stays_where_it_is(bone) -> None:
    local, goal = random_poses(5), goals(6)
    done = solve(RIG, local, IkSetup("head", BONES[bone], BONES[bone], IkSolver.TURN), goal)
    assert np.array_equal(done.local.translation, local.translation)
    model = down_chain(RIG.skeleton.parents, done.local)
    assert quat.angle_between(model.rotation[:, bone], goal.rotation).max() < 1e-7
    assert not done.residual.any()
    others_stay(local, done.local, bone)


@pytest.mark.parametrize("bone", range(4))
@pytest.mark.parametrize("axis", [(0.0, 1.0, 0.0), (0.0, 0.0, -1.0)])
def test_a_bone_aims_at_its_goal_and_tells_by_how_much_it_misses(bone, axis) -> None:
    local, goal = random_poses(8), goals(9)
    up = (1.0, 0.0, 0.0)
    setup = IkSetup("eyes", BONES[bone], BONES[bone], IkSolver.AIM, aim_axis=axis, up_axis=up)
    done = solve(RIG, local, setup, goal)
    model = down_chain(RIG.skeleton.parents, done.local)
    line = goal.position - model.translation[:, bone]
    forward = quat.rotate(model.rotation[:, bone], np.array(axis))
    far = np.linalg.norm(line, axis=1)
    np.testing.assert_allclose(np.sum(forward * line, axis=1), far, rtol=1e-9)
    assert done.residual.max() < 1e-8
    limited = IkSetup(
        "eyes", BONES[bone], BONES[bone], IkSolver.AIM, aim_axis=axis, up_axis=up, aim_limit=10.0
    )
    short = solve(RIG, local, limited, goal)
    model = down_chain(RIG.skeleton.parents, short.local)
    forward = quat.rotate(model.rotation[:, bone], np.array(axis))
    off = far * np.sin(np.arccos(np.clip(np.sum(forward * line, axis=1) / far, -1.0, 1.0)))
    np.testing.assert_allclose(short.residual, off, atol=1e-9)
    assert short.residual.min() > 1e-3
    others_stay(local, short.local, bone)


# ------------------------------------------------------------ legs
LEG = SimpleNamespace(leg=SimpleNamespace(upper="thigh", lower="calf", end="foot"))
ROWS = SimpleNamespace(skeleton=SimpleNamespace(index=["thigh", "calf", "foot"].index))


def highest(places: list[tuple[float, float, float]], goal: tuple[float, float, float]) -> float:
    at = np.array([places], dtype=float)
    model = Transform(at, np.tile(quat.IDENTITY, (1, 3, 1)), np.ones_like(at))
    return float(_highest(ROWS, model, LEG, np.array([goal], dtype=float))[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("goal", [(0.1, 0.2, 0.1), (-0.2, 0.05, 0.4), (0.0, 0.0, 0.0)])
def test_hips_rise_till_the_leg_is_nearly_straight(goal) -> None:
    hip = np.array([0.1, 0.8, 0.2])
    knee, foot = hip + [0.3, -0.4, 0.0], hip + [0.3, -0.4, 0.0] + [-0.24, -0.32, 0.0]  # 0.5 and 0.4 m
    rise = highest([hip, knee, foot], goal)
    assert np.linalg.norm(hip + [0.0, rise, 0.0] - goal) == pytest.approx(STRAIGHT * 0.9)
    assert hip[1] + rise > goal[1]


def test_a_leg_that_is_straight_already_may_be_as_straight() -> None:
    rise = highest([(0, 1, 0), (0, 0.5, 0), (0, 0.1, 0)], (0.0, 0.0, 0.0))
    assert rise == pytest.approx(-0.1)


def test_hips_beside_a_goal_out_of_reach_go_to_its_height() -> None:
    assert highest([(0, 1, 0), (0, 0.5, 0.1), (0, 0.1, 0)], (3.0, 0.25, 0.0)) == pytest.approx(-0.75)


# ------------------------------------------------------------ poles and angles
def test_unrolled_angles_are_the_same_turns_without_jumps() -> None:
    times = np.linspace(0.0, 1.0, 60)
    turns = quat.from_rotation_vector(np.stack([7.0 * times, 0.3 * np.sin(9.0 * times), 0.2 * times], axis=1))
    degrees = euler.from_quaternion(turns, 0)
    found = unrolled(degrees)
    assert quat.angle_between(euler.to_quaternion(found, 0), turns).max() < 1e-7
    assert np.abs(np.diff(degrees, axis=0)).max() > 150.0 > 60.0 > np.abs(np.diff(found, axis=0)).max()
    assert np.array_equal(found[0], degrees[0])


def test_a_straight_pose_bends_to_the_side_of_its_nearest_bent_neighbour() -> None:
    rig = chain_rig(2, 0.5)
    local = Transform(*(np.tile(part, (5, 1, 1)) for part in rig.skeleton.rest))
    for row, angle in ((1, 0.4), (4, -0.4)):
        local.rotation[row, 0] = quat.from_axis_angle([1.0, 0.0, 0.0], angle)
        local.rotation[row, 1] = quat.from_axis_angle([1.0, 0.0, 0.0], -2.0 * angle)
    poles = steady_poles(take_chain(rig.skeleton, local, "b0", "b2"))
    assert (np.sign(poles[:, 2]) == [1, 1, 1, -1, -1]).all()
    np.testing.assert_allclose(np.linalg.norm(poles[[0, 2, 3]] - [0.0, 0.5, 0.0], axis=1), 1.0, atol=1e-9)
