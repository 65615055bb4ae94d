"""A variable's row: its name and what sets it (a switch, a button, a list, a slider with a number, three numbers)."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QWidget

from core.graph.graph import Graph, Role, Variable
from core.graph.language.values import Kind
from editor.model.drag_kinds import VARIABLE
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.choice import ChoiceBox
from editor.qt.drags import DragSource, data_of
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.weight_slider import STEPS, WeightSlider
from editor.qt.widgets import ElidedLabel, label

NAME_WIDTH = 84
WIDEST_SLIDER = 1e4
"""A variable with a range up to this gets a slider."""


class VariableRow(QWidget):
    """One variable of one graph.

    Attributes
    ----------
    chosen : it was clicked
    menu_asked : its menu is wanted, at a place of the screen
    """

    chosen = Signal()
    menu_asked = Signal(object)

    def __init__(self, theme: Theme, run: GraphRun, graph: Graph, variable: Variable) -> None:
        super().__init__()
        self._theme, self._run, self.graph, self.variable = theme, run, graph, variable
        self.selected = False
        self.setObjectName(f"variable.{variable.name}")
        self.setFixedHeight(26)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(6)
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.title.setFixedWidth(NAME_WIDTH)
        self.title.setObjectName(f"name.{variable.name}")
        self.title.set_text(
            variable.name, tr("{name}: drag it onto the graph canvas; Alt sets it there", name=variable.name)
        )
        self.drag = DragSource(self.title, lambda: data_of(VARIABLE, self.variable.name))
        row.addWidget(self.title)
        self._show: Callable[[], None] = lambda: None
        if variable.role is Role.OWN:
            self._add_own(row)
        elif variable.role is Role.TRIGGER:
            self._add_trigger(row)
        elif variable.kind is Kind.BOOL:
            self._add_switch(row)
        elif variable.kind is Kind.ENUM:
            self._add_list(row)
        elif variable.kind in (Kind.FLOAT, Kind.INT):
            self._add_number(row)
        elif variable.kind is Kind.VECTOR:
            self._add_vector(row)
        else:
            row.addWidget(label(str(variable.kind), "dim"))
            row.addStretch(1)
        self.keys = label("", "caption")
        self.keys.setObjectName(f"keys.{variable.name}")
        self.keys.hide()
        row.addWidget(self.keys)

    def refresh(self) -> None:
        """Show what the variable holds."""
        self._show()

    def show_keys(self, text: str) -> None:
        """Show the keys and pad controls that set it."""
        self.keys.setText(text)
        self.keys.setVisible(bool(text))

    def select(self, on: bool) -> None:
        """Show whether its settings are open."""
        if on != self.selected:
            self.selected = on
            self.update()

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()
        super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.chosen.emit()
        self.menu_asked.emit(event.globalPos())
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.selected:
            painter = QPainter(self)
            painter.fillRect(self.rect(), self._theme.color("accent", 0.16))
            painter.fillRect(0, 0, 2, self.height(), self._theme.color("accent"))
            painter.end()

    # ------------------------------------------------------------ what sets it
    def _put(self, value: float | bool | list[float]) -> None:
        self._run.set(self.variable.name, value, self.graph)

    def _value(self) -> object:
        return self._run.value(self.variable, self.graph)

    def _add_own(self, row: QHBoxLayout) -> None:
        held = label("", "dim")
        held.setObjectName(f"own.{self.variable.name}")
        held.setToolTip(tr("The graph's update sheet sets it"))
        row.addWidget(held, 1)

        def show() -> None:
            value = self._value()
            numbers = list(value) if isinstance(value, tuple | list) else [float(value)]  # type: ignore[arg-type]
            held.setText("  ".join(f"{float(x):.3g}" for x in numbers) + f" {self.variable.unit}".rstrip())

        self._show = show

    def _add_trigger(self, row: QHBoxLayout) -> None:
        press = QPushButton(tr("Trigger"))
        press.setObjectName(f"trigger.{self.variable.name}")
        press.clicked.connect(lambda: self._run.fire(self.variable.name))
        row.addWidget(press)
        row.addStretch(1)

    def _add_switch(self, row: QHBoxLayout) -> None:
        switch = QCheckBox()
        switch.setObjectName(f"switch.{self.variable.name}")
        switch.setAccessibleName(self.variable.name)
        switch.toggled.connect(self._put)

        def show() -> None:
            with QSignalBlocker(switch):
                switch.setChecked(bool(self._value()))

        self._show = show
        row.addWidget(switch)
        row.addStretch(1)

    def _add_list(self, row: QHBoxLayout) -> None:
        box = ChoiceBox()
        box.addItems(list(self.graph.enums.get(self.variable.enum, ())))
        box.setObjectName(f"list.{self.variable.name}")
        box.currentIndexChanged.connect(lambda index: self._put(float(index)))

        def show() -> None:
            with QSignalBlocker(box):
                box.setCurrentIndex(int(self._value()))  # type: ignore[call-overload]

        self._show = show
        row.addWidget(box, 1)

    def _add_number(self, row: QHBoxLayout) -> None:
        variable = self.variable
        low, high = variable.minimum, variable.maximum
        whole = variable.kind is Kind.INT
        field = NumberField(
            self._theme, variable.unit, None, 1.0 if whole else 0.02, 0 if whole else 2, (low, high)
        )
        field.setObjectName(f"value.{variable.name}")
        field.setFixedSize(84, tokens.CONTROL)
        slider = WeightSlider(variable.name) if high - low <= WIDEST_SLIDER else None

        def show() -> None:
            value = float(self._value())  # type: ignore[arg-type]
            field.set_value(value)
            if slider is not None and not slider.isSliderDown():
                with QSignalBlocker(slider):
                    slider.setValue(round((value - low) / max(high - low, 1e-12) * STEPS))

        if slider is not None:
            slider.setMinimumWidth(36)
            slider.setObjectName(f"slider.{variable.name}")
            slider.valueChanged.connect(lambda step: self._put(low + (high - low) * step / STEPS))
            row.addWidget(slider, 1)
        else:
            row.addStretch(1)
        row.addWidget(field)
        field.previewed.connect(self._put)
        field.committed.connect(self._put)
        self._show = show

    def _add_vector(self, row: QHBoxLayout) -> None:
        variable = self.variable
        fields = [
            NumberField(self._theme, "", axis, 0.02, 2, (variable.minimum, variable.maximum))
            for axis in range(3)
        ]

        def put(_: float) -> None:
            self._put([field.value or 0.0 for field in fields])

        for axis, field in enumerate(fields):
            field.setObjectName(f"value.{variable.name}.{'xyz'[axis]}")
            field.setMinimumWidth(48)
            field.setFixedHeight(tokens.CONTROL)
            row.addWidget(field, 1)
            field.previewed.connect(put)
            field.committed.connect(put)

        def show() -> None:
            value = self._value()
            for field, number in zip(fields, value, strict=False):  # type: ignore[call-overload]
                field.set_value(float(number))

        self._show = show
