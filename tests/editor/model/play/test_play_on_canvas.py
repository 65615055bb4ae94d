"""What a driven character tells the canvas: pictures, values and flashes; and when the canvas shows its graph."""

from types import SimpleNamespace

import pytest

from core.graph.events import Event, EventKind
from core.graph.graph import Graph
from core.locomotion.setup import H
from editor.model.graph.editor import GraphEditor
from editor.model.graph.live import FLASH
from editor.model.graph_run.live import RunLive
from editor.model.play import making
from editor.model.play.characters import make_character
from editor.model.play.live import DRAWN, PlayLive, flashes
from editor.model.play.run import Run
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from tests.editor.model.play.played import light_session, played


def event(node: str, moment: float = 0.0) -> Event:
    return Event("x", EventKind.NOTIFY, moment, 1.0, node)


def noted(at: int, **events: int) -> SimpleNamespace:
    """A run that stands at a step, with an event of a node in each of some steps."""
    notes = [
        SimpleNamespace(events=[event(node) for node, step in events.items() if step == k])
        for k in range(at + 3)
    ]
    return SimpleNamespace(at=at, notes=notes)


# ---------------------------------------------------------------- flashes
def test_events_of_the_last_second_flash() -> None:
    steps = round(FLASH / H)
    found = flashes(noted(100, now=100, before=97, last=100 - steps + 1, over=100 - steps, later=101))
    assert found == pytest.approx({"now": H, "before": 4 * H, "last": FLASH})


def test_the_last_event_of_a_node_counts_from_its_moment() -> None:
    run = noted(10, a=4)
    run.notes[9].events.append(event("a", 0.25 * H))
    run.notes[10].events.append(event("b", 2.0 * H))
    assert flashes(run) == pytest.approx({"a": 1.75 * H, "b": 0.0})


def test_a_run_that_just_began_has_no_earlier_steps() -> None:
    assert flashes(noted(0, a=0)) == {"a": H}


# ---------------------------------------------------------------- pictures
@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(making, "sdl", lambda: None)
    made = light_session()
    yield made
    made.close()


@pytest.fixture
def play(session) -> Play:
    return played(session, 3)


@pytest.fixture
def live(play) -> PlayLive:
    made = PlayLive(play)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def test_the_graph_that_moves_it_is_told_of_at_each_step(play, live) -> None:
    graph = play.run.driven.setup.plan.graph.id
    first = live.frame(graph)
    assert live.frame(graph) is first and live.breaks == frozenset()
    assert max(first.weights.values()) == pytest.approx(1.0) and first.machines
    assert first.valued is play.run.driven.setup.plan.pins and len(first.values) == len(first.valued)
    play.step_once()
    second = live.frame(graph)
    assert second is not first and second.step > first.step and len(live.told) == 1
    play.start()
    assert len(live.told) == 2


def test_the_graph_of_the_feet_has_values_alone(play, live) -> None:
    setup = play.run.driven.setup
    frame = live.frame(setup.feet.graph.id)
    assert frame.valued is setup.feet.pins and frame.weights == {} and frame.machines == {}
    assert frame is live.frame(setup.feet.graph.id)
    main = live.frame(setup.plan.graph.id)
    assert main is not frame and main.valued is setup.plan.pins


def test_other_graphs_and_a_run_that_is_left_have_no_picture(play, live) -> None:
    graph = play.run.driven.setup.plan.graph.id
    assert live.frame("graph-other") is None and live.value("graph-other", "speed") == ""
    play.stop()
    assert live.frame(graph) is None and live.value(graph, "1 + 1") == ""


@pytest.mark.parametrize(
    ("text", "value"), [("1 + 1", "2"), ("speed < 0.1", "true"), ("  ", ""), ("", ""), ("speed >", "")]
)
def test_expressions_are_asked_where_it_stands(play, live, text, value) -> None:
    assert live.value(play.run.driven.setup.plan.graph.id, text) == value


def test_another_character_is_asked_by_its_own_plan(play, live, session) -> None:
    old = play.run.driven
    live.frame(old.setup.plan.graph.id)
    project = session.document.project
    made = make_character(project, project.rigs[0], old.setup.controller, old.terrain)
    play.show_run(Run(made, old.terrain, made.start()))
    assert live.frame(made.setup.plan.graph.id).valued is made.setup.plan.pins


# ---------------------------------------------------------------- the canvas
def test_a_drawn_graph_is_said_to_be_none_of_the_document(session, play) -> None:
    canvas = session.feature(GraphEditor).canvas
    assert canvas.notice is DRAWN and isinstance(canvas.live, PlayLive)
    play.stop()
    assert canvas.notice is None and canvas.live is session.feature(RunLive)
    play.start()
    assert canvas.notice is DRAWN and isinstance(canvas.live, PlayLive)


def test_the_graph_is_opened_at_its_machine_once(session, play) -> None:
    canvas = session.feature(GraphEditor).canvas
    play.stop()
    session.feature(PlaySetups).add_graph()
    graph = session.document.project.all(Graph)[0]
    play.start()
    machine = canvas.sheet.id
    assert canvas.notice is None and canvas.graph.id == graph.id and machine != graph.sheets[0].id
    canvas.enter(graph.sheets[0].id)
    play.toggle()
    play.toggle()
    assert canvas.sheet.id == graph.sheets[0].id, "a sheet of it that is open stays"
    play.stop()
    play.start()
    assert canvas.sheet.id == graph.sheets[0].id
