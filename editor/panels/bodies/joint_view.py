"""The joint of the active body: the range of each axis with where the pose stands, and what it passes through."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from editor.model.i18n import tr
from editor.panels.bodies.view_model import AxisRow, BodiesModel
from editor.qt import tokens
from editor.qt.menu import Menu
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, icon_button, label, set_role

TINTS = ("axis_x", "axis_y", "axis_z")


class JointView(QWidget):
    """A row an axis; rows that a body lacks are hidden."""

    def __init__(
        self, theme: Theme, model: BodiesModel, attempt: Callable[[Callable[[], object]], None]
    ) -> None:
        super().__init__()
        self._theme, self._model, self._attempt = theme, model, attempt
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.free = label("", "caption", wrap=True)
        column.addWidget(self.free)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnMinimumWidth(0, 72)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        self.fields: list[tuple[NumberField, NumberField]] = []
        self._titles: list[_AxisTitle] = []
        self._angles: list[QLabel] = []
        for axis in range(3):
            self._add_row(axis)
        column.addLayout(self._grid)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(tr("Passes through"), "dim"))
        self.through = ElidedLabel("", "caption")
        row.addWidget(self.through, 1)
        self.choose = icon_button(
            theme, "edit", tr("Choose which bodies it passes through"), name="bodyThrough", token="dim",
            size=20, menu=True,
        )  # fmt: skip
        self._menu = Menu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.choose.setMenu(self._menu)
        row.addWidget(self.choose)
        column.addLayout(row)

    def _add_row(self, axis: int) -> None:
        title = _AxisTitle(self._theme, TINTS[axis])
        ends = []
        most = 85.0 if axis == 1 else 180.0
        for number, (name, tip) in enumerate((("min", tr("Least angle")), ("max", tr("Largest angle")))):
            field = NumberField(self._theme, "°", None, 0.5, 1, (-most, most))
            field.setObjectName(f"bodyRange{axis}.{name}")
            field.setToolTip(tip)
            field.setFixedHeight(22)
            field.setMinimumWidth(58)
            field.committed.connect(lambda value, axis=axis, number=number: self._set(axis, number, value))
            ends.append(field)
            self._grid.addWidget(field, axis, 1 + number)
        angle = label("", "caption")
        angle.setFont(self._theme.font(tokens.CAPTION, tabular=True))
        angle.setMinimumWidth(46)
        angle.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        angle.setToolTip(tr("The angle in the pose shown"))
        self._grid.addWidget(title, axis, 0)
        self._grid.addWidget(angle, axis, 3)
        self.fields.append((ends[0], ends[1]))
        self._titles.append(title)
        self._angles.append(angle)

    def _set(self, axis: int, end: int, value: float) -> None:
        body = self._model.active
        if body is None:
            return
        low, high = (value, None) if end == 0 else (None, value)
        self._attempt(lambda: self._model.bodies.set_range(body.bone, axis, low, high))

    def _fill_menu(self) -> None:
        self._menu.clear()
        body = self._model.active
        if body is None:
            return
        through = set(self._model.passes_through())
        for bone in self._model.may_collide():
            action = QAction(self._model.session.bone_label(bone), self._menu)
            action.setCheckable(True)
            action.setChecked(bone in through)
            action.triggered.connect(
                lambda on, bone=bone, own=body.bone: self._attempt(
                    lambda: self._model.bodies.set_ignored(own, bone, bool(on))
                )
            )
            self._menu.addAction(action)

    def refresh(self) -> None:
        """Show the joint as it is now."""
        body = self._model.active
        rows = self._model.axes()
        root = body is not None and self._model.is_root(body)
        self.free.setText(tr("The root body: it moves freely") if root else tr("Fixed to the body above"))
        self.free.setVisible(not rows)
        for number in range(3):
            row = rows[number] if number < len(rows) else None
            for widget in (*self.fields[number], self._titles[number], self._angles[number]):
                widget.setVisible(row is not None)
            if row is not None:
                self._show_row(number, row, len(rows))
        names = [self._model.session.bone_label(bone) for bone in self._model.passes_through()]
        self.through.set_text(", ".join(names) or tr("none"))

    def _show_row(self, number: int, row: AxisRow, count: int) -> None:
        self._titles[number].setText(row.title)
        low, high = self.fields[number]
        for field, value in ((low, row.minimum), (high, row.maximum)):
            most = 85.0 if number == 1 and count == 3 else 180.0
            field.minimum, field.maximum = -most, most
            field.set_value(value)
        self._angles[number].setText(f"{round(row.angle, 1) + 0.0:.1f}°")
        set_role(self._angles[number], "caption" if row.inside else "warning")


class _AxisTitle(QLabel):
    """The name of an axis with a bar in the colour of its arc."""

    def __init__(self, theme: Theme, token: str) -> None:
        super().__init__()
        self._theme, self._token = theme, token
        self.setIndent(9)
        self.setProperty("role", "dim")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 14, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(Qt.PenStyle.NoPen))
        painter.setBrush(self._theme.color(self._token))
        painter.drawRoundedRect(QRectF(0.0, self.height() / 2.0 - 6.0, 3.0, 12.0), 1.5, 1.5)
