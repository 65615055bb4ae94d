"""What recorded runs tell: their bits, why steps did what they did, two runs compared, tests saved from them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cli.main import main
from core.errors import ValidationError
from core.graph.commands import Command, Do, play_clip
from core.graph.compile import compile_graph
from core.graph.explain import explain
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.post import character_of
from core.graph.record import SNAPSHOT_STEPS, Recording, Step
from core.graph.recorded import compared, explain_recorded, proved
from core.graph.saved_test import command_to, saved_test, steps_to
from core.graph.state_hash import state_hash
from core.io import save
from core.math import kernels
from tests.core.graph.builders import Drawing, clip, swinging, walker, walking
from tests.core.graph.test_montages import montage

SPEED = Variable("speed", maximum=9.0)


def drawn(rule="speed > 2", seconds="0.2", walk=None):
    """The drawing and graph of a walk and a run."""
    drawing = Drawing(walk or walking("walk", 1.0, 1.5), walking("run", 0.5, 4.0, x=1.0), variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in ("walk", "run")}
    arrows = [("walk", "run", rule, {"seconds": seconds}), ("run", "walk", "speed < 2 and time('run') > 0.3")]
    return drawing, drawing.machine_graph(drawing.machine(states, arrows))


def planned(**changes):
    drawing, graph = drawn(**changes)
    return compile_graph(graph, drawing.project(graph))


def recorded(plan, count=SNAPSHOT_STEPS + 30) -> Recording:
    recording = Recording.of(plan)
    for k in range(count):
        recording.step(1 / 60, {"speed": 3.0} if k == 20 else {"speed": 0.0} if k == 50 else {})
    return recording


# -------------------------------------------------------------------- the same bits
@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.data())
def test_hash_tells_every_change_of_one_number(values, data):
    numbers, whole = np.array(values), np.arange(3)
    place = data.draw(st.integers(0, len(values) + 2))
    other, others = numbers.copy(), whole.copy()
    if place < len(values):
        other[place] = np.nextafter(other[place], np.inf)
    else:
        others[place - len(values)] ^= 1
    assert state_hash(numbers, whole) != state_hash(other, others)
    assert state_hash(numbers, whole) == state_hash(numbers.copy(), whole.copy())


def test_goto_proves_the_bits_of_every_step_it_runs_again():
    recording = recorded(planned())
    assert len(recording.hashes) == len(recording.steps)
    for number in (1, SNAPSHOT_STEPS, SNAPSHOT_STEPS + 7, len(recording.steps)):
        recording.goto(number)
        assert recording.differs is None
    recording.hashes[SNAPSHOT_STEPS + 3] ^= 1
    recording.goto(len(recording.steps))
    assert recording.differs == SNAPSHOT_STEPS + 3


def test_state_that_was_changed_behind_the_recording_is_found():
    recording = recorded(planned())
    recording.snapshots[SNAPSHOT_STEPS].registers[1] += 1e-12
    recording.snapshots[SNAPSHOT_STEPS].floats[0] += 1e-12
    recording.goto(SNAPSHOT_STEPS + 2)
    assert recording.differs == SNAPSHOT_STEPS


def test_run_of_a_fresh_instance_is_proved_and_the_twin_is_close():
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")
    plan = planned()
    recording = recorded(plan)
    proof = proved(recording, Instance(plan))
    assert proof.same_bits
    assert proof.largest == 0.0
    twin = Instance(plan)
    assert twin.runner is not None
    twin.runner = None
    assert proved(recording, twin).close
    other = proved(recording, Instance(planned(seconds="0.3")))
    assert not other.same_bits
    assert not other.close


def test_character_with_a_post_graph_has_a_hash_of_both():
    drawing, graph = drawn()
    character = character_of(graph, drawing.project(graph))
    before = character.state_hash()
    character.step(0.1)
    assert character.state_hash() != before


# -------------------------------------------------------------------- two runs
def test_changed_rule_is_compared_from_the_step_it_is_run_again_from():
    plan = planned()
    recording = recorded(plan)
    here = recording.at
    same = compared(recording, 30, Instance(planned()))
    assert (same.first, same.what) == (None, "")
    assert len(same.one) == len(recording.steps) - 30
    late = compared(recording, 30, Instance(planned(rule="speed > 2 and time_in_state() > 9")))
    assert late.first is None  # it is in run already, and goes on from there
    early = compared(recording, 10, Instance(planned(rule="speed > 5")))
    assert (early.first, early.what) == (20, "states")
    assert recording.at == here


def test_changed_blend_and_clip_and_input_are_compared():
    recording = recorded(planned())
    slower = compared(recording, 0, Instance(planned(seconds="0.4")))
    assert slower.first == 20
    assert slower.what == "pose"
    assert slower.metres > 0.01
    moved = compared(recording, 5, Instance(planned(walk=walking("walk", 1.0, 1.5, x=0.25))))
    assert (moved.first, moved.what) == (5, "pose")
    assert moved.metres == pytest.approx(0.25)
    assert moved.degrees == pytest.approx(0.0, abs=1e-6)
    other = compared(recording, 5, Instance(planned()), {8: {"speed": 5.0}})
    assert other.first == 8
    with pytest.raises(ValidationError, match="changed inputs in steps 5 to"):
        compared(recording, 5, Instance(planned()), {3: {}})
    with pytest.raises(ValidationError, match="expected a step of 0"):
        compared(recording, 999, Instance(planned()))


def test_state_goes_over_to_another_plan_by_node_id():
    plan, other = planned(), planned(rule="speed > 1 and speed < 99")
    one, two = Instance(plan), Instance(other)
    for k in range(25):
        one.step(1 / 60, {"speed": 3.0 if k > 10 else 0.0})
    two.go_on_from(one)
    assert two.value("speed") == 3.0
    a, b = one.step(1 / 60), two.step(1 / 60)
    assert a.states == b.states
    assert a.pose.translations == pytest.approx(b.pose.translations, abs=1e-12)


def test_node_that_is_new_begins_and_the_others_go_on():
    drawing = Drawing(swinging("walk"), swinging("lean"), rig_=walker())
    walk, lean = drawing.play("walk"), drawing.play("lean")
    mix = drawing.node("blend", "mix", {"alpha": "0.5"})
    one = drawing.one(walk)
    both = replace(one, sheets=(replace(
        drawing.pose_sheet("main", [walk, lean, mix], [(walk, mix, "a"), (lean, mix, "b")], mix), id=one.root.id
    ),))  # fmt: skip
    before = drawing.run(one)
    for _ in range(3):
        before.step(0.1)
    after = Instance(compile_graph(both, drawing.project(both)))
    after.go_on_from(before)
    after.step(0.1)
    times = [float(after.state.floats[after.plan.ops[k].place.floats]) for k in (0, 1)]
    assert times == pytest.approx([0.4, 0.1])


# -------------------------------------------------------------------- why
def test_recorded_step_is_explained_with_when_its_rules_would_have_held():
    recording = recorded(planned())
    found = explain_recorded(recording, 5)
    told = {r.reason.transition: (r.reason.why, r.held) for r in found.reasons}
    assert told == {"walk -> run": ("rule", 20)}
    back = explain_recorded(recording, 30)
    assert {r.reason.transition: r.reason.why for r in back.reasons} == {"run -> walk": "rule"}
    held = next(r.held for r in back.reasons)
    assert held >= 50
    assert recording.goto(held + 1).states["machine"] == "walk"
    never = explain_recorded(recording, len(recording.steps) - 1)
    assert [r.held for r in never.reasons if r.reason.transition == "walk -> run"] == [None]
    assert recording.at == held + 1
    with pytest.raises(ValidationError, match="expected a step of 0 to"):
        explain_recorded(recording, len(recording.steps))


def test_explanation_tells_of_every_bone_which_nodes_moved_it():
    drawing = Drawing(swinging("walk"), rig_=walker())
    walk = drawing.play("walk")
    move = drawing.node("transform_bone", "lift", {"translation": "vec(0, 0.1, 0)"}, bone="head",
                        translation_way="add", translation_space="model")  # fmt: skip
    turn = drawing.node("transform_bone", "turn", {"rotation": "axis_angle(vec(0, 1, 0), 30)"}, bone="spine",
                        rotation_way="add", rotation_space="model")  # fmt: skip
    mover = drawing.run(drawing.one(walk, move, turn))
    found = explain(mover, Step(0.1)).bones()
    assert [a.name for a in found["head"]] == ["lift", "turn"]
    assert found["head"][0].metres == pytest.approx(0.1)
    assert found["head"][0].degrees < 1e-4
    assert found["head"][1].degrees == pytest.approx(30.0)
    assert [a.name for a in found["spine"]] == ["turn"]
    assert found["thigh_l"] == ()


# -------------------------------------------------------------------- saved tests
def test_recording_saved_as_a_test_holds_from_the_command_line_and_fails_when_the_graph_changes(
    tmp_path, capsys
):
    drawing, graph = drawn()
    recording = recorded(compile_graph(graph, drawing.project(graph)))
    text = saved_test(recording)
    assert {"time": round(21 / 60, 9), "state": {"machine": "run"}} in text["expect"]
    assert len(text["steps"]) < 8  # equal steps are told once
    script = tmp_path / "test.json"
    script.write_text(json.dumps(text))
    document = tmp_path / "walk.posewright"
    save(drawing.project(graph), document)
    assert main(["graph", "run", str(document), "--inputs", str(script)]) == 0, capsys.readouterr().out
    slow_drawing, slow = drawn(rule="speed > 5")
    changed = tmp_path / "slow.posewright"
    save(slow_drawing.project(slow), changed)
    capsys.readouterr()
    assert main(["graph", "run", str(changed), "--inputs", str(script)]) == 1
    assert "'machine' is in 'walk', expected 'run'" in capsys.readouterr().out


def test_expectations_stand_in_a_file_of_their_own(tmp_path, capsys):
    drawing, graph = drawn()
    document, inputs, expect = (tmp_path / name for name in ("a.posewright", "in.csv", "expect.json"))
    save(drawing.project(graph), document)
    inputs.write_text("time,speed\n0,0\n1,3\n")
    right = [{"time": 0.9, "state": {"machine": "walk"}}, {"time": 1.5, "state": {"machine": "run"}}]
    expect.write_text(json.dumps({"expect": right}))
    arguments = [
        "graph",
        "run",
        str(document),
        "--inputs",
        str(inputs),
        "--seconds",
        "2",
        "--expect",
        str(expect),
    ]
    assert main(arguments) == 0, capsys.readouterr().out
    expect.write_text(json.dumps({"expect": [{"event": "step", "count": 99}]}))
    assert main(arguments) == 1
    assert "'step' happened" in capsys.readouterr().out


def test_saved_steps_keep_commands_ground_and_place():
    from pathlib import Path

    from core.graph.script_commands import steps_from
    from core.math import quat
    from core.math.transform import Transform

    place = Transform(
        np.array([1.0, 0.5, -2.0]), quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.5), np.ones(3)
    )
    steps = [
        Step(0.1, {"speed": 1.0}, ((0.25, (0.0, 1.0, 0.0)),), place, (
            Command(Do.PLAY, "wave", section="in", rate=2.0, stop_group=False), Command(Do.GO, "moves", to="run"),
            Command(Do.NEXT, "wave", to=""), play_clip("m", "Group.Upper", 0.1, 0.3, -1.0, 4),
        )),
        Step(0.02), Step(0.02), Step(0.02),
    ]  # fmt: skip
    told = json.loads(json.dumps(steps_to(steps)))
    assert [entry.get("count", 1) for entry in told] == [1, 3]
    found = steps_from(Path("x.json"), told)
    assert [(s.dt, s.inputs, s.ground, s.commands) for s in found] == [
        (s.dt, s.inputs, s.ground, s.commands) for s in steps
    ]
    assert found[0].character.rotation == pytest.approx(place.rotation, abs=1e-12)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{"dt": "long"}], "steps[0].dt: expected a number"),
        ([{"dt": 0.1, "sett": {}}], "steps[0].sett: expected one of"),
        ([{"dt": 0.1, "count": 0}], "steps[0].count: expected 1 step or more"),
        ([{"dt": 0.1, "ground": [1]}], "steps[0].ground: expected a list of"),
        ([{"dt": 0.1, "stands": [1]}], "steps[0].stands: expected 7 numbers"),
        ([{"dt": 0.1, "set": 3}], "steps[0].set: expected an object"),
        ([{"dt": 0.1, "commands": [{"do": "dance"}]}], "steps[0].commands[0].do: expected one of"),
    ],
)
def test_saved_steps_that_make_no_sense_are_refused(tmp_path, capsys, steps, message):
    drawing, graph = drawn()
    document, script = tmp_path / "a.posewright", tmp_path / "in.json"
    save(drawing.project(graph), document)
    script.write_text(json.dumps({"steps": steps}))
    assert main(["graph", "run", str(document), "--inputs", str(script)]) == 1
    assert message in capsys.readouterr().err


def test_help_of_run_tells_commands_and_expectations(capsys):
    assert main(["graph", "run", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for word in ("play_clip", "travel", "--expect", '"count": 4', '"montage": {"wave": "loop"}'):
        assert word in told


def test_command_of_a_file_plays_a_clip_in_a_slot(tmp_path, capsys):
    drawing = Drawing(clip("idle", 2.0), clip("m", x=1.0), slots=("Group.Upper",))
    idle, slot = drawing.play("idle"), drawing.node("slot", "slot", slot="Group.Upper")
    graph = drawing.graph(drawing.pose_sheet("main", [idle, slot], [(idle, slot, "source")], slot))
    document, script = tmp_path / "a.posewright", tmp_path / "in.json"
    save(drawing.project(graph).with_assets(montage()), document)
    order = {
        "time": 0.5,
        "do": "play_clip",
        "clip": "m",
        "slot": "Group.Upper",
        "in": 0.1,
        "out": 0.1,
        "loops": 2,
    }
    expect = [{"time": 2.0, "montage": {"m": "all"}}, {"time": 2.9, "montage": {"m": None}}]
    script.write_text(json.dumps({"seconds": 3, "commands": [order], "expect": expect}))
    assert main(["graph", "run", str(document), "--inputs", str(script)]) == 0, capsys.readouterr().out
    assert command_to(play_clip("m", "Group.Upper", 0.1, 0.1, loops=2)) == {
        k: v for k, v in order.items() if k != "time"
    }
