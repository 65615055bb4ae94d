"""The scrub bar, painted: ruler, speed, gait, ground, slip, a span, and the playhead."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent

from editor.model.i18n import tr
from editor.panels.play_run.view_model import LANES, LEFT, RIGHT, RULER, ScrubModel
from editor.qt import tokens
from editor.qt.keys import plain_key
from editor.qt.panel import PanelContext
from editor.qt.time_lanes import TimeLanes

KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Escape)
SHARES = {"speed": 2.0, "gait": 1.0, "ground": 1.0, "slip": 1.5}
"""Heights of the lanes to each other."""
LEVELS = ("dim", "accent", "pending", "warning", "error")
"""Colours of bars by their level."""


class ScrubBar(TimeLanes):
    """Lanes of a `ScrubModel`; a drag goes back in the run."""

    def __init__(self, context: PanelContext, model: ScrubModel) -> None:
        super().__init__("playBar", tr("Played run"), context.window, KEYS)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMinimumSize(240, 84)
        self._theme, self.model = context.theme, model
        context.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Four lanes."""
        return QSize(800, 130)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, model = QPainter(self), self._theme, self.model
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("panel"))
        area = QRectF(LEFT, 0.0, self.width() - LEFT - RIGHT, self.height())
        painter.fillRect(QRectF(LEFT, RULER, area.width(), area.height() - RULER - 4), theme.color("field"))
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        self._ruler(painter)
        if model.run is None:
            painter.setPen(theme.color("dim"))
            painter.drawText(
                area, Qt.AlignmentFlag.AlignCenter, tr("Play the character: every step is kept here")
            )
            painter.end()
            return
        top, whole = float(RULER), self.height() - RULER - 4.0
        for lane in LANES:
            high = whole * SHARES[lane] / sum(SHARES.values())
            self._lane(painter, lane, QRectF(LEFT, top, area.width(), high))
            top += high
        self._span(painter)
        self._head(painter)
        painter.end()

    def _ruler(self, painter: QPainter) -> None:
        theme = self._theme
        for x, text in self.model.ticks():
            painter.setPen(QPen(theme.color("divider"), 1))
            painter.drawLine(QPointF(x, RULER - 4), QPointF(x, self.height() - 4))
            painter.setPen(theme.color("dim"))
            if x + 40 < self.width():
                painter.drawText(QPointF(x + 3, RULER - 6), text)

    def _lane(self, painter: QPainter, lane: str, box: QRectF) -> None:
        theme = self._theme
        painter.setPen(theme.color("dim"))
        side = QRectF(8, box.top(), LEFT - 14, box.height())
        painter.drawText(
            side, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.model.title(lane)
        )
        painter.setPen(QPen(theme.color("divider"), 1))
        painter.drawLine(QPointF(box.left(), box.bottom()), QPointF(box.right(), box.bottom()))
        if lane in ("speed", "slip"):
            points = self.model.line(lane)
            if len(points) > 1:
                color = theme.color("accent" if lane == "speed" else "warning")
                painter.setPen(QPen(color, 1.5))
                bottom, high = box.bottom() - 2.0, box.height() - 4.0
                row = [QPointF(self.model.x(float(step)), bottom - high * float(y)) for step, y in points]
                painter.drawPolyline(QPolygonF(row))
            return
        for bar in self.model.bars(lane):
            if not bar.text or (lane == "gait" and bar.level == 0):
                continue
            left, right = self.model.x(bar.first), self.model.x(bar.last)
            shape = QRectF(left + 0.5, box.top() + 2.0, max(right - left - 1.0, 1.0), box.height() - 4.0)
            level = LEVELS[bar.level if lane == "ground" else 1]
            alpha = 0.35 if lane == "ground" else (0.0, 0.18, 0.34, 0.55)[bar.level]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(level, alpha))
            painter.drawRoundedRect(shape, 3.0, 3.0)
            if shape.width() > 44.0:
                painter.setPen(theme.color("text"))
                painter.drawText(shape.adjusted(5, 0, -2, 0), Qt.AlignmentFlag.AlignVCenter, bar.text)

    def _span(self, painter: QPainter) -> None:
        span = self.model.play.span
        if span is None:
            return
        left, right = self.model.x(span[0]), self.model.x(span[1])
        painter.fillRect(
            QRectF(left, RULER, right - left, self.height() - RULER - 4), self._theme.color("accent", 0.16)
        )
        painter.setPen(QPen(self._theme.color("accent"), 1))
        for x in (left, right):
            painter.drawLine(QPointF(x, RULER - 6), QPointF(x, self.height() - 4))

    def _head(self, painter: QPainter) -> None:
        run = self.model.run
        if run is None:
            return
        x, color = self.model.x(run.at), self._theme.color("accent")
        painter.setPen(QPen(color, 1))
        painter.drawLine(QPointF(x, 6), QPointF(x, self.height() - 4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([QPointF(x - 5, 2), QPointF(x + 5, 2), QPointF(x, 10)]))

    # ------------------------------------------------------------ mouse and keys
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.model.width = float(self.width())
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.model.press(
                event.position().x(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            )
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.model.dragging:
            self.model.move(event.position().x())
            self.update()
        else:
            self.say(tr("Drag to go back in the run · Shift+drag chooses a span · ← → step · Esc drops it"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.model.release(event.position().x())
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = plain_key(event)
        work = None if key is None else self._commands().get(key)
        if work is None:
            super().keyPressEvent(event)
        else:
            work()

    def _commands(self) -> dict[Qt.Key, Callable[[], object]]:
        """What keys do here, while there is a run."""
        play, run = self.model.play, self.model.run
        if run is None:
            return {}
        places = {
            Qt.Key.Key_Left: run.at - 1, Qt.Key.Key_Right: run.at + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(run)
        }  # fmt: skip
        return {
            **{key: partial(play.goto, place) for key, place in places.items()},
            Qt.Key.Key_Escape: lambda: play.set_span(None),
        }
