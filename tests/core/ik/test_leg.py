"""A leg in plain numbers: the numbers against arrays, the solve by what it promises, an ankle's limit."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.ik import leg as plain
from core.ik.ground import find_feet
from core.math import quat
from core.math.transform import down_chain
from core.rig.rig import JointLimit, LimitKind
from core.rig.roles import rig_roles
from tests.core.graph.builders import walker

number = st.floats(-3.0, 3.0).map(lambda x: round(x, 3))
vectors = st.tuples(number, number, number)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 0.2).map(
    lambda v: tuple(np.array(v) / np.linalg.norm(v))
)
turns = st.tuples(number, number, number, number).filter(lambda q: np.linalg.norm(q) > 0.2).map(
    lambda q: tuple(np.array(q) / np.linalg.norm(q))
)  # fmt: skip
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


@given(vectors, vectors, turns, turns, number)
def test_plain_numbers_say_what_arrays_say(a, b, p, q, s):
    np.testing.assert_allclose(plain.add(a, b), np.add(a, b), **CLOSE)
    np.testing.assert_allclose(plain.sub(a, b), np.subtract(a, b), **CLOSE)
    np.testing.assert_allclose(plain.scaled(a, s), np.array(a) * s, **CLOSE)
    np.testing.assert_allclose(plain.dot(a, b), np.dot(a, b), **CLOSE)
    np.testing.assert_allclose(plain.cross(a, b), np.cross(a, b), **CLOSE)
    np.testing.assert_allclose(plain.size(a), np.linalg.norm(a), **CLOSE)
    np.testing.assert_allclose(plain.multiply(p, q), quat.multiply(p, q), **CLOSE)
    np.testing.assert_allclose(plain.inverse(p), quat.conjugate(p), **CLOSE)
    np.testing.assert_allclose(plain.rotate(p, a), quat.rotate(p, a), **CLOSE)
    np.testing.assert_allclose(plain.unit(tuple(3.0 * x for x in p)), p, **CLOSE)
    np.testing.assert_allclose(
        plain.of_rotation_vector(a), quat.from_rotation_vector(a), rtol=1e-7, atol=1e-9
    )  # fmt: skip
    assert plain.unit((0.0, 0.0, 1e-10, 0.0)) == (0.0, 0.0, 0.0, 1.0)
    np.testing.assert_allclose(
        plain.of_rotation_vector((2e-13, 0.0, -4e-13)), (1e-13, 0.0, -2e-13, 1.0), rtol=1e-6
    )


@given(directions, st.floats(-400.0, 400.0), vectors)
def test_turns_about_an_axis_are_in_degrees_and_up_is_to_the_left(axis, degrees, v):
    np.testing.assert_allclose(
        plain.about(axis, degrees), quat.from_axis_angle(axis, np.radians(degrees)), **CLOSE
    )
    left = quat.rotate(quat.from_axis_angle((0.0, 1.0, 0.0), np.radians(degrees)), v)
    np.testing.assert_allclose(plain.turned_about_up(v, degrees), left, **CLOSE)


@given(directions, st.floats(0.0, 3.0))
def test_the_turn_up_to_a_normal_is_level_and_stops_at_the_most(normal, most):
    assume(math.hypot(normal[0], normal[2]) > 1e-3)
    vector = plain.up_to(normal, most)
    angle = math.acos(min(max(normal[1], -1.0), 1.0))
    assert vector[1] == 0.0
    assert plain.size(vector) == pytest.approx(min(angle, most), abs=1e-6)
    reached = quat.rotate(quat.from_rotation_vector(np.array(vector)), (0.0, 1.0, 0.0))
    along = math.cos(max(angle - most, 0.0))
    assert float(np.dot(reached, normal)) == pytest.approx(along, abs=1e-6)
    assert plain.up_to((0.0, 1.0, 0.0), most) == (0.0, 0.0, 0.0)


@given(directions, directions, directions, directions)
def test_frames_take_one_direction_and_its_axis_to_the_others(a, axis, b, to_axis):
    assume(min(np.linalg.norm(np.cross(a, axis)), np.linalg.norm(np.cross(b, to_axis))) > 1e-2)
    turn = plain._frames(a, axis, b, to_axis)
    np.testing.assert_allclose(quat.rotate(turn, a), b, atol=1e-7)
    across = [np.array(w) - np.dot(v, w) * np.array(v) for v, w in ((a, axis), (b, to_axis))]
    across = [w / np.linalg.norm(w) for w in across]
    np.testing.assert_allclose(quat.rotate(turn, across[0]), across[1], atol=1e-7)


@given(turns)
def test_axes_of_every_rotation_give_it_back(q):
    x, y, z = (tuple(quat.rotate(q, axis)) for axis in np.eye(3))
    made = plain._of_axes(x, y, z)
    np.testing.assert_allclose(abs(np.dot(made, q)), 1.0, atol=1e-7)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -2.0)])
def test_a_frame_without_an_axis_across_has_still_its_direction(axis):
    made = plain._frame(axis, axis)
    assert np.linalg.norm(made) == pytest.approx(1.0)
    way = np.array(axis) / np.linalg.norm(axis)
    np.testing.assert_allclose(quat.rotate(made, (0.0, 1.0, 0.0)), way, atol=1e-9)


@pytest.mark.parametrize("tilt", [0.0, 0.4, 0.45, 0.455, 1.1, 2.69, 2.7, 3.1])
def test_a_frame_without_an_axis_takes_x_or_beside_that_z(tilt):
    """Directions about X, 0.9 of it or more, have +Z for their axis."""
    way = (math.cos(tilt), math.sin(tilt), 0.0)
    made = plain._frame(way, plain.scaled(way, 2.0))
    spare = np.array([1.0, 0.0, 0.0] if abs(way[0]) < 0.9 else [0.0, 0.0, 1.0])
    across = spare - np.dot(spare, way) * np.array(way)
    np.testing.assert_allclose(quat.rotate(made, (1.0, 0.0, 0.0)), across / np.linalg.norm(across), atol=1e-9)


# ------------------------------------------------------------------------- legs
RIG = walker()
LEGS = plain.find_legs(RIG, find_feet(RIG, rig_roles(RIG)))


def test_legs_are_found_with_their_chains_and_what_rest_says():
    names = RIG.skeleton.names
    rest = down_chain(RIG.skeleton.parents, RIG.skeleton.rest)
    assert [[names[b] for b in leg.chain] for leg in LEGS] == [
        ["root", "hips", f"thigh_{s}", f"calf_{s}", f"foot_{s}"] for s in "lr"
    ]
    for leg in LEGS:
        thigh, calf = (rest.translation[leg.chain[k]] for k in (leg.upper, leg.lower))
        assert (leg.upper, leg.lower, leg.foot) == (2, 3, leg.chain[-1])
        np.testing.assert_allclose(leg.pole, calf - thigh + [0.0, 0.0, plain.POLE])
        down = calf - thigh
        hinge = np.cross([0.0, 0.0, 1.0], down)
        np.testing.assert_allclose(leg.hinge, hinge / np.linalg.norm(hinge), atol=1e-9)
        ankle = rest.translation[leg.foot]
        assert leg.ankle == pytest.approx(-leg.heel[1]) and leg.ankle > 0.0
        assert leg.toe[1] == pytest.approx(leg.heel[1]) and leg.toe[2] > leg.heel[2]
        toes = rest.translation[names.index(names[leg.foot].replace("foot", "toe"))]
        np.testing.assert_allclose(np.array(leg.toe)[[0, 2]], (toes - ankle)[[0, 2]], atol=1e-9)
        assert (leg.axis, leg.cone) == ((0.0, 1.0, 0.0), math.pi)
    assert LEGS[0].side != LEGS[1].side
    number_, found = plain.body_legs(RIG)
    assert names[number_] == "hips" and found == LEGS


def test_an_ankle_has_the_cone_of_its_limit_and_no_other_kind():
    cone = JointLimit(LimitKind.CONE_TWIST, (0.0, 0.0, 1.0), -10.0, 20.0, 40.0)
    hinge = JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), -10.0, 40.0)
    rig = replace(RIG, limits={"foot_l": cone, "foot_r": hinge})
    left, right = plain.find_legs(rig, find_feet(rig, rig_roles(rig)))
    assert left.axis == (0.0, 0.0, 1.0) and left.cone == pytest.approx(math.radians(40.0))
    assert right.axis == (0.0, 1.0, 0.0) and right.cone == math.pi


@given(st.lists(turns, min_size=12, max_size=12), st.sampled_from([0, 1]))
def test_a_placed_leg_is_where_its_bones_are(rotations, side):
    leg = LEGS[side]
    local = RIG.skeleton.rest._replace(rotation=np.array(rotations))
    model = down_chain(RIG.skeleton.parents, local)
    at = plain.placed(leg, dict(enumerate(map(tuple, local.translation))), dict(enumerate(rotations)))
    chain = list(leg.chain)
    np.testing.assert_allclose(at.places, model.translation[chain], atol=1e-9)
    np.testing.assert_allclose(at.turns, model.rotation[chain], atol=1e-9)
    bones = [np.linalg.norm(RIG.skeleton.rest.translation[b]) for b in leg.chain[3:]]
    assert plain.length(leg, at) == pytest.approx(sum(bones))


def solved(side, knee, goal, turn, pole):
    """The leg bent by some radians, reaching: where it was, where it is now, what was left to the goal."""
    leg = LEGS[side]
    moves = {b: tuple(RIG.skeleton.rest.translation[b]) for b in leg.chain}
    local = dict.fromkeys(leg.chain, (0.0, 0.0, 0.0, 1.0))
    local[leg.chain[1]] = plain.about((0.0, 1.0, 0.0), 30.0)
    local[leg.chain[3]] = plain.of_rotation_vector((knee, 0.0, 0.0))
    was = plain.placed(leg, moves, local)
    made, left = plain.reached(leg, was, goal, turn, pole)
    assert set(made) == set(leg.chain[2:])
    return leg, was, plain.placed(leg, moves, local | made), left


@given(
    st.sampled_from([0, 1]), st.floats(-0.5, 2.0), st.tuples(*[st.floats(-0.7, 0.7)] * 3), turns, directions
)
def test_a_reaching_leg_comes_to_its_goal_with_its_knee_to_the_pole(side, knee, way, turn, aim):
    leg, was, _, _ = solved(side, knee, (0.0, 0.0, 0.0), turn, (0.0, 0.0, 0.0))
    hip = np.array(was.places[2])
    goal, pole = hip + way, hip + 2.0 * np.array(aim)
    assume(np.linalg.norm(way) > 0.05 and np.linalg.norm(np.cross(way, aim)) > 1e-2 * np.linalg.norm(way))
    leg, was, now, left = solved(side, knee, tuple(goal), turn, tuple(pole))
    whole, far = plain.length(leg, was), float(np.linalg.norm(way))
    assert plain.length(leg, now) == pytest.approx(whole)
    np.testing.assert_allclose(now.places[:3], was.places[:3])
    foot, knee_at = np.array(now.places[-1]), np.array(now.places[3])
    assert left == pytest.approx(max(far - plain.LONGEST * whole, 0.0), abs=2e-4)
    assert np.linalg.norm(foot - goal) == pytest.approx(left, abs=1e-6)
    np.testing.assert_allclose(np.cross(foot - hip, way), 0.0, atol=1e-6)
    np.testing.assert_allclose(abs(np.dot(now.turns[-1], turn)), 1.0, atol=1e-9)
    ahead = np.array(way) / far
    side_of = [v - np.dot(v, ahead) * ahead for v in (knee_at - hip, pole - hip)]
    out = [v / max(np.linalg.norm(v), 1e-12) for v in side_of]
    if np.linalg.norm(side_of[0]) > 1e-3:
        assert np.dot(*out) == pytest.approx(1.0, abs=1e-5)


@given(st.sampled_from([0, 1]), st.floats(0.4, 2.0), st.floats(0.3, 0.95), st.floats(-1.0, 1.0))
def test_a_bent_knee_bends_on_about_the_axis_that_it_has_turned_with_the_thigh(side, knee, share, aside):
    start = np.array(solved(side, knee, (0, 0, 0), (0, 0, 0, 1), (0, 0, 1))[1].places[2])
    goal = start + share * 0.82 * np.array([math.sin(aside), -math.cos(aside), 0.0])
    leg, was, now, _ = solved(side, knee, tuple(goal), (0.0, 0.0, 0.0, 1.0), tuple(start + [0.0, 0.0, 2.0]))

    def hinge(at):
        first, second = (np.subtract(at.places[k + 1], at.places[k]) for k in (2, 3))
        axis = np.cross(first, second)
        thigh = quat.conjugate(at.turns[2])
        return quat.rotate(thigh, axis / np.linalg.norm(axis))

    if math.sin(knee) > plain.BENT + 0.05:
        np.testing.assert_allclose(hinge(now), hinge(was), atol=1e-5)
    np.testing.assert_allclose(hinge(now)[0], 1.0, atol=0.2)


@pytest.mark.parametrize("knee", [-0.4, -0.05, 0.0, 0.02, 0.1, 0.3])
@pytest.mark.parametrize("side", [0, 1])
def test_a_knee_that_shows_no_axis_bends_about_its_own_hinge(side, knee):
    start = np.array(solved(side, knee, (0, 0, 0), (0, 0, 0, 1), (0, 0, 1))[1].places[2])
    leg, was, now, _ = solved(
        side, knee, tuple(start + [0.0, -0.6, 0.0]), (0.0, 0.0, 0.0, 1.0), tuple(start + [0, 0, 2])
    )
    into = quat.conjugate(now.turns[2])
    calf = quat.multiply(into, now.turns[3])
    axis, own = quat.to_rotation_vector(calf), np.array(leg.hinge)
    assert abs(np.dot(axis, own)) == pytest.approx(np.linalg.norm(axis), rel=1e-3)


def test_a_pole_on_the_way_leaves_the_bend_to_the_knees_own_axis_and_a_goal_at_the_hip_is_near():
    for side in (0, 1):
        start = np.array(solved(side, 0.8, (0, 0, 0), (0, 0, 0, 1), (0, 0, 1))[1].places[2])
        goal = tuple(start + [0.0, -0.5, 0.0])
        straight = solved(side, 0.8, goal, (0, 0, 0, 1), tuple(start + [0.0, -1.0, 0.0]))
        knee = np.array(straight[2].places[3]) - start
        axis = quat.rotate(straight[1].turns[2], straight[0].hinge)
        side_of = np.cross([0.0, -1.0, 0.0], axis)
        assert np.dot(knee[[0, 2]], side_of[[0, 2]]) == pytest.approx(np.linalg.norm(knee[[0, 2]]), abs=1e-2)
        np.testing.assert_allclose(straight[2].places[-1], goal, atol=1e-6)
        one, two = (
            np.linalg.norm(np.subtract(straight[1].places[k + 1], straight[1].places[k])) for k in (2, 3)
        )
        leg, was, now, left = solved(side, 0.8, tuple(start), (0, 0, 0, 1), tuple(start + [0, 0, 1]))
        assert left == pytest.approx(abs(one - two) + 1e-4)
        np.testing.assert_allclose(now.places[-1], start + [0.0, -left, 0.0], atol=1e-6)


@given(st.sampled_from([0, 1]), turns, turns, directions, st.floats(0.05, 1.5))
def test_a_lean_stops_at_the_cone_and_keeps_its_twist(side, rest, local, axis, cone):
    leg = LEGS[side]._replace(rest=rest, axis=axis, cone=cone)
    relative = quat.multiply(quat.conjugate(rest), local)
    swing, twist = quat.swing_twist(relative, axis)
    angle = float(quat.angle_between(quat.IDENTITY, swing))
    assume(abs(angle - cone) > 1e-6 and abs(angle - math.pi) > 1e-2)
    made = plain.leaning(leg, local)
    if angle <= cone:
        assert made == local
        return
    kept_swing, kept_twist = quat.swing_twist(quat.multiply(quat.conjugate(rest), made), axis)
    assert float(quat.angle_between(quat.IDENTITY, kept_swing)) == pytest.approx(cone, abs=1e-6)
    assert float(quat.angle_between(kept_twist, twist)) == pytest.approx(0.0, abs=1e-5)
    ways = [quat.to_rotation_vector(s) for s in (swing, kept_swing)]
    assert np.dot(*ways) == pytest.approx(np.linalg.norm(ways[0]) * cone, rel=1e-5)
