"""How notifies, sync markers and contacts are drawn on lanes: by shape what they are, by colour which."""

from zlib import crc32

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from core.clips.clip import Notify
from editor.qt import tokens
from editor.qt.theme import Theme

TEXT = 4.0
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


def color_of(name: str, given: str = "") -> str:
    """The colour given, else one that events of a name have in common."""
    if given and QColor(given).isValid():
        return given
    return tokens.EVENT_COLORS[crc32(name.encode("utf-8")) % len(tokens.EVENT_COLORS)][1]


def paint_mark(
    painter: QPainter, theme: Theme, notify: Notify, rect: QRectF, chosen: bool = False, hovered: bool = False
) -> None:
    """A notify: a moment is a diamond with its name, a state a bar; branching ones have a fork and a notched front.

    A bar with a condition has a dashed lower edge.
    """
    fill = QColor(color_of(notify.name, notify.data.get("color", "")))
    fill.setAlphaF(1.0 if chosen or hovered else 0.8)
    painter.setPen(QPen(theme.color("selection"), 1.5) if chosen else Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    if notify.duration > 0.0:
        _bar(painter, notify, rect)
    else:
        _moment(painter, theme, notify, rect, chosen)


def _bar(painter: QPainter, notify: Notify, rect: QRectF) -> None:
    branching = notify.rule.branching
    if branching:
        notch = min(5.0, rect.width() / 3.0)
        path = QPainterPath(rect.topLeft())
        for x, y in (
            (rect.right(), rect.top()), (rect.right(), rect.bottom()), (rect.left(), rect.bottom()),
            (rect.left() + notch, rect.center().y()),
        ):  # fmt: skip
            path.lineTo(x, y)
        path.closeSubpath()
        painter.drawPath(path)
    else:
        painter.drawRoundedRect(rect, 2.5, 2.5)
    ink = QColor(tokens.ON_EVENT)
    if notify.rule.condition:
        pen = QPen(ink, 1.5)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.drawLine(QLineF(rect.left() + 3, rect.bottom() - 1.5, rect.right() - 3, rect.bottom() - 1.5))
    room = rect.adjusted(TEXT + (14.0 if branching else 0.0), 0.0, -TEXT, 0.0)
    if branching and rect.width() > 22.0:
        fork(painter, QPointF(rect.left() + 11.0, rect.center().y()), ink)
    painter.setPen(ink)
    text = painter.fontMetrics().elidedText(
        notify.name, Qt.TextElideMode.ElideRight, int(max(room.width(), 0.0))
    )
    painter.drawText(room, LEFT, text)


def _moment(painter: QPainter, theme: Theme, notify: Notify, rect: QRectF, chosen: bool) -> None:
    middle = rect.center()
    if notify.rule.branching:  # a square with a fork: told apart without colour
        square = QRectF(middle.x() - 6.0, middle.y() - 6.0, 12.0, 12.0)
        painter.drawRoundedRect(square, 2.0, 2.0)
        fork(painter, middle, QColor(tokens.ON_EVENT))
    else:
        points = ((0.0, -5.5), (5.0, 0.0), (0.0, 5.5), (-5.0, 0.0))
        painter.drawPolygon(QPolygonF([QPointF(middle.x() + dx, middle.y() + dy) for dx, dy in points]))
    painter.setPen(theme.ink("selection" if chosen else "text"))
    painter.drawText(QRectF(rect.right() + 2.0, rect.top(), 400.0, rect.height()), LEFT, notify.name)


def fork(painter: QPainter, at: QPointF, color: QColor) -> None:
    """The sign of branching: one line that parts into two."""
    painter.setPen(QPen(color, 1.4))
    x, y = at.x(), at.y()
    painter.drawLines(
        [
            QLineF(x - 4, y, x - 0.5, y),
            QLineF(x - 0.5, y, x + 3.5, y - 3.5),
            QLineF(x - 0.5, y, x + 3.5, y + 3.5),
        ]
    )
