"""Dragging nodes and comments: on the grid, with guides to neighbours, into wires, out of wires, as copies."""

from collections.abc import Iterable
from dataclasses import replace

from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import GRID, Point, Rect, snapped
from editor.model.graph.hits import Part, hit_at
from editor.model.graph.layout import Comment, Layout
from editor.model.graph.scene import COMMENT_HEAD, Scene
from editor.model.graph.state import Moving
from editor.model.i18n import tr
from editor.tools.graph.gestures import CanvasGesture
from editor.tools.pointer import Modifiers, Pointer

GUIDE = 6.0
"""Pixels within which a dragged node lines up with a neighbour."""
Guide = tuple[bool, float, float, float]


class MoveItems(CanvasGesture):
    """The selection goes with the pointer; Shift+drag drags a copy, Alt+drag lifts a node out of its wires.

    Parameters
    ----------
    item : what was pressed; where it is not selected, it is selected first
    """

    scrolls = True

    def __init__(self, editor: GraphEditor, item: str) -> None:
        super().__init__(editor)
        self.item = item

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        self.copies, self.lifts = pointer.has(Modifiers.SHIFT), pointer.has(Modifiers.ALT)
        canvas = self.canvas
        self._was = canvas.state.selection
        self.began = False
        if self.item not in self._was:
            self._click(pointer)
            self._clicked = True
        else:
            self._clicked = False

    def _click(self, pointer: Pointer) -> None:
        if pointer.has(Modifiers.SHIFT):
            self.canvas.select([self.item], add=True)
        elif pointer.has(Modifiers.CTRL):
            self.canvas.select([self.item], remove=True)
        else:
            self.canvas.select([self.item])

    def _take(self) -> None:
        """Note what goes along: selected nodes, and those inside selected comments."""
        self.began = True
        scene = self.canvas.committed
        assert scene is not None
        if self.copies:
            self.canvas.select([self.item], add=True)
        chosen = self.canvas.state.selection
        self.comments = [c for c in scene.comments if c.id in chosen]
        nodes = {id for id in scene.nodes if id in chosen}
        for comment in self.comments:
            nodes |= {id for id in scene.seen(comment.rect) if comment.rect.covers(scene.rect(id))}
            self.comments += [
                c for c in scene.comments if c not in self.comments and comment.rect.covers(c.rect)
            ]
        self.scene = scene
        self.places = {id: scene.places[id] for id in scene.nodes if id in nodes}
        self.others = [id for id in scene.nodes if id not in nodes]

    def move(self, pointer: Pointer) -> None:
        if not self.began:
            if not self.wandered(pointer):
                return
            self._take()
        if not self.places and not self.comments:
            return
        places, guides, offset = self._shown(pointer)
        wire = self._wire(pointer, places) if len(self.places) == 1 and not self.copies else ""
        self.canvas.preview(Moving({**places, **self._corners(offset)}, guides, wire))

    def _offset(self, pointer: Pointer) -> Point:
        x, y = self.at(pointer)
        return x - self.origin[0], y - self.origin[1]

    def _shown(self, pointer: Pointer) -> tuple[dict[str, Point], tuple[Guide, ...], Point]:
        """Where all is shown, with guides, and the way that they went."""
        dx, dy = self._offset(pointer)
        anchor = self.places.get(self.item) or next(iter(self.places.values()), None)
        if anchor is None:
            corner = self.comments[0].rect
            anchor = (corner.x, corner.y)
        guides: tuple[Guide, ...] = ()
        if not (pointer.has(Modifiers.ALT) and not self.lifts):
            x, y = anchor[0] + dx, anchor[1] + dy
            near_x, near_y, guides = self._guides((x, y))
            x = near_x if near_x is not None else snapped(x)
            y = near_y if near_y is not None else snapped(y)
            dx, dy = x - anchor[0], y - anchor[1]
        places = {id: (x + dx, y + dy) for id, (x, y) in self.places.items()}
        return places, guides, (dx, dy)

    def _corners(self, offset: Point) -> dict[str, Point]:
        """Where the comments that go along are shown."""
        return {c.id: (c.rect.x + offset[0], c.rect.y + offset[1]) for c in self.comments}

    def _guides(self, place: Point) -> tuple[float | None, float | None, tuple[Guide, ...]]:
        """Lines of neighbours in sight that the pressed node comes close to, off the grid or on it."""
        view = self.scene.nodes.get(self.item)
        if view is None or len(self.others) > 400:
            return None, None, ()
        reach = GUIDE / self.canvas.view.zoom
        seen = set(self.scene.seen(self.canvas.view.seen(self.canvas.size)))
        own = Rect(place[0], place[1], view.w, view.h)
        best: dict[bool, tuple[float, float, Rect]] = {}
        for id in self.others:
            if id not in seen:
                continue
            rect = self.scene.rect(id)
            for upright, mine, theirs in (
                (True, own.x, rect.x),
                (False, own.y, rect.y),
            ):
                away = abs(mine - theirs)
                if away <= reach and away < best.get(upright, (1e9, 0.0, rect))[0]:
                    best[upright] = (away, theirs, rect)
        lines = []
        for upright, (_, at, rect) in best.items():
            box = own.joined(rect)
            lines.append((upright, at, box.y, box.bottom) if upright else (upright, at, box.x, box.right))
        near = {upright: at for upright, (_, at, _) in best.items()}
        return near.get(True), near.get(False), tuple(lines)

    def _wire(self, pointer: Pointer, places: dict[str, Point]) -> str:
        """The wire under the pointer that a release would put the node into; a machine has none."""
        if self.scene.machine:
            return ""
        node = next(iter(places))
        scene = _without(self.scene, node) if self.lifts else self.scene
        if node in scene.wires_of:
            return ""
        bare = replace(scene, nodes={k: v for k, v in scene.nodes.items() if k != node}, wires=scene.wires)
        hit = hit_at(bare, self.at(pointer), self.canvas.view.zoom)
        if hit.part is not Part.WIRE:
            return ""
        return hit.item if self.editor.wires.takes(scene, node, hit.item) is not None else ""

    def finish(self, pointer: Pointer) -> None:
        preview = self.canvas.state.preview
        self.canvas.preview(None)
        if not self.began:
            self._end_click(pointer)
            return
        if not isinstance(preview, Moving) or not preview.places:
            return
        nodes = {k: v for k, v in preview.places.items() if k in self.places}
        if self.copies:
            self.editor.text.duplicate(self._way(preview))
            return
        graph, _ = self.canvas.require()
        layout = self._with_comments(self.canvas.layout, preview)
        label = tr("Move 1 node") if len(nodes) == 1 else tr("Move {count} nodes", count=len(nodes))
        if not nodes:
            label = tr("Move comment")
        if len(nodes) == 1 and self.lifts:
            graph = self.editor.wires.lift_out(graph, self.scene, next(iter(nodes)))
            label = tr("Lift node out")
        if preview.wire:
            scene = _without(self.scene, next(iter(nodes))) if self.lifts else self.scene
            graph = self.editor.wires.put_in(graph, scene, next(iter(nodes)), preview.wire)
            label = tr("Put node into wire")
        same = nodes == self.places and graph is self.canvas.graph and layout == self.canvas.layout
        if not same:
            self.editor.nodes.place_and(label, graph, nodes, layout)

    def _way(self, preview: Moving) -> Point:
        for id, place in (*self.places.items(), *((c.id, (c.rect.x, c.rect.y)) for c in self.comments)):
            if id in preview.places:
                return preview.places[id][0] - place[0], preview.places[id][1] - place[1]
        return 0.0, 0.0

    def _with_comments(self, layout: Layout, preview: Moving) -> Layout:
        for comment in self.comments:
            x, y = preview.places[comment.id]
            layout = layout.with_comment(replace(comment, rect=replace(comment.rect, x=x, y=y)))
        return layout

    def _end_click(self, pointer: Pointer) -> None:
        """A click on what was selected: alone, or out of the selection; again on the same goes to what is below."""
        if self._clicked:
            return
        if pointer.has(Modifiers.CTRL):
            self.canvas.select([self.item], remove=True)
        elif len(self._was) > 1 and not pointer.has(Modifiers.SHIFT):
            self.canvas.select([self.item])
        elif not pointer.has(Modifiers.SHIFT):
            self._cycle(pointer)

    def _cycle(self, pointer: Pointer) -> None:
        scene = self.canvas.committed
        if scene is None:
            return
        hit = hit_at(scene, self.at(pointer), self.canvas.view.zoom)
        around = [hit.item, *hit.others]
        if len(around) > 1 and self.item in around:
            self.canvas.select([around[(around.index(self.item) + 1) % len(around)]])

    def cancel(self) -> None:
        super().cancel()
        self.canvas.set_state(selection=self._was)

    @property
    def hint(self) -> str:
        return tr("Drag to move · Alt off the grid · drop on a wire to put it in between · Esc takes back")


def _without(scene: Scene, node: str) -> Scene:
    """A scene whose wires to and from a node are gone."""
    return replace(scene, wires=tuple(w for w in scene.wires if node not in (w.link.source, w.link.target)))


class SizeComment(CanvasGesture):
    """The lower right corner of a comment goes with the pointer."""

    def __init__(self, editor: GraphEditor, comment: Comment) -> None:
        super().__init__(editor)
        self.comment = comment

    def _sized(self, pointer: Pointer) -> Comment:
        x, y = self.at(pointer)
        rect = self.comment.rect
        w = max(snapped(x - rect.x), 4 * GRID)
        h = max(snapped(y - rect.y), max(2 * GRID, COMMENT_HEAD))
        return replace(self.comment, rect=Rect(rect.x, rect.y, w, h))

    def move(self, pointer: Pointer) -> None:
        self.canvas.set_state(sizing=self._sized(pointer))

    def finish(self, pointer: Pointer) -> None:
        self.canvas.set_state(sizing=None)
        if self.wandered(pointer):
            graph, _ = self.canvas.require()
            layout = self.canvas.layout.with_comment(self._sized(pointer))
            self.canvas.commit(tr("Size comment"), graph, layout)

    def cancel(self) -> None:
        self.canvas.set_state(sizing=None)


def comment_around(scene: Scene, items: Iterable[str], id: str, text: str) -> Comment | None:
    """A comment around nodes; None where there are none."""
    found = None
    for item in items:
        rect = scene.item_rect(item)
        if rect is not None:
            found = rect if found is None else found.joined(rect)
    if found is None:
        return None
    box = found.grown(GRID)
    box = Rect(box.x, box.y - COMMENT_HEAD, box.w, box.h + COMMENT_HEAD)
    return Comment(id, scene.sheet.id, text, box)
