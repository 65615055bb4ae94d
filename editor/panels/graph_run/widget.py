"""Runs an animation graph in the viewport: choose it, set its variables, watch its states."""

import time
from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from editor.model.graph_run import GraphRun
from editor.model.i18n import tr
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.weight_slider import STEPS, WeightSlider
from editor.qt.widgets import Dress, ElidedLabel, EmptyState, icon_button, label, line

TICK = 15
"""Milliseconds between two looks at the clock while the graph runs."""
NAME_WIDTH = 84
WIDEST_SLIDER = 1e4
"""A variable with a range up to this gets a slider."""


class VariableRow(QWidget):
    """The name of a variable and what sets it: a switch, a button, a list, or a slider with a number."""

    def __init__(self, panel: "GraphRunPanel", variable: Variable) -> None:
        super().__init__()
        self._run, self.variable = panel.run, variable
        self.setObjectName(f"variable.{variable.name}")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(6)
        title = ElidedLabel(variable.name, mode=Qt.TextElideMode.ElideMiddle)
        title.setFixedWidth(NAME_WIDTH)
        title.setToolTip(variable.name)
        row.addWidget(title)
        self._show: Callable[[], None] = lambda: None
        if variable.role is Role.TRIGGER:
            self._add_trigger(row)
        elif variable.kind is Kind.BOOL:
            self._add_switch(row)
        elif variable.kind is Kind.ENUM:
            self._add_list(row, panel)
        elif variable.kind in (Kind.FLOAT, Kind.INT):
            self._add_number(row, panel)
        else:
            row.addWidget(label(str(variable.kind), "dim"))
            row.addStretch(1)

    def refresh(self) -> None:
        """Show what the variable holds."""
        self._show()

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
        switch.toggled.connect(lambda on: self._run.set(self.variable.name, on))

        def show() -> None:
            with QSignalBlocker(switch):
                switch.setChecked(bool(self._run.value(self.variable)))

        self._show = show
        row.addWidget(switch)
        row.addStretch(1)

    def _add_list(self, row: QHBoxLayout, panel: "GraphRunPanel") -> None:
        box = ChoiceBox()
        graph = panel.run.graph
        box.addItems(list(graph.enums.get(self.variable.enum, ())) if graph is not None else [])
        box.setObjectName(f"list.{self.variable.name}")
        box.currentIndexChanged.connect(lambda index: self._run.set(self.variable.name, index))

        def show() -> None:
            with QSignalBlocker(box):
                box.setCurrentIndex(int(self._run.value(self.variable)))  # type: ignore[arg-type]

        self._show = show
        row.addWidget(box, 1)

    def _add_number(self, row: QHBoxLayout, panel: "GraphRunPanel") -> None:
        variable = self.variable
        low, high = variable.minimum, variable.maximum
        whole = variable.kind is Kind.INT
        field = NumberField(
            panel.theme, variable.unit, None, 1.0 if whole else 0.02, 0 if whole else 2, (low, high)
        )
        field.setObjectName(f"value.{variable.name}")
        field.setFixedSize(84, 22)
        slider = WeightSlider(variable.name) if high - low <= WIDEST_SLIDER else None

        def put(value: float) -> None:
            self._run.set(variable.name, value)

        def show() -> None:
            value = float(self._run.value(variable))  # type: ignore[arg-type]
            field.set_value(value)
            if slider is not None and not slider.isSliderDown():
                with QSignalBlocker(slider):
                    slider.setValue(round((value - low) / (high - low) * STEPS))

        if slider is not None:
            slider.setMinimumWidth(36)
            slider.valueChanged.connect(lambda step: put(low + (high - low) * step / STEPS))
            row.addWidget(slider, 1)
        else:
            row.addStretch(1)
        row.addWidget(field)
        field.previewed.connect(put)
        field.committed.connect(put)
        self._show = show


class GraphRunPanel(Panel):
    """Graph and transport above, then the variables, then what the graph is doing."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("graphRunPanel")
        self.theme, self.run = context.theme, context.session.feature(GraphRun)
        self._rows: list[VariableRow] = []
        self._listed: object = None
        self._build()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(lambda: self.run.tick(time.monotonic()))
        session = context.session
        Bindings(self).refresh(
            self.refresh, self.run.state_changed, session.document.changed, session.playback.clip_changed
        )
        self.refresh()

    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 8, 0)
        head.setSpacing(4)
        self.choice = ChoiceBox()
        self.choice.setObjectName("graphChoice")
        self.choice.currentIndexChanged.connect(self._choose)
        head.addWidget(self.choice, 1)
        self.play = icon_button(self.theme, "play", tr("Run the graph"), name="graphPlay")
        self.play_dress = Dress(self.play, self.theme, "play", "text")
        self.play.clicked.connect(lambda: self.run.toggle())
        step = icon_button(self.theme, "forward", tr("One step (1/60 s)"), name="graphStep")
        step.clicked.connect(lambda: self.run.step_once())
        again = icon_button(self.theme, "rest", tr("Restart"), name="graphRestart")
        again.clicked.connect(lambda: self.run.restart())
        self.leave = icon_button(self.theme, "stop", tr("Stop: show the clip again"), name="graphStop")
        self.leave.clicked.connect(lambda: self.run.stop())
        for button in (self.play, step, again, self.leave):
            head.addWidget(button)
        column.addLayout(head)
        self.told = label("", "dim", wrap=True)
        self.told.setObjectName("graphStates")
        self.told.setContentsMargins(12, 0, 8, 0)
        column.addWidget(self.told)
        column.addWidget(line())
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 4, 0, 8)
        self._column.setSpacing(4)
        self._column.addStretch(1)
        area.setWidget(inside)
        column.addWidget(area, 1)
        self._stack.addWidget(body)
        self.empty = EmptyState(
            self.theme, "graph", tr("This character has no animation graph. The sample character has one.")
        )
        self._stack.addWidget(self.empty)

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """Show graph, variables and states as they are."""
        graph = self.run.graph
        self._stack.setCurrentIndex(0 if graph is not None else 1)
        if graph is None:
            self._timer.stop()
            return
        with QSignalBlocker(self.choice):
            names = [other.name for other in self.run.graphs]
            if names != [self.choice.itemText(k) for k in range(self.choice.count())]:
                self.choice.clear()
                self.choice.addItems(names)
            self.choice.setCurrentIndex(self.run.graphs.index(graph))
        if self._listed != graph.variables:
            self._list(graph.variables)
        for row in self._rows:
            row.refresh()
        running = self.run.running
        self.play_dress.change("pause" if running else "play")
        self.play.setToolTip(tr("Pause") if running else tr("Run the graph"))
        self.leave.setEnabled(self.run.on)
        self.told.setText(self._words())
        if running != self._timer.isActive():
            self._timer.start() if running else self._timer.stop()

    def _words(self) -> str:
        faults = [problem for problem in self.run.problems if not problem.warning]
        if faults:
            return "\n".join(str(problem) for problem in faults[:5])
        if self.run.on:
            return "\n".join(f"{machine}: {state}" for machine, state in self.run.states.items())
        return tr("Press play, then change the variables.")

    def _list(self, variables: tuple[Variable, ...]) -> None:
        self._listed = variables
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [VariableRow(self, variable) for variable in variables]
        for row in self._rows:
            self._column.insertWidget(self._column.count() - 1, row)

    def _choose(self, index: int) -> None:
        graphs = self.run.graphs
        if 0 <= index < len(graphs):
            self.run.choose(graphs[index].id)


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return GraphRunPanel(context)
