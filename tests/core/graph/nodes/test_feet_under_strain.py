"""Feet that are planted where legs do not reach, ankles do not turn, ground is a wall: by pins, by kernel and twin.

The conftest lets the twin make each step that the kernel makes; the parts are held in `test_planting_parts`.
"""

# ruff: noqa: E501 - a line a case

import math
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.nodes.plant import dot4
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import JointLimit, LimitKind
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import Drawing, swinging, walker
from tests.pins import Pins

HELD = Pins(__file__)
UP = np.array([0.0, 1.0, 0.0])
LINEAR = Interpolation.LINEAR


def ramp(steep: float, falls: float = 0.0):
    """Ground that rises ahead and falls to the side."""
    normal = np.array([falls, 1.0, -steep]) / math.sqrt(1.0 + steep * steep + falls * falls)
    return lambda point: (float(steep * point[2] - falls * point[0]), normal)


def steps(point):
    """Stairs of 0.3 m ahead."""
    return 0.3 * math.floor(float(point[2]) / 0.25), UP


GROUNDS = {
    "level": lambda point: (0.0, UP), "ramp": ramp(0.6), "down": ramp(-0.9), "aslant": ramp(0.3, 0.8), "steep": ramp(2.5), "stairs": steps,
    "deep": lambda point: (-0.6, UP), "high": lambda point: (0.4, UP), "none": None,
}  # fmt: skip


def striding(cone: float | None, lifted: float = 0.0, squat: float = 0.0):
    """A rig whose ankles turn only so far, and a clip in which its legs swing and its feet touch in turn."""
    rig = walker()
    if cone is not None:
        limit = JointLimit(LimitKind.CONE_TWIST, (0.0, 1.0, 0.0), -90.0, 90.0, cone)
        rig = replace(rig, limits={"foot_l": limit, "foot_r": limit})
    made = swinging("walk", 0.0)
    times = [0.0, 0.5, 1.0]
    tracks = {
        Channel("hips", Property.TRANSLATE, 1): scalar_track([0.0, 0.5, 1.0], [0.94 + lifted, 0.9 + lifted - squat, 0.94 + lifted], interpolations=LINEAR),
        Channel("thigh_l", Property.ROTATE, 0): scalar_track(times, [-35.0, 30.0, -35.0], interpolations=LINEAR),
        Channel("thigh_r", Property.ROTATE, 0): scalar_track(times, [30.0, -35.0, 30.0], interpolations=LINEAR),
        Channel("calf_l", Property.ROTATE, 0): scalar_track(times, [5.0, 55.0, 5.0], interpolations=LINEAR),
        Channel("calf_r", Property.ROTATE, 0): scalar_track(times, [50.0, 5.0, 50.0], interpolations=LINEAR),
        Channel("foot_l", Property.ROTATE, 0): scalar_track(times, [-20.0, 30.0, -20.0], interpolations=LINEAR),
        Channel("spine", Property.ROTATE, 1): scalar_track(times, [-8.0, 8.0, -8.0], interpolations=LINEAR),
    }  # fmt: skip
    curves = {
        "contact_l": scalar_track([0.0, 0.4, 0.6, 1.0], [1.0, 1.0, 0.0, 1.0], interpolations=LINEAR),
        "contact_r": scalar_track([0.0, 0.2, 0.5, 1.0], [0.0, 1.0, 1.0, 0.0], interpolations=LINEAR),
        "ik_l": scalar_track([0.0, 1.0], [1.0, 0.4], interpolations=LINEAR),
    }
    return rig, replace(made, tracks=tracks, curves=curves)


def running(kind: str, rig, made, literals: dict, **parameters) -> Instance:
    drawing = Drawing(made, rig_=rig, variables=(Variable("s", maximum=9.0, minimum=-9.0),))
    return drawing.run(drawing.one(drawing.play("walk"), drawing.node(kind, "it", literals, **parameters)))


def through(instance: Instance, ground, *, speed: float = 1.2, turn: float = 0.0, jump: float = 0.0) -> list:
    """Walk along; where a character jumps, everything begins anew."""
    found = []
    for k in range(26):
        dt = (0.05, 0.04, 0.1, 0.0)[k % 4]
        at = 0.06 * k * speed
        height = 0.02 * k + (jump if k > 14 else 0.0)
        stands = Transform(
            np.array([0.1 * at, height, at]), quat.from_axis_angle(UP, math.radians(turn * k)), np.ones(3)
        )
        result = instance.step(dt, {"s": 0.1 * k}, ground, stands)
        assert np.isfinite(result.numbers).all()
        found.append(result.numbers)
    return found


@pytest.mark.parametrize("cone", [None, 0.0, 12.0])
@pytest.mark.parametrize("ground", GROUNDS)
def test_feet_are_planted_on_any_ground(ground, cone):
    rig, made = striding(cone)
    HELD.hold(f"planted, {ground}, {cone}", through(running("plant_feet", rig, made, {}), GROUNDS[ground]))


@pytest.mark.parametrize("ground", ["level", "ramp", "stairs", "deep"])
@pytest.mark.parametrize("how", ["high hips", "low hips", "turns", "fast", "jumps", "half", "narrow ankles"])
def test_feet_are_planted_under_strain(ground, how):
    rig, made = striding(
        8.0 if how == "narrow ankles" else None,
        {"high hips": 0.12}.get(how, 0.0),
        {"low hips": 0.5}.get(how, 0.0),
    )
    literals = {"hold": "0.5 + s * 0.2", "follow": "0.7"} if how == "half" else {}
    more = {"ankle": 5.0, "free_half": 0.2, "ahead": 0.2} if how == "narrow ankles" else {}
    ways = {"turns": {"turn": 9.0}, "fast": {"speed": 9.0}, "jumps": {"jump": 1.5}}.get(how, {})
    HELD.hold(
        f"strain, {ground}, {how}",
        through(running("plant_feet", rig, made, literals, **more), GROUNDS[ground], **ways),
    )


@pytest.mark.parametrize("ground", ["ramp", "aslant", "stairs", "high"])
@pytest.mark.parametrize("kind", ["foot_placement", "stride_warp"])
def test_feet_are_placed_and_stretched(kind, ground):
    rig, made = striding(None)
    literals = (
        {"stride": "0.4 + s", "direction": "25 * s", "turn": "s * 20 - 10"} if kind == "stride_warp" else {}
    )
    HELD.hold(f"{kind}, {ground}", through(running(kind, rig, made, literals), GROUNDS[ground], turn=4.0))


@pytest.mark.parametrize(("literals", "same"), [
    ({}, True), ({"stride": "1"}, True), ({"stride": "1", "direction": "40"}, True), ({"turn": "0"}, True), ({"stride": "1.2"}, False),
    ({"turn": "1"}, False), ({"stride": "1 + 1e-13"}, True), ({"stride": "0"}, False), ({"stride": "-3"}, False), ({"stride": "99"}, False),
])  # fmt: skip
def test_steps_that_are_not_warped_are_the_clips_own(literals, same):
    rig, made = striding(None)
    warped, plain = running("stride_warp", rig, made, literals), running("stride_warp", rig, made, {})
    for dt in (0.1, 0.17):
        a, b = warped.step(dt), plain.step(dt)
        assert np.array_equal(a.pose.rotations, b.pose.rotations) == same
    wild = running("stride_warp", rig, made, {**literals, "turn": "360"}).step(0.27)
    if same:
        assert wild.pose.rotations == pytest.approx(plain.step(0.0).pose.rotations, abs=1e-9)


def test_a_turn_alone_leaves_the_steps_as_long_as_they_are():
    """Hips and legs turn about the hips; the knees bend as they did."""
    rig, made = striding(None)
    turned, plain = running("stride_warp", rig, made, {"turn": "30"}), running("stride_warp", rig, made, {})
    names = rig.skeleton.names
    for _ in range(6):
        a, b = turned.step(0.1), plain.step(0.1)
        for bone in ("calf_l", "calf_r", "foot_l", "foot_r", "thigh_l"):
            k = names.index(bone)
            assert a.pose.rotations[k] == pytest.approx(b.pose.rotations[k], abs=1e-12)
        assert a.pose.translations == pytest.approx(b.pose.translations, abs=1e-12)


def test_rotations_are_compared_in_all_their_parts():
    assert dot4((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0)) == 70.0
    assert dot4((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 1.0, 1.0)) == 0.0
