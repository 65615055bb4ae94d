"""Runs as clips, entry by entry; even steps; what grounds answered; where two runs part."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify, NotifyRule, RootMotion, RootPose
from core.errors import ValidationError
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.plan import Plan
from core.graph.record import (
    LONGEST_BAKE,
    SNAPSHOT_STEPS,
    Recording,
    Step,
    baked_run,
    even_steps,
    first_difference,
    run,
    run_on,
    taken,
)
from core.ids import AssetId
from core.math import transform
from core.math.transform import Transform
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from tests.core.graph.builders import Drawing, clip, walking
from tests.core.graph.nodes.test_node_stories import slope
from tests.pins import Pins

HELD = Pins(__file__)
SPEED = Variable("speed", maximum=9.0, minimum=-9.0)
RATE = FrameRate.of(10)
HALF = NotifyRule(condition="speed < 5")


def plan(*notifies: Notify, travels: bool = False, rate: str = "1", looping: bool = True) -> Plan:
    """A clip of a second that rises, with a curve and a morph, and a curve that a node adds."""
    made = walking("a", 1.0, 2.0) if travels else clip("a", looping=looping, turn=60.0)
    made = replace(made, notifies=notifies, morphs={"face/smile": scalar_track([0.0, 1.0], [0.0, 1.0])})
    drawing = Drawing(made, variables=(SPEED,))
    added = drawing.node("modify_curve", "", {"value": "speed * 2"}, curve="own")
    graph = drawing.one(drawing.play("a", rate=rate), added)
    return compile_graph(graph, drawing.project(graph))


def baked(made: Plan, steps: list[Step]):
    return baked_run(made, run(made, steps), steps, RATE, AssetId("clip-baked"), "baked")


def told(clip_) -> list:
    tracks = [
        (str(channel.bone), str(channel.property), channel.axis, track.times, track.values)
        for channel, track in sorted(clip_.tracks.items(), key=lambda item: str(item[0]))
    ]
    curves = [
        (name, track.times, track.values) for name, track in (*clip_.curves.items(), *clip_.morphs.items())
    ]
    notifies = [(n.name, n.time, n.duration, sorted(n.data)) for n in clip_.notifies]
    return [
        clip_.length,
        str(clip_.rate),
        clip_.root_motion.enabled,
        str(clip_.root_motion.pose),
        tracks,
        curves,
        notifies,
    ]


LASTING = (
    Notify("hold", 0.25, 0.5, data={"a": 1}),
    Notify("now", 0.4, data={"b": 2}),
    Notify("late", 0.85, 0.3),
)
CASES = {
    "plain": ({}, {}), "travels": ({"travels": True}, {}), "with notifies": ({"notifies": LASTING}, {}),
    "with what is cut": ({"notifies": (Notify("cut", 0.1, 0.8, rule=HALF), Notify("now", 0.0))}, {5: 7.0}),
    "backwards": ({"notifies": LASTING, "rate": "-1", "travels": True}, {}), "stands": ({"rate": "0"}, {}),
    "by the speed": ({"rate": "speed", "travels": True}, {0: 1.0, 4: -2.0, 8: 0.0}),
}  # fmt: skip


@pytest.mark.parametrize("seconds", [0.6, 1.2])
@pytest.mark.parametrize("case", CASES)
def test_a_run_is_baked_entry_by_entry(case, seconds):
    more, speeds = dict(CASES[case][0]), CASES[case][1]
    made = plan(*more.pop("notifies", ()), **more)
    steps = even_steps(seconds, RATE, [(0.1 * k, {"speed": v}) for k, v in speeds.items()])
    found = baked(made, steps)
    assert (found.id, found.name, found.rig, found.rate) == ("clip-baked", "baked", made.rig.id, RATE)
    assert found.length == pytest.approx(seconds)
    assert found.root_motion == (
        RootMotion(True, pose=RootPose.FIRST_FRAME) if more.get("travels") else RootMotion()
    )
    HELD.hold(f"{case}, {seconds}", told(found))


def test_what_is_under_way_at_the_end_lasts_until_there():
    found = baked(plan(*LASTING), even_steps(0.6, RATE, []))
    assert [(n.name, round(n.time, 9), round(n.duration, 9), dict(n.data)) for n in found.notifies] == [
        ("hold", 0.25, 0.35, {"a": 1}), ("now", 0.4, 0.0, {"b": 2}),
    ]  # fmt: skip
    with pytest.raises(ValidationError, match="nothing can be baked"):
        baked_run(plan(), [], [], RATE, AssetId("x"), "x")


def test_a_first_step_that_takes_time_begins_the_clip_all_the_same():
    made = plan(Notify("now", 0.15))
    steps = [Step(0.2), Step(0.1), Step(0.05)]
    found = baked(made, steps)
    assert found.length == pytest.approx(0.15)
    assert [(n.name, round(n.time, 9)) for n in found.notifies] == [("now", 0.0)]
    assert found.curves["level"].times.tolist() == pytest.approx([0.0, 0.1, 0.15])


# -------------------------------------------------------------------- steps
def test_inputs_and_commands_are_due_at_the_frame_at_or_after_their_time():
    play, stop = Command(Do.PLAY, "w"), Command(Do.STOP, "w")
    inputs = [
        (0.2, {"a": 3.0}),
        (0.1, {"a": 1.0, "b": 1.0}),
        (0.11, {"a": 2.0}),
        (0.0, {"c": 0.0}),
        (9.0, {"d": 1.0}),
    ]
    steps = even_steps(0.3, RATE, inputs, [(0.25, stop), (0.1 + 1e-10, play), (0.05, stop)])
    assert [step.dt for step in steps] == pytest.approx([0.0, 0.1, 0.1, 0.1])
    assert [dict(step.inputs) for step in steps] == [{"c": 0.0}, {"a": 1.0, "b": 1.0}, {"a": 3.0}, {}]
    assert [step.commands for step in steps] == [(), (stop, play), (), (stop,)]
    assert all(step.ground is None and step.character is transform.IDENTITY for step in steps)


@pytest.mark.parametrize(
    ("seconds", "count"), [(0.0, 1), (0.05, 1), (0.1 - 1e-9, 2), (0.1, 2), (0.99, 10), (1.0, 11)]
)
def test_a_length_has_so_many_frames(seconds, count):
    assert len(even_steps(seconds, RATE, [])) == count


@pytest.mark.parametrize("seconds", [-0.1, LONGEST_BAKE + 1.0, float("nan"), float("inf")])
def test_lengths_beyond_the_bounds_are_refused(seconds):
    with pytest.raises(ValidationError, match=f"expected a length of 0 to {LONGEST_BAKE:g} s"):
        even_steps(seconds, RATE, [])
    assert len(even_steps(LONGEST_BAKE, FrameRate.of(1), [])) == int(LONGEST_BAKE) + 1


# -------------------------------------------------------------------- recordings
def grounded() -> Plan:
    drawing = Drawing(clip("a"), variables=(SPEED,))
    height = drawing.node("modify_curve", "", {"value": "ground_height(vec(speed, 0, 1))"}, curve="h")
    normal = drawing.node("modify_curve", "", {"value": "ground_normal(vec(speed, 0, 1)).z"}, curve="n")
    graph = drawing.one(drawing.play("a"), height, normal)
    return compile_graph(graph, drawing.project(graph))


def test_what_the_ground_answered_is_kept_and_given_again():
    made = grounded()
    recording = Recording.of(made, seed=4)
    stands = Transform(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 0.0, 1.0]), np.ones(3))
    results = [recording.step(0.1, {"speed": float(k)}, slope, stands) for k in range(3)] + [
        recording.step(0.1)
    ]
    answers = [slope((float(k), 0.0, 1.0)) for k in range(3)]
    for step, (height, normal) in zip(recording.steps, answers, strict=False):
        assert {answer[0] for answer in step.ground} == {height}
        assert {answer[1] for answer in step.ground} == {tuple(map(float, normal))}
        assert (step.terrain, step.character, step.commands) == (None, stands, ())
    assert recording.steps[3].ground is None
    again = run_on(Instance(made, 4), recording.steps)
    assert [dict(r.pose.curves) for r in again] == [dict(r.pose.curves) for r in results]
    assert first_difference(results, again) is None
    # With fewer answers than are asked for, the ground is level at 0.
    used_up = taken(Instance(made), Step(0.1, {"speed": 1.0}, ground=()))
    assert (used_up.pose.curves["h"], used_up.pose.curves["n"]) == (0.0, 0.0)


def test_runs_part_at_the_first_step_that_differs_in_anything_shown():
    made = plan(Notify("now", 0.15), travels=True)
    steps = [Step(0.1) for _ in range(5)]
    one = run(made, steps)
    assert first_difference(one, run(made, steps)) is None
    assert first_difference(one, one[:3]) == first_difference(one[:3], one) == 3
    assert first_difference([], []) is None
    moved = one[2].but(root_motion=one[2].root_motion._replace(translation=np.ones(3)))
    assert first_difference(one, [*one[:2], moved, *one[3:]]) == 2
    assert first_difference(one, [one[0].but(events=one[1].events), *one[1:]]) == 0
    assert first_difference(one, [*one[:4], one[4].but(states={"m": "a"})]) == 4
    assert first_difference(run(made, steps, seed=1), run(made, steps, seed=2)) is None


def test_a_run_is_taken_again_with_other_inputs_from_a_step_on():
    recording = Recording.of(plan(rate="speed"))
    results = [recording.step(0.1, {"speed": 1.0} if k == 0 else {}) for k in range(6)]
    again = recording.again(3, Instance(plan(rate="speed")), {3: {"speed": 4.0}, 5: {"speed": 0.0}})
    assert first_difference(results, again) == 3
    assert first_difference(again, recording.again(0, Instance(plan(rate="speed")))) == 3
    for early in (2, 6):
        with pytest.raises(ValidationError, match="expected changed inputs in steps 3 to 5"):
            recording.again(3, Instance(plan(rate="speed")), {early: {}})


def test_snapshots_stand_before_every_so_many_steps_and_a_refused_step_leaves_them():
    recording = Recording.of(plan())
    for _ in range(SNAPSHOT_STEPS + 2):
        recording.step(0.01)
    assert sorted(recording.snapshots) == [0, SNAPSHOT_STEPS]
    for at in (SNAPSHOT_STEPS + 1, SNAPSHOT_STEPS, 3):
        recording.goto(at)
        state, hashes = recording.instance.snapshot(), list(recording.hashes)
        with pytest.raises(ValidationError):
            recording.step(-1.0)
        assert recording.instance.snapshot().same_bits(state)
        assert (recording.at, recording.hashes, len(recording.steps)) == (at, hashes, SNAPSHOT_STEPS + 2)
    recording.goto(SNAPSHOT_STEPS)
    recording.step(0.02)
    assert sorted(recording.snapshots) == [0, SNAPSHOT_STEPS]
    assert (len(recording.steps), len(recording.hashes), recording.at) == (SNAPSHOT_STEPS + 1,) * 3
    assert recording.steps[-1].dt == 0.02
    assert recording.goto(0) is None and recording.at == 0
    for wrong in (-1, SNAPSHOT_STEPS + 2):
        with pytest.raises(
            ValidationError, match=f"expected a step of 0 to {SNAPSHOT_STEPS + 1}, got {wrong}"
        ):
            recording.goto(wrong)
