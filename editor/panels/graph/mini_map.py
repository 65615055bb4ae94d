"""The whole sheet small in a corner, with what is seen of it; click and drag move the view."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import Rect
from editor.model.i18n import tr
from editor.panels.graph.ink import Ink

SIZE = (168, 112)
MARGIN = 6.0


class MiniMap(QWidget):
    """Painted again only when the scene differs."""

    def __init__(self, canvas: Canvas, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self.canvas, self.ink = canvas, ink
        self._picture: tuple[object, str, QPixmap] | None = None
        self.setObjectName("graphMiniMap")
        self.setAccessibleName(tr("Mini-map"))
        self.setToolTip(tr("The whole sheet: click or drag to move the view"))
        self.setFixedSize(*SIZE)

    def _bounds(self) -> Rect | None:
        scene = self.canvas.committed
        box = None if scene is None else scene.bounds()
        return None if box is None else box.grown(32.0)

    def _scale(self, box: Rect) -> tuple[float, float, float]:
        """Pixels a scene unit, and where the box's corner is."""
        scale = min((self.width() - 2 * MARGIN) / box.w, (self.height() - 2 * MARGIN) / box.h)
        return scale, (self.width() - box.w * scale) / 2.0, (self.height() - box.h * scale) / 2.0

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.ink.pen("border", 1.0))
        painter.setBrush(self.ink.color("panel", 0.88))
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4.0, 4.0)
        box, scene = self._bounds(), self.canvas.committed
        if box is not None and scene is not None:
            painter.drawPixmap(0, 0, self._nodes(box))
            scale, x, y = self._scale(box)
            seen = self.canvas.view.seen(self.canvas.size)
            frame = QRectF(
                x + (seen.x - box.x) * scale, y + (seen.y - box.y) * scale, seen.w * scale, seen.h * scale
            ).intersected(QRectF(1.0, 1.0, self.width() - 2, self.height() - 2))
            if not frame.isEmpty():
                painter.setPen(self.ink.pen("accent", 1.2))
                painter.setBrush(self.ink.color("accent", 0.10))
                painter.drawRect(frame)
        painter.end()

    def _nodes(self, box: Rect) -> QPixmap:
        scene, name = self.canvas.committed, self.ink.theme.tokens.name
        if self._picture is not None and self._picture[0] is scene and self._picture[1] == name:
            return self._picture[2]
        ratio = self.devicePixelRatioF()
        made = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        scale, x, y = self._scale(box)
        painter = QPainter(made)
        painter.setPen(Qt.PenStyle.NoPen)
        assert scene is not None
        by_tone: dict[str, list[QRectF]] = {}
        for id, node in scene.nodes.items():
            px, py = scene.places[id]
            rect = QRectF(
                x + (px - box.x) * scale, y + (py - box.y) * scale,
                max(node.w * scale, 2.0), max(node.h * scale, 2.0),
            )  # fmt: skip
            by_tone.setdefault(str(node.tone), []).append(rect)
        for tone, rects in by_tone.items():
            painter.setBrush(self.ink.tone(tone, 0.8, "panel"))
            painter.drawRects(rects)
        painter.end()
        self._picture = (scene, name, made)
        return made

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def _go(self, event: QMouseEvent) -> None:
        box = self._bounds()
        if box is None:
            return
        scale, x, y = self._scale(box)
        at = event.position()
        place = (box.x + (at.x() - x) / scale, box.y + (at.y() - y) / scale)
        self.canvas.view = self.canvas.view.centred(place, self.canvas.size)
        event.accept()
