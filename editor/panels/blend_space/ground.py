"""The ground of a blend space's plot: field, slip map, grid or triangles, axes."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from core.blending.blend_space import BlendSpace, SpaceKind
from editor.panels.blend_space.view_model import BlendSpaceModel
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.tools.blending.plot import PlotFrame, ticks

SLIP_FULL = 0.2
"""Foot slip in metres a second that the map paints in full red."""


class GroundPainter:
    """Paints what the samples and the point lie on."""

    def __init__(self, model: BlendSpaceModel, theme: Theme) -> None:
        self.model, self.theme = model, theme
        self._heat: tuple[object, str, QImage] | None = None

    def paint(self, painter: QPainter, frame: PlotFrame, width: float, focused: bool) -> None:
        """Paint into a widget of that width, lit where it has the keyboard."""
        self._ground(painter, frame, focused)
        self._cells(painter, frame)
        self._axes(painter, frame, width)

    def _ground(self, painter: QPainter, frame: PlotFrame, focused: bool) -> None:
        box = box_of(frame)
        painter.setPen(QPen(self.theme.color("accent" if focused else "border"), 1))
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
        theme = self.theme.tokens.name
        if self._heat is not None and self._heat[0] is values and self._heat[1] == theme:
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
        self._heat = (values, theme, image.copy())
        return self._heat[2]

    def _cells(self, painter: QPainter, frame: PlotFrame) -> None:
        """Grid lines or triangles, faint; the one that holds the point tinted."""
        space, field = frame.space, self.model.live.field
        faint = QPen(self.theme.color("border"), 1)
        tint = self.theme.color("accent", 0.1 if self.theme.tokens.dark else 0.14)
        painter.save()
        painter.setClipRect(box_of(frame))
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
            self._grid(painter, frame, field, point, faint, tint)
        painter.restore()

    def _grid(self, painter, frame: PlotFrame, field, point, faint: QPen, tint: QColor) -> None:
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

    def _axes(self, painter: QPainter, frame: PlotFrame, width: float) -> None:
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
            half = metrics.horizontalAdvance(number_text(value)) / 2 + 1
            x = min(max(x, half), width - half)
            painter.drawText(QRectF(x - 30, bottom + 3, 60, 14), center, number_text(value))
        title = title_of(space, 0)
        painter.drawText(QRectF(frame.left, bottom + 17, frame.width, 15), center, title)
        if len(space.axes) == 1:
            return
        for value in ticks(space.axes[1], frame.height):
            y = frame.pixel((space.axes[0].minimum, value))[1]
            painter.drawLine(QPointF(frame.left - 3, y), QPointF(frame.left, y))
            painter.drawText(QRectF(frame.left - 34, y - 8, 29, 16), right, number_text(value))
        painter.save()
        painter.translate(frame.left - 38, frame.top + frame.height / 2)
        painter.rotate(-90)
        painter.drawText(QRectF(-frame.height / 2, -2, frame.height, 15), center, title_of(space, 1))
        painter.restore()


def box_of(frame: PlotFrame) -> QRectF:
    return QRectF(frame.left, frame.top, frame.width, frame.height)


def number_text(value: float) -> str:
    return f"{value + 0.0:.4g}".replace("-", "−")


def unit_text(unit: str) -> str:
    return unit if unit in ("", "°", "%") else f" {unit}"


def title_of(space: BlendSpace, number: int) -> str:
    axis = space.axes[number]
    return f"{axis.name} ({axis.unit})" if axis.unit else axis.name


def _holds(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether a triangle ``(3, 2)`` holds a point."""
    ends = np.roll(corners, -1, axis=0) - corners
    away = point - corners
    turns = ends[:, 0] * away[:, 1] - ends[:, 1] * away[:, 0]
    return all(t >= -1e-9 for t in turns) or all(t <= 1e-9 for t in turns)
