"""The sheet as a picture that is kept: panning moves it and paints only what comes into sight."""

from PySide6.QtCore import QLineF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from editor.model.graph.geometry import BLOCKS, GRID, Rect, View
from editor.model.graph.scene import Scene
from editor.panels.graph.ink import Ink
from editor.panels.graph.paint_nodes import Fits, NodePainter
from editor.panels.graph.paint_wires import WirePainter

BIG_GRID = 8
"""Small squares of the grid in a big one."""


class Raster:
    """Keeps the picture of a scene without what moves; `nodes` and `wires` paint the rest over it."""

    def __init__(self, ink: Ink) -> None:
        self.ink, self.nodes, self.wires = ink, NodePainter(ink), WirePainter(ink)
        self._picture: QPixmap | None = None
        self._key: tuple[object, ...] = ()
        self._origin = (0, 0)
        self._live = False
        self.painted = 0
        """Regions painted until now, for measurements."""

    def drop(self) -> None:
        """Paint everything again."""
        self._picture = None

    @staticmethod
    def origin(view: View, ratio: float) -> tuple[int, int]:
        """Device pixels of the scene's middle left and above of the widget's corner."""
        return round(view.x * view.zoom * ratio), round(view.y * view.zoom * ratio)

    def picture(
        self,
        size: QSize,
        ratio: float,
        scene: Scene | None,
        view: View,
        moving: frozenset[str] = frozenset(),
        fits: Fits = None,
        live: bool = False,
    ) -> QPixmap:
        """The picture in device pixels.

        Parameters
        ----------
        size : of the widget
        ratio : device pixels a pixel
        moving : nodes (with their wires) and comments that are left out
        fits : pins that a wire in hand fits, others being dim
        live : whether a run is painted over it: arrows are faint then
        """
        key = (id(scene), view.zoom, size, ratio, moving, id(fits), live, self.ink.theme.tokens.name)
        origin = self.origin(view, ratio)
        whole = QRect(0, 0, round(size.width() * ratio), round(size.height() * ratio))
        if self._picture is None or key != self._key:
            self._picture = QPixmap(whole.size())
            parts = [whole]
        else:
            parts = self._shift(origin, whole)
        self._key, self._origin = key, origin
        self._live = live
        self._held = scene  # so that its id stays its own
        for part in parts:
            self._paint(part, ratio, scene, view, moving, fits)
        return self._picture

    def _shift(self, origin: tuple[int, int], whole: QRect) -> list[QRect]:
        """Move the picture; what came into sight is still to be painted."""
        assert self._picture is not None
        dx, dy = self._origin[0] - origin[0], self._origin[1] - origin[1]
        w, h = whole.width(), whole.height()
        if not (dx or dy):
            return []
        if abs(dx) >= w or abs(dy) >= h:
            return [whole]
        self._picture.scroll(dx, dy, whole)
        parts = []
        if dx:
            parts.append(QRect(0 if dx > 0 else w + dx, 0, abs(dx), h))
        if dy:
            left = max(dx, 0)
            parts.append(QRect(left, 0 if dy > 0 else h + dy, w - abs(dx), abs(dy)))
        return parts

    def _paint(
        self, part: QRect, ratio: float, scene: Scene | None, view: View, moving: frozenset[str], fits: Fits
    ) -> None:
        assert self._picture is not None
        self.painted += 1
        painter = QPainter(self._picture)
        painter.setClipRect(part)
        painter.fillRect(part, self.ink.color("window"))
        scale = view.zoom * ratio
        painter.translate(-self._origin[0], -self._origin[1])
        painter.scale(scale, scale)
        seen = Rect(
            (part.x() + self._origin[0]) / scale,
            (part.y() + self._origin[1]) / scale,
            part.width() / scale,
            part.height() / scale,
        )
        self._grid(painter, seen, view.zoom)
        if scene is not None:
            comments = [c for c in scene.comments if c.rect.touches(seen) and c.id not in moving]
            self.nodes.comments(painter, comments, view.zoom, frozenset())
            if scene.machine:
                arrows = [a for a in scene.arrows if a.source not in moving and a.target not in moving]
                self.wires.arrows(painter, scene, arrows, view.zoom, self._live)
            else:
                numbers = scene.seen_wires(seen)
                if moving:
                    gone = {k for id in moving for k in scene.wires_of.get(id, ())}
                    numbers = [k for k in numbers if k not in gone]
                self.wires.paint(painter, scene, numbers, view.zoom)
            ids = [id for id in scene.seen(seen) if id not in moving]
            self.nodes.paint(painter, scene, ids, view.zoom, fits)
        painter.end()

    def _grid(self, painter: QPainter, seen: Rect, zoom: float) -> None:
        if zoom < BLOCKS:
            return
        step = GRID if zoom >= 0.8 else GRID * BIG_GRID
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        fine = QPen(self.ink.mix("window", "divider", 0.55), 0.0)
        self._lines(painter, seen, step, fine)
        if step == GRID:
            self._lines(painter, seen, GRID * BIG_GRID, self.ink.pen("divider", 0.0))

    @staticmethod
    def _lines(painter: QPainter, seen: Rect, step: float, pen: QPen) -> None:
        first_x, first_y = int(seen.x // step), int(seen.y // step)
        lines = [
            QLineF(k * step, seen.y, k * step, seen.bottom)
            for k in range(first_x, int(seen.right // step) + 2)
        ]
        lines += [
            QLineF(seen.x, k * step, seen.right, k * step)
            for k in range(first_y, int(seen.bottom // step) + 2)
        ]
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLines(lines)
