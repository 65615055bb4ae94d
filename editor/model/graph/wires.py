"""Laying and cutting wires: what fits, why not, and the node that converts."""

import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.errors import ValidationError
from core.graph.catalogue.pins import Pin, PinKind, joins
from core.graph.edits import added, connected, cut, healing_links, without
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, new_node_id
from core.graph.language.values import BOOL, FLOAT, INT, VECTOR, ValueType
from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import Point, on_grid
from editor.model.graph.layout import Layout
from editor.model.graph.scene import NodeView, Scene, wire_key
from editor.model.graph.state import PinPlace
from editor.model.i18n import tr

CONVERTERS: dict[tuple[ValueType, ValueType], str] = {
    (FLOAT, BOOL): "a > 0",
    (INT, BOOL): "a != 0",
    (BOOL, FLOAT): "if(a, 1.0, 0.0)",
    (BOOL, INT): "if(a, 1, 0)",
    (FLOAT, INT): "round(a)",
    (VECTOR, FLOAT): "length(a)",
    (FLOAT, VECTOR): "vec(a, 0, 0)",
    (INT, VECTOR): "vec(a, 0, 0)",
    (VECTOR, BOOL): "length(a) > 0",
}
"""Expression that makes a value of one type into one of another."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A wire that is only possible with a node between: what the person is asked."""

    source: PinPlace
    target: PinPlace
    text: str
    at: Point


class WireEdits:
    """Edits of the wires of the open sheet; each is one undo step."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._known: tuple[Sheet | None, dict[str, list[str]], dict[str, set[str]]] = (None, {}, {})

    # ------------------------------------------------------------ asking
    def pin(self, place: PinPlace) -> Pin | None:
        """A pin of the open sheet."""
        scene = self._canvas.committed
        node = None if scene is None else scene.nodes.get(place.node)
        found = None if node is None else node.pin(place.pin, place.output)
        return None if found is None else found.pin

    def reason(self, a: PinPlace, b: PinPlace) -> str:
        """Why no wire can be laid between two pins, or "" where it can."""
        if a.output == b.output:
            return tr("both are outputs") if a.output else tr("both are inputs")
        source, target = (a, b) if a.output else (b, a)
        if source.node == target.node:
            return tr("a node cannot feed itself")
        from_pin, to_pin = self.pin(source), self.pin(target)
        if from_pin is None or to_pin is None:
            return tr("this pin is gone")
        wrong = joins(from_pin, to_pin)
        if wrong:
            return wrong
        sheet = self._canvas.sheet
        flows = from_pin.kind is not PinKind.VALUE and sheet is not None
        if flows and sheet is not None and source.node in self._behind(sheet, target.node):
            return tr("that would close a circle")
        return ""

    def _behind(self, sheet: Sheet, node: str) -> set[str]:
        """All nodes that a node's wires lead to, itself too; kept while the sheet stays."""
        if self._known[0] is not sheet:
            after: dict[str, list[str]] = {}
            for link in sheet.links:
                after.setdefault(link.source, []).append(link.target)
            self._known = (sheet, after, {})
        _, after, found = self._known
        if node not in found:
            seen: set[str] = set()
            waiting = [node]
            while waiting:
                at = waiting.pop()
                if at not in seen:
                    seen.add(at)
                    waiting += after.get(at, ())
            found[node] = seen
        return found[node]

    def fitting(self, place: PinPlace) -> dict[PinPlace, str]:
        """Every other pin of the sheet with the reason why it does not fit, "" for those that do."""
        scene = self._canvas.committed
        if scene is None:
            return {}
        return {
            other: self.reason(place, other)
            for node in scene.nodes.values()
            for other in _pins(node)
            if other.output != place.output and other.node != place.node
        }

    def first_fitting(self, place: PinPlace, node: str) -> PinPlace | None:
        """The pin of a node that a wire takes which is dropped on its body: a free one first."""
        scene = self._canvas.committed
        view = None if scene is None else scene.nodes.get(node)
        if view is None:
            return None
        fits = [p for p in _pins(view) if p.output != place.output and not self.reason(place, p)]
        wired = {p.name for p in view.inputs if p.wired}
        free = [p for p in fits if p.output or p.pin not in wired]
        return next(iter([*free, *fits]), None)

    def links_at(self, place: PinPlace) -> list[Link]:
        """Wires that begin or end at a pin."""
        sheet = self._canvas.sheet
        if sheet is None:
            return []
        if place.output:
            return [x for x in sheet.links if x.source == place.node and x.output == place.pin]
        return [x for x in sheet.links if x.target == place.node and x.pin == place.pin]

    def offer(self, a: PinPlace, b: PinPlace, at: Point) -> Offer | None:
        """The node that would make an impossible wire possible; None where there is none."""
        if a.output == b.output:
            return None
        source, target = (a, b) if a.output else (b, a)
        one, other = self.pin(source), self.pin(target)
        if one is None or other is None or one.type is None or other.type is None:
            return None
        text = CONVERTERS.get((one.type, other.type))
        return None if text is None else Offer(source, target, text, at)

    # ------------------------------------------------------------ doing
    def connect(self, a: PinPlace, b: PinPlace) -> bool:
        """Lay a wire between two pins.

        Raises
        ------
        ValidationError
            It does not fit; the message says why.
        """
        wrong = self.reason(a, b)
        if wrong:
            raise ValidationError(wrong)
        graph, sheet = self._canvas.require()
        return self._canvas.commit(tr("Connect"), self.laid(graph, sheet.id, a, b))

    def laid(self, graph: Graph, sheet: str, a: PinPlace, b: PinPlace) -> Graph:
        """A graph with a wire between two pins."""
        source, target = (a, b) if a.output else (b, a)
        pin = self.pin(source) or self.pin(target)
        kind = PinKind.POSE if pin is None else pin.kind
        link = Link(NodeId(source.node), NodeId(target.node), target.pin, source.pin)
        return connected(graph, sheet, link, kind)

    def convert(self, offer: Offer) -> bool:
        """Lay a wire with the node between that converts."""
        graph, sheet = self._canvas.require()
        node = Node(new_node_id(), "expression", literals={"value": offer.text})
        layout = self._canvas.layout.moved({node.id: on_grid((offer.at[0] - 64.0, offer.at[1]))})
        graph = added(graph, sheet.id, [node])
        first = Link(NodeId(offer.source.node), node.id, "a", offer.source.pin)
        last = Link(node.id, NodeId(offer.target.node), offer.target.pin)
        for link in (first, last):
            graph = connected(graph, sheet.id, link, PinKind.VALUE)
        return self._canvas.commit(tr("Convert"), graph, layout)

    def move_all(self, ends: Iterable[PinPlace], old: PinPlace, new: PinPlace) -> bool:
        """All wires of a pin go to another pin instead."""
        graph, sheet = self._canvas.require()
        graph = cut(graph, sheet.id, self.links_at(old))
        for end in ends:
            wrong = self.reason(end, new)
            if wrong:
                raise ValidationError(wrong)
            graph = self.laid(graph, sheet.id, end, new)
        return self._canvas.commit(tr("Move wires"), graph)

    def cut_at(self, place: PinPlace) -> bool:
        """Cut all wires of a pin."""
        links = self.links_at(place)
        graph, sheet = self._canvas.require()
        return bool(links) and self._canvas.commit(tr("Cut wires"), cut(graph, sheet.id, links))

    def cut_keys(self, keys: Collection[str]) -> bool:
        """Cut wires by their keys, and delete transitions by their ids."""
        graph, sheet = self._canvas.require()
        links = [x for x in sheet.links if wire_key(x) in keys]
        arrows = [str(t.id) for t in sheet.transitions if t.id in keys]
        if not links and not arrows:
            return False
        layout = self._canvas.layout
        for link in links:
            layout = layout.with_knots(link.target, link.pin, ())
        graph = without(cut(graph, sheet.id, links), sheet.id, arrows)
        label = tr("Cut wires") if links else tr("Delete transitions")
        return self._canvas.commit(label, graph, layout)

    # ------------------------------------------------------------ into a wire, out of a wire
    def takes(self, scene: Scene, node: str, wire: str) -> PinPlace | None:
        """The input of a node that a wire could go through it by; None where it does not fit."""
        view = scene.nodes.get(node)
        found = next((w for w in scene.wires if w.key == wire), None)
        if view is None or found is None or node in (found.link.source, found.link.target):
            return None
        source = scene.nodes[found.link.source].pin(found.link.output, True)
        target = scene.nodes[found.link.target].pin(found.link.pin)
        out = view.outputs[0] if view.outputs else None
        if source is None or target is None or out is None or joins(out.pin, target.pin):
            return None
        if any(p.wired for p in view.inputs if p.pin.kind is source.pin.kind) or node in scene.wires_of:
            return None
        entry = next((p for p in view.inputs if not joins(source.pin, p.pin)), None)
        return None if entry is None else PinPlace(node, entry.name)

    def put_in(self, graph: Graph, scene: Scene, node: str, wire: str) -> Graph:
        """A graph with a node put into a wire, where it fits."""
        entry = self.takes(scene, node, wire)
        if entry is None:
            return graph
        found = next(w for w in scene.wires if w.key == wire)
        link, sheet = found.link, scene.sheet.id
        source = scene.nodes[link.source].pin(link.output, True)
        kind = PinKind.POSE if source is None else source.pin.kind
        graph = cut(graph, sheet, [link])
        before = Link(link.source, NodeId(node), entry.pin, link.output)
        out = scene.nodes[node].outputs[0].name
        after = Link(NodeId(node), link.target, link.pin, out)
        return connected(connected(graph, sheet, before, kind), sheet, after, kind)

    def lift_out(self, graph: Graph, scene: Scene, node: str) -> Graph:
        """A graph with a node taken out of its wires, and these joined."""
        links = [scene.wires[k].link for k in scene.wires_of.get(node, ())]
        healed = healing_links(scene.sheet, {node}, pose_pins(scene))
        graph = cut(graph, scene.sheet.id, links)
        for link in healed:
            graph = connected(graph, scene.sheet.id, link, PinKind.VALUE)
        return graph

    # ------------------------------------------------------------ knots
    def add_knot(self, wire: str, at: Point) -> bool:
        """Let a wire go through a place."""
        scene = self._canvas.committed
        graph, _ = self._canvas.require()
        found = None if scene is None else next((w for w in scene.wires if w.key == wire), None)
        if scene is None or found is None:
            return False
        places = scene.wire_points(found)
        at = on_grid(at)
        lengths = [_detour(a, b, at) for a, b in itertools.pairwise(places)]
        k = lengths.index(min(lengths))
        knots = [*found.knots[:k], at, *found.knots[k:]]
        layout = self._canvas.layout.with_knots(found.link.target, found.link.pin, knots)
        return self._canvas.commit(tr("Add knot"), graph, layout)

    def move_knot(self, key: str, at: Point) -> Layout:
        """The layout with a knot elsewhere."""
        target, pin, number = split_knot(key)
        layout = self._canvas.layout
        knots = list(layout.knots.get((target, pin), ()))
        if number < len(knots):
            knots[number] = on_grid(at)
        return layout.with_knots(target, pin, knots)


def split_knot(key: str) -> tuple[str, str, int]:
    """Target node, pin and number of a knot's key."""
    place, _, number = key.removeprefix("k:").rpartition("#")
    node, _, pin = place.partition(".")
    return node, pin, int(number) if number.isdigit() else 0


def pose_pins(scene: Scene) -> dict[str, tuple[str, ...]]:
    """Pose inputs (and where actions come in) of every node, in order."""
    return {
        id: tuple(p.name for p in node.inputs if p.pin.kind is not PinKind.VALUE)
        for id, node in scene.nodes.items()
    }


def _pins(node: NodeView) -> list[PinPlace]:
    return [
        *(PinPlace(node.id, p.name) for p in node.inputs),
        *(PinPlace(node.id, p.name, True) for p in node.outputs),
    ]


def _detour(a: Point, b: Point, at: Point) -> float:
    def away(p: Point) -> float:
        return float(((p[0] - at[0]) ** 2 + (p[1] - at[1]) ** 2) ** 0.5)

    return away(a) + away(b) - float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)
