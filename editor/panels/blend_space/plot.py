"""The plot of a blend space: axes, grid or triangles, samples, the point with crosshair and trail."""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.blending.blend_space import BlendSpace, SpaceKind
from editor.model.blending.live import TRAIL
from editor.model.i18n import tr
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.qt import tokens
from editor.qt.pointer import modifiers_of, pointer_at
from editor.qt.theme import Theme
from editor.tools.blending.plot import PlotFrame, ticks
from editor.tools.pointer import Button, Pointer

MIME_TYPE = "application/x-posewright-clip"
LEFT, TOP, RIGHT, BOTTOM = 40.0, 14.0, 14.0, 34.0
LINE_HEIGHT = 96
POINT = 6.0
SLIP_FULL = 0.2
"""Foot slip in metres a second that the map paints in full red."""
KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class SpacePlot(QWidget):
    """Paints the open space and hands what mouse and keys do to the model.

    `edit_wanted` tells that a sample was double-clicked (its number), or empty ground (−1).
    """

    edit_wanted = Signal(int, QPointF)
    hint_wanted = Signal(str)
    dragged = Signal()

    def __init__(self, model: BlendSpaceModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model, self.theme = model, theme
        self._dropping: QPointF | None = None
        self._heat: tuple[object, str, QImage] | None = None
        self.setObjectName("blendPlot")
        self.setAccessibleName(tr("Blend space"))
        self.setAcceptDrops(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    # ------------------------------------------------------------ layout
    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        space = self.model.space
        if space is not None and len(space.axes) == 1:
            return LINE_HEIGHT
        return round(width - LEFT - RIGHT + TOP + BOTTOM)

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(300))

    def minimumSizeHint(self) -> QSize:
        return QSize(180, LINE_HEIGHT)

    def frame(self) -> PlotFrame | None:
        """The layout of the open space; a plane is square."""
        space = self.model.space
        if space is None:
            return None
        wide, high = self.width() - LEFT - RIGHT, self.height() - TOP - BOTTOM
        if len(space.axes) == 1:
            side = LEFT / 2.0
            return PlotFrame(space, side, TOP, max(self.width() - 2 * side, 20.0), max(high, 20.0))
        edge = max(min(wide, high), 20.0)
        return PlotFrame(space, LEFT + (wide - edge) / 2.0, TOP, edge, edge)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = self.frame()
        if frame is not None:
            self._paint_ground(painter, frame)
            self._paint_cells(painter, frame)
            self._paint_axes(painter, frame)
            self._paint_trail(painter, frame)
            self._paint_samples(painter, frame)
            self._paint_point(painter, frame)
            self._paint_drop(painter, frame)
        painter.end()

    def _paint_ground(self, painter: QPainter, frame: PlotFrame) -> None:
        box = _box(frame)
        painter.setPen(QPen(self.theme.color("accent" if self.hasFocus() else "border"), 1))
        painter.setBrush(self.theme.color("field"))
        painter.drawRoundedRect(box, tokens.RADIUS, tokens.RADIUS)
        slip = self.model.slip
        if slip is not None and slip.space is self.model.spaces.committed:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setOpacity(0.55)
            painter.drawImage(box, self._heat_of(slip.values))
            painter.setOpacity(1.0)

    def _heat_of(self, values: np.ndarray) -> QImage:
        """Foot slip as colours: none green, `SLIP_FULL` and above red, transparent where unknown."""
        key = (id(values), self.theme.tokens.name)
        if self._heat is not None and self._heat[0] is values and self._heat[1] == key[1]:
            return self._heat[2]
        grid = values if values.ndim == 2 else values[:, None]
        known = np.isfinite(grid)
        share = np.clip(np.where(known, grid, 0.0) / SLIP_FULL, 0.0, 1.0)
        stops = [self.theme.color(name) for name in ("ok", "warning", "error")]
        colors = np.array([[c.red(), c.green(), c.blue()] for c in stops], dtype=np.float64)
        mixed = np.stack([np.interp(share, (0.0, 0.5, 1.0), colors[:, k]) for k in range(3)], axis=-1)
        picture = np.zeros((*grid.shape, 4), np.uint8)
        picture[..., :3] = mixed
        picture[..., 3] = np.where(known, 255, 0)
        rows = np.ascontiguousarray(picture.transpose(1, 0, 2)[::-1])
        image = QImage(
            rows.tobytes(), rows.shape[1], rows.shape[0], rows.shape[1] * 4, QImage.Format.Format_RGBA8888
        )
        self._heat = (values, key[1], image.copy())
        return self._heat[2]

    def _paint_cells(self, painter: QPainter, frame: PlotFrame) -> None:
        """Grid lines or triangles, faint; the one that holds the point tinted."""
        space, field = frame.space, self.model.live.field
        faint = QPen(self.theme.color("border"), 1)
        tint = self.theme.color("accent", 0.1 if self.theme.tokens.dark else 0.14)
        painter.save()
        painter.setClipRect(_box(frame))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        point = self.model.live.shown_point
        if space.kind is SpaceKind.TRIANGLES and field is not None and len(field.triangles):
            low = np.array([a.minimum for a in space.axes])
            extent = np.array([a.extent for a in space.axes])
            places = field.places * extent + low
            weights = self.model.live.weights
            for corners in field.triangles:
                shape = QPolygonF([QPointF(*frame.pixel(tuple(places[c]))) for c in corners])
                inside = _holds(places[corners], np.array(point))
                painter.setPen(faint)
                painter.setBrush(tint if inside and weights.any() else Qt.BrushStyle.NoBrush)
                painter.drawPolygon(shape)
        else:
            self._paint_grid(painter, frame, field, point, faint, tint)
        painter.restore()

    def _paint_grid(self, painter, frame: PlotFrame, field, point, faint: QPen, tint: QColor) -> None:
        space = frame.space
        lines = [np.linspace(a.minimum, a.maximum, a.divisions + 1) for a in space.axes]
        own = getattr(field, "lines", None)
        if own is not None and space.kind is SpaceKind.GRID:
            lines = [u * a.extent + a.minimum for u, a in zip(own, space.axes, strict=True)]
        if space.kind is SpaceKind.LINE:
            stops = sorted(
                {s.place[0] for s in space.samples} | {space.axes[0].minimum, space.axes[0].maximum}
            )
            lines = [np.array(stops)]
        cell = [
            int(np.clip(np.searchsorted(stops, value, side="right") - 1, 0, len(stops) - 2))
            for stops, value in zip(lines, point, strict=True)
        ]
        first = frame.pixel(tuple(stops[c] for stops, c in zip(lines, cell, strict=True)))
        last = frame.pixel(tuple(stops[c + 1] for stops, c in zip(lines, cell, strict=True)))
        if len(lines) == 1:
            first, last = (first[0], frame.top + frame.height), (last[0], frame.top)
        if space.samples:
            painter.fillRect(QRectF(QPointF(first[0], last[1]), QPointF(last[0], first[1])), tint)
        painter.setPen(faint)
        for x in (frame.pixel((v, *(a.minimum for a in space.axes[1:])))[0] for v in lines[0][1:-1]):
            painter.drawLine(QPointF(x, frame.top), QPointF(x, frame.top + frame.height))
        if len(lines) > 1:
            for y in (frame.pixel((space.axes[0].minimum, v))[1] for v in lines[1][1:-1]):
                painter.drawLine(QPointF(frame.left, y), QPointF(frame.left + frame.width, y))

    def _paint_axes(self, painter: QPainter, frame: PlotFrame) -> None:
        painter.setFont(self.theme.font(tokens.CAPTION, tabular=True))
        metrics = QFontMetricsF(painter.font())
        space, bottom = frame.space, frame.top + frame.height
        center = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        rest = tuple(a.minimum for a in space.axes[1:])
        painter.setPen(self.theme.color("dim"))
        for value in ticks(space.axes[0], frame.width):
            x = frame.pixel((value, *rest))[0]
            painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + 3))
            half = metrics.horizontalAdvance(_number(value)) / 2 + 1
            x = min(max(x, half), self.width() - half)
            painter.drawText(QRectF(x - 30, bottom + 3, 60, 14), center, _number(value))
        title = _title(space, 0)
        painter.drawText(QRectF(frame.left, bottom + 17, frame.width, 15), center, title)
        if len(space.axes) == 1:
            return
        for value in ticks(space.axes[1], frame.height):
            y = frame.pixel((space.axes[0].minimum, value))[1]
            painter.drawLine(QPointF(frame.left - 3, y), QPointF(frame.left, y))
            painter.drawText(QRectF(frame.left - 34, y - 8, 29, 16), right, _number(value))
        painter.save()
        painter.translate(frame.left - 38, frame.top + frame.height / 2)
        painter.rotate(-90)
        painter.drawText(QRectF(-frame.height / 2, -2, frame.height, 15), center, _title(space, 1))
        painter.restore()

    def _paint_trail(self, painter: QPainter, frame: PlotFrame) -> None:
        trail = list(self.model.live.trail)
        if len(trail) < 2:
            return
        now = trail[-1][0]
        painter.save()
        painter.setClipRect(_box(frame))
        for (_, a), (then, b) in pairwise(trail):
            start, end = QPointF(*frame.pixel(a)), QPointF(*frame.pixel(b))
            if len(a) != len(frame.space.axes) or (start - end).manhattanLength() > frame.width / 2:
                continue  # round the back of a wrapped axis
            age = min(max((now - then) / TRAIL, 0.0), 1.0)
            painter.setPen(QPen(self.theme.color("preview_point", 0.7 * (1.0 - age)), 2))
            painter.drawLine(start, end)
        painter.restore()

    def _paint_samples(self, painter: QPainter, frame: PlotFrame) -> None:
        painter.setFont(self.theme.font(tokens.CAPTION))
        metrics = QFontMetricsF(painter.font())
        taken: list[QRectF] = []
        rows = self.model.rows()
        for row in rows:
            center = QPointF(*frame.pixel(row.place))
            radius = 3.5 + 4.5 * float(np.sqrt(row.weight))
            active = row.number == self.model.selected
            painter.setPen(QPen(self.theme.color("field"), 1.5))
            color = "selection" if active else "accent" if row.weight > 0.0 else "dim"
            painter.setBrush(self.theme.color(color))
            painter.drawEllipse(center, radius, radius)
            if active or row.number == self.model.hovered:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.theme.color("selection" if active else "text"), 1.5))
                painter.drawEllipse(center, radius + 3, radius + 3)
        order = sorted(
            rows, key=lambda r: (r.number not in (self.model.hovered, self.model.selected), -r.weight)
        )
        for row in order:
            self._paint_name(painter, frame, metrics, row, taken)

    def _paint_name(self, painter: QPainter, frame: PlotFrame, metrics: QFontMetricsF, row, taken) -> None:
        """A sample's name beside its dot, where no other name is; never over another."""
        center = QPointF(*frame.pixel(row.place))
        room = min(frame.width * 0.6, 130.0)
        text = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, room)
        wide, high = metrics.horizontalAdvance(text) + 4, metrics.height()
        away = 10.0
        spots = (
            QPointF(-wide / 2, -away - high), QPointF(-wide / 2, away), QPointF(away, -high / 2),
            QPointF(-away - wide, -high / 2), QPointF(away - 4, -away - high), QPointF(-away - wide + 4, away - 2),
        )  # fmt: skip
        box = _box(frame).adjusted(1, 1, -1, -1)
        for spot in spots:
            place = QRectF(center + spot, QPointF(center + spot) + QPointF(wide, high))
            if place.left() < box.left() or place.right() > box.right():
                place.moveLeft(min(max(place.left(), box.left()), box.right() - wide))
            if box.contains(place) and not any(place.intersects(other) for other in taken):
                taken.append(place)
                painter.setPen(self.theme.color("text" if row.weight > 0.0 else "dim"))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                return

    def _paint_point(self, painter: QPainter, frame: PlotFrame) -> None:
        live, space = self.model.live, frame.space
        if not space.samples:
            painter.setPen(self.theme.color("dim"))
            painter.setFont(self.theme.font())
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            text = tr("Drag clips here from the clip list")
            painter.drawText(_box(frame).adjusted(16, 8, -16, -8), flags, text)
            return
        green = self.theme.color("preview_point")
        asked, shown = QPointF(*frame.pixel(live.point)), QPointF(*frame.pixel(live.shown_point))
        painter.setPen(QPen(self.theme.color("preview_point", 0.45), 1))
        painter.drawLine(QPointF(asked.x(), frame.top), QPointF(asked.x(), frame.top + frame.height))
        if len(space.axes) > 1:
            painter.drawLine(QPointF(frame.left, asked.y()), QPointF(frame.left + frame.width, asked.y()))
        if (asked - shown).manhattanLength() > 1.0:
            painter.setPen(QPen(green, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(shown, POINT - 1.5, POINT - 1.5)
        painter.setPen(QPen(self.theme.color("field"), 1.5))
        painter.setBrush(green)
        painter.drawEllipse(asked, POINT, POINT)
        self._paint_coordinates(painter, frame, asked)

    def _paint_coordinates(self, painter: QPainter, frame: PlotFrame, at: QPointF) -> None:
        values = zip(self.model.live.point, frame.space.axes, strict=True)
        text = "  ".join(f"{_number(value)}{_spaced(axis.unit)}" for value, axis in values)
        slip = self.model.slip_at()
        if slip is not None:
            text += tr("  slip {value} cm/s", value=f"{slip * 100:.1f}")
        painter.setFont(self.theme.font(tokens.CAPTION, tabular=True))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 10
        box = _box(frame)
        x = at.x() + 10 if at.x() + 10 + wide < box.right() else at.x() - 10 - wide
        y = at.y() + 10 if at.y() + 28 < box.bottom() else at.y() - 28
        plate = QRectF(max(x, box.left() + 2), y, wide, 17)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("raised", 0.92))
        painter.drawRoundedRect(plate, 3, 3)
        painter.setPen(self.theme.color("text"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_drop(self, painter: QPainter, frame: PlotFrame) -> None:
        if self._dropping is None:
            return
        center = QPointF(*frame.pixel(self._settled(self._dropping, frame)))
        painter.setPen(QPen(self.theme.color("accent"), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(self.theme.color("accent", 0.25))
        painter.drawEllipse(center, 8, 8)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.model.gesture is not None:
            if event.button() == Qt.MouseButton.RightButton:
                self.model.cancel()
        elif frame is not None and event.button() == Qt.MouseButton.LeftButton:
            self.model.press(_pointer(event), frame)
            self._hint()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if self.model.gesture is not None:
            self.model.move(_pointer(event))
            self.dragged.emit()
        elif frame is not None:
            self.model.hover(frame.sample_at(event.position().toTuple()))
            self._hint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.model.release(_pointer(event))
            self._hint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if frame is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.model.cancel()
        number = frame.sample_at(event.position().toTuple())
        self.edit_wanted.emit(-1 if number is None else number, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        if self.model.gesture is None:
            self.model.hover(None)
            self.hint_wanted.emit("")

    def _hint(self) -> None:
        gesture = self.model.gesture
        if gesture is not None:
            self.hint_wanted.emit(gesture.hint)
        elif self.model.hovered is not None:
            self.hint_wanted.emit(tr("Drag moves the sample, double click edits it, Delete removes it"))
        else:
            self.hint_wanted.emit(
                tr("Drag moves the point, arrows nudge it, Space plays, Shift always moves the point")
            )

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._wants(event):
            event.accept()
            return True
        return super().event(event)

    def _wants(self, event) -> bool:
        key, plain = Qt.Key(event.key()), not event.modifiers() & Qt.KeyboardModifier.AltModifier
        if key == Qt.Key.Key_Escape:
            return self.model.gesture is not None
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            return self.model.selected is not None
        if key == Qt.Key.Key_Space:
            return event.modifiers() == Qt.KeyboardModifier.NoModifier and self.model.live.player is not None
        return plain and key in KEYS and self.model.space is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in KEYS:
            self.model.nudge(KEYS[key], modifiers_of(event.modifiers()))
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.model.selected is not None:
            self.model.remove_selected()
        elif key == Qt.Key.Key_Escape and self.model.gesture is not None:
            self.model.cancel()
        elif key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.model.live.toggle()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # ------------------------------------------------------------ drops
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME_TYPE) and self.model.space is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasFormat(MIME_TYPE):
            self._dropping = event.position()
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._dropping = None
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        frame, self._dropping = self.frame(), None
        if frame is not None and event.mimeData().hasFormat(MIME_TYPE):
            clip = bytes(event.mimeData().data(MIME_TYPE).data()).decode("utf-8", "replace")
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.model.drop(clip, frame.place(event.position().toTuple()))
        self.update()

    def _settled(self, at: QPointF, frame: PlotFrame) -> tuple[float, ...]:
        place = frame.place(at.toTuple())
        return tuple(a.snapped(v) if a.snap else v for v, a in zip(place, frame.space.axes, strict=True))


def _box(frame: PlotFrame) -> QRectF:
    return QRectF(frame.left, frame.top, frame.width, frame.height)


def _number(value: float) -> str:
    return f"{value + 0.0:.4g}".replace("-", "−")


def _spaced(unit: str) -> str:
    return unit if unit in ("", "°", "%") else f" {unit}"


def _title(space: BlendSpace, number: int) -> str:
    axis = space.axes[number]
    return f"{axis.name} ({axis.unit})" if axis.unit else axis.name


def _holds(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether a triangle ``(3, 2)`` holds a point."""
    ends = np.roll(corners, -1, axis=0) - corners
    away = point - corners
    turns = ends[:, 0] * away[:, 1] - ends[:, 1] * away[:, 0]
    return all(t >= -1e-9 for t in turns) or all(t <= 1e-9 for t in turns)


def _pointer(event: QMouseEvent) -> Pointer:
    return pointer_at(event.position(), Button.LEFT, event.modifiers())
