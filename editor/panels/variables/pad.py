"""A square pad that sets two numbers at once by dragging a point."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.theme import Theme

MARGIN = 10.0
SQUARE_FROM, WIDE = 110.0, 220.0
"""Pixels of height from which the field is square; of width where it is lower."""
STEP = 0.05
"""Share of the range that an arrow key moves by."""
ARROWS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, 1.0),
    Qt.Key.Key_Down: (0.0, -1.0),
}


class Pad(QWidget):
    """Sends `moved` with two shares 0..1 of the ranges, right and up.

    Arrow keys move the point, a double click or Home puts it to where 0 is; with `springs` it goes back there when
    released.
    """

    moved = Signal(float, float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("variablePad")
        self.setAccessibleName(tr("2D pad"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFixedHeight(150)
        self._theme = theme
        self._point = (0.5, 0.5)
        self._home = (0.5, 0.5)
        self._before: tuple[float, float] | None = None
        self._words = ("", "")
        self.springs = False

    def sizeHint(self) -> QSize:
        """Square."""
        return QSize(150, 150)

    def show_point(
        self, point: tuple[float, float], home: tuple[float, float], words: tuple[str, str]
    ) -> None:
        """Show where the numbers are; `home` is where both are 0."""
        if self._before is None and (point, home, words) != (self._point, self._home, self._words):
            self._point, self._home, self._words = point, home, words
            self.update()

    @property
    def area(self) -> QRectF:
        """The field in which the point lies: square where there is the height for it, else wider than high."""
        room, high = self.width() - 2 * MARGIN, self.height() - 2 * MARGIN
        wide = min(high if high >= SQUARE_FROM else WIDE, room)
        return QRectF((self.width() - wide) / 2.0, MARGIN, wide, min(high, wide))

    def place(self, x: float, y: float) -> QPointF:
        """Pixel of two shares."""
        area = self.area
        return QPointF(area.left() + x * area.width(), area.bottom() - y * area.height())

    # ------------------------------------------------------------ mouse and keys
    def _go(self, x: float, y: float) -> None:
        self._point = (min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0))
        self.update()
        self.moved.emit(*self._point)

    def _follow(self, event: QMouseEvent) -> None:
        area, at = self.area, event.position()
        self._go((at.x() - area.left()) / area.width(), (area.bottom() - at.y()) / area.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._before = self._point
            self._follow(event)
        elif event.button() == Qt.MouseButton.RightButton and self._before is not None:
            self._cancel()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._before is not None:
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._before is not None and event.button() == Qt.MouseButton.LeftButton:
            self._before = None
            if self.springs:
                self._go(*self._home)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._go(*self._home)

    def _cancel(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            self._go(*before)

    def event(self, event: QEvent) -> bool:
        if keeps(event, (*ARROWS, Qt.Key.Key_Home, Qt.Key.Key_Escape)):
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        step = STEP / 5 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else STEP
        if key in ARROWS:
            dx, dy = ARROWS[Qt.Key(key)]
            self._go(self._point[0] + dx * step, self._point[1] + dy * step)
        elif key == Qt.Key.Key_Home:
            self._go(*self._home)
        elif key == Qt.Key.Key_Escape and self._before is not None:
            self._cancel()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, area = QPainter(self), self._theme, self.area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent" if self.hasFocus() else "border"), 1))
        painter.setBrush(theme.color("field"))
        painter.drawRoundedRect(area.adjusted(-0.5, -0.5, 0.5, 0.5), tokens.RADIUS, tokens.RADIUS)
        home = self.place(*self._home)
        painter.setPen(QPen(theme.color("divider"), 1))
        painter.drawLine(QPointF(area.left(), home.y()), QPointF(area.right(), home.y()))
        painter.drawLine(QPointF(home.x(), area.top()), QPointF(home.x(), area.bottom()))
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(theme.color("dim"))
        across, up = self._words
        inside = area.adjusted(6, 4, -6, -4)
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, across)
        painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, up)
        point, color = self.place(*self._point), theme.color("preview_point")
        painter.setPen(QPen(theme.color("preview_point", 0.45), 1))
        painter.drawLine(QPointF(area.left(), point.y()), QPointF(area.right(), point.y()))
        painter.drawLine(QPointF(point.x(), area.top()), QPointF(point.x(), area.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(point, 5.0, 5.0)
        painter.end()
