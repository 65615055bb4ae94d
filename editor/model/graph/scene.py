"""A sheet as the canvas shows it: nodes with their pins, wires, arrows of machines, comments; free of Qt.

A node's view does not hold its place, so that a drag makes no new views.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.graph.catalogue.pins import Parameter, Pin, PinKind
from core.graph.graph import Link, Sheet, SheetKind, Transition
from editor.model.graph.geometry import Point, Rect, around
from editor.model.graph.layout import Comment
from editor.model.graph.naming import Tone
from editor.model.graph.ring import is_dense

HEAD, DETAIL, ROW, PAD = 26.0, 14.0, 20.0, 6.0
WIDTH, NARROW = 176.0, 128.0
STATE = (160.0, 48.0)
PILL = (96.0, 32.0)
COMMENT_HEAD = 28.0


@dataclass(frozen=True, slots=True)
class PinView:
    """A pin as it is drawn.

    Parameters
    ----------
    y : scene units below the node's top
    token : what colour, dash and shape it has: ``pose``, ``then``, a kind of value, or ``any``
    literal : text of what is typed into it; None where nothing can be typed
    typed : whether the node says so itself, not the default
    """

    pin: Pin
    y: float
    output: bool
    wired: bool
    token: str
    label: str
    literal: str | None = None
    typed: bool = False

    @property
    def name(self) -> str:
        return self.pin.name


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A field of a node that is chosen from a list.

    Parameters
    ----------
    y : scene units below the node's top, the middle of its row
    value : what the node says; "" for nothing
    shown : what that is called
    missing : why it is not there, or ""
    head : whether it is what the node's head says: only a chevron is drawn
    optional : whether the node does without it
    """

    parameter: Parameter
    y: float
    label: str
    value: str
    shown: str
    missing: str = ""
    head: bool = False
    optional: bool = False
    tone: str = "value"

    @property
    def name(self) -> str:
        return self.parameter.name


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node as it is drawn.

    Parameters
    ----------
    form : ``node``, ``state``, ``pill`` or ``diamond``
    detail : second line: what it plays, or its kind where it has a name
    opens : id of the sheet that a double click opens, or ""
    missing : what is not chosen yet, or not there any more; "" for nothing
    """

    id: str
    kind: str
    form: str
    title: str
    detail: str
    tone: Tone
    w: float
    h: float
    inputs: tuple[PinView, ...] = ()
    outputs: tuple[PinView, ...] = ()
    opens: str = ""
    missing: str = ""
    choices: tuple[ChoiceView, ...] = ()

    def choice(self, field: str) -> ChoiceView | None:
        """A choice field by the name of its parameter."""
        return next((c for c in self.choices if c.name == field), None)

    def pin(self, name: str, output: bool = False) -> PinView | None:
        """A pin by name."""
        return next((p for p in (self.outputs if output else self.inputs) if p.name == name), None)


@dataclass(frozen=True, slots=True)
class WireView:
    """A wire between two nodes that are there."""

    link: Link
    token: str
    knots: tuple[Point, ...] = ()

    @property
    def key(self) -> str:
        """What the selection calls it."""
        return wire_key(self.link)


def wire_key(link: Link) -> str:
    """The name of a wire: an input has one at most, a chain of actions may fork."""
    return f"w:{link.source}.{link.output}>{link.target}.{link.pin}"


def knot_key(target: str, pin: str, number: int) -> str:
    """The name of a knot of a wire."""
    return f"k:{target}.{pin}#{number}"


@dataclass(frozen=True, slots=True)
class ArrowView:
    """All transitions from one state to another, in the order in which they are looked at.

    Parameters
    ----------
    ranks : place of each among the transitions that leave its source, from 1
    """

    source: str
    target: str
    transitions: tuple[Transition, ...]
    ranks: tuple[int, ...]
    both_ways: bool


@dataclass(frozen=True)
class Scene:
    """A sheet as it is drawn.

    Parameters
    ----------
    places : top left corner of every node
    """

    sheet: Sheet
    nodes: Mapping[str, NodeView]
    places: Mapping[str, Point]
    wires: tuple[WireView, ...] = ()
    arrows: tuple[ArrowView, ...] = ()
    comments: tuple[Comment, ...] = ()
    token: object = field(default=None, compare=False)

    @property
    def machine(self) -> bool:
        """Whether it is a state machine."""
        return self.sheet.kind is SheetKind.MACHINE

    @cached_property
    def crowded(self) -> bool:
        """Whether a machine has so many arrows that one by one they cannot be told apart."""
        return self.machine and is_dense(len(self.nodes), len(self.arrows))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Node ids, the lowest drawn first."""
        return tuple(self.nodes)

    @cached_property
    def rects(self) -> npt.NDArray[np.float64]:
        """Left, top, right, bottom of every node ``(N, 4)``, as `ids`."""
        rows = [
            (x, y, x + node.w, y + node.h) for node in self.nodes.values() for x, y in [self.places[node.id]]
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), 4)

    @cached_property
    def wire_boxes(self) -> npt.NDArray[np.float64]:
        """Box of every wire ``(W, 4)``: of the control points of its curves, within which they stay."""
        rows = []
        for wire in self.wires:
            points = self.wire_points(wire)
            bends = [p for a, b in itertools.pairwise(points) for p in bend(a, b)]
            xs, ys = [p[0] for p in (*points, *bends)], [p[1] for p in points]
            rows.append((min(xs) - 4.0, min(ys) - 4.0, max(xs) + 4.0, max(ys) + 4.0))
        return np.array(rows, dtype=np.float64).reshape(len(rows), 4)

    @cached_property
    def wires_of(self) -> Mapping[str, tuple[int, ...]]:
        """Node id → numbers of the wires that begin or end there."""
        found: dict[str, list[int]] = {}
        for number, wire in enumerate(self.wires):
            found.setdefault(wire.link.source, []).append(number)
            found.setdefault(wire.link.target, []).append(number)
        return {key: tuple(numbers) for key, numbers in found.items()}

    @cached_property
    def curves(self) -> Mapping[tuple[str, str], npt.NDArray[np.float64]]:
        """(source, target) → the arrow between them as a polyline ``(n, 2)``."""
        return {(arrow.source, arrow.target): arrow_curve(self, arrow) for arrow in self.arrows}

    def rect(self, node: str) -> Rect:
        """Where a node is."""
        view, (x, y) = self.nodes[node], self.places[node]
        return Rect(x, y, view.w, view.h)

    def item_rect(self, item: str) -> Rect | None:
        """Where a node, comment, transition, wire or knot is; None where it is not on this sheet."""
        if item in self.nodes:
            return self.rect(item)
        for comment in self.comments:
            if comment.id == item:
                return comment.rect
        for arrow in self.arrows:
            if any(t.id == item for t in arrow.transitions):
                return self.rect(arrow.source).joined(self.rect(arrow.target))
        for wire in self.wires:
            if wire.key == item:
                points = self.wire_points(wire)
                return Rect.of(points[0], points[-1])
        return None

    def pin_place(self, node: str, pin: str, output: bool) -> Point | None:
        """Where a pin is; None where the node has no such pin."""
        view = self.nodes.get(node)
        found = None if view is None else view.pin(pin, output)
        if view is None or found is None:
            return None
        x, y = self.places[node]
        return x + (view.w if output else 0.0), y + found.y

    def wire_points(self, wire: WireView) -> list[Point]:
        """Places that a wire goes through, its ends included."""
        link = wire.link
        begin = self.pin_place(link.source, link.output, True)
        end = self.pin_place(link.target, link.pin, False)
        return [begin or self.rect(link.source).centre, *wire.knots, end or self.rect(link.target).centre]

    def bounds(self) -> Rect | None:
        """The smallest rectangle around everything; None for an empty sheet."""
        rects = self.rects
        boxes = [comment.rect for comment in self.comments]
        if len(rects):
            low, high = rects[:, :2].min(axis=0), rects[:, 2:].max(axis=0)
            boxes.append(Rect.of((float(low[0]), float(low[1])), (float(high[0]), float(high[1]))))
        for line in self.curves.values() if self.machine else ():  # arrows bow beyond the states
            low, high = line.min(axis=0), line.max(axis=0)
            boxes.append(Rect.of((float(low[0]), float(low[1])), (float(high[0]), float(high[1]))))
        return around(boxes)

    def seen(self, rect: Rect, margin: float = 8.0) -> list[str]:
        """Nodes that touch a rectangle, the lowest first."""
        if not self.nodes:
            return []
        r, ids = self.rects, self.ids
        inside = (
            (r[:, 0] <= rect.right + margin)
            & (r[:, 2] >= rect.x - margin)
            & (r[:, 1] <= rect.bottom + margin)
            & (r[:, 3] >= rect.y - margin)
        )
        return [ids[k] for k in np.flatnonzero(inside)]

    def seen_wires(self, rect: Rect) -> list[int]:
        """Numbers of the wires that may touch a rectangle."""
        if not self.wires:
            return []
        r = self.wire_boxes
        inside = (
            (r[:, 0] <= rect.right) & (r[:, 2] >= rect.x) & (r[:, 1] <= rect.bottom) & (r[:, 3] >= rect.y)
        )
        return [int(k) for k in np.flatnonzero(inside)]


def bend(a: Point, b: Point) -> tuple[Point, Point]:
    """The two inner control points of a wire's Bézier curve."""
    reach = min(max(abs(b[0] - a[0]) * 0.5, 24.0), 120.0 + 0.1 * abs(b[0] - a[0]))
    return (a[0] + reach, a[1]), (b[0] - reach, b[1])


def flattened(points: list[Point], pieces: int = 14) -> npt.NDArray[np.float64]:
    """A wire's curve as a polyline ``(n, 2)``."""
    u = np.linspace(0.0, 1.0, pieces + 1)[:, None]
    parts = []
    for a, d in itertools.pairwise(points):
        b, c = bend(a, d)
        curve = (
            (1 - u) ** 3 * np.array(a)
            + 3 * (1 - u) ** 2 * u * np.array(b)
            + 3 * (1 - u) * u**2 * np.array(c)
            + u**3 * np.array(d)
        )
        parts.append(curve)
    return np.concatenate(parts)


ARROW_APART = 9.0
"""Scene units between an arrow and the middle line of two states."""
BOWS = (0.0, 56.0, -56.0, 104.0, -104.0, 168.0, -168.0)
"""Scene units by which an arrow is bowed sideways so that it goes round other states; the first that is free."""


def arrow_curve(scene: Scene, arrow: ArrowView) -> npt.NDArray[np.float64]:
    """An arrow as a polyline ``(n, 2)`` from border to border; one from a state to itself is a loop above it."""
    a, b = scene.rect(arrow.source), scene.rect(arrow.target)
    if arrow.source == arrow.target:
        u = np.linspace(0.0, np.pi, 9)
        middle, radius = a.right - 28.0, 12.0
        return np.stack([middle - radius * np.cos(u), a.y - 2.0 * radius * np.sin(u)], axis=1)
    (ax, ay), (bx, by) = a.centre, b.centre
    dx, dy = bx - ax, by - ay
    length = max(float(np.hypot(dx, dy)), 1e-6)
    side = ARROW_APART if arrow.both_ways else 0.0
    normal = np.array((-dy, dx)) / length
    begin, end = np.array((ax, ay)) + normal * side, np.array((bx, by)) + normal * side
    ids = scene.ids
    others = np.array([k for k, id in enumerate(ids) if id not in (arrow.source, arrow.target)], np.int64)
    rects = scene.rects[others]
    near = (
        (rects[:, 0] <= max(ax, bx) + 200.0)
        & (rects[:, 2] >= min(ax, bx) - 200.0)
        & (rects[:, 1] <= max(ay, by) + 200.0)
        & (rects[:, 3] >= min(ay, by) - 200.0)
    )
    rects = rects[near]
    found = np.array([begin, end])
    for bow in BOWS:
        found = _bowed(a, b, begin, end, normal * bow)
        if not _meets(found, rects):
            return found
    return _bowed(a, b, begin, end, normal * 0.0)


def _bowed(
    a: Rect,
    b: Rect,
    begin: npt.NDArray[np.float64],
    end: npt.NDArray[np.float64],
    bow: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """A curve between two states, cut at their borders."""
    if not bow.any():
        way = (float(end[0] - begin[0]), float(end[1] - begin[1]))
        first = _border(a, (float(begin[0]), float(begin[1])), way)
        last = _border(b, (float(end[0]), float(end[1])), (-way[0], -way[1]))
        return np.array([first, last])
    u = np.linspace(0.0, 1.0, 385)[:, None]
    middle = (begin + end) / 2.0 + 2.0 * bow
    curve = (1 - u) ** 2 * begin + 2 * (1 - u) * u * middle + u**2 * end
    keep = np.ones(len(curve), bool)
    for r in (a, b):
        x, y = curve[:, 0], curve[:, 1]
        keep &= ~((x >= r.x) & (x <= r.right) & (y >= r.y) & (y <= r.bottom))
    kept = np.asarray(curve[keep], np.float64)
    if len(kept) < 3:
        return np.array([begin, end])
    return kept[np.unique(np.linspace(0, len(kept) - 1, 33).round().astype(np.int64))]


def _meets(line: npt.NDArray[np.float64], rects: npt.NDArray[np.float64]) -> bool:
    """Whether a polyline comes over any rectangle."""
    if not len(rects):
        return False
    begin, way = line[:-1, None], np.diff(line, axis=0)[:, None]
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    low, high = (rects[:, :2] - 4.0 - begin) / way, (rects[:, 2:] + 4.0 - begin) / way
    enters = np.minimum(low, high).max(axis=2).clip(min=0.0)  # shares of each piece, by the slabs of a box
    leaves = np.maximum(low, high).min(axis=2).clip(max=1.0)
    return bool((enters <= leaves).any())


def _border(rect: Rect, inside: Point, way: Point) -> Point:
    """Where a ray from inside a rectangle leaves it."""
    (x, y), (dx, dy) = inside, way
    steps = []
    if abs(dx) > 1e-9:
        steps.append(((rect.right if dx > 0 else rect.x) - x) / dx)
    if abs(dy) > 1e-9:
        steps.append(((rect.bottom if dy > 0 else rect.y) - y) / dy)
    t = max(min(steps, default=0.0), 0.0)
    return x + dx * t, y + dy * t


def token_of(pin: Pin) -> str:
    """What colour, dash and shape a pin has."""
    if pin.kind is not PinKind.VALUE:
        return str(pin.kind)
    return "any" if pin.type is None else str(pin.type.kind)
