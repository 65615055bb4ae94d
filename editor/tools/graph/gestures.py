"""Gestures of the canvas: pan, box, cut line, knots. Each puts what it shows into the canvas's state."""

from core.errors import AnimError
from editor.model.graph.canvas import Canvas
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Point, Rect, View
from editor.model.graph.hits import crossed, in_box
from editor.model.graph.layout import with_layout
from editor.model.graph.state import Boxing, Cutting
from editor.model.graph.wires import split_knot
from editor.model.i18n import tr
from editor.tools.gesture import Gesture
from editor.tools.pointer import CLICK_SLOP, Modifiers, Pointer

EDGE = 24.0
"""Pixels from the edge of the view within which it scrolls during a drag."""
SCROLL = 18.0
"""Pixels that it scrolls by a move or tick of the pointer there."""


def scene_at(canvas: Canvas, pointer: Pointer) -> Point:
    """Scene place of a pointer."""
    return canvas.view.to_scene(pointer.pixel)


def edge_scroll(canvas: Canvas, pointer: Pointer) -> bool:
    """Let the view go on where the pointer is at its edge; whether it did."""
    (w, h), (x, y) = canvas.size, pointer.pixel
    across, down = (
        min(EDGE, w / 8.0),
        min(EDGE, h / 8.0),
    )  # of a low canvas most must stay for the gesture itself
    dx = SCROLL if x < across else -SCROLL if x > w - across else 0.0
    dy = SCROLL if y < down else -SCROLL if y > h - down else 0.0
    if dx or dy:
        canvas.view = canvas.view.panned(dx, dy)
    return bool(dx or dy)


def tell(canvas: Canvas, error: AnimError) -> None:
    """Say why something was not done."""
    canvas.messages.info(str(error))


class CanvasGesture(Gesture):
    """Base: an editor, and where the gesture began."""

    scrolls = False
    """Whether the view scrolls at its edges."""

    def __init__(self, editor: GraphEditor) -> None:
        self.editor, self.canvas = editor, editor.canvas
        self.start = Pointer(0.0, 0.0)
        self.origin: Point = (0.0, 0.0)

    def begin(self, pointer: Pointer) -> None:
        """Note where it begins."""
        self.start, self.origin = pointer, scene_at(self.canvas, pointer)

    def at(self, pointer: Pointer) -> Point:
        """Scene place of the pointer now."""
        return scene_at(self.canvas, pointer)

    def wandered(self, pointer: Pointer) -> bool:
        """Whether it is more than a click."""
        return self.start.distance(pointer) > CLICK_SLOP

    def cancel(self) -> None:
        """Show nothing of it any more."""
        self.canvas.preview(None)


class Pan(CanvasGesture):
    """The view follows the pointer; a right click without a way is a click of its own."""

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        self._before: View = self.canvas.view
        self.moved = False

    def move(self, pointer: Pointer) -> None:
        if self.moved or self.wandered(pointer):
            self.moved = True
            self.canvas.view = self._before.panned(pointer.x - self.start.x, pointer.y - self.start.y)

    def cancel(self) -> None:
        self.canvas.view = self._before

    @property
    def hint(self) -> str:
        return tr("Drag to pan · wheel zooms at the pointer")


class BoxSelect(CanvasGesture):
    """A box that selects what it touches; Shift adds, Ctrl removes. A click on nothing clears the selection."""

    scrolls = True

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        self._before = self.canvas.state.selection

    def move(self, pointer: Pointer) -> None:
        if not self.wandered(pointer) and self.canvas.state.preview is None:
            return
        at = self.at(pointer)
        scene = self.canvas.committed
        self.canvas.preview(Boxing(self.origin, at))
        if scene is not None:
            found = set(in_box(scene, Rect.of(self.origin, at)))
            if pointer.has(Modifiers.SHIFT):
                found |= self._before
            elif pointer.has(Modifiers.CTRL):
                found = set(self._before) - found
            self.canvas.set_state(selection=frozenset(found), active="", pin=None)

    def finish(self, pointer: Pointer) -> None:
        if self.canvas.state.preview is None and not pointer.has(Modifiers.SHIFT):
            self.canvas.select([])
        self.canvas.preview(None)

    def cancel(self) -> None:
        super().cancel()
        self.canvas.set_state(selection=self._before)

    @property
    def hint(self) -> str:
        return tr("Box select · Shift adds · Ctrl removes")


class CutLine(CanvasGesture):
    """A stroke that cuts all wires and transitions that it crosses."""

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        self._stroke: list[Point] = [self.origin]
        self._cut: set[str] = set()
        self.canvas.preview(Cutting((self.origin,)))

    def move(self, pointer: Pointer) -> None:
        scene, at = self.canvas.committed, self.at(pointer)
        if scene is not None:
            self._cut |= set(crossed(scene, self._stroke[-1], at))
        self._stroke.append(at)
        self.canvas.preview(Cutting(tuple(self._stroke), frozenset(self._cut)))

    def finish(self, pointer: Pointer) -> None:
        self.canvas.preview(None)
        if self._cut:
            self.editor.wires.cut_keys(self._cut)

    @property
    def hint(self) -> str:
        return tr("Cut line: every wire that it crosses is cut")


class DragKnot(CanvasGesture):
    """A knot of a wire goes elsewhere."""

    scrolls = True

    def __init__(self, editor: GraphEditor, knot: str) -> None:
        super().__init__(editor)
        self.knot = knot

    def move(self, pointer: Pointer) -> None:
        if self.wandered(pointer):
            target, pin, number = split_knot(self.knot)
            self.canvas.set_state(knot=((target, pin), number, self.at(pointer)))

    def finish(self, pointer: Pointer) -> None:
        self.canvas.set_state(knot=None)
        if self.wandered(pointer):
            graph, _ = self.canvas.require()
            layout = self.editor.wires.move_knot(self.knot, self.at(pointer))
            self.canvas.commit(tr("Move knot"), with_layout(graph, layout))

    def cancel(self) -> None:
        self.canvas.set_state(knot=None)
