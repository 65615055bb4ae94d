"""The settings of one variable: name, type, role, default, range, unit, keys."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from core.errors import AnimError
from core.graph.graph import Graph, Role, Variable
from core.graph.language.values import Kind
from editor.model.graph_run.mapping import Binding, Controls, Way, proposed
from editor.model.graph_run.variable_edits import KINDS, VariableEdits
from editor.model.i18n import tr, trn
from editor.model.messages import Messages
from editor.panels.variables.key_field import KeyField
from editor.qt import tokens
from editor.qt.choice import ChoiceBox
from editor.qt.keys import keeps
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label

KIND_NAMES = {
    Kind.FLOAT: tr("Number"), Kind.BOOL: tr("On / off"), Kind.INT: tr("Whole number"), Kind.VECTOR: tr("Vector"),
    Kind.ENUM: tr("List"), Kind.NAME: tr("Name"),
}  # fmt: skip
ROLE_NAMES = {Role.INPUT: tr("Input"), Role.OWN: tr("Own (update sheet)"), Role.TRIGGER: tr("Trigger")}
ROLES = tuple(ROLE_NAMES)


class TextField(QLineEdit):
    """A line of text that keeps Enter, which is a shortcut elsewhere."""

    def event(self, event: QEvent) -> bool:
        if keeps(event, (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            return True
        return super().event(event)


class VariableSettings(QWidget):
    """Edits one variable; every change is one undoable step."""

    def __init__(self, context: PanelContext, edits: VariableEdits, controls: Controls) -> None:
        super().__init__()
        self.setObjectName("variableSettings")
        self._edits, self._controls = edits, controls
        self._messages: Messages = context.session.messages
        self._graph: Graph | None = None
        self._variable: Variable | None = None
        self._typed: set[str] = set()
        self.renamed: Callable[[str], object] = lambda name: None
        theme = context.theme
        form = QFormLayout(self)
        form.setContentsMargins(12, 4, 8, 8)
        form.setSpacing(4)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.name = self._text("variableName", self._rename)
        self.kind = self._box("variableKind", [KIND_NAMES[kind] for kind in KINDS], self._set_kind)
        self.role = self._box("variableRole", list(ROLE_NAMES.values()), self._set_role)
        self.members = self._text("variableMembers", self._set_members)
        self.defaults = [NumberField(theme, "", None, 0.02, 2) for _ in range(3)]
        defaults = QWidget()
        row = QHBoxLayout(defaults)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for axis, field in enumerate(self.defaults):
            field.setObjectName(f"variableDefault{axis}")
            field.setMinimumWidth(44)
            field.setFixedHeight(tokens.CONTROL)
            field.committed.connect(lambda _: self._set_default())
            row.addWidget(field)
        self.low, self.high = (NumberField(theme, "", None, 0.02, 2, (-1e12, 1e12)) for _ in range(2))
        bounds = QWidget()
        row = QHBoxLayout(bounds)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for name, field in (("variableLow", self.low), ("variableHigh", self.high)):
            field.setObjectName(name)
            field.setMinimumWidth(44)
            field.setFixedHeight(tokens.CONTROL)
            field.committed.connect(lambda _: self._set_range())
            row.addWidget(field)
        self.unit = self._text("variableUnit", self._set_unit)
        self.buffer = NumberField(theme, "s", None, 0.01, 2, (0.0, 60.0))
        self.buffer.setObjectName("variableBuffer")
        self.buffer.setFixedHeight(tokens.CONTROL)
        self.buffer.committed.connect(
            lambda value: self._do(lambda g, v: self._edits.set_buffer(g, v, value))
        )
        self.keys = KeyField(theme)
        self.keys.chosen.connect(self._bind)
        self.way = self._box(
            "variableWay", [tr("While held"), tr("Toggle"), tr("Set")], lambda _: self._change_binding()
        )
        self.clear = QPushButton(tr("Clear"))
        self.clear.setObjectName("variableClearKeys")
        self.clear.clicked.connect(self._unbind)
        keys = QWidget()
        row = QHBoxLayout(keys)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.keys, 1)
        row.addWidget(self.way)
        row.addWidget(self.clear)
        self._rows = {
            "name": (tr("Name"), self.name), "kind": (tr("Type"), self.kind), "role": (tr("Role"), self.role),
            "members": (tr("Members"), self.members), "default": (tr("Default"), defaults),
            "range": (tr("Range"), bounds), "unit": (tr("Unit"), self.unit), "buffer": (tr("Lasts"), self.buffer),
            "keys": (tr("Key"), keys),
        }  # fmt: skip
        for title, widget in self._rows.values():
            form.addRow(label(title, "dim"), widget)
        self._form = form
        self.used = label("", "caption", wrap=True)
        self.used.setObjectName("variableUses")
        form.addRow(self.used)

    def _text(self, name: str, done: Callable[[], object]) -> QLineEdit:
        field = TextField()
        field.setObjectName(name)
        field.textEdited.connect(lambda _: self._typed.add(name))
        field.editingFinished.connect(lambda: self._typed_done(name, done))
        field.returnPressed.connect(field.clearFocus)  # so that undo is the document's again
        return field

    def _typed_done(self, name: str, done: Callable[[], object]) -> None:
        """Take what was typed, once: a field says so at Enter, and again where it loses the keyboard."""
        if name in self._typed:
            self._typed.discard(name)
            done()

    def _box(self, name: str, items: list[str], chosen: Callable[[int], object]) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.addItems(items)
        box.activated.connect(chosen)
        return box

    def edit_name(self) -> None:
        """Let the name be typed."""
        self.name.setFocus()
        self.name.selectAll()

    # ------------------------------------------------------------ showing
    def show_variable(self, graph: Graph | None, variable: Variable | None) -> None:
        """Show a variable's settings, or nothing."""
        self._graph, self._variable = graph, variable
        self.setVisible(variable is not None)
        if graph is None or variable is None:
            return
        own = self._edits.editable(graph)
        numbers = variable.kind in (Kind.FLOAT, Kind.INT, Kind.VECTOR)
        trigger = variable.role is Role.TRIGGER
        shown = {
            "members": variable.kind is Kind.ENUM,
            "default": not trigger and variable.kind is not Kind.NAME,
            "range": numbers, "unit": numbers, "buffer": trigger, "kind": not trigger,
        }  # fmt: skip
        for row, (_, widget) in self._rows.items():
            self._form.setRowVisible(widget, shown.get(row, True))
            if row != "keys":
                widget.setEnabled(own)
        for field, text in (
            (self.name, variable.name), (self.unit, variable.unit),
            (self.members, ", ".join(graph.enums.get(variable.enum, ()))),
        ):  # fmt: skip
            typing = field.hasFocus() and field.objectName() in self._typed
            if not typing and field.text() != text:  # else what is selected in it would be lost
                field.setText(text)
        with QSignalBlocker(self.kind), QSignalBlocker(self.role):
            self.kind.setCurrentIndex(KINDS.index(variable.kind) if variable.kind in KINDS else -1)
            self.role.setCurrentIndex(ROLES.index(variable.role))
        for number, field_ in enumerate(self.defaults):
            field_.setVisible(number < len(variable.default))
            if number < len(variable.default):
                field_.set_value(variable.default[number])
        self.low.set_value(variable.minimum)
        self.high.set_value(variable.maximum)
        self.buffer.set_value(variable.buffer)
        self._show_keys(variable)
        count = len(self._edits.uses(graph, variable.name))
        used = trn("{count} node or transition names it", "{count} nodes or transitions name it", count)
        self.used.setText(used if own else tr("It is an axis of what plays: change it there"))

    def _show_keys(self, variable: Variable) -> None:
        bindings = self._controls.of(variable.name)
        self.keys.show_text(", ".join(binding.control for binding in bindings))
        ways = (Way.HOLD, Way.TOGGLE, Way.SET)
        with QSignalBlocker(self.way):
            first = bindings[0].way if bindings else Way.HOLD
            self.way.setCurrentIndex(ways.index(first) if first in ways else -1)
        self.way.setEnabled(bool(bindings) and variable.role is not Role.TRIGGER)
        self.clear.setEnabled(bool(bindings))

    # ------------------------------------------------------------ editing
    def _do(self, edit: Callable[[Graph, Variable], object]) -> None:
        if self._graph is None or self._variable is None:
            return
        try:
            edit(self._graph, self._variable)
        except AnimError as error:
            self._messages.error(str(error))
            self.show_variable(self._graph, self._variable)

    def _rename(self) -> None:
        new = self.name.text().strip().replace(" ", "_")

        def edit(graph: Graph, variable: Variable) -> None:
            if new and new != variable.name:
                self._edits.rename(graph, variable.name, new)  # first: it may be refused
                self._controls.rename(graph, variable.name, new)
                self.renamed(new)
            else:
                self.name.setText(variable.name)

        self._do(edit)

    def _set_kind(self, index: int) -> None:
        self._do(lambda graph, variable: self._edits.set_kind(graph, variable, KINDS[index]))

    def _set_role(self, index: int) -> None:
        self._do(lambda graph, variable: self._edits.set_role(graph, variable, ROLES[index]))

    def _set_members(self) -> None:
        members = tuple(part.strip() for part in self.members.text().split(",") if part.strip())
        self._do(lambda graph, variable: self._edits.set_members(graph, variable, members))

    def _set_unit(self) -> None:
        self._do(lambda graph, variable: self._edits.set_unit(graph, variable, self.unit.text()))

    def _set_default(self) -> None:
        def edit(graph: Graph, variable: Variable) -> None:
            numbers = [field.value or 0.0 for field in self.defaults[: len(variable.default)]]
            self._edits.set_default(graph, variable, tuple(numbers))

        self._do(edit)

    def _set_range(self) -> None:
        low, high = self.low.value or 0.0, self.high.value or 0.0
        self._do(lambda graph, variable: self._edits.set_range(graph, variable, low, high))

    # ------------------------------------------------------------ keys
    def _bind(self, control: str) -> None:
        def edit(graph: Graph, variable: Variable) -> None:
            self._controls.bind(graph, proposed(variable, control))
            self._show_keys(variable)

        self._do(edit)

    def _unbind(self) -> None:
        def edit(graph: Graph, variable: Variable) -> None:
            self._controls.unbind(graph, variable.name)
            self._show_keys(variable)

        self._do(edit)

    def _change_binding(self) -> None:
        ways = (Way.HOLD, Way.TOGGLE, Way.SET)

        def edit(graph: Graph, variable: Variable) -> None:
            way = ways[self.way.currentIndex()]
            for old in self._controls.of(variable.name):
                new = Binding(old.control, old.variable, way, old.value, old.rest, old.part)
                self._controls.bind(graph, new)

        self._do(edit)
