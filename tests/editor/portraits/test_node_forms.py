"""The Node panel for every kind of node, and what its fields do where several or none are selected, as approved."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from core.graph.catalogue.every import NODE_TYPES
from core.graph.graph import Graph, Node, SheetKind
from editor.model.graph.editor import GraphEditor
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.session import Session
from tests.editor.panel_stage import Stage
from tests.editor.panels.graph.graphs import BACK, BLEND, CLIP_A, GO, GRAPH, IDLE, POSES, STATES, id_of
from tests.editor.portraits import approved, deeds, happenings, sitter, words
from tests.editor.portraits.hands import Hands
from tests.editor.turning import in_front, turn_until_shown

UPDATE = id_of(400)
SHEETS = {SheetKind.POSE: POSES, SheetKind.MACHINE: STATES, SheetKind.UPDATE: UPDATE}
FRAME = ("QWidget", "QScrollArea", "NodePanel", "QLabel qt_", "QFormLayout")
"""What stands around the fields."""


def every_kind(session: Session) -> dict[str, tuple[str, str]]:
    """One node of each kind on a sheet of its own kind: kind → sheet and node."""
    graph = session.document.project.get(Graph, GRAPH)
    made: dict[str, tuple[str, str]] = {}
    more: dict[str, list[Node]] = {sheet: [] for sheet in SHEETS.values()}
    for number, (kind, type_) in enumerate(NODE_TYPES.items()):
        sheet, node = SHEETS.get(type_.sheets[0], POSES), Node(id_of(500 + number), kind)
        more[sheet].append(node)
        made[kind] = sheet, node.id
    update = replace(graph.sheets[0], id=UPDATE, name="update", kind=SheetKind.UPDATE, nodes=(), links=())
    sheets = [replace(s, nodes=(*s.nodes, *more.get(s.id, ()))) for s in (*graph.sheets, update)]
    session.edits.put("every kind", replace(graph, sheets=tuple(sheets)))
    return made


def fields(panel: QWidget) -> list[str]:
    """The rows of the form without the places of their parts."""
    told = [line.partition(" @")[0].strip() for line in words.lines(panel)]
    return [line for line in told if line and not line.startswith(FRAME)]


def forms(qapp: QApplication) -> list[str]:
    """The form of each kind of node."""
    stage, panel = sitter.seated(qapp, "graph_node", "after")
    canvas, found = stage.session.feature(GraphEditor).canvas, []
    try:
        for kind, (sheet, node) in every_kind(stage.session).items():
            canvas.open(GRAPH, sheet)
            canvas.select([node])
            turn_until_shown()
            found += [f"=== {kind}", *fields(panel)]
        return found
    finally:
        sitter.away(qapp, stage, panel)


def chosen(session: Session, sheet: str, ids: Sequence[str]) -> None:
    canvas = session.feature(GraphEditor).canvas
    canvas.open(GRAPH, sheet)
    canvas.select(ids)


def done(qapp: QApplication) -> list[str]:
    """What each field of a clip's form does: a choice, ticks, a text, expressions."""
    stage, panel = sitter.seated(qapp, "graph_node", "after")
    try:
        chosen(stage.session, POSES, [CLIP_A])
        turn_until_shown()
        return deeds.everything(Hands(qapp, stage, panel, still=True))
    finally:
        sitter.away(qapp, stage, panel)


# ------------------------------------------------------------ by keyboard
class Typist:
    """Types into the fields of the panel, and tells what is shown then and who has the keyboard."""

    def __init__(self, stage: Stage, panel: QWidget) -> None:
        self.stage, self.panel, self.lines = stage, panel, []
        self.graph = stage.session.document.project.get(Graph, GRAPH)
        in_front(stage.window)

    def do(self, what: str, deed: Callable[[], object]) -> None:
        session = self.stage.session
        before, said, at = fields(self.panel), len(session.messages.log), session.history.position
        deed()
        turn_until_shown()
        now, focus = fields(self.panel), QApplication.focusWidget()
        self.lines.append(
            f"{what}: keyboard at {focus.objectName() or type(focus).__name__ if focus else 'nothing'}"
        )
        self.lines += [
            f"    step {label!r}" for label in session.history.labels[at : session.history.position]
        ]
        graph = session.document.project.get(Graph, GRAPH)
        self.lines += [f"    {line}" for line in happenings.changes(self.graph.sheets, graph.sheets)]
        self.graph = graph
        self.lines += [f"    said {m.text!r}" for m in session.messages.log[said:]]
        self.lines += [f"    - {line}" for line in before if line not in now]
        self.lines += [f"    + {line}" for line in now if line not in before]

    def field(self, name: str) -> QWidget:
        return next(w for w in self.panel.findChildren(QWidget, name) if w.isVisible())

    def number(self, name: str, value: float) -> None:
        field = self.field(name)
        field.edit()
        self.type(name, f"{value:g}", Qt.Key.Key_Return)

    def pick(self, name: str, row: int) -> None:
        """Choose from a list."""
        box = self.field(name)
        box.setCurrentIndex(row)
        box.activated.emit(row)

    def type(self, name: str, text: str, *codes: Qt.Key) -> None:
        field = self.field(name)
        line = field if isinstance(field, QLineEdit) else field.findChild(QLineEdit)
        line.setFocus(Qt.FocusReason.TabFocusReason)
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        QTest.keyClicks(line, text)
        for code in codes:
            QTest.keyClick(QApplication.focusWidget(), code)


def typed(qapp: QApplication) -> list[str]:
    """Names, rules and numbers are typed; the graph changes meanwhile; something is wrong and is put right."""
    stage, panel = sitter.seated(qapp, "graph_node", "after")
    session = stage.session
    enter, tab = Qt.Key.Key_Return, Qt.Key.Key_Tab
    try:
        hand = Typist(stage, panel)
        editor = session.feature(GraphEditor)
        hand.do("a state", lambda: chosen(session, STATES, [IDLE]))
        hand.do("its name and Tab", lambda: hand.type("node.name", "rests", tab))
        hand.do("the name of the other", lambda: hand.type("node.name", "walking", enter))
        hand.do("its reset", lambda: hand.pick("parameter.reset", 1))
        hand.do("what it does on entering", lambda: hand.type("state.enter", "emit('x')", enter))
        hand.do("what is no expression", lambda: hand.type("state.leave", "emit(", enter))
        hand.do("a transition", lambda: chosen(session, STATES, [GO]))
        hand.do("a wrong rule", lambda: hand.type("transition.rule", "speed > nobody"))
        hand.do("a change elsewhere", lambda: editor.machines.change([BACK], min_time=0.5))
        hand.do("it is handed over", lambda: QTest.keyClick(QApplication.focusWidget(), enter))
        hand.do("and put right", lambda: hand.type("transition.rule", "speed > 0.5", enter))
        hand.do("no blend time", lambda: hand.type("transition.seconds", "", enter))
        hand.do("no ghosts", lambda: setattr(session.feature(GhostStrip), "wanted", False))
        hand.do("the other", lambda: chosen(session, STATES, [BACK]))
        hand.do("undone", lambda: session.undo())
        hand.do("both", lambda: chosen(session, STATES, [GO, BACK]))
        hand.do("time of both", lambda: hand.number("transition.reentry_time", 1.5))
        hand.do("profile of both", lambda: hand.pick("transition.profile", 0))
        hand.do("blend of both", lambda: hand.pick("transition.kind", 2))
        hand.do("start of both", lambda: hand.pick("transition.start", 2))
        hand.do("at", lambda: hand.number("transition.start_at", 0.25))
        hand.do("a blend", lambda: chosen(session, POSES, [BLEND]))
        hand.do("another value", lambda: editor.nodes.set_literal(BLEND, "alpha", "1"))
        hand.do("typed as it is", lambda: hand.type("pin.alpha", "1", enter))
        hand.do("nothing", lambda: chosen(session, POSES, []))
        hand.do("slots", lambda: hand.type("graph.slots", "Face.Mouth, Face.Eyes", enter))
        hand.do("a slot that is none", lambda: hand.type("graph.slots", "..", enter))
        hand.do("a graph without a name", lambda: hand.type("graph.name", "", enter))
        hand.do("another name", lambda: hand.type("graph.name", "moves", tab))
        hand.do("another sheet's name", lambda: hand.type("graph.sheet", "main", enter))
        hand.do("the light theme", lambda: stage.theme.use("light"))
        return hand.lines
    finally:
        sitter.away(qapp, stage, panel)


PARTS: dict[str, Callable[[QApplication], list[str]]] = {"kinds": forms, "fields": done, "typed": typed}


@pytest.mark.parametrize("name", list(PARTS))
def test_forms_of_nodes_are_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"node-forms-{name}", lambda: PARTS[name](qapp))
    assert not problem, problem
