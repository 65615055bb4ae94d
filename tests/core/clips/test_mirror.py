"""Mirroring clips on their tracks, held against mirroring sampled poses one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Clip, Notify, Property, SyncMarker
from core.clips.mirror import mirrored_clip, mirrored_range, other_side
from core.clips.mirror_keys import mirrored_keys
from core.clips.sample import sample_many
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose.mirror import MirrorWay, mirror_map, mirrored
from core.rig.rig import MirrorSetup, Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

NAMES = ("root", "spine", "arm_l", "hand_l", "arm_r", "hand_r", "prop")
PARENTS = np.array([-1, 0, 1, 2, 1, 4, 3])
SETUP = MirrorSetup(0, ("root", "spine"), (("arm_l", "arm_r"), ("hand_l", "hand_r")))
PLACES = np.array(
    [[0, 0, 0], [0, 1, 0], [0.2, 1.4, 0], [0.6, 1.3, 0.1], [-0.2, 1.4, 0], [-0.6, 1.3, 0.1], [0.7, 1.3, 0]]
)
LENGTH = 1.0
PROBES = np.linspace(0.0, LENGTH, 41)


def rig_with(axes: np.ndarray) -> Rig:
    above = np.maximum(PARENTS, 0)
    inverse = quat.conjugate(axes[above])
    inverse[0] = quat.IDENTITY
    offset = PLACES - np.where((PARENTS < 0)[:, None], 0.0, PLACES[above])
    rest = Transform(quat.rotate(inverse, offset), quat.multiply(inverse, axes), np.ones((7, 3)))
    return Rig(AssetId("rig-1"), "figure", Skeleton(NAMES, PARENTS, rest), SETUP)


PLAIN = rig_with(np.tile(quat.IDENTITY, (7, 1)))
ODD = rig_with(quat.normalise(np.random.default_rng(5).normal(size=(7, 4))))
RIGS = pytest.mark.parametrize("rig", [PLAIN, ODD], ids=["plain", "odd axes"])


def clip_of(seed: int, whole: bool, looping: bool = True) -> Clip:
    """Bones that turn and move by keys at times of their own, closing where it loops."""
    random = np.random.default_rng(seed)
    tracks = {}
    loop = LENGTH if looping else None
    for bone in NAMES[:6]:
        times = np.unique(np.concatenate(([0.0, LENGTH], np.round(random.uniform(0.1, 0.9, 3), 2))))
        for axis in range(3):
            values = random.uniform(-0.1, 0.1, len(times))
            values[-1] = values[0]
            channel = Channel(bone, Property.TRANSLATE, axis)
            tracks[channel] = with_tangents(
                scalar_track(times, values + ODD.skeleton.rest.translation[0, axis]), loop
            )
        if whole:
            turns = quat.continuous(quat.normalise(random.normal(size=(len(times), 4)) + [0, 0, 0, 2.0]))
            turns[-1] = turns[0]
            tangents = random.normal(size=(len(times), 4))
            tracks[Channel(bone, Property.ROTATE, WHOLE)] = quaternion_track(
                times, turns, tangents, tangents, int(Interpolation.CUBIC)
            )
            continue
        for axis in range(3):
            degrees = random.uniform(-60.0, 60.0, len(times))
            degrees[-1] = degrees[0]
            tracks[Channel(bone, Property.ROTATE, axis)] = with_tangents(scalar_track(times, degrees), loop)
    return Clip(AssetId("clip-1"), "clip", PLAIN.id, LENGTH, looping=looping, tracks=tracks)


def model_error(rig: Rig, clip: Clip, goal: Transform, times: np.ndarray) -> tuple[float, float]:
    """Largest difference of local transforms: metres, degrees."""
    made = sample_many(rig, clip, times, wrap=False)
    return (
        float(np.abs(made.translations - goal.translation).max()),
        float(np.degrees(quat.angle_between(made.rotations, goal.rotation)).max()),
    )


def by_pose(rig: Rig, clip: Clip, way: MirrorWay, times: np.ndarray = PROBES) -> Transform:
    """The second route: poses sampled from the old clip, mirrored one by one."""
    return mirrored(rig, sample_many(rig, clip, times, wrap=False).local, mirror_map(rig, way))


@RIGS
@settings(max_examples=12)
@given(seed=st.integers(0, 1000))
def test_quaternion_clip_swapped_is_every_pose_swapped_exactly(rig: Rig, seed: int) -> None:
    clip = clip_of(seed, whole=True)
    metres, degrees = model_error(rig, mirrored_clip(rig, clip), by_pose(rig, clip, MirrorWay.SWAP), PROBES)
    assert metres < 1e-9
    assert degrees < 1e-6


@settings(max_examples=12)
@given(seed=st.integers(0, 1000))
def test_euler_clip_of_even_axes_keeps_its_keys_and_is_exact(seed: int) -> None:
    clip = clip_of(seed, whole=False)
    made = mirrored_clip(PLAIN, clip)
    metres, degrees = model_error(PLAIN, made, by_pose(PLAIN, clip, MirrorWay.SWAP), PROBES)
    assert metres < 1e-9
    assert degrees < 1e-6
    left, right = (Channel(f"hand_{side}", Property.ROTATE, 1) for side in "lr")
    assert np.array_equal(made.tracks[left].times, clip.tracks[right].times)
    assert np.array_equal(made.tracks[left].values, -clip.tracks[right].values)


def test_euler_clip_of_odd_axes_is_refitted_within_a_bound() -> None:
    clip = clip_of(3, whole=False)
    made = mirrored_clip(ODD, clip)
    metres, degrees = model_error(ODD, made, by_pose(ODD, clip, MirrorWay.SWAP), PROBES)
    assert metres < 1e-4
    assert degrees < 0.1


@RIGS
@pytest.mark.parametrize("whole", [True, False], ids=["quaternions", "angles"])
@pytest.mark.parametrize("way", [MirrorWay.LEFT_TO_RIGHT, MirrorWay.RIGHT_TO_LEFT])
def test_one_side_copied_below_a_moving_spine_is_within_a_bound(
    rig: Rig, whole: bool, way: MirrorWay
) -> None:
    clip = clip_of(9, whole)
    made = mirrored_clip(rig, clip, way)
    metres, degrees = model_error(rig, made, by_pose(rig, clip, way), PROBES)
    assert metres < 1e-3
    assert degrees < 0.1
    side = "l" if way is MirrorWay.LEFT_TO_RIGHT else "r"
    for channel, track in clip.tracks.items():
        if channel.bone.endswith(f"_{side}") or channel.bone in SETUP.axis_bones:
            assert made.tracks[channel] is track


@pytest.mark.parametrize("whole", [True, False], ids=["quaternions", "angles"])
def test_mirroring_a_clip_twice_gives_its_motion_back(whole: bool) -> None:
    clip = clip_of(4, whole)
    back = mirrored_clip(PLAIN, mirrored_clip(PLAIN, clip))
    first = sample_many(PLAIN, clip, PROBES, wrap=False)
    second = sample_many(PLAIN, back, PROBES, wrap=False)
    assert np.abs(first.translations - second.translations).max() < 1e-9
    assert quat.angle_between(first.rotations, second.rotations).max() < 1e-9


def test_half_cycle_is_the_mirrored_pose_of_half_a_cycle_later() -> None:
    clip = clip_of(6, whole=False)
    made = mirrored_clip(PLAIN, clip, half_cycle=True)
    times = np.linspace(0.01, 0.99, 33)
    goal = by_pose(PLAIN, clip, MirrorWay.SWAP, np.mod(times + LENGTH / 2, LENGTH))
    metres, degrees = model_error(PLAIN, made, goal, times)
    assert metres < 1e-9
    assert degrees < 1e-6


def test_half_cycle_lets_a_root_that_travels_go_on() -> None:
    clip = clip_of(6, whole=False)
    travel = Channel("root", Property.TRANSLATE, 2)
    clip = clip.with_tracks(
        {travel: scalar_track([0.0, 1.0], [0.0, 2.0], 2.0, 2.0, int(Interpolation.LINEAR))}
    )
    made = mirrored_clip(PLAIN, clip, half_cycle=True)
    along = sample_many(PLAIN, made, PROBES, wrap=False).translations[:, 0, 2]
    assert along == pytest.approx(2.0 * PROBES, abs=1e-9)


def test_range_mirrored_leaves_keys_outside_alone() -> None:
    clip = clip_of(2, whole=False, looping=False)
    made = mirrored_range(PLAIN, clip, 0.3, 0.7)
    inside = np.linspace(0.3, 0.7, 21)
    metres, degrees = model_error(PLAIN, made, by_pose(PLAIN, clip, MirrorWay.SWAP, inside), inside)
    assert metres < 1e-9
    assert degrees < 1e-6
    for channel, track in clip.tracks.items():
        new = made.tracks[channel]
        for keep in (track.times < 0.3 - 1e-6, track.times > 0.7 + 1e-6):
            assert set(track.times[keep]) <= set(new.times)


def test_keys_mirrored_stand_at_the_same_times_on_the_other_side() -> None:
    clip = clip_of(2, whole=False, looping=False)
    channel = Channel("arm_l", Property.ROTATE, 2)
    time = clip.tracks[channel].times[1]
    made = mirrored_keys(PLAIN, clip, {channel: np.array([time])})
    goal = by_pose(PLAIN, clip, MirrorWay.SWAP, np.array([time]))
    after = sample_many(PLAIN, made, np.array([time]), wrap=False)
    right = NAMES.index("arm_r")
    assert quat.angle_between(after.rotations[0, right], goal.rotation[0, right]) < 1e-9
    changed = {c for c, t in made.tracks.items() if clip.tracks.get(c) is not t}
    assert changed <= {Channel("arm_r", Property.ROTATE, axis) for axis in range(3)}


def test_markers_and_notifies_change_sides_and_stay_on_their_feet_at_half_cycle() -> None:
    marks = (SyncMarker("left_down", 0.0), SyncMarker("right_down", 0.5))
    clip = Clip(
        AssetId("c"),
        "walk",
        PLAIN.id,
        1.0,
        looping=True,
        sync_markers=marks,
        notifies=(Notify("step_L", 0.25),),
    )
    assert [(m.name, m.time) for m in mirrored_clip(PLAIN, clip).sync_markers] == [
        ("right_down", 0.0),
        ("left_down", 0.5),
    ]
    again = mirrored_clip(PLAIN, clip, half_cycle=True)
    assert [(m.name, m.time) for m in again.sync_markers] == [("left_down", 0.0), ("right_down", 0.5)]
    assert again.notifies[0].name == "step_R"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("left_down", "right_down"),
        ("RightFoot", "LeftFoot"),
        ("foot_l", "foot_r"),
        ("HAND.R", "HAND.L"),
        ("land", "land"),
    ],
)
def test_other_side_of_a_name(name: str, other: str) -> None:
    assert other_side(name) == other


@RIGS
def test_scale_tracks_change_sides(rig: Rig) -> None:
    grown = with_tangents(scalar_track([0.0, 0.4, 1.0], [1.0, 1.7, 0.6]))
    thin = scalar_track([0.2], [0.5])
    clip = clip_of(1, whole=True, looping=False).with_tracks(
        {Channel("hand_l", Property.SCALE, 1): grown, Channel("arm_r", Property.SCALE, 0): thin}
    )
    made = mirrored_clip(rig, clip)
    assert {c: t.values.tolist() for c, t in made.tracks.items() if c.property is Property.SCALE} == {
        Channel("hand_r", Property.SCALE, 1): grown.values.tolist(),
        Channel("arm_l", Property.SCALE, 0): thin.values.tolist(),
    }
    scales = sample_many(rig, made, PROBES, wrap=False).local.scale
    assert np.allclose(scales, by_pose(rig, clip, MirrorWay.SWAP).scale, atol=1e-12)


def test_scale_at_rest_of_the_other_side_is_keyed_where_the_sides_differ() -> None:
    scale = np.ones((7, 3))
    scale[NAMES.index("hand_l")] = 2.0
    rest = PLAIN.skeleton.rest._replace(scale=scale)
    rig = Rig(PLAIN.id, "uneven", Skeleton(NAMES, PARENTS, rest), SETUP)
    made = mirrored_clip(rig, clip_of(1, whole=True))
    scales = sample_many(rig, made, PROBES, wrap=False).local.scale
    assert np.allclose(scales, by_pose(rig, clip_of(1, whole=True), MirrorWay.SWAP).scale, atol=1e-12)


def test_mirrored_keys_of_scale_are_the_other_side_s() -> None:
    channel = Channel("hand_l", Property.SCALE, 2)
    clip = clip_of(1, whole=True, looping=False).with_tracks(
        {channel: scalar_track([0.25, 0.75], [1.5, 0.5])}
    )
    made = mirrored_keys(PLAIN, clip, {channel: np.array([0.25, 0.75])})
    found = made.tracks[Channel("hand_r", Property.SCALE, 2)]
    assert (found.times.tolist(), found.values.tolist()) == ([0.25, 0.75], [1.5, 0.5])
