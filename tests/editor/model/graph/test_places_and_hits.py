"""Rectangles, the view and its zoom, and what lies under a place of the canvas."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.graph.catalogue.pins import Pin, PinKind
from core.graph.graph import Link, NodeId, Sheet, SheetKind, Transition
from editor.model.graph import hits
from editor.model.graph.geometry import Rect, View, around, on_grid, snapped
from editor.model.graph.hits import Hit, Part, crossed, distance, hit_at, in_box, middle_of
from editor.model.graph.layout import Comment
from editor.model.graph.scene import ArrowView, ChoiceView, NodeView, PinView, Scene, WireView
from editor.model.graph.state import ChoicePlace, PinPlace

BOX = Rect(10.0, 20.0, 30.0, 40.0)


def test_a_rectangle_has_sides_a_centre_and_neighbours():
    assert (BOX.right, BOX.bottom, BOX.centre) == (40.0, 60.0, (25.0, 40.0))
    assert Rect.of((40.0, 20.0), (10.0, 60.0)) == Rect.of((10.0, 60.0), (40.0, 20.0)) == BOX
    assert BOX.moved(3.0, -4.0) == Rect(13.0, 16.0, 30.0, 40.0) and BOX.grown(5.0) == Rect(
        5.0, 15.0, 40.0, 50.0
    )
    assert BOX.grown(-5.0) == Rect(15.0, 25.0, 20.0, 30.0)
    assert BOX.joined(Rect(0.0, 50.0, 20.0, 90.0)) == Rect(0.0, 20.0, 40.0, 120.0)
    assert BOX.joined(Rect(15.0, 25.0, 1.0, 1.0)) == BOX
    assert around([]) is None and around([BOX]) == BOX
    assert around([BOX, Rect(0.0, 0.0, 1.0, 1.0), Rect(50.0, 0.0, 2.0, 1.0)]) == Rect(0.0, 0.0, 52.0, 60.0)


@pytest.mark.parametrize("point, away", [
    ((10.0, 20.0), 0.0), ((40.0, 60.0), 0.0), ((25.0, 40.0), 0.0), ((9.0, 30.0), 1.0), ((41.0, 30.0), 1.0),
    ((20.0, 18.0), 2.0), ((20.0, 63.0), 3.0),
])  # fmt: skip
def test_a_rectangle_holds_points_up_to_a_margin(point, away):
    assert BOX.holds(point, away)
    if away:
        assert not BOX.holds(point, away - 0.01) and not BOX.holds(point)


def test_rectangles_touch_where_they_share_a_point_and_cover_what_lies_inside():
    for other, touch in (
        (Rect(40.0, 60.0, 5.0, 5.0), True), (Rect(0.0, 0.0, 10.0, 20.0), True), (Rect(40.1, 30.0, 5.0, 5.0), False),
        (Rect(0.0, 30.0, 9.9, 5.0), False), (Rect(20.0, 60.1, 5.0, 5.0), False), (Rect(20.0, 0.0, 5.0, 19.9), False),
        (Rect(0.0, 0.0, 99.0, 99.0), True),
    ):  # fmt: skip
        assert BOX.touches(other) is touch is other.touches(BOX)
    for other, cover in (
        (BOX, True), (Rect(11.0, 21.0, 5.0, 5.0), True), (Rect(9.9, 20.0, 30.0, 40.0), False),
        (Rect(10.0, 19.9, 30.0, 40.0), False), (Rect(10.0, 20.0, 30.1, 40.0), False),
        (Rect(10.0, 20.0, 30.0, 40.1), False),
    ):  # fmt: skip
        assert BOX.covers(other) is cover


def test_the_view_turns_pixels_into_places_and_back():
    view = View(100.0, 50.0, 2.0)
    assert view.to_scene((30.0, 40.0)) == (115.0, 70.0) and view.to_pixel((115.0, 70.0)) == (30.0, 40.0)
    assert view.seen((200.0, 100.0)) == Rect(100.0, 50.0, 100.0, 50.0)
    assert view.panned(10.0, -6.0) == View(95.0, 53.0, 2.0)
    assert view.centred((0.0, 10.0), (200.0, 100.0)) == View(-50.0, -15.0, 2.0)
    assert view.centred((0.0, 10.0), (200.0, 100.0), 0.5) == View(-200.0, -90.0, 0.5)


@pytest.mark.parametrize("zoom, factor, after", [
    (1.0, 1.2, 1.2), (0.12, 0.5, 0.1), (1.9, 1.2, 2.0), (0.8, 1.2125, 1.0), (0.8, 1.29, 1.0), (0.8, 1.31, 1.048),
    (0.8, 1.19, 0.952),
    (1.0, 0.95, 0.95), (1.2, 1 / 1.2, 1.0),
])  # fmt: skip
def test_zooming_keeps_the_place_under_the_pointer_and_catches_full_size(zoom, factor, after):
    view, at = View(7.0, -3.0, zoom), (120.0, 90.0)
    done = view.zoomed(factor, at)
    assert done.zoom == pytest.approx(after) and done.to_scene(at) == pytest.approx(view.to_scene(at))


@pytest.mark.parametrize("rect, size, most, zoom", [
    (Rect(0.0, 0.0, 100.0, 100.0), (800.0, 600.0), 1.0, 1.0),
    (Rect(0.0, 0.0, 100.0, 100.0), (800.0, 600.0), 9.0, 2.0),
    (Rect(0.0, 0.0, 1408.0, 100.0), (800.0, 600.0), 1.0, 0.5),
    (Rect(0.0, 0.0, 100.0, 1008.0), (800.0, 600.0), 1.0, 0.5),
    (Rect(0.0, 0.0, 168.0, 10.0), (200.0, 600.0), 2.0, 1.0),
    (Rect(0.0, 0.0, 99999.0, 10.0), (800.0, 600.0), 1.0, 0.1),
    (Rect(0.0, 0.0, 64.0, 0.0), (20.0, 600.0), 1.0, 0.5), (Rect(9.0, 9.0, 0.0, 0.0), (800.0, 600.0), 1.5, 1.5),
])  # fmt: skip
def test_a_rectangle_is_fitted_into_the_middle_with_a_margin(rect, size, most, zoom):
    done = View(5.0, 5.0, 0.7).fitted(rect, size, most)
    assert done.zoom == pytest.approx(zoom)
    assert done.to_scene((size[0] / 2.0, size[1] / 2.0)) == pytest.approx(rect.centre)


def test_the_grid_catches_and_the_world_has_ends():
    assert [snapped(v) for v in (0.0, 7.9, 8.1, -8.1, 40.1)] == [0.0, 0.0, 16.0, -16.0, 48.0]
    assert snapped(11.0, 10.0) == 10.0 and on_grid((9.0, -9.0)) == (16.0, -16.0)
    assert snapped(1e9) == 1e6 and snapped(-1e9) == -1e6


# ---------------------------------------------------------------- what lies under a place
def pin(name, y, output=False, literal=None, kind=PinKind.POSE):
    return PinView(Pin(name, kind), y, output, False, str(kind), name, literal)


def node(id, w=100.0, h=80.0, **more):
    return NodeView(id, more.pop("kind", "clip"), "node", id, "", None, w, h, **more)


A = node("a", inputs=(pin("rate", 50.0, literal="1"), pin("pose", 70.0)), outputs=(pin("out", 20.0, True),),
         choices=(ChoiceView(SimpleNamespace(name="mode"), 60.0, "Mode", "", ""),
                  ChoiceView(SimpleNamespace(name="clip"), 0.0, "Clip", "", "", head=True)))  # fmt: skip
B = node("b", inputs=(pin("pose", 20.0),))
WIRE = WireView(Link(NodeId("a"), NodeId("b"), "pose", "out"), "pose", ((200.0, 300.0),))
PLACES = {"a": (0.0, 0.0), "b": (400.0, 0.0)}
NOTES = (
    Comment("c-1", "s", "large", Rect(-300.0, -300.0, 250.0, 200.0)),
    Comment("c-2", "s", "small", Rect(-300.0, -300.0, 100.0, 80.0)),
)


def scene(**more):
    sheet = Sheet(NodeId("s"), "sheet", more.pop("kind", SheetKind.POSE))
    given = {"nodes": {"a": A, "b": B}, "places": PLACES, "wires": (WIRE,), "comments": NOTES} | more
    return Scene(sheet, **given)


OUT, IN = PinPlace("a", "out", True), PinPlace("b", "pose")


@pytest.mark.parametrize("place, zoom, found", [
    ((100.0, 20.0), 1.0, Hit(Part.PIN, "a", OUT)), ((110.0, 30.0), 1.0, Hit(Part.PIN, "a", OUT)),
    ((90.0, 10.0), 1.0, Hit(Part.PIN, "a", OUT)), ((89.9, 20.0), 1.0, Hit(Part.NODE, "a")),
    ((100.0, 30.1), 1.0, Hit(Part.NODE, "a")), ((400.0, 20.0), 1.0, Hit(Part.PIN, "b", IN)),
    ((390.0, 20.0), 1.0, Hit(Part.PIN, "b", IN)), ((105.0, 20.0), 2.0, Hit(Part.PIN, "a", OUT)),
    ((420.0, 30.0), 0.5, Hit(Part.PIN, "b", IN)), ((420.0, 30.2), 0.5, Hit(Part.NODE, "b")),
    ((400.0, 20.0), 0.39, Hit(Part.NODE, "b")), ((400.0, 20.0), 0.4, Hit(Part.PIN, "b", IN)),
    ((0.0, 0.0), 1.0, Hit(Part.NODE, "a")), ((100.0, 80.0), 1.0, Hit(Part.NODE, "a")),
    ((30.0, 40.0), 1.0, Hit(Part.NODE, "a")),
    # fields: half the width, a margin of six at the right, in their row
    ((50.0, 50.0), 1.0, Hit(Part.LITERAL, "a", PinPlace("a", "rate"))), ((49.9, 50.0), 1.0, Hit(Part.NODE, "a")),
    ((94.0, 45.0), 1.0, Hit(Part.LITERAL, "a", PinPlace("a", "rate"))), ((94.1, 45.0), 1.0, Hit(Part.NODE, "a")),
    ((70.0, 41.0), 1.0, Hit(Part.LITERAL, "a", PinPlace("a", "rate"))), ((70.0, 40.9), 1.0, Hit(Part.NODE, "a")),
    ((70.0, 59.0), 1.0, Hit(Part.LITERAL, "a", PinPlace("a", "rate"))),
    ((70.0, 59.1), 1.0, Hit(Part.CHOICE, "a", None, (), ChoicePlace("a", "mode"))),
    ((70.0, 69.1), 1.0, Hit(Part.NODE, "a")), ((70.0, 50.0), 0.39, Hit(Part.NODE, "a")),
    ((70.0, 4.0), 1.0, Hit(Part.CHOICE, "a", None, (), ChoicePlace("a", "clip"))),
    ((88.0, 22.0), 1.0, Hit(Part.CHOICE, "a", None, (), ChoicePlace("a", "clip"))),
    ((69.9, 10.0), 1.0, Hit(Part.NODE, "a")), ((88.1, 3.9), 1.0, Hit(Part.NODE, "a")),
    ((75.0, 22.1), 1.0, Hit(Part.NODE, "a")),
    # a knot, its wire, comments
    ((200.0, 300.0), 1.0, Hit(Part.KNOT, "k:b.pose#0", None, (WIRE.key,))),
    ((200.0, 310.0), 1.0, Hit(Part.KNOT, "k:b.pose#0")), ((200.0, 310.1), 1.0, Hit()),
    ((195.0, 300.0), 2.0, Hit(Part.KNOT, "k:b.pose#0", None, (WIRE.key,))),
    ((-200.0, -220.0), 1.0, Hit(Part.COMMENT_EDGE, "c-2")), ((-190.0, -210.0), 1.0, Hit(Part.COMMENT_EDGE, "c-2")),
    ((-189.9, -220.0), 1.0, Hit()), ((-195.0, -220.0), 2.0, Hit(Part.COMMENT_EDGE, "c-2")),
    ((-194.9, -220.0), 2.0, Hit()),
    ((-300.0, -300.0), 1.0, Hit(Part.COMMENT, "c-2")), ((-199.0, -300.0), 1.0, Hit(Part.COMMENT, "c-1")),
    ((-290.0, -272.0), 1.0, Hit(Part.COMMENT, "c-2")), ((-290.0, -271.9), 1.0, Hit()),
    ((-290.0, -244.0), 0.5, Hit(Part.COMMENT, "c-2")), ((-290.0, -243.9), 0.5, Hit()),
    ((-60.0, -217.0), 0.2, Hit(Part.COMMENT, "c-1")), ((-60.0, -215.0), 0.2, Hit()),
    ((-50.0, -100.0), 1.0, Hit(Part.COMMENT_EDGE, "c-1")), ((900.0, 900.0), 1.0, Hit()),
])  # fmt: skip
def test_what_lies_under_a_place(place, zoom, found):
    assert hit_at(scene(), place, zoom) == found


def test_of_nodes_on_each_other_the_upper_one_is_hit_and_the_others_are_told():
    made = scene(places={"a": (0.0, 0.0), "b": (0.0, 0.0)})
    assert hit_at(made, (30.0, 40.0), 1.0) == Hit(Part.NODE, "b", None, ("a",))
    assert hit_at(made, (-0.5, 20.0), 1.0) == Hit(Part.PIN, "b", IN)


def test_a_wire_is_hit_within_six_pixels_but_not_below_a_node():
    line = hits.flattened(scene().wire_points(WIRE))
    x, y = (float(v) for v in line[5])
    along = line[6] - line[4]
    normal = np.array([-along[1], along[0]]) / np.hypot(*along)
    for away, zoom, hit in (
        (5.5, 1.0, True),
        (6.5, 1.0, False),
        (2.5, 2.0, True),
        (3.5, 2.0, False),
        (11.5, 0.5, True),
    ):
        place = (x + normal[0] * away, y + normal[1] * away)
        assert (hit_at(scene(), place, zoom) == Hit(Part.WIRE, WIRE.key)) is hit
    over = scene(places=PLACES | {"b": (x - 50.0, y - 40.0)})
    assert hit_at(over, (x, y), 1.0).part is Part.NODE


# ---------------------------------------------------------------- machines
def arrow(*ids, source="a", target="b", both=False):
    made = tuple(Transition(NodeId(i), NodeId(source), NodeId(target)) for i in ids)
    return ArrowView(source, target, made, tuple(range(1, len(ids) + 1)), both)


def machine(**more):
    return scene(kind=SheetKind.MACHINE, wires=(), comments=(), arrows=(arrow("t1", "t2"),), **more)


@pytest.mark.parametrize("place, zoom, found", [
    ((3.0, 40.0), 1.0, Hit(Part.BORDER, "a")), ((6.9, 40.0), 1.0, Hit(Part.BORDER, "a")),
    ((7.0, 40.0), 1.0, Hit(Part.NODE, "a")),
    ((13.9, 40.0), 0.5, Hit(Part.BORDER, "a")), ((14.0, 40.0), 0.5, Hit(Part.NODE, "a")),
    ((19.9, 40.0), 0.2, Hit(Part.BORDER, "a")),
    ((20.0, 40.0), 0.2, Hit(Part.NODE, "a")), ((100.0, 20.0), 1.0, Hit(Part.BORDER, "a")),
    ((70.0, 50.0), 1.0, Hit(Part.NODE, "a")),
    ((250.0, 40.0), 1.0, Hit(Part.ARROW, "t1", None, ("t2",))),
    ((250.0, 47.9), 1.0, Hit(Part.ARROW, "t1", None, ("t2",))),
    ((250.0, 48.1), 1.0, Hit()), ((250.0, 43.9), 2.0, Hit(Part.ARROW, "t1", None, ("t2",))),
    ((250.0, 44.1), 2.0, Hit()),
])  # fmt: skip
def test_what_lies_under_a_place_of_a_machine(place, zoom, found):
    assert hit_at(machine(), place, zoom) == found


def test_from_an_exit_nothing_is_drawn():
    made = machine(nodes={"a": node("a", kind="exit"), "b": B})
    assert hit_at(made, (3.0, 40.0), 1.0) == Hit(Part.NODE, "a")


def test_a_box_takes_nodes_it_touches_comments_it_covers_and_arrows_within():
    assert in_box(scene(), Rect(100.0, 80.0, 10.0, 10.0)) == ["a"]
    assert in_box(scene(), Rect(-301.0, -301.0, 200.0, 90.0)) == ["c-2"]
    assert in_box(scene(), Rect(-301.0, -301.0, 260.0, 210.0)) == ["c-1", "c-2"]
    assert in_box(machine(), Rect(50.0, 0.0, 400.0, 80.0)) == ["a", "b", "t1", "t2"]
    assert in_box(machine(), Rect(150.0, 0.0, 300.0, 80.0)) == ["b"]


def test_a_stroke_crosses_wires_and_arrows_from_side_to_side():
    line = hits.flattened(scene().wire_points(WIRE))
    x, y = (float(v) for v in (line[5] + line[6]) / 2.0)
    assert crossed(scene(), (x - 40.0, y + 12.0), (x + 40.0, y - 12.0)) == [WIRE.key]
    assert crossed(scene(), (600.0, 0.0), (700.0, 100.0)) == []
    assert crossed(machine(), (250.0, 0.0), (250.0, 80.0)) == ["t1", "t2"]
    assert (
        crossed(machine(), (250.0, 0.0), (250.0, 39.0))
        == []
        == crossed(machine(), (250.0, 41.0), (250.0, 80.0))
    )
    assert crossed(machine(), (50.0, 0.0), (50.0, 80.0)) == []
    # through a corner of a line it crosses once: two strokes that end there share it
    assert hits._crosses(np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]]), (10.0, -5.0), (10.0, 5.0))


def test_distances_are_those_to_the_nearest_point_of_a_line():
    line = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [10.0, 10.0]])
    for place, away in (
        ((5.0, 3.0), 3.0),
        ((-3.0, 4.0), 5.0),
        ((14.0, 5.0), 4.0),
        ((13.0, 14.0), 5.0),
        ((10.0, 0.0), 0.0),
    ):
        assert distance(line, place) == pytest.approx(away)
    assert middle_of(np.array([[0.0, 0.0], [4.0, 2.0]])) == (2.0, 1.0)
    assert middle_of(np.array([[0.0, 0.0], [4.0, 2.0], [9.0, 9.0]])) == (4.0, 2.0)
