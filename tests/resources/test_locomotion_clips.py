"""The locomotion sample as it is shipped: every clip measured for slip, sinking, knees, limits, seams and curves."""

import json
from functools import cache
from zipfile import ZipFile

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace
from core.io import load
from core.math import quat
from core.pose import kinematics
from core.project.project import Project
from resources.sample.locomotion import FILE
from tests.resources.clip_measures import Measured, sole_vertices

CURVES = ("FootPosition", "FootDirection", "gait", "contact_l", "contact_r", "ik_l", "ik_r")
LOOSE_SLIP = {"jump start": 0.015, "walk forward left": 0.0105, "walk forward right": 0.0105}
"""Metres a second; 0.01 for all others."""
STRETCHED = {"jump start": 0.9990}
"""Part of its length that a leg reaches; taking off on the spot stretches it; 0.997 for all others."""
FAST = {"sprint": 1500.0, "sprint start": 1900.0, "pivot LF": 1600.0, "pivot RF": 1600.0}
"""Degrees a second that the fastest bone turns; 1300 for all others."""


@cache
def _project() -> Project:
    return load(FILE).project


@cache
def _measured(name: str) -> Measured:
    project = _project()
    return Measured(project.rigs[0], project.meshes_of(project.rigs[0].id)[0], project.clip_named(name))


@cache
def _told() -> tuple[tuple[str, bool], ...]:
    """Name of each clip and whether it loops, without the rest: every worker of pytest asks when it collects."""
    with ZipFile(FILE) as archive:
        assets = json.loads(archive.read("project.json"))["assets"]
        clips = [json.loads(archive.read(asset["document"])) for asset in assets if asset["kind"] == "clip"]
    return tuple((clip["name"], clip["looping"]) for clip in clips)


def _names() -> list[str]:
    return [name for name, _ in _told()]


def test_every_clip_is_measured() -> None:
    assert _told() == tuple((clip.name, clip.looping) for clip in _project().clips)


@pytest.mark.parametrize("name", _names())
def test_planted_feet_neither_slide_nor_float(name: str) -> None:
    assert _measured(name).slip() <= LOOSE_SLIP.get(name, 0.010)
    if _measured(name).clip.additive is None:  # what is added has the contacts of its base
        assert _measured(name).floating() < 0.005


@pytest.mark.parametrize("name", _names())
def test_soles_stay_above_the_ground(name: str) -> None:
    clip = _measured(name)
    lies = name == "roll" or name.startswith(
        "get up"
    )  # let down frame by frame until the skin touches the ground
    assert clip.lowest(sole_vertices(clip.mesh)) > (-0.010 if lies else -0.005)


@pytest.mark.parametrize("name", ["roll", "get up back", "get up front", "get up side"])
def test_who_lies_touches_the_ground_with_the_skin_and_does_not_sink(name: str) -> None:
    clip = _measured(name)
    skin = clip.skinned(np.arange(0, len(clip.mesh.positions), 5), step=4)[..., 1].min(axis=1)
    assert skin.min() > -0.012
    assert skin.max() < 0.015


@pytest.mark.parametrize(
    ("name", "way"), [("back", (0.0, 1.0, 0.0)), ("front", (0.0, -1.0, 0.0)), ("side", (0.9, 0.0, 0.0))]
)
def test_getting_up_begins_lying_and_ends_as_idle_begins(name: str, way: tuple[float, float, float]) -> None:
    clip, idle = _measured(f"get up {name}"), _measured("idle")
    pelvis = clip.rig.skeleton.index("pelvis")
    rest = kinematics.to_model(clip.rig.skeleton, clip.rig.skeleton.rest).rotation[pelvis]
    turned = quat.multiply(clip.model.rotation[0, pelvis], quat.conjugate(rest))
    front = np.asarray(quat.rotate(turned, np.array([0.0, 0.0, 1.0])))
    if name == "side":
        up = np.asarray(quat.rotate(turned, np.array([0.0, 1.0, 0.0])))
        assert abs(up[1]) < 0.2  # neither on the front nor on the back
        assert abs(front[1]) < 0.3
    else:
        assert front @ np.array(way) > 0.95
    assert clip.place("head")[0, 1] < 0.4
    last = quat.angle_between(clip.local.rotation[-1, 1:], idle.local.rotation[0, 1:])
    assert np.degrees(last).max() < 0.2


@pytest.mark.parametrize("name", _names())
def test_knees_are_never_quite_straight_and_turn_no_faster_than_a_sprinters(name: str) -> None:
    assert _measured(name).reach() < STRETCHED.get(name, 0.997)
    assert _measured(name).fastest_turn()[0] < FAST.get(name, 1300.0)


@pytest.mark.parametrize("name", _names())
def test_joints_stay_within_their_limits(name: str) -> None:
    lies = name == "roll" or name.startswith("get up")  # who lies has the pelvis turned against the root
    degrees, bone = _measured(name).beyond_limits(("pelvis",) if lies else ())
    assert degrees <= 0.0, bone


@pytest.mark.parametrize("name", [name for name, looping in _told() if looping])
def test_loops_close(name: str) -> None:
    assert _measured(name).seam() < 0.01
    for curve in CURVES:
        values = _measured(name).curve(curve)
        assert values[0] == pytest.approx(values[-1], abs=1e-6), curve


@pytest.mark.parametrize("name", _names())
def test_locomotion_curves_are_there_and_in_their_ranges(name: str) -> None:
    clip = _measured(name)
    assert set(CURVES) <= set(clip.clip.curves)
    position, direction, gait = (clip.curve(curve) for curve in CURVES[:3])
    assert np.abs(position).max() <= 1.0
    assert np.abs(direction).max() <= 90.0
    assert set(np.round(gait, 6)) <= {1.0, 2.0, 3.0} or (gait.min() >= 1.0 and gait.max() <= 3.0)
    for curve in CURVES[3:]:
        assert clip.curve(curve).min() >= 0.0
        assert clip.curve(curve).max() <= 1.0
    for curve in ("AimBlock", "LandBlock"):
        if curve in clip.clip.curves:
            assert 0.0 <= clip.curve(curve).min() <= clip.curve(curve).max() <= 1.0


@pytest.mark.parametrize("gait", ["walk", "run", "sprint"])
def test_foot_position_tells_the_foot_that_is_ahead(gait: str) -> None:
    """−1 with the left foot farthest ahead, +1 with the right one, through 0 twice a cycle."""
    clip = _measured(gait)
    position = clip.curve("FootPosition")
    ahead = (clip.place("foot_r") - clip.place("foot_l"))[:, 2]
    assert position.min() < -0.9
    assert position.max() > 0.9
    clear = np.abs(ahead) > 0.05
    assert (np.sign(position[clear]) == np.sign(ahead[clear])).all()
    crossings = np.count_nonzero(np.diff(np.sign(position)) != 0)
    assert crossings == 2


@pytest.mark.parametrize("name", [name for name in _names() if "turn" in name or "rotate" in name])
def test_turns_tell_their_yaw(name: str) -> None:
    turned = _measured(name).curve("TurnYaw")
    whole = (180.0 if "180" in name else 90.0) * (1.0 if "left" in name else -1.0)
    assert turned[0] == pytest.approx(0.0, abs=1e-6)
    assert turned[-1] == pytest.approx(whole, abs=1e-4)


def test_spaces_place_each_clip_by_its_gait_and_direction() -> None:
    spaces = {space.name: space for space in _project().all(BlendSpace)}
    clips = {clip.id: clip for clip in _project().clips}
    for name in ("gaits", "forward", "backward"):
        for sample in spaces[name].samples:
            curves = clips[sample.clip].curves
            gait = curves["gait"].values[0]
            assert gait == sample.place[-1] or sample.place[-1] == 3.0  # nobody sprints to the side
