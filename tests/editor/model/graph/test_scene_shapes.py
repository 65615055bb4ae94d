"""Wires, arrows and boxes of a scene to the number: bends, detours round states, what a rectangle touches."""

from dataclasses import replace

import numpy as np
import pytest

from core.graph.catalogue.pins import Pin, PinKind
from core.graph.graph import Link, NodeId, Sheet, SheetKind, Transition
from core.graph.language.values import BOOL
from editor.model.graph import scene as module
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment
from editor.model.graph.scene import (
    BOWS,
    ArrowView,
    NodeView,
    PinView,
    Scene,
    WireView,
    arrow_curve,
    bend,
    flattened,
    knot_key,
    token_of,
    wire_key,
)

W, H = 100.0, 80.0


def box(id: str, w: float = W, h: float = H, kind: str = "clip") -> NodeView:
    entry = PinView(Pin("pose"), 20.0, False, False, "pose", "Pose")
    out = PinView(Pin("out"), 30.0, True, False, "pose", "Out")
    return NodeView(id, kind, "node", id, "", None, w, h, (entry,), (out,))


def link(source: str = "a", target: str = "b", pin: str = "pose", output: str = "out") -> Link:
    return Link(NodeId(source), NodeId(target), pin, output)


def flow(a=(0.0, 0.0), b=(400.0, 0.0), knots=(), wire=None, comments=()) -> Scene:
    """Two nodes with a wire from the first to the second."""
    sheet = Sheet(NodeId("s"), "sheet", SheetKind.POSE)
    wires = (WireView(wire or link(), "pose", tuple(knots)),)
    return Scene(sheet, {"a": box("a"), "b": box("b")}, {"a": a, "b": b}, wires, comments=comments)


def arrow(source="a", target="b", both=False, *ids: str) -> ArrowView:
    ways = tuple(Transition(NodeId(i), NodeId(source), NodeId(target)) for i in ids or ("t",))
    return ArrowView(source, target, ways, tuple(range(1, len(ways) + 1)), both)


def machine(places: dict[str, tuple[float, float]], *arrows: ArrowView) -> Scene:
    sheet = Sheet(NodeId("s"), "moves", SheetKind.MACHINE)
    return Scene(sheet, {id: box(id, kind="state") for id in places}, places, arrows=arrows or (arrow(),))


# ---------------------------------------------------------------- names
def test_wires_and_knots_have_names():
    assert wire_key(link()) == flow().wires[0].key == "w:a.out>b.pose"
    assert knot_key("b", "pose", 2) == "k:b.pose#2"


@pytest.mark.parametrize("pin, token", [
    (Pin("x"), "pose"), (Pin("x", PinKind.THEN), "then"), (Pin("x", PinKind.VALUE), "any"),
    (Pin("x", PinKind.VALUE, BOOL), "bool"), (Pin("x", PinKind.THEN, BOOL), "then"),
])  # fmt: skip
def test_a_pin_has_the_colour_of_what_goes_through_it(pin, token):
    assert token_of(pin) == token


# ---------------------------------------------------------------- places
def test_pins_are_at_the_sides_of_their_node():
    made = flow(a=(10.0, 5.0))
    assert made.pin_place("a", "out", True) == (110.0, 35.0) and made.pin_place("a", "pose", False) == (
        10.0,
        25.0,
    )
    assert made.pin_place("a", "out", False) is None is made.pin_place("a", "pose", True)
    assert made.pin_place("gone", "out", True) is None
    assert made.rect("b") == Rect(400.0, 0.0, W, H) and made.ids == ("a", "b")
    assert made.rects.tolist() == [[10.0, 5.0, 110.0, 85.0], [400.0, 0.0, 500.0, 80.0]]


def test_a_wire_goes_from_pin_to_pin_through_its_knots():
    made = flow(knots=[(200.0, 50.0), (300.0, -50.0)])
    assert made.wire_points(made.wires[0]) == [(100.0, 30.0), (200.0, 50.0), (300.0, -50.0), (400.0, 20.0)]


def test_a_wire_of_a_pin_that_is_gone_ends_in_the_middle_of_its_node():
    made = flow(a=(10.0, 5.0), wire=link(output="odd"))
    assert made.wire_points(made.wires[0]) == [(60.0, 45.0), (400.0, 20.0)]
    made = flow(a=(10.0, 5.0), wire=link(pin="odd"))
    assert made.wire_points(made.wires[0]) == [(110.0, 35.0), (450.0, 40.0)]


def test_items_have_a_box():
    note = Comment("c", "s", "", Rect(1.0, 2.0, 3.0, 4.0))
    made = flow(b=(400.0, 200.0), comments=(note,))
    assert made.item_rect("c") == note.rect and made.item_rect("a") == Rect(0.0, 0.0, W, H)
    assert made.item_rect("w:a.out>b.pose") == Rect(100.0, 30.0, 300.0, 190.0)
    assert made.item_rect("w:gone") is None is made.item_rect("k:b.pose#0")
    states = machine({"a": (0.0, 0.0), "b": (400.0, 200.0)}, arrow("a", "b", False, "t1", "t2"))
    assert states.item_rect("t2") == Rect(0.0, 0.0, 500.0, 280.0) and states.item_rect("t3") is None


def test_scenes_are_equal_whatever_they_were_made_of():
    made = flow()
    assert replace(made, token=1) == replace(made, token=2) == made
    assert flow(a=(1.0, 0.0)) != made


def test_wires_are_listed_by_their_ends():
    sheet = Sheet(NodeId("s"), "sheet")
    nodes = {id: box(id) for id in "abc"}
    wires = tuple(WireView(x, "pose") for x in (link("a", "b"), link("b", "c"), link("a", "c")))
    made = Scene(sheet, nodes, dict.fromkeys("abc", (0.0, 0.0)), wires)
    assert made.wires_of == {"a": (0, 2), "b": (0, 1), "c": (1, 2)}


# ---------------------------------------------------------------- what a rectangle touches
@pytest.mark.parametrize("rect, margin, found", [
    (Rect(108.0, 0.0, 1.0, 1.0), None, ["a"]), (Rect(108.1, 0.0, 1.0, 1.0), None, []),
    (Rect(-9.0, 0.0, 1.0, 1.0), None, ["a"]), (Rect(-9.1, 0.0, 1.0, 1.0), None, []),
    (Rect(0.0, 88.0, 1.0, 1.0), None, ["a"]), (Rect(0.0, 88.1, 1.0, 1.0), None, []),
    (Rect(0.0, -9.0, 1.0, 1.0), None, ["a"]), (Rect(0.0, -9.1, 1.0, 1.0), None, []),
    (Rect(100.0, 80.0, 1.0, 1.0), 0.0, ["a"]), (Rect(100.1, 0.0, 1.0, 1.0), 0.0, []),
    (Rect(100.0, 0.0, 300.0, 1.0), 0.0, ["a", "b"]), (Rect(120.0, 0.0, 1.0, 1.0), 20.0, ["a"]),
    (Rect(450.0, 40.0, 1.0, 1.0), 0.0, ["b"]),
])  # fmt: skip
def test_nodes_are_seen_up_to_a_margin(rect, margin, found):
    assert (flow().seen(rect) if margin is None else flow().seen(rect, margin)) == found


def test_of_an_empty_sheet_nothing_is_seen():
    made = Scene(Sheet(NodeId("s"), "sheet"), {}, {})
    assert made.seen(Rect(0.0, 0.0, 9.0, 9.0)) == [] == made.seen_wires(Rect(0.0, 0.0, 9.0, 9.0))
    assert made.bounds() is None and made.rects.shape == (0, 4) == made.wire_boxes.shape


@pytest.mark.parametrize("b, knots, wanted", [
    # on its way to the right a wire stays between its ends
    ((400.0, 100.0), (), (96.0, 26.0, 404.0, 124.0)),
    ((140.0, 0.0), (), (96.0, 16.0, 144.0, 34.0)),  # 40 apart: just enough
    ((139.0, 0.0), (), (96.0, 16.0, 143.0, 34.0)),
    # backwards it bends round: by half of the way, 24 at least
    ((60.0, 0.0), (), (60.0 - 28.0, 16.0, 100.0 + 28.0, 34.0)),
    ((0.0, 0.0), (), (-54.0, 16.0, 154.0, 34.0)),
    # and so does a part of it, between knots or from one that lies beyond its end
    ((200.0, 0.0), ((400.0, 60.0),), (96.0, 16.0, 504.0, 64.0)),
    ((400.0, 0.0), ((300.0, 20.0), (200.0, 20.0)), (96.0, 16.0, 404.0, 34.0)),
    ((400.0, 0.0), ((200.0, -90.0), (300.0, 300.0)), (96.0, -94.0, 404.0, 304.0)),
])  # fmt: skip
def test_the_box_of_a_wire_holds_its_bends(b, knots, wanted):
    made = flow(b=b, knots=knots)
    assert made.wire_boxes.tolist() == [pytest.approx(wanted)]
    line = flattened(made.wire_points(made.wires[0]))
    assert (line[:, 0] >= wanted[0]).all() and (line[:, 0] <= wanted[2]).all()
    x0, y0, x1, y1 = wanted
    for rect, seen in (
        (Rect(x0 - 9.0, y0, 9.0, 1.0), True), (Rect(x0 - 9.1, y0, 9.0, 1.0), False),
        (Rect(x1, y0, 9.0, 1.0), True), (Rect(x1 + 0.1, y0, 9.0, 1.0), False),
        (Rect(x0, y0 - 9.0, 1.0, 9.0), True), (Rect(x0, y0 - 9.1, 1.0, 9.0), False),
        (Rect(x0, y1, 1.0, 9.0), True), (Rect(x0, y1 + 0.1, 1.0, 9.0), False),
    ):  # fmt: skip
        assert made.seen_wires(rect) == ([0] if seen else [])


def test_bounds_hold_nodes_and_comments():
    note = Comment("c", "s", "", Rect(-50.0, 10.0, 20.0, 400.0))
    assert flow(a=(0.0, -20.0)).bounds() == Rect(0.0, -20.0, 500.0, 100.0)
    assert flow(a=(0.0, -20.0), comments=(note,)).bounds() == Rect(-50.0, -20.0, 550.0, 430.0)
    made = Scene(Sheet(NodeId("s"), "sheet"), {}, {}, comments=(note,))
    assert made.bounds() == note.rect


# ---------------------------------------------------------------- curves
@pytest.mark.parametrize("a, b, reach", [
    ((0.0, 5.0), (100.0, 7.0), 50.0), ((100.0, 5.0), (0.0, 7.0), 50.0), ((0.0, 0.0), (20.0, 0.0), 24.0),
    ((0.0, 0.0), (48.0, 0.0), 24.0), ((0.0, 0.0), (300.0, 0.0), 150.0), ((0.0, 0.0), (400.0, 0.0), 160.0),
    ((0.0, 0.0), (0.0, 90.0), 24.0),
])  # fmt: skip
def test_a_wire_leaves_and_arrives_level(a, b, reach):
    first, second = bend(a, b)
    assert first == (a[0] + reach, a[1]) and second == (b[0] - reach, b[1])


def test_a_flattened_wire_is_a_bezier_curve_in_equal_steps():
    a, d = (0.0, 10.0), (200.0, 90.0)
    b, c = bend(a, d)
    line = flattened([a, d], 4)
    assert line.shape == (5, 2)
    for k, u in enumerate((0.0, 0.25, 0.5, 0.75, 1.0)):
        left, middle, right = (
            tuple(p + (q - p) * u for p, q in zip(*pair, strict=True)) for pair in ((a, b), (b, c), (c, d))
        )
        one, two = (
            tuple(p + (q - p) * u for p, q in zip(*pair, strict=True))
            for pair in ((left, middle), (middle, right))
        )
        assert line[k] == pytest.approx([p + (q - p) * u for p, q in zip(one, two, strict=True)])
    assert flattened([a, d]).shape == (15, 2)
    assert flattened([a, d, (300.0, 0.0)], 4).shape == (10, 2)


# ---------------------------------------------------------------- arrows
def test_an_arrow_is_straight_from_border_to_border_of_the_middles():
    made = machine({"a": (0.0, 0.0), "b": (400.0, 0.0)})
    assert made.curves["a", "b"].tolist() == [[100.0, 40.0], [400.0, 40.0]]
    made = machine({"a": (0.0, 0.0), "b": (0.0, 300.0)})
    assert made.curves["a", "b"].tolist() == [[50.0, 80.0], [50.0, 300.0]]
    for x, y, begin, end in (
        (400.0, -0.5, (100.0, 39.9375), (400.0, 39.5625)), (-400.0, 0.5, (0.0, 40.0625), (-300.0, 40.4375)),
        (-0.5, 300.0, (49.933, 80.0), (49.567, 300.0)), (0.5, -300.0, (50.067, 0.0), (50.433, -220.0)),
    ):  # fmt: skip
        made = machine({"a": (0.0, 0.0), "b": (x, y)})  # hardly aslant
        assert made.curves["a", "b"].tolist() == [
            pytest.approx(begin, abs=1e-3),
            pytest.approx(end, abs=1e-3),
        ]
    both = machine({"a": (0.0, 0.0), "b": (400.0, 0.0)}, arrow(both=True), arrow("b", "a", True))
    assert both.curves["a", "b"].tolist() == [[100.0, 49.0], [400.0, 49.0]]
    assert both.curves["b", "a"].tolist() == [[400.0, 31.0], [100.0, 31.0]]
    down = machine({"a": (0.0, 0.0), "b": (0.0, 300.0)}, arrow(both=True))
    assert down.curves["a", "b"].tolist() == [[41.0, 80.0], [41.0, 300.0]]


def test_an_arrow_to_itself_is_half_an_ellipse_above_the_right_end():
    line = machine({"a": (0.0, 50.0), "b": (400.0, 0.0)}, arrow("a", "a")).curves["a", "a"]
    assert line.shape == (9, 2)
    assert line[0] == pytest.approx([60.0, 50.0]) and line[-1] == pytest.approx([84.0, 50.0])
    assert line[4] == pytest.approx([72.0, 26.0])
    for x, y in line:
        assert ((x - 72.0) / 12.0) ** 2 + ((y - 50.0) / 24.0) ** 2 == pytest.approx(1.0)


def test_bounds_of_a_machine_hold_loops_and_those_of_other_sheets_do_not():
    places = {"a": (0.0, 50.0), "b": (400.0, 100.0)}
    made = machine(places, arrow("a", "a"))
    assert made.bounds() == Rect(0.0, 26.0, 500.0, 154.0)
    narrow = replace(made, nodes={**made.nodes, "a": box("a", 50.0, H, "state")})
    assert narrow.bounds() == Rect(0.0, 26.0, 500.0, 154.0)
    left = replace(made, nodes={**made.nodes, "a": box("a", 20.0, H, "state")})
    assert left.bounds() == Rect(-20.0, 26.0, 520.0, 154.0)
    assert replace(made, sheet=replace(made.sheet, kind=SheetKind.POSE)).bounds() == Rect(
        0.0, 50.0, 500.0, 130.0
    )


def test_states_on_each_other_have_an_arrow_all_the_same():
    line = machine({"a": (0.0, 0.0), "b": (0.0, 0.0)}).curves["a", "b"]
    assert line.tolist() == [[50.0, 40.0], [50.0, 40.0]]


def bow_of(line: np.ndarray) -> float:
    """How far below the level 40 an arrow from a to b is bowed in its middle, to a unit."""
    return round(float(line[np.abs(line[:, 1] - 40.0).argmax(), 1] - 40.0))


@pytest.mark.parametrize("blocked, bow", [
    ([], 0.0), ([40.0], 56.0), ([40.0, 96.0], -56.0), ([40.0, 96.0, -16.0], 104.0),
    ([40.0, 96.0, -16.0, 144.0], -104.0), ([40.0, 96.0, -16.0, 144.0, -64.0], 168.0),
    ([40.0, 96.0, -16.0, 144.0, -64.0, 208.0], -168.0),
    ([40.0, 96.0, -16.0, 144.0, -64.0, 208.0, -128.0], 0.0),  # nothing is free: straight through
])  # fmt: skip
def test_the_first_free_bow_is_taken(blocked, bow):
    """Low states stand where the middle of each bow would be."""
    places = {"a": (0.0, 0.0), "b": (800.0, 0.0)}
    nodes = {id: box(id, kind="state") for id in places}
    for k, y in enumerate(blocked):
        nodes[f"x{k}"] = box(f"x{k}", 60.0, 8.0, "state")
        places[f"x{k}"] = (420.0, y - 4.0)
    made = replace(machine({"a": (0.0, 0.0), "b": (800.0, 0.0)}), nodes=nodes, places=places)
    line = made.curves["a", "b"]
    assert bow_of(line) == bow and (len(line) == 2) is (bow == 0.0)
    assert BOWS == (0.0, 56.0, -56.0, 104.0, -104.0, 168.0, -168.0)
    if bow:
        assert line[0, 0] == pytest.approx(100.0, abs=3.0) and line[-1, 0] == pytest.approx(800.0, abs=3.0)
        assert len(line) == 33 and (np.diff(line[:, 0]) > 0.0).all()
        middle = line[16]
        assert middle == pytest.approx([450.0, 40.0 + bow], abs=1.0)


@pytest.mark.parametrize("x, y, straight", [
    (446.0, 44.1, True), (446.0, 43.9, False), (446.0, 27.9, True), (446.0, 28.1, False),
])  # fmt: skip
def test_an_arrow_keeps_four_units_away_from_other_states(x, y, straight):
    made = machine({"a": (0.0, 0.0), "b": (800.0, 0.0)})
    nodes = {**made.nodes, "x": box("x", 60.0, 8.0, "state")}
    made = replace(made, nodes=nodes, places={**made.places, "x": (x, y)})
    assert (len(made.curves["a", "b"]) == 2) is straight


@pytest.mark.parametrize("line, rect, meets", [
    ([[0, 0], [100, 0]], (104.0, 0.0, 110.0, 1.0), True), ([[0, 0], [100, 0]], (104.1, 0.0, 110.0, 1.0), False),
    ([[0, 0], [100, 0]], (-10.0, 0.0, -4.0, 1.0), True), ([[0, 0], [100, 0]], (-10.0, 0.0, -4.1, 1.0), False),
    ([[0, 0], [100, 0]], (0.0, 4.0, 9.0, 9.0), True), ([[0, 0], [100, 0]], (0.0, 4.1, 9.0, 9.0), False),
    ([[0, 0], [100, 0]], (0.0, -9.0, 9.0, -4.0), True), ([[0, 0], [100, 0]], (0.0, -9.0, 9.0, -4.1), False),
    # the whole way is looked at, however long it is
    ([[0, 0], [100, 0]], (49.0, -1.0, 51.0, 1.0), True), ([[0, 0], [9000, 0]], (5000.0, -1.0, 5002.0, 1.0), True),
    ([[0, 0], [50, 50], [100, 0]], (20.0, 20.0, 30.0, 30.0), True),
    ([[0, 0], [50, 50], [100, 0]], (40.0, 0.0, 60.0, 30.0), False),
    ([[0, 0], [9000, -9000]], (500.0, -520.0, 501.0, -509.1), False),
    ([[0, 0], [9000, -9000]], (500.0, -520.0, 501.0, -508.9), True),
])  # fmt: skip
def test_a_line_meets_a_state_within_four_units(line, rect, meets):
    assert module._meets(np.array(line, float), np.array([rect])) is meets
    far = (900.0, 900.0, 910.0, 910.0)
    assert module._meets(np.array(line, float), np.array([far, rect])) is meets
    assert not module._meets(np.array(line, float), np.empty((0, 4)))


def test_a_straight_line_meets_every_state_that_is_as_wide_as_a_23rd_of_it():
    line = np.array([[0.0, 0.0], [2300.0, 0.0]])
    states = [np.array([[x, -1.0, x + 92.0, 1.0]]) for x in range(0, 2200, 7)]
    assert all(module._meets(line, state) for state in states)


@pytest.mark.parametrize("way, place", [
    ((1.0, 0.0), (110.0, 40.0)), ((-2.0, 0.0), (10.0, 40.0)), ((0.0, 3.0), (60.0, 80.0)), ((0.0, -1.0), (60.0, 0.0)),
    ((50.0, 20.0), (110.0, 60.0)), ((-50.0, 20.0), (10.0, 60.0)), ((10.0, 40.0), (70.0, 80.0)),
    ((10.0, -40.0), (70.0, 0.0)), ((0.0, 0.0), (60.0, 40.0)),
])  # fmt: skip
def test_a_ray_leaves_a_rectangle_at_its_border(way, place):
    assert module._border(Rect(10.0, 0.0, 100.0, 80.0), (60.0, 40.0), way) == pytest.approx(place)


def test_a_ray_that_begins_outside_stays_where_it_is():
    assert module._border(Rect(0.0, 0.0, 10.0, 10.0), (20.0, 5.0), (1.0, 0.0)) == (20.0, 5.0)


def test_a_bow_that_lies_within_the_states_is_the_line_of_their_middles():
    a, b = Rect(0.0, 0.0, 400.0, 400.0), Rect(10.0, 0.0, 400.0, 400.0)
    begin, end = np.array(a.centre), np.array(b.centre)
    line = module._bowed(a, b, begin, end, np.array([0.0, 20.0]))
    assert line.tolist() == [list(a.centre), list(b.centre)]


def test_a_machine_with_many_arrows_is_crowded():
    def made(states: int, arrows: int, kind: SheetKind = SheetKind.MACHINE) -> Scene:
        nodes = {f"{k}": box(f"{k}") for k in range(states)}
        ways = tuple(arrow("0", "1") for _ in range(arrows))
        return Scene(Sheet(NodeId("s"), "x", kind), nodes, dict.fromkeys(nodes, (0.0, 0.0)), arrows=ways)

    assert made(8, 20).crowded and not made(8, 19).crowded and not made(7, 60).crowded
    assert not made(8, 20, SheetKind.POSE).crowded
    assert arrow_curve(made(8, 20), arrow("0", "0")).shape == (9, 2)
