"""The run and the canvas without a window: pictures, what is pointed at, break points, what can be plotted."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from core.graph.events import Event, EventKind
from core.graph.graph import Graph, Node
from core.ids import AssetId
from editor.model.graph.editor import GraphEditor
from editor.model.graph.live import FLASH
from editor.model.graph.state import PinPlace
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.lanes import WatchedPin
from editor.model.graph_run.live import RunLive, flashes
from editor.model.graph_run.live_places import MOST_ASKED
from editor.model.graph_run.on_canvas import RunOnCanvas, _has
from editor.model.graph_run.state import GraphRun
from tests.editor.model.graph_run.machine_run import go, machine_session
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    id_of,
)
from tests.editor.stage import TURN


@pytest.fixture
def session(tmp_path):
    made = machine_session(tmp_path)
    yield made
    made.close()


@pytest.fixture
def run(session) -> GraphRun:
    return session.feature(GraphRun)


@pytest.fixture
def on(session) -> RunOnCanvas:
    return session.feature(RunOnCanvas)


@pytest.fixture
def canvas(session, on):
    return session.feature(GraphEditor).canvas


# ---------------------------------------------------------------- pictures
@pytest.fixture
def live(session, run) -> RunLive:
    made = RunLive(run)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def test_each_step_and_each_change_is_another_picture(run, live) -> None:
    first = live.frame(GRAPH)
    assert live.frame(GRAPH) is first and first.machines[STATES].active == IDLE and live.told == []
    run.step_once()
    assert len(live.told) >= 1
    second = live.frame(GRAPH)
    assert second is not first and second.step > first.step
    run.breaks.toggle(GO)
    assert live.breaks == {GO} and live.frame(GRAPH) is second, "the same step"


def test_what_does_not_run_has_no_picture(run, live) -> None:
    assert live.frame("graph-other") is None and live.value("graph-other", "speed") == ""
    assert live.value(GRAPH, "speed") == "0" and live.value(GRAPH, "  ") == ""
    run.stop()
    assert live.frame(GRAPH) is None and live.value(GRAPH, "speed") == ""
    run.deck.clear()
    assert live.frame(GRAPH) is None and live.value(GRAPH, "speed") == ""


def test_another_plan_gives_other_pictures(session, run, live) -> None:
    first = live.frame(GRAPH)
    graph = session.document.project.get(Graph, GRAPH)
    session.edits.put("layout", replace(graph, layout={"moved": 1}))
    second = live.frame(GRAPH)
    assert second is not first and second.valued is run.take.plan.pins


def test_expressions_stay_compiled_up_to_a_number(run, live, monkeypatch) -> None:
    from editor.model.graph_run import live_places

    asked, asking = [], live_places.asking
    monkeypatch.setattr(
        live_places, "asking", lambda plan, text, machine: asked.append(text) or asking(plan, text, machine)
    )
    for _ in range(2):
        assert [live.value(GRAPH, f"{k} + 1") for k in range(3)] == ["1", "2", "3"]
        assert live.value(GRAPH, "speed >") == ""
    assert asked == ["0 + 1", "1 + 1", "2 + 1", "speed >"]
    for number in range(MOST_ASKED):
        live.value(GRAPH, f"{number} + 2")
    count = len(asked)
    live.value(GRAPH, f"{MOST_ASKED - 1} + 2")
    assert len(asked) == count == 4 + MOST_ASKED
    assert live.value(GRAPH, "0 + 1") == "1" and len(asked) == count + 1


def event(node: str, moment: float = 0.0) -> Event:
    return Event("x", EventKind.CUSTOM, moment, 1.0, node)


def test_events_of_the_last_second_flash_from_their_moments() -> None:
    samples = [SimpleNamespace(end=0.25 * k, dt=0.25, events=[]) for k in range(1, 13)]
    samples[7].events = [event("now", 0.25), event("start")]  # the step that is shown ends at 2 s
    samples[6].events = [event("twice", 0.125)]
    samples[3].events = [event("old", 0.25), event("older", 0.24), event("twice")]
    samples[8].events = [event("later")]
    found = flashes(SimpleNamespace(at=8, samples=samples))
    assert found == pytest.approx({"old": FLASH, "now": 0.0, "start": 0.25, "twice": 0.375})
    samples[7].events = [event("now", 0.3)]
    assert flashes(SimpleNamespace(at=8, samples=samples))["now"] == 0.0


# ---------------------------------------------------------------- what is pointed at
def test_what_the_run_points_at_is_shown_on_its_sheet(run, canvas) -> None:
    for item, sheet in ((WALKING, STATES), (GO, STATES), (BLEND, POSES)):
        run.node_chosen.emit(item)
        assert canvas.sheet.id == sheet and item in canvas.state.selection
    run.node_chosen.emit("gone")
    assert canvas.sheet.id == POSES and BLEND in canvas.state.selection


def test_the_graph_that_runs_comes_before_others_that_have_the_same_ids(session, run, canvas) -> None:
    copy = replace(session.document.project.get(Graph, GRAPH), id=AssetId("graph-copy"), name="copy")
    session.edits.put("copy", copy)
    canvas.open(copy.id)
    run.node_chosen.emit(WALKING)
    assert canvas.graph.id == GRAPH and canvas.sheet.id == STATES


def test_without_a_recording_nothing_is_pointed_at(run, canvas) -> None:
    run.stop()
    run.deck.clear()
    sheet = canvas.sheet.id
    run.node_chosen.emit(WALKING)
    assert canvas.sheet.id == sheet and canvas.state.selection == frozenset()


def test_which_ids_a_graph_has(session) -> None:
    graph = session.document.project.get(Graph, GRAPH)
    assert all(_has(graph, item) for item in (POSES, STATES, MACHINE, IDLE, GO, BACK))
    assert not _has(graph, "gone") and not _has(graph, "")


def test_the_graph_that_is_open_is_run_whatever_plays(session, run, canvas, on) -> None:
    run.play_as(TURN)
    assert run.played.asset.id == TURN
    on.run_open()
    assert run.played.asset.id == GRAPH and run.running
    session.document.replace(session.document.project.without(GRAPH), None)
    on.run_open()
    assert not run.on


# ---------------------------------------------------------------- break points
def test_break_points_are_set_at_all_that_is_selected_then_removed(run, canvas, on) -> None:
    canvas.enter(STATES)
    assert on.breakable == () and on.transition == ""
    on.toggle_breaks()
    assert run.breaks.nodes == frozenset()
    canvas.select([GO, IDLE])
    assert set(on.breakable) == {IDLE, GO} and on.transition == GO
    run.breaks.toggle(GO)
    on.toggle_breaks()
    assert run.breaks.nodes == {GO, IDLE}
    on.toggle_breaks()
    assert run.breaks.nodes == frozenset()


def test_without_a_sheet_nothing_is_selected(session, canvas, on) -> None:
    session.document.replace(session.document.project.without(GRAPH), None)
    assert canvas.sheet is None and on.breakable == () and on.transition == "" and on.watchable == ()


# ---------------------------------------------------------------- what is plotted
def work_on(canvas, node: str, pin: str, output: bool = False) -> None:
    canvas.set_state(pin=PinPlace(node, pin, output))


def test_weights_of_the_selected_nodes_are_plotted(run, canvas, on) -> None:
    canvas.enter(POSES)
    canvas.select([MACHINE])
    assert on.watchable == (WatchedPin(MACHINE, "", "weight of moves"),)
    on.watch()
    assert run.deck.watched == on.watchable and run.deck.book.named(f"watch.{MACHINE}.") is not None
    on.watch()
    assert run.deck.watched == ()


def test_nothing_selected_is_refused(canvas, on) -> None:
    canvas.enter(POSES)
    canvas.select([])
    with pytest.raises(ValidationError, match="Select a node or a pin that has a value or a weight"):
        on.watch()


def test_a_value_pin_is_plotted_by_its_name(canvas, on) -> None:
    canvas.enter(POSES)
    work_on(canvas, BLEND, "alpha")
    assert on.watchable == (WatchedPin(BLEND, "alpha", "Blend: Alpha"),)


def test_the_result_of_a_value_node_is_plotted(session, run, canvas, on) -> None:
    graph = session.document.project.get(Graph, GRAPH)
    node = Node(id_of(98), "get", {"variable": "speed"})
    sheets = tuple(replace(s, nodes=(*s.nodes, node)) if s.id == POSES else s for s in graph.sheets)
    session.edits.put("a value", replace(graph, sheets=sheets))
    canvas.enter(POSES)
    work_on(canvas, node.id, "out", output=True)
    assert on.watchable == (WatchedPin(node.id, "out", "speed: Out"),)


def test_of_a_pose_pin_the_weight_of_what_is_wired_to_it_is_plotted(canvas, on) -> None:
    canvas.enter(POSES)
    work_on(canvas, BLEND, "a")
    (found,) = on.watchable
    assert (found.node, found.pin) == (CLIP_A, "")
    work_on(canvas, OUTPUT, "pose")
    (found,) = on.watchable
    assert found == WatchedPin(MACHINE, "", "weight of moves")


def test_a_pin_that_is_not_there_or_not_wired_is_not_plotted(session, canvas, on) -> None:
    canvas.enter(POSES)
    work_on(canvas, BLEND, "gone")
    assert on.watchable == ()
    graph = session.document.project.get(Graph, GRAPH)
    bare = tuple(replace(s, links=()) if s.id == POSES else s for s in graph.sheets)
    session.edits.put("bare", replace(graph, sheets=bare))
    work_on(canvas, BLEND, "a")
    assert on.watchable == ()


def test_a_run_that_goes_on_keeps_the_picture_of_its_step(run, live) -> None:
    go(run, 2)
    assert live.frame(GRAPH).machines[STATES].seconds == pytest.approx(run.take.samples[-1].seconds[0])
    assert run.time == pytest.approx(round(run.time / STEP) * STEP)
