"""Parts of the nodes that fall and get up which need no engine: grounds, samples, shares; getting up on any ground."""

# ruff: noqa: E501 - a line a case

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.graph.compile import compile_graph
from core.graph.graph import Variable
from core.graph.instance import NOTHING_GIVEN, Instance
from core.graph.nodes import get_up
from core.graph.nodes import ragdoll_op as op_of
from core.graph.nodes.bodies import stands_below
from core.graph.output import Output
from core.graph.post import under
from core.graph.problems import GraphError
from core.graph.runner import StepArrays
from core.math import quat, transform
from core.math.transform import Transform
from tests.core.graph.nodes.falling import STAIRS, Falling, instance, project
from tests.pins import Pins

HELD = Pins(__file__)
UP = np.array([0.0, 1.0, 0.0])


def place(x=0.0, y=0.0, z=0.0, degrees=0.0) -> Transform:
    return Transform(np.array([x, y, z]), quat.from_axis_angle(UP, math.radians(degrees)), np.ones(3))


def hill(point):
    """Ground that rises along x, and is not there beyond 3 m."""
    return (0.25 * point[0] if abs(point[0]) < 3.0 else math.nan), np.array([-0.24, 0.97, 0.0])


# -------------------------------------------------------------------- small parts
def posture(x: float, degrees: float = 0.0):
    return op_of.Posture(
        Transform(*(np.stack([part] * 2) for part in place(x, degrees=degrees))), place(10.0 * x)
    )


@pytest.mark.parametrize(("time", "wanted"), [
    (-9.0, 0.0), (-0.3, 0.0), (-0.2, 0.5), (-0.1, 1.0), (-0.05, 1.5), (0.0, 2.0), (0.4, 2.0), (-0.1 + 1e-8, 1.0), (-0.25, 0.25),
])  # fmt: skip
def test_a_posture_between_samples_is_between_theirs(time, wanted):
    samples = [(-0.3, posture(0.0)), (-0.1, posture(1.0)), (0.0, posture(2.0))]
    found = op_of._at(samples, time)
    assert found.local.translation[:, 0] == pytest.approx([wanted] * 2, abs=1e-6)
    assert found.placement.translation[0] == pytest.approx(10.0 * wanted, abs=1e-5)


def test_samples_of_one_moment_give_the_later_and_one_alone_itself():
    one, other = posture(0.0), posture(1.0)
    assert op_of._at([(0.0, one)], -5.0) is one
    assert op_of._at([(0.0, one), (0.0, other)], 0.0) is other


def test_postures_are_raised_where_there_is_something_to_raise_them_by():
    one = posture(1.0)
    assert op_of.replace_height(one, 0.0) is one
    raised = op_of.replace_height(one, 0.5)
    assert raised.placement.translation.tolist() == [10.0, 0.5, 0.0]
    assert raised.local is one.local
    assert [op_of._share(x) for x in (-1.0, 0.0, 0.25, 1.0, 7.0)] == [0.0, 0.0, 0.25, 1.0, 1.0]


@pytest.mark.parametrize(
    ("ground", "x", "wanted"), [(None, 1.0, 0.5), (hill, 1.0, 0.75), (hill, -1.0, 0.25), (hill, 9.0, 0.5)]
)
def test_the_level_of_a_fall_is_the_ground_below_the_pelvis(ground, x, wanted):
    stands = place(2.0, 0.5, 3.0, 90.0)
    pelvis = transform.apply(stands, np.array([x, 1.0, 0.0]))
    assert op_of._level(SimpleNamespace(character=stands, ground=ground), pelvis) == pytest.approx(wanted)


@pytest.mark.parametrize("degrees", [0.0, 100.0, -170.0])
def test_a_character_stands_below_its_body_facing_as_that_does(degrees):
    bearing = SimpleNamespace(yaw=lambda turn, before: before + 20.0)
    run = SimpleNamespace(character=place(5.0, 0.7, 5.0, degrees))
    pelvis = (np.array([0.5, 1.0, 1.4]), np.array([0.0, 0.0, 0.0, 1.0]))
    level = stands_below(run, bearing, pelvis, None, 0.3)
    assert level.translation.tolist() == [0.5, 0.3, 1.4]
    ahead = quat.rotate(level.rotation, np.array([0.0, 0.0, 1.0]))
    turned = math.degrees(math.atan2(ahead[0], ahead[2])) - degrees - 20.0
    assert math.remainder(turned, 360.0) == pytest.approx(0.0, abs=1e-9)
    stairs = stands_below(run, bearing, pelvis, STAIRS, 0.3)
    assert stairs.translation[1] == pytest.approx(float(STAIRS.under(pelvis[0])))
    nothing = SimpleNamespace(under=lambda places: np.array(math.nan))
    assert stands_below(run, bearing, pelvis, nothing, 0.3).translation[1] == 0.7


# -------------------------------------------------------------------- a ragdoll's own numbers
def doll(literals=None, **parameters):
    """A step in progress over a ragdoll node, the node, and how many curves a result has."""
    drawing = Falling()
    player, node = drawing.clip_node("idle"), drawing.node("ragdoll", "Doll", literals or {}, **parameters)
    made = instance(drawing.one(player, node))
    made.state.registers[0] = 0.05
    run = made._run(0.05, NOTHING_GIVEN, StepArrays.fresh(len(made.plan.ops)))
    return run, made.plan.op_named("Doll"), len(made.plan.table)


def test_strengths_and_blends_of_groups_go_over_those_of_all_in_their_order():
    masks = {"branches_1": ("spine_01:2",), "branches_2": ("upper_arm_l",)}
    literals = {
        "strength": "0.2",
        "strength_2": "0.6",
        "strength_3": "1.5",
        "blend": "0.5",
        "blend_2": "-1",
        "blend_3": "0.25",
    }
    run, op, _ = doll(literals, count=2, **masks)
    HELD.hold("shares", op._shares(run, "strength"), op._shares(run, "blend"))
    run, op, _ = doll({"strength": "0.2", "blend": "3"})
    assert set(op._shares(run, "strength").tolist()) == {0.2}
    assert set(op._shares(run, "blend").tolist()) == {1.0}


@pytest.mark.parametrize(("count", "times"), [(0, [0.0]), (1, [-0.05, 0.0]), (2, [-0.08, -0.05, 0.0])])
def test_incoming_poses_are_told_with_when_they_were(count, times):
    run, op, _ = doll({"strength": "0.5"})
    run.ints[op.place.ints + op_of.COUNT] = count
    f = op.place.floats
    run.floats[f + op_of.LAST_STEP] = 0.03
    run.floats[f + op_of.PLACE : f + op_of.PLACE + 7] = (1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0)
    run.floats[f + op_of.PLACE_BEFORE : f + op_of.PLACE_BEFORE + 7] = (4.0, 5.0, 6.0, 0.0, 0.6, 0.0, 0.8)
    rest = run.rig.skeleton.rest
    base = Output(rest, np.zeros(0), np.zeros(0, bool), place(0.5))
    found = op._samples(run, base)
    assert [time for time, _ in found] == pytest.approx(times)
    assert [p.placement.translation[0] for _, p in found] == [4.0, 1.0, 0.5][2 - count :]
    assert found[-1][1].local is rest


def test_the_incoming_pose_is_noted_only_where_something_pulls_and_time_passes():
    for literals, dt, noted in (
        ({"strength": "0"}, 0.05, True),
        ({}, 0.05, False),
        ({"root_strength": "0"}, 0.05, True),
        ({"strength": "1"}, 0.0, False),
    ):
        run, op, count = doll(literals)
        run.dt = dt
        curves = np.zeros(count)
        base = Output(run.rig.skeleton.rest, curves, curves > 0.0, place(0.5))
        for k in (1, 2, 2):
            op._note(run, base)
            assert run.ints[op.place.ints + op_of.COUNT] == (k if noted else 0)
        f = op.place.floats
        assert run.floats[f + op_of.LAST_STEP] == (dt if noted else 0.0)
        for where in (op_of.PLACE, op_of.PLACE_BEFORE):
            assert run.floats[f + where] == (0.5 if noted else 0.0)
    run, op, _ = doll(count=1, branches_1=("spine_01",))
    assert op.pins.powered


# -------------------------------------------------------------------- getting up
def rising(literals=None, **parameters) -> Instance:
    drawing = Falling()
    return instance(drawing.one(drawing.node("get_up", "up", literals or {}, **parameters)))


GROUNDS = {"none": None, "hill": hill, "nothing": lambda point: (math.nan, UP), "stairs": STAIRS}


@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize("ground", GROUNDS)
def test_getting_up_follows_the_ground(ground, moves):
    made = rising({"rate": "1.5"}, move_character=moves)
    stands = place(0.4, 0.2, 0.5, 30.0)
    with HELD.together(f"rise, {ground}, {moves}") as note:
        for k in range(24):
            asked = under(STAIRS, stands) if ground == "stairs" else GROUNDS[ground]
            result = made.step((0.1, 0.0, 0.05)[k % 3], {}, asked, stands)
            note(result.numbers)
            moved = transform.compose(stands, result.root_motion)
            stands = Transform(moved.translation, quat.normalise(moved.rotation), np.ones(3))
            if not moves:
                assert result.root_motion.translation.tolist() == [0.0, 0.0, 0.0]
        note(stands.translation, made.state.floats[: made.plan.layout.floats])


@pytest.mark.parametrize(
    ("rate", "seconds"), [("0", 0.0), ("-2", 0.0), ("0.5", 0.25), ("1", 0.5), ("3", 1.5)]
)
def test_getting_up_has_its_own_pace(rate, seconds):
    made = rising({"rate": rate})
    time = made.plan.op_named("up").place.floats + get_up.ELAPSED
    start = None
    for k in range(6):
        made.step(0.1)
        start = made.state.floats[time] if k == 0 else start  # in its first step it shows where it lies
    assert made.state.floats[time] - start == pytest.approx(seconds)


def test_a_rise_goes_on_from_a_snapshot_in_a_fresh_instance():
    first = rising()
    for _ in range(5):
        first.step(0.1, {}, hill)
    state = first.snapshot()
    other = Instance(compile_graph(first.plan.graph, project().with_assets(first.plan.graph)))
    other.restore(state)
    for _ in range(5):
        a, b = (made.step(0.1, {}, hill) for made in (first, other))
        assert a.numbers.tobytes() == b.numbers.tobytes()


@pytest.mark.parametrize(("clips", "messages"), [
    (("gone",), 1), (("gone", "idle"), 1), ("idle", 0), ((), 0), (None, 0), (("idle", "walk"), 0),
])  # fmt: skip
def test_clips_to_get_up_by_are_looked_up(clips, messages):
    try:
        made = rising(clips=clips)
    except GraphError as error:
        HELD.hold(f"clips, {clips}", list(error.problems))
        assert messages
        return
    assert not messages
    HELD.hold(f"clips, {clips}", [clip.name for clip in made.plan.op_named("up").rising.clips])


@pytest.mark.parametrize("steps", [(), (0.1,), (0.03, 0.05), (0.05, 0.0), (0.0,)])
def test_a_fall_begins_with_the_speed_of_what_was_shown(steps, monkeypatch):
    """From the last two results of the graph and where they stood, lowered to the level of the ground."""
    drawing = Falling(variables=(Variable("share"),))
    player, node = drawing.clip_node("walk"), drawing.node("ragdoll", "Doll", {"active": "hit"})
    made = instance(drawing.one(player, node))
    shown = [made.step(dt, {}, hill, place(0.1 * k, 0.3)) for k, dt in enumerate(steps)]
    begun: list = []

    class Doll:
        def start(self, before, now, seconds):
            begun.append((before, now, seconds))
            return SimpleNamespace(start=SimpleNamespace(local=now.local))

    op = made.plan.op_named("Doll")
    monkeypatch.setattr(op, "_doll", lambda terrain: Doll())
    run = made._run(
        0.05,
        replace(NOTHING_GIVEN, ground=hill, character=place(1.0, 0.3)),
        StepArrays.fresh(len(made.plan.ops)),
    )
    base = Output(
        run.rig.skeleton.rest,
        np.zeros(len(made.plan.table)),
        np.zeros(len(made.plan.table), bool),
        place(0.5),
    )
    run.floats[op.place.floats + op_of.AHEAD] = 0.7
    op._begun(run, base)
    ((before, now, seconds),) = begun
    passed = [dt for k, dt in enumerate(steps) if dt > 0.0 or k == 0]
    assert seconds == (steps[-1] if len(passed) > 1 and steps[-1] > 0.0 else op_of.PICTURE)
    if shown:
        assert now.local.rotation == pytest.approx(shown[-1].pose.rotations)
        wanted = transform.compose(place(0.1 * (len(steps) - 1), 0.3), shown[-1].root_motion).translation
    else:
        assert now.local is base.local and before.local is base.local
        wanted = transform.compose(place(1.0, 0.3), base.motion).translation
    lift = run.floats[op.place.floats + op_of.BASE]
    assert now.placement.translation == pytest.approx(wanted - [0.0, lift, 0.0])
    assert lift == pytest.approx(
        op_of._level(run, op.bodies.pelvis(op_of.Posture(now.local, place(*wanted)))), abs=1e-6
    )
    assert run.ints[op.place.ints + op_of.RUNNING] == run.ints[op.place.ints + op_of.LEVEL] == 1
    assert run.floats[op.place.floats + op_of.AHEAD] == 0.0


@pytest.mark.parametrize("active", [True, False])
def test_a_doll_notes_what_comes_in_whether_it_simulates_or_not(active, monkeypatch):
    run, op, count = doll({"strength": "0.5", "active": str(active).lower()})
    base = Output(run.rig.skeleton.rest, np.zeros(count), np.zeros(count, bool), place(0.5))
    made = Output(run.rig.skeleton.rest, np.ones(count), np.ones(count, bool))
    monkeypatch.setattr(op, "_simulated", lambda _, given: made if given is base else None)
    monkeypatch.setattr(type(run), "output", lambda _, number: base)
    run.registers[op.pins.active] = float(active)
    for k in (1, 2, 2):
        run.was_relevant[op.number] = 1
        run.ints[op.place.ints] = 1
        run.floats[op.place.floats : op.place.floats + op_of.BASE] = 2.0
        assert op.pose(run) is (made if active else base)
        assert run.ints[op.place.ints + op_of.COUNT] == k
        assert run.ints[op.place.ints] == int(active)
        assert (run.floats[op.place.floats : op.place.floats + op_of.BASE] == (2.0 if active else 0.0)).all()
    run.was_relevant[op.number] = 0
    op.pose(run)
    assert run.ints[op.place.ints + op_of.COUNT] == 1
