"""A run without a window: recorded, gone back in, run again after edits and other inputs, exported."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.cli.main import main
from core.clips.sample import sample as sample_clip
from core.graph.commands import Command, Do
from core.graph.graph import Graph, Role
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.io import load, save
from core.progress import Progress
from core.terrain.ground import Ground
from editor.model.graph_run.export import as_test, save_clip, save_test, span_clip
from editor.model.graph_run.inputs import InputPath, path_of, read_path, write_path
from editor.model.graph_run.lanes import LaneKind, WatchedPin, first_difference
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.mapping import Binding, Controls, Way, proposed
from editor.model.graph_run.take import Take
from editor.model.graph_run.variable_edits import VariableEdits
from editor.model.graph_run.why import Questions
from tests.editor.model.graph_run.runs import go, running, sample, session_of


@pytest.fixture
def here(tmp_path):
    session, run = running(tmp_path)
    yield session, run
    session.close()


def graph_named(session, name: str) -> Graph:
    return next(graph for graph in session.document.project.all(Graph) if graph.name == name)


def rotations(run):
    return run.pose().local.rotation.copy()


def lane(run, key: str):
    return run.deck.book.named(key)


def machine_lane(run):
    return next(lane for lane in run.deck.book.lanes if lane.kind is LaneKind.STATES)


def with_rule(graph: Graph, old: str, new: str) -> Graph:
    sheets = tuple(
        replace(s, transitions=tuple(replace(t, rule=new) if t.rule == old else t for t in s.transitions))
        for s in graph.sheets
    )
    assert sheets != graph.sheets
    return replace(graph, sheets=sheets)


# ------------------------------------------------------------------ recording
def test_going_back_and_forth_gives_the_same_bits(here):
    _, run = here
    run.set("speed", 2.0)
    go(run, 1.0)
    run.fire("jump")
    go(run, 0.5)
    seen = {}
    for number in (7, 30, 61, 75):
        run.goto(number)
        seen[number] = rotations(run)
    for number in (75, 7, 61, 30):
        run.goto(number)
        assert np.array_equal(rotations(run), seen[number])


def test_lanes_tell_inputs_states_transitions_and_events_with_their_nodes(here):
    _, run = here
    go(run, 0.5)
    run.set("crouch", True)
    go(run, 0.5)
    states = machine_lane(run)
    assert [bar.text for bar in states.bars] == ["on foot", "crouched"]
    assert states.bars[1].start == pytest.approx(0.5, abs=0.02)
    blends = next(found for found in run.deck.book.lanes if found.kind is LaneKind.TRANSITIONS)
    (bar,) = blends.bars
    transition = next(t for s in run.graph.sheets for t in s.transitions if t.rule == "crouch")
    assert bar.node == transition.id
    assert bar.end - bar.start == pytest.approx(0.25, abs=0.03)
    assert lane(run, "input.crouch").bars[0].start == pytest.approx(0.5, abs=0.02)


def test_lanes_after_going_on_from_a_step_equal_those_of_a_run_that_never_went_further(here, tmp_path):
    _, run = here
    run.set("speed", 1.0)
    go(run, 0.5)
    at = run.take.at
    run.set("crouch", True)
    go(run, 0.5)
    run.goto(at)
    run.go_on_from_here(running=False)
    cut = [
        (lane.key, lane.times, lane.values, [(b.start, b.text) for b in lane.bars])
        for lane in run.deck.book.lanes
    ]
    other_session, other = running(tmp_path / "other")
    other.set("speed", 1.0)
    go(other, 0.5)
    whole = [
        (lane.key, lane.times, lane.values, [(b.start, b.text) for b in lane.bars])
        for lane in other.deck.book.lanes
    ]
    assert cut == whole
    other_session.close()


def test_paused_changes_show_at_once_as_one_step_of_no_time(here):
    _, run = here
    go(run, 0.2)
    steps, before = len(run.take.steps), rotations(run)
    for value in (1.0, 2.0, 3.0):
        run.set("speed", value)
    assert len(run.take.steps) == steps + 1
    assert run.take.steps[-1].dt == 0.0
    assert run.value(run.graph.variables[0]) == 3.0
    assert rotations(run).shape == before.shape


def test_watched_weight_is_plotted_over_what_is_recorded_already(here):
    _, run = here
    go(run, 0.3)
    run.set("crouch", True)
    go(run, 0.5)
    crouch = next(n for s in run.graph.sheets for n in s.nodes if n.name == "crouch")
    run.deck.watch(WatchedPin(crouch.id, "", "crouch"))
    plotted = lane(run, f"watch.{crouch.id}.")
    assert plotted.value_at(0.1) == 0.0
    assert plotted.value_at(run.take.length) == pytest.approx(1.0)
    assert 0.0 < plotted.value_at(0.42) < 1.0
    run.deck.watch(WatchedPin(crouch.id, "", "crouch"))
    assert lane(run, f"watch.{crouch.id}.") is None


def test_slow_motion_takes_shorter_steps_and_reaches_the_same_time(here):
    _, run = here
    run.clock.speed = 0.25
    run.start()
    for _ in range(40):
        run.advance(0.05 * run.clock.speed)
    assert run.take.length == pytest.approx(0.5, abs=0.01)
    assert run.take.steps[-1].dt == pytest.approx(1.0 / 240.0)


# ------------------------------------------------------------------ break points, commands
def test_run_stops_at_a_transition_a_state_a_node_and_an_event(here):
    _, run = here
    pointed = []
    run.node_chosen.connect(pointed.append)
    transition = next(t for s in run.graph.sheets for t in s.transitions if t.rule == "crouch")
    run.breaks.toggle(transition.id)
    run.start()
    run.set("crouch", True)
    run.advance(0.5)
    assert not run.running and pointed == [transition.id]
    assert run.states == {"moves": "crouched"}
    run.breaks.clear()
    state = next(n for s in run.graph.sheets for n in s.nodes if n.name == "on foot")
    run.breaks.toggle(state.id)
    run.start()
    run.set("crouch", False)
    run.advance(0.5)
    assert not run.running and pointed[-1] == state.id
    run.breaks.clear()
    run.set("speed", 2.0)
    run.breaks.toggle_event("left_down")
    run.breaks.toggle_event("right_down")
    run.start()
    for _ in range(20):
        if run.running:
            run.advance(0.1)
    assert not run.running
    assert {event.name for event in run.take.samples[-1].events} & {"left_down", "right_down"}


def test_forced_state_is_entered_whatever_the_rules_say_and_is_recorded(here):
    _, run = here
    go(run, 0.2)
    run.force_state("moves", "in the air")
    assert run.states == {"moves": "in the air"}
    assert run.take.steps[-1].commands == (Command(Do.GO, "moves", to="in the air"),)


def test_montage_is_played_and_its_section_jumped_to(here):
    _, run = here
    run.command(Command(Do.PLAY, "wave"))
    go(run, 0.2)
    sections = [bar.text for bar in lane(run, "montage.wave").bars]
    run.command(Command(Do.JUMP, "wave", section="lower"))
    assert lane(run, "montage.wave").bars[-1].text == "lower"
    assert sections and sections[0] != "lower"


# ------------------------------------------------------------------ run again
def test_input_changed_in_the_past_runs_again_and_tells_the_first_difference(here):
    _, run = here
    go(run, 1.0)
    run.seek(0.5)
    at = run.take.at
    run.set("crouch", True)
    assert run.take.at == at and run.states == {"moves": "crouched"}
    assert run.deck.comparison.first == (at - 1, "states")
    assert machine_lane(run).bars[-1].end == pytest.approx(1.0, abs=0.02)


def test_edit_of_a_rule_runs_the_recording_again_beside_the_old_one(here):
    session, run = here
    go(run, 0.5)
    run.set("speed", 2.0)
    go(run, 0.5)
    graph = graph_named(session, "moves")
    session.edits.put("rule", with_rule(graph, "take('jump')", "speed > 1"))
    assert "leap" in [bar.text for bar in machine_lane(run).bars]
    number, what = run.deck.comparison.first
    assert run.take.samples[number].end == pytest.approx(0.52, abs=0.03)
    assert what == "states"
    session.undo()
    assert [bar.text for bar in machine_lane(run).bars] == ["on foot"]
    again = first_difference(run.deck.comparison.take, run.take)
    assert run.deck.comparison.first == again


def test_a_variable_is_set_by_who_still_holds_the_graph_from_before_an_edit(here):
    session, run = here
    before = graph_named(session, "moves")
    go(run, 0.1)
    session.edits.put("rule", with_rule(before, "take('jump')", "speed > 9"))
    run.set("speed", 1.5, before)
    go(run, 0.1)
    speed = next(v for v in graph_named(session, "moves").variables if v.name == "speed")
    assert run.value(speed) == 1.5


def test_broken_edit_keeps_the_last_good_plan_running_and_says_so(here):
    session, run = here
    go(run, 0.2)
    graph = graph_named(session, "moves")
    take = run.take
    session.edits.put("broken", with_rule(graph, "crouch", "crooch"))
    assert run.stale and run.take is take
    assert "crooch" in str(run.deck.faults[0])
    go(run, 0.2)
    assert run.take.length == pytest.approx(0.4, abs=0.02)
    session.undo()
    assert not run.stale and run.take.length == pytest.approx(0.4, abs=0.02)


def test_run_that_is_begun_again_with_faults_shows_the_clip(here):
    session, run = here
    go(run, 0.2)
    seen = []
    session.evaluator.changed.connect(lambda _: seen.append(session.evaluator.pose()))
    session.edits.put("broken", with_rule(graph_named(session, "moves"), "crouch", "crooch"))
    run.restart()
    assert not run.on and run.deck.faults
    assert seen and np.isfinite(session.evaluator.pose().local.rotation).all()


class Later:
    """A runner whose work is done and delivered when the test says so."""

    def __init__(self) -> None:
        self.waiting = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()


def test_what_is_recorded_while_a_run_is_run_again_is_caught_up_in_the_background(here):
    session, run = here
    go(run, 0.2)
    session.jobs.runner = later = Later()
    graph = graph_named(session, "moves")
    session.edits.put("rule", with_rule(graph, "take('jump')", "speed > 1"))
    go(run, 2.0)
    old, steps = run.take, list(run.take.steps)
    later.deliver()
    assert run.take is old and run.deck.catching_up  # 120 steps: not in the window's thread
    run.start()
    assert not run.advance(0.1) and len(old.steps) == len(steps)
    later.deliver()
    assert run.take is not old and not run.deck.catching_up and not later.waiting
    assert [step.dt for step in run.take.steps] == [step.dt for step in steps] and run.at_end
    assert run.advance(0.1) and len(run.take.steps) == len(steps) + 6


def test_a_run_that_went_another_way_meanwhile_is_run_again_whole(here):
    session, run = here
    go(run, 1.0)
    session.jobs.runner = later = Later()
    graph = graph_named(session, "moves")
    session.edits.put("layout", replace(graph, layout={"moved": 1}))
    run.seek(0.5)
    run.go_on_from_here()
    for _ in range(3):
        run.advance(0.05)
    steps = list(run.take.steps)
    later.deliver()
    later.deliver()
    assert not later.waiting and [step.dt for step in run.take.steps] == [step.dt for step in steps]


def test_recording_run_again_unchanged_differs_nowhere(here):
    session, run = here
    run.set("speed", 2.0)
    go(run, 0.7)
    run.fire("jump")
    go(run, 0.7)
    old = run.take
    graph = graph_named(session, "moves")
    session.edits.put("layout", replace(graph, layout={"moved": 1}))
    assert run.take is not old
    assert run.deck.comparison.first is None


def test_variable_that_is_gone_is_left_out_of_the_new_run(here):
    session, run = here
    run.set("look", True)
    go(run, 0.2)
    graph = graph_named(session, "moves")
    text = with_rule(graph, "crouch", "false")
    sheets = tuple(
        replace(s, nodes=tuple(replace(n, literals={**n.literals, "alpha": "false"}) if n.kind == "look_at" else n
                               for n in s.nodes))
        for s in text.sheets
    )  # fmt: skip
    variables = tuple(v for v in graph.variables if v.name not in ("look", "crouch"))
    sheets = tuple(
        replace(s, transitions=tuple(t for t in s.transitions if "crouch" not in t.rule)) for s in sheets
    )
    session.edits.put("less", replace(text, sheets=sheets, variables=variables))
    assert not run.stale
    assert all("look" not in step.inputs for step in run.take.steps)


def test_other_ground_bends_the_legs_and_is_part_of_the_recording(here):
    _, run = here
    go(run, 0.5)
    level = rotations(run)
    run.set_ground(Ground(tilt_x=12.0))
    assert run.take.ground == Ground(tilt_x=12.0)
    assert not np.allclose(rotations(run), level, atol=1e-3)
    assert run.take.steps[-1].ground


# ------------------------------------------------------------------ questions
def test_why_not_tells_each_guard_and_the_first_step_at_which_the_rule_holds(here):
    _, run = here
    go(run, 0.5)
    number = run.take.at
    run.set("crouch", True)
    go(run, 0.3)
    questions = Questions()
    transition = next(t for s in run.graph.sheets for t in s.transitions if t.rule == "crouch")
    answer = questions.why(run.take, number, transition.id)
    assert not answer.taken and answer.title == "on foot → crouched"
    assert [(guard.text, guard.holds) for guard in answer.guards] == [("crouch", False)]
    taken = questions.why(run.take, answer.first, transition.id)
    assert taken.taken
    before = questions.why(run.take, answer.first - 1, transition.id)
    assert not before.taken
    land = next(t for s in run.graph.sheets for t in s.transitions if t.rule.startswith("speed > 1"))
    guards = questions.why(run.take, number, land.id).guards
    assert [guard.text for guard in guards] == ["speed > 1", "time_in_state > 0.15"]
    assert guards[0].values == "speed = 0" and guards[0].holds is False and guards[1].holds is True


def test_asking_leaves_the_run_where_it_is(here):
    _, run = here
    go(run, 0.5)
    before = run.take.character.snapshot()
    Questions().bone(run.take, 20, "head")
    assert run.take.character.snapshot().same_bits(before)


def test_bone_tells_the_node_that_turned_it(here):
    _, run = here
    run.set("look", True)
    run.set("look_place", [2.0, 1.6, 1.0])
    go(run, 1.0)
    added = Questions().bone(run.take, run.take.at, "head")
    turned = {node.name: node.degrees for node in added}
    assert turned["look head"] > 5.0
    assert turned["upper body"] < 1e-6


# ------------------------------------------------------------------ export
def test_span_as_a_clip_shows_what_the_run_showed(here):
    session, run = here
    run.set("speed", 2.0)
    go(run, 1.0)
    clip = span_clip(run.take, (0.25, 0.75), "part", Progress())
    assert clip.length == pytest.approx(0.5, abs=1e-6)
    run.goto(run.take.number_at(0.5))
    rig = session.rig
    posed = sample_clip(rig, clip, 0.25).pose
    hand = rig.skeleton.index("hand_l")
    assert np.abs(posed.local.rotation[hand] - run.pose().local.rotation[hand]).max() < 1e-5


def test_span_is_exported_to_a_file(here, tmp_path):
    session, run = here
    go(run, 0.5)
    clip = span_clip(run.take, None, "all", Progress())
    save_clip(session.document.project, clip, tmp_path / "all.glb")
    assert [clip.name for clip in load(tmp_path / "all.glb").project.clips] == ["all"]


def test_recording_saved_as_a_test_holds_on_the_command_line_until_the_graph_changes(here, tmp_path, capsys):
    session, run = here
    go(run, 0.3)
    run.set("speed", 2.5)
    go(run, 0.6)
    run.fire("jump")
    go(run, 1.0)
    run.set_ground(Ground(tilt_z=5.0))
    run.replay.mark(1.0)
    file, script = tmp_path / "a.posewright", tmp_path / "test.json"
    save(session.document.project, file)
    save_test(run.take, run.replay.marks, script)
    words = ["graph", "run", str(file), "--graph", "moves", "--inputs", str(script)]
    assert main(words) == 0
    told = json.loads(script.read_text())
    assert any(step.get("ground") for step in told["steps"])
    assert {"time": pytest.approx(1.0, abs=0.02), "state": {"moves": "leap"}} in told["expect"]
    changed = with_rule(graph_named(session, "moves"), "take('jump')", "take('jump') and speed > 3")
    save(session.document.project.with_assets(changed), tmp_path / "b.posewright")
    assert main(["graph", "run", str(tmp_path / "b.posewright"), *words[3:]]) == 1
    assert "expected 'leap'" in capsys.readouterr().out


def test_test_of_a_slow_run_has_its_own_steps(here):
    _, run = here
    run.clock.speed = 0.5
    run.start()
    run.advance(0.1)
    assert as_test(run.take)["steps"] == [{"dt": 0.0}, {"dt": pytest.approx(1 / 120), "count": 12}]


# ------------------------------------------------------------------ inputs
@pytest.mark.parametrize("ending", ["csv", "json"])
def test_recorded_inputs_written_and_read_give_the_same_run(here, tmp_path, ending):
    _, run = here
    run.set("speed", 2.0)
    go(run, 0.4)
    run.set("look_place", [1.0, 2.0, 3.0])
    run.set("crouch", True)
    go(run, 0.4)
    path = path_of(run.take.steps, 0, len(run.take.steps))
    write_path(path, tmp_path / f"in.{ending}")
    again = read_path(tmp_path / f"in.{ending}")
    first = run.take
    for variable in run.graph.variables:
        run.inputs.set(run.graph, variable.name, variable.default if len(variable.default) > 1 else 0.0)
    run.play_inputs(again)
    run.restart()
    go(run, 0.75)
    for time in np.arange(0.05, 0.7, 0.05) + 0.008:  # by time: the first has two steps of no time
        a, b = (take.samples[take.number_at(time) - 1] for take in (first, run.take))
        assert a.active == b.active
        assert np.allclose(a.stands.translation, b.stands.translation, atol=1e-6)
        assert a.pose == b.pose


def test_input_path_gives_each_entry_once_in_every_turn():
    path = InputPath(((0.0, {"a": 1}), (0.5, {"a": 2})), 1.0)
    assert path.due(-1.0, 0.0) == {"a": 1}
    assert path.due(0.0, 0.4) == {}
    assert path.due(0.4, 0.5) == {"a": 2}
    assert path.due(0.9, 1.0) == {"a": 1}
    assert path.due(1.0, 1.4) == {}
    assert path.due(0.45, 1.2) == {"a": 1}


# ------------------------------------------------------------------ keys and gamepad
def test_held_toggled_and_set_keys_and_a_stick_set_variables(here):
    session, run = here
    controls = session.feature(Controls)
    graph = run.graph
    speed, crouch, jump = (
        next(v for v in graph.variables if v.name == n) for n in ("speed", "crouch", "jump")
    )
    controls.bind(graph, Binding("W", "speed", Way.HOLD, 3.0, 0.5))
    controls.bind(graph, Binding("C", "crouch", Way.TOGGLE))
    controls.bind(graph, proposed(jump, "Space"))
    controls.bind(graph, Binding("axis0", "speed", Way.AXIS, 4.0, 0.0))
    assert not controls.press("W")  # paused: keys do what they do elsewhere
    run.start()
    assert controls.press("W") and controls.press("C") and controls.press("Space")
    run.advance(0.05)
    assert run.value(speed) == 3.0 and run.value(crouch) == 1.0
    assert run.states == {"moves": "leap"}
    controls.release("W")
    controls.press("C"), controls.release("C"), controls.press("C")
    run.advance(0.05)
    assert run.value(speed) == 0.5
    controls.gamepad({"axis0": 0.0})
    controls.gamepad({"axis0": 0.5})
    run.advance(0.05)
    assert run.value(speed) == pytest.approx(3.0)
    assert jump.role is Role.TRIGGER


def test_bindings_are_kept_by_the_preferences_and_broken_ones_are_left_out(here):
    session, run = here
    controls = session.feature(Controls)
    controls.bind(run.graph, Binding("W", "speed"))
    assert [b.control for b in Controls(run, session.preferences).bindings] == ["W"]
    session.preferences.set(
        "graph_keys", {run.graph.id: [{"control": "W"}, 5, {"control": 1, "variable": "speed"}]}
    )
    assert [b.control for b in controls.bindings] == ["1"]


def test_gamepad_without_its_extra_names_it(monkeypatch):
    from core.errors import UnsupportedError
    from editor.model.graph_run import gamepad

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(gamepad.importlib, "import_module", missing)
    with pytest.raises(UnsupportedError, match=r"posewright\[gamepad\]"):
        gamepad.Gamepad()


# ------------------------------------------------------------------ animation mode
def test_animation_mode_is_undone_exactly_and_plays_assets(tmp_path):
    session = session_of(sample(), tmp_path)
    from editor.model.graph_run.state import GraphRun

    run = session.feature(GraphRun)
    before = session.document.project
    names = {choice.name: choice.id for choice in run.mode.choices if choice.kind == "blend space"}
    run.play_as(names["locomotion"])
    assert session.rig.animation == names["locomotion"]
    assert run.start(running=False)
    assert run.played.variables[0][1].name == "speed"
    go(run, 0.3)
    assert run.take.length == pytest.approx(0.3, abs=0.02)
    run.mode.choose_post(None)
    assert session.rig.post_graph is None
    session.undo()
    session.undo()
    assert session.document.project.assets == before.assets
    session.close()


def test_graph_that_takes_a_pose_is_proposed_as_post_process_only(tmp_path):
    session, run = running(tmp_path)
    assert [choice.name for choice in run.mode.post_choices] == ["feet"]
    assert "feet" not in [choice.name for choice in run.mode.choices]
    session.close()


# ------------------------------------------------------------------ live
def test_canvas_is_told_weights_states_values_and_flashes(here):
    session, run = here
    live = session.feature(RunLive)
    run.set("crouch", True)
    go(run, 0.1)
    frame = live.frame(run.graph.id)
    states = {n.name: n.id for s in run.graph.sheets for n in s.nodes if n.kind == "state"}
    sheet = next(s.id for s in run.graph.sheets if s.name == "moves")
    assert frame.machines[sheet].active == states["crouched"]
    assert 0.0 < frame.machines[sheet].running[0].progress < 1.0
    assert frame.weights[states["crouched"]] + frame.weights[states["on foot"]] == pytest.approx(1.0)
    space = next(n.id for s in run.graph.sheets for n in s.nodes if n.name == "crouch")
    assert frame.values[space, "x"] == "0"
    assert frame.flashes
    assert live.value(run.graph.id, "crouch and speed < 1") == "true"
    assert live.value(run.graph.id, "time_in_state * 0 + 2", sheet) == "2"
    assert live.value(run.graph.id, "crooch") == ""
    run.stop()
    assert live.frame(run.graph.id) is None


def test_live_frame_is_the_same_object_until_the_run_moves(here):
    session, run = here
    live = session.feature(RunLive)
    assert live.frame(run.graph.id) is live.frame(run.graph.id)


def test_take_agrees_with_the_library_run_by_itself(here):
    """The recording is the library's own run: the same bits as an instance stepped alike."""
    _, run = here
    run.set("speed", 2.0)
    go(run, 0.5)
    alone = Instance(run.take.plan)
    for step in run.take.steps:
        result = alone.step(step.dt, step.inputs)
    state = run.take.character.instance.state
    assert state.same_bits(alone.state)
    assert isinstance(run.take, Take) and result.states == run.states


def test_variable_that_became_a_vector_is_not_shown_as_the_number_it_was(here):
    session, run = here
    go(run, 0.2)
    made = session.feature(VariableEdits).add(run.graph)
    run.set(made, 0.5)
    go(run, 0.1)
    variable = next(v for v in run.graph.variables if v.name == made)
    session.feature(VariableEdits).set_kind(run.graph, variable, Kind.VECTOR)
    variable = next(v for v in run.graph.variables if v.name == made)
    assert np.shape(run.value(variable)) == (3,)
    assert run.inputs.all_set([run.graph]).get(made) is None
