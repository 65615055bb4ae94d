"""What moves on a blend space's plot: samples with names, the point with crosshair and trail, a clip held over it."""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from editor.model.blending.blend_clock import TRAIL
from editor.model.i18n import tr
from editor.panels.blend_space.ground import box_of, number_text, unit_text
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.tools.blending.plot import RING, Part, PlotFrame

POINT = 6.0
DOT = 5.0
"""Half the room that a sample's dot keeps free of names."""

LEAST_DOT, MOST_DOT = 3.0, 7.0
"""Radius of a sample's dot at weight 0 and 1."""


class MarksPainter:
    """Paints samples, point and trail."""

    def __init__(self, model: BlendSpaceModel, theme: Theme) -> None:
        self.model, self.theme = model, theme

    def paint(self, painter: QPainter, frame: PlotFrame, dropping: tuple[float, ...] | None) -> None:
        """Paint all; `dropping` is where a clip held over the plot would come to lie."""
        self._trail(painter, frame)
        self._samples(painter, frame)
        self._point(painter, frame)
        self._drop(painter, frame, dropping)

    def _trail(self, painter: QPainter, frame: PlotFrame) -> None:
        trail = list(self.model.live.clock.trail)
        if len(trail) < 2:
            return
        now = trail[-1][0]
        painter.save()
        painter.setClipRect(box_of(frame))
        for (_, a), (then, b) in pairwise(trail):
            start, end = QPointF(*frame.pixel(a)), QPointF(*frame.pixel(b))
            if len(a) != len(frame.space.axes) or (start - end).manhattanLength() > frame.width / 2:
                continue  # round the back of a wrapped axis
            age = min(max((now - then) / TRAIL, 0.0), 1.0)
            painter.setPen(QPen(self.theme.color("preview_point", 0.7 * (1.0 - age)), 2))
            painter.drawLine(start, end)
        painter.restore()

    def _samples(self, painter: QPainter, frame: PlotFrame) -> None:
        painter.setFont(self.theme.font(tokens.CAPTION))
        metrics = QFontMetricsF(painter.font())
        rows = self.model.rows()
        taken = [QRectF(x - DOT, y - DOT, 2 * DOT, 2 * DOT) for x, y in (frame.pixel(r.place) for r in rows)]
        if frame.space.samples:
            taken.append(self._chip(frame, metrics)[0])
        for row in rows:
            center = QPointF(*frame.pixel(row.place))
            radius = LEAST_DOT + (MOST_DOT - LEAST_DOT) * float(np.sqrt(row.weight))
            active = row.number == self.model.selected
            painter.setPen(QPen(self.theme.color("field"), 1.5))
            color = "selection" if active else "accent" if row.weight > 0.0 else "dim"
            painter.setBrush(self.theme.color(color))
            painter.drawEllipse(center, radius, radius)
            if active or row.number == self.model.hovered:
                self._ring(painter, center, active, row.number == self.model.hovered)
        order = sorted(
            rows, key=lambda r: (r.number not in (self.model.hovered, self.model.selected), -r.weight)
        )
        for row in order:
            self._name(painter, frame, metrics, row, taken)

    def _ring(self, painter: QPainter, center: QPointF, active: bool, hovered: bool) -> None:
        """The handle that drags a sample: brighter and wider while a press would take it."""
        held = hovered and self.model.part is Part.RING
        strength = 1.0 if held else 0.75 if hovered else 0.4
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(
            QPen(self.theme.color("selection" if active else "text", strength), 2.5 if held else 1.5)
        )
        painter.drawEllipse(center, RING, RING)

    def _name(self, painter: QPainter, frame: PlotFrame, metrics: QFontMetricsF, row, taken) -> None:
        """A sample's name beside its dot, where neither another name nor a dot is."""
        center = QPointF(*frame.pixel(row.place))
        room = min(frame.width * 0.6, 130.0)
        text = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, room)
        wide, high = metrics.horizontalAdvance(text) + 4, metrics.height()
        away = RING + 3.0
        spots = (
            QPointF(-wide / 2, -away - high), QPointF(-wide / 2, away), QPointF(away, -high / 2),
            QPointF(-away - wide, -high / 2), QPointF(away - 4, -away - high), QPointF(-away - wide + 4, away - 2),
        )  # fmt: skip
        box = box_of(frame).adjusted(1, 1, -1, -1)
        for spot in spots:
            place = QRectF(center + spot, QPointF(center + spot) + QPointF(wide, high))
            if place.left() < box.left() or place.right() > box.right():
                place.moveLeft(min(max(place.left(), box.left()), box.right() - wide))
            if box.contains(place) and not any(place.intersects(other) for other in taken):
                taken.append(place)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.theme.color("field", tokens.PLATE))
                painter.drawRoundedRect(place, 3, 3)
                painter.setPen(self.theme.color("text" if row.weight > 0.0 else "dim"))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                return

    def _point(self, painter: QPainter, frame: PlotFrame) -> None:
        live, space = self.model.live, frame.space
        if not space.samples:
            painter.setPen(self.theme.color("dim"))
            painter.setFont(self.theme.font())
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            text = tr("Drag clips here from the clip list")
            painter.drawText(box_of(frame).adjusted(16, 8, -16, -8), flags, text)
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
        self._coordinates(painter, frame)

    def _chip(self, frame: PlotFrame, metrics: QFontMetricsF) -> tuple[QRectF, str]:
        """Where the point's numbers are written, above it where there is room, and the words."""
        at = QPointF(*frame.pixel(self.model.live.point))
        values = zip(self.model.live.point, frame.space.axes, strict=True)
        text = "  ".join(f"{number_text(value)}{unit_text(axis.unit)}" for value, axis in values)
        slip = self.model.slip_at()
        if slip is not None:
            text += tr("  slip {value} cm/s", value=f"{slip * 100:.1f}")
        wide = metrics.horizontalAdvance(text) + 10
        box = box_of(frame)
        x = min(max(at.x() - wide / 2, box.left() + 2), box.right() - wide - 2)
        y = at.y() - 30 if at.y() - 30 > box.top() else at.y() + 13
        return QRectF(x, y, wide, 17), text

    def _coordinates(self, painter: QPainter, frame: PlotFrame) -> None:
        painter.setFont(self.theme.font(tokens.CAPTION))
        plate, text = self._chip(frame, QFontMetricsF(painter.font()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("raised", 0.92))
        painter.drawRoundedRect(plate, 3, 3)
        painter.setPen(self.theme.color("text"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _drop(self, painter: QPainter, frame: PlotFrame, place: tuple[float, ...] | None) -> None:
        if place is None:
            return
        center = QPointF(*frame.pixel(place))
        painter.setPen(QPen(self.theme.color("accent"), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(self.theme.color("accent", 0.25))
        painter.drawEllipse(center, 8, 8)
