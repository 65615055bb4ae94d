"""The preferences: few, each used at once or from the next start on."""

from PySide6.QtWidgets import QGridLayout, QWidget

from editor.model.i18n import tr
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import Dialog
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label
from editor.shell.shortcut_sheet import ShortcutSheet

SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


class PreferencesDialog(Dialog):
    """Everything is kept as soon as it is changed."""

    def __init__(self, window: QWidget, context: PanelContext) -> None:
        super().__init__(window, tr("Preferences"), "preferences")
        self._context, self._preferences = context, context.session.preferences
        self._window = window
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(1, 180)
        grid.setColumnStretch(2, 1)
        self.body.addLayout(grid)
        self._grid = grid
        self._choice(tr("Theme"), "theme", [(tr("Dark"), "dark"), (tr("Light"), "light")], "")
        scales = [(f"{round(scale * 100)} %", scale) for scale in SCALES]
        self._choice(tr("Interface scale"), "scale", scales, tr("after restart"))
        motion = [(tr("Eased"), False), (tr("At once"), True)]
        self._choice(tr("Framing and views"), "reduced_motion", motion, tr("how the camera moves to them"))
        self._number(tr("Backups of each file"), "backups", "", 1.0, 0, 0, 50, tr("kept when saving"))
        self._number(
            tr("Undo memory"),
            "undo_megabytes",
            "MB",
            64.0,
            0,
            16,
            65536,
            tr("oldest steps are discarded beyond it"),
        )
        self._number(
            tr("Translation key threshold"),
            "tolerance_translate",
            "m",
            1e-5,
            5,
            0,
            1,
            tr("smaller changes are not keyed"),
        )
        self._number(tr("Rotation key threshold"), "tolerance_rotate", "°", 1e-3, 3, 0, 10, "")
        self._number(tr("Scale key threshold"), "tolerance_scale", "", 1e-5, 5, 0, 1, "")
        ends = [(tr("One-sided"), "one_sided"), (tr("Flat"), "flat")]
        self._choice(
            tr("Auto tangents at the ends"), "auto_ends", ends, tr("of first and last keys, when edited")
        )
        self.body.addStretch(1)
        self.add_button(tr("Keyboard shortcuts…"), self._keys, name="openKeys")
        self.add_button(tr("Close"), self.close, default=True, name="closePreferences")

    def _choice(self, title: str, name: str, choices: list, note: str) -> None:
        box = ChoiceBox()
        box.setObjectName(f"preference.{name}")
        for text, value in choices:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(self._preferences.get(name))))
        box.activated.connect(lambda _: self._preferences.set(name, box.currentData()))
        self._row(title, box, note)

    def _number(
        self, title: str, name: str, unit: str, step: float, decimals: int, low: float, high: float, note: str
    ) -> None:
        field = NumberField(self._context.theme, unit, None, step, decimals, (low, high))
        field.setObjectName(f"preference.{name}")
        field.set_value(float(self._preferences.get(name)))
        whole = isinstance(self._preferences.get(name), int)
        field.committed.connect(lambda value: self._preferences.set(name, round(value) if whole else value))
        self._row(title, field, note)

    def _row(self, title: str, widget: QWidget, note: str) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(label(title, "dim"), row, 0)
        self._grid.addWidget(widget, row, 1)
        self._grid.addWidget(label(note, "caption"), row, 2)

    def _keys(self) -> None:
        self.close()
        ShortcutSheet(self._window, self._context).open()
