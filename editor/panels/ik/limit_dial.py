"""A small drawing of one joint limit: the sector a joint may turn in, the cone it may lean in, where it stands."""

from math import cos, radians, sin

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from core.rig.rig import LimitKind
from editor.model.i18n import tr
from editor.panels.ik.view_model import LimitRow
from editor.qt.theme import Theme

SIZE = 44


class LimitDial(QWidget):
    """Draws; does not edit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._row: LimitRow | None = None
        self.setFixedSize(QSize(SIZE, SIZE))
        theme.changed.connect(self.update)

    def show_row(self, row: LimitRow) -> None:
        """Show another joint, or the same one turned."""
        if row != self._row:
            self._row = row
            self.setToolTip(_told(row))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        row = self._row
        if row is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        face = QRectF(3.5, 3.5, SIZE - 7, SIZE - 7)
        painter.setPen(QPen(self._theme.color("border"), 1.0))
        painter.setBrush(self._theme.color("field"))
        painter.drawEllipse(face)
        if row.limit is not None:
            self._sector(painter, face, row)
        self._needle(painter, face, row)

    def _sector(self, painter: QPainter, face: QRectF, row: LimitRow) -> None:
        limit = row.limit
        assert limit is not None
        tint = QColor(self._theme.color("accent" if row.within else "error"))
        fill = QColor(tint)
        fill.setAlphaF(0.22)
        painter.setPen(QPen(tint, 1.5))
        painter.setBrush(fill)
        span = min(limit.maximum - limit.minimum, 360.0)
        painter.drawPie(face, round((90.0 - limit.maximum) * 16), round(span * 16))
        if limit.kind is LimitKind.CONE_TWIST:  # the cone, as the share of a half turn
            share = face.width() / 2.0 * min(limit.cone, 180.0) / 180.0
            painter.setBrush(Qt.BrushStyle.NoBrush)
            rim = "accent" if row.lean <= limit.cone + 1.0 else "error"
            painter.setPen(QPen(self._theme.color(rim), 1.0, Qt.PenStyle.DotLine))
            painter.drawEllipse(face.center(), share, share)

    def _needle(self, painter: QPainter, face: QRectF, row: LimitRow) -> None:
        centre, reach = face.center(), face.width() / 2.0 - 1.0
        angle = radians(row.turn)
        tip = centre + QPointF(sin(angle), -cos(angle)) * reach
        painter.setPen(QPen(self._theme.color("key"), 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(centre, tip)


def _told(row: LimitRow) -> str:
    if row.limit is None:
        return tr("{bone}: no limit", bone=row.bone)
    limit = row.limit
    text = tr(
        "{bone}: twist {turn}° within {low}° to {high}°",
        bone=row.bone, turn=f"{row.turn:.1f}", low=f"{limit.minimum:g}", high=f"{limit.maximum:g}",
    )  # fmt: skip
    if limit.kind is LimitKind.CONE_TWIST:
        text += tr(", swing {lean}° of {cone}°", lean=f"{row.lean:.1f}", cone=f"{limit.cone:g}")
    return text
