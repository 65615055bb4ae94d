"""What is painted over the canvas of a graph in each state of its pointer, keyboard and gestures, as approved."""

from dataclasses import replace

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from core.graph.graph import Graph, Node
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect
from editor.model.graph.state import Arrowing, Boxing, Cutting, Moving, PinPlace, Wiring
from editor.panels.graph.ink import Ink
from editor.panels.graph.overlay import Overlay
from editor.panels.graph.raster import Raster
from editor.qt.theme import Theme
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    OUTPUT,
    STATES,
    WALKING,
    graph_session,
    id_of,
)  # fmt: skip
from tests.editor.portraits import approved
from tests.editor.portraits.brush import noted

A, POSE = PinPlace(BLEND, "a"), PinPlace(BLEND, "pose", True)
WIRE = "wire"
"""Stands for the key of the first wire."""

POSES: dict[str, dict] = {
    "nothing": {},
    "a node under the pointer": {"hovered": CLIP_A},
    "a pin under the pointer": {"hovered_pin": A},
    "a wire under the pointer": {"hovered": WIRE},
    "a node selected": {"selection": frozenset({CLIP_A})},
    "a wire selected": {"selection": frozenset({WIRE})},
    "a selected node under the pointer": {"selection": frozenset({CLIP_A}), "hovered": CLIP_A},
    "the keyboard at a node": {"active": BLEND},
    "the keyboard at a pin": {"active": BLEND, "pin": A},
    "a box": {"preview": Boxing((200.0, 90.0), (20.0, 10.0))},
    "a stroke": {"preview": Cutting(((100.0, 0.0), (120.0, 90.0)), frozenset({WIRE}))},
    "a wire that fits": {
        "preview": Wiring((PinPlace(CLIP_A, "pose", True),), (200.0, 200.0), A),
        "fits": {A: ""},
    },
    "a wire that does not fit": {"preview": Wiring((A,), (40.0, 300.0), None, "no"), "fits": {POSE: "no"}},
    "nodes on their way": {"preview": Moving({CLIP_A: (32.0, 48.0)}, ((True, 64.0, 0.0, 90.0),), WIRE)},
}
MACHINE: dict[str, dict] = {
    "a state under the pointer": {"hovered": IDLE},
    "an arrow under the pointer": {"hovered": GO},
    "an arrow selected": {"selection": frozenset({GO})},
    "a state selected": {"selection": frozenset({IDLE})},
    "an arrow drawn": {"preview": Arrowing(IDLE, (200.0, 100.0), WALKING)},
    "an arrow that does not fit": {"preview": Arrowing(IDLE, (200.0, 100.0), "", "no")},
}


def put(value: object, key: str) -> object:
    """A value with the key of a wire in its place."""
    if isinstance(value, frozenset):
        return frozenset(key if v == WIRE else v for v in value)
    if isinstance(value, Cutting):
        return replace(value, cut=frozenset(key if v == WIRE else v for v in value.cut))
    if isinstance(value, Moving):
        return replace(value, wire=key)
    return key if value == WIRE else value


def overlays(qapp: QApplication) -> list[str]:
    session, theme = graph_session(), Theme(qapp)
    canvas = session.feature(GraphEditor).canvas
    ink = Ink(theme)
    raster = Raster(ink)
    found: list[str] = []
    try:
        for sheet, uses in ((None, POSES), (STATES, MACHINE)):
            canvas.open(GRAPH, *([sheet] if sheet else ()))
            key = next((wire.key for wire in canvas.scene.wires), "")
            plain = canvas.state
            for name, changes in uses.items():
                canvas.state = replace(plain, **{k: put(v, key) for k, v in changes.items()})
                overlay = Overlay(ink, canvas, raster.nodes, raster.wires)
                if name == "nothing":
                    overlay.problems = {CLIP_B: True, OUTPUT: False}
                picture = QPixmap(800, 500)
                with noted() as log:
                    painter = QPainter(picture)
                    overlay.paint(painter, Rect(-50.0, -50.0, 900.0, 600.0), True)
                    painter.end()
                    found += [f"=== {name}", *log.taken()]
            canvas.state = plain
    finally:
        session.close()
    return found


def lettered(qapp: QApplication) -> list[str]:
    """Nodes with the values of their pins: numbers, words, yes and no."""
    session, theme = graph_session(), Theme(qapp)
    try:
        graph = session.document.project.get(Graph, GRAPH)
        more = [
            Node(id_of(90 + k), "mirror", {}, {"on": word})
            for k, word in enumerate(("true", "false", "speed"))
        ]
        poses = replace(graph.sheets[0], nodes=(*graph.sheets[0].nodes, *more))
        session.edits.put("mirrors", replace(graph, sheets=(poses, *graph.sheets[1:])))
        canvas = session.feature(GraphEditor).canvas
        canvas.open(GRAPH)
        found: list[str] = []
        for node in canvas.scene.nodes:
            picture = QPixmap(800, 500)
            with noted() as log:
                painter = QPainter(picture)
                Raster(Ink(theme)).nodes.paint(painter, canvas.scene, [node], 1.0)
                painter.end()
                found += [f"=== {canvas.scene.nodes[node].kind}", *log.taken()]
        return found
    finally:
        session.close()


def test_nodes_are_lettered_as_approved(qapp) -> None:
    problem = approved.problem_of("canvas-nodes", lambda: lettered(qapp))
    assert not problem, problem


def test_what_lies_over_the_canvas_is_as_approved(qapp) -> None:
    problem = approved.problem_of("canvas-overlay", lambda: overlays(qapp))
    assert not problem, problem
