"""CCD and FABRIK: they reach, keep lengths and limits, and leave solutions alone."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.ik import ccd, fabrik
from core.ik.chain import take_chain
from core.ik.limits import allows, limited
from core.ik.solve import IkGoal, solve
from core.math import quat
from core.math.transform import down_chain
from core.rig.ik_setup import IkSetup, IkSolver
from core.rig.rig import JointLimit, LimitKind
from tests.core.ik.chains import bent, chain_rig

SOLVERS: dict[str, Any] = {"ccd": ccd.solve, "fabrik": fabrik.solve}
solvers = pytest.mark.parametrize("name", list(SOLVERS))


@solvers
@pytest.mark.parametrize("bones", [2, 3, 5, 10, 20])
def test_random_reachable_goals_are_reached(name: str, bones: int) -> None:
    rig = chain_rig(bones)
    goal = take_chain(rig.skeleton, bent(rig, 1, 300), "b0", f"b{bones}").joints[:, -1]
    for iterations, share in (
        (20, 0.97 if name == "fabrik" else 0.995),
        (50, 0.99 if name == "fabrik" else 0.999),
    ):
        chain = take_chain(rig.skeleton, bent(rig, 2, 300, 0.3), "b0", f"b{bones}")
        lengths = chain.lengths()
        result = SOLVERS[name](chain, goal, iterations=iterations)
        assert (result.distance < 1e-3).mean() >= share
        chain.place()
        assert np.allclose(np.linalg.norm(np.diff(chain.joints, axis=1), axis=-1), lengths)
        assert np.allclose(np.linalg.norm(chain.joints[:, -1] - goal, axis=-1), result.distance)


@solvers
def test_solving_from_the_solution_changes_nothing(name: str) -> None:
    rig = chain_rig(6)
    chain = take_chain(rig.skeleton, bent(rig, 1, 20), "b0", "b6")
    before = chain.local.copy()
    result = SOLVERS[name](chain, chain.joints[:, -1].copy())
    assert np.array_equal(chain.local, before)
    assert (result.iterations == 0).all()


@solvers
@pytest.mark.parametrize("goal", [[0.0, 0.3, 0.0], [0.0, -0.3, 0.0], [0.0, 0.0, 0.0]])
def test_straight_chain_on_the_line_to_its_goal_gets_there(name: str, goal: list[float]) -> None:
    rig = chain_rig(6)
    chain = take_chain(rig.skeleton, bent(rig, 0, 1, 0.0), "b0", "b6")
    assert SOLVERS[name](chain, np.array([goal])).distance[0] < 1e-3


@solvers
def test_goal_out_of_reach_is_a_result_not_an_error(name: str) -> None:
    rig = chain_rig(5)
    chain = take_chain(rig.skeleton, bent(rig, 3, 1), "b0", "b5")
    result = SOLVERS[name](chain, np.array([[3.0, 0.0, 0.0]]), iterations=200)
    assert result.distance[0] == pytest.approx(2.5, abs=2e-3)
    assert np.isfinite(chain.local).all()


LIMITS = {
    "b0": JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -30.0, 30.0, 60.0),
    "b1": JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), 0.0, 140.0),
    "b2": JointLimit(LimitKind.HINGE, (0.0, 0.0, 1.0), -45.0, 45.0),
    "b3": JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -10.0, 10.0, 80.0),
}


@solvers
def test_limits_are_never_exceeded(name: str) -> None:
    rig = chain_rig(5, limits=LIMITS)
    rest = rig.skeleton.rest.rotation
    goals = np.random.default_rng(5).uniform(-0.6, 0.6, (200, 3))
    start = bent(rig, 0, 200, 0.0)
    chain = take_chain(rig.skeleton, start, "b0", "b5", LIMITS)
    SOLVERS[name](chain, goals, iterations=30)
    for bone in range(4):
        assert allows(chain.local[:, bone], rest[bone], LIMITS[f"b{bone}"], 1e-6).all()


@given(st.integers(0, 10_000))
def test_limiting_is_idempotent_and_allowed(seed: int) -> None:
    rotation = quat.normalise(np.random.default_rng(seed).normal(size=(4, 4)))
    for limit in LIMITS.values():
        once = limited(rotation, quat.IDENTITY, limit)
        assert allows(once, quat.IDENTITY, limit, 1e-6).all()
        assert quat.angle_between(limited(once, quat.IDENTITY, limit), once).max() < 1e-6


@solvers
def test_stiff_bone_never_turns(name: str) -> None:
    rig = chain_rig(5)
    chain = take_chain(rig.skeleton, bent(rig, 1, 10), "b0", "b5")
    before = chain.local[:, 2].copy()
    SOLVERS[name](chain, np.full((10, 3), 0.2), stiffness=np.array([0, 0, 1.0, 0, 0]))
    assert quat.angle_between(chain.local[:, 2], before).max() < 1e-12


@solvers
def test_goal_moved_by_a_millimetre_moves_no_joint_by_more_than_fifty(name: str) -> None:
    rig = chain_rig(8)
    start = bent(rig, 4, 200, 0.4)
    goal = take_chain(rig.skeleton, bent(rig, 5, 200, 0.6), "b0", "b8").joints[:, -1]
    first = take_chain(rig.skeleton, start, "b0", "b8")
    SOLVERS[name](first, goal, tolerance=1e-6, iterations=100)
    again = take_chain(rig.skeleton, start, "b0", "b8")
    again.local[:] = first.local
    again.place()
    step = np.random.default_rng(6).normal(size=(200, 3))
    SOLVERS[name](again, goal + 1e-3 * step / np.linalg.norm(step, axis=1, keepdims=True), tolerance=1e-6)
    assert np.linalg.norm(again.joints - first.joints, axis=-1).max() < 50e-3


def test_bones_outside_the_chain_and_weight_zero_keep_their_bits() -> None:
    rig = chain_rig(6)
    pose = bent(rig, 1)
    setup = IkSetup("chain", "b1", "b4", IkSolver.CCD)
    result = solve(rig, pose, setup, IkGoal(np.array([0.1, 0.1, 0.2])))
    outside = [0, 5, 6]
    assert np.array_equal(result.local.rotation[:, outside], pose.rotation[:, outside])
    assert solve(rig, pose, setup, IkGoal(np.zeros(3)), weight=0.0).local is pose
    half = solve(rig, pose, setup, IkGoal(np.array([0.1, 0.1, 0.2])), weight=0.5).local
    assert np.array_equal(half.rotation[:, outside], pose.rotation[:, outside])


def test_many_poses_solve_as_each_alone() -> None:
    rig = chain_rig(5)
    poses = bent(rig, 1, 6)
    goals = np.random.default_rng(2).uniform(-0.2, 0.2, (6, 3))
    setup = IkSetup("chain", "b0", "b5", IkSolver.CCD)
    together = solve(rig, poses, setup, IkGoal(goals))
    for index in range(6):
        alone = solve(rig, type(poses)(*(p[index] for p in poses)), setup, IkGoal(goals[index]))
        assert np.allclose(together.local.rotation[index], alone.local.rotation, atol=1e-12)
        assert together.residual[index] == pytest.approx(float(alone.residual))


def test_aimed_bone_looks_at_the_goal_within_its_limit() -> None:
    rig = chain_rig(3)
    pose = bent(rig, 2)
    goal = np.array([0.5, 0.3, 1.0])
    free = IkSetup("look", "b2", "b2", IkSolver.AIM)
    model = down_chain(rig.skeleton.parents, solve(rig, pose, free, IkGoal(goal)).local)
    forward = quat.rotate(model.rotation[0, 2], [0.0, 1.0, 0.0])
    line = goal - model.translation[0, 2]
    assert np.allclose(forward, line / np.linalg.norm(line))
    held = IkSetup("look", "b2", "b2", IkSolver.AIM, aim_limit=10.0)
    before = down_chain(rig.skeleton.parents, pose).rotation[0, 2]
    after = down_chain(rig.skeleton.parents, solve(rig, pose, held, IkGoal(goal)).local).rotation[0, 2]
    assert np.degrees(quat.angle_between(before, after)) <= 10.0 + 1e-9


@pytest.mark.parametrize(("root", "tip"), [("b0", "b3"), ("b3", "b1"), ("b2", "b2")])
def test_chain_that_cannot_be_solved_is_refused(root: str, tip: str) -> None:
    rig = chain_rig(4)
    with pytest.raises(ValidationError):
        solve(rig, bent(rig, 1), IkSetup("arm", root, tip, IkSolver.TWO_BONE), IkGoal(np.zeros(3)))


@pytest.mark.parametrize("degrees", [2.0, 10.0])
@pytest.mark.parametrize("twin", [False, True])
def test_no_bone_turns_in_an_iteration_by_more_than_the_degrees_of_the_set_up(
    degrees: float, twin: bool, monkeypatch
) -> None:
    """An iteration is a sweep over the bones and one turn of all of them: the step bounds both together."""
    if twin:
        monkeypatch.setattr(ccd.compiled, "kernel", lambda: None)
    rig = chain_rig(5)
    pose, goal = bent(rig, 4, 20, 0.2), IkGoal(np.array([0.3, -0.2, 0.1]))
    setup = IkSetup("c", "b0", "b5", IkSolver.CCD, iterations=1, step=degrees)
    result = solve(rig, pose, setup, goal)
    turned = np.degrees(quat.angle_between(result.local.rotation, pose.rotation))[:, :5]
    assert degrees - 1e-6 <= turned.max() <= degrees + 1e-6
    twice = solve(rig, result.local, setup, goal)
    turned = np.degrees(quat.angle_between(twice.local.rotation, result.local.rotation))[:, :5]
    assert turned.max() <= degrees + 1e-6
    setup = IkSetup("c", "b0", "b5", IkSolver.CCD, iterations=500, step=degrees)
    assert solve(rig, pose, setup, goal).residual.max() < 1e-3


@solvers
def test_straight_chain_to_a_goal_a_little_nearer_bends_a_little(name: str) -> None:
    rig = chain_rig(6)
    chain = take_chain(rig.skeleton, bent(rig, 0, 1, 0.0), "b0", "b6")
    assert SOLVERS[name](chain, np.array([[0.0, 0.599, 0.0]])).distance[0] < 1e-3
    assert np.degrees(quat.angle_between(chain.local, quat.IDENTITY)).max() < 20.0
