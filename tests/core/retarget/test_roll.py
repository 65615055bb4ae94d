"""Feet that roll about the point they stand on: the ankle comes to its distance, and no further than it may."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import quat
from core.math.transform import down_chain
from core.retarget.chain_map import is_quadruped, propose_map
from core.retarget.limbs import limbs_of
from core.retarget.roll import EASE, MOST, _since, rolled, side_axis
from core.retarget.transfer import leg_sizes
from core.rig.roles import Roles, find_roles
from tests.core.retarget.figures import figure
from tests.core.retarget.test_lock import bound

FPS = 30.0
BODY = figure()
LIMB = next(limb for limb in limbs_of(bound(BODY, BODY)) if limb.name == "left foot")
REST = down_chain(BODY.parents, BODY.rest)
FRAMES = 12


def stance(stands: str, more: float, floor: float = -1.0):
    """A standing foot under its hip, turned a little; its ankle's distance is wanted `more` metres."""
    ankle, hip = (REST.translation[LIMB.bones[k]] for k in (2, 0))
    place = np.tile(ankle, (FRAMES, 1))
    turn = quat.multiply(quat.from_axis_angle([0.0, 1.0, 0.0], 0.3), REST.rotation[LIMB.bones[2]])
    rotation = np.tile(turn, (FRAMES, 1))
    root = np.tile(hip + [0.02, 0.0, -0.05], (FRAMES, 1))
    masks = np.zeros((2, FRAMES), dtype=bool)
    masks[0], masks[1] = "heel" in stands, "ball" in stands
    distance = np.linalg.norm(place - root, axis=-1) + more
    return rolled(LIMB, root, place, rotation, distance, masks, FPS, floor), place, rotation, root, distance


@pytest.mark.parametrize("point", ["heel", "ball"])
@given(more=st.floats(-0.002, 0.002))
def test_the_ankle_comes_to_its_distance_about_the_point_that_stands(point, more):
    roll, place, rotation, root, distance = stance(point, more)
    pivot = LIMB.places(place, rotation)[0 if point == "heel" else 1]
    turn = quat.from_axis_angle(side_axis(LIMB, rotation), roll)
    ankle = pivot + quat.rotate(turn, place - pivot)
    np.testing.assert_allclose(np.linalg.norm(ankle - root, axis=-1), distance, atol=abs(more) * 0.05 + 1e-9)


@pytest.mark.parametrize("stands", ["heel and ball", "none"])
def test_a_foot_on_both_points_or_none_does_not_roll(stands):
    assert not stance(stands, 0.01)[0].any()


@given(st.floats(-0.5, 0.5), st.sampled_from(["heel", "ball"]))
def test_a_roll_is_no_more_than_the_most_and_stops_at_the_floor(more, point):
    assert np.abs(stance(point, more)[0]).max() <= MOST
    over = 0.004
    roll, place, rotation, *_ = stance(point, more, floor=-over)
    lever = np.linalg.norm(LIMB.points[1].offset - LIMB.points[0].offset)
    points = LIMB.places(place, rotation)
    free = 1 if point == "heel" else 0
    room = (points[free][0, 1] - LIMB.points[free].height + over) / lever
    assert ((roll >= -room - 1e-12) if point == "ball" else (roll <= room + 1e-12)).all()


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_a_roll_comes_with_the_time_since_both_stood(flags):
    both = np.array(flags)
    found = _since(~both, both, FPS)
    for frame in range(len(both)):
        away = min((abs(frame - k) for k in np.flatnonzero(both)), default=1e9)
        u = min(away / (EASE * FPS), 1.0)
        assert found[frame] == pytest.approx(u * u * (3.0 - 2.0 * u))


def test_the_sizes_of_legs_are_those_of_their_bones():
    chains = propose_map(BODY, BODY)
    height, length = leg_sizes(BODY, chains, BODY.rest, True)
    thigh, calf, foot = (REST.translation[BODY.index(f"{b}_l")] for b in ("thigh", "calf", "foot"))
    assert length == pytest.approx(np.linalg.norm(calf - thigh) + np.linalg.norm(foot - calf))
    assert height == pytest.approx(thigh[1])  # it stands on model zero
    for lift in (2.0, -2.0):  # one that stands elsewhere: over the lowest of its feet
        lifted = BODY.rest._replace(
            translation=BODY.rest.translation + np.eye(len(BODY))[0][:, None] * [0.0, lift, 0.0]
        )
        ball = REST.translation[BODY.index("ball_l")]
        assert leg_sizes(BODY, chains, lifted, True)[0] == pytest.approx(thigh[1] - min(ball[1], foot[1]))
        assert leg_sizes(BODY, chains, lifted, False)[1] == pytest.approx(length)


@pytest.mark.parametrize(
    ("share", "floored"), [(-0.055, False), (-0.045, True), (0.0, True), (0.44, True), (0.46, False)]
)
def test_legs_whose_feet_are_about_model_zero_are_measured_from_there(share, floored):
    """Feet may end a little below it, and a leg without them at half of its height."""
    chains = propose_map(BODY, BODY)
    thigh, ball = (REST.translation[BODY.index(f"{b}_l")][1] for b in ("thigh", "ball"))
    lift = (share * thigh - ball) / (1.0 - share)
    rest = BODY.rest._replace(translation=np.array(BODY.rest.translation))
    rest.translation[0, 1] += lift
    height = leg_sizes(BODY, chains, rest, True)[0]
    assert height == pytest.approx(thigh + lift if floored else thigh - ball)


def on_all_fours(body):
    """The rest pose with the trunk forward, arms and legs down."""
    rest = body.rest._replace(rotation=np.array(body.rest.rotation))
    rest.rotation[body.index("root")] = quat.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2.0)
    for name in ("thigh_l", "thigh_r", "upper_arm_l", "upper_arm_r"):
        rest.rotation[body.index(name)] = quat.from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2.0)
    return rest


@pytest.mark.parametrize(
    "gone", ["none", "upper_arm", "lower_arm hand", "thigh", "calf foot", "spine", "hips"]
)
def test_a_body_on_all_fours_is_a_quadruped_where_no_part_is_missing(gone):
    body = figure(arms_down=90.0)
    roles = find_roles(body)
    kept = {key: names for key, names in roles.found.items() if str(key[0]) not in gone.split()}
    assert is_quadruped(body, Roles(kept), on_all_fours(body)) == (gone == "none")
    assert not is_quadruped(body, roles)
