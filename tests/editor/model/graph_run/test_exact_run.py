"""A run of a small machine, step by step to the number: states, lanes, questions, breaks, replay, export, controls."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from core.errors import AnimError
from core.graph.graph import Graph
from core.progress import Progress
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.export import as_test, span_clip, steps_between
from editor.model.graph_run.lanes import first_difference
from editor.model.graph_run.live import RunLive, flashes
from editor.model.graph_run.on_canvas import RunOnCanvas
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.why import Questions
from editor.model.session import Session
from tests.editor.model.graph_run.machine_run import DT, go, machine_session
from tests.editor.outcomes import plain
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
)
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def session(tmp_path) -> Iterator[Session]:
    made = machine_session(tmp_path)
    yield made
    made.close()


@pytest.fixture
def run(session: Session) -> GraphRun:
    return session.feature(GraphRun)


def played(run: GraphRun) -> GraphRun:
    """Two seconds: it stands, goes by speed, comes back, jumps, is held by the crouch."""
    go(run, 8)
    run.set("speed", 2.0)
    go(run, 16)
    run.set("speed", 0.0)
    go(run, 12)
    run.fire("jump")
    go(run, 12)
    run.set("crouch", True)
    run.set("speed", 3.0)
    run.set("aim", [0.5, -0.5, 0.0])
    go(run, 16)
    return run


def stands(run: GraphRun) -> list[object]:
    """Where a run stands, and what it shows."""
    pose = run.pose()
    values = [[v.name, plain(run.value(v))] for _, v in run.played.variables]
    return [
        run.time, run.states, run.title, run.detail, run.at_end, run.stale, run.running, values, run.world(),
        None if pose is None else [pose.translations, pose.rotations],
    ]  # fmt: skip


def lanes(run: GraphRun) -> list[object]:
    """Every lane that is drawn."""
    return [plain(lane) for lane in run.deck.book.lanes]


def test_what_a_run_shows_as_it_goes(run: GraphRun) -> None:
    told = []
    for name in ("changed", "stepped", "state_changed"):
        getattr(run, name).connect(lambda _, name=name: told.append(name))
    played(run)
    PINS.hold("at the end", stands(run), [told.count(n) for n in ("changed", "stepped", "state_changed")])
    samples = run.take.samples
    same = [one.pose == two.pose for one, two in pairwise(samples)]
    PINS.hold("samples", [plain(replace(sample, pose=0)) for sample in samples], same)
    PINS.hold("lanes", lanes(run))
    PINS.hold("flashes", flashes(run.take))
    book, take = run.deck.book, run.take
    for time in (0.0, 0.25, 0.5, 0.51, 1.0, 1.5, take.length, take.length + 1.0):
        found = [[plain(lane.bar_at(time)), lane.value_at(time)] for lane in book.lanes]
        PINS.hold(f"at {time:.2f}", found, take.number_at(time))


@pytest.mark.parametrize("number", [0, 1, 9, 20, 40, 64, 999])
def test_a_run_goes_to_a_step_and_on_from_there(run: GraphRun, number: int) -> None:
    played(run)
    length = len(run.take.steps)
    run.goto(number)
    PINS.hold(f"step {number}", stands(run))
    run.step_back()
    PINS.hold(f"before step {number}", stands(run))
    run.step_once()
    run.step_once()
    PINS.hold(f"after step {number}", stands(run), len(run.take.steps) - length)
    run.seek(number * DT)
    run.go_on_from_here(running=False)
    run.set("speed", 1.5)
    go(run, 4)
    PINS.hold(f"on from step {number}", stands(run), len(run.take.steps), lanes(run))


def test_why_a_transition_was_taken_or_not(run: GraphRun) -> None:
    played(run)
    questions = Questions()
    PINS.hold("transitions", questions.transitions(run.take))
    for number in (1, 8, 9, 12, 20, 25, 27, 30, 33, 36, 37, 38, 48, 52, 64, 65, 0, 999):
        told = [plain(questions.why(run.take, number, transition)) for transition in (GO, BACK, "gone")]
        PINS.hold(f"why at {number}", told)
    for bone in ("arm_l", "head", "pelvis"):
        for number in (1, 14, 40):
            PINS.hold(
                f"{bone} at {number}", [plain(added) for added in questions.bone(run.take, number, bone)]
            )


def test_break_points(run: GraphRun, session: Session) -> None:
    for case, put in (
        ("a state", lambda b: b.toggle(WALKING)),
        ("a transition", lambda b: b.toggle(BACK)),
        ("an event", lambda b: b.toggle_event("swing")),
        ("the machine", lambda b: b.toggle(MACHINE)),
        ("put and taken", lambda b: (b.toggle(GO), b.toggle(GO))),
        ("all cleared", lambda b: (b.toggle(GO), b.toggle_event("step"), b.clear())),
    ):
        run.breaks.clear()
        run.restart()
        told = []
        stop = run.breaks.changed.connect(lambda _, told=told: told.append(1))
        put(run.breaks)
        said = len(session.messages.log)
        run.set("speed", 2.0)
        run.start()
        for _ in range(40):
            run.advance(DT)
        stop()
        PINS.hold(
            f"break at {case}",
            run.time,
            run.states,
            run.running,
            bool(run.breaks),
            run.breaks.nodes,
            run.breaks.events,
            len(told),
            [m.text for m in session.messages.log[said:]],
        )
        run.start(running=False)
    run.breaks.clear()


def test_what_the_canvas_shows_of_a_run(run: GraphRun, session: Session) -> None:
    live, canvas = session.feature(RunLive), session.feature(GraphEditor).canvas
    on = RunOnCanvas(run, session.feature(GraphEditor), live)
    texts = (
        "speed",
        "speed * 2 + 1",
        "crouch",
        "aim",
        "gait",
        "time_in_state()",
        "state('moves')",
        "speed >",
        "none",
        "take('jump')",
    )
    played(run)
    for number in (0, 10, 30, 60):
        run.goto(number)
        frame = live.frame(GRAPH)
        told = [] if frame is None else [dict(frame.values), plain(frame.machines), plain(live.breaks)]
        values = [live.value(GRAPH, text, machine) for text in texts for machine in ("", str(STATES))]
        weights = [] if frame is None else [frame.link(source) for source in (MACHINE, BLEND, OUTPUT, "gone")]
        PINS.hold(f"canvas at {number}", told, values, weights)
    for sheet, items in (
        (POSES, [MACHINE]),
        (POSES, [BLEND, MACHINE]),
        (STATES, [IDLE]),
        (STATES, [GO]),
        (STATES, [GO, IDLE]),
        (STATES, []),
    ):
        canvas.enter(sheet)
        canvas.select(items)
        PINS.hold(
            f"on the canvas: {len(items)} of {sheet} {items}",
            on.breakable,
            on.transition,
            plain(on.watchable),
        )
        refused = []
        for do in (on.toggle_breaks, on.watch):
            try:
                do()
            except AnimError as error:
                refused.append(str(error))
        PINS.hold(
            f"then: {len(items)} of {sheet} {items}",
            run.breaks.nodes,
            [lane.key for lane in run.deck.book.lanes],
        )


def test_replay_and_marks(run: GraphRun) -> None:
    played(run)
    replay, told = run.replay, []
    replay.changed.connect(lambda _: told.append(1))
    for time in (0.5, 1.0, 0.5001, 1.75):
        replay.mark(time)
        PINS.hold(f"marked {time}", replay.marks, len(told))
    for span in ((0.25, 0.75), (0.75, 0.25), None, (1.0, 1.0), (0.0, 9.0)):
        replay.set_span(span)
        run.seek(0.3)
        seen = [(replay.loops(run.take), replay.advance(run.take, 0.1), run.take.time) for _ in range(12)]
        PINS.hold(f"replayed {span}", seen, plain(replay.span), len(told))
    replay.clear()
    PINS.hold("cleared", replay.marks, plain(replay.span), len(told))


def test_what_is_exported(run: GraphRun) -> None:
    played(run)
    for span in (None, (0.0, 0.5), (0.4, 1.1), (1.9, 9.0)):
        clip = span_clip(run.take, span, "part", Progress())
        PINS.hold(
            f"clip of {span}",
            steps_between(run.take, span),
            clip.length,
            clip.frames,
            dict(clip.tracks),
            clip.notifies,
            clip.looping,
        )
    for marks in ((), (0.5, 1.0), (0.5, 0.5, 99.0)):
        PINS.hold(f"test with marks {marks}", plain(as_test(run.take, marks)))
    other = plain(run.take.samples[-1])
    run.goto(20)
    run.go_on_from_here(running=False)
    go(run, 10)
    assert plain(run.take.samples[-1]) != other
    assert first_difference(run.take, run.take) is None


def test_a_rule_that_changes_runs_what_is_recorded_again(run: GraphRun, session: Session) -> None:
    played(run)
    run.deck.compare()
    graph = session.document.project.get(Graph, GRAPH)
    states = graph.sheet(STATES)
    rules = tuple(replace(t, rule="speed > 2.5") if t.id == GO else t for t in states.transitions)
    sheets = tuple(replace(s, transitions=rules) if s.id == STATES else s for s in graph.sheets)
    session.edits.put("rule", replace(graph, sheets=sheets))
    PINS.hold("another rule", stands(run), lanes(run), [m.text for m in session.messages.log[-2:]])
    wrong = tuple(replace(t, rule="speed >") if t.id == GO else t for t in states.transitions)
    session.edits.put(
        "wrong",
        replace(
            graph, sheets=tuple(replace(s, transitions=wrong) if s.id == STATES else s for s in graph.sheets)
        ),
    )
    PINS.hold("a wrong rule", stands(run), [str(p) for p in run.deck.faults])
    session.undo()
    PINS.hold("undone", stands(run), run.stale)
    run.deck.drop_comparison()


def test_lanes_have_names(run: GraphRun) -> None:
    played(run)
    PINS.hold(
        "lanes by name",
        [[lane.key, plain(run.deck.book.named(lane.key)) is not None] for lane in run.deck.book.lanes],
    )
    assert run.deck.book.named("gone") is None
