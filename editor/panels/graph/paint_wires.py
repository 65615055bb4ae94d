"""Painting wires and the arrows of machines."""

import itertools
import math
from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from core.graph.graph import BlendKind
from editor.model.graph.geometry import BLOCKS, TITLES, Point
from editor.model.graph.hits import arrow_points
from editor.model.graph.scene import ArrowView, Scene, WireView, bend
from editor.panels.graph.ink import Ink
from editor.qt.tokens import CAPTION

KNOT = 4.5
LIT, LEVELS = 4.0, 12
"""Width of a wire that carries the whole weight, and steps of widths."""
BEHIND, CROWDED = 0.14, 0.4
"""Opacity of arrows behind a run, and in a crowded machine."""
MOST_LIT = 4000
"""Kept pictures of lit wires."""


def wire_path(points: list[Point]) -> QPainterPath:
    """A wire as a curve through places."""
    path = QPainterPath(QPointF(*points[0]))
    for a, d in itertools.pairwise(points):
        b, c = bend(a, d)
        path.cubicTo(QPointF(*b), QPointF(*c), QPointF(*d))
    return path


class WirePainter:
    """Paints wires and arrows; the painter is in scene units."""

    def __init__(self, ink: Ink) -> None:
        self.ink = ink
        self._lit: dict[tuple[str, int], tuple[object, QPixmap, Point]] = {}
        self._of: tuple[object, ...] = ()

    def paint(self, painter: QPainter, scene: Scene, numbers: Iterable[int], zoom: float) -> None:
        """Paint some wires; those of less weight below those of poses."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        wires = sorted((scene.wires[k] for k in numbers), key=lambda w: w.token == "pose")
        if zoom < TITLES:
            self._straight(painter, scene, wires, zoom)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for wire in wires:
            painter.setPen(self.ink.wire_pen(wire.token, 1.0, 0.85))
            painter.drawPath(wire_path(scene.wire_points(wire)))
            self._knots(painter, wire)

    def _straight(self, painter: QPainter, scene: Scene, wires: list[WireView], zoom: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= BLOCKS)
        by_token: dict[str, list[QLineF]] = {}
        for wire in wires:
            points = scene.wire_points(wire)
            lines = by_token.setdefault(wire.token, [])
            for (ax, ay), (bx, by) in itertools.pairwise(points):
                lines.append(QLineF(ax, ay, bx, by))
        for token, lines in by_token.items():
            pen = QPen(self.ink.wire_color(token, 0.75), 0.0 if zoom < BLOCKS else 1.2 / zoom)
            painter.setPen(pen)
            painter.drawLines(lines)

    def _knots(self, painter: QPainter, wire: WireView) -> None:
        if wire.knots:
            painter.setBrush(self.ink.wire_color(wire.token))
            painter.setPen(self.ink.pen("panel", 1.5))
            for knot in wire.knots:
                painter.drawEllipse(QPointF(*knot), KNOT, KNOT)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def wire(self, painter: QPainter, scene: Scene, wire: WireView, color: QColor, width: float) -> None:
        """One wire in a colour of its own: selected, lit, cut."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(color, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPath(wire_path(scene.wire_points(wire)))

    def lit(
        self, scene: Scene, wire: WireView, color: QColor, level: int, scale: float
    ) -> tuple[QPointF, QPixmap]:
        """The kept picture of a wire lit by its weight, and where its corner is.

        Parameters
        ----------
        level : of the weight, 1 to `LEVELS`
        scale : device pixels a scene unit; the corner is told in device pixels from the scene's origin
        """
        of = (scale, color.rgba())
        if of != self._of or len(self._lit) > MOST_LIT:
            self._lit.clear()
            self._of = of
        points = scene.wire_points(wire)
        shape = tuple((x - points[0][0], y - points[0][1]) for x, y in points)
        found = self._lit.get((wire.key, level))
        if found is None or found[0] != shape:
            found = self._lit[wire.key, level] = self._lit_picture(shape, color, level, scale)
        (x, y), (left, top) = points[0], found[2]
        return QPointF(x * scale + left, y * scale + top), found[1]

    @staticmethod
    def _lit_picture(
        shape: tuple[Point, ...], color: QColor, level: int, scale: float
    ) -> tuple[object, QPixmap, Point]:
        """A wire from the origin, its picture, and the pixels of its corner from where it begins."""
        path = wire_path(list(shape))
        width = 0.8 + LIT * level / LEVELS
        box = path.boundingRect().adjusted(-width, -width, width, width)
        made = QPixmap(round(box.width() * scale) + 2, round(box.height() * scale) + 2)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.scale(scale, scale)
        painter.translate(-box.x(), -box.y())
        pen = QPen(color, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPath(path)
        painter.end()
        return shape, made, (box.x() * scale, box.y() * scale)

    # ------------------------------------------------------------ arrows
    def arrows(
        self, painter: QPainter, scene: Scene, arrows: Iterable[ArrowView], zoom: float, live: bool = False
    ) -> None:
        """Paint the arrows of a machine.

        Parameters
        ----------
        live : whether a run is painted over them; then they are faint, as in a machine that is crowded: what counts
            is painted over them again
        """
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        share = BEHIND if live else CROWDED if scene.crowded else 1.0
        color = self.ink.color("dim", share)
        for arrow in arrows:
            self.arrow(painter, scene, arrow, color, zoom, badge=share == 1.0)

    def arrow(
        self,
        painter: QPainter,
        scene: Scene,
        arrow: ArrowView,
        color: QColor,
        zoom: float,
        extra: float = 0.0,
        badge: bool = True,
    ) -> None:
        """One arrow, with the place in order of its first transition, and how many there are."""
        points = [QPointF(float(x), float(y)) for x, y in arrow_points(scene, arrow)]
        pen = QPen(color, 1.6 + extra)
        inertial = arrow.transitions[0].blend.kind in (BlendKind.INERTIALISE, BlendKind.DEAD_BLEND)
        if inertial:
            pen.setDashPattern([5.0, 3.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        self.head(painter, points[-2], points[-1], color, 9.0 + extra)
        if zoom < TITLES or not badge:
            return
        middle = _middle(points)
        self._badge(painter, middle, arrow, color)

    def _badge(self, painter: QPainter, at: QPointF, arrow: ArrowView, color: QColor) -> None:
        """A disc with the place in order; a second one behind it where transitions are stacked."""
        ink, count = self.ink, len(arrow.transitions)
        automatic = arrow.transitions[0].automatic is not None
        half = 9.0 if count == 1 else 15.0
        rect = QRectF(at.x() - half, at.y() - 9.0, 2.0 * half, 18.0)
        corner = 4.0 if automatic else 9.0  # square corners: it acts by itself
        painter.setPen(QPen(color, 1.4))
        if count > 1:
            painter.setBrush(ink.color("panel"))
            painter.drawRoundedRect(rect.translated(4.0, -4.0), corner, corner)
        painter.setBrush(ink.color("raised"))
        painter.drawRoundedRect(rect, corner, corner)
        text = f"{arrow.ranks[0]}" if count == 1 else f"{arrow.ranks[0]}+{count - 1}"
        place = (at.x() - 14.0, at.y())
        ink.text(painter, place, text, 28.0, ink.color("text"), CAPTION - 1, align=0.5)

    @staticmethod
    def head(painter: QPainter, before: QPointF, tip: QPointF, color: QColor, size: float = 9.0) -> None:
        """The head of an arrow."""
        angle = math.atan2(tip.y() - before.y(), tip.x() - before.x())
        sides = [
            QPointF(tip.x() - size * math.cos(angle + turn), tip.y() - size * math.sin(angle + turn))
            for turn in (0.42, -0.42)
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([tip, *sides]))

    def line(self, painter: QPainter, a: Point, b: Point, color: QColor, width: float = 1.6) -> None:
        """A straight arrow: a transition that is being drawn."""
        painter.setPen(QPen(color, width, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(QPointF(*a), QPointF(*b))
        self.head(painter, QPointF(*a), QPointF(*b), color)


def _middle(points: list[QPointF]) -> QPointF:
    """The middle of an arrow."""
    if len(points) > 2:
        return points[len(points) // 2]
    return (points[0] + points[1]) / 2.0
