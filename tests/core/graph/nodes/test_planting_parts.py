"""The parts of planted feet one by one: rolls, lifts, springs, ground, holds, hips, by pins and by what they promise."""

# ruff: noqa: E501 - a line a case

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

from core.graph.nodes.planting import (
    FARTHEST,
    FARTHEST_TURN,
    FOOT,
    HEAD,
    HIPS,
    SINKS,
    UP,
    Foot,
    Goal,
    Holding,
    World,
    _wrap,
    ankle_goal,
    grounds,
    held_at,
    hips_height,
    near,
    sole_tilt,
    spring,
)
from core.graph.nodes.sole import beside, lifted, rolled
from core.ik.leg import about, add, body_legs, length, multiply, placed, rotate, size, sub
from core.math import quat
from core.math.transform import Transform
from tests.core.graph.builders import walker
from tests.core.graph.nodes.test_node_stories import slope
from tests.pins import Pins

HELD = Pins(__file__)
HIPS_BONE, LEGS = body_legs(walker())
HOLDING = Holding((0, 1), (2, 3))


class Many:
    """A ground that is asked for many places at once."""

    def many(self, points):
        found = [slope(point) for point in points]
        return [float(y) for y, _ in found], [tuple(map(float, n)) for _, n in found]


GROUNDS = {
    "level": None, "slope": slope, "many": Many(), "hole": lambda point: (math.nan, np.array(UP)),
    "wall": lambda point: (0.3, np.array([1.0, 0.0, 0.0])), "far": lambda point: (1e9, np.array(UP)),
}  # fmt: skip


def world(ground=None, place=(0.3, 0.2, -0.4), degrees=25.0) -> World:
    turn = quat.from_axis_angle(np.array(UP), math.radians(degrees))
    character = Transform(np.array(place), turn, np.ones(3))
    return World(SimpleNamespace(character=character, ground=ground))


def legs_at(dice: random.Random):
    """Both legs in some pose of the walker."""
    rest = walker().skeleton.rest
    moves, turns = rest.translation.tolist(), rest.rotation.tolist()
    for leg in LEGS:
        for bone in leg.chain[leg.upper :]:
            turns[bone] = about((1.0, 0.0, 0.0), dice.uniform(-40.0, 40.0))
    turns[HIPS_BONE] = about(UP, dice.uniform(-30.0, 30.0))
    local = dict(enumerate(map(tuple, moves))), dict(enumerate(map(tuple, turns)))
    return [placed(leg, *local) for leg in LEGS]


def feet(dice: random.Random, *, loose: bool = False) -> list[Foot]:
    """What may be kept of two feet."""
    floats = np.array([dice.uniform(-0.05, 0.05) for _ in range(FOOT * 2)])
    for k in range(2):
        floats[FOOT * k + 4] *= 200.0
        floats[FOOT * k + 15] = float(loose and k == 1)
    return [Foot(floats, FOOT * k) for k in range(2)]


# -------------------------------------------------------------------- numbers
@pytest.mark.parametrize(
    ("degrees", "wanted"),
    [(0, 0), (180, 180), (181, -179), (-180, 180), (-179, -179), (360, 0), (540, 180), (-540, 180), (725, 5)],
)
def test_degrees_are_brought_within_a_half_turn(degrees, wanted):
    assert _wrap(float(degrees)) == pytest.approx(wanted)


def test_a_spring_without_speed_has_gone_its_half_by_its_half_life_in_two_times_and_stays_at_its_goal():
    x, v = spring(1.0, 0.0, 0.0, 0.1, 0.1)
    assert x == pytest.approx(0.25 * (1.0 + 2.0 * math.log(2.0)))
    assert v == pytest.approx(-0.25 * (2.0 * math.log(2.0) / 0.1) ** 2 * 0.1)
    assert spring(0.4, 0.0, 0.4, 0.3, 0.05) == (0.4, 0.0)
    assert spring(0.7, -2.0, 0.1, 0.0, 0.05) == pytest.approx((0.7, -2.0))
    half = spring(*spring(0.7, -2.0, 0.1, 0.02, 0.05), 0.1, 0.03, 0.05)
    assert half == pytest.approx(spring(0.7, -2.0, 0.1, 0.05, 0.05))


# -------------------------------------------------------------------- the sole
def spots():
    """Hip, reach, place and turn of a foot that its leg does not reach, or just reaches."""
    dice = random.Random(4)
    for k in range(60):
        leg = LEGS[k % 2]
        hip = (0.1 * leg.side, 0.9 + dice.uniform(-0.05, 0.15), dice.uniform(-0.5, 0.5))
        turn = multiply(about((1.0, 0.0, 0.0), dice.uniform(-40, 40)), about(UP, dice.uniform(-60, 60)))
        yield leg, hip, dice.choice((0.4, 0.78, 0.85)), (0.12 * leg.side, 0.08, dice.uniform(-0.3, 0.4)), turn


def test_a_held_foot_rolls_over_its_toe_until_its_leg_reaches():
    moved = 0
    with HELD.together("rolled") as note:
        for leg, hip, most, to, turn in spots():
            made, turned = rolled(leg, hip, most, to, turn, 1.0)
            half = rolled(leg, hip, most, to, turn, 0.5)
            note(made, turned, half)
            assert rolled(leg, hip, most, to, turn, 0.0) == (to, turn)
            toe, after = add(to, rotate(turn, leg.toe)), add(made, rotate(turned, leg.toe))
            assert after == pytest.approx(toe, abs=1e-9)
            assert add(half[0], rotate(half[1], leg.toe)) == pytest.approx(toe, abs=1e-9)
            if made != to:
                moved += 1
                assert size(sub(made, hip)) == pytest.approx(most, abs=1e-9)
                assert most < size(sub(half[0], hip)) < size(sub(to, hip))
    assert moved > 10


def test_a_foot_that_no_roll_brings_nearer_stays():
    leg, turn = LEGS[0], (0.0, 0.0, 0.0, 1.0)
    lever = size(leg.toe)
    for hip, most in (((0.1, 5.0, 0.0), 0.8), ((0.1, 0.3, 0.0), 0.8)):  # out of reach however; within reach
        assert rolled(leg, hip, most, (0.1, 0.0, 0.0), turn, 1.0) == ((0.1, 0.0, 0.0), turn)
    toe = leg.toe
    # The hip on the line through toe and ankle: there is no side to roll to.
    hip = tuple(-x * 9.0 / lever for x in toe)
    assert rolled(leg, hip, 9.0 - 0.5 * lever, (0.0, 0.0, 0.0), turn, 1.0) == ((0.0, 0.0, 0.0), turn)


@pytest.mark.parametrize("ground", ["level", "slope"])
def test_a_foot_is_lifted_until_its_sole_is_not_under_the_ground(ground):
    where = world(GROUNDS[ground])
    with HELD.together(f"lifted, {ground}") as note:
        for leg, hip, most, to, turn in spots():
            for lower in (0.0, 0.2):
                start = (to[0], to[1] - lower, to[2])
                found = lifted(leg, hip, most, start, turn, where)
                note(found)
                far = size(sub(start, hip))
                kept = start if far <= most else add(hip, tuple(x * most / far for x in sub(start, hip)))
                assert (found[0], found[2]) == pytest.approx((kept[0], kept[2]))
                assert found[1] >= kept[1] - 1e-12
                soles = [add(found, rotate(turn, p)) for p in (leg.heel, leg.toe)]
                if found[1] > kept[1] + 1e-9:  # the ground was asked where the foot was before it was lifted
                    heights, _ = where.ground(soles)
                    deep = max(y - p[1] for y, p in zip(heights, soles, strict=True))
                    assert deep == pytest.approx(SINKS, abs=1e-9)


def test_a_foot_that_turns_no_farther_stands_on_the_end_that_comes_down():
    leg = LEGS[0]
    flat, up, down = (about((1.0, 0.0, 0.0), x) for x in (0.0, -20.0, 20.0))
    with HELD.together("beside") as note:
        for turn, within, point in (
            (flat, down, leg.toe),
            (flat, up, leg.heel),
            (up, flat, leg.toe),
            (flat, flat, leg.heel),
        ):
            made, kept = beside(leg, (0.1, 0.2, 0.3), turn, within)
            note(made)
            assert kept == within
            was, now = add((0.1, 0.2, 0.3), rotate(turn, point)), add(made, rotate(within, point))
            assert now == pytest.approx(was)


# -------------------------------------------------------------------- the world
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_ground_is_asked_in_the_characters_space_and_level_where_there_is_none(ground):
    where = world(GROUNDS[ground])
    points = [(0.1, 0.5, 0.2), (-1.0, 0.0, 3.0)]
    heights, normals = where.ground(points)
    HELD.hold(f"ground, {ground}", heights, normals)
    if ground in ("slope", "many"):
        assert heights == pytest.approx([slope(point)[0] for point in points])
        assert normals[1] == pytest.approx(tuple(slope(points[1])[1]))
    else:
        assert (heights, normals) == ([0.0, 0.0], [UP, UP])


def test_places_go_out_of_a_characters_space_and_back():
    where = world()
    point = (0.4, 1.0, -2.0)
    assert where.back(where.out(point)) == pytest.approx(point)
    assert where.into(where.turned_out(point)) == pytest.approx(point)
    assert where.out((0.0, 0.0, 0.0)) == (0.3, 0.2, -0.4)
    assert where.turned_out((0.0, 0.0, 1.0)) == pytest.approx(
        (math.sin(math.radians(25)), 0, math.cos(math.radians(25)))
    )
    assert where.height == 0.2


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("ground", ["level", "slope", "many", "hole"])
def test_heights_and_tilts_come_to_the_ground(ground, known):
    dice = random.Random(ground)
    with HELD.together(f"grounds, {ground}, {known}") as note:
        for k in range(12):
            at, kept = legs_at(dice), feet(dice)
            h = (0.1, 0.016, 0.0)[k % 3]
            grounds(LEGS, HOLDING, world(GROUNDS[ground]), at, kept, h, known, dice.uniform(-0.1, 0.1))
            note([foot.f for foot in kept])
            for now, foot in zip(at, kept, strict=True):
                ankle = world().out(now.places[-1])
                assert foot.f[16:18] == pytest.approx([ankle[0], ankle[2]])


@pytest.mark.parametrize("held", [0.0, 0.4, 0.5, 1.0])
@pytest.mark.parametrize("loose", [True, False])
def test_feet_are_held_where_they_stood(held, loose):
    dice = random.Random(f"{held} {loose}")
    with HELD.together(f"held, {held}, {loose}") as note:
        for k in range(16):
            at, kept = legs_at(dice), feet(dice, loose=loose)
            h = (0.1, 0.016, 0.0, 0.05)[k % 4]
            for leg, now, foot in zip(LEGS, at, kept, strict=True):
                place, turn = held_at(HOLDING, leg, now, foot, world(), h, held, dice.random())
                note(place, turn, foot.f)
                assert np.isfinite(foot.f).all()
                assert abs(foot.f[4]) <= max(FARTHEST_TURN, 1.0)
                # Kept of the sole is where it is shown: as far apart as its ends are.
                assert place[0] == pytest.approx(world().out(now.places[-1])[0] + foot.f[0])


def test_a_foot_that_is_pulled_too_far_or_turned_too_far_is_let_go_of():
    leg, dice = LEGS[0], random.Random(1)
    now = placed(leg, *(dict(enumerate(map(tuple, part.tolist()))) for part in walker().skeleton.rest[:2]))
    for shift, degrees in (
        (FARTHEST - 0.02, 0.0),
        (FARTHEST + 0.02, 0.0),
        (0.0, FARTHEST_TURN - 2.0),
        (0.0, FARTHEST_TURN + 2.0),
    ):
        foot = feet(dice)[0]
        foot.f = [0.0] * FOOT
        here = world(degrees=0.0, place=(0.0, 0.0, 0.0))
        held_at(HOLDING, leg, now, foot, here, 0.0, 1.0, 1.0)  # as it stands
        there = world(degrees=degrees, place=(shift, 0.0, 0.0))
        held_at(HOLDING, leg, now, foot, there, 0.02, 1.0, 1.0)
        assert foot.f[15] == float(shift > FARTHEST or degrees > FARTHEST_TURN), (shift, degrees)
        if shift and not foot.f[15]:
            assert foot.f[0] == pytest.approx(-shift)


@pytest.mark.parametrize("h", [-1.0, 0.0, 0.016, 0.1])
def test_hips_go_with_the_feet_and_lower_where_legs_do_not_reach(h):
    dice = random.Random(int(h * 1000))
    with HELD.together(f"hips, {h}") as note:
        for k in range(16):
            at, kept = legs_at(dice), feet(dice)
            head = [dice.uniform(-0.1, 0.1) for _ in range(HEAD)]
            where = world(GROUNDS["slope"])
            goals = [
                Goal(add(where.out(now.places[-1]), (0.0, dice.uniform(-0.3, 0.1), 0.0)), (0.0, 0.0, 0.0, 1.0),
                     0.0 if k % 5 == 4 and n else dice.random(), dice.choice((0.0, 0.5, 1.0)))
                for n, now in enumerate(at)
            ]  # fmt: skip
            found = hips_height(LEGS, HOLDING, head, kept, goals, at, where, h)
            note(
                found,
                head,
                [ankle_goal(foot, goal, found, where) for foot, goal in zip(kept, goals, strict=True)],
            )
            assert found == head[HIPS]
            note(
                [
                    sole_tilt(leg, foot, dice.uniform(-0.1, 0.3), 0.7)
                    for leg, foot in zip(LEGS, kept, strict=True)
                ]
            )
    assert near(0.0) == 1.0
    assert length(LEGS[0], at[0]) == pytest.approx(
        0.42**1 * math.hypot(1.0, 0.02 / 0.42) + math.hypot(0.4, 0.02)
    )
