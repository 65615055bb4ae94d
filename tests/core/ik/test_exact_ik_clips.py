"""Goals keyed, matched and baked, feet of clips placed and planted: exact results of many cases."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.errors import ValidationError
from core.ik import bake, keyed
from core.ik.bake import CURVE_STEPS, frame_times
from core.ik.chain import take_chain
from core.ik.feet import placed_clip, placed_pose
from core.ik.ground import Ground
from core.ik.keyed import FIELDS, GOAL, POLE, TURN, WEIGHT, curve_name
from core.ik.rigged import sample_many
from core.ik.stance import Stance, spans_of, with_planted_feet
from core.math import euler, quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.roles import find_roles
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from tests.core.ik.test_feet_of_clips import stepping
from tests.core.ik.test_keyed_goals import ARM, RIG, moving_clip, reach_clip
from tests.core.ik.test_stance import RIG as STANDER
from tests.core.ik.test_stance import clip_of, pose, scaled
from tests.pins import Pins

PINS = Pins(__file__)
SAMPLES = np.linspace(0.0, 2.0, 23)


def turns(seed: int, count: int) -> np.ndarray:
    return quat.normalise(np.random.default_rng(seed).normal(size=(count, 4)))


def shown(clip: Clip, times=SAMPLES) -> Transform:
    """What a clip looks like; keys may stand anywhere."""
    return sample_many(RIG, clip, times, wrap=False).local


# ------------------------------------------------------------ keyed goals
PLACE = {"position": (0.1, -0.2, 0.3), "rotation": tuple(turns(1, 1)[0].tolist())}
TARGETS = {
    "model": (IkTarget(**PLACE), IkTarget(position=(0.0, 1.0, 2.0))),
    "world": (IkTarget(IkSpace.WORLD, **PLACE), None),
    "bones": (IkTarget(IkSpace.BONE, "head", **PLACE), IkTarget(IkSpace.BONE, "chest", **PLACE)),
}
SOLVERS = {
    "arm": ARM,
    "ccd": IkSetup("Left arm", "chest", "hand_l", IkSolver.CCD, iterations=5, weight=0.4),
    "aim": IkSetup("Left arm", "head", "head", IkSolver.AIM, aim_axis=(0.6, 0.0, 0.8)),
    "follow": IkSetup("Left arm", "hand_r", "hand_r", IkSolver.FOLLOW),
}


@pytest.mark.parametrize(("solver", "space"), list(product(SOLVERS, TARGETS)))
def test_goals_of_curves(solver: str, space: str):
    goal, pole = TARGETS[space]
    setup = replace(SOLVERS[solver], goal=goal, pole=pole)
    rig = replace(RIG, ik_setups=(setup, *RIG.ik_setups[1:]))
    local = Transform(*(part[:9] for part in shown(moving_clip())))
    model = down_chain(rig.skeleton.parents, local)
    rng = np.random.default_rng(2)
    curves = {curve_name(setup.name, field): rng.uniform(-0.5, 0.5, 9) for field in FIELDS}
    curves |= {curve_name(setup.name, field): rng.uniform(-170.0, 170.0, 9) for field in TURN}
    curves[curve_name(setup.name, WEIGHT)] = np.linspace(-0.5, 1.5, 9)
    with PINS.together(f"goals, {solver}, {space}") as note:
        for left_out in ((), TURN, POLE, (WEIGHT,), GOAL[1:], (*TURN[:2], *POLE[1:])):
            given = {n: c for n, c in curves.items() if n.split("/")[2] not in left_out}
            note(keyed.keyed_goal(rig, local, setup, given), keyed.with_ik(rig, local, given))
    present = keyed.present_values(rig, local, setup)
    PINS.hold(f"present, {solver}, {space}", present)
    place = Transform(*(part[:, 3] for part in model))
    into = keyed.into_space(goal, rig, model, place)
    PINS.hold(f"into space, {solver}, {space}", into)
    one = Transform(*(part[4] for part in model))
    back = keyed.out_of_space(goal, rig, one, into.translation[4])
    np.testing.assert_allclose(back, place.translation[4], atol=1e-9)
    degrees = euler.from_quaternion(into.rotation[4], 0)
    assert quat.angle_between(keyed.turned_out_of_space(goal, rig, one, degrees), place.rotation[4]) < 1e-6


def test_names_of_curves():
    assert keyed.setup_of("ik/Left arm/goal x") == ("Left arm", "goal x")
    for other in ("ik/Left arm/goal", "ik/Left arm", "ik/a/b/goal x", "fk/Left arm/goal x", "speed", ""):
        assert keyed.setup_of(other) is None
    clip = moving_clip()
    for field in FIELDS:
        one = replace(clip, curves={curve_name("Left arm", field): scalar_track([0.0], [1.0])})
        assert keyed.drives(one, "Left arm") is (field in GOAL)
        assert [s.name for s in keyed.driving(RIG, one.curves)] == ["Left arm"] * (field in GOAL)
        assert not keyed.drives(one, "Right arm")
    PINS.hold("bones of set-ups", [keyed.chain_bones(RIG, setup) for setup in RIG.ik_setups])


def test_angles_without_jumps_and_poles_of_straight_poses():
    rng = np.random.default_rng(3)
    rows = np.cumsum(rng.normal(scale=40.0, size=(40, 3)), axis=0)
    wrapped = euler.from_quaternion(euler.to_quaternion(rows, 0), 0)
    found = keyed.unrolled(wrapped)
    PINS.hold("angles without jumps", found)
    assert quat.angle_between(euler.to_quaternion(found, 0), euler.to_quaternion(wrapped, 0)).max() < 1e-6
    assert np.array_equal(found[0], wrapped[0]) and np.abs(np.diff(found, axis=0)).max() < 180.0
    assert keyed.unrolled(wrapped[:1]).shape == (1, 3) and keyed.unrolled(wrapped[:0]).shape == (0, 3)
    rest = RIG.skeleton.rest
    elbow = RIG.skeleton.index("lower_arm_l")
    for name, bends in (
        ("bent", [0.4, 0.5, -0.3, 0.6]), ("some", [0.0, 0.5, 0.0, 0.0, -0.4, 0.0]), ("straight", [0.0, 0.0]),
        ("hardly", [2.5e-4, 0.3, 1e-5]), ("first", [0.3, 0.0]), ("last", [0.0, 0.3]), ("one", [0.0]),
    ):  # fmt: skip
        local = Transform(*(np.repeat(part[None], len(bends), axis=0) for part in rest))
        local.rotation[:, elbow] = quat.from_axis_angle([0.0, 0.6, 0.8], np.array(bends))
        local.rotation[:, 0] = quat.from_axis_angle([0.0, 1.0, 0.0], 0.2 * np.arange(len(bends)))
        PINS.hold(
            f"poles, {name}", keyed.steady_poles(take_chain(RIG.skeleton, local, "upper_arm_l", "hand_l"))
        )


# ------------------------------------------------------------ baking and matching
RANGES = {"all": (None, None), "middle": (0.5, 1.0), "start": (0.0, 0.4), "end": (1.31, 2.0), "one": (0.7, 0.7),
          "beyond": (-1.0, 9.0), "between frames": (0.513, 0.881)}  # fmt: skip


def test_times_of_frames():
    clip = moving_clip()
    for name, (start, end) in RANGES.items():
        PINS.hold(f"frames, {name}", frame_times(clip, start, end))
    for span in (
        (0.5, 0.50001),
        (0.5, 0.500015),
        (0.5, 0.50003),
        (1.0 / 30.0 - 1e-8, 1.0 / 30.0 + 1e-8),
        (0.1, 0.1001),
    ):
        PINS.hold(f"frames of {span}", frame_times(clip, *span))
    odd = replace(clip, rate=FrameRate.of(24), length=1.99)
    PINS.hold("frames at 24", frame_times(odd), frame_times(odd, 0.3), frame_times(odd, None, 0.3))
    with pytest.raises(ValidationError, match=r"1 to 0\.5 s"):
        frame_times(clip, 1.0, 0.5)


WEIGHTS = {
    "none": None,
    "whole": scalar_track([0.0], [1.0]),
    "moving": scalar_track([0.0, 0.4, 0.6, 0.8, 1.2, 2.0], [1.0, 0.7, 0.5, 0.9, 0.6, 1.0]),
    "late": scalar_track([1.4, 1.8], [0.2, 0.9], interpolations=Interpolation.LINEAR),
    "steps": scalar_track([0.2, 0.9, 1.5], [0.2, 0.9, 0.4], interpolations=Interpolation.CONSTANT),
}


def worst(change: bake.Change) -> tuple[str, float]:
    """Which bone strayed farthest, and when; of what none strays by much any may."""
    return (change.bone, change.time) if change.metres > 1e-5 else ("none", 0.0)


def weighed(weight: str, clip: Clip) -> Clip:
    track = WEIGHTS[weight]
    return (
        clip
        if track is None
        else replace(clip, curves={**clip.curves, curve_name("Left arm", WEIGHT): track})
    )


@pytest.mark.parametrize("span", RANGES)
def test_clips_baked(span: str):
    for weight in WEIGHTS if span in ("all", "middle") else ("none", "moving", "steps"):
        clip = weighed(weight, reach_clip())
        change = bake.baked(RIG, clip, ["Left arm"], *RANGES[span])
        PINS.hold(f"baked, {span}, {weight}", shown(change.clip), change.clip.curves, worst(change))
        assert change.metres < (0.2 if weight == "steps" else 2e-3)  # curves go over what steps
        if span == "middle":
            every = bake.baked(RIG, clip, ["Left arm"], *RANGES[span], metres=None)
            assert every.keys == change.keys  # a range keeps a key a frame


SPANS = ((0.0, 0.4), (0.5, 1.0), (1.3, 2.0), (0.7, 0.7), (0.5 / 30.0, 0.3), (0.001, 0.3), (1.5, 1.6))


def test_weights_that_step_at_the_ends_of_a_range():
    half = 0.5 / 30.0
    for weight, span in product(WEIGHTS, SPANS):
        with PINS.together(f"muted, {weight}, {span[0]:.3g} to {span[1]:.3g}") as note:
            for inside in (0.0, 1.0):
                made = bake._muted(WEIGHTS[weight], 0.4, np.array(span), half, inside)
                note(made)
                within = np.linspace(span[0], span[1] + 0.9 * half, 9)
                assert (evaluate_scalar(made, within) == inside).all()
                before, after = (
                    np.linspace(0.0, span[0] - 1.01 * half, 9),
                    np.linspace(span[1] + 1.01 * half, 2.0, 9),
                )
                for outside in (before[(before >= 0.0) & (before < span[0])], after[after > span[1] + half]):
                    own = WEIGHTS[weight]
                    wanted = np.full(len(outside), 0.4) if own is None else evaluate_scalar(own, outside)
                    assert evaluate_scalar(made, outside) == pytest.approx(wanted, abs=1e-9)


def quaternions(clip: Clip) -> Clip:
    whole = quaternion_track([0.0, 2.0], [[0, 0, 0, 1.0], [0, 0, np.sin(0.2), np.cos(0.2)]])
    kept = {c: t for c, t in clip.tracks.items() if c.property is Property.TRANSLATE}
    return replace(clip, tracks=kept).with_tracks({Channel("upper_arm_l", Property.ROTATE, WHOLE): whole})


def test_bakes_of_loops_quaternions_and_many_set_ups():
    clip = reach_clip()
    head = {curve_name("Head", field): scalar_track([0.0, 2.0], [0.2, 0.4]) for field in GOAL}
    both = replace(clip, curves={**clip.curves, **head, "speed": scalar_track([0.0], [3.0])})
    cases = {
        "looping": (replace(clip, looping=True), None),
        "quaternions": (quaternions(clip), None),
        "both": (both, None),
        "one of both": (both, ["Head"]),
    }
    for name, (given, setups) in cases.items():
        for metres, span in ((None, (None, None)), (0.01, (None, None)), (None, (0.5, 1.0))):
            change = bake.baked(RIG, given, setups, *span, metres=metres)
            keys = change.keys if metres is None else 0
            told = (sorted(change.clip.curves), worst(change), keys)
            PINS.hold(f"baked, {name}, {metres}, {span}", shown(change.clip), told)
            assert change.metres < 0.012
    with pytest.raises(ValidationError, match="no IK set-up drives"):
        bake.baked(RIG, clip, ["Head"])


@pytest.mark.parametrize("span", RANGES)
@pytest.mark.parametrize("name", ["Left arm", "Left leg", "Head"])
def test_clips_matched(span: str, name: str):
    weights = (
        ("none", "moving", "late") if name == "Left arm" and span in ("all", "middle", "start") else ("none",)
    )
    for driven, weight, own in ((False, weights[-1], 0.5), *((True, weight, 1.0) for weight in weights)):
        clip = weighed(weight, reach_clip() if driven else moving_clip())
        setup = replace(RIG.ik_setup(name), weight=own)
        rig = replace(RIG, ik_setups=tuple(setup if s.name == name else s for s in RIG.ik_setups))
        change = bake.matched(rig, clip, setup, *RANGES[span])
        values = {n: evaluate_scalar(track, SAMPLES) for n, track in sorted(change.clip.curves.items())}
        keys = len(change.clip.curves[curve_name(name, GOAL[0])])
        PINS.hold(f"matched, {name}, {span}, {driven}, {weight}", values)
        assert change.keys >= keys > 0 and change.metres < 2e-3
    assert CURVE_STEPS == {GOAL: 2e-6, POLE: 1e-4, TURN: 0.01}


def test_goals_taken_away_and_renamed():
    clip = replace(reach_clip(), curves={**reach_clip().curves, "speed": scalar_track([0.0], [1.0]),
                                         "ik/Head/weight": scalar_track([0.0], [0.5])})  # fmt: skip
    assert sorted(bake.without_goal(clip, "Left arm").curves) == ["ik/Head/weight", "speed"]
    assert bake.without_goal(clip, "Left") is clip and bake.renamed_goal(clip, "Left", "Arm") is clip
    renamed = bake.renamed_goal(clip, "Left arm", "Arm")
    assert sorted(renamed.curves) == sorted([*(f"ik/Arm/{f}" for f in GOAL), "ik/Head/weight", "speed"])
    for field in GOAL:
        assert renamed.curves[f"ik/Arm/{field}"] is clip.curves[f"ik/Left arm/{field}"]


# ------------------------------------------------------------ feet
ROLES = find_roles(RIG.skeleton)
SLOPE = Ground(0.1, 6.0, 8.0)


@pytest.mark.parametrize("span", ["all", "middle", "start", "end"])
def test_clips_on_slopes(span: str):
    clip = stepping()
    done, off = placed_clip(RIG, ROLES, clip, SLOPE, *RANGES[span])
    PINS.hold(
        f"placed, {span}",
        shown(done),
        off,
        sorted(f"{c.bone} {c.property} {c.axis}" for c in done.tracks),
    )
    for start in (0.0, 0.52):
        poses = [
            Transform(*(part[0] for part in shown(clip, np.array([time])))) for time in (0.3, 0.6, 1.111)
        ]
        with PINS.together(f"poses placed from {start}, {span}") as note:
            for given, time in zip(poses, (0.3, 0.6, 1.111), strict=True):
                note(placed_pose(RIG, ROLES, clip, SLOPE, given, time, min(start, time)))
                note(placed_pose(RIG, ROLES, None, SLOPE, given, time, start))


POSES = {
    "crouch": ([pose(0.99), pose(0.6, 0.0, -0.1, 25.0), pose(0.99)], [0, 10, 20]),
    "heel up": ([pose(0.7), pose(0.98, heel=30.0)], [0, 6]),
    "stride": ([pose(0.95), pose(1.05, 0.02, 0.05, heel=32.0), pose(1.05, 0.5, 0.1, heel=10.0)], [0, 6, 12]),
    "close": ([pose(0.99), pose(0.98), pose(0.6, 0.0, -0.1, 25.0), pose(0.99)], [0, 1, 3, 21]),
    "sinks": ([pose(0.9), pose(0.5, -0.04, 0.1), pose(0.95, 0.1, 0.2)], [0, 5, 9]),
    "lands": ([pose(1.4, 0.4), pose(1.05, 0.02, 0.0, heel=32.0), pose(0.5)], [0, 4, 8]),
}


@pytest.mark.parametrize("name", POSES)
def test_feet_planted(name: str):
    clip = clip_of(*POSES[name])
    times = np.linspace(0.0, clip.length, 31)
    for told, span, size in (("whole", None, 1.0), ("half", (0.0, 6.0 / 30.0), 1.0), ("small", None, 0.2)):
        given, rig = (clip, STANDER) if size == 1.0 else scaled(clip, size)
        done = with_planted_feet(rig, given, span)
        looks = sample_many(rig, done.clip, times, wrap=False).local
        PINS.hold(
            f"planted {name}, {told}", looks, done.stances, spans_of(done.stances), round(done.residual, 6)
        )


def test_stretches_of_stances_are_counted():
    row = [
        ("l", 0.0, 1.0),
        ("r", 0.5, 0.7),
        ("l", 1.0, 2.0),
        ("l", 2.5, 3.0),
        ("r", 0.700005, 0.9),
        ("r", 0.95, 1.0),
    ]
    both, none = (True, False), (False, False)
    assert spans_of([Stance(*each, both) for each in row]) == {"l": 2, "r": 2}
    assert spans_of([Stance(*row[0], both), Stance(*row[2], none), Stance("l", 2.0, 2.5, both)]) == {"l": 2}
    assert spans_of([]) == {}
