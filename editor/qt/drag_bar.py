"""A bar with a handle that is dragged live and springs back: tells the gesture, and knows nothing of what it does."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from editor.qt import tokens
from editor.qt.theme import Theme

PAD = 14.0
HANDLE = 12.0
LABEL = 40.0


@dataclass(frozen=True, slots=True)
class Scale:
    """Values along a bar.

    Parameters
    ----------
    low, high : at its ends
    labelled : values with a number below them
    lines : values with a line across: where the goals are
    ticks : further values with a short tick
    rest : where the handle goes back to
    step : what values are rounded to; 0 for none
    snap : what they are rounded to with Ctrl held
    factor : of the numbers that are shown
    magnet : pixels within which the goals and the rest draw the handle
    """

    low: float
    high: float
    labelled: tuple[float, ...]
    lines: tuple[float, ...]
    ticks: tuple[float, ...] = ()
    rest: float = 0.0
    step: float = 0.0
    snap: float = 0.05
    factor: float = 1.0
    magnet: float = 0.0


class DragBar(QWidget):
    """A bar with a handle; tells press, drag, release and Escape.

    Parameters
    ----------
    theme : colours and fonts
    name : of the widget
    scale : values along the bar
    ready : asked on a press; False refuses it
    track : height of the trough in pixels
    top : pixels above it

    Attributes
    ----------
    dragged, released, cancelled : the gesture; `dragged` carries the value
    """

    dragged = Signal(float)
    released = Signal()
    cancelled = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        scale: Scale,
        ready: Callable[[], bool],
        track: float = 24.0,
        top: float = 5.0,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self._theme, self._ready, self._scale = theme, ready, scale
        self._track, self._top = track, top
        self._rest = scale.rest
        self._value: float | None = None
        self._grab = 0.0
        self._hover = False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(220, round(self._top + self._track + 15.0))

    minimumSizeHint = sizeHint

    # ------------------------------------------------------------ values
    @property
    def share(self) -> float:
        """What the handle shows."""
        return self._rest if self._value is None else self._value

    @property
    def held(self) -> bool:
        """Whether the handle is being dragged."""
        return self._value is not None

    @property
    def scale(self) -> Scale:
        """Values along the bar."""
        return self._scale

    def set_scale(self, scale: Scale) -> None:
        """Take other values; a drag under way ends without effect."""
        if scale == self._scale:
            return
        if self.held:
            self._end()
            self.cancelled.emit()
        self._scale, self._rest = scale, scale.rest
        self.update()

    def rest_at(self, value: float) -> None:
        """Where the handle goes back to."""
        if value != self._rest:
            self._rest = value
            self.update()

    def x_of(self, value: float) -> float:
        """Where a value is, in pixels."""
        low, high = self._scale.low, self._scale.high
        room = self.width() - 2 * PAD
        return PAD + room * (min(max(value, low), high) - low) / (high - low)

    def _value_at(self, x: float) -> float:
        low, high = self._scale.low, self._scale.high
        room = max(self.width() - 2 * PAD, 1.0)
        return min(max(low + (x - PAD) / room * (high - low), low), high)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton and self.held:
            self._end()
            self.cancelled.emit()
            return
        if event.button() != Qt.MouseButton.LeftButton or self.held or not self._ready():
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        x = event.position().x()
        handle = self.x_of(self._rest)
        self._grab = handle - x if abs(handle - x) <= HANDLE else 0.0
        self._value = self._rest
        if not self._grab and abs(handle - x) > HANDLE:
            self._to(event)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.held and event.buttons() & Qt.MouseButton.LeftButton:
            self._to(event)
        elif not self.held:
            hover = abs(event.position().x() - self.x_of(self._rest)) <= HANDLE
            if hover != self._hover:
                self._hover = hover
                self.update()

    def _to(self, event: QMouseEvent) -> None:
        x = event.position().x() + self._grab
        value = self._value_at(x)
        snapping = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        step = self._scale.snap if snapping else self._scale.step
        if step:
            value = round(value / step) * step
        near = min((*self._scale.lines, self._scale.rest), key=lambda goal: abs(self.x_of(goal) - x))
        if abs(self.x_of(near) - x) <= self._scale.magnet and not snapping:
            value = near
        if value != self._value:
            self._value = value
            self.dragged.emit(value)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.held:
            self._end()
            self.released.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = False
        self.update()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.held:
            event.accept()  # while it is dragged, Escape is ours
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.held and event.key() == Qt.Key.Key_Escape:
            self._end()
            self.cancelled.emit()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.held:
            self._end()
            self.cancelled.emit()
        super().focusOutEvent(event)

    def _end(self) -> None:
        self._value = None
        self.update()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, scale = QPainter(self), self._theme, self._scale
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, here = self.isEnabled(), self.x_of(self.share)
        top, track = self._top, self._track
        trough = QRectF(PAD - 6, top, self.width() - 2 * PAD + 12, track)
        painter.setPen(QPen(theme.color("border"), 1.0))
        painter.setBrush(theme.color("field"))
        painter.drawRoundedRect(trough, tokens.RADIUS, tokens.RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        first, last = self.x_of(scale.lines[0]), self.x_of(scale.lines[-1])
        painter.drawRect(QRectF(first, top + 1, last - first, track - 2))
        if on and self.share != self._rest:
            start = self.x_of(self._rest)
            painter.setBrush(theme.color("accent", 0.35))
            painter.drawRect(QRectF(min(start, here), top + 1, abs(here - start), track - 2))
        painter.setPen(QPen(theme.color("disabled"), 1.0))
        for value in scale.ticks:
            x, length = round(self.x_of(value)) + 0.5, min(5.0, track / 2.0)
            painter.drawLine(QPointF(x, top + track - 1 - length), QPointF(x, top + track - 1))
        painter.setPen(QPen(theme.color("disabled" if not on else "dim"), 1.0))
        for value in scale.lines:
            x = round(self.x_of(value)) + 0.5
            painter.drawLine(QPointF(x, top + 1), QPointF(x, top + track - 1))
        self._paint_handle(painter, here, on)
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(theme.color("dim" if on else "disabled"))
        for value in scale.labelled:
            text = f"{scale.factor * value:.0f}".replace("-", "−")
            area = QRectF(self.x_of(value) - LABEL / 2, top + track + 1, LABEL, 14)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _paint_handle(self, painter: QPainter, x: float, on: bool) -> None:
        theme = self._theme
        token = "accent" if on and (self.held or self._hover) else ("text" if on else "disabled")
        painter.setPen(QPen(theme.color("panel"), 1.0))
        painter.setBrush(theme.color(token))
        painter.drawRoundedRect(QRectF(x - 4, self._top - 3, 8, self._track + 6), 3.0, 3.0)
