"""Painting nodes, states and comments at every zoom."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPixmap, QPolygonF

from core.graph.catalogue.pins import PinKind
from editor.model.graph.geometry import BLOCKS, TITLES
from editor.model.graph.hits import choice_box, literal_box
from editor.model.graph.layout import Comment
from editor.model.graph.naming import Tone
from editor.model.graph.scene import COMMENT_HEAD, DETAIL, HEAD, ChoiceView, NodeView, PinView, Scene
from editor.model.graph.state import PinPlace
from editor.panels.graph.ink import Ink
from editor.qt.tokens import CAPTION, EVENT_COLORS

RADIUS = 5.0
PIN = 4.5
DIM = 0.28
"""Opacity of pins that a wire cannot end at."""
DETAIL_INK = 0.6
"""Share of the text's colour in the second line of a head: dim words cannot be read on its tint."""
NAMES = 0.75
"""Zoom below which a state shows its name alone, larger."""
MARGIN = 8.0
"""Scene units around a node that pins and marks reach."""
MOST_PIXELS = 24_000_000
"""Pixels of kept pictures."""
Fits = Mapping[PinPlace, str] | None


class NodePainter:
    """Paints nodes; the painter is in scene units."""

    def __init__(self, ink: Ink) -> None:
        self.ink = ink
        self._sprites: dict[int, tuple[NodeView, QPixmap]] = {}
        self._of: tuple[float, str] = (0.0, "")
        self._held = 0

    def paint(
        self, painter: QPainter, scene: Scene, ids: Iterable[str], zoom: float, fits: Fits = None
    ) -> None:
        """Paint some nodes, the lowest first."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, zoom >= BLOCKS)
        if zoom < BLOCKS:
            self._blocks(painter, scene, ids)
            return
        if fits is None:
            self._blit(painter, scene, ids, zoom)
            return
        for id in ids:
            node, (x, y) = scene.nodes[id], scene.places[id]
            painter.translate(x, y)
            self._one(painter, node, zoom, fits)
            painter.translate(-x, -y)

    def _one(self, painter: QPainter, node: NodeView, zoom: float, fits: Fits) -> None:
        """One node at the origin."""
        if node.form != "node":
            self._state(painter, node, zoom)
        elif zoom < TITLES:
            self._title_only(painter, node, zoom)
        else:
            self._node(painter, node, fits)

    # ------------------------------------------------------------ kept pictures
    def _blit(self, painter: QPainter, scene: Scene, ids: Iterable[str], zoom: float) -> None:
        """Put the kept picture of each node, on whole pixels of the device."""
        moved = painter.transform()
        scale = moved.m11()
        of = (scale, self.ink.theme.tokens.name)
        if of != self._of or self._held > MOST_PIXELS:
            self._sprites.clear()
            self._of, self._held = of, 0
        painter.save()
        painter.resetTransform()
        ratio = painter.device().devicePixelRatioF()
        painter.scale(1.0 / ratio, 1.0 / ratio)
        known = self._sprites
        dx, dy = moved.dx() * ratio, moved.dy() * ratio
        scale *= ratio
        margin = round(MARGIN * scale)
        for key in ids:
            node, (x, y) = scene.nodes[key], scene.places[key]
            found = known.get(id(node))
            if found is None or found[0] is not node:
                found = known[id(node)] = (node, self._sprite(node, zoom, scale, margin))
                self._held += found[1].width() * found[1].height()
            painter.drawPixmap(round(x * scale + dx) - margin, round(y * scale + dy) - margin, found[1])
        painter.restore()

    def _sprite(self, node: NodeView, zoom: float, scale: float, margin: int) -> QPixmap:
        made = QPixmap(round(node.w * scale) + 2 * margin + 2, round(node.h * scale) + 2 * margin + 2)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.translate(margin, margin)
        painter.scale(scale, scale)
        self._one(painter, node, zoom, None)
        painter.end()
        return made

    # ------------------------------------------------------------ far away
    def _blocks(self, painter: QPainter, scene: Scene, ids: Iterable[str]) -> None:
        by_tone: dict[Tone, list[QRectF]] = {}
        for id in ids:
            node, (x, y) = scene.nodes[id], scene.places[id]
            by_tone.setdefault(node.tone, []).append(QRectF(x, y, node.w, node.h))
        painter.setPen(Qt.PenStyle.NoPen)
        for tone, rects in by_tone.items():
            painter.setBrush(self.ink.tone(str(tone), 0.6))
            painter.drawRects(rects)

    def _title_only(self, painter: QPainter, node: NodeView, zoom: float) -> None:
        ink = self.ink
        painter.setPen(ink.pen("border", 1.0 / zoom))
        painter.setBrush(ink.tone(str(node.tone), 0.34))
        painter.drawRoundedRect(QRectF(0.0, 0.0, node.w, node.h), RADIUS, RADIUS)
        pixels = min(round(10.0 / zoom), int(node.h) - 6, 30)
        ink.text(
            painter, (6.0, node.h / 2.0), node.title, node.w - 12.0, ink.color("text"), pixels, True, 0.5
        )

    # ------------------------------------------------------------ nodes
    def _node(self, painter: QPainter, node: NodeView, fits: Fits) -> None:
        ink = self.ink
        head = HEAD + (DETAIL if node.detail else 0.0)
        body = QRectF(0.0, 0.0, node.w, node.h)
        painter.setPen(ink.pen("border", 1.0))
        painter.setBrush(ink.color("raised"))
        painter.drawRoundedRect(body, RADIUS, RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.tone(str(node.tone), 0.24))
        painter.drawPath(_top(node.w, min(head, node.h), head >= node.h - 1.0))
        painter.setBrush(ink.tone(str(node.tone), 0.9))
        painter.drawRect(QRectF(0.5, RADIUS, 2.5, min(head, node.h) - 2 * RADIUS))
        middle = HEAD / 2.0 + (1.0 if node.detail else 0.0)
        room = (
            node.w
            - 20.0
            - (10.0 if node.opens else 0.0)
            - (12.0 if any(c.head for c in node.choices) else 0.0)
        )
        title = "error" if node.missing else "text"
        ink.text(painter, (10.0, middle), node.title, room, ink.color(title), bold=True)
        if node.detail:
            ink.text(
                painter,
                (10.0, HEAD + DETAIL / 2.0 - 4.0),
                node.detail,
                room,
                ink.mix("dim", "text", DETAIL_INK),
                CAPTION,
            )
        if node.opens:
            self._opens(painter, node.w - 18.0, middle)
        if node.missing:
            self._missing(painter, node)
        for pin in node.inputs:
            self._input(painter, node, pin, fits)
        for choice in node.choices:
            self._choice(painter, node, choice)
        for pin in node.outputs:
            alpha = _alpha(fits, PinPlace(node.id, pin.name, True))
            self.pin(painter, QPointF(node.w, pin.y), pin, alpha, pin.wired)

    def _opens(self, painter: QPainter, x: float, y: float) -> None:
        """Two sheets, one behind the other: a double click goes in."""
        painter.setPen(self.ink.pen("dim", 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(x - 4.0, y - 2.0, 6.0, 5.0))
        painter.drawPolyline(
            QPolygonF([QPointF(x - 1.5, y - 4.5), QPointF(x + 4.5, y - 4.5), QPointF(x + 4.5, y + 0.5)])
        )

    def _missing(self, painter: QPainter, node: NodeView) -> None:
        painter.setPen(self.ink.pen("error", 1.2, 1.0, True))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(2.0, 2.0, node.w - 4.0, node.h - 4.0), RADIUS - 2, RADIUS - 2)

    def _input(self, painter: QPainter, node: NodeView, pin: PinView, fits: Fits) -> None:
        ink = self.ink
        alpha = _alpha(fits, PinPlace(node.id, pin.name))
        self.pin(painter, QPointF(0.0, pin.y), pin, alpha, pin.wired)
        text = ink.color("text" if pin.wired or pin.typed else "dim", max(alpha, 0.4))
        box = literal_box(node, (0.0, 0.0), pin.name)
        room = (node.w * 0.5 if box is not None else node.w) - 18.0
        ink.text(painter, (10.0, pin.y), pin.label, room, text, CAPTION)
        if box is None:
            return
        rect = QRectF(box.x, box.y, box.w, box.h)
        painter.setPen(ink.pen("divider", 1.0))
        painter.setBrush(ink.color("field"))
        painter.drawRoundedRect(rect, 3.0, 3.0)
        shown = pin.literal or "–"
        color = ink.color("text" if pin.typed else "dim")
        if shown in ("true", "false"):
            shown = "✓" if shown == "true" else "–"
        ink.text(painter, (box.x + 5.0, pin.y), shown, box.w - 10.0, color, CAPTION, align=1.0)

    def _choice(self, painter: QPainter, node: NodeView, choice: ChoiceView) -> None:
        """A drop-down: its name, what is chosen, a chevron; red where that is not there."""
        ink = self.ink
        box = choice_box(node, (0.0, 0.0), choice.name)
        if box is None:
            return
        color = "error" if choice.missing else "dim" if choice.head or not choice.value else "text"
        if not choice.head:
            ink.text(painter, (10.0, choice.y), choice.label, node.w * 0.5 - 14.0, ink.color("dim"), CAPTION)
            painter.setPen(ink.pen("error" if choice.missing else "divider", 1.0))
            painter.setBrush(ink.color("field"))
            painter.drawRoundedRect(QRectF(box.x, box.y, box.w, box.h), 3.0, 3.0)
            ink.text(painter, (box.x + 5.0, choice.y), choice.shown, box.w - 19.0, ink.color(color), CAPTION)
        x, y = box.right - 9.0, box.y + box.h / 2.0
        painter.setPen(ink.pen("error" if choice.missing else "dim", 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(
            QPolygonF([QPointF(x - 3.0, y - 1.5), QPointF(x, y + 1.5), QPointF(x + 3.0, y - 1.5)])
        )

    def pin(self, painter: QPainter, at: QPointF, pin: PinView, alpha: float, filled: bool) -> None:
        """A pin: a wedge for poses, a triangle for actions, a square for truths, a dot for other values."""
        color = self.ink.wire_color(pin.token, alpha)
        painter.setPen(self.ink.pen("raised", 1.5))
        painter.setBrush(color if filled or pin.output else self.ink.mix("raised", "field", 1.0))
        if not (filled or pin.output):
            pen = self.ink.pen("raised", 1.0)
            pen.setColor(color)
            pen.setWidthF(1.6)
            painter.setPen(pen)
        x, y, r = at.x(), at.y(), PIN
        if pin.pin.kind is PinKind.POSE:
            r += 1.0
            points = [(x - r, y - r), (x + r * 0.4, y - r), (x + r, y), (x + r * 0.4, y + r), (x - r, y + r)]
            painter.drawPolygon(QPolygonF([QPointF(*p) for p in points]))
        elif pin.pin.kind is PinKind.THEN:
            r += 0.5
            painter.drawPolygon(QPolygonF([QPointF(x - r, y - r), QPointF(x + r, y), QPointF(x - r, y + r)]))
        elif pin.token == "bool":
            painter.drawRect(QRectF(x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1))
        else:
            painter.drawEllipse(at, r, r)

    # ------------------------------------------------------------ states
    def _state(self, painter: QPainter, node: NodeView, zoom: float) -> None:
        ink = self.ink
        rect = QRectF(0.0, 0.0, node.w, node.h)
        painter.setPen(ink.pen("border", 1.2))
        painter.setBrush(ink.tone(str(node.tone), 0.22))
        if node.form == "diamond":
            w, h = node.w, node.h
            points = [(0.0, h / 2), (14.0, 0.0), (w - 14.0, 0.0), (w, h / 2), (w - 14.0, h), (14.0, h)]
            painter.drawPolygon(QPolygonF([QPointF(*p) for p in points]))
        elif node.form == "pill":
            painter.drawRoundedRect(rect, node.h / 2.0, node.h / 2.0)
        else:
            painter.drawRoundedRect(rect, 8.0, 8.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink.tone(str(node.tone), 0.9))
            painter.drawRoundedRect(QRectF(6.0, 8.0, 3.0, node.h - 16.0), 1.5, 1.5)
        if zoom < NAMES:
            self._name(painter, node, zoom)
        else:
            two = bool(node.detail)
            room, middle = node.w - 28.0, node.h / 2.0
            y = middle - (8.0 if two else 0.0)
            ink.text(painter, (14.0, y), node.title, room, ink.color("text"), 12, True, 0.5)
            if two:
                color = ink.mix("dim", "text", DETAIL_INK)
                ink.text(painter, (14.0, middle + 9.0), node.detail, room, color, CAPTION, align=0.5)
        if node.missing:
            self._missing(painter, node)

    def _name(self, painter: QPainter, node: NodeView, zoom: float) -> None:
        """A state's name alone, as large as it fits: in one line or, where that is larger, in two."""
        most = min(round(10.0 / zoom), 28)
        lines = max(
            (_lines(node.title, k) for k in (1, 2)), key=lambda found: self._fitting(node, found, most)
        )
        pixels = self._fitting(node, lines, most)
        step = 1.15 * pixels
        y = node.h / 2.0 - step * (len(lines) - 1) / 2.0
        for line in lines:
            self.ink.text(painter, (12.0, y), line, node.w - 18.0, self.ink.color("text"), pixels, True, 0.5)
            y += step

    def _fitting(self, node: NodeView, lines: tuple[str, ...], most: int) -> int:
        """The largest size, 10 to `most` pixels, in which no line is shortened."""
        pixels = min(most, int((node.h - 6.0) / (1.15 * len(lines))))
        room = node.w - 18.0
        while pixels > 10:
            metrics = self.ink.font(pixels, True)[1]
            if max(metrics.horizontalAdvance(line) for line in lines) <= room:
                break
            pixels -= 1
        return pixels

    # ------------------------------------------------------------ comments
    def comments(
        self, painter: QPainter, comments: Iterable[Comment], zoom: float, chosen: frozenset[str]
    ) -> None:
        """Frames with their texts, which stay readable from far away."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for comment in comments:
            rect = QRectF(comment.rect.x, comment.rect.y, comment.rect.w, comment.rect.h)
            color = QColor(EVENT_COLORS[comment.color][1])
            ground = QColor(color)
            ground.setAlphaF(0.09)
            picked = comment.id in chosen
            edge = self.ink.pen(
                "selection" if picked else "border", (2.0 if picked else 1.0) / min(zoom, 1.0)
            )
            painter.setPen(edge)
            painter.setBrush(ground)
            painter.drawRoundedRect(rect, 6.0, 6.0)
            head = QColor(color)
            head.setAlphaF(0.22)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(head)
            high = min(COMMENT_HEAD * min(1.0 / zoom, 3.0) if zoom < 1.0 else COMMENT_HEAD, rect.height())
            painter.drawRoundedRect(QRectF(rect.x(), rect.y(), rect.width(), high), 6.0, 6.0)
            pixels = max(round(12.0 * high / COMMENT_HEAD), 10)
            self.ink.text(
                painter, (rect.x() + 10.0, rect.y() + high / 2.0), comment.text, rect.width() - 20.0,
                self.ink.color("text"), pixels, True,
            )  # fmt: skip


def _alpha(fits: Fits, place: PinPlace) -> float:
    """Opacity of a pin while a wire is drawn."""
    if fits is None or not fits:
        return 1.0
    return 1.0 if fits.get(place, "no") == "" else DIM


def _top(width: float, height: float, whole: bool) -> QPainterPath:
    """The head of a node: round above, round below too where it is all of the node."""
    path = QPainterPath()
    rect = QRectF(0.5, 0.5, width - 1.0, height)
    path.addRoundedRect(rect, RADIUS, RADIUS)
    if not whole:
        lower = QPainterPath()
        lower.addRect(QRectF(0.5, height / 2.0, width - 1.0, height / 2.0 + 0.5))
        path = path.united(lower)
    return path


def _lines(title: str, count: int) -> tuple[str, ...]:
    """A title in one line, or in two of about the same length where it has several words."""
    words = title.split()
    if count == 1 or len(words) < 2:
        return (title,)
    pairs = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min(pairs, key=lambda pair: max(map(len, pair)))
