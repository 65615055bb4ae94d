"""Hands at the canvas of a graph on which there is one of each kind of thing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.graph.graph import Graph, Node
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import View
from editor.model.session import Session
from tests.editor.panel_stage import Stage
from tests.editor.panels.graph.graphs import BLEND, GRAPH, POSES, graph_project, id_of
from tests.editor.portraits import pointer, sitter
from tests.editor.portraits.brush import noted
from tests.editor.portraits.gestures import Gestures, counted_ids
from tests.editor.portraits.happenings import MADE
from tests.editor.portraits.pointer import NONE, RIGHT
from tests.editor.turning import in_front

MIRROR, NOTE = id_of(90), "comment-1"


def furnished() -> Session:
    """The small graph, with a comment, a node with a choice of yes and no, and a knot on a wire."""
    session, project = Session.create(), graph_project()
    graph = project.get(Graph, GRAPH)
    poses = graph.sheets[0]
    more = Node(MIRROR, "mirror", {}, {"on": "true"}, "turned")
    layout = dict(graph.layout)
    layout["places"] = {**layout["places"], MIRROR: [256, 320]}
    layout["comments"] = [
        {"id": NOTE, "sheet": POSES, "text": "both walks", "rect": [-40, -40, 240, 370], "color": 1}
    ]
    layout["knots"] = {f"{BLEND}.b": [[224, 220]]}
    sheets = (replace(poses, nodes=(*poses.nodes, more)), *graph.sheets[1:])
    graph = replace(graph, sheets=sheets, layout=layout)
    session.document.replace(type(project)({**project.assets, graph.id: graph}), None)
    session.playback.set_clip(project.clips[0].id)
    session.feature(GraphEditor).canvas.open(GRAPH)
    return session


class AtCanvas(Gestures):
    """Gestures at the canvas, at places of its scene."""

    sheet = POSES
    chosen: tuple[str, ...] = ()

    def __init__(self, qapp, stage: Stage, panel, log) -> None:
        self.editor = stage.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        super().__init__(qapp, stage, panel, panel.view, log, self.told, self.rest)

    def rest(self) -> None:
        canvas, view = self.canvas, self.panel.view
        view.cancel()
        self.panel.popups.close()
        if canvas.sheet is None or canvas.sheet.id != self.sheet:
            canvas.open(GRAPH, self.sheet)
        canvas.view = View(-120.0, -60.0, 1.0)
        canvas.select(list(self.chosen))
        canvas.set_state(hovered="", hovered_pin=None)
        if not self.chosen:
            canvas.set_state(active="", pin=None, choice=None)
        view.unsetCursor()
        view.setFocus()

    def told(self) -> dict[str, str]:
        state, view = self.canvas.state, self.canvas.view
        names = {wire.key: f"{wire.link.target}.{wire.link.pin}" for wire in self.canvas.scene.wires}
        pin = state.pin
        return {
            "sheet": self.canvas.sheet.name,
            "selected": " ".join(sorted(names.get(k, str(k)) for k in state.selection)) or "nothing",
            "active": f"{state.active} {f'{pin.node}.{pin.pin}' if pin else ''} {state.choice or ''}".strip(),
            "values": self.values(),
            "view": f"{view.x:.0f} {view.y:.0f} {view.zoom:.2f}",
            "focus": getattr(QApplication.focusWidget(), "objectName", lambda: "")(),
            "cursor": self.widget.cursor().shape().name.removesuffix("Cursor"),
        }

    def values(self) -> str:
        """What is typed and chosen on nodes, and where comments and knots are."""
        nodes = [n for n in self.canvas.sheet.nodes if n.literals or n.parameters]
        told = [
            f"{n.kind} {' '.join(map(str, (*n.parameters.values(), *n.literals.values())))}" for n in nodes
        ]
        layout = self.canvas.layout
        told += [f"{c.text!r} {c.rect.w:g}×{c.rect.h:g} {c.color}" for c in layout.comments]
        told += [f"{pin} {' '.join(f'{x:g},{y:g}' for x, y in at)}" for (_, pin), at in layout.knots.items()]
        return MADE.sub("-made", "; ".join(told))

    # ------------------------------------------------------------ places
    def at(self, x: float, y: float) -> QPoint:
        return self.panel.view.pixel((x, y))

    def title(self, node: str) -> QPoint:
        rect = self.canvas.scene.rect(node)
        return self.at(rect.x + rect.w * 0.4, rect.y + min(13.0, rect.h / 2))

    def pin(self, node: str, pin: str, output: bool = False) -> QPoint:
        return self.at(*self.canvas.scene.pin_place(node, pin, output))

    def key(self, code: Qt.Key, held=NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.widget, code, held)

    def open_menu(self, at: QPoint) -> None:
        pointer.press(self.widget, at, RIGHT)
        pointer.let_go(self.widget, at, RIGHT)


@contextmanager
def canvas(qapp, patch: pytest.MonkeyPatch) -> Iterator[AtCanvas]:
    counted_ids(patch)
    stage = Stage(qapp, furnished())
    panel = sitter.spec_of("graph").create(stage.context)
    stage.actions.bind("graph.run", lambda: None)  # that it is asked for is all that the canvas does
    stage.add(panel)
    stage.show(*sitter.WIDE["graph"])
    in_front(stage.window)
    try:
        with noted() as log:
            yield AtCanvas(qapp, stage, panel, log)
    finally:
        sitter.away(qapp, stage, panel)
