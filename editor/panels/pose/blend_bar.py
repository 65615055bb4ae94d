"""The blend bar: −50 % to 150 %, dragged live; it springs back to where the pose stands."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from editor.model.i18n import tr
from editor.model.posing.blend import LEAST, MOST
from editor.qt import tokens
from editor.qt.theme import Theme

PAD = 14.0
TRACK = 24.0
HANDLE = 12.0
STEP = 0.05
"""What Ctrl snaps to."""


class BlendBar(QWidget):
    """A bar with a handle; tells press, drag, release and Escape, and knows nothing of poses.

    Attributes
    ----------
    pressed, dragged, released, cancelled : the gesture; `dragged` carries the share
    ready : asked on a press; False refuses it
    """

    dragged = Signal(float)
    released = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, ready) -> None:
        super().__init__()
        self.setObjectName("blendBar")
        self.setAccessibleName(tr("Blend"))
        self._theme, self._ready = theme, ready
        self._rest = 0.0
        self._share: float | None = None
        self._grab = 0.0
        self._hover = False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(220, 44)

    minimumSizeHint = sizeHint

    @property
    def share(self) -> float:
        """What the handle shows."""
        return self._rest if self._share is None else self._share

    @property
    def held(self) -> bool:
        """Whether the handle is being dragged."""
        return self._share is not None

    def rest_at(self, share: float) -> None:
        """Where the handle goes back to."""
        if share != self._rest:
            self._rest = share
            self.update()

    def x_of(self, share: float) -> float:
        """Where a share stands, in pixels."""
        room = self.width() - 2 * PAD
        return PAD + room * (min(max(share, LEAST), MOST) - LEAST) / (MOST - LEAST)

    def _share_at(self, x: float) -> float:
        room = max(self.width() - 2 * PAD, 1.0)
        return min(max(LEAST + (x - PAD) / room * (MOST - LEAST), LEAST), MOST)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton and self.held:
            self._let_go()
            self.cancelled.emit()
            return
        if event.button() != Qt.MouseButton.LeftButton or self.held or not self._ready():
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        x = event.position().x()
        handle = self.x_of(self._rest)
        self._grab = handle - x if abs(handle - x) <= HANDLE else 0.0
        self._share = self._rest
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
        share = self._share_at(event.position().x() + self._grab)
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            share = round(share / STEP) * STEP
        if share != self._share:
            self._share = share
            self.dragged.emit(share)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.held:
            self._let_go()
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
            self._let_go()
            self.cancelled.emit()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.held:
            self._let_go()
            self.cancelled.emit()
        super().focusOutEvent(event)

    def _let_go(self) -> None:
        self._share = None
        self.update()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isEnabled()
        zero, one, here = self.x_of(0.0), self.x_of(1.0), self.x_of(self.share)
        top = 5.0
        trough = QRectF(PAD - 6, top, self.width() - 2 * PAD + 12, TRACK)
        painter.setPen(QPen(theme.color("border"), 1.0))
        painter.setBrush(theme.color("field"))
        painter.drawRoundedRect(trough, tokens.RADIUS, tokens.RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRect(QRectF(zero, top + 1, one - zero, TRACK - 2))
        if on and self.share != self._rest:
            start = self.x_of(self._rest)
            painter.setBrush(theme.color("accent", 0.35))
            painter.drawRect(QRectF(min(start, here), top + 1, abs(here - start), TRACK - 2))
        painter.setPen(QPen(theme.color("border"), 1.0))
        for share in (-0.25, 0.25, 0.5, 0.75, 1.25):
            x = round(self.x_of(share)) + 0.5
            painter.drawLine(QPointF(x, top + TRACK - 6), QPointF(x, top + TRACK - 1))
        painter.setPen(QPen(theme.color("disabled" if not on else "dim"), 1.0))
        for x in (zero, one):
            painter.drawLine(QPointF(round(x) + 0.5, top + 1), QPointF(round(x) + 0.5, top + TRACK - 1))
        self._paint_handle(painter, here, top, on)
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(theme.color("dim" if on else "disabled"))
        for share in (-0.5, 0.0, 0.5, 1.0, 1.5):
            text = f"{100 * share:.0f}".replace("-", "−")
            area = QRectF(self.x_of(share) - 20, top + TRACK + 1, 40, 14)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _paint_handle(self, painter: QPainter, x: float, top: float, on: bool) -> None:
        theme = self._theme
        token = "accent" if on and (self.held or self._hover) else ("text" if on else "disabled")
        painter.setPen(QPen(theme.color("panel"), 1.0))
        painter.setBrush(theme.color(token))
        painter.drawRoundedRect(QRectF(x - 4, top - 3, 8, TRACK + 6), 3.0, 3.0)
