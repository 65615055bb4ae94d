"""Two-bone IK: exact in reach, defined everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from core.ik import two_bone
from core.ik.solve import IkGoal, present_goal, solve
from core.math import quat
from core.math.transform import down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver
from tests.core.ik.chains import bent, chain_rig

RIG = chain_rig(3)
SETUP = IkSetup("arm", "b0", "b2", IkSolver.TWO_BONE)
numbers = st.floats(-1.0, 1.0, allow_subnormal=False)
points = st.tuples(numbers, numbers, numbers).map(np.array)


@given(points, points, st.integers(0, 1000))
def test_end_stands_on_a_goal_in_reach_and_bones_keep_their_lengths(
    direction: np.ndarray, pole: np.ndarray, seed: int
) -> None:
    pose = bent(RIG, seed)
    size = np.linalg.norm(direction)
    goal = direction / max(size, 1e-9) * (0.01 + 0.18 * min(size, 1.0))
    result = solve(RIG, pose, SETUP, IkGoal(goal, pole=pole))
    model = down_chain(RIG.skeleton.parents, result.local).translation[0]
    assert np.linalg.norm(model[2] - goal) < 1e-6
    assert np.linalg.norm(np.diff(model, axis=0), axis=1) == pytest.approx([0.1, 0.1, 0.1])


@given(points, points)
def test_joint_lies_on_the_poles_side_of_the_line(goal: np.ndarray, pole: np.ndarray) -> None:
    placed = two_bone.reach(np.zeros(3), [0.0, 1.0, 0.0], [0.0, 1.5, 0.4], goal, pole)
    distance = np.linalg.norm(goal)
    if distance < 1e-3 or np.linalg.norm(np.cross(pole, goal)) < 1e-3:
        return
    along = goal / distance
    aside = pole - np.dot(pole, along) * along
    assert np.dot(placed.joint, aside) >= -1e-9


def test_joint_agrees_with_a_numeric_minimiser() -> None:
    root, joint, end = np.zeros(3), np.array([0.1, 0.5, 0.0]), np.array([0.1, 0.9, 0.2])
    goal, pole = np.array([0.3, 0.4, 0.35]), np.array([0.0, 0.2, 2.0])
    upper, lower = np.linalg.norm(joint - root), np.linalg.norm(end - joint)

    def cost(point: np.ndarray) -> float:
        exact = (np.linalg.norm(point - root) - upper) ** 2 + (np.linalg.norm(goal - point) - lower) ** 2
        return float(1e6 * exact + 1e-3 * np.linalg.norm(point - pole))

    best = minimize(
        cost, pole * 0.2, method="Nelder-Mead", options={"xatol": 1e-12, "fatol": 1e-18, "maxiter": 20000}
    )
    assert two_bone.reach(root, joint, end, goal, pole).joint == pytest.approx(best.x, abs=1e-5)


def test_goal_too_far_straightens_the_chain_toward_it() -> None:
    placed = two_bone.reach([0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, -9], [0, 5, 0])
    assert placed.joint == pytest.approx([0, 0, -1])
    assert placed.end == pytest.approx([0, 0, -2])


def test_goal_too_near_folds_as_far_as_it_can() -> None:
    placed = two_bone.reach([0, 0, 0], [0, 1, 0], [0, 1, 0.4], [0, 0, 0.1], [0, 5, 0])
    assert placed.joint == pytest.approx([0, 0, 1], abs=1e-6)
    assert placed.end == pytest.approx([0, 0, 0.6], abs=1e-6)


@pytest.mark.parametrize(
    ("joint", "end", "goal", "pole"),
    [
        ([0, 1, 0], [0, 2, 0], [0, 0, 0], [0, 0, 1]),
        ([0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1]),
        ([0, 1, 0], [0, 2, 0], [0, 1.5, 0], [0, 9, 0]),
        ([0, 1, 0], [0, 2, 0], [0, 1.5, 0], None),
        ([0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]),
        ([0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]),
        ([0, 1, 0], [0, 1, 0], [1, 0, 0], None),
    ],
    ids=[
        "goal on the root",
        "folded with goal on the root",
        "goal, pole and straight chain collinear",
        "straight chain without pole",
        "both bones of no length",
        "upper bone of no length",
        "lower bone of no length",
    ],
)
def test_degenerate_input_gives_a_finite_answer(
    joint: list[float], end: list[float], goal: list[float], pole: list[float] | None
) -> None:
    placed = two_bone.reach([0, 0, 0], joint, end, goal, pole)
    assert all(np.isfinite(part).all() for part in placed)
    assert np.linalg.norm(placed.joint) == pytest.approx(np.linalg.norm(joint), abs=1e-9)


def test_soft_reach_eases_in_and_never_overextends() -> None:
    ends = [
        np.linalg.norm(two_bone.reach([0, 0, 0], [0, 1, 0], [0, 1, 1], [d, 0, 0], soft=0.1).end)
        for d in np.linspace(1.5, 4.0, 100)
    ]
    assert (np.diff(ends) > -1e-12).all()
    assert max(ends) < 2.0
    assert ends[0] == pytest.approx(1.5)


def test_stretch_grows_both_bones_up_to_the_limit() -> None:
    near = two_bone.reach([0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 1.0, 0], stretch_limit=1.5)
    far = two_bone.reach([0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 9, 0], stretch_limit=1.5)
    half = two_bone.reach([0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 2.5, 0], stretch_limit=1.5)
    assert near.growth == 1.0
    assert far.growth == pytest.approx(1.5)
    assert half.growth == pytest.approx(1.25)
    assert half.end == pytest.approx([0, 2.5, 0])


@given(st.integers(0, 1000))
def test_goal_and_pole_of_the_present_pose_change_nothing(seed: int) -> None:
    pose = bent(RIG, seed)
    flat = type(pose)(*(p[0] for p in pose))
    result = solve(RIG, flat, SETUP, present_goal(RIG, flat, SETUP))
    assert quat.angle_between(result.local.rotation, flat.rotation).max() < 1e-6


@given(points, st.integers(0, 100))
def test_end_rotation_is_kept_or_taken_as_asked(goal: np.ndarray, seed: int) -> None:
    pose = bent(RIG, seed)
    before = down_chain(RIG.skeleton.parents, pose).rotation[0, 2]
    wanted = quat.from_axis_angle([0.0, 0.0, 1.0], 1.0)
    asked = {EndRotation.MODEL: before, EndRotation.GOAL: wanted}
    for option, expected in asked.items():
        setup = IkSetup("arm", "b0", "b2", IkSolver.TWO_BONE, end_rotation=option)
        local = solve(RIG, pose, setup, IkGoal(goal * 0.1, wanted)).local
        assert quat.angle_between(down_chain(RIG.skeleton.parents, local).rotation[0, 2], expected) < 1e-9
    setup = IkSetup("arm", "b0", "b2", IkSolver.TWO_BONE, end_rotation=EndRotation.LOCAL)
    local = solve(RIG, pose, setup, IkGoal(goal * 0.1)).local
    assert np.array_equal(local.rotation[0, 2:], pose.rotation[0, 2:])


def test_goal_on_the_root_of_a_folded_chain_leaves_the_joint_in_its_bend_plane() -> None:
    """Neither goal nor end say which way the chain lies: it is +X, and the joint stays beside it."""
    placed = two_bone.reach(np.zeros(3), [0.0, 0.4, 0.0], np.zeros(3), np.zeros(3), [0.0, 1.0, 0.0])
    assert placed.joint == pytest.approx([0.0, 0.4, 0.0])
    assert placed.end == pytest.approx(np.zeros(3))
