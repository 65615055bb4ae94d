"""What the strips between ruler and rows of a timeline share: painting lanes, ends of spans, wheel and drags."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from editor.model.i18n import tr
from editor.panels.timeline.timeline_view import TimelineView
from editor.qt import tokens
from editor.qt.panel import PanelContext
from editor.qt.pointer import modifiers_of, pointer_at
from editor.qt.time_ruler import crisp
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.pointer import Button
from editor.tools.span_part import Part

EDGE = 5.0
"""Pixels around an end of a span within which the end is held."""


class LanePainter:
    """Paints the lanes of a strip: titles at the left, content over time, the playhead.

    Parameters
    ----------
    height : of a lane, in pixels
    """

    def __init__(self, strip: QWidget, context: PanelContext, view: TimelineView, height: int) -> None:
        self._strip = strip
        self._context = context
        self._view = view
        self._height = height

    def paint(
        self,
        titles: Sequence[tuple[str, bool]],
        content: Callable[[QPainter], None],
        playhead: float,
        depths: Sequence[int] | None = None,
    ) -> None:
        """Paint a strip.

        Parameters
        ----------
        titles : of each lane, and whether a line separates it from the lane above
        content : paints what lies on the lanes
        playhead : seconds where it is
        depths : how many heights each lane has; None is one each
        """
        strip, theme = self._strip, self._context.theme
        painter, color = QPainter(strip), theme.color
        width, height, labels = strip.width(), strip.height(), self._view.layout().labels
        over_time = QRectF(labels, 0, width - labels, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(strip.rect(), color("panel"))
        painter.fillRect(over_time, color("window"))
        painter.setFont(theme.font(tokens.CAPTION))
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        row = 0
        for (title, separated), depth in zip(titles, depths or [1] * len(titles), strict=True):
            top = row * self._height + 1.0
            row += depth
            if separated:
                painter.setPen(QPen(color("divider"), 1))
                painter.drawLine(QLineF(0, top + 0.5, width, top + 0.5))
            painter.setPen(color("dim"))
            painter.drawText(QRectF(8, top, labels - 16, self._height * depth), left, title)
        painter.setClipRect(over_time)
        content(painter)
        x = crisp(self._view.view_x(playhead), strip.devicePixelRatioF())
        painter.setPen(QPen(color("accent"), 1))
        painter.drawLine(QLineF(x, 0, x, height))
        painter.setClipping(False)
        painter.setPen(QPen(color("border"), 1))
        painter.drawLine(QLineF(labels - 0.5, 0, labels - 0.5, height))
        painter.drawLine(QLineF(0, height - 0.5, width, height - 0.5))
        painter.end()


class StripDrag:
    """The drag on a strip, with its hint in the window.

    Parameters
    ----------
    ended : called after a drag was finished
    """

    def __init__(self, context: PanelContext, ended: Callable[[], object] = lambda: None) -> None:
        self._window = context.window
        self._ended = ended
        self._host = GestureHost()

    @property
    def running(self) -> bool:
        """Whether something is dragged."""
        return self._host.current is not None

    def begin(self, gesture: Gesture, event: QMouseEvent) -> None:
        """Begin a drag at a press of the left button."""
        self._host.take(gesture, pointer_at(event.position(), Button.LEFT, event.modifiers()))
        self._window.set_hint(gesture.hint)

    def move(self, event: QMouseEvent) -> None:
        """The mouse moved: tell where the drag has come to."""
        self._host.move(pointer_at(event.position(), Button.LEFT, event.modifiers()))
        status = self._host.current.status if self._host.current is not None else ""
        if status:
            self._window.set_hint(status + " · " + tr("Esc cancels"))

    def release(self, event: QMouseEvent) -> None:
        """The button was released."""
        if self.running:
            self._host.release(pointer_at(event.position(), Button.LEFT, event.modifiers()))
            self._window.set_hint("")
            self._ended()

    def cancel(self) -> None:
        """Take the drag back."""
        if self._host.cancel():
            self._window.set_hint("")

    def wheel(self, view: TimelineView, event: QWheelEvent) -> None:
        """Zoom the time axis, unless something is dragged."""
        turned, place = event.angleDelta(), event.position()
        steps = (turned.y() or turned.x()) / 120.0
        if steps and not self.running:
            view.wheel(place.x(), 0.0, steps, modifiers_of(event.modifiers()))
        event.accept()


def part_at(rect: QRectF, x: float) -> Part:
    """What of a span is held at an x; a narrow span keeps a middle."""
    reach = min(EDGE, rect.width() / 4.0)
    if x <= rect.left() + reach:
        return Part.FIRST
    return Part.LAST if x >= rect.right() - reach else Part.WHOLE


def cursor_of(part: Part | None) -> Qt.CursorShape:
    """The cursor over a part of a span, or over nothing."""
    if part is None:
        return Qt.CursorShape.ArrowCursor
    return Qt.CursorShape.SizeAllCursor if part is Part.WHOLE else Qt.CursorShape.SizeHorCursor
