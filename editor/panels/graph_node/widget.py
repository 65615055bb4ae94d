"""The Node panel: everything about what is selected on the graph canvas."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from core.graph import edits
from core.graph.catalogue.every import shape_of
from core.graph.catalogue.pins import Form, Parameter, PinKind, Surroundings
from core.graph.graph import (
    Node,
    Transition,
)
from editor.model.graph.editor import GraphEditor
from editor.model.graph.fixes import Fix
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph.naming import named, spelled
from editor.model.graph.options import Options
from editor.model.i18n import tr
from editor.panels.graph_node.fields import expression_field, parameter_field, statement_field
from editor.panels.graph_node.problem_strip import ProblemStrip
from editor.panels.graph_node.rows import Rows
from editor.panels.graph_node.transition_form import TransitionForm
from editor.qt.binding import Bindings
from editor.qt.focus import tab_through
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import label


class NodePanel(Panel):
    """Rebuilt when what is selected differs."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("graphNodePanel")
        self.theme, self.context = context.theme, context
        self.editor = context.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.strip = context.session.feature(GhostStrip)
        self.options = Options(self.canvas, self.editor.language)
        self._shown: object = None
        self._held: list[Node | Transition] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self.area, 1)
        self.problems = ProblemStrip(self.editor, self._fix)
        column.addWidget(self.problems)
        self._bindings = Bindings(self)
        self._bindings.refresh(
            self.refresh,
            self.canvas.changed,
            self.canvas.moved,
            self.editor.problems.changed,
            self.strip.changed,
            context.session.switches.changed,
        )
        self.refresh()

    # ------------------------------------------------------------ what is shown
    def refresh(self) -> None:
        """Show what is selected, as it is."""
        graph, scene = self.canvas.graph, self.canvas.committed
        chosen = self.canvas.state.selection
        found: list[Node | Transition] = []
        if scene is not None:
            found += [n for n in scene.sheet.nodes if n.id in chosen]
            found += [t for t in scene.sheet.transitions if t.id in chosen]
        stamp = (
            tuple(map(id, found)),
            graph.id if graph is not None else None,
            None if graph is None else (graph.variables, graph.slots, graph.name),
            scene.token if scene is not None else None,
            scene.sheet if scene is not None and (not found or isinstance(found[0], Transition)) else None,
            tuple(scene.nodes[n.id].inputs for n in found if isinstance(n, Node))
            if scene is not None
            else (),
            (self.strip.wanted, self.strip.reason),
        )
        if stamp == self._shown or (found == self._held and self._typing()):
            self.problems.tell(str(x.id) for x in found)  # it comes a moment later: fields must stay
            return
        self._shown, self._held = stamp, found
        body = QWidget()
        column, form = QVBoxLayout(body), QFormLayout()
        column.setContentsMargins(10, 8, 10, 10)
        column.addLayout(form)
        column.addStretch(1)  # else texts that wrap share what a high panel leaves
        form.setSpacing(5)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form, self.rows = form, Rows(form, self.theme, self._refused)
        nodes = [n for n in found if isinstance(n, Node)]
        if len(found) == 1 and nodes:
            self._node(nodes[0])
        elif found and not nodes:
            form_ = TransitionForm(self.rows, self.editor, self.options, self.theme, self.strip)
            form_.fill([t for t in found if isinstance(t, Transition)])
        elif found:
            form.addRow(label(tr("{count} selected", count=len(found)), "heading"))
        elif graph is not None:
            self._graph()
        else:
            form.addRow(label(tr("No graph is open"), "dim"))
        self.problems.tell(str(x.id) for x in found)
        keyboard = self._keyboard()
        self.area.setWidget(body)
        tab_through(self.area, body)
        again = body.findChild(QWidget, keyboard) if keyboard else None
        if again is not None:
            again.setFocus(Qt.FocusReason.TabFocusReason)
        elif keyboard is not None:
            self.area.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keyboard(self) -> str | None:
        """Name of the field with the keyboard, which is to have it again when all are made again.

        "" after something was typed and handed over: undo is the document's again; None where it is elsewhere.
        """
        widget = QApplication.focusWidget()
        if widget is None or not self.area.isAncestorOf(widget):
            return None
        if isinstance(widget, QLineEdit) and widget.isModified():
            return ""
        while not widget.objectName() and widget.parentWidget() is not None:
            widget = widget.parentWidget()
        return widget.objectName()

    def _typing(self) -> bool:
        """Whether something is typed that was not handed over yet: it must not be lost."""
        line = QApplication.focusWidget()
        return isinstance(line, QLineEdit) and self.area.isAncestorOf(line) and line.isModified()

    def _refused(self, error: AnimError) -> None:
        self.canvas.messages.info(str(error))
        self._shown = None
        self.refresh()

    def _fix(self, fix: Fix) -> None:
        self.rows.guarded(lambda: self.editor.problems.fix(fix))

    # ------------------------------------------------------------ a node
    def _node(self, node: Node) -> None:
        editor, scene = self.editor, self.canvas.committed
        assert scene is not None
        self.form.addRow(label(named(node.kind).title, "heading"))
        if node.kind not in ("get", "output"):
            self.rows.line(
                tr("Name"), node.name, "node.name", lambda text: editor.renames.rename_node(node.id, text)
            )
        wired = tuple(x.pin for x in scene.sheet.links if x.target == node.id)
        around = scene.token
        if not isinstance(around, Surroundings):
            return
        own = Surroundings(around.graph, around.spaces, around.pose_assets, around.graphs, wired)
        shape = shape_of(node, own)
        for parameter in shape.parameters:
            if parameter.form is not Form.SHEET:
                self._parameter(node, parameter)
        if node.kind == "state":
            for moment in ("enter", "full", "leave", "gone"):
                text, put = node.literals.get(moment, ""), partial(self._type, node.id, moment)
                line = statement_field(self.theme, editor.language, text, put)
                tip = tr("What the state does then, such as: foot := curve('Foot'); emit('landed')")
                self.rows.row(tr("On {moment}", moment=moment), line, f"state.{moment}", tip)
        for pin in shape.inputs:
            if pin.kind is not PinKind.VALUE:
                continue
            if pin.name in wired:
                self.rows.row(spelled(pin.name), label(tr("wired"), "dim"), f"pin.{pin.name}")
                continue
            text = node.literals.get(pin.name, pin.default or "")
            put = partial(self._type, node.id, pin.name)
            field = expression_field(self.theme, editor.language, text, pin.type, put)
            self.rows.row(spelled(pin.name), field, f"pin.{pin.name}", str(pin.type or ""))

    def _type(self, node: str, pin: str, text: str) -> None:
        self.rows.guarded(lambda: self.editor.nodes.set_literal(node, pin, text))

    def _parameter(self, node: Node, parameter: Parameter) -> None:
        def put(value: object) -> None:
            self.rows.guarded(lambda: self._put(node, parameter, value))

        field = parameter_field(
            self.theme, parameter, node.parameters.get(parameter.name), self.options.of(parameter, node), put
        )
        self.rows.row(spelled(parameter.name), field, f"parameter.{parameter.name}")

    def _put(self, node: Node, parameter: Parameter, value: object) -> None:
        if value == node.parameters.get(parameter.name):
            return
        if parameter.form is Form.SLOT and isinstance(value, str):
            graph = self.canvas.graph
            if graph is not None and value not in graph.slots:
                return
        self.editor.nodes.set_parameter([node.id], parameter.name, value)  # type: ignore[arg-type]

    # ------------------------------------------------------------ the graph
    def _graph(self) -> None:
        graph, sheet = self.canvas.require()
        renames = self.editor.renames
        self.form.addRow(label(tr("Graph"), "heading"))
        self.rows.line(tr("Name"), graph.name, "graph.name", renames.rename_graph)
        if edits.holder_of(graph, sheet.id) is None:
            self.rows.line(
                tr("Sheet"), sheet.name, "graph.sheet", lambda text: renames.rename_sheet(sheet.id, text)
            )
        slots = QLineEdit(", ".join(graph.slots))
        slots.setPlaceholderText("DefaultGroup.UpperBody")
        slots.editingFinished.connect(lambda: self.rows.guarded(lambda: self.editor.set_slots(slots.text())))
        self.rows.row(
            tr("Slots"), slots, "graph.slots", tr("group.slot, comma-separated: where montages play")
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.problems.fit()

    def close_panel(self) -> None:
        self._bindings.drop()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return NodePanel(context)
