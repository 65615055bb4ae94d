"""What is hit where several things lie together: fields and their boxes, knots, wires, arrows, comments."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.graph.catalogue.pins import Pin, PinKind
from core.graph.graph import Link, NodeId, Sheet, SheetKind, Transition
from editor.model.graph import hits
from editor.model.graph.geometry import Rect
from editor.model.graph.hits import Hit, Part, choice_box, crossed, hit_at, in_box, literal_box, middle_of
from editor.model.graph.layout import Comment
from editor.model.graph.scene import ArrowView, ChoiceView, NodeView, PinView, Scene, WireView
from editor.model.graph.state import PinPlace


def pin(name: str, y: float, output: bool = False, literal: str | None = None) -> PinView:
    return PinView(Pin(name, PinKind.POSE), y, output, False, "pose", name, literal)


def field(name: str, y: float, head: bool = False) -> ChoiceView:
    return ChoiceView(SimpleNamespace(name=name), y, name, "", "", head=head)


def node(id: str, kind: str = "clip", **more: object) -> NodeView:
    return NodeView(id, kind, "node", id, "", None, 100.0, 80.0, **more)  # type: ignore[arg-type]


NODE = node(
    "a", inputs=(pin("pose", 20.0), pin("rate", 50.0, literal="")), outputs=(pin("out", 20.0, True),),
    choices=(field("clip", 0.0, head=True), field("mask", 70.0)),
)  # fmt: skip


def wire(source: str, target: str, entry: str = "pose", knots=()) -> WireView:
    return WireView(Link(NodeId(source), NodeId(target), entry, "out"), "pose", tuple(knots))


def scene(
    nodes=(NODE,), places=((0.0, 0.0),), wires=(), comments=(), arrows=(), kind=SheetKind.POSE
) -> Scene:
    ids = [n.id for n in nodes]
    return Scene(
        Sheet(NodeId("s"), "sheet", kind), dict(zip(ids, nodes, strict=True)), dict(zip(ids, places, strict=True)),
        tuple(wires), tuple(arrows), tuple(comments),
    )  # fmt: skip


# ---------------------------------------------------------------- fields
def test_fields_lie_in_the_right_half_of_their_row_and_the_chevron_in_the_head():
    at = (10.0, 5.0)
    assert literal_box(NODE, at, "rate") == Rect(60.0, 46.0, 44.0, 18.0)
    assert literal_box(NODE, at, "pose") is None is literal_box(NODE, at, "gone")
    assert choice_box(NODE, at, "mask") == Rect(60.0, 66.0, 44.0, 18.0)
    assert choice_box(NODE, at, "clip") == Rect(80.0, 9.0, 18.0, 18.0)
    assert choice_box(NODE, at, "gone") is None


def test_fields_and_pins_are_hit_where_the_node_is_and_carry_what_lies_below():
    below = replace(node("b"), choices=())
    made = scene((below, NODE), ((0.0, 0.0), (10.0, 5.0)))
    assert hit_at(made, (70.0, 50.0), 1.0) == Hit(Part.LITERAL, "a", PinPlace("a", "rate"), ("b",))
    found = hit_at(made, (70.0, 70.0), 1.0)
    assert (found.part, found.others, found.choice.field) == (Part.CHOICE, ("b",), "mask")
    assert hit_at(made, (50.0, 30.0), 1.0) == Hit(Part.NODE, "a", None, ("b",))
    assert hit_at(made, (10.0, 25.0), 1.0) == Hit(Part.PIN, "a", PinPlace("a", "pose"))
    assert hit_at(made, (70.0, 50.0), 0.4).part is Part.LITERAL
    assert hit_at(made, (70.0, 50.0), 0.39).part is Part.NODE


def test_where_pins_of_two_nodes_meet_the_upper_nodes_is_hit_and_of_one_node_the_output():
    made = scene((NODE, node("b", inputs=(pin("pose", 20.0),))), ((0.0, 0.0), (100.0, 0.0)))
    assert hit_at(made, (100.0, 20.0), 1.0).pin == PinPlace("b", "pose")
    small = replace(NODE, w=12.0)
    assert hit_at(scene((small,)), (6.0, 20.0), 1.0).pin == PinPlace("a", "out", True)
    assert hit_at(scene((small,)), (1.9, 20.0), 1.0).pin == PinPlace("a", "pose")


def test_machines_have_no_pins():
    made = scene(kind=SheetKind.MACHINE)
    assert hit_at(made, (100.0, 20.0), 1.0) == Hit(Part.BORDER, "a")
    assert hit_at(made, (70.0, 50.0), 1.0) == Hit(Part.NODE, "a")


# ---------------------------------------------------------------- wires and knots
FAR = ((0.0, 0.0), (800.0, 0.0), (800.0, 200.0))
ENDS = (NODE, node("b", inputs=(pin("pose", 20.0),)), node("c", inputs=(pin("pose", 20.0),)))


def test_of_two_wires_the_nearer_is_hit_and_the_other_told():
    made = scene(ENDS, FAR, (wire("a", "b"), wire("a", "c")))
    lines = [hits.flattened(made.wire_points(w)) for w in made.wires]
    x, y = (lines[0][2] + lines[1][2]) / 2.0
    keys = [w.key for w in made.wires]
    for dy, order in ((-1.0, keys), (1.0, keys[::-1])):
        found = hit_at(made, (x, y + dy), 0.5)
        assert (found.part, found.item, found.others) == (Part.WIRE, order[0], tuple(order[1:]))


def test_a_knot_goes_before_every_wire_and_the_nearer_knot_first():
    knots = ((400.0, 20.0), (416.0, 20.0))
    made = scene(ENDS, FAR, (wire("a", "b", knots=knots),))
    key = made.wires[0].key
    assert hit_at(made, (407.0, 20.0), 1.0) == Hit(
        Part.KNOT, "k:b.pose#0", None, ("k:b.pose#1", key)
    )  # fmt: skip
    assert hit_at(made, (409.0, 20.0), 1.0) == Hit(Part.KNOT, "k:b.pose#1", None, ("k:b.pose#0", key))
    assert hit_at(made, (400.0, 10.0), 1.0) == Hit(Part.KNOT, "k:b.pose#0")
    assert hit_at(made, (400.0, 9.9), 1.0) == Hit()
    assert hit_at(made, (400.0, 15.1), 2.0) == Hit(Part.KNOT, "k:b.pose#0")
    assert hit_at(made, (400.0, 14.9), 2.0) == Hit()


def test_a_knot_beyond_the_end_of_its_wire_is_hit():
    made = scene(ENDS[:2], ((0.0, 0.0), (300.0, 0.0)), (wire("a", "b", knots=[(600.0, 20.0)]),))
    assert hit_at(made, (600.0, 20.0), 1.0).part is Part.KNOT
    rightmost = max(x for x, _ in hits.flattened(made.wire_points(made.wires[0])))
    assert rightmost > 620.0 and hit_at(made, (rightmost - 1.0, 20.0), 1.0).part is Part.WIRE
    assert hit_at(made, (rightmost + 7.0, 20.0), 1.0) == Hit()
    up = scene(ENDS[:2], FAR[:2], (wire("a", "b", knots=[(400.0, -80.0)]),))
    assert hit_at(up, (400.0, -89.9), 1.0) == Hit(Part.KNOT, "k:b.pose#0")  # farther than a wire is reached


def test_seen_from_afar_a_knot_still_goes_before_its_wire():
    made = scene(ENDS[:2], FAR[:2], (wire("a", "b", knots=[(400.0, 20.0)]),))
    assert hit_at(made, (499.5, 20.0), 0.1).part is Part.KNOT
    assert hit_at(made, (500.5, 20.0), 0.1).part is Part.WIRE


def test_of_knots_at_one_place_that_of_the_first_wire_is_hit():
    made = scene(ENDS, FAR, (wire("a", "c", knots=[(400.0, 20.0)]), wire("a", "b", knots=[(400.0, 20.0)])))
    found = hit_at(made, (400.0, 20.0), 1.0)
    assert (found.item, found.others[0]) == ("k:c.pose#0", "k:b.pose#0")


def test_a_wire_is_hit_in_the_box_around_the_pointer_at_every_zoom():
    made = scene(ENDS[:2], FAR[:2], (wire("a", "b", knots=[(450.0, 20.0)]),))
    for zoom, near, far in ((1.0, 5.9, 6.1), (2.0, 2.9, 3.1), (0.5, 11.9, 12.1)):
        for side in (-1.0, 1.0):
            assert hit_at(made, (300.0, 20.0 + side * near), zoom).part is Part.WIRE
            assert hit_at(made, (300.0, 20.0 + side * far), zoom) == Hit()


def test_the_arrow_that_is_nearer_is_hit_and_its_transitions_come_in_their_order():
    def arrow(source: str, target: str, *ids: str) -> ArrowView:
        ways = tuple(Transition(NodeId(i), NodeId(source), NodeId(target)) for i in ids)
        return ArrowView(source, target, ways, tuple(range(1, len(ids) + 1)), True)

    states = tuple(node(id, "state") for id in "ab")
    arrows = (arrow("a", "b", "t1", "t2"), arrow("b", "a", "t3"))
    made = scene(states, FAR[:2], arrows=arrows, kind=SheetKind.MACHINE)
    # they lie at 49 and at 31
    assert hit_at(made, (400.0, 50.0), 1.0) == Hit(Part.ARROW, "t1", None, ("t2",))
    assert hit_at(made, (400.0, 41.0), 0.5) == Hit(Part.ARROW, "t1", None, ("t2", "t3"))
    assert hit_at(made, (400.0, 39.0), 0.5) == Hit(Part.ARROW, "t3", None, ("t1", "t2"))
    assert hit_at(made, (400.0, 57.1), 1.0) == Hit() == hit_at(made, (400.0, 22.9), 1.0)
    assert hit_at(made, (400.0, 57.0), 1.0).item == "t1" and hit_at(made, (400.0, 23.0), 1.0).item == "t3"
    assert hit_at(made, (400.0, 56.9), 1.0).item == "t1" and hit_at(made, (400.0, 23.1), 1.0).item == "t3"


# ---------------------------------------------------------------- comments
FRAME = Comment("c-1", "s", "", Rect(200.0, 100.0, 300.0, 200.0))


@pytest.mark.parametrize("place, zoom, part", [
    ((490.0, 290.0), 1.0, Part.COMMENT_EDGE), ((510.0, 310.0), 1.0, Part.COMMENT_EDGE),
    ((489.9, 300.0), 1.0, Part.NOTHING), ((500.0, 289.9), 1.0, Part.NOTHING), ((510.1, 300.0), 1.0, Part.NOTHING),
    ((500.0, 310.1), 1.0, Part.NOTHING), ((500.0, 295.0), 2.0, Part.COMMENT_EDGE),
    ((500.0, 294.9), 2.0, Part.NOTHING), ((500.0, 320.0), 0.5, Part.COMMENT_EDGE), ((500.0, 320.1), 0.5, Part.NOTHING),
    ((200.0, 128.0), 1.0, Part.COMMENT), ((200.0, 128.1), 1.0, Part.NOTHING), ((200.0, 128.0), 2.0, Part.COMMENT),
    ((200.0, 156.0), 0.5, Part.COMMENT), ((200.0, 156.1), 0.5, Part.NOTHING), ((200.0, 184.0), 0.25, Part.COMMENT),
    ((200.0, 184.1), 0.25, Part.NOTHING), ((199.9, 110.0), 1.0, Part.NOTHING), ((500.1, 110.0), 1.0, Part.NOTHING),
    ((300.0, 99.9), 1.0, Part.NOTHING),
])  # fmt: skip
def test_a_comment_is_hit_at_its_head_and_its_lower_right_corner(place, zoom, part):
    found = hit_at(scene(comments=(FRAME,)), place, zoom)
    assert found == (Hit(part, "c-1") if part is not Part.NOTHING else Hit())


def test_of_comments_within_each_other_the_smallest_by_area_is_hit():
    wide = replace(FRAME, id="c-2", rect=Rect(200.0, 100.0, 200.0, 299.0))  # 59 800 and 60 000
    for comments in ((FRAME, wide), (wide, FRAME)):
        assert hit_at(scene(comments=comments), (250.0, 110.0), 1.0) == Hit(Part.COMMENT, "c-2")


# ---------------------------------------------------------------- boxes and strokes
def test_a_box_takes_what_it_touches_at_its_very_edge():
    made = scene(comments=(FRAME,))
    assert (
        in_box(made, Rect(100.0, 80.0, 1.0, 1.0)) == ["a"] and in_box(made, Rect(100.1, 0.0, 9.0, 9.0)) == []
    )
    assert in_box(made, Rect(200.0, 100.0, 300.0, 200.0)) == ["c-1"]
    assert in_box(made, Rect(200.0, 100.0, 299.9, 200.0)) == []


def test_a_stroke_crosses_every_wire_in_its_way():
    made = scene(ENDS, FAR, (wire("a", "b"), wire("a", "c")))
    keys = [w.key for w in made.wires]
    assert crossed(made, (600.0, -50.0), (600.0, 400.0)) == keys
    assert crossed(made, (600.0, 400.0), (600.0, -50.0)) == keys
    assert crossed(made, (700.0, -50.0), (700.0, 60.0)) == keys[:1]
    assert crossed(made, (600.0, 240.0), (600.0, 400.0)) == []


@pytest.mark.parametrize("a, b, crosses", [
    ((5.0, -5.0), (5.0, 5.0), True), ((5.0, 5.0), (5.0, -5.0), True), ((5.0, 1.0), (5.0, 5.0), False),
    ((-1.0, -5.0), (-1.0, 5.0), False), ((11.0, -5.0), (11.0, 5.0), False), ((0.0, -5.0), (9.0, 5.0), True),
    ((-5.0, -5.0), (24.0, 5.0), True), ((-5.0, -5.0), (25.0, -1.0), False),
])  # fmt: skip
def test_a_stroke_crosses_a_line_from_one_side_to_the_other(a, b, crosses):
    line = np.array([[0.0, 0.0], [10.0, 0.0]])
    for size in (1.0, 0.01):
        one, other = ((x * size, y * size) for x, y in (a, b))
        assert hits._crosses(line * size, one, other) is crosses
        assert hits._crosses(line[::-1] * size, one, other) is crosses


def test_the_middle_of_a_line_is_its_middle_point():
    line = np.array([[0.0, 0.0], [4.0, 2.0], [9.0, 9.0], [10.0, 12.0]])
    assert (
        middle_of(line) == (9.0, 9.0)
        and middle_of(line[:2]) == (2.0, 1.0)
        and middle_of(line[:1]) == (0.0, 0.0)
    )
