"""Blends as clips, aim offsets, what clips measure and how feet slide."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.aim_offset import converted, misfit, require_fit
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.foot_slip import Foot, feet_of, slip_field, slip_map
from core.blending.measure import measure_for, travel
from core.blending.space_bake import DrivenPath, baked_path, baked_point, cycle_length
from core.blending.space_player import SpacePlayer
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Notify, Property
from core.clips.sample import sample, sample_many
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose import kinematics
from core.tracks.keys import scalar_track
from tests.core.blending.clips import RIG, walking

WALK = walking("walk", 1.2, 1.5, (("left", 0.1), ("right", 0.6)), notifies=(Notify("step", 0.3),))
RUN = walking("run", 0.8, 4.0, (("right", 0.0), ("left", 0.5)))
CLIPS = {clip.id: clip for clip in (WALK, RUN)}
SPACE = BlendSpace(
    AssetId("space-1"), "speed", RIG.id, (SpaceAxis("speed", 0.0, 6.0, unit="m/s"),),
    (SpaceSample(WALK.id, (1.5,)), SpaceSample(RUN.id, (4.0,))), SpaceKind.LINE,
)  # fmt: skip
PLAYER = SpacePlayer(RIG, SPACE, CLIPS)
ID = AssetId("clip-new")


def test_point_at_a_sample_is_that_clip_again() -> None:
    clip = baked_point(PLAYER, [1.5], ID, "baked")
    assert clip.length == pytest.approx(1.2) and clip.looping
    times = np.linspace(0.0, 1.1, 12)
    ours, theirs = (sample_many(RIG, c, times) for c in (clip, WALK))
    assert quat.angle_between(ours.rotations, theirs.rotations).max() < 0.02  # keyed by frames, linear
    assert travel(RIG, clip).speed == pytest.approx(1.5)
    assert {m.name: round(m.time, 6) for m in clip.sync_markers} == {"left": 0.1, "right": 0.6}
    assert [n.name for n in clip.notifies] == ["step"]
    assert float(sample_many(RIG, clip, [0.5]).curves["speed"][0]) == pytest.approx(1.5)


@given(st.floats(1.5, 4.0))
def test_baked_point_walks_at_the_blended_speed_and_closes_its_loop(speed: float) -> None:
    clip = baked_point(PLAYER, [speed], ID, "baked")
    length = cycle_length(PLAYER, [speed])
    assert clip.length == pytest.approx(length)
    weights = PLAYER.field([speed])
    assert travel(RIG, clip).speed == pytest.approx(weights @ [1.8, 3.2] / length, rel=1e-6)
    ends = [sample(RIG, clip, t, stopped=True).pose for t in (0.0, clip.length)]
    assert quat.angle_between(ends[0].rotations, ends[1].rotations).max() < 1e-6
    assert np.abs(ends[0].translations - ends[1].translations).max() < 1e-6


def standing(name: str, yaw: float) -> Clip:
    """A clip that holds the arm turned by an angle about +Y."""
    tracks = {Channel("arm", Property.ROTATE, 1): scalar_track([0.0], [yaw])}
    return Clip(AssetId(f"clip-{name}"), name, RIG.id, 1.0, tracks=tracks)


def test_baked_path_turns_as_its_preview_does() -> None:
    """Of three turns without a common half, the path's first and last pass beside one sample only."""
    clips = [standing(name, yaw) for name, yaw in (("a", 0.0), ("b", 170.0), ("c", 190.0))]
    axes = (SpaceAxis("x", 0.0, 1.0), SpaceAxis("y", 0.0, 1.0))
    places = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    samples = tuple(SpaceSample(c.id, p) for c, p in zip(clips, places, strict=True))
    space = BlendSpace(AssetId("space-2"), "turn", RIG.id, axes, samples, SpaceKind.TRIANGLES)
    player = SpacePlayer(RIG, space, {clip.id: clip for clip in clips})
    path = DrivenPath(np.array([0.0, 0.5, 1.0]), np.array([[1.0, 0.5], [0.9, 0.4], [0.2, 0.1]]))
    baked = baked_path(player, path, ID, "baked")
    frames = np.arange(31) / 30.0
    state = player.start([1.0, 0.5])
    for time, point in zip(frames, path.at(frames, player), strict=True):
        if time > 0.0:
            state = player.advanced(state, tuple(point), 1.0 / 30.0)
        live = player.sample(state).pose.rotations
        assert quat.angle_between(live, sample(RIG, baked, time, stopped=True).pose.rotations).max() < 1e-9
    first = sample(RIG, baked, 0.0).pose.rotations[2]
    assert np.degrees(quat.angle_between(first, quat.from_axis_angle([0, 1, 0], np.pi))) < 1e-6


def test_length_that_is_asked_for_is_kept_and_does_not_loop() -> None:
    clip = baked_point(PLAYER, [2.0], ID, "baked", length=3.0)
    assert clip.length == 3.0 and not clip.looping
    whole = sample_many(RIG, clip, [0.0, 3.0]).translations[:, 0, 2]
    weights = PLAYER.field([2.0])
    speed = weights @ [1.8, 3.2] / cycle_length(PLAYER, [2.0])
    # Over a part of a cycle the motion is that of the intervals passed, not quite the mean speed.
    assert whole[1] - whole[0] == pytest.approx(3.0 * speed, rel=0.06)


def test_path_is_baked_as_it_was_driven() -> None:
    path = DrivenPath(np.array([0.0, 1.0, 2.0]), np.array([[1.5], [4.0], [1.5]]))
    clip = baked_path(PLAYER, path, ID, "path")
    assert clip.length == pytest.approx(2.0) and clip.root_motion.enabled
    places = sample_many(RIG, clip, np.linspace(0.0, 2.0, 61)).translations[:, 0, 2]
    speeds = np.diff(places) * 30.0
    assert speeds[:3].mean() < 2.5 < 3.0 < speeds[28:32].mean()
    speed = sample_many(RIG, clip, [1.0]).curves["speed"][0]
    assert float(speed) == pytest.approx(4.0)


def test_path_over_a_wrapped_axis_goes_the_short_way() -> None:
    axis = SpaceAxis("direction", -180.0, 180.0, wrap=True)
    space = replace(SPACE, axes=(axis,), samples=(SpaceSample(WALK.id, (0.0,)),))
    player = SpacePlayer(RIG, space, CLIPS)
    path = DrivenPath(np.array([0.0, 1.0]), np.array([[170.0], [-170.0]]))
    assert np.abs(path.at(np.array([0.25, 0.5, 0.75]), player)).min() >= 174.9


def test_path_without_length_says_what_to_do() -> None:
    with pytest.raises(ValidationError, match="record"):
        baked_path(PLAYER, DrivenPath(np.zeros(1), np.zeros((1, 1))), ID, "path")


# ---------------------------------------------------------------- aim offsets


def looking(name: str, degrees: float, declared: bool = True) -> Clip:
    tracks = {Channel("arm", Property.ROTATE, 1): scalar_track([0.0], [degrees])}
    additive = Additive(AdditiveSpace.MODEL, AdditiveBase.FRAME, AssetId("clip-centre"), 0.0)
    return Clip(
        AssetId(f"clip-{name}"), name, RIG.id, 0.0, tracks=tracks, additive=additive if declared else None
    )


CENTRE, LEFT, RIGHT = looking("centre", 10.0), looking("left", -50.0), looking("right", 70.0)
AIM = BlendSpace(
    AssetId("space-aim"), "aim", RIG.id, (SpaceAxis("Yaw", -90.0, 90.0),),
    (SpaceSample(CENTRE.id, (0.0,)), SpaceSample(LEFT.id, (-90.0,)), SpaceSample(RIGHT.id, (90.0,))),
    SpaceKind.LINE, aim_offset=True, base_clip=WALK.id,
)  # fmt: skip
AIM_CLIPS = {clip.id: clip for clip in (CENTRE, LEFT, RIGHT, WALK)}


@given(st.floats(-90.0, 90.0), st.floats(0.0, 3.0))
def test_aim_offset_turns_what_the_base_clip_plays(yaw: float, time: float) -> None:
    player = SpacePlayer(RIG, AIM, AIM_CLIPS)
    state = player.advanced(player.start([yaw]), [yaw], time)
    aimed = player.sample(state).pose
    below = sample(RIG, WALK, time).pose
    model = [kinematics.model_rotations(RIG.skeleton, p.rotations) for p in (aimed, below)]
    turn = quat.multiply(model[0][2], quat.conjugate(model[1][2]))
    expected = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(60.0 * np.sign(yaw)))
    share = abs(yaw) / 90.0
    goal = quat.normalise((1.0 - share) * quat.IDENTITY + share * expected)
    assert float(quat.angle_between(turn, goal)) < 1e-6
    assert quat.angle_between(aimed.rotations[1], below.rotations[1]) < 1e-9


def test_aim_offset_at_its_centre_is_the_base_clip() -> None:
    player = SpacePlayer(RIG, AIM, AIM_CLIPS)
    aimed, below = player.sample(player.start([0.0])).pose, sample(RIG, WALK, 0.0).pose
    assert quat.angle_between(aimed.rotations, below.rotations).max() < 1e-7


def test_clip_that_does_not_fit_is_refused_and_converting_makes_it_fit() -> None:
    plain = looking("plain", 20.0, declared=False)
    clips = {**AIM_CLIPS, plain.id: plain}
    problem = misfit(AIM, plain, clips)
    assert problem is not None and "not additive" in problem.reason
    fitting = converted(plain, problem.remedy)
    assert misfit(AIM, fitting, clips) is None
    local = replace(fitting, additive=replace(problem.remedy, space=AdditiveSpace.LOCAL))
    found = misfit(AIM, local, clips)
    assert found is not None and "model space" in found.reason
    other = replace(fitting, additive=replace(problem.remedy, base=AdditiveBase.REST))
    found = misfit(AIM, other, clips)
    assert found is not None and "another additive base" in found.reason
    spoiled = AIM.with_sample(SpaceSample(plain.id, (45.0,)))
    with pytest.raises(ValidationError, match="not additive"):
        require_fit(spoiled, clips)
    with pytest.raises(ValidationError, match="not additive"):
        SpacePlayer(RIG, spoiled, clips)


# ---------------------------------------------------------------- measures


@pytest.mark.parametrize(("rate", "speed"), [(1.0, 1.5), (2.0, 3.0)])
def test_travel_measures_speed_and_direction(rate: float, speed: float) -> None:
    found = travel(RIG, WALK, rate)
    assert found.speed == pytest.approx(speed) and found.direction == pytest.approx(0.0)
    aside = Clip(
        AssetId("c"), "aside", RIG.id, 1.0,
        tracks={Channel("root", Property.TRANSLATE, 0): scalar_track([0.0, 1.0], [0.0, -2.0])},
    )  # fmt: skip
    assert travel(RIG, aside).direction == pytest.approx(90.0)  # −X is to the right of one who faces +Z
    assert travel(RIG, aside).right == pytest.approx(2.0)


def test_axis_names_say_what_they_measure() -> None:
    names = {"Speed": "speed", "Direction": "direction", "Strafe": "right", "Forward": "ahead", "Aim": None}
    assert {name: measure_for(SpaceAxis(name)) for name in names} == names


def test_foot_that_goes_with_the_body_slides_at_its_speed() -> None:
    """The hand as a foot: it stays with the root, so that a planted one would slide at the walking speed."""
    arms = [replace(c, tracks={k: t for k, t in c.tracks.items() if k.bone == "root"}) for c in (WALK, RUN)]
    planted = {"contact_l": scalar_track([0.0], [1.0])}
    clips = {c.id: replace(c, curves=planted) for c in arms}
    field = slip_field(SpacePlayer(RIG, SPACE, clips), [Foot("hand", "", "contact_l")])
    assert field.at([1.5]) == pytest.approx([1.5], rel=1e-6)
    assert field.at([4.0]) == pytest.approx([4.0], rel=1e-6)
    found = slip_map(field, [np.linspace(1.5, 4.0, 3)])
    assert found[0] == pytest.approx(1.5) and found[2] == pytest.approx(4.0)


def test_feet_are_found_by_name_or_their_lack_is_told() -> None:
    assert feet_of(RIG.skeleton) == ()
    with pytest.raises(ValidationError, match="no feet"):
        slip_field(PLAYER)
    with pytest.raises(ValidationError, match="aim offset"):
        slip_field(SpacePlayer(RIG, AIM, AIM_CLIPS))
