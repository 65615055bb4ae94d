"""The options of a retarget: size, stride, floor, and what is held."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QWidget

from core.retarget.transfer import Stride
from editor.model.i18n import tr
from editor.model.retarget.choices import Choices
from editor.model.retarget.state import Retargeting
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import label

SCALES = (
    (Stride.HIP_HEIGHT, "Hip height"),
    (Stride.LEG_LENGTH, "Leg length"),
    (Stride.NONE, "As it is"),
)


class OptionFields(QWidget):
    """Shows and changes the choices."""

    def __init__(self, theme: Theme, state: Retargeting) -> None:
        super().__init__()
        self._state = state
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        self.scale = QComboBox()
        self.scale.setObjectName("retargetScale")
        self.scale.setToolTip(tr("By what the way over the ground and the height of the hips are scaled"))
        for scale, title in SCALES:
            self.scale.addItem(tr(title), scale)
        self.scale.activated.connect(lambda _: state.choose(scale=Stride(self.scale.currentData())))
        self._grid.addWidget(label(tr("Scale by"), "dim"), 0, 0)
        self._grid.addWidget(self.scale, 0, 1, 1, 3)
        self.stride = self._number(
            theme, "retargetStride", "stride", 1, 0, tr("Stride"), "", 0.005, 2, 0.0, 5.0
        )
        self.stride.setToolTip(tr("Factor on the way over the ground, on top of the scale"))
        self.floor = self._number(
            theme, "retargetFloor", "floor", 1, 2, tr("Floor"), "m", 0.001, 3, -5.0, 5.0
        )
        self.floor.setToolTip(tr("Lifts the whole figure"))
        self._boxes = {
            "feet": self._box(
                "feet", tr("Hold feet"), tr("Keep standing feet where they stand, by IK"), 2, 0
            ),
            "hands": self._box(
                "hands", tr("Hold hands"), tr("Keep leaning hands where they lean, by IK"), 2, 2
            ),
            "ground": self._box(
                "ground",
                tr("Feet on the floor"),
                tr("Put standing feet on the floor, and none below it"),
                3,
                0,
            ),
            "flat": self._box(
                "flat", tr("Lay feet flat"), tr("Feet that stand on heel and ball lie flat"), 3, 2
            ),
            "drop": self._box(
                "drop",
                tr("Lower the hips"),
                tr("Hips come down a little where a leg cannot reach its place"),
                4,
                0,
            ),
        }
        self.show_choices(state.choices)

    def _number(
        self, theme: Theme, name: str, field: str, row: int, column: int, title: str, unit: str, step: float,
        decimals: int, low: float, high: float,
    ) -> NumberField:  # fmt: skip
        made = NumberField(theme, unit, step=step, decimals=decimals, minimum=low, maximum=high)
        made.setObjectName(name)
        made.previewed.connect(lambda value: self._state.choose(**{field: float(value)}))
        made.committed.connect(lambda value: self._state.choose(**{field: float(value)}))
        self._grid.addWidget(label(title, "dim"), row, column)
        self._grid.addWidget(made, row, column + 1)
        return made

    def _box(self, name: str, title: str, tip: str, row: int, column: int) -> QCheckBox:
        made = QCheckBox(title)
        made.setObjectName(f"retarget.{name}")
        made.setToolTip(tip)
        made.toggled.connect(lambda on: self._state.choose(**{name: on}))
        self._grid.addWidget(made, row, column, 1, 2)
        return made

    def show_choices(self, choices: Choices) -> None:
        """Show the choices as they are."""
        with QSignalBlocker(self.scale):
            self.scale.setCurrentIndex([scale for scale, _ in SCALES].index(choices.scale))
        self.stride.set_value(choices.stride)
        self.floor.set_value(choices.floor)
        for name, box in self._boxes.items():
            with QSignalBlocker(box):
                box.setChecked(bool(getattr(choices, name)))
        for name in ("ground", "flat", "drop"):
            self._boxes[name].setEnabled(choices.feet)
