"""How ends meet: end keys of curves and morphs, seams of turns, where playback stands, contacts at the ends."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.contacts import with_contacts
from core.clips.end_tangents import with_ends
from core.clips.keying import other_than
from core.clips.loop_tools import _closes, _jumps, _with_soft_end
from core.clips.mirror import _one_kind, _travel
from core.clips.notify_types import NotifyField
from core.clips.sampled import playback_at
from core.clips.spline_pass import _direction
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose.pose import Pose
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.tangents import Ends, with_tangents
from tests.core.clips import making


def clip(**parts) -> Clip:
    return Clip(AssetId("clip-1"), "move", making.RIG, 1.0, FrameRate.of(30), False, **parts)


def auto(*values: float, times=(0.0, 0.5, 1.0)):
    return with_tangents(scalar_track(times, values, modes=int(TangentMode.AUTO)))


# ------------------------------------------------------------ end keys
@pytest.mark.parametrize("where", ["tracks", "curves", "morphs"])
def test_end_keys_that_an_edit_computed_are_flat_and_others_stay(where) -> None:
    one, two = (
        (Channel("b0", Property.TRANSLATE, a) for a in range(2)) if where == "tracks" else ("one", "two")
    )
    before = clip(**{where: {one: auto(0.0, 1.0, 3.0), two: auto(2.0, 1.0, 5.0)}})
    after = replace(before, **{where: {one: auto(0.0, 1.0, 4.0), two: getattr(before, where)[two]}})
    flat = with_ends(before, after, Ends.FLAT)
    done = getattr(flat, where)
    assert done[one].out_slopes[-1] == done[one].in_slopes[-1] == 0.0
    assert done[one].out_slopes[0] == auto(0.0, 1.0, 4.0).out_slopes[0] != 0.0  # the edit left that key alone
    assert done[two] is getattr(before, where)[two]
    for other in {"tracks", "curves", "morphs"} - {where}:
        assert dict(getattr(flat, other)) == {}
    assert with_ends(before, after, Ends.ONE_SIDED) is after
    assert with_ends(before, before, Ends.FLAT) is before


def test_a_new_curve_gets_flat_ends() -> None:
    before = clip(curves={"one": auto(0.0, 1.0, 3.0)})
    after = replace(before, curves={**before.curves, "two": auto(1.0, 2.0, 4.0)})
    done = with_ends(before, after, Ends.FLAT).curves["two"]
    assert done.out_slopes[0] == 0.0 == done.in_slopes[-1]


# ------------------------------------------------------------ poses that differ
@pytest.mark.parametrize("part", ["translations", "rotations", "scales"])
@pytest.mark.parametrize(("size", "differs"), [(1e-13, False), (1e-9, True), (0.3, True)])
def test_bones_that_differ_by_more_than_rounding_are_named(part, size, differs) -> None:
    skeleton = making.rig(4).skeleton
    rest = skeleton.rest
    pose = Pose(making.RIG, rest.translation, rest.rotation, rest.scale)
    values = np.array(getattr(pose, part))
    if part == "rotations":
        values[2] = quat.multiply(quat.from_axis_angle([0.0, 1.0, 0.0], size), values[2])
    else:
        values[2, 1] += size
    other = replace(pose, **{part: values})
    assert other_than(skeleton, pose, other, ["b3", "b2", "b0"]) == (["b2"] if differs else [])
    assert other_than(skeleton, pose, other, ["b3"]) == []


# ------------------------------------------------------------ seams
@pytest.mark.parametrize(
    ("first", "last", "closes"),
    [(0.0, 0.0, True), (0.0, 5e-7, True), (0.0, 2e-6, False), (100.0, 100.00005, True), (100.0, 100.0002, False),
     (-100.0, 100.0, False), (0.0, 100.0, False)],
)  # fmt: skip
def test_ends_close_within_a_millionth_of_their_size(first, last, closes) -> None:
    assert _closes(scalar_track([0.0, 0.5, 1.0], [first, 7.0, last])) == closes


@pytest.mark.parametrize(("angle", "closes"), [(0.0, True), (5e-7, True), (1e-3, False)])
def test_turns_close_whatever_their_sign(angle, closes) -> None:
    start = quat.normalise(np.array([0.1, 0.2, -0.3, 0.9]))
    end = -quat.multiply(quat.from_axis_angle([0.0, 0.0, 1.0], angle), start)
    middle = quat.from_axis_angle([1.0, 0.0, 0.0], 1.0)
    assert _closes(quaternion_track([0.0, 0.5, 1.0], [start, middle, end])) == closes


def test_jumps_of_a_seam_are_those_of_value_and_rate() -> None:
    length = 2.0
    scalar = scalar_track(
        [0.0, 1.0, 2.0], [1.0, 3.0, 4.5], interpolations=int(Interpolation.LINEAR)
    )  # 2 a second, then 1.5
    turn = quaternion_track(
        [0.0, 1.0, 2.0],
        [quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(a)) for a in (0.0, 40.0, 70.0)],
    )
    found = _jumps([turn, scalar, turn], length, None)
    assert found[1] == pytest.approx((-3.5, 0.5))
    assert found[0] == found[2] == pytest.approx((70.0, 10.0))
    short = [replace(t, times=np.array(t.times) * 1e-3) for t in (scalar, turn)]
    assert _jumps(short, 2e-3, None)[0] == pytest.approx((-3.5, 500.0))
    assert _jumps(short, 2e-3, None)[1] == pytest.approx((70.0, 10_000.0))


@pytest.mark.parametrize(
    ("kind", "becomes"),
    [(Interpolation.LINEAR, (Interpolation.CUBIC, TangentMode.AUTO)), (Interpolation.CONSTANT, None)],
)
@pytest.mark.parametrize("count", [2, 3])
def test_a_key_put_where_a_curve_ran_straight_becomes_automatic(kind, becomes, count) -> None:
    times = [0.0, 0.5, 1.0][:count]
    track = scalar_track(
        times, [0.0, 1.0, 5.0][:count], interpolations=int(kind), modes=int(TangentMode.LINEAR)
    )
    done = _with_soft_end(track, times[-1])
    if becomes is None:
        assert done is track
        return
    assert (done.interpolations[count - 2], done.modes[count - 1]) == becomes
    assert done.modes[0] == TangentMode.LINEAR and np.array_equal(done.values, track.values)
    turn = quaternion_track([0.0, 1.0], [quat.IDENTITY] * 2)
    assert _with_soft_end(turn, 1.0) is turn


# ------------------------------------------------------------ playback
@pytest.mark.parametrize(
    ("length", "looping", "time", "stopped", "at"),
    [
        (0.0, True, 3.0, False, (0.0, 0.0, 0)), (2.0, False, -1.0, False, (0.0, 0.0, 0)),
        (2.0, False, 0.5, False, (0.5, 0.25, 0)), (2.0, False, 9.0, True, (2.0, 1.0, 0)),
        (2.0, True, 0.5, False, (0.5, 0.25, 0)), (2.0, True, 2.0, False, (0.0, 0.0, 1)),
        (2.0, True, 2.0, True, (2.0, 1.0, 0)), (2.0, True, 7.0, True, (1.0, 0.5, 3)),
        (2.0, True, -0.5, False, (1.5, 0.75, -1)), (2.0, True, 0.0, True, (0.0, 0.0, 0)),
        (2.0, True, -1e-18, False, (0.0, 0.0, 0)),  # a time that rounds to a whole turn is the next one's start
        (0.1, True, 0.3, False, (0.1 * 3 - 0.2, None, 2)),
    ],
)  # fmt: skip
def test_where_playback_stands(length, looping, time, stopped, at) -> None:
    found = playback_at(length, looping, time, stopped)
    position, share, loops = at
    assert found.loops == loops and found.position == pytest.approx(position, abs=1e-12)
    if share is not None:
        assert found.length == length and found.normalised == pytest.approx(share)


# ------------------------------------------------------------ mirror
def test_a_bone_never_gets_euler_and_quaternion_tracks_at_once() -> None:
    whole = quaternion_track([0.0], [quat.IDENTITY])
    angle = scalar_track([0.0], [1.0])
    turned = Channel("b1", Property.ROTATE, WHOLE)
    angles = [Channel("b2", Property.ROTATE, a) for a in range(3)]
    own = clip(tracks={turned: whole, angles[0]: angle})
    place = Channel("b1", Property.TRANSLATE, 0)
    changes = {
        turned: whole, place: angle, angles[1]: angle, Channel("b2", Property.ROTATE, WHOLE): whole,
        Channel("b1", Property.ROTATE, 2): angle, Channel("b3", Property.ROTATE, WHOLE): whole,
        Channel("b3", Property.ROTATE, 0): None,
    }  # fmt: skip
    assert set(_one_kind(own, changes)) == {
        turned, place, angles[1], Channel("b3", Property.ROTATE, WHOLE), Channel("b3", Property.ROTATE, 0)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("first", "last", "gain"),
    [(0.0, 3.0, 1.5), (1.0, 1.0, 0.0), (0.0, 5e-7, 0.0), (0.0, 2e-6, 1e-6), (100.0, 100.00005, 0.0), (5.0, 1.0, -2.0)],
)  # fmt: skip
def test_what_travels_gains_over_the_clip(first, last, gain) -> None:
    assert _travel(scalar_track([0.0, 2.0], [first, last]), 2.0) == pytest.approx(gain, rel=1e-6, abs=1e-12)


def test_what_has_no_length_or_one_key_travels_nowhere() -> None:
    assert _travel(scalar_track([0.0, 2.0], [0.0, 3.0]), 0.0) == 0.0
    assert _travel(scalar_track([0.0], [3.0]), 2.0) == 0.0
    assert _travel(quaternion_track([0.0, 1.0], [quat.IDENTITY] * 2), 2.0) == 0.0


# ------------------------------------------------------------ small ones
@pytest.mark.parametrize("name", ["", "  ", "a\tb", "x" * 256])
def test_a_field_of_a_notify_has_a_name(name) -> None:
    with pytest.raises(ValidationError, match="expected 1 to 255 printable characters"):
        NotifyField(name)


def test_the_direction_through_a_key_is_its_neighbours_chord_and_nothing_at_the_ends() -> None:
    values = quat.normalise(np.random.default_rng(2).normal(size=(4, 4)))
    values = np.stack([values[0], values[1], -values[2], values[3]])
    times = np.array([0.0, 0.2, 0.7, 1.0])
    assert not _direction(times, values, 0).any() and not _direction(times, values, 3).any()
    for key in (1, 2):
        a, q, b = values[key - 1 : key + 2]
        chord = (np.sign(b @ q) * b - np.sign(a @ q) * a) / (times[key + 1] - times[key - 1])
        np.testing.assert_allclose(_direction(times, values, key), chord)


def test_the_direction_through_a_key_half_a_circle_away_keeps_the_signs_of_its_neighbours() -> None:
    values = np.eye(4)[[0, 3, 1]]
    np.testing.assert_array_equal(_direction(np.array([0.0, 0.5, 1.0]), values, 1), values[2] - values[0])


@pytest.mark.parametrize(
    ("spans", "times", "values"),
    [
        ([(0.0, 0.5)], [0.0, 0.5], [1.0, 0.0]), ([(TIME_EPSILON, 0.5)], [0.0, 0.5], [1.0, 0.0]),
        ([(0.2, 1.0)], [0.0, 0.2], [0.0, 1.0]), ([(-2.0, 9.0)], [0.0], [1.0]), ([], [0.0], [0.0]),
        ([(0.5, 0.6), (0.2, 0.3)], [0.0, 0.2, 0.3, 0.5, 0.6], [0.0, 1.0, 0.0, 1.0, 0.0]),
        ([(0.2, 0.5), (0.3, 0.4)], [0.0, 0.2, 0.5], [0.0, 1.0, 0.0]),
        ([(0.2, 0.4), (0.4, 0.6)], [0.0, 0.2, 0.6], [0.0, 1.0, 0.0]), ([(0.4, 0.4)], [0.0], [0.0]),
    ],
)  # fmt: skip
def test_contacts_become_steps_within_the_clip(spans, times, values) -> None:
    track = with_contacts(clip(), "foot", spans).curves["foot"]
    assert track.times.tolist() == times and track.values.tolist() == values
    assert (track.interpolations == Interpolation.CONSTANT).all()
