"""The strip of a running operation: its numbers, what comes of it, apply and cancel."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSlider, QWidget

from editor.model.i18n import tr, trn
from editor.panels.curves.operation_run import OperationRun
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, label
from editor.tools.curves.operations import Parameter


class OperationStrip(QWidget):
    """Adjusts one `OperationRun`; Enter applies, Escape gives it up."""

    closed = Signal()

    def __init__(self, theme: Theme, run: OperationRun) -> None:
        super().__init__()
        self.setObjectName("curvesStrip")
        self.run = run
        self._fields: dict[str, tuple[NumberField, QSlider | None]] = {}
        self._boxes: dict[str, ChoiceBox] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(8)
        row.addWidget(label(run.operation.title, "title"))
        for parameter in run.operation.parameters:
            self._add(row, theme, parameter)
        self.note = ElidedLabel("", "dim")
        row.addWidget(self.note, 1)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.apply_button = QPushButton(tr("Apply"))
        self.apply_button.setDefault(True)
        self.cancel_button.setObjectName("curvesCancel")
        self.apply_button.setObjectName("curvesApply")
        for button, act in ((self.cancel_button, run.cancel), (self.apply_button, run.apply)):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
        self._stops = [
            run.changed.connect(lambda _: self.refresh()),
            run.ended.connect(lambda _: self._end()),
        ]
        self.refresh()

    def _add(self, row: QHBoxLayout, theme: Theme, parameter: Parameter) -> None:
        row.addWidget(label(parameter.title, "caption"))
        if parameter.choices:
            self._add_choice(row, parameter)
            return
        slider: QSlider | None = None
        if parameter.unit == "%":
            slider = QSlider(Qt.Orientation.Horizontal)
            slider.setRange(round(parameter.minimum), round(parameter.maximum))
            slider.setValue(round(parameter.value))
            slider.setFixedWidth(160)
            slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            slider.setObjectName(f"curvesSlider_{parameter.id}")
            slider.valueChanged.connect(lambda value, id=parameter.id: self._set(id, float(value)))
            row.addWidget(slider)
        field = NumberField(
            theme,
            parameter.unit,
            None,
            parameter.step,
            parameter.decimals,
            (parameter.minimum, parameter.maximum),
        )
        field.setObjectName(f"curvesParameter_{parameter.id}")
        field.setFixedWidth(96)
        field.set_value(parameter.value)
        field.committed.connect(lambda value, id=parameter.id: self._set(id, value))
        if not self.run.operation.slow:
            field.previewed.connect(lambda value, id=parameter.id: self._set(id, value))
        row.addWidget(field)
        self._fields[parameter.id] = field, slider

    def _add_choice(self, row: QHBoxLayout, parameter: Parameter) -> None:
        box = ChoiceBox()
        box.setObjectName(f"curvesParameter_{parameter.id}")
        box.addItems(list(parameter.choices))
        box.setCurrentIndex(int(self.run.values[parameter.id]))
        box.activated.connect(lambda number, id=parameter.id: self.run.set(id, float(number)))
        row.addWidget(box)
        self._boxes[parameter.id] = box

    def _set(self, parameter: str, value: float) -> None:
        field, slider = self._fields[parameter]
        field.set_value(value)
        if slider is not None and slider.value() != round(value):
            slider.blockSignals(True)
            slider.setValue(round(value))
            slider.blockSignals(False)
        self.run.set(parameter, value)

    def refresh(self) -> None:
        """Show what came of it."""
        for id, box in self._boxes.items():
            box.setCurrentIndex(int(self.run.values[id]))
        count = trn("{count} key", "{count} keys", self.run.count)
        self.note.set_text(f"{count} · {self.run.note}" if self.run.note else count)

    def _end(self) -> None:
        for stop in self._stops:
            stop()
        self.closed.emit()

    def event(self, event: QEvent) -> bool:
        """Enter and Escape are the strip's own while it has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() in (  # type: ignore[attr-defined]
            Qt.Key.Key_Escape,
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.run.cancel()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.run.apply()
        else:
            super().keyPressEvent(event)
