"""Feet that are planted: within reach, within the ankle's limit, lifted before they step; knees that are bent back."""

from functools import cache

import numpy as np
import pytest

from core.graph.nodes.sole import beside, rolled
from core.ik.leg import (
    Leg,
    add,
    body_legs,
    inverse,
    leaning,
    length,
    multiply,
    of_rotation_vector,
    placed,
    reached,
    rotate,
    size,
    sub,
)
from core.ik.limits import limited
from core.rig.rig import Rig
from tests.core.locomotion.test_pose_rows import over_course, row, sample


@cache
def legs() -> tuple[Rig, tuple[Leg, ...]]:
    rig = sample().rig
    found = body_legs(rig)
    assert found is not None
    return rig, found[1]


def rest(leg: Leg, rig: Rig, knee: float = 0.0):
    """The leg at rest, its knee bent by some radians beyond that."""
    moves = {bone: tuple(rig.skeleton.rest.translation[bone].tolist()) for bone in leg.chain}
    turns = {bone: tuple(rig.skeleton.rest.rotation[bone].tolist()) for bone in leg.chain}
    calf = leg.chain[leg.lower]
    turns[calf] = multiply(turns[calf], of_rotation_vector((knee, 0.0, 0.0)))
    return placed(leg, moves, turns)


@pytest.mark.parametrize("side", [0, 1])
def test_an_ankle_beyond_its_limit_is_brought_to_it_as_the_rig_says(side):
    rig, both = legs()
    leg = both[side]
    limit = rig.limits[rig.skeleton.names[leg.foot]]
    for vector in ((-1.5, 0.05, 0.0), (1.4, 0.0, 0.2), (-0.9, 0.1, 0.3)):
        local = multiply(leg.rest, of_rotation_vector(vector))
        made = np.array(leaning(leg, local))
        wanted = limited(np.array(local), np.array(leg.rest), limit)
        assert abs(float(made @ wanted)) == pytest.approx(1.0, abs=1e-9)
    within = multiply(leg.rest, of_rotation_vector((-0.5, 0.0, 0.0)))
    assert leaning(leg, within) == within


def test_a_knee_that_is_bent_back_does_not_turn_the_thigh_about():
    rig, both = legs()
    leg = both[0]
    back = rest(leg, rig, -0.7)
    goal = add(back.places[leg.upper], (0.0, -0.9 * length(leg, back), 0.05))
    pole = add(back.places[leg.upper], rotate(back.turns[leg.upper], leg.pole))
    made, left = reached(leg, back, goal, back.turns[-1], pole)
    assert left < 1e-6
    thigh = leg.chain[leg.upper]
    before = multiply(inverse(back.turns[leg.upper - 1]), back.turns[leg.upper])
    turned = multiply(inverse(before), made[thigh])
    assert 2.0 * np.degrees(np.arccos(min(abs(turned[3]), 1.0))) < 60.0


def test_a_held_foot_out_of_reach_rolls_over_its_toe():
    rig, both = legs()
    leg = both[0]
    at = rest(leg, rig)
    hip, most = at.places[leg.upper], 0.99 * length(leg, at)
    to, turn = add(hip, (0.0, -0.8 * most, -0.75 * most)), at.turns[-1]
    assert size(sub(to, hip)) > most
    made, rolls = rolled(leg, hip, most, to, turn, 1.0)
    assert size(sub(made, hip)) == pytest.approx(most, abs=1e-9)
    toe, after = add(to, rotate(turn, leg.toe)), add(made, rotate(rolls, leg.toe))
    assert size(sub(toe, after)) < 1e-9
    assert made[1] > to[1]  # the heel rises
    assert rolled(leg, hip, most, to, turn, 0.0) == (to, turn)
    assert rolled(leg, hip, 2.0 * most, to, turn, 1.0) == (to, turn)


def test_a_foot_that_turns_less_keeps_the_end_of_its_sole_that_is_lower_by_that():
    rig, both = legs()
    leg = both[0]
    at = rest(leg, rig)
    turn = at.turns[-1]
    for angle, point in ((0.4, leg.toe), (-0.4, leg.heel)):
        within = multiply(of_rotation_vector((angle, 0.0, 0.0)), turn)
        to, _ = beside(leg, at.places[-1], turn, within)
        kept = add(at.places[-1], rotate(turn, point))
        assert size(sub(add(to, rotate(within, point)), kept)) < 1e-9


def test_feet_on_steep_slopes_hold_and_ankles_keep_their_limits():
    rows = list(over_course("slope 20°", "slope 30°", "slope 40°"))
    slip = row(rows, "foot slip in contact", "steady")
    assert slip.count > 20
    assert slip.mean < 5.0
    assert row(rows, "played speed", "steady").worst < 2.0
    assert row(rows, "limits broken", "course").worst < 3.0


def test_a_foot_that_is_left_behind_is_lifted_before_it_steps():
    rows = list(over_course("crouch", "pivots"))
    for case in ("transitions", "turns"):
        slip = row(rows, "foot slip in contact", case)
        assert slip.count > 40
        assert slip.mean < 1.0
        assert slip.worst < 20.0
