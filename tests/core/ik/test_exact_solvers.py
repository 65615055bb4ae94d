"""Aiming, two bones, CCD, FABRIK, limits and set-ups: exact results of many cases."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.ik import ccd, fabrik, two_bone
from core.ik.aim import aimed
from core.ik.chain import Chain, model_of, put_chain, take_chain
from core.ik.compiled import packed_limits
from core.ik.feet_smoothing import Offsets, Paces, over_time, step
from core.ik.limits import allows, limited, twist_angle
from core.ik.solve import IkGoal, present_goal, present_pole, solve, target_in_model, unsolvable
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.rig import JointLimit, LimitKind
from tests.core.ik.chains import bent, chain_rig
from tests.core.ik.test_iterative import LIMITS
from tests.pins import Pins

PINS = Pins(__file__)
UP = (0.0, 1.0, 0.0)
TIGHT = {
    "b0": JointLimit(LimitKind.HINGE, (0.0, 0.0, 1.0), -20.0, 10.0),
    "b2": JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -15.0, 5.0, 12.0),
}
HELD = {"free": {}, "limits": LIMITS, "tight": TIGHT}


def turns(seed: int, count: int) -> np.ndarray:
    return quat.normalise(np.random.default_rng(seed).normal(size=(count, 4)))


def scaled(pose: Transform) -> Transform:
    """The poses with a bone of another size."""
    scale = np.array(pose.scale)
    scale[..., 1, :] = 1.4
    return pose._replace(scale=scale)


# ------------------------------------------------------------ single bones
@pytest.mark.parametrize("axis", [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.6, 0.0, 0.8)])
def test_bones_aimed(axis: tuple[float, float, float]):
    rng = np.random.default_rng(1)
    rotation, place = turns(2, 12), rng.normal(size=(12, 3))
    goal = rng.normal(size=(12, 3))
    goal[0] = place[0]  # on the bone itself: nothing turns
    goal[1] = place[1] + [0.0, 2.0, 0.0]  # along up: the roll stays
    goal[2] = place[2] - [0.0, 0.5, 0.0]
    for limit in (0.0, 0.3, 2.0, np.pi):
        with PINS.together(f"aimed {axis}, {limit:.3g}") as note:
            note(aimed(rotation, place, goal, axis, limit=limit))
            for up in (UP, (0.0, 0.0, -1.0), (0.5, 0.5, 0.0)):
                note(aimed(rotation, place, goal, axis, (0.0, 0.0, 1.0), up, limit))
    whole = aimed(rotation, place, goal, axis, (0.0, 0.0, 1.0))
    assert np.array_equal(whole, aimed(rotation, place, goal, axis, (0.0, 0.0, 1.0), UP, np.pi))
    np.testing.assert_allclose(whole[0], rotation[0] * np.sign(rotation[0] @ whole[0]), atol=1e-12)
    plain = aimed(rotation, place, goal, axis)
    for row in (1, 2):
        assert quat.angle_between(whole[row], plain[row]) < 1e-9


# ------------------------------------------------------------ two bones
@pytest.mark.parametrize("soft", [0.0, 0.1, 0.5])
def test_two_bones_reach(soft: float):
    rng = np.random.default_rng(3)
    root, joint, end, pole = (rng.normal(size=(20, 3)) for _ in range(4))
    sizes = np.linalg.norm(joint - root, axis=-1) + np.linalg.norm(end - joint, axis=-1)
    for share in (0.05, 0.5, 0.95, 1.02, 1.15, 2.0):
        goal = root + share * sizes[:, None] * quat.rotate(turns(4, 20), np.array([1.0, 0.0, 0.0]))
        with PINS.together(f"two bones, soft {soft}, {share} of the reach") as note:
            for start, most in ((1.0, 1.0), (0.9, 1.3), (1.0, 1.3), (1.1, 1.1)):
                placed = two_bone.reach(root, joint, end, goal, pole, soft, start, most)
                note(placed, two_bone.reach(root, joint, end, goal, None, soft, start, most))
                note(two_bone.turns(root, joint, end, placed))
                for ours, theirs in zip(
                    placed, two_bone.solved(root, joint, end, goal, pole, soft, start, most)[0], strict=True
                ):
                    np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_two_bones_at_their_edges():
    zero, x, y = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    cases = {
        "straight, goal nearer": (zero, y, 2 * y, y, None),
        "straight along x, goal nearer": (zero, x, 2 * x, x, None),
        "nearly along x": (zero, x, 2 * x, x + 0.3 * y, None),
        "goal on the root": (zero, y, y + x, zero, x),
        "goal on the root, folded": (zero, y, zero, zero, None),
        "pole on the line": (zero, y + 0.1 * x, 2 * y, y, 3 * y),
        "no upper bone": (zero, zero, y, x, None),
        "no lower bone": (zero, y, y, x, None),
        "no bones": (zero, zero, zero, x, y),
        "too near": (zero, 2 * y, 2 * y + x, 0.2 * x, y),
        "too near the other way": (zero, y, y + 2 * x, 0.2 * x, y),
    }
    for name, case in cases.items():
        places = [None if part is None else part[None] for part in case]
        with PINS.together(name) as note:
            for soft, most in ((0.0, 1.0), (0.2, 1.5)):
                note(two_bone.reach(*places, soft, 0.9, most))


# ------------------------------------------------------------ limits
def test_limits_of_many_turns():
    local = np.concatenate(
        (turns(5, 40), quat.from_rotation_vector(0.3 * np.random.default_rng(6).normal(size=(40, 3))))
    )
    rest = turns(7, 1)[0]
    cases = {**{f"limits {k}": v for k, v in LIMITS.items()}, **{f"tight {k}": v for k, v in TIGHT.items()}}
    cases["beyond a half turn"] = JointLimit(LimitKind.CONE_TWIST, (0.0, 0.6, 0.8), 100.0, 170.0, 30.0)
    cases["one side"] = JointLimit(LimitKind.HINGE, (0.0, 0.6, 0.8), 20.0, 60.0)
    cases["no turn at all"] = JointLimit(LimitKind.CONE_TWIST, (1.0, 0.0, 0.0), 0.0, 0.0, 0.0)
    for name, limit in cases.items():
        inside = limited(local, rest, limit)
        PINS.hold(
            name,
            inside,
            allows(local, rest, limit),
            allows(local, rest, limit, 0.2),
            allows(inside, rest, limit, 1e-6),
        )
        assert allows(inside, rest, limit, 1e-6).all()
    axis = np.array([0.0, 0.6, 0.8])
    for degrees in (-179.0, -90.0, -0.5, 0.0, 45.0, 180.0, 270.0):
        turn = quat.from_axis_angle(axis, np.radians([degrees]))
        wanted = degrees - 360.0 if degrees > 180.0 else degrees
        assert abs(np.degrees(twist_angle(turn, axis)[0])) == pytest.approx(abs(wanted), abs=1e-9)
        assert degrees == 180.0 or np.sign(twist_angle(turn, axis)[0]) == np.sign(wanted)


@pytest.mark.parametrize(
    ("degrees", "low", "high", "found"),
    [
        (25.0, -20.0, 10.0, 10.0), (-50.0, -20.0, 10.0, -20.0), (5.0, -20.0, 10.0, 5.0), (170.0, -20.0, 10.0, 10.0),
        (-179.0, -20.0, 10.0, -20.0), (179.0, -20.0, 0.0, -20.0), (-170.0, 60.0, 100.0, 100.0),
        (-20.0, -20.0, 10.0, -20.0), (10.0, -20.0, 10.0, 10.0), (-110.0, 60.0, 120.0, 120.0),
        (-90.0, 60.0, 120.0, 60.0), (-80.0, 60.0, 120.0, 60.0),
    ],
)  # fmt: skip
def test_a_hinge_goes_to_the_end_of_its_range_that_is_nearer_round_the_circle(degrees, low, high, found):
    axis = (0.0, 0.6, 0.8)
    limit = JointLimit(LimitKind.HINGE, axis, low, high)
    turn = quat.from_axis_angle(np.array(axis), np.radians([degrees]))
    wanted = quat.from_axis_angle(np.array(axis), np.radians([found]))
    assert quat.angle_between(limited(turn, quat.IDENTITY, limit), wanted)[0] < 1e-7


# ------------------------------------------------------------ chains
def chain(bones: int, seed: int, count: int, limits: str = "free", spread: float = 0.3) -> Chain:
    rig = chain_rig(bones)
    return take_chain(rig.skeleton, scaled(bent(rig, seed, count, spread)), "b0", f"b{bones}", HELD[limits])


def state(made: Chain) -> tuple[np.ndarray, ...]:
    return made.local, made.joints, made.rotations(), made.lengths()


@pytest.mark.parametrize("limits", HELD)
@pytest.mark.parametrize("bones", [1, 2, 4, 5])
def test_ccd_and_fabrik_step_by_step(bones: int, limits: str):
    give = np.array([1.0, 0.6, 1.0, 0.0, 0.9])[:bones]
    for count, steps in product((1, 4), (0, 1, 2, 4)):
        aims = np.random.default_rng(8).uniform(-0.3, 0.3, (count, 3))
        with PINS.together(f"{bones} bones, {limits}, {count} poses, {steps} steps") as note:
            for most, root_first in ((np.pi, False), (0.1, False), (np.pi, True), (0.1, True)):
                made = chain(bones, 9, count, limits)
                note(ccd.solve_numpy(made, aims, 1e-3, steps, give, most, root_first), state(made))
            made = chain(bones, 9, count, limits)
            note(fabrik.solve_numpy(made, aims, 1e-3, steps, give), state(made))
            made = chain(bones, 9, count, limits)
            note(fabrik.solve(made, aims, 1e-3, steps, 1.0 - give).iterations, packed_limits(made))


def test_steps_stop_at_the_tolerance_and_where_they_gain_nothing():
    rig = chain_rig(4)
    goal = take_chain(rig.skeleton, bent(rig, 12, 6, 0.3), "b0", "b4").joints[:, -1]
    goal[5] = [3.0, 0.0, 0.0]
    for solver, tolerance in product((ccd.solve_numpy, fabrik.solve_numpy), (1e-1, 1e-2, 1e-3)):
        made = take_chain(rig.skeleton, bent(rig, 13, 6, 0.3), "b0", "b4")
        left, taken = solver(made, goal, tolerance, 60, np.ones(4))
        PINS.hold(f"{solver.__module__} to {tolerance:g}", taken[:5])
        assert (left[:5] <= tolerance).all() and left[5] > 2.0 and taken.max() < 60
        again = solver(made, goal, tolerance, 60, np.ones(4))
        assert not again.iterations[:5].any() and np.array_equal(again.distance[:5], left[:5])
    for solver in (ccd.solve, fabrik.solve):
        usual, told = (take_chain(rig.skeleton, bent(rig, 13, 6, 0.3), "b0", "b4") for _ in range(2))
        one, two = solver(usual, goal), solver(told, goal, 1e-3, 50, np.zeros(4))
        assert np.array_equal(one.iterations, two.iterations) and np.array_equal(usual.local, told.local)


@pytest.mark.parametrize("limits", HELD)
def test_straight_chains_are_bent_where_no_turn_would_bend_them(limits: str):
    for bones, spread in product((1, 2, 4), (0.0, 0.004, 0.05)):
        made = chain(bones, 10, 8, limits, spread)
        made.local[4:, 0] = quat.multiply(quat.from_axis_angle([0.0, 0.0, 1.0], 1.3), made.local[4:, 0])
        made.place()
        end, root = made.joints[:, -1], made.joints[:, 0]
        aims = root + (end - root) * np.array([0.5, -0.5, 1.5, 0.0, 0.7, -1.0, 0.2, 0.9])[:, None]
        active = np.array([True, True, True, True, True, True, False, True])
        aims[7] += [0.0, 0.0, 0.05]
        before = made.local.copy()
        ccd.unlock(made, aims, active)
        PINS.hold(f"unlocked, {bones} bones, {limits}, {spread}", state(made))
        assert np.array_equal(made.local[6:], before[6:])
        free, half = chain(bones, 10, 8, limits, spread), chain(bones, 10, 8, limits, spread)
        ccd.unlock(free, free.joints[:, -1] * 0.5, np.ones(8, dtype=bool))
        ccd.unlock(half, half.joints[:, -1] * 0.5, np.ones(8, dtype=bool), 0.1)
        PINS.hold(f"unlocked by more, {bones} bones, {limits}, {spread}", state(free), state(half))


def test_chains_cut_out_and_put_back():
    rig = chain_rig(6)
    for lead in ((), (3,), (2, 2)):
        whole = scaled(bent(rig, 11, int(np.prod(lead, dtype=int))))
        pose = Transform(*(part.reshape(*lead, *part.shape[-2:]) for part in whole))
        for root, tip in (("b0", "b1"), ("b1", "b4"), ("b2", "b6")):
            made = take_chain(rig.skeleton, pose, root, tip, {**LIMITS, **TIGHT})
            PINS.hold(f"{root} to {tip} of {lead}", made, present_pole(made))
            made.local[:] = quat.IDENTITY
            put = put_chain(pose, made)
            assert put.rotation.shape == pose.rotation.shape
            assert (put.rotation[..., list(made.bones), :] == quat.IDENTITY).all()
            others = [b for b in range(7) if b not in made.bones]
            assert np.array_equal(put.rotation[..., others, :], pose.rotation[..., others, :])
        model = down_chain(rig.skeleton.parents, whole)
        for bone in range(7):
            one = model_of(rig.skeleton, pose, bone)
            np.testing.assert_allclose(one.translation.reshape(-1, 3), model.translation[:, bone], atol=1e-12)


def test_the_pole_of_a_chain_that_is_folded_onto_its_root_is_aside_of_x():
    """Its end gives no direction: +X stands in for it, and where the bones lie along that, +Z is aside."""
    rig = chain_rig(2)
    pose = bent(rig, 1, 3, 0.0)
    for row, way in enumerate(([0.8, 0.6, 0.0], [0.6, 0.0, -0.8], [1.0, 0.0, 0.0])):
        pose.rotation[row, 0] = quat.shortest_arc([0.0, 1.0, 0.0], way)
    pose.rotation[:, 1] = quat.from_axis_angle([1.0, 0.0, 0.0], np.pi)
    made = take_chain(rig.skeleton, pose, "b0", "b2")
    assert np.abs(made.joints[:, 2]).max() < 1e-9
    sides = (present_pole(made) - made.joints[:, 1]) / 0.2
    np.testing.assert_allclose(sides, [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], atol=1e-6)


# ------------------------------------------------------------ set-ups
SETUPS = {
    "two bones": IkSetup("s", "b1", "b3", IkSolver.TWO_BONE, pole=IkTarget()),
    "soft and stretched": IkSetup(
        "s", "b1", "b3", IkSolver.TWO_BONE, soft=0.2, stretch_start=0.8, stretch_limit=1.5
    ),
    "ccd": IkSetup("s", "b0", "b4", IkSolver.CCD, stiffness={"b1": 0.5, "b2": 1.0}, step=9.0, iterations=7),
    "ccd without limits": IkSetup(
        "s", "b0", "b4", IkSolver.CCD, use_limits=False, iterations=7, tolerance=0.02
    ),
    "fabrik": IkSetup("s", "b0", "b4", IkSolver.FABRIK, stiffness={"b2": 0.3}, iterations=7),
    "aim": IkSetup("s", "b2", "b2", IkSolver.AIM, aim_axis=(0.6, 0.0, 0.8), aim_limit=70.0),
    "aim of a root": IkSetup("s", "b0", "b0", IkSolver.AIM, up_axis=(1.0, 0.0, 0.0)),
    "follow": IkSetup("s", "b3", "b3", IkSolver.FOLLOW),
    "follow of a root": IkSetup("s", "b0", "b0", IkSolver.FOLLOW),
    "turn": IkSetup("s", "b3", "b3", IkSolver.TURN),
}
RIG = replace(chain_rig(5), limits=LIMITS)


@pytest.mark.parametrize("end", EndRotation)
@pytest.mark.parametrize("name", SETUPS)
def test_set_ups_solved(name: str, end: EndRotation):
    setup = replace(SETUPS[name], end_rotation=end)
    pose = scaled(bent(RIG, 14, 6, 0.4))
    rng = np.random.default_rng(15)
    goal = IkGoal(rng.uniform(-0.3, 0.4, (6, 3)), turns(16, 6), rng.normal(size=(6, 3)))
    bare = IkGoal(np.array([0.1, 0.35, 0.1]))
    for weight in (None, 0.35, np.linspace(0.0, 1.0, 6)):
        told = "own" if weight is None else "a weight each" if isinstance(weight, np.ndarray) else weight
        with PINS.together(f"{name}, {end}, {told}") as note:
            for asked in (goal, bare):
                note(solve(RIG, pose, setup, asked, weight))
    one = Transform(*(part[3] for part in pose))
    alone = IkGoal(*(part[3] for part in (goal.position, goal.rotation, goal.pole)))
    result = solve(RIG, one, setup, alone)
    assert result.local.rotation.shape == (6, 4) and result.residual.shape == result.iterations.shape == ()
    assert np.array_equal(result.local.rotation, solve(RIG, pose, setup, goal).local.rotation[3])
    assert solve(RIG, pose, setup, goal, 0.0).local is pose
    assert solve(RIG, pose, replace(setup, weight=0.0), goal).local is pose
    whole = solve(RIG, pose, setup, goal).local
    for part, ones in zip(
        whole, solve(RIG, pose, replace(setup, weight=0.5), goal, np.ones(6)).local, strict=True
    ):
        assert np.array_equal(part, ones)


@pytest.mark.parametrize("name", SETUPS)
def test_goals_that_leave_a_pose_as_it_is(name: str):
    setup = SETUPS[name]
    for seed, spread in ((17, 0.4), (17, 0.0)):
        pose = Transform(*(part[0] for part in scaled(bent(RIG, seed, 1, spread))))
        goal = present_goal(RIG, pose, setup)
        PINS.hold(f"present, {name}, {spread}", goal)
        free = replace(setup, use_limits=False, soft=0.0, stretch_limit=1.0)
        after = solve(RIG, pose, free, goal)
        assert float(after.residual) < 1e-6
        if setup.solver is not IkSolver.AIM:  # it rolls toward its up direction
            assert quat.angle_between(after.local.rotation, pose.rotation).max() < 1e-6


def test_targets_and_set_ups_that_cannot_be_solved():
    pose = Transform(*(part[0] for part in scaled(bent(RIG, 18, 1, 0.5))))
    model = down_chain(RIG.skeleton.parents, pose)
    character = Transform(np.array([1.0, 2.0, 3.0]), turns(19, 1)[0], np.ones(3))
    place = {"position": (0.1, 0.2, 0.3), "rotation": tuple(turns(20, 1)[0].tolist())}
    for target in (
        IkTarget(**place),
        IkTarget(IkSpace.WORLD, **place),
        IkTarget(IkSpace.BONE, "b2", **place),
    ):
        PINS.hold(
            f"target {target.space}",
            target_in_model(target, RIG, model),
            target_in_model(target, RIG, model, character),
        )
    for solver, root, tip in product(IkSolver, ("b0", "b2"), ("b0", "b1", "b2", "b4")):
        PINS.hold(f"unsolvable {solver} {root} {tip}", unsolvable(RIG, IkSetup("s", root, tip, solver)))


# ------------------------------------------------------------ feet that come over time
def test_offsets_over_time():
    rng = np.random.default_rng(21)
    rows = Offsets(rng.normal(size=(9, 2)), rng.normal(size=(9, 2, 2)), rng.normal(size=(9, 2, 2, 3)))
    times = np.array([0.0, 0.03, 0.03, 0.1, 0.09, 0.5, 1.0, 1.01, 3.0])
    PINS.hold("offsets over time", over_time(rows, times), over_time(rows, times[:1]))
    first, second = (Offsets(*(part[k] for part in rows)) for k in (0, 1))
    for seconds in (0.0, 0.01, 0.2):
        PINS.hold(
            f"offsets after {seconds} s",
            step(first, second, seconds),
            step(first, second, seconds, Paces(1.0, 2.0, 3.0, 4.0, 5.0)),
        )
