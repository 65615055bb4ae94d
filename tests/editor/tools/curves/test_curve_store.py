"""Curves by lane: what a lane shows, when it is made anew, and how bones lie for the reading of their turns."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property
from core.math import quat
from core.math.transform import Transform
from core.rig.skeleton import Skeleton
from core.tracks.components import Reading, to_angles
from core.tracks.edits import set_interpolation
from core.tracks.evaluate import evaluate_quaternion
from core.tracks.keys import Interpolation, quaternion_track
from editor.tools.curves.lanes import (
    CurveStore,
    Lane,
    channels_of,
    curve_channel,
    lanes_of,
    morph_channel,
    rest_of,
)
from tests.editor.panels.curves.curve_stage import TURN, X, Y, arm_project

CLIP, SKELETON = arm_project().clips[0], arm_project().rigs[0].skeleton


def slanted():
    """Three bones, the second of which lies along x and is turned at rest."""
    turned = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.5)
    places = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.5, 0.1, 0.2]])
    rest = Transform(places, np.array([quat.IDENTITY, turned, quat.IDENTITY]), np.ones((3, 3)))
    return Skeleton(("arm", "hand", "tip"), np.array([-1, 0, 1], np.int32), rest)


def test_a_bones_rest_and_the_axis_that_it_lies_along():
    skeleton = slanted()
    for bone, along in (("arm", 1), ("hand", 0), ("tip", 1)):
        rest, axis = rest_of(skeleton, bone)
        assert np.array_equal(rest, skeleton.rest.rotation[skeleton.index(bone)]) and axis == along
    for where, bone in ((None, "arm"), (skeleton, "gone")):
        rest, axis = rest_of(where, bone)
        assert np.array_equal(rest, quat.IDENTITY) and axis == 1


def test_a_scalar_lane_shows_its_keys():
    curve = CurveStore().get(CLIP, Lane(X), SKELETON)
    assert curve.lane == Lane(X) and curve.track is CLIP.tracks[X] is curve.scalar
    assert curve.values is CLIP.tracks[X].values and curve.line is None
    assert CurveStore().get(CLIP, Lane(Channel("arm", Property.SCALE, 0)), SKELETON) is None


@pytest.mark.parametrize("part", [0, 1, 2])
def test_an_angle_of_a_turn_is_a_line_with_seven_places_between_keys(part):
    track, skeleton = CLIP.tracks[TURN], slanted()
    curve = CurveStore().get(CLIP, Lane(TURN, part), skeleton)
    rest, axis = rest_of(skeleton, "hand")
    times, values = curve.line
    assert len(times) == 4 * 8 + 1 and np.allclose(np.diff(times), 0.5 / 8.0)
    wanted = to_angles(evaluate_quaternion(track, times, None), rest, Reading.VECTOR, axis)
    assert np.allclose(values, wanted[:, part]) and np.allclose(curve.values, values[::8])
    assert curve.scalar is None and len(curve.values) == 5


def test_turns_that_stand_still_or_have_a_key_at_each_frame_show_their_keys_alone():
    stepped = set_interpolation(CLIP.tracks[TURN], np.arange(5), Interpolation.CONSTANT, None)
    times = np.arange(61) / 30.0
    dense = quaternion_track(times, evaluate_quaternion(CLIP.tracks[TURN], times, None))
    linear = set_interpolation(dense, np.arange(61), Interpolation.LINEAR, None)
    for track in (stepped, linear):
        curve = CurveStore().get(CLIP.with_tracks({TURN: track}), Lane(TURN, 1), SKELETON)
        assert np.array_equal(curve.line[0], track.times)
        assert np.allclose(curve.values, to_angles(track.values, quat.IDENTITY, Reading.VECTOR, 1)[:, 1])
    partly = set_interpolation(CLIP.tracks[TURN], np.array([1]), Interpolation.CONSTANT, None)
    curve = CurveStore().get(CLIP.with_tracks({TURN: partly}), Lane(TURN, 1), SKELETON)
    assert len(curve.line[0]) > 5


def test_curves_are_kept_until_their_track_or_the_reading_changes():
    store = CurveStore()
    scalar, angles = (
        store.get(CLIP, Lane(X), SKELETON),
        [store.get(CLIP, Lane(TURN, k), SKELETON) for k in range(3)],
    )
    assert store.get(CLIP, Lane(X), SKELETON) is scalar
    assert [store.get(CLIP, Lane(TURN, k), SKELETON) for k in range(3)] == angles
    assert angles[0].line[0] is angles[2].line[0]  # split once for all three
    store.reading = Reading.SWING_TWIST
    assert store.get(CLIP, Lane(X), SKELETON) is scalar
    other = store.get(CLIP, Lane(TURN, 1), SKELETON)
    assert other is not angles[1] and not np.allclose(other.values, angles[1].values)
    assert np.allclose(
        other.values, to_angles(CLIP.tracks[TURN].values, quat.IDENTITY, Reading.SWING_TWIST, 1)[:, 1]
    )
    assert store.get(CLIP, Lane(TURN, 1), SKELETON) is other
    turned = replace(CLIP.tracks[TURN], values=CLIP.tracks[TURN].values[::-1])
    raised = replace(CLIP.tracks[X], values=CLIP.tracks[X].values + 1.0)
    changed = CLIP.with_tracks({TURN: turned, X: raised})
    assert np.array_equal(store.get(changed, Lane(X), SKELETON).values, raised.values)
    assert np.allclose(store.get(changed, Lane(TURN, 1), SKELETON).values, other.values[::-1])
    assert np.array_equal(store.get(changed, Lane(Y), SKELETON).values, CLIP.tracks[Y].values)


def test_lanes_are_named_by_what_they_are():
    move, whole = Channel("arm", Property.TRANSLATE, 2), Channel("hand", Property.ROTATE, WHOLE)
    curve, morph = curve_channel("blink"), morph_channel("smile")
    for lane, axis, unit, name, group, angle, extra in (
        (Lane(move), 2, "m", "Translate Z", "arm", False, False), (Lane(X), 0, "°", "Rotate X", "arm", False, False),
        (Lane(Channel("arm", Property.SCALE, 1)), 1, "×", "Scale Y", "arm", False, False),
        (Lane(whole, 2), 2, "°", "Rotate Z quat", "hand", True, False),
        (Lane(curve), -1, "", "blink", "Curves", False, True), (Lane(morph), -1, "", "smile", "Morphs", False, True),
    ):  # fmt: skip
        assert (lane.axis, lane.unit, lane.name, lane.group, lane.is_angle, lane.is_extra) == (
            axis, unit, name, group, angle, extra,
        )  # fmt: skip
    assert lanes_of([X, whole, curve]) == [Lane(X), *(Lane(whole, k) for k in range(3)), Lane(curve)]


def test_channels_are_those_of_the_bones_in_their_order_and_the_curves():
    clip = CLIP.with_tracks({X: None})
    clip = clip.with_tracks({X: CLIP.tracks[X]})  # last of all tracks now
    assert channels_of(clip, None) == [*clip.tracks, curve_channel("blink")]
    found = channels_of(clip, ["hand", "arm", "elbow"])
    order = [TURN, *(Channel("arm", p, k) for p in (Property.TRANSLATE, Property.ROTATE) for k in range(3))]
    assert found == [*order, curve_channel("blink")]
    assert channels_of(clip, []) == [curve_channel("blink")]
