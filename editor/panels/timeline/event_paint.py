"""How one event of a clip is drawn on its lane, and what is said of it."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from core.timing import FrameRate, frame_text
from editor.model.i18n import tr
from editor.qt.event_marks import color_of as name_color
from editor.qt.event_marks import paint_mark
from editor.qt.theme import Theme
from editor.tools import clip_events
from editor.tools.clip_events import ClipEvent, Kind, Lane
from editor.tools.span_part import Part

TEXT = 4.0
"""Pixels beside a name."""
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
DIAMOND = ((0.0, -5.5), (5.0, 0.0), (0.0, 5.5), (-5.0, 0.0))


def color_of(event: ClipEvent) -> str:
    """The colour an event is drawn in: its own, else one that events of its name have in common."""
    return name_color(event.name, event.color)


def paint_event(
    painter: QPainter, theme: Theme, event: ClipEvent, rect: QRectF, chosen: bool, hovered: bool
) -> None:
    """Draw an event in its rectangle."""
    if event.lane.kind is Kind.NOTIFY:
        paint_mark(painter, theme, clip_events.notify_of(event), rect, chosen, hovered)
        return
    fill = QColor(color_of(event))
    fill.setAlphaF(1.0 if chosen or hovered else 0.8)
    painter.setPen(QPen(theme.color("selection"), 1.5) if chosen else Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    if event.duration > 0.0:  # a contact, which its lane names
        painter.drawRoundedRect(rect, 2.5, 2.5)
        return
    middle = rect.center()
    painter.drawPolygon(QPolygonF([QPointF(middle.x() + dx, middle.y() + dy) for dx, dy in DIAMOND]))
    painter.setPen(theme.ink("selection" if chosen else "text"))
    painter.drawText(QRectF(rect.right() + 1.0, rect.top(), 400.0, rect.height()), LEFT, event.name)


def tip_of(hit: tuple[ClipEvent, Part] | None, lane: Lane | None, rate: FrameRate) -> str:
    """What is said of the event, or the lane, under the pointer."""
    if hit is None:
        return tr("{lane}: double-click to add one", lane=lane.title) if lane is not None else ""
    event = hit[0]
    first, last = (frame_text(rate.to_frame(time)) for time in (event.time, event.end))
    where = tr("frame {first}", first=first)
    if event.duration > 0.0:
        where = tr("frames {first} to {last}", first=first, last=last)
    return f"{event.name} · {where}\n" + tr("Drag it or an end of it; double-click renames; Delete deletes")
