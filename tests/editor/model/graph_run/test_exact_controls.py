"""Keys and gamepads that set the variables of a run, to the number; how bindings are kept and proposed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.graph.graph import Graph
from editor.model.graph_run.mapping import Binding, Controls, Way, proposed
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.variable_edits import VariableEdits
from editor.model.session import Session
from tests.editor.model.graph_run.machine_run import DT, machine_session
from tests.editor.outcomes import plain
from tests.editor.panels.graph.graphs import (
    GRAPH,
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


BINDINGS: dict[str, Binding] = {
    "hold": Binding("W", "speed", value=2.0, rest=0.25),
    "toggle": Binding("C", "crouch", Way.TOGGLE),
    "set": Binding("G", "gait", Way.SET, 2.0),
    "trigger": Binding("Space", "jump"),
    "vector": Binding("A", "aim", Way.HOLD, -1.0, 0.5, 1),
    "axis": Binding("axis0", "speed", Way.AXIS, 4.0, 0.0),
    "button": Binding("button1", "crouch"),
    "pad toggle": Binding("button2", "crouch", Way.TOGGLE),
    "part of an axis": Binding("axis1", "aim", Way.AXIS, 1.0, -1.0, 2),
}


@pytest.fixture
def controls(run: GraphRun, session: Session) -> Controls:
    made = session.feature(Controls)
    graph = session.document.project.get(Graph, GRAPH)
    for binding in BINDINGS.values():
        made.bind(graph, binding)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def held(run: GraphRun) -> list[object]:
    return [[v.name, plain(run.value(v))] for _, v in run.played.variables]


def test_keys_and_gamepads_set_variables(controls: Controls, run: GraphRun) -> None:
    assert not controls.wants("W") and not controls.press("W")  # it stands
    run.start()
    for key in ("W", "W", "C", "C", "G", "Space", "A", "X"):
        PINS.hold(f"pressed {key} {len(run.take.steps)}", controls.wants(key), controls.press(key), held(run))
        run.advance(DT)
    for key in ("W", "A", "C", "X"):
        PINS.hold(f"released {key}", controls.release(key), held(run))
        run.advance(DT)
    assert controls.press("W") and controls.press("C")
    controls.release_all()
    PINS.hold("all released", held(run), controls.release("W"))
    told: list[dict[str, float]] = [
        {"axis0": 0.0, "axis1": 1.0, "button1": 0.0, "button2": 0.0},
        {"axis0": 0.5, "button1": 1.0},
        {"axis0": 0.5004, "button1": 1.0},
        {"axis0": 0.1, "button1": 0.4, "button2": 1.0},
        {"axis0": -1.0, "axis1": -0.119, "button2": 0.0},
        {"axis1": -0.121, "button2": 1.0},
        {},
    ]
    for n, given in enumerate(told):
        controls.gamepad(given)
        run.advance(DT)
        PINS.hold(f"gamepad {n}", held(run))
    controls.active = False
    controls.gamepad({"axis0": 1.0})
    assert not controls.wants("W") and not controls.press("W")
    run.advance(DT)
    PINS.hold("not active", held(run))
    run.start(running=False)


def test_bindings_are_kept_and_proposed(controls: Controls, session: Session) -> None:
    graph = session.document.project.get(Graph, GRAPH)
    assert list(controls.bindings) == list(BINDINGS.values()) and all(
        b.pad == (b.control[0] in "ab") for b in controls.bindings
    )
    assert [b.control for b in controls.of("crouch")] == ["C", "button1", "button2"]
    controls.bind(graph, replace(BINDINGS["hold"], value=3.0))
    assert (
        controls.bindings[-1].value == 3.0
        and len(controls.bindings) == len(BINDINGS)
        and controls.told == [1]
    )
    controls.unbind(graph, "crouch")
    controls.rename(graph, "aim", "free")
    assert (
        [b.variable for b in controls.bindings].count("free") == 2
        and controls.of("crouch") == ()
        and len(controls.told) == 3
    )
    controls.rename(replace(graph, id=type(graph.id)("other")), "aim", "free")
    assert len(controls.told) == 3
    for control in ("K", "axis3", "button4"):
        PINS.hold(f"proposed for {control}", [plain(proposed(v, control)) for v in graph.variables])
    assert VariableEdits(session.document, session.edits, session.feature(GraphRun)).montages() == ()
