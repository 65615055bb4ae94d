"""Parts of planting feet on their own: times, frames, stretches, heights and how far a turn has come."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.ik import stance
from core.ik.ground import find_feet
from core.ik.keyed import GOAL, curve_name
from core.math import quat
from core.rig.ik_setup import IkSetup, IkSolver
from core.rig.roles import rig_roles
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import walker
from tests.core.ik.test_stance import RIG

TURN = [Channel("calf_l", Property.ROTATE, axis) for axis in range(3)]


def clip_of(*tracks, fps: float = 30.0) -> Clip:
    made = dict(zip(TURN, tracks, strict=False))
    return Clip(AssetId("clip-1"), "c", RIG.id, 2.0, FrameRate.of(fps), False, made)


def typed(times, types, interpolations=Interpolation.CUBIC):
    track = scalar_track(times, np.zeros(len(times)), interpolations=interpolations)
    return replace(track, types=np.array(types, dtype=np.uint8))


def test_poses_stand_where_any_track_has_a_key_that_is_no_inbetween():
    between, breakdown = int(KeyType.INBETWEEN), int(KeyType.BREAKDOWN)
    clip = clip_of(typed([0.0, 0.5, 1.0], [0, between, 0]), typed([0.500005, 1.2, 2.0], [0, breakdown, between]),
                   typed([0.0, 1.00002], [0, 0]))  # fmt: skip

    def found(*span):
        return stance._pose_times(clip, TURN, span).tolist()

    assert found(0.0, 2.0) == [0.0, 0.500005, 1.0, 1.00002, 1.2]
    assert found(0.500005, 1.0) == [0.500005, 1.0]
    assert found(0.50001, 1.19999) == [0.500005, 1.0, 1.00002]  # a hundred thousandth of a second is nothing
    assert found(0.50003, 0.9) == []
    assert stance._pose_times(clip, [], (0.0, 2.0)).tolist() == []


@pytest.mark.parametrize(
    ("start", "end", "frames"),
    [
        (0.0, 0.1, [1, 2]), (0.0, 1.0 / 30.0, []), (0.01, 0.09, [1, 2]), (1.0 / 30.0, 0.2, [2, 3, 4, 5]),
        (1.0 / 30.0 - 1e-6, 0.1 + 1e-6, [2]), (0.02, 0.03, []), (0.05, 0.07, [2]),
    ],
)  # fmt: skip
def test_frames_between_two_poses(start, end, frames):
    found = stance._frames(clip_of(), start, end)
    assert found == pytest.approx([start, *(frame / 30.0 for frame in frames), end])


def test_a_leg_is_held_in_steps_where_all_of_its_tracks_are():
    constant, cubic = Interpolation.CONSTANT, Interpolation.CUBIC
    mixed = clip_of(typed([0.0, 1.0, 2.0], [0] * 3, np.array([constant, cubic, constant])),
                    typed([0.0, 0.5, 1.0], [0] * 3, np.array([constant, constant, cubic])))  # fmt: skip
    at = {time: stance._steps(mixed, TURN[:2], time) for time in (-0.5, 0.0, 0.7, 0.99998, 1.0, 2.0)}
    assert at == {-0.5: False, 0.0: True, 0.7: True, 0.99998: True, 1.0: False, 2.0: False}
    assert stance._steps(mixed, TURN[:1], 2.0) and not stance._steps(mixed, TURN[:1], 1.0 - 0.5e-5)


def test_inbetweens_go_between_poses_that_hold_a_foot():
    between = int(KeyType.INBETWEEN)
    track = typed([0.0, 0.2, 0.4, 1.0, 1.3, 2.0, 2.5], [0, between, between, 0, between, 0, between])
    all_between = typed([0.3, 0.6], [between, between])
    none = typed([0.0, 2.0], [0, 0])
    clip = clip_of(track, all_between, none)
    poses = np.array([0.0, 1.0, 2.0])
    for chosen, left in (
        ([True, False], [0.0, 1.0, 1.3, 2.0, 2.5]), ([False, True], [0.0, 0.2, 0.4, 1.0, 2.0, 2.5]),
        ([True, True], [0.0, 1.0, 2.0, 2.5]), ([False, False], track.times.tolist()),
    ):  # fmt: skip
        done = stance._without_inbetweens(clip, TURN, poses, np.array(chosen))
        assert done.tracks[TURN[0]].times.tolist() == left
        assert done.tracks[TURN[1]] is all_between and done.tracks[TURN[2]] is none


def test_thirds_and_stretches_that_follow_one_another():
    times = stance._with_thirds(np.array([0.0, 0.3, 0.9]))
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])

    def stretch(*at):
        return stance._Stretch(np.array(at), np.arange(len(at) * 4.0).reshape(-1, 1, 4) + 100.0 * at[0])

    rows = [stretch(0.0, 1.0), stretch(1.000005, 2.0), stretch(2.00002, 3.0), stretch(3.0, 4.0, 5.0)]
    joined = stance._joined(rows)
    assert [row.times.tolist() for row in joined] == [[0.0, 1.0, 2.0], [2.00002, 3.0, 4.0, 5.0]]
    np.testing.assert_array_equal(joined[0].turns, np.concatenate((rows[0].turns, rows[1].turns[1:])))
    np.testing.assert_array_equal(joined[1].turns, np.concatenate((rows[2].turns, rows[3].turns[1:])))
    assert stance._joined([]) == []


def test_soles_do_not_go_below_the_ground_or_where_poses_have_them():
    places = np.zeros((5, 2, 3))
    places[0, :, 1], places[-1, :, 1] = (-0.04, 0.3), (0.1, -0.08)
    found = stance._least(places)
    np.testing.assert_allclose(found[:, 0], [-0.04, -0.03, -0.02, -0.01, 0.0], atol=1e-12)
    np.testing.assert_allclose(found[:, 1], [0.0, -0.02, -0.04, -0.06, -0.08], atol=1e-12)


def test_how_far_a_turn_has_come_keeps_its_timing():
    angles = np.array([0.0, 0.1, 0.5, 0.6, 0.8])
    turns = quat.from_axis_angle([0.0, 0.6, 0.8], angles)
    assert stance._way(turns) == pytest.approx(angles / 0.8)
    still = quat.from_axis_angle([0.0, 0.6, 0.8], angles * 1e-3)  # hardly any turn: evenly
    assert stance._way(still) == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert stance._way(quat.from_axis_angle([0.0, 0.6, 0.8], angles * 2e-3)) == pytest.approx(
        angles / 0.8, abs=1e-3
    )


# ------------------------------------------------------------ which legs
def keyed(rig, *bones: str) -> Clip:
    tracks = {Channel(bone, Property.ROTATE, 0): scalar_track([0.0, 1.0], [0.0, 5.0]) for bone in bones}
    return Clip(AssetId("clip-1"), "c", rig.id, 1.0, FrameRate.of(30), False, tracks)


@pytest.mark.parametrize(
    ("bones", "still", "found"),
    [
        (("thigh_l", "calf_r"), (), ["foot_l", "foot_r"]), (("toe_l",), (), ["foot_l"]), (("hips", "spine"), (), []),
        (("thigh_l", "calf_r"), ("toe_l",), ["foot_r"]), (("thigh_l",), ("calf_r", "hips"), ["foot_l"]),
        (("foot_r",), ("foot_r",), []),
    ],
)  # fmt: skip
def test_legs_that_a_clip_keys_are_held_but_for_locked_ones(bones, still, found):
    rig = replace(walker(), ik_setups=())
    legs = stance._legs(rig, keyed(rig, *bones), still)
    names = rig.skeleton.names
    assert [names[leg.foot] for leg in legs] == found
    for leg in legs:
        side = names[leg.foot][-1]
        assert [names[b] for b in leg.bones] == [f"{b}_{side}" for b in ("thigh", "calf", "foot", "toe")]
        assert (names[leg.upper], names[leg.toe]) == (f"thigh_{side}", f"toe_{side}")
        foot = next(f for f in find_feet(rig, rig_roles(rig)) if f.leg.end == names[leg.foot])
        np.testing.assert_allclose(leg.sole, [foot.heel, [0.0, foot.heel[1], 0.14]], atol=1e-12)


def test_legs_that_follow_a_goal_are_left_alone():
    rig = replace(walker(), ik_setups=(IkSetup("left leg", "thigh_l", "foot_l", IkSolver.TWO_BONE),))
    clip = keyed(rig, "thigh_l", "thigh_r")
    driven = replace(clip, curves={curve_name("left leg", GOAL[0]): scalar_track([0.0], [0.0])})
    names = rig.skeleton.names
    for given, found in ((clip, ["foot_l", "foot_r"]), (driven, ["foot_r"])):
        assert [names[leg.foot] for leg in stance._legs(rig, given, ())] == found


def test_a_sole_without_toes_ends_at_the_tip_of_the_foot():
    clip = keyed(RIG, "thigh_l", "thigh_r")
    for leg, foot in zip(stance._legs(RIG, clip, ()), find_feet(RIG, rig_roles(RIG)), strict=True):
        assert leg.toe == -1 and len(leg.bones) == 3
        np.testing.assert_allclose(leg.sole, [foot.heel, foot.toe], atol=1e-12)
