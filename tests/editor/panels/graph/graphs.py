"""Small graphs for the tests of the canvas, and a hand for it."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint

from core.graph.graph import Graph, Link, Node, NodeId, Sheet, SheetKind, Transition, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from core.project.project import Project
from editor.model.graph.editor import GraphEditor
from editor.model.graph.state import PinPlace
from editor.model.session import Session
from tests.editor.stage import RIG, TURN, WALK, Stage, small_project, stage

GRAPH = AssetId("graph-test")


def id_of(number: int) -> NodeId:
    return NodeId(f"n-{number:08x}")


OUTPUT, BLEND, CLIP_A, CLIP_B, MACHINE = (id_of(k) for k in range(1, 6))
POSES, STATES, IDLE_SHEET, WALK_SHEET = (id_of(k) for k in range(16, 20))
IDLE, WALKING, GO, BACK = (id_of(k) for k in range(32, 36))


def state_sheet(sheet: NodeId, name: str, clip: AssetId, first: int) -> Sheet:
    player, output = (
        Node(id_of(first), "clip", {"clip": clip}),
        Node(id_of(first + 1), "output", name="Output"),
    )
    return Sheet(sheet, name, SheetKind.POSE, (player, output), (Link(player.id, output.id, "pose"),))


def small_graph(places: bool = True) -> Graph:
    """Two clips into a blend into the Output; beside it a machine of two states that nothing is wired to."""
    nodes = (
        Node(CLIP_A, "clip", {"clip": WALK}),
        Node(CLIP_B, "clip", {"clip": TURN}),
        Node(BLEND, "blend", {}, {"alpha": "speed"}),
        Node(OUTPUT, "output", name="Output"),
        Node(MACHINE, "machine", {"sheet": STATES}, {}, "moves"),
    )
    links = (Link(CLIP_A, BLEND, "a"), Link(CLIP_B, BLEND, "b"), Link(BLEND, OUTPUT, "pose"))
    states = (
        Node(IDLE, "state", {"sheet": IDLE_SHEET}, {}, "idle"),
        Node(WALKING, "state", {"sheet": WALK_SHEET}, {}, "walking"),
    )
    arrows = (Transition(GO, IDLE, WALKING, "speed > 0.1"), Transition(BACK, WALKING, IDLE, "speed < 0.1"))
    sheets = (
        Sheet(POSES, "pose", SheetKind.POSE, nodes, links),
        Sheet(STATES, "moves", SheetKind.MACHINE, states, (), arrows),
        state_sheet(IDLE_SHEET, "idle", TURN, 64),
        state_sheet(WALK_SHEET, "walking", WALK, 72),
    )
    layout = {
        "places": {
            CLIP_A: [0, 0], CLIP_B: [0, 160], BLEND: [256, 32], OUTPUT: [512, 32], MACHINE: [0, 320],
            IDLE: [0, 0], WALKING: [320, 0],
        }
    }  # fmt: skip
    variables = (
        Variable("speed", maximum=4.0, minimum=0.0, unit="m/s"),
        Variable("crouch", Kind.BOOL, maximum=1.0, minimum=0.0),
    )
    return Graph(
        GRAPH, "test", RIG, variables, slots=("DefaultGroup.Arms",), sheets=sheets, layout=layout if places else {}
    )  # fmt: skip


def graph_project() -> Project:
    project = small_project()
    graph = small_graph()
    return Project({**project.assets, graph.id: graph})


def graph_session() -> Session:
    """A session without a window in which the graph is open; whoever asks for it closes it."""
    session, project = Session.create(), graph_project()
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id)
    session.feature(GraphEditor).canvas.open(GRAPH)
    return session


class Hand:
    """A person at the canvas: places are those of the scene."""

    def __init__(self, made: Stage) -> None:
        self.stage, self.user, self.session = made, made.user, made.session
        self.editor = made.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.view = made.user.find("graphCanvas")
        self.user.click(self.view, (8, self.view.height() - 8))
        self.canvas.view = type(self.canvas.view)(-120.0, -60.0, 1.0)
        self.user.settle()

    @property
    def graph(self) -> Graph:
        return self.session.document.project.get(Graph, GRAPH)

    @property
    def sheet(self) -> Sheet:
        assert self.canvas.sheet is not None
        return self.canvas.sheet

    @property
    def scene(self):
        return self.canvas.scene

    def at(self, x: float, y: float) -> QPoint:
        """Pixel of a scene place."""
        return self.view.pixel((x, y))

    def middle(self, node: str) -> QPoint:
        """A place on a node's title."""
        rect = self.scene.rect(node)
        return self.at(rect.x + rect.w * 0.4, rect.y + min(13.0, rect.h / 2))

    def pin(self, node: str, pin: str, output: bool = False) -> QPoint:
        place = self.scene.pin_place(node, pin, output)
        assert place is not None, f"{node} has no pin {pin}"
        return self.at(*place)

    def pin_place(self, node: str, pin: str, output: bool = False) -> PinPlace:
        return PinPlace(node, pin, output)

    def click(self, at: QPoint, **more) -> None:
        self.user.click(self.view, at, **more)

    def drag(self, start: QPoint, end: QPoint, **more) -> None:
        self.user.drag(self.view, start, end, **more)

    def link(self, node: str, pin: str) -> Link | None:
        return self.sheet.link_to(NodeId(node), pin)

    def node_of(self, kind: str) -> Node:
        return next(n for n in self.sheet.nodes if n.kind == kind)

    def place(self, node: str) -> tuple[float, float]:
        return self.scene.places[node]


@contextmanager
def hand(qapp, *panels: str, project=graph_project, theme: str = "dark") -> Iterator[Hand]:
    """A window with the graph panel, and a hand for its canvas."""
    with stage(qapp, "graph", *panels, project=project, theme=theme) as made:
        made.window.use_workspace("graph")
        made.window.show_panel("graph")
        made.user.settle()
        yield Hand(made)


WIRED = {(CLIP_A, BLEND, "a"), (CLIP_B, BLEND, "b"), (BLEND, OUTPUT, "pose")}
"""Wires of the small graph's first sheet, as `links` tells them."""


def links(editor) -> set[tuple[str, str, str]]:
    """Wires of the sheet in sight: source, target and the target's pin."""
    return {(x.source, x.target, x.pin) for x in editor.canvas.sheet.links}


def last(editor) -> str:
    """What the last step is called."""
    return editor.session.history.labels[-1]
