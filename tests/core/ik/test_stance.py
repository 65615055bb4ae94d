"""Planted feet: still in two poses, still between them; poses stay, feet leave and come back as they were keyed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.clips.bake import BakeStyle
from core.clips.bake import bake as bake_tracks
from core.clips.clip import Channel, Clip, Property
from core.clips.sample import sample_many
from core.clips.spline_pass import splined
from core.ids import AssetId
from core.ik.chain import take_chain
from core.ik.ground import find_feet
from core.ik.solve import IkGoal, present_pole, solve
from core.ik.stance import spans_of, with_planted_feet
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver
from core.rig.rig import Rig
from core.rig.roles import rig_roles
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode
from tests.editor.rigs import small_rig

RIG = small_rig()
RATE = FrameRate.of(30)
FEET = find_feet(RIG, rig_roles(RIG))
LEGS = [
    RIG.skeleton.index(bone) for side in "lr" for bone in (f"thigh_{side}", f"calf_{side}", f"foot_{side}")
]
PELVIS = Channel("pelvis", Property.TRANSLATE, 1)


def pose(
    height: float, lift: float = 0.0, ahead: float = 0.0, lean: float = 0.0, heel: float = 0.0
) -> Transform:
    """One pose: the hips at a height and ahead, feet where they stand at rest but for a lift; heels up by degrees."""
    rest = RIG.skeleton.rest
    translation, rotation = np.array(rest.translation), np.array(rest.rotation)
    translation[0] = (0.0, height, ahead)
    rotation[0] = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(lean))
    local = Transform(translation[None], rotation[None], rest.scale[None])
    places = down_chain(RIG.skeleton.parents, rest)
    for foot in FEET:
        bone = foot.leg.end or ""
        number = RIG.skeleton.index(bone)
        turn = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(heel))
        ball = places.translation[number] + foot.toe
        goal = ball - quat.rotate(turn, foot.toe) + [0.0, lift, 0.0]
        setup = IkSetup(
            bone, foot.leg.upper, bone, IkSolver.TWO_BONE, end_rotation=EndRotation.GOAL, tolerance=1e-6
        )
        knees = present_pole(take_chain(RIG.skeleton, local, foot.leg.upper, bone)) + [0.0, 0.0, 2.0]
        local = solve(RIG, local, setup, IkGoal(goal, turn, knees)).local
    return local


def shifted(local: Transform, ahead: float) -> Transform:
    """The whole figure farther ahead."""
    translation = np.array(local.translation)
    translation[:, 0, 2] += ahead
    return local._replace(translation=translation)


def clip_of(poses: list[Transform], frames: list[int]) -> Clip:
    """The poses blocked with stepped keys, then splined."""
    times = np.array(frames) / 30.0
    local = Transform(*(np.concatenate(parts) for parts in zip(*poses, strict=True)))
    style = BakeStyle(True, Interpolation.CUBIC, None)
    tracks = bake_tracks(RIG.skeleton, times, local, bones=[0, *LEGS], style=style, rest_tolerance=None)
    clip = Clip(AssetId("clip-1"), "c", RIG.id, float(times[-1]), RATE, False, tracks)
    stepped = splined(clip, list(clip.tracks), None, TangentMode.STEPPED)
    return splined(stepped, list(stepped.tracks), None, TangentMode.CLAMPED)


def soles(clip: Clip, times, rig=RIG):
    """Heels and balls ``(T, feet, 2, 3)``."""
    local = sample_many(rig, clip, np.asarray(times), wrap=False).local
    model = down_chain(rig.skeleton.parents, local)
    rows = []
    for foot in find_feet(rig, rig_roles(rig)):
        number = rig.skeleton.index(foot.leg.end or "")
        turn, place = model.rotation[:, number], model.translation[:, number]
        rows.append(np.stack([place + quat.rotate(turn, point) for point in (foot.heel, foot.toe)], axis=1))
    return np.stack(rows, axis=1)


def scaled(clip: Clip, size: float) -> tuple[Clip, Rig]:
    """A clip and its character at another size."""
    rest = RIG.skeleton.rest
    skeleton = replace(RIG.skeleton, rest=rest._replace(translation=rest.translation * size))
    moves = {
        channel: replace(track, values=track.values * size, in_slopes=track.in_slopes * size,
                         out_slopes=track.out_slopes * size)
        for channel, track in clip.tracks.items() if channel.property is Property.TRANSLATE
    }  # fmt: skip
    return replace(clip, tracks={**clip.tracks, **moves}), replace(RIG, skeleton=skeleton)


def moved(clip: Clip, start: int, end: int, points=slice(None)) -> float:
    """Metres that soles go from where the first frame has them, between frames too."""
    places = soles(clip, np.linspace(start, end, 4 * (end - start) + 1) / 30.0)[:, :, points]
    return float(np.linalg.norm(places - places[:1], axis=-1).max())


depths = st.floats(0.05, 0.4)


@given(depths, depths, st.floats(-0.1, 0.1), st.floats(-10.0, 25.0))
@settings(max_examples=6, deadline=None)
def test_feet_that_are_still_in_poses_are_still_between_them_and_poses_stay(
    first, second, ahead, lean
) -> None:
    frames = [0, 8, 14, 22]
    clip = clip_of(
        [pose(0.99), pose(0.99 - first, 0.0, ahead, lean), pose(0.99 - second), pose(0.99)], frames
    )
    done = with_planted_feet(RIG, clip)
    assert moved(done.clip, 0, 22) < 1e-3 and done.residual < 1e-4
    a, b = (sample_many(RIG, c, np.array(frames) / 30.0).local.rotation for c in (clip, done.clip))
    assert np.degrees(quat.angle_between(a, b)).max() < 1e-3
    assert set(spans_of(done.stances).values()) == {1} and len(spans_of(done.stances)) == 2
    again = with_planted_feet(RIG, done.clip)
    assert moved(again.clip, 0, 22) < 1e-3


def test_between_poses_of_a_crouch_feet_would_leave_the_ground() -> None:
    clip = clip_of([pose(0.99), pose(0.6, 0.0, -0.1, 25.0), pose(0.99)], [0, 10, 20])
    assert moved(clip, 0, 20) > 0.01
    done = with_planted_feet(RIG, clip).clip
    assert moved(done, 0, 20) < 1e-3
    track = done.tracks[Channel("calf_l", Property.ROTATE, 0)]
    kinds = dict(zip(np.round(track.times * 30).astype(int).tolist(), track.types.tolist(), strict=True))
    assert {frame for frame, kind in kinds.items() if kind != KeyType.INBETWEEN} == {0, 10, 20}
    assert done.tracks[PELVIS] is clip.tracks[PELVIS]


def test_a_heel_that_rises_turns_the_foot_about_its_ball() -> None:
    clip = clip_of([pose(0.7), pose(0.98, heel=30.0)], [0, 6])
    done = with_planted_feet(RIG, clip)
    assert {stance.points for stance in done.stances} == {(False, True)}
    assert moved(done.clip, 0, 6, slice(1, 2)) < 1e-3
    heights = soles(done.clip, np.arange(7) / 30.0)[:, 0, 0, 1]
    assert np.diff(heights).min() > -1e-4 and heights[-1] > 0.03


def test_in_the_air_nothing_changes() -> None:
    high = clip_of([pose(1.4, 0.4), pose(1.6, 0.6), pose(1.4, 0.4)], [0, 6, 12])
    done = with_planted_feet(RIG, high)
    assert done.clip is high and not done.stances


stances = st.tuples(
    st.floats(0.5, 1.05),
    st.one_of(st.just(0.0), st.floats(0.0, 0.5)),
    st.floats(0.0, 35.0),
    st.floats(-0.15, 0.15),
)


@given(st.lists(stances, min_size=2, max_size=3), st.integers(3, 9))
@settings(max_examples=15, deadline=None)
@example([(0.6, 0.0, 0.0, -0.1), (1.05, 0.02, 32.0, 0.05), (1.05, 0.5, 10.0, 0.1)], 6)
@example([(1.05, 0.02, 32.0, 0.05), (0.5, 0.0, 0.0, -0.1)], 3)
def test_no_sole_goes_below_the_ground_between_poses_that_do_not(places, apart) -> None:
    poses = [pose(height + lift, lift, ahead, 0.0, heel) for height, lift, heel, ahead in places]
    frames = [apart * number for number in range(len(poses))]
    clip = clip_of(poses, frames)
    done = with_planted_feet(RIG, clip)
    times = np.linspace(0, frames[-1], 8 * frames[-1] + 1) / 30.0
    lowest = min(0.0, soles(clip, np.array(frames) / 30.0)[..., 1].min())
    assert soles(done.clip, times)[..., 1].min() > lowest - 1e-3
    a, b = (sample_many(RIG, c, np.array(frames) / 30.0).local.rotation for c in (clip, done.clip))
    assert np.degrees(quat.angle_between(a, b)).max() < 1e-3


@pytest.mark.parametrize("size", [0.1, 1.0])
def test_a_ball_a_little_beside_its_place_is_the_same_stance_in_proportion_to_the_foot(size) -> None:
    length = float(np.linalg.norm(FEET[0].toe - FEET[0].heel))
    for share, points in ((0.12, {(False, True)}), (0.3, {(False, False)})):
        shifted = pose(0.98, 0.0, 0.1, heel=30.0)
        root = np.array(shifted.translation)
        root[:, 0, 2] += share * length
        clip, rig = scaled(clip_of([pose(0.7), shifted._replace(translation=root)], [0, 6]), size)
        done = with_planted_feet(rig, clip)
        assert {stance.points for stance in done.stances} <= points
        balls = soles(done.clip, np.linspace(0, 6, 25) / 30.0, rig)[:, :, 1]
        if share < 0.2:
            assert done.stances
            assert np.linalg.norm(balls - balls[:1], axis=-1).max() < (share * length + 1e-3) * size


@pytest.mark.parametrize(("share", "stands"), [(0.14, True), (0.16, False)])
def test_a_sole_that_goes_less_than_a_seventh_of_its_length_is_still(share, stands) -> None:
    length = float(np.linalg.norm(FEET[0].toe - FEET[0].heel))
    done = with_planted_feet(RIG, clip_of([pose(0.8), shifted(pose(0.7), share * length)], [0, 6]))
    assert {stance.points for stance in done.stances if any(stance.points)} == (
        {(True, True)} if stands else set()
    )


@pytest.mark.parametrize(("first", "second", "stands"), [(0.19, 0.19, True), (0.21, 0.21, False), (0.19, 0.21, False),
                                                         (0.21, 0.19, False)])  # fmt: skip
def test_a_sole_stands_up_to_a_fifth_of_its_length_over_the_ground(first, second, stands) -> None:
    length = float(np.linalg.norm(FEET[0].toe - FEET[0].heel))
    clip = clip_of([pose(0.8, first * length), pose(0.75, second * length)], [0, 6])
    points = {stance.points for stance in with_planted_feet(RIG, clip).stances if any(stance.points)}
    assert points == ({(True, True)} if stands else set())


def test_a_range_locked_legs_and_stepped_keys_are_kept() -> None:
    clip = clip_of([pose(0.99), pose(0.6), pose(0.99), pose(0.7)], [0, 10, 20, 30])
    done = with_planted_feet(RIG, clip, (10 / 30.0, 20 / 30.0))
    assert len(done.stances) == 2
    assert all((s.start, s.end) == pytest.approx((10 / 30.0, 20 / 30.0)) for s in done.stances)
    for a, b in ((0.0, 10.0), (20.0, 30.0)):
        times = np.linspace(a, b, 31) / 30.0
        assert np.abs(soles(clip, times) - soles(done.clip, times)).max() < 1e-6
    assert {s.foot for s in with_planted_feet(RIG, clip, still=["calf_l"]).stances} == {"foot_r"}
    stepped = splined(clip, list(clip.tracks), None, TangentMode.STEPPED)
    assert with_planted_feet(RIG, stepped).clip is stepped


def test_poses_on_neighbouring_frames_do_not_end_the_search_for_stances() -> None:
    clip = clip_of([pose(0.99), pose(0.98), pose(0.6, 0.0, -0.1, 25.0), pose(0.99)], [0, 1, 11, 21])
    assert moved(clip, 1, 21) > 0.01
    done = with_planted_feet(RIG, clip)
    assert {(stance.start, stance.end) for stance in done.stances} == {
        (1 / 30, 11 / 30), (11 / 30, 21 / 30)
    }  # fmt: skip
    assert moved(done.clip, 1, 21) < 1e-3
