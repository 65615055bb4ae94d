"""Poses as one: retimed, copied, swapped; breakdowns keep their proportion, types go along."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Channel, Clip, Property
from core.clips.new_keys import NewTangents, with_new_tangents
from core.clips.poses import (
    held_time,
    keys_at_pose,
    poses_of,
    with_pose_copied,
    with_poses_at,
    with_poses_swapped,
)
from core.errors import ValidationError
from core.ids import AssetId
from core.timing import FrameRate
from core.tracks import edits
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.typed import with_types

RATE = FrameRate.of(10)
A, B = Channel("a", Property.ROTATE, 0), Channel("b", Property.TRANSLATE, 1)


def clip_of(codes=(0, 1, 3, 0), looping=False) -> Clip:
    times = np.arange(len(codes)) * 0.5
    kinds = np.array(codes, dtype=np.uint8)
    tracks = {
        A: with_types(scalar_track(times, np.arange(len(codes)) * 10.0), np.array(kinds)),
        B: scalar_track(times[[0, -1]], [1.0, 2.0]),
    }
    return Clip(AssetId("clip-1"), "c", AssetId("rig"), 2.0, RATE, looping, tracks)


def test_poses_are_the_times_of_keys_by_their_strongest_type_without_inbetweens() -> None:
    found = poses_of(clip_of((0, 1, 2, 3)))
    assert found.times.tolist() == [0.0, 0.5, 1.5]
    assert found.types.tolist() == [KeyType.KEY, KeyType.BREAKDOWN, KeyType.EXTREME]
    assert poses_of(replace(clip_of(), tracks={})).times.tolist() == []
    assert poses_of(clip_of(), [B]).times.tolist() == [0.0, 1.5]


@given(st.floats(0.0, 1.49))
def test_the_pose_that_is_held_is_the_last_one(time) -> None:
    times = poses_of(clip_of()).times
    held = held_time(times, time)
    assert held in times.tolist() and held <= time + 1e-5 and not ((times > held) & (times <= time)).any()
    assert held_time(times, -1.0) == 0.0 and held_time(np.zeros(0), 0.3) == 0.3


@given(st.floats(0.1, 1.4))
@settings(max_examples=40, deadline=None)
def test_a_retimed_pose_takes_every_track_along_and_breakdowns_by_their_share(goal) -> None:
    clip = clip_of()
    done = with_poses_at(clip, {1.0: goal})
    times = done.tracks[A].times
    np.testing.assert_allclose(times, [0.0, goal / 2.0, goal, 1.5], atol=1e-9)
    assert done.tracks[B] is clip.tracks[B] and done.tracks[A].types.tolist() == [0, 1, 3, 0]


def test_swapped_poses_change_places_and_swap_back() -> None:
    clip = clip_of((0, 0, 3, 4))
    done = with_poses_swapped(clip, 0.5, 1.5)
    assert done.tracks[A].values.tolist() == [0.0, 30.0, 20.0, 10.0]
    assert done.tracks[A].types.tolist() == [0, 4, 3, 0]
    assert done.tracks[B].times.tolist() == [0.0, 0.5]
    back = with_poses_swapped(done, 0.5, 1.5)
    for channel, track in clip.tracks.items():
        for name in ("times", "values", "types", "modes"):
            np.testing.assert_array_equal(getattr(back.tracks[channel], name), getattr(track, name))


def test_a_copied_pose_replaces_the_keys_in_its_way_and_has_the_type_asked_for() -> None:
    clip = clip_of((3, 0, 0, 0))
    done = with_pose_copied(clip, 0.0, 1.0, KeyType.HOLD)
    assert done.tracks[A].values.tolist() == [0.0, 10.0, 0.0, 30.0]
    assert done.tracks[A].types.tolist() == [3, 0, 4, 0]
    assert done.tracks[B].times.tolist() == [0.0, 1.0, 1.5] and done.tracks[B].values[1] == 1.0
    assert with_pose_copied(clip, 0.0, 0.0) is clip
    with pytest.raises(ValidationError, match="no pose at frame"):
        with_pose_copied(clip, 0.33, 1.0)


def test_keys_of_locked_bones_are_no_part_of_a_pose() -> None:
    clip = clip_of()
    assert set(keys_at_pose(clip, 0.0)) == {A, B} and set(keys_at_pose(clip, 0.0, None, {"a"})) == {B}
    assert with_poses_at(clip, {1.5: 1.8}, {"a", "b"}) is clip


@pytest.mark.parametrize(
    ("choice", "mode", "code"),
    [
        (NewTangents.STEPPED, TangentMode.STEPPED, Interpolation.CONSTANT),
        (NewTangents.LINEAR, TangentMode.LINEAR, Interpolation.CUBIC),
        (NewTangents.CLAMPED, TangentMode.CLAMPED, Interpolation.CUBIC),
        (NewTangents.FLAT_ENDS, TangentMode.AUTO, Interpolation.CUBIC),
    ],
)
def test_new_keys_get_the_tangents_of_the_choice_and_others_keep_theirs(choice, mode, code) -> None:
    clip = clip_of((0, 0, 0, 0))
    keyed = clip.with_tracks({A: edits.set_value(clip.tracks[A], 0.7, 5.0)})
    done = with_new_tangents(clip, keyed, 0.7, choice)
    track = done.tracks[A]
    assert (track.modes[2], track.interpolations[2]) == (mode, code)
    assert track.modes[[0, 1, 3, 4]].tolist() == [0, 0, 0, 0]
    again = clip.with_tracks({A: edits.set_value(clip.tracks[A], 0.5, 5.0)})
    assert with_new_tangents(clip, again, 0.5, choice) is again
    assert with_new_tangents(clip, keyed, 0.7, NewTangents.CURVE) is keyed


def test_new_quaternion_keys_step_or_curve_too() -> None:
    turns = [[0, 0, 0, 1.0], [0, 0, np.sin(0.4), np.cos(0.4)]]
    whole = Channel("h", Property.ROTATE, 3)
    clip = replace(clip_of(), tracks={whole: quaternion_track([0.0, 1.0], turns)})
    keyed = clip.with_tracks(
        {whole: edits.set_rotation(clip.tracks[whole], 0.5, [0, 0, np.sin(0.1), np.cos(0.1)])}
    )
    done = with_new_tangents(clip, keyed, 0.5, NewTangents.STEPPED)
    assert done.tracks[whole].interpolations.tolist() == [1, 0, 1]
    assert with_new_tangents(clip, keyed, 0.5, NewTangents.AUTO).tracks[whole].interpolations.tolist() == [
        1,
        2,
        1,
    ]


@given(st.integers(-4, 4), st.floats(0.05, 0.95))
@settings(max_examples=40, deadline=None)
def test_breakdowns_go_to_frames_where_these_are_free_and_between_both_keys(shift, share) -> None:
    track = with_types(
        scalar_track([0.0, share, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0]), np.array([0, 1, 0, 0], dtype=np.uint8)
    )
    clip = Clip(AssetId("clip-1"), "c", AssetId("rig"), 2.0, RATE, False, {A: track})
    times = with_poses_at(clip, {1.0: 1.0 + shift / 10.0}, on_frames=True).tracks[A].times
    exact = with_poses_at(clip, {1.0: 1.0 + shift / 10.0}).tracks[A].times
    assert exact[1] == pytest.approx(share * (1.0 + shift / 10.0))
    there = RATE.snap(float(exact[1]))
    free = 1e-4 < there < exact[2] - 1e-4 and shift
    assert times[1] == pytest.approx(there if free else exact[1])


@settings(deadline=None)
@given(shift=st.floats(-0.9, 0.9).filter(lambda s: abs(s) > 1e-3))
def test_in_betweens_keep_their_share_of_the_time_beside_a_pose_that_moves(shift) -> None:
    clip = clip_of((0, 2, 2, 0, 2, 0))  # poses at 0, 1.5 and 2.5 seconds
    goal = 1.5 + shift
    times = with_poses_at(clip, {1.5: goal}).tracks[A].times
    assert times == pytest.approx([0.0, goal / 3.0, 2.0 * goal / 3.0, goal, (goal + 2.5) / 2.0, 2.5])
    assert poses_of(with_poses_at(clip, {1.5: goal})).times == pytest.approx([0.0, goal, 2.5])


def test_poses_that_change_places_leave_in_betweens_where_they_are() -> None:
    clip = clip_of((0, 2, 0, 2, 0))
    assert with_poses_swapped(clip, 0.0, 1.0).tracks[A].times[[1, 3]] == pytest.approx([0.5, 1.5])
