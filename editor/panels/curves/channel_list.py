"""The list of lanes: by bone, each with its line, and switches to solo, lock and hide it."""

from typing import NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea

from editor.model.i18n import tr
from editor.panels.curves.curve_image import DASHES, lane_color
from editor.panels.curves.view_model import CurvesModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.theme import Theme
from editor.tools.curves.lanes import Lane

ROW, SWITCH = 20, 20
FLAGS = (("solo", "solo", "accent"), ("locked", "lock", "warning"), ("hidden", "hide", "dim"))
"""Flag of the model, icon, colour when on; from left to right at the right edge."""


class ListRow(NamedTuple):
    """A heading (no lane), or a lane."""

    title: str
    lanes: tuple[Lane, ...]
    lane: Lane | None


class ChannelList(QAbstractScrollArea):
    """Every lane that the curve editor could draw."""

    def __init__(self, model: CurvesModel, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("curvesList")
        self._model, self._theme = model, theme
        self._rows: list[ListRow] = []
        self._hovered = -1
        self._anchor: Lane | None = None
        self.setFrameShape(self.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setMinimumWidth(120)
        self.verticalScrollBar().valueChanged.connect(lambda _: self.viewport().update())
        bindings = Bindings(self)
        bindings.refresh(self.refresh, model.lanes_changed)
        session = model.session
        bindings.refresh(
            self.viewport().update, session.selection.keys_changed, session.switches.changed
        )  # short names
        theme.changed.connect(self.viewport().update)
        self.refresh()

    def sizeHint(self) -> QSize:
        """Room for a bone's name and three switches."""
        return QSize(210, 240)

    def refresh(self) -> None:
        """List the lanes as they are now."""
        rows: list[ListRow] = []
        groups: dict[str, list[Lane]] = {}
        for lane in self._model.lanes.all():
            groups.setdefault(lane.group, []).append(lane)
        for title, lanes in groups.items():
            rows.append(ListRow(title, tuple(lanes), None))
            rows += [ListRow(lane.name, (lane,), lane) for lane in lanes]
        self._rows = rows
        self._set_bar()
        self.viewport().update()

    def _set_bar(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, len(self._rows) * ROW - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_bar()
        super().resizeEvent(event)

    # ------------------------------------------------------------ places
    def row_rect(self, lane: Lane) -> QRect:
        """Where a lane's row is, in the viewport."""
        number = next(n for n, row in enumerate(self._rows) if row.lane == lane)
        return QRect(0, number * ROW - self.verticalScrollBar().value(), self.viewport().width(), ROW)

    def switch_place(self, lane: Lane, flag: str) -> QPoint:
        """The middle of a switch, in the viewport."""
        number = [name for name, _, _ in FLAGS].index(flag)
        rect = self.row_rect(lane)
        return QPoint(rect.right() - (len(FLAGS) - number) * SWITCH + SWITCH // 2, rect.center().y())

    def _row_at(self, y: float) -> int:
        number = int(y + self.verticalScrollBar().value()) // ROW
        return number if 0 <= number < len(self._rows) else -1

    def _switch_at(self, x: float) -> int | None:
        from_right = self.viewport().width() - x
        number = len(FLAGS) - 1 - int(from_right // SWITCH)
        return number if 0 <= number < len(FLAGS) else None

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), self._theme.color("panel"))
        offset = self.verticalScrollBar().value()
        first = offset // ROW
        keys = self._model.session.selection.keys
        for number in range(first, min(len(self._rows), first + self.viewport().height() // ROW + 2)):
            rect = QRect(0, number * ROW - offset, self.viewport().width(), ROW)
            self._paint_row(painter, rect, self._rows[number], number == self._hovered, keys)
        painter.end()

    def _paint_row(self, painter: QPainter, rect: QRect, row: ListRow, hovered: bool, keys: object) -> None:
        theme, model = self._theme, self._model
        chosen = row.lane is not None and row.lane in model.lanes.chosen
        if chosen:
            painter.fillRect(rect, theme.color("selected_row"))
        elif hovered:
            painter.fillRect(rect, theme.color("hover"))
        hidden = all(lane in model.lanes.hidden for lane in row.lanes)
        muted = hidden or (bool(model.lanes.solo) and not any(lane in model.lanes.solo for lane in row.lanes))
        left = 8
        if row.lane is not None:
            color = lane_color(theme, row.lane)
            color.setAlphaF(0.35 if muted else 1.0)
            pen = QPen(color, 2.0)
            if 0 < row.lane.axis < 3:
                pen.setDashPattern([d / 2.0 for d in DASHES[row.lane.axis]])
            painter.setPen(pen)
            middle = rect.center().y() + 0.5
            painter.drawLine(QPointF(14.0, middle), QPointF(34.0, middle))
            left = 42
        painter.setFont(
            theme.font(tokens.BODY if row.lane is not None else tokens.CAPTION, bold=row.lane is None)
        )
        painter.setPen(theme.color("dim" if muted or row.lane is None else "text"))
        some = hovered or any(
            all(lane in getattr(model.lanes, flag) for lane in row.lanes) for flag, _, _ in FLAGS
        )
        room = rect.width() - left - (len(FLAGS) * SWITCH if some else 0) - 4
        title = row.title if row.lane is not None else model.session.bone_label(row.title)
        text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideMiddle, max(room, 20))
        painter.drawText(QRect(left, rect.top(), max(room, 20), ROW), Qt.AlignmentFlag.AlignVCenter, text)
        self._paint_switches(painter, rect, row, hovered)

    def _paint_switches(self, painter: QPainter, rect: QRect, row: ListRow, hovered: bool) -> None:
        for number, (flag, icon, color) in enumerate(FLAGS):
            held = getattr(self._model.lanes, flag)
            on = all(lane in held for lane in row.lanes)
            if not on and not hovered:
                continue
            place = QRect(rect.right() - (len(FLAGS) - number) * SWITCH + 3, rect.top() + 3, 14, 14)
            self._theme.icon(icon, color if on else "disabled").paint(painter, place)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._row_at(event.position().y())
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if number < 0:
            self._model.lanes.set_flag("chosen", ())
            return
        row, switch = self._rows[number], self._switch_at(event.position().x())
        if switch is not None:
            self._model.lanes.toggle_flag(FLAGS[switch][0], row.lanes)
            return
        self._choose(row, event.modifiers())

    def _choose(self, row: ListRow, held: Qt.KeyboardModifier) -> None:
        model, given = self._model, frozenset(row.lanes)
        if held & Qt.KeyboardModifier.ControlModifier:
            model.lanes.toggle_flag("chosen", given)
        elif held & Qt.KeyboardModifier.ShiftModifier and self._anchor is not None:
            lanes = list(model.lanes.all())
            ends = sorted(lanes.index(lane) for lane in (self._anchor, row.lanes[-1]) if lane in lanes)
            model.lanes.set_flag("chosen", lanes[ends[0] : ends[-1] + 1] if ends else given)
            return
        else:
            model.lanes.set_flag("chosen", () if model.lanes.chosen == given else given)
        self._anchor = row.lanes[0]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._row_at(event.position().y())
        switch = self._switch_at(event.position().x())
        tips = (tr("Solo"), tr("Lock"), tr("Hide"))
        whole = self._rows[number].title if number >= 0 else ""
        self.viewport().setToolTip(tips[switch] if number >= 0 and switch is not None else whole)
        if number != self._hovered:
            self._hovered = number
            self.viewport().update()

    def leaveEvent(self, event: object) -> None:
        self._hovered = -1
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()
