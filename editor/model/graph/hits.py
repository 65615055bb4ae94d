"""What lies under a place of the canvas."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from editor.model.graph.geometry import TITLES, Point, Rect
from editor.model.graph.scene import (
    COMMENT_HEAD,
    HEAD,
    ROW,
    ArrowView,
    NodeView,
    Scene,
    flattened,
    knot_key,
)
from editor.model.graph.state import ChoicePlace, PinPlace

PIN_REACH = 10.0
WIRE_REACH = 6.0
BORDER = 7.0
"""Pixels within which pins, wires and the borders of states are hit."""
EDGE = 10.0


Line = npt.NDArray[np.float64]


class Part(Enum):
    """Kinds of things to hit."""

    NOTHING = "nothing"
    NODE = "node"
    PIN = "pin"
    LITERAL = "literal"
    CHOICE = "choice"
    BORDER = "border"
    WIRE = "wire"
    KNOT = "knot"
    ARROW = "arrow"
    COMMENT = "comment"
    COMMENT_EDGE = "comment_edge"


@dataclass(frozen=True, slots=True)
class Hit:
    """What was hit.

    Parameters
    ----------
    item : id or key
    pin : of a pin or a literal
    choice : of a choice field
    others : further items at this place, the upper one first, for clicks that go through them
    """

    part: Part = Part.NOTHING
    item: str = ""
    pin: PinPlace | None = None
    others: tuple[str, ...] = ()
    choice: ChoicePlace | None = None


NOTHING = Hit()


def literal_box(node: NodeView, place: Point, pin: str) -> Rect | None:
    """Where what is typed into a pin is shown; None for pins where nothing can be typed."""
    found = node.pin(pin)
    if found is None or found.literal is None:
        return None
    half = node.w * 0.5
    return Rect(place[0] + node.w - half, place[1] + found.y - ROW / 2 + 1.0, half - 6.0, ROW - 2.0)


def choice_box(node: NodeView, place: Point, field: str) -> Rect | None:
    """Where a choice field is: in its row, or the chevron in the head; None where the node has no such field."""
    found = node.choice(field)
    if found is None:
        return None
    if found.head:
        return Rect(place[0] + node.w - 30.0, place[1] + 4.0, 18.0, HEAD - 8.0)
    half = node.w * 0.5
    return Rect(place[0] + node.w - half, place[1] + found.y - ROW / 2 + 1.0, half - 6.0, ROW - 2.0)


def hit_at(scene: Scene, place: Point, zoom: float) -> Hit:
    """What is under a scene place at a zoom: pins before nodes, nodes before wires, comments last."""
    reach = 1.0 / zoom
    near = Rect(place[0], place[1], 0.0, 0.0)
    nodes = scene.seen(near, PIN_REACH * reach)[::-1]
    if zoom >= TITLES and not scene.machine:
        for id in nodes:
            pin = _pin_at(scene, id, place, PIN_REACH * reach)
            if pin is not None:
                return Hit(Part.PIN, id, pin)
    inside = [id for id in nodes if scene.rect(id).holds(place)]
    wires = [key for key, part in _lines(scene, place, reach)] if not inside else []
    if inside:
        return _in_node(scene, inside, place, zoom)
    if wires:
        part = dict(_lines(scene, place, reach))[wires[0]]
        return Hit(part, wires[0], None, tuple(wires[1:]))
    return _comment_at(scene, place, reach)


def _in_node(scene: Scene, inside: list[str], place: Point, zoom: float) -> Hit:
    id = inside[0]
    node, rect = scene.nodes[id], scene.rect(id)
    others = tuple(inside[1:])
    if scene.machine:
        edge = min(BORDER / zoom, rect.h / 4.0)
        if not rect.grown(-edge).holds(place) and node.kind != "exit":
            return Hit(Part.BORDER, id, None, others)
    elif zoom >= TITLES:
        for pin in node.inputs:
            box = literal_box(node, scene.places[id], pin.name)
            if box is not None and box.holds(place):
                return Hit(Part.LITERAL, id, PinPlace(id, pin.name), others)
        for choice in node.choices:
            box = choice_box(node, scene.places[id], choice.name)
            if box is not None and box.holds(place):
                return Hit(Part.CHOICE, id, None, others, ChoicePlace(id, choice.name))
    return Hit(Part.NODE, id, None, others)


def _pin_at(scene: Scene, id: str, place: Point, reach: float) -> PinPlace | None:
    view, (x, y) = scene.nodes[id], scene.places[id]
    for output, pins, px in ((True, view.outputs, x + view.w), (False, view.inputs, x)):
        for pin in pins:
            if abs(px - place[0]) <= reach and abs(y + pin.y - place[1]) <= min(reach, ROW / 2):
                return PinPlace(id, pin.name, output)
    return None


def _lines(scene: Scene, place: Point, reach: float) -> list[tuple[str, Part]]:
    """Knots, wires and arrows near a place, the nearest first."""
    found: list[tuple[float, str, Part]] = []
    box = Rect(place[0], place[1], 0.0, 0.0).grown(max(WIRE_REACH, PIN_REACH) * reach)
    for number in scene.seen_wires(box):
        wire = scene.wires[number]
        for k, (x, y) in enumerate(wire.knots):
            away = float(np.hypot(x - place[0], y - place[1]))
            if away <= PIN_REACH * reach:
                found.append((away - 100.0, knot_key(wire.link.target, wire.link.pin, k), Part.KNOT))
        away = distance(flattened(scene.wire_points(wire)), place)
        if away <= WIRE_REACH * reach:
            found.append((away, wire.key, Part.WIRE))
    for arrow in scene.arrows:
        away = distance(arrow_points(scene, arrow), place)
        if away <= (WIRE_REACH + 2.0) * reach:
            found += [(away + 0.001 * k, t.id, Part.ARROW) for k, t in enumerate(arrow.transitions)]
    return [(key, part) for _, key, part in sorted(found, key=lambda f: f[0])]


def arrow_points(scene: Scene, arrow: ArrowView) -> npt.NDArray[np.float64]:
    """An arrow as a polyline ``(n, 2)``."""
    return scene.curves[arrow.source, arrow.target]


def middle_of(line: npt.NDArray[np.float64]) -> Point:
    """The middle of a polyline ``(n, 2)``."""
    place = line[len(line) // 2] if len(line) > 2 else line.mean(axis=0)
    return float(place[0]), float(place[1])


def distance(line: npt.NDArray[np.float64], place: Point) -> float:
    """Scene units between a polyline ``(n, 2)`` and a place."""
    a, b = line[:-1], line[1:]
    d = b - a
    square = np.maximum((d * d).sum(axis=1), 1e-12)
    p = np.array(place)
    t = np.clip(((p - a) * d).sum(axis=1) / square, 0.0, 1.0)
    return float(np.sqrt((((a + t[:, None] * d) - p) ** 2).sum(axis=1).min()))


def _comment_at(scene: Scene, place: Point, reach: float) -> Hit:
    smallest = sorted(scene.comments, key=lambda c: c.rect.w * c.rect.h)
    for comment in smallest:
        rect = comment.rect
        corner = (rect.right, rect.bottom)
        if abs(place[0] - corner[0]) <= EDGE * reach and abs(place[1] - corner[1]) <= EDGE * reach:
            return Hit(Part.COMMENT_EDGE, comment.id)
        if Rect(rect.x, rect.y, rect.w, max(COMMENT_HEAD, COMMENT_HEAD * min(reach, 3.0))).holds(place):
            return Hit(Part.COMMENT, comment.id)
    return NOTHING


def in_box(scene: Scene, box: Rect) -> list[str]:
    """Nodes that a box touches, comments that it covers, arrows that it crosses."""
    found = list(scene.seen(box, 0.0))
    found += [c.id for c in scene.comments if box.covers(c.rect)]
    for arrow in scene.arrows:
        points = arrow_points(scene, arrow)
        if all(box.holds((float(x), float(y))) for x, y in points):
            found += [t.id for t in arrow.transitions]
    return found


def crossed(scene: Scene, a: Point, b: Point) -> list[str]:
    """Keys of the wires and ids of the transitions that a straight stroke crosses."""
    found = []
    for number in scene.seen_wires(Rect.of(a, b)):
        wire = scene.wires[number]
        if _crosses(flattened(scene.wire_points(wire)), a, b):
            found.append(wire.key)
    for arrow in scene.arrows:
        if _crosses(arrow_points(scene, arrow), a, b):
            found += [str(t.id) for t in arrow.transitions]
    return found


def _crosses(line: npt.NDArray[np.float64], a: Point, b: Point) -> bool:
    p, q = line[:-1], line[1:]
    c, d = np.array(a), np.array(b)

    def side(u: Line, v: Line, w: Line) -> Line:
        ahead, aside = v - u, w - u
        return ahead[..., 0] * aside[..., 1] - ahead[..., 1] * aside[..., 0]

    # A corner that lies on the stroke belongs to one side, so that a stroke through it crosses once.
    across, along = side(p, q, c) < 0, side(c, d, p) < 0
    return bool(np.any((across != (side(p, q, d) < 0)) & (along != (side(c, d, q) < 0))))
