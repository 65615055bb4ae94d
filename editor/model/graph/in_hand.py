"""A scene with what a gesture drags where it is dragged to; what differs between two versions of a graph."""

from dataclasses import replace

from core.graph.graph import Graph
from editor.model.graph.geometry import Point
from editor.model.graph.layout import Comment, read_layout
from editor.model.graph.scene import Scene
from editor.model.graph.state import Moving, PinPlace

Knot = tuple[tuple[str, str], int, Point]


def in_hand(
    scene: Scene,
    moving: Moving | None,
    knot: Knot | None,
    sizing: Comment | None,
    scrubbed: tuple[PinPlace, str] | None,
) -> Scene:
    """A scene with what is dragged where it is dragged to."""
    if moving is not None:
        comments = tuple(
            replace(c, rect=replace(c.rect, x=moving.places[c.id][0], y=moving.places[c.id][1]))
            if c.id in moving.places
            else c
            for c in scene.comments
        )
        nodes = {k: v for k, v in moving.places.items() if k in scene.nodes}
        return replace(scene, places={**scene.places, **nodes}, comments=comments)
    if scrubbed is not None and scrubbed[0].node in scene.nodes:
        place, text = scrubbed
        view = scene.nodes[place.node]
        pins = tuple(replace(p, literal=text, typed=True) if p.name == place.pin else p for p in view.inputs)
        return replace(scene, nodes={**scene.nodes, place.node: replace(view, inputs=pins)})
    if sizing is not None:
        return replace(scene, comments=tuple(sizing if c.id == sizing.id else c for c in scene.comments))
    if knot is not None:
        (target, pin), number, at = knot
        wires = tuple(
            replace(w, knots=(*w.knots[:number], at, *w.knots[number + 1 :]))
            if (w.link.target, w.link.pin) == (target, pin)
            else w
            for w in scene.wires
        )
        return replace(scene, wires=wires)
    return scene


def differing(before: Graph, after: Graph) -> tuple[str | None, list[str]]:
    """The first sheet on which two versions of a graph differ, and the items that do; layouts count too."""
    old = {s.id: s for s in before.sheets}
    for sheet in after.sheets:
        was = old.get(sheet.id)
        if was is None or was is sheet or was == sheet:
            continue
        known, links = {n.id: n for n in was.nodes}, set(was.links)
        items = [str(n.id) for n in sheet.nodes if known.get(n.id) != n]
        items += [str(x.target) for x in set(sheet.links) ^ links]
        items += [str(t.id) for t in sheet.transitions if t not in was.transitions]
        return sheet.id, items
    a, b = read_layout(before), read_layout(after)
    moved = [id for id, place in b.places.items() if a.places.get(id) != place]
    moved += [id for id in a.places if id not in b.places]
    for sheet in after.sheets:
        items = [str(n.id) for n in sheet.nodes if n.id in moved]
        if items:
            return sheet.id, items
    comments = {c.id: c for c in a.comments}
    for comment in b.comments:
        if comments.get(comment.id) != comment:
            return comment.sheet, [comment.id]
    return None, []
