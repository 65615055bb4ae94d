"""Settings of a blend space and its axes, and the little editor of one sample."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.blending.blend_space import MotionRule, Smoothing
from editor.model.i18n import tr
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import label

SMOOTHINGS = {
    Smoothing.NONE: "None",
    Smoothing.AVERAGE: "Average",
    Smoothing.LINEAR: "Linear",
    Smoothing.EASE: "Ease",
    Smoothing.SPRING: "Spring",
}
RULES = {MotionRule.ALL: "All samples", MotionRule.HEAVIEST: "Heaviest sample"}


def combo(name: str, tip: str) -> ChoiceBox:
    """A combo box that keeps within its column."""
    box = ChoiceBox()
    box.setObjectName(name)
    box.setToolTip(tip)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    box.setMinimumContentsLength(4)
    return box


class AxisSettings(QWidget):
    """Name, range, grid, wrap and smoothing of one axis."""

    def __init__(self, model: BlendSpaceModel, theme: Theme, number: int) -> None:
        super().__init__()
        self.model, self.number = model, number
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 12, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        suffix = "XY"[number]
        self.name = QLineEdit()
        self.name.setObjectName(f"axisName{suffix}")
        self.name.editingFinished.connect(self._rename)
        self.unit = QLineEdit()
        self.unit.setObjectName(f"axisUnit{suffix}")
        self.unit.setMaximumWidth(48)
        self.unit.setToolTip(tr("Unit"))
        self.unit.editingFinished.connect(self._rename)
        self.minimum, self.maximum = (NumberField(theme, step=0.05) for _ in range(2))
        self.minimum.setObjectName(f"axisMinimum{suffix}")
        self.maximum.setObjectName(f"axisMaximum{suffix}")
        self.minimum.committed.connect(lambda v: self._change(minimum=v))
        self.maximum.committed.connect(lambda v: self._change(maximum=v))
        self.divisions = NumberField(theme, step=0.05, decimals=0, bounds=(1, 64))
        self.divisions.setObjectName(f"axisGrid{suffix}")
        self.divisions.committed.connect(lambda v: self._change(divisions=max(round(v), 1)))
        self.wrap = QCheckBox(tr("Cyclic"))
        self.wrap.setObjectName(f"axisWrap{suffix}")
        self.wrap.setToolTip(tr("The axis is cyclic: its end equals its start, as for directions"))
        self.wrap.clicked.connect(lambda on: self._change(wrap=on))
        self.smoothing = combo(f"axisSmoothing{suffix}", tr("How the input is smoothed"))
        for kind, title in SMOOTHINGS.items():
            self.smoothing.addItem(tr(title), kind)
        self.smoothing.activated.connect(lambda _: self._change_smoothing())
        self.time = NumberField(theme, "s", step=0.005, decimals=2, bounds=(0.0, 10.0))
        self.time.setObjectName(f"axisSmoothTime{suffix}")
        self.time.committed.connect(lambda v: self._change(smoothing_time=v))
        axis_name = tr("Axis {letter}", letter="XY"[number])
        rows = (
            ((axis_name, self.name), (tr("Unit"), self.unit)),
            ((tr("From"), self.minimum), (tr("To"), self.maximum)),
            ((tr("Grid"), self.divisions), ("", self.wrap)),
            ((tr("Smooth"), self.smoothing), (tr("Time"), self.time)),
        )
        for row, pair in enumerate(rows):
            for column, (text, widget) in enumerate(pair):
                if text:
                    grid.addWidget(label(text, "dim"), row, 2 * column)
                grid.addWidget(widget, row, 2 * column + 1)

    def _change(self, **values: object) -> None:
        self.model.change_axis(self.number, **values)
        self.show_axis()

    def _change_smoothing(self) -> None:
        kind = Smoothing(self.smoothing.currentData())
        time = self.time.value or 0.0
        self._change(smoothing=kind, smoothing_time=time if time > 0.0 or kind is Smoothing.NONE else 0.2)

    def _rename(self) -> None:
        space = self.model.spaces.committed
        name, unit = self.name.text().strip(), self.unit.text().strip()
        if space is None or self.number >= len(space.axes) or not name:
            self.show_axis()
        elif (name, unit) != (space.axes[self.number].name, space.axes[self.number].unit):
            self._change(name=name, unit=unit)

    def show_axis(self) -> None:
        """Show the axis as it is now."""
        space = self.model.space
        shown = space is not None and self.number < len(space.axes)
        self.setVisible(shown)
        if space is None or not shown:
            return
        axis = space.axes[self.number]
        for field, text in ((self.name, axis.name), (self.unit, axis.unit)):
            if not field.hasFocus() and field.text() != text:
                field.setText(text)
        for number, value in (
            (self.minimum, axis.minimum),
            (self.maximum, axis.maximum),
            (self.time, axis.smoothing_time),
        ):
            number.set_value(value)
        self.divisions.set_value(float(axis.divisions))
        self.wrap.setChecked(axis.wrap)
        self.smoothing.setCurrentIndex(list(SMOOTHINGS).index(axis.smoothing))
        self.time.setEnabled(axis.smoothing is not Smoothing.NONE)


class SpaceSettings(QWidget):
    """How the samples play together, and the base clip of an aim offset."""

    def __init__(self, model: BlendSpaceModel, theme: Theme) -> None:
        super().__init__()
        self.model = model
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 8)
        column.setSpacing(4)
        grid = QGridLayout()
        grid.setContentsMargins(12, 0, 12, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.base_label = label(tr("Base clip"), "dim")
        self.base = combo("aimBase", tr("The clip that the aim offset is added to"))
        self.base.activated.connect(lambda _: self._set_base())
        self.sync = QCheckBox(tr("Sync markers"))
        self.sync.setObjectName("blendSync")
        self.sync.setToolTip(tr("Align steps by the clips' markers: left foot down with left foot down"))
        self.sync.clicked.connect(lambda on: model.change(tr("Sync markers"), sync=on))
        self.triangles = QCheckBox(tr("Triangles"))
        self.triangles.setObjectName("blendTriangles")
        self.triangles.setToolTip(tr("Weights from the samples' own triangles instead of the grid"))
        self.triangles.clicked.connect(model.set_triangles)
        self.speed = NumberField(theme, "/s", step=0.05, decimals=1, bounds=(0.0, 100.0))
        self.speed.setObjectName("weightSpeed")
        self.speed.setToolTip(tr("Largest change of a weight per second; 0 is unlimited"))
        self.speed.committed.connect(lambda v: model.change(tr("Weight speed"), weight_speed=v))
        self.motion = self._rule("rootRule", "root_motion", tr("Which clips give root motion"))
        self.notifies = self._rule("notifyRule", "notifies", tr("Which clips send notifies"))
        grid.addWidget(self.base_label, 0, 0)
        grid.addWidget(self.base, 0, 1)
        grid.addWidget(self.sync, 1, 0, 1, 2)
        grid.addWidget(self.triangles, 2, 0, 1, 2)
        for row, (text, widget) in enumerate(
            (
                (tr("Weight speed"), self.speed),
                (tr("Root motion"), self.motion),
                (tr("Notifies"), self.notifies),
            ),
            3,
        ):
            grid.addWidget(label(text, "dim"), row, 0)
            grid.addWidget(widget, row, 1)
        column.addLayout(grid)

    def _rule(self, name: str, field: str, tip: str) -> ChoiceBox:
        box = combo(name, tip)
        for rule, title in RULES.items():
            box.addItem(tr(title), rule)
        box.activated.connect(lambda _: self.model.change(tip, **{field: MotionRule(box.currentData())}))
        return box

    def _set_base(self) -> None:
        self.model.change(tr("Base clip of the aim offset"), base_clip=self.base.currentData())

    def show_space(self) -> None:
        """Show the open space's settings."""
        space = self.model.space
        if space is None:  # another page of the panel is shown then
            return
        self.base.setVisible(space.aim_offset)
        self.base_label.setVisible(space.aim_offset)
        self.sync.setVisible(not space.aim_offset)
        self.triangles.setVisible(len(space.axes) == 2)
        self.sync.setChecked(space.sync)
        self.triangles.setChecked(str(space.kind) == "triangles")
        self.speed.set_value(space.weight_speed)
        self.motion.setCurrentIndex(list(RULES).index(space.root_motion))
        self.notifies.setCurrentIndex(list(RULES).index(space.notifies))
        self.base.show_choices(
            [(name, clip) for clip, name in self.model.base_clips()], space.base_clip, otherwise=0
        )


class SampleEditor(QFrame):
    """Place and rate of one sample as numbers, in a popup; number −1 edits the point."""

    def __init__(self, model: BlendSpaceModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.model, self.number = model, -1
        self.setObjectName("sampleEditor")
        self.setProperty("role", "card")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 12)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        self.title = label("", "title")
        grid.addWidget(self.title, 0, 0, 1, 2)
        self.labels = [label("", "dim") for _ in range(3)]
        self.fields = [NumberField(theme, step=0.01) for _ in range(2)]
        self.fields.append(NumberField(theme, "×", step=0.005, bounds=(0.05, 20.0)))
        for row, (text, field) in enumerate(zip(self.labels, self.fields, strict=True), 1):
            field.setObjectName(("sampleX", "sampleY", "sampleRate")[row - 1])
            field.setMinimumWidth(110)
            grid.addWidget(text, row, 0)
            grid.addWidget(field, row, 1)
            field.committed.connect(lambda value, row=row: self._commit(row - 1, value))

    def open_for(self, number: int, at: QPoint) -> None:
        """Show the sample's numbers at a place of the screen, the first one being typed."""
        space = self.model.space
        if space is None or number >= len(space.samples):
            return
        self.number = number
        self.refresh()
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(
            min(at.x(), screen.right() - self.width()), min(at.y() + 8, screen.bottom() - self.height())
        )
        self.show()
        self.fields[0].edit()

    def refresh(self) -> None:
        """Show the numbers as they are now."""
        space = self.model.space
        if space is None or self.number >= len(space.samples):
            self.hide()
            return
        sample = space.samples[self.number] if self.number >= 0 else None
        self.title.setText(self.model.spaces.clip_name(sample.clip) if sample else tr("Point"))
        place = sample.place if sample else self.model.live.point
        for k in range(3):
            there = k < len(space.axes) if k < 2 else sample is not None
            self.labels[k].setVisible(there)
            self.fields[k].setVisible(there)
            if k < 2 and there:
                axis = space.axes[k]
                self.labels[k].setText(axis.name)
                self.fields[k].unit = axis.unit
                self.fields[k].minimum, self.fields[k].maximum = axis.minimum, axis.maximum
                self.fields[k].set_value(place[k])
        self.labels[2].setText(tr("Rate"))
        self.fields[2].set_value(sample.rate if sample else 1.0)

    def _commit(self, field: int, value: float) -> None:
        if self.number < 0:
            self.model.set_value(field, value)
        elif field < 2:
            self.model.move_sample(self.number, field, value)
        else:
            self.model.set_rate(self.number, value)
        self.refresh()
