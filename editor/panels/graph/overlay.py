"""What is painted over the sheet's picture: selection, gestures, errors, and what the running graph does."""

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import Rect
from editor.model.graph.hits import choice_box, middle_of
from editor.model.graph.scene import Scene
from editor.model.graph.state import Arrowing, Boxing, Cutting, Moving, PinPlace, Wiring
from editor.panels.graph.ink import Ink
from editor.panels.graph.live_overlay import LiveOverlay
from editor.panels.graph.paint_nodes import NodePainter
from editor.panels.graph.paint_wires import WirePainter, wire_path


class Overlay:
    """Paints over the picture; the painter is in scene units."""

    def __init__(self, ink: Ink, canvas: Canvas, nodes: NodePainter, wires: WirePainter) -> None:
        self.ink, self.canvas, self.nodes, self.wires = ink, canvas, nodes, wires
        self.live = LiveOverlay(ink, wires)
        self.problems: Mapping[str, bool] = {}
        """Id of a node or transition → whether it is only a warning."""

    def paint(self, painter: QPainter, seen: Rect, focus: bool) -> None:
        """All of it."""
        scene = self.canvas.scene
        if scene is None:
            return
        zoom = self.canvas.view.zoom
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        frame = self.canvas.frame
        if frame is not None:
            self.live.paint(painter, scene, frame, seen, zoom)
        self._moving(painter, scene, zoom)
        self._of_chosen(painter, scene, zoom)
        self._selected(painter, scene, seen, zoom)
        self._badges(painter, scene, seen, zoom)
        self._breaks(painter, scene, seen, zoom)
        self._hovered(painter, scene, zoom)
        if focus:
            self._active(painter, scene, zoom)
        self._gesture(painter, scene, zoom)

    # ------------------------------------------------------------ what moves
    def _moving(self, painter: QPainter, scene: Scene, zoom: float) -> None:
        state = self.canvas.state
        moving = state.preview
        if isinstance(moving, Moving):
            comments = [c for c in scene.comments if c.id in moving.places]
            self.nodes.comments(painter, comments, zoom, state.selection)
            ids = [id for id in scene.nodes if id in moving.places]
            if scene.machine:
                gone = set(ids)
                arrows = [a for a in scene.arrows if a.source in gone or a.target in gone]
                self.wires.arrows(painter, scene, arrows, zoom)
            else:
                numbers = sorted({k for id in ids for k in scene.wires_of.get(id, ())})
                self.wires.paint(painter, scene, numbers, zoom)
            self.nodes.paint(painter, scene, ids, zoom)
            self._guides(painter, moving, zoom)
            if moving.wire:
                wire = next((w for w in scene.wires if w.key == moving.wire), None)
                if wire is not None:
                    self.wires.wire(painter, scene, wire, self.ink.color("accent", 0.8), 4.0)
        elif state.scrubbed is not None:
            self.nodes.paint(painter, scene, [state.scrubbed[0].node], zoom)
        elif state.sizing is not None:
            self.nodes.comments(painter, [state.sizing], zoom, state.selection)
        elif state.knot is not None:
            key = state.knot[0]
            numbers = [k for k, w in enumerate(scene.wires) if (w.link.target, w.link.pin) == key]
            self.wires.paint(painter, scene, numbers, zoom)

    def _of_chosen(self, painter: QPainter, scene: Scene, zoom: float) -> None:
        """The arrows of selected states and of the one under the pointer, where arrows are faint."""
        live = self.canvas.frame is not None and scene.sheet.id in self.canvas.frame.machines
        if not scene.machine or not (live or scene.crowded) or self.canvas.state.preview is not None:
            return
        chosen = {self.canvas.state.hovered, *self.canvas.state.selection}
        for arrow in scene.arrows:
            if arrow.source in chosen:
                self.wires.arrow(painter, scene, arrow, self.ink.color("text", 0.9), zoom)
            elif arrow.target in chosen:
                self.wires.arrow(painter, scene, arrow, self.ink.color("dim", 0.9), zoom, badge=False)

    def _guides(self, painter: QPainter, moving: Moving, zoom: float) -> None:
        painter.setPen(self.ink.pen("accent", 1.0 / zoom, 0.8))
        for upright, at, first, last in moving.guides:
            a, b = ((at, first), (at, last)) if upright else ((first, at), (last, at))
            painter.drawLine(QPointF(*a), QPointF(*b))

    # ------------------------------------------------------------ selection and hover
    def _selected(self, painter: QPainter, scene: Scene, seen: Rect, zoom: float) -> None:
        chosen = self.canvas.state.selection
        if not chosen:
            return
        width = max(2.0, 2.0 / zoom)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self.ink.pen("selection", width))
        round_ = 8.0 if scene.machine else 5.0
        for id in scene.seen(seen):
            if id in chosen:
                r = scene.rect(id).grown(1.0)
                painter.drawRoundedRect(QRectF(r.x, r.y, r.w, r.h), round_, round_)
        for comment in scene.comments:
            if comment.id in chosen:
                painter.setPen(self.ink.pen("selection", width))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                r = comment.rect
                painter.drawRoundedRect(QRectF(r.x, r.y, r.w, r.h), 6.0, 6.0)
        color = self.ink.color("selection")
        keys = any(item[:2] in ("w:", "k:") for item in chosen)
        for wire in scene.wires if keys else ():
            if wire.key in chosen:
                self.wires.wire(painter, scene, wire, color, max(3.0, 2.0 / zoom))
            for k, knot in enumerate(wire.knots):
                if f"k:{wire.link.target}.{wire.link.pin}#{k}" in chosen:
                    painter.setPen(self.ink.pen("selection", width))
                    painter.drawEllipse(QPointF(*knot), 6.5, 6.5)
        for arrow in scene.arrows:
            if any(t.id in chosen for t in arrow.transitions):
                self.wires.arrow(painter, scene, arrow, color, zoom, 1.0)

    def _hovered(self, painter: QPainter, scene: Scene, zoom: float) -> None:
        state = self.canvas.state
        if state.preview is not None:
            return
        if state.hovered_pin is not None:
            self._ring(painter, scene, state.hovered_pin, "accent")
        elif state.hovered in scene.nodes and state.hovered not in state.selection:
            painter.setPen(self.ink.pen("accent", 1.2 / min(zoom, 1.0), 0.8))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            r = scene.rect(state.hovered).grown(1.0)
            painter.drawRoundedRect(QRectF(r.x, r.y, r.w, r.h), 6.0, 6.0)
        elif state.hovered and state.hovered not in state.selection:
            for wire in scene.wires:
                if wire.key == state.hovered:
                    self.wires.wire(painter, scene, wire, self.ink.color("accent", 0.8), 3.0)
            for arrow in scene.arrows:
                if any(t.id == state.hovered for t in arrow.transitions):
                    self.wires.arrow(painter, scene, arrow, self.ink.color("accent"), zoom)

    def _active(self, painter: QPainter, scene: Scene, zoom: float) -> None:
        """What the keyboard works on: a dashed frame, or a ring around a pin."""
        state = self.canvas.state
        box = None
        if state.choice is not None and state.choice.node in scene.nodes:
            node = scene.nodes[state.choice.node]
            box = choice_box(node, scene.places[node.id], state.choice.field)
        if box is not None:
            painter.setPen(self.ink.pen("accent", 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box.x, box.y, box.w, box.h), 3.0, 3.0)
        elif state.pin is not None:
            self._ring(painter, scene, state.pin, "accent", 9.0)
        elif state.active in scene.nodes:
            pen = self.ink.pen("accent", 1.0 / min(zoom, 1.0), 1.0, True)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            r = scene.rect(state.active).grown(4.0)
            painter.drawRoundedRect(QRectF(r.x, r.y, r.w, r.h), 8.0, 8.0)

    def _ring(self, painter: QPainter, scene: Scene, pin: PinPlace, token: str, radius: float = 7.5) -> None:
        at = scene.pin_place(pin.node, pin.pin, pin.output)
        if at is not None:
            painter.setPen(self.ink.pen(token, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(*at), radius, radius)

    # ------------------------------------------------------------ errors
    def _badges(self, painter: QPainter, scene: Scene, seen: Rect, zoom: float) -> None:
        if not self.problems:
            return
        for id in scene.seen(seen):
            if id in self.problems:
                r = scene.rect(id)
                self.badge(painter, (r.right, r.y), self.problems[id], 1.0 / min(zoom, 1.0))
        for arrow in scene.arrows:
            wrong = [self.problems[t.id] for t in arrow.transitions if t.id in self.problems]
            if wrong:
                x, y = middle_of(scene.curves[arrow.source, arrow.target])
                middle = (x + 14.0, y - 14.0)
                self.badge(painter, middle, all(wrong), 1.0 / min(zoom, 1.0))

    def badge(self, painter: QPainter, at: tuple[float, float], warning: bool, scale: float = 1.0) -> None:
        """A triangle for a warning, a disc for an error, both with a sign."""
        x, y, r = at[0], at[1], 8.0 * scale
        painter.setPen(self.ink.pen("window", 1.5 * scale))
        painter.setBrush(self.ink.color("warning" if warning else "error"))
        if warning:
            points = [(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)]
            painter.drawPolygon(QPolygonF([QPointF(*p) for p in points]))
        else:
            painter.drawEllipse(QPointF(x, y), r, r)
        pixels = max(round(11 * scale), 8)
        self.ink.text(painter, (x - r, y), "!", 2 * r, self.ink.color("window"), pixels, True, 0.5)

    def _breaks(self, painter: QPainter, scene: Scene, seen: Rect, zoom: float) -> None:
        """A red disc with a bar, as on a stop sign, at what the run stops at."""
        breaks = self.canvas.live.breaks
        if not breaks:
            return
        scale = 1.0 / min(zoom, 1.0)
        places = [(scene.rect(id).x, scene.rect(id).y) for id in scene.seen(seen) if id in breaks]
        for arrow in scene.arrows:
            if any(t.id in breaks for t in arrow.transitions):
                x, y = middle_of(scene.curves[arrow.source, arrow.target])
                places.append((x - 14.0, y - 14.0))
        for x, y in places:
            painter.setPen(self.ink.pen("window", 1.5 * scale))
            painter.setBrush(self.ink.color("record"))
            painter.drawEllipse(QPointF(x, y), 7.0 * scale, 7.0 * scale)
            painter.setPen(self.ink.pen("window", 2.0 * scale))
            painter.drawLine(QPointF(x - 3.5 * scale, y), QPointF(x + 3.5 * scale, y))

    # ------------------------------------------------------------ gestures
    def _gesture(self, painter: QPainter, scene: Scene, zoom: float) -> None:
        preview = self.canvas.state.preview
        if isinstance(preview, Boxing):
            box = Rect.of(preview.start, preview.at)
            painter.setPen(self.ink.pen("accent", 1.0 / zoom))
            painter.setBrush(self.ink.color("accent", 0.12))
            painter.drawRect(QRectF(box.x, box.y, box.w, box.h))
        elif isinstance(preview, Wiring):
            self._wiring(painter, scene, preview)
        elif isinstance(preview, Arrowing):
            self._arrowing(painter, scene, preview)
        elif isinstance(preview, Cutting):
            self._cutting(painter, scene, preview, zoom)

    def _wiring(self, painter: QPainter, scene: Scene, preview: Wiring) -> None:
        fits = self.canvas.state.fits or {}
        seen = set(scene.seen(self.canvas.view.seen(self.canvas.size)))
        for pin, reason in fits.items():
            if not reason and pin.node in seen:
                self._ring(painter, scene, pin, "accent", 6.5)
        over = preview.over
        to = None if over is None else scene.pin_place(over.node, over.pin, over.output)
        for end in preview.ends:
            at = scene.pin_place(end.node, end.pin, end.output)
            view = scene.nodes.get(end.node)
            own = None if view is None else view.pin(end.pin, end.output)
            if at is None or own is None:
                continue
            other = to or preview.at
            points = [at, other] if end.output else [other, at]
            painter.setPen(self.ink.wire_pen(own.token, 1.0, 0.5 if preview.reason else 1.0, 0.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(wire_path(points))
        if over is not None:
            self._ring(painter, scene, over, "accent", 9.0)

    def _arrowing(self, painter: QPainter, scene: Scene, preview: Arrowing) -> None:
        if preview.source not in scene.nodes:
            return
        a = scene.rect(preview.source).centre
        b = scene.rect(preview.over).centre if preview.over else preview.at
        color = self.ink.color("error" if preview.reason else "accent")
        self.wires.line(painter, a, b, color, 2.0)

    def _cutting(self, painter: QPainter, scene: Scene, preview: Cutting, zoom: float) -> None:
        color = self.ink.color("error", 0.8)
        for wire in scene.wires:
            if wire.key in preview.cut:
                self.wires.wire(painter, scene, wire, color, 3.0)
        for arrow in scene.arrows:
            if any(t.id in preview.cut for t in arrow.transitions):
                self.wires.arrow(painter, scene, arrow, color, zoom)
        painter.setPen(self.ink.pen("error", 1.5 / zoom, 1.0, True))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([QPointF(*p) for p in preview.stroke]))
