"""Which gesture a press on the canvas begins."""

from editor.model.graph.canvas import Canvas
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Point
from editor.model.graph.hits import Hit, Part, arrow_points, hit_at
from editor.model.graph.scene import ArrowView, Scene
from editor.tools.gesture import Gesture
from editor.tools.graph.gestures import BoxSelect, CutLine, DragKnot, Pan, scene_at
from editor.tools.graph.move import MoveItems, SizeComment
from editor.tools.graph.scrub import OpenChoice, ScrubLiteral
from editor.tools.graph.wire import DrawArrow, DrawWire
from editor.tools.pointer import Button, Modifiers, Pointer

END_REACH = 18.0
"""Pixels from the end of an arrow within which a drag moves that end."""


def gesture_at(editor: GraphEditor, pointer: Pointer, *, panning: bool = False) -> Gesture | None:
    """The gesture that a press begins; None where the press did all there is to do.

    Parameters
    ----------
    panning : whether the space bar is held
    """
    canvas = editor.canvas
    scene = canvas.committed
    if scene is None:
        return None
    if pointer.button is Button.RIGHT and pointer.has(Modifiers.CTRL):
        return CutLine(editor)
    if panning or pointer.button in (Button.MIDDLE, Button.RIGHT):
        return Pan(editor)
    place = scene_at(canvas, pointer)
    hit = hit_at(scene, place, canvas.view.zoom)
    return _left(editor, scene, hit, pointer, place)


def _left(editor: GraphEditor, scene: Scene, hit: Hit, pointer: Pointer, place: Point) -> Gesture | None:
    canvas = editor.canvas
    add, remove = pointer.has(Modifiers.SHIFT), pointer.has(Modifiers.CTRL)
    if hit.part is Part.PIN and hit.pin is not None:
        if pointer.has(Modifiers.ALT):
            editor.wires.cut_at(hit.pin)
            return None
        return DrawWire(editor, hit.pin)
    if hit.part in (Part.WIRE, Part.ARROW):
        if pointer.has(Modifiers.ALT):
            editor.wires.cut_keys({hit.item})
            return None
        if hit.part is Part.ARROW:
            return _arrow(editor, scene, hit, pointer, place)
        canvas.select([hit.item], add=add, remove=remove)
        return None
    if hit.part is Part.KNOT:
        canvas.select([hit.item], add=add, remove=remove)
        return DragKnot(editor, hit.item)
    if hit.part is Part.BORDER:
        return DrawArrow(editor, hit.item)
    if hit.part is Part.COMMENT_EDGE:
        return SizeComment(editor, next(c for c in scene.comments if c.id == hit.item))
    if hit.part is Part.LITERAL and hit.pin is not None and not (add or remove or pointer.has(Modifiers.ALT)):
        return ScrubLiteral(editor, hit.pin)
    if hit.choice is not None and not (add or remove or pointer.has(Modifiers.ALT)):
        return OpenChoice(editor, hit.choice)
    if hit.part in (Part.NODE, Part.LITERAL, Part.CHOICE, Part.COMMENT):
        return MoveItems(editor, hit.item if add or remove else _held(canvas, hit))
    return BoxSelect(editor)


def _held(canvas: Canvas, hit: Hit) -> str:
    """What a press takes hold of: what is selected of all that lies there, else the upper one."""
    chosen = canvas.state.selection
    return next((item for item in (hit.item, *hit.others) if item in chosen), hit.item)


def _arrow(editor: GraphEditor, scene: Scene, hit: Hit, pointer: Pointer, place: Point) -> Gesture | None:
    """Select a transition (again: the next of the stack), or take hold of one of its ends."""
    canvas = editor.canvas
    arrow = next(a for a in scene.arrows if any(t.id == hit.item for t in a.transitions))
    chosen = [str(t.id) for t in arrow.transitions if t.id in canvas.state.selection]
    end = _end_of(scene, arrow, place, END_REACH / canvas.view.zoom)
    if end and len(chosen) == 1 and arrow.source != arrow.target:
        other = arrow.source if end == "target" else arrow.target
        return DrawArrow(editor, other, chosen[0], end)
    ids = [str(t.id) for t in arrow.transitions]
    if pointer.has(Modifiers.SHIFT) or pointer.has(Modifiers.CTRL):
        canvas.select([hit.item], add=pointer.has(Modifiers.SHIFT), remove=pointer.has(Modifiers.CTRL))
    elif len(chosen) == 1 and len(ids) > 1:
        canvas.select([ids[(ids.index(chosen[0]) + 1) % len(ids)]])
    else:
        canvas.select([hit.item])
    return None


def _end_of(scene: Scene, arrow: ArrowView, place: Point, reach: float) -> str:
    points = arrow_points(scene, arrow)
    for end, (x, y) in (("target", points[-1]), ("source", points[0])):
        if abs(float(x) - place[0]) <= reach and abs(float(y) - place[1]) <= reach:
            return end
    return ""
