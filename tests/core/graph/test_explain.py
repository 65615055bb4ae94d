"""Why a transition was taken or not, with values; leaves' weights; what nodes added to a bone."""

import numpy as np
import pytest

from core.errors import ValidationError
from core.graph.compile import compile_graph
from core.graph.explain import explain
from core.graph.graph import Interrupt, Role, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.record import Recording, Step, first_difference, run, run_on
from tests.core.graph.builders import Drawing, clip, swinging, walker, walking

SPEED = Variable("speed", maximum=9.0, minimum=-9.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER)


def instance(*arrows) -> Instance:
    drawing = Drawing(
        walking("walk", 1.0, 1.5),
        walking("run", 0.5, 4.0),
        clip("jump", 0.4, looping=False),
        variables=(SPEED, GO),
    )
    states = {name: drawing.clip_sheet(name) for name in ("walk", "run", "jump")}
    graph = drawing.machine_graph(drawing.machine(states, list(arrows)))
    return Instance(compile_graph(graph, drawing.project(graph)))


def reasons(mover: Instance, **inputs) -> dict[str, tuple[str, str]]:
    found = explain(mover, Step(1 / 60, inputs))
    return {reason.transition: (reason.why, reason.detail) for reason in found.reasons}


def test_each_candidate_says_why_it_was_not_taken():
    mover = instance(
        ("walk", "run", "speed > 2 and time('walk') > 0.01"),
        ("walk", "jump", "speed > 1", {"min_time": 0.5, "priority": 1}),
    )
    mover.step(0.1)
    told = reasons(mover, speed=1.5)
    assert told["walk -> run"][0] == "rule"
    assert (
        "speed > 2 and time('walk') > 0.01 is false: speed = 1.5, time(walk) = 0.1" in told["walk -> run"][1]
    )
    assert told["walk -> jump"] == ("min_time", "0.1000 s of 0.5 s in the state")
    told = reasons(mover, speed=3.0)
    assert told["walk -> run"][0] == "taken"


def test_order_automatic_moment_reentry_and_interruption_are_told():
    mover = instance(
        ("walk", "run", "speed > 1", {"interrupt": Interrupt.NEVER, "seconds": 0.4}),
        ("walk", "jump", "speed > 1"),
        ("run", "walk", "speed < 1"),
        ("jump", "walk", None, {"automatic": 0.0}),
        ("run", "jump", "speed > 4", {"reentry_time": 9.0}),
    )
    mover.step(0.1)
    assert reasons(mover, speed=2.0)["walk -> jump"][0] == "order"
    mover.step(0.1, {"speed": 2.0})
    assert reasons(mover, speed=0.0)["run -> walk"][0] == "interrupt"
    for _ in range(6):
        mover.step(0.1)
    mover.step(0.1, {"speed": 0.0})
    # Never in jump: its re-entry time holds. In jump the automatic moment is still to come.
    other = instance(
        ("walk", "jump", "speed > 1", {"seconds": 0}), ("jump", "walk", None, {"automatic": 0.0})
    )
    other.step(0.1)
    other.step(0.1, {"speed": 2.0})
    assert reasons(other)["jump -> walk"][0] == "automatic"
    assert "in 0." in reasons(other)["jump -> walk"][1]


def test_asking_changes_nothing():
    mover = instance(("walk", "run", "speed > 2"))
    mover.step(0.1)
    before = mover.snapshot()
    explain(mover, Step(0.05, {"speed": 5.0}))
    assert mover.snapshot().same_bits(before)
    assert mover.watch is None
    with pytest.raises(ValidationError, match=r"0 to 0\.1 s to explain"):
        explain(mover, Step(0.5))


def test_leaves_and_what_each_node_added_to_a_bone():
    drawing = Drawing(swinging("walk"), swinging("lean", -40.0), rig_=walker())
    walk, lean = drawing.play("walk"), drawing.play("lean")
    mix = drawing.node("blend", "mix", {"alpha": "0.25"})
    move = drawing.node("transform_bone", "lift", {"translation": "vec(0, 0.1, 0)"}, bone="head",
                        translation_way="add", translation_space="model")  # fmt: skip
    wires = [(walk, mix, "a"), (lean, mix, "b"), (mix, move, "pose")]
    mover = drawing.run(drawing.one(walk, lean, mix, move, wires=wires))
    found = explain(mover, Step(0.1))
    assert found.leaves() == pytest.approx({"walk": 0.75, "lean": 0.25})
    added = {entry.name: entry for entry in found.bone("head")}
    assert added["lift"].metres == pytest.approx(0.1)
    assert added["lift"].degrees == pytest.approx(0.0, abs=1e-6)
    assert added["mix"].degrees > 0.5


@pytest.mark.parametrize(("alphas", "wanted"), [
    ((0.0, 0.0), ["one", "mix", "outer"]),
    ((0.3, 0.0), ["one", "mix", "outer"]),
    ((0.5, 0.0), ["one", "mix", "outer"]),  # of two of a weight the first
    ((0.7, 0.0), ["two", "mix", "outer"]),
    ((1.0, 0.0), ["two", "mix", "outer"]),
    ((0.3, 0.4), ["one", "mix", "outer"]),
    ((0.3, 0.6), ["three", "outer"]),
    ((1.0, 1.0), ["three", "outer"]),
])  # fmt: skip
@pytest.mark.parametrize("layered", [False, True])
def test_the_way_to_the_output_goes_along_the_heaviest_inputs_and_the_base_of_layers(alphas, wanted, layered):
    drawing = Drawing(swinging("walk"), swinging("lean", -40.0), rig_=walker())
    plays = [drawing.play(clip) for clip in ("walk", "lean", "walk", "lean")]
    lifts = [drawing.node("transform_bone", name, {"translation": "vec(0, 0.1, 0)"}, bone="head", translation_way="add")
             for name in ("one", "two", "three", "layer")]  # fmt: skip
    mix, outer = (
        drawing.node("blend", name, {"alpha": f"{a}"})
        for name, a in zip(("mix", "outer"), alphas, strict=True)
    )
    wires = [(play, lift, "pose") for play, lift in zip(plays, lifts, strict=True)]
    wires += [(lifts[0], mix, "a"), (lifts[1], mix, "b"), (mix, outer, "a"), (lifts[2], outer, "b")]
    nodes = [*plays[:3], *lifts[:3], mix, outer]
    if layered:
        layers = drawing.node("layered", "layers", mask="legs")
        wires += [(outer, layers, "base"), (lifts[3], layers, "layer")]
        nodes += [plays[3], lifts[3], layers]
    else:
        wires = [wire for wire in wires if lifts[3] not in wire]
    mover = drawing.run(drawing.one(*nodes, wires=wires))
    found = [entry.name for entry in explain(mover, Step(0.1)).bone("head")]
    assert [name for name in found if name not in ("", "walk", "lean")] == [*wanted, *["layers"] * layered]


# -------------------------------------------------------------------- recordings
def test_recording_keeps_what_the_ground_answered():
    drawing = Drawing(swinging("walk"), rig_=walker())
    play, feet = drawing.play("walk"), drawing.node("foot_placement", "feet")
    graph = drawing.one(play, feet)
    recording = Recording.of(compile_graph(graph, drawing.project(graph)))
    heights = iter(np.linspace(0.0, 0.3, 1000))
    for _ in range(10):
        last = recording.step(1 / 30, ground=lambda point: (float(next(heights)), np.array([0.0, 1.0, 0.0])))
    end = recording.instance.snapshot()
    again = recording.goto(10)
    assert (again.pose.rotations == last.pose.rotations).all()
    assert recording.instance.snapshot().same_bits(end)


def test_two_runs_are_compared_from_a_changed_input_on():
    mover = instance(("walk", "run", "speed > 2"))
    recording = Recording.of(mover.plan)
    first = [recording.step(1 / 30, {"speed": 0.0} if k == 0 else {}) for k in range(20)]
    same = recording.again(0, Instance(mover.plan))
    assert first_difference(first, same) is None
    changed = recording.again(5, Instance(mover.plan), {7: {"speed": 5.0}})
    assert first_difference(first, changed) == 7
    with pytest.raises(ValidationError, match="changed inputs in steps 5 to 19"):
        recording.again(5, Instance(mover.plan), {3: {"speed": 5.0}})
    assert first_difference(first, first[:4]) == 4
    assert recording.plan_hash == Recording.of(mover.plan).plan_hash


def test_runs_of_one_plan_are_one_whoever_steps():
    mover = instance(("walk", "run", "speed > 2"))
    steps = [Step(1 / 30, {"speed": float(k)}) for k in range(6)]
    assert first_difference(run(mover.plan, steps), run_on(Instance(mover.plan), steps)) is None
