"""The joints of a chain with their limits: a dial and the numbers of each."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.rig.rig import LimitKind
from editor.model.i18n import tr
from editor.panels.ik.limit_dial import LimitDial
from editor.panels.ik.view_model import IkModel, LimitRow
from editor.qt import tokens
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, icon_button, label

FIELDS = (
    ("minimum", "least", "Minimum angle"),
    ("maximum", "most", "Maximum angle"),
    ("cone", "cone", "Maximum swing"),
)


class LimitsView(QWidget):
    """One entry a joint; made again only where the joints or kinds of limits differ."""

    def __init__(self, theme: Theme, model: IkModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        self._entries: list[_Entry] = []
        self._shape: tuple = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)

    def show_rows(self, rows: tuple[LimitRow, ...]) -> None:
        """Show the joints as they stand."""
        shape = tuple((row.bone, None if row.limit is None else row.limit.kind) for row in rows)
        if shape != self._shape:
            self._shape = shape
            while self._entries:
                entry = self._entries.pop()
                entry.hide()
                entry.deleteLater()
            for row in rows:
                entry = _Entry(self._theme, self._model, row)
                self._entries.append(entry)
                self._column.addWidget(entry)
        for entry, row in zip(self._entries, rows, strict=True):
            entry.show_row(row)


class _Entry(QWidget):
    """One joint."""

    def __init__(self, theme: Theme, model: IkModel, row: LimitRow) -> None:
        super().__init__()
        self._model, self._bone = model, row.bone
        self.dial = LimitDial(theme)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.dial, 0, Qt.AlignmentFlag.AlignTop)
        side = QVBoxLayout()
        side.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(ElidedLabel(row.bone), 1)
        self.fields: dict[str, NumberField] = {}
        if row.limit is None:
            button = icon_button(theme, "add", tr("Limit this joint"), token="dim", size=20)
            button.setObjectName(f"limitAdd.{row.bone}")
            button.clicked.connect(lambda: model.add_limit(row.bone))
        else:
            kind = tr("hinge") if row.limit.kind is LimitKind.HINGE else tr("cone")
            head.addWidget(label(kind, "caption"))
            button = icon_button(theme, "delete", tr("Remove limit"), token="dim", size=20)
            button.clicked.connect(lambda: model.set_limit(row.bone, None))
        head.addWidget(button)
        side.addLayout(head)
        if row.limit is not None:
            side.addLayout(self._numbers(theme, row))
        else:
            side.addWidget(label(tr("no limit"), "caption"))
        self.stiff = NumberField(theme, tr("% stiff"), None, 1.0, 0, (0.0, 100.0))
        self.stiff.setObjectName(f"stiffness.{row.bone}")
        self.stiff.setToolTip(tr("Resistance of the joint while the chain is solved (CCD and FABRIK)"))
        self.stiff.setFixedHeight(tokens.CONTROL)
        self.stiff.committed.connect(lambda value: model.set_stiffness(row.bone, value / 100.0))
        side.addWidget(self.stiff)
        line.addLayout(side, 1)

    def _numbers(self, theme: Theme, row: LimitRow) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(4)
        hinge = row.limit is not None and row.limit.kind is LimitKind.HINGE
        for column, (name, _, tip) in enumerate(FIELDS[: 2 if hinge else 3]):
            field = NumberField(theme, "°", None, 1.0, 0, (0.0 if name == "cone" else -180.0, 180.0))
            field.setObjectName(f"limit.{row.bone}.{name}")
            field.setToolTip(tr(tip))
            field.setFixedHeight(tokens.CONTROL)
            field.setMinimumWidth(40)
            field.committed.connect(
                lambda value, name=name: self._model.change_limit(self._bone, name, value)
            )
            self.fields[name] = field
            grid.addWidget(field, 0, column)
        return grid

    def show_row(self, row: LimitRow) -> None:
        stiffness = self._model.stiffness(row.bone)
        self.stiff.setVisible(stiffness is not None)
        self.stiff.set_value(100.0 * (stiffness or 0.0))
        self.dial.show_row(row)
        if row.limit is not None:
            for name, field in self.fields.items():
                field.set_value(float(getattr(row.limit, name)))
