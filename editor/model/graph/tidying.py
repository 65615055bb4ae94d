"""Aligning, distributing, straightening and tidying nodes; comment frames around them."""

from collections.abc import Iterable
from dataclasses import replace

from core.errors import ValidationError
from editor.model.graph.arrange import arranged
from editor.model.graph.canvas import Canvas
from editor.model.graph.geometry import GRID, Point, Rect, around, on_grid, snapped
from editor.model.graph.layout import COLORS, Comment
from editor.model.graph.nodes import NodeEdits
from editor.model.graph.scene import COMMENT_HEAD, Scene
from editor.model.i18n import tr

SIDES = ("left", "right", "top", "bottom", "centre", "middle")
"""Ways to align: by an edge, centre (upright line), middle (level line)."""
NOTE = (160.0, 64.0)


class Tidying:
    """Edits of places and comments."""

    def __init__(self, canvas: Canvas, nodes: NodeEdits) -> None:
        self._canvas, self._nodes = canvas, nodes

    def _chosen(self, least: int) -> tuple[Scene, list[str]]:
        scene = self._canvas.committed
        chosen = list(self._canvas.selected_nodes)
        if scene is None or len(chosen) < least:
            raise ValidationError(
                tr("Select {count} nodes or more first", count=least)
                if least > 1
                else tr("Select nodes first")
            )
        return scene, chosen

    # ------------------------------------------------------------ in line
    def align(self, side: str) -> bool:
        """Put the selected nodes in line: by an edge, or by their middles."""
        scene, chosen = self._chosen(2)
        rects = {id: scene.rect(id) for id in chosen}
        box = around(list(rects.values()))
        assert box is not None
        places: dict[str, Point] = {}
        for id, rect in rects.items():
            x, y = rect.x, rect.y
            if side == "left":
                x = box.x
            elif side == "right":
                x = box.right - rect.w
            elif side == "centre":
                x = box.centre[0] - rect.w / 2.0
            elif side == "top":
                y = box.y
            elif side == "bottom":
                y = box.bottom - rect.h
            else:
                y = box.centre[1] - rect.h / 2.0
            places[id] = (x, y)
        return self._nodes.move(places, tr("Align {side}", side=tr(side)))

    def distribute(self, *, upright: bool) -> bool:
        """Equal gaps between the selected nodes, the outer ones staying."""
        scene, chosen = self._chosen(3)
        axis = 1 if upright else 0
        rects = {id: scene.rect(id) for id in chosen}

        def begin(r: Rect) -> float:
            return (r.x, r.y)[axis]

        def size(r: Rect) -> float:
            return (r.w, r.h)[axis]

        order = sorted(chosen, key=lambda id: begin(rects[id]))
        first, last = rects[order[0]], rects[order[-1]]
        room = begin(last) + size(last) - begin(first) - sum(size(r) for r in rects.values())
        gap, at = room / (len(order) - 1), begin(first)
        places: dict[str, Point] = {}
        for id in order:
            rect = rects[id]
            places[id] = (rect.x, round(at)) if upright else (round(at), rect.y)
            at += size(rect) + gap
        return self._nodes.move(places, tr("Distribute"))

    def straighten(self) -> bool:
        """Level the wires between the selected nodes, from the last node back."""
        scene, chosen = self._chosen(1)
        inside, places = set(chosen), dict(scene.places)
        wires = [w for w in scene.wires if w.token in ("pose", "then") and w.link.source in inside]
        for wire in sorted(wires, key=lambda w: -scene.places[w.link.target][0]):
            source, target = scene.nodes[wire.link.source], scene.nodes[wire.link.target]
            out, into = source.pin(wire.link.output, True), target.pin(wire.link.pin)
            if out is not None and into is not None:
                y = places[wire.link.target][1] + into.y - out.y
                places[wire.link.source] = (places[wire.link.source][0], y)
        return self._nodes.move({id: places[id] for id in chosen}, tr("Straighten wires"))

    def tidy(self) -> bool:
        """Arrange the selected nodes (all, where fewer than two are selected) by their wires; order kept."""
        scene = self._canvas.committed
        if scene is None:
            return False
        chosen = list(self._canvas.selected_nodes)
        ids = chosen if len(chosen) > 1 else list(scene.nodes)
        sizes = {id: (view.w, view.h) for id, view in scene.nodes.items()}
        found = arranged(scene.sheet, sizes, ids)
        if not found:
            return False
        # The last column stays where it is, so that what follows it is not torn away.
        right_old = max(scene.places[id][0] + sizes[id][0] for id in ids)
        top_old = min(scene.places[id][1] for id in ids)
        right = max(found[id][0] + sizes[id][0] for id in ids)
        top = min(found[id][1] for id in ids)
        way = on_grid((right_old - right, top_old - top))
        places = {id: (x + way[0], y + way[1]) for id, (x, y) in found.items()}
        return self._nodes.move(places, tr("Tidy"))

    def nudge(self, dx: float, dy: float) -> bool:
        """Move the selection by whole squares of the grid."""
        scene, chosen = self._chosen(1)
        places = {
            id: (snapped(scene.places[id][0] + dx * GRID), snapped(scene.places[id][1] + dy * GRID))
            for id in chosen
        }
        return self._nodes.move(places)

    # ------------------------------------------------------------ comments
    def comment(self, at: Point) -> str | None:
        """A frame around the selected nodes, or a note at a place; returns its id."""
        graph, sheet = self._canvas.require()
        scene, layout = self._canvas.committed, self._canvas.layout
        chosen = self._canvas.selected_nodes
        id = layout.free_comment_id()
        box = None if scene is None else around([scene.rect(n) for n in chosen])
        if box is None:
            x, y = on_grid(at)
            rect = Rect(x, y, *NOTE)
        else:
            wide = box.grown(GRID)
            rect = Rect(wide.x, wide.y - COMMENT_HEAD, wide.w, wide.h + COMMENT_HEAD)
        made = Comment(id, sheet.id, tr("Comment"), rect, 0)
        layout = layout.moved({} if scene is None else scene.places).with_comment(made)
        if not self._canvas.commit(tr("Add comment"), graph, layout):
            return None
        self._canvas.select([id])
        return id

    def set_text(self, comment: str, text: str) -> bool:
        """Type the text of a comment."""
        return self._change(tr("Set comment"), comment, text=text)

    def next_color(self, comments: Iterable[str]) -> bool:
        """Give comments the next colour."""
        graph, _ = self._canvas.require()
        layout = self._canvas.layout
        chosen = set(comments)
        for comment in layout.comments:
            if comment.id in chosen:
                layout = layout.with_comment(replace(comment, color=(comment.color + 1) % COLORS))
        return self._canvas.commit(tr("Colour comment"), graph, layout)

    def _change(self, label: str, comment: str, text: str) -> bool:
        graph, _ = self._canvas.require()
        layout = self._canvas.layout
        found = next((c for c in layout.comments if c.id == comment), None)
        if found is None:
            return False
        return self._canvas.commit(label, graph, layout.with_comment(replace(found, text=text)))
