"""The options of a retarget: size, stride, floor, reach, and what is held."""

from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from core.retarget.transfer import Stride
from editor.model.i18n import tr
from editor.model.retarget.choices import Choices
from editor.model.retarget.state import Retargeting
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import label

SCALES = (
    (Stride.HIP_HEIGHT, "Hip height"),
    (Stride.LEG_LENGTH, "Leg length"),
    (Stride.NONE, "As it is"),
)


class Number(NamedTuple):
    """A number field: the setting, its title, unit, step, decimals, bounds and tip."""

    name: str
    title: str
    unit: str
    step: float
    decimals: int
    bounds: tuple[float, float]
    tip: str


NUMBERS = (
    Number("stride", "Stride", "", 0.005, 2, (0.0, 5.0),
           "Factor on the movement over the ground, in addition to the scale"),
    Number("floor", "Floor", "m", 0.001, 3, (-5.0, 5.0), "Raise the whole character"),
    Number("reach", "Arm reach", "", 0.005, 2, (0.0, 1.0),
           "How far hands follow the source's hand positions relative to the hips, whatever the lengths of the arms"),
    Number("drop", "Hip drop", "", 0.005, 2, (0.0, 1.0),
           "How far the hips move up or down so that planted feet are reached without changing the knees; "
           "0 keeps the hips"),
    Number("knee", "Knee limit", "°", 0.25, 0, (1.0, 180.0),
           "How much more a knee may bend to hold its foot. From half of it on the foot is released gradually"),
)  # fmt: skip
BOXES = (
    ("feet", "Hold feet", "Lock planted feet in place, by IK"),
    ("hands", "Hold hands", "Lock resting hands in place, by IK"),
    ("ground", "Feet on the floor", "Put planted feet on the floor, and no foot below it"),
    ("flat", "Lay feet flat", "Lay feet flat that are planted on heel and ball"),
    ("level", "Level the floor", "Remove the slow vertical drift of motion capture"),
    (
        "curves",
        "Contacts as curves",
        "Add curves such as contact_left_foot to the clip: 1 while the foot is planted",
    ),
)
OF_FEET = ("ground", "flat", "drop", "knee")


class OptionFields(QWidget):
    """Shows and changes the choices."""

    def __init__(self, theme: Theme, state: Retargeting) -> None:
        super().__init__()
        self._state = state
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for column in (1, 3):
            grid.setColumnStretch(column, 1)
        self.scale = ChoiceBox()
        self.scale.setObjectName("retargetScale")
        self.scale.setToolTip(tr("What scales the movement over the ground and the height of the hips"))
        for scale, title in SCALES:
            self.scale.addItem(tr(title), scale)
        self.scale.activated.connect(self._choose_scale)
        self._put(self.scale, tr("Scale by"), 0)
        self._numbers: dict[str, NumberField] = {}
        for place, row in enumerate(NUMBERS, 1):
            self._numbers[row.name] = self._number(theme, row)
            self._put(self._numbers[row.name], tr(row.title), place)
        self._boxes = {name: self._box(name, tr(title), tr(tip)) for name, title, tip in BOXES}
        for place, box in enumerate(self._boxes.values()):
            grid.addWidget(box, 1 + (len(NUMBERS) + 1) // 2 + place // 2, 2 * (place % 2), 1, 2)
        self.show_choices(state.subject.choices)

    def _put(self, widget: QWidget, title: str, place: int) -> None:
        self._grid.addWidget(label(title, "dim"), place // 2, 2 * (place % 2))
        self._grid.addWidget(widget, place // 2, 2 * (place % 2) + 1)

    def _number(self, theme: Theme, row: Number) -> NumberField:
        made = NumberField(theme, row.unit, step=row.step, decimals=row.decimals, bounds=row.bounds)
        made.setObjectName(f"retarget.{row.name}")
        made.setToolTip(tr(row.tip))

        def change(value: float, text: str) -> None:
            self._state.edits.choose(text, **{row.name: float(value)})

        made.previewed.connect(lambda value: change(value, ""))
        made.committed.connect(lambda value: change(value, tr("Change {what}", what=tr(row.title).lower())))
        made.cancelled.connect(self._state.subject.restore)
        return made

    def _box(self, name: str, title: str, tip: str) -> QCheckBox:
        made = QCheckBox(title)
        made.setObjectName(f"retarget.{name}")
        made.setToolTip(tip)
        made.toggled.connect(lambda on: self._switch(name, title, on))
        return made

    def _switch(self, name: str, title: str, on: bool) -> None:
        self._state.edits.choose(title, **{name: on})  # type: ignore[arg-type]

    def _choose_scale(self, _: int) -> None:
        self._state.edits.choose(tr("Change the scale"), scale=Stride(self.scale.currentData()))

    def show_choices(self, choices: Choices) -> None:
        """Show the choices as they are."""
        with QSignalBlocker(self.scale):
            self.scale.setCurrentIndex([scale for scale, _ in SCALES].index(choices.scale))
        for name, field in self._numbers.items():
            field.set_value(float(getattr(choices, name)))
        for name, box in self._boxes.items():
            with QSignalBlocker(box):
                box.setChecked(bool(getattr(choices, name)))
        for name in OF_FEET:
            (self._boxes.get(name) or self._numbers[name]).setEnabled(choices.feet)
