"""What is painted over the sheet's picture while a graph runs: lit wires, dimmed nodes, values, active states."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from editor.model.graph.geometry import Rect
from editor.model.graph.live import FLASH, LiveFrame
from editor.model.graph.scene import Scene
from editor.panels.graph.ink import Ink
from editor.panels.graph.paint_wires import LEVELS, WirePainter
from editor.qt.tokens import CAPTION

IRRELEVANT = 1e-5
"""Weight below which a node does nothing."""
VALUES = 0.55
"""Zoom below which values would be too small to read."""
PLATE_WIDTH, PLATE_HEIGHT = 46.0, 16.0
TEXT_TIME = 0.1
"""Seconds that a value's text stays while the graph runs: nobody reads sixty a second."""
NEXT = 0.75
"""Opacity of the arrows that lead on from the active state."""
TAKEN = 45
"""Steps over which the light of a transition fades when it has ended."""
MOST_PLATES = 2000
"""Kept pictures of values."""

PinKey = tuple[str, str]


@dataclass(slots=True)
class _Look:
    """What one view of one scene shows, gathered once: a picture of the run only looks up what differs.

    Parameters
    ----------
    wires : number and source of each pose wire in sight
    nodes : id and rectangle of each node in sight
    plates : the value pins in sight, with the left end and the middle of their plates in scene units
    lit : (number, level) of a wire → its kept picture and the device pixel of its corner
    """

    key: tuple[object, ...]
    wires: list[tuple[int, str]]
    nodes: list[tuple[str, QRectF]]
    plates: list[tuple[PinKey, float, float]]
    lit: dict[tuple[int, int], tuple[QPoint, QPixmap]] = field(default_factory=dict)


class LiveOverlay:
    """Paints a `LiveFrame`; the painter is in scene units.

    Attributes
    ----------
    late : the values shown are older than the frame; paint again in `TEXT_TIME`
    """

    def __init__(self, ink: Ink, wires: WirePainter) -> None:
        self.ink, self.wires = ink, wires
        self.late = False
        self._look: _Look | None = None
        self._texts: dict[PinKey, str] = {}
        self._read: tuple[object, float, int] = (None, 0.0, -1)
        self._plates: dict[str, QPixmap] = {}
        self._plates_of: tuple[object, ...] = ()
        self._taken: dict[str, int] = {}
        self._taken_of = ""

    def paint(self, painter: QPainter, scene: Scene, frame: LiveFrame, seen: Rect, zoom: float) -> None:
        """Wires lit by weight, nodes without weight dimmed, active states and running transitions, values."""
        look = self._looked_at(painter, scene, frame, seen)
        if scene.machine:
            self._machine(painter, scene, frame, zoom)
        else:
            self._lit(painter, scene, frame.weights, look)
        weights = frame.weights
        idle = [rect for id, rect in look.nodes if weights.get(id, 1.0) < IRRELEVANT]
        if idle:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.ink.color("window", 0.35 if scene.machine else 0.55))
            painter.drawRects(idle)
        self.late = False
        if frame.flashes:
            self._flashes(painter, frame.flashes, look)
        if zoom >= VALUES and look.plates:
            self._values(painter, frame, look)

    def _looked_at(self, painter: QPainter, scene: Scene, frame: LiveFrame, seen: Rect) -> _Look:
        moved, ratio = painter.transform(), painter.device().devicePixelRatioF()
        place = (moved.m11(), moved.dx(), moved.dy(), ratio, self.ink.theme.tokens.name)
        valued = frame.valued if frame.valued is not None else frame.values
        key = (id(scene), seen, place, id(valued))
        if self._look is None or self._look.key != key:
            ids = scene.seen(seen)
            wires = [
                (number, str(scene.wires[number].link.source))
                for number in ([] if scene.machine else scene.seen_wires(seen))
                if scene.wires[number].token == "pose"
            ]
            nodes = [(id, _veil(scene.rect(id))) for id in ids]
            self._look = _Look(key, wires, nodes, _plates(scene, ids, valued))
            self._held = (scene, valued)  # so that their ids stay their own
        return self._look

    def _lit(self, painter: QPainter, scene: Scene, weights: Mapping[str, float], look: _Look) -> None:
        """From kept pictures: thick strokes are slow, and most wires stay as they are from step to step."""
        color = self.ink.color("accent", 0.9)
        ratio = painter.device().devicePixelRatioF()
        moved = painter.transform()
        corner = QPointF(moved.dx() * ratio, moved.dy() * ratio)
        scale = moved.m11() * ratio
        painter.save()
        painter.resetTransform()
        painter.scale(1.0 / ratio, 1.0 / ratio)
        kept, draw, weight_of = look.lit, painter.drawPixmap, weights.get
        for number, source in look.wires:
            weight = weight_of(source)
            if weight is None or weight < IRRELEVANT:
                continue
            level = int(weight * LEVELS + 0.5) or 1
            found = kept.get((number, level))
            if found is None:
                at, picture = self.wires.lit(scene, scene.wires[number], color, level, scale)
                found = kept[number, level] = ((at + corner).toPoint(), picture)
            draw(*found)
        painter.restore()

    # ------------------------------------------------------------ values
    def _flashes(self, painter: QPainter, flashes: Mapping[str, float], look: _Look) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for id, rect in look.nodes:
            age = flashes.get(id)
            if age is not None and age < FLASH:
                painter.setPen(self.ink.pen("key", 3.0, round(1.0 - age / FLASH, 2)))
                painter.drawRoundedRect(rect.adjusted(-2.0, -2.0, 2.0, 2.0), 8.0, 8.0)

    def _values(self, painter: QPainter, frame: LiveFrame, look: _Look) -> None:
        """Plates with values, their texts as they were read a moment ago."""
        now, (key, at, step) = time.monotonic(), self._read
        if key is not look.key or (step != frame.step and now - at >= TEXT_TIME):
            self._texts = {pin: frame.values.get(pin, "") for pin, _, _ in look.plates}
            self._read = (look.key, now, frame.step)
        elif step != frame.step:
            self.late = True
        scale = painter.transform().m11() * painter.device().devicePixelRatioF()
        of = (scale, self.ink.theme.tokens.name)
        if of != self._plates_of or len(self._plates) > MOST_PLATES:
            self._plates.clear()
            self._plates_of = of
        texts, plates = self._texts, self._plates
        for pin, x, y in look.plates:
            text = texts[pin]
            if text:
                picture = plates.get(text)
                if picture is None:
                    picture = plates[text] = self._plate(text, scale)
                painter.drawPixmap(QPointF(x, y - PLATE_HEIGHT / 2.0), picture)

    def _plate(self, text: str, scale: float) -> QPixmap:
        """A value on its plate; a pixel of the picture is one of the screen."""
        made = QPixmap(round(PLATE_WIDTH * scale), round(PLATE_HEIGHT * scale))
        made.setDevicePixelRatio(scale)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.ink.color("field", 0.9))
        painter.drawRoundedRect(QRectF(0.0, 0.0, PLATE_WIDTH, PLATE_HEIGHT), 3.0, 3.0)
        font, metrics = self.ink.font(CAPTION - 1)
        fitting = metrics.elidedText(text, Qt.TextElideMode.ElideRight, PLATE_WIDTH - 6.0)
        painter.setFont(font)
        painter.setPen(self.ink.theme.ink("accent"))
        room = QRectF(3.0, 0.0, PLATE_WIDTH - 6.0, PLATE_HEIGHT)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, fitting)
        painter.end()
        return made

    # ------------------------------------------------------------ machines
    def _machine(self, painter: QPainter, scene: Scene, frame: LiveFrame, zoom: float) -> None:
        machine = frame.machines.get(scene.sheet.id)
        if machine is None:
            return
        running = {t.id: t.progress for t in machine.running}
        taken = self._just_taken(scene, frame.step, running)
        for arrow in scene.arrows:  # where it may go next, below what it does and has just done
            if arrow.source == machine.active and not any(t.id in running for t in arrow.transitions):
                self.wires.arrow(painter, scene, arrow, self.ink.color("dim", NEXT), zoom)
        for arrow in scene.arrows:
            left = max((taken.get(t.id, 0.0) for t in arrow.transitions), default=0.0)
            if left > 0.0:
                self.wires.arrow(
                    painter, scene, arrow, self.ink.color("accent", left), zoom, 1.0, badge=False
                )
            under_way = [running[t.id] for t in arrow.transitions if t.id in running]
            if under_way:
                self.wires.arrow(painter, scene, arrow, self.ink.color("accent"), zoom, 1.5)
                self._progress(painter, scene, arrow.source, arrow.target, under_way[-1])
        if machine.active in scene.nodes:
            r = scene.rect(machine.active)
            painter.setPen(self.ink.pen("accent", 3.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(r.x, r.y, r.w, r.h), 8.0, 8.0)
            if zoom >= VALUES:
                text = f"{machine.seconds:.1f} s"
                place = (r.right - 64.0, r.bottom + 10.0)
                self.ink.text(painter, place, text, 60.0, self.ink.theme.ink("accent"), CAPTION, align=1.0)

    def _just_taken(self, scene: Scene, step: int, running: Mapping[str, float]) -> Mapping[str, float]:
        """What is left, 1 to 0, of the light of the transitions that ended not long ago."""
        if self._taken_of != scene.sheet.id:
            self._taken_of, self._taken = scene.sheet.id, {}
        self._taken = {id: at for id, at in self._taken.items() if 0 <= step - at < TAKEN}
        self._taken.update(dict.fromkeys(running, step))
        return {
            id: round(1.0 - (step - at) / TAKEN, 2) for id, at in self._taken.items() if id not in running
        }

    def _progress(self, painter: QPainter, scene: Scene, source: str, target: str, share: float) -> None:
        """A dot that goes from one state to the other."""
        line = scene.curves[source, target]
        along = share * (len(line) - 1)
        k = min(int(along), len(line) - 2)
        x, y = line[k] + (line[k + 1] - line[k]) * (along - k)
        painter.setPen(self.ink.pen("window", 1.5))
        painter.setBrush(self.ink.color("accent"))
        painter.drawEllipse(QPointF(float(x), float(y)), 6.0, 6.0)


def _veil(rect: Rect) -> QRectF:
    return QRectF(rect.x - 1.0, rect.y - 1.0, rect.w + 2.0, rect.h + 2.0)


def _plates(scene: Scene, ids: list[str], valued: object) -> list[tuple[PinKey, float, float]]:
    """The pins in sight that have a value, with the places of their plates."""
    known = set(valued) if isinstance(valued, Mapping) else set()
    found = []
    for id in ids:
        rect = scene.rect(id)
        if (id, "out") in known:
            found.append(((id, "out"), rect.right + 8.0, rect.y - 9.0))
        pins = [pin for pin in scene.nodes[id].inputs if (id, pin.name) in known]
        found += [((id, pin.name), rect.x - 52.0, rect.y + pin.y) for pin in pins]
    return found
