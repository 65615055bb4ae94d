"""A run without a window: recorded, gone back in, run again after edits and other inputs, exported."""

import numpy as np
import pytest

from core.graph.commands import Command, Do
from core.graph.graph import Role
from core.graph.instance import Instance
from core.graph.language.values import Kind
from editor.model.graph_run.lanes import LaneKind, WatchedPin
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.mapping import Binding, Controls, Way, proposed
from editor.model.graph_run.take import Take
from editor.model.graph_run.variable_edits import VariableEdits
from tests.editor.model.graph_run.run_helpers import lane, machine_lane, rotations
from tests.editor.model.graph_run.runs import go, running, sample, session_of


@pytest.fixture
def here(tmp_path):
    session, run = running(tmp_path)
    yield session, run
    session.close()


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


def test_what_plays_is_not_run_after_itself(here):
    session, run = here
    mode, feet = run.mode, session.rig.post_graph
    mode.choose_post(None)
    mode.choose(feet)
    before = session.document.project
    assert session.rig.animation == feet
    assert mode.choose_post(feet)
    assert session.rig.post_graph == feet and session.rig.animation is None
    session.undo()
    assert session.document.project.assets == before.assets


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
