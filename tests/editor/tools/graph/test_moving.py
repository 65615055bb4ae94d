"""Dragging nodes and comments: the grid, guides, copies, wires that a node is lifted out of or put into, Escape."""

import pytest

from editor.model.graph.geometry import GRID, Rect, View
from editor.model.graph.layout import Comment
from editor.model.graph.nodes import NewNode
from editor.model.graph.scene import wire_key
from editor.model.graph.state import Moving
from editor.tools.graph.move import MoveItems, SizeComment, comment_around
from editor.tools.pointer import Modifiers
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
)  # fmt: skip

SHIFT, CTRL, ALT, NONE = Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT, Modifiers.NONE
PLACES = {
    CLIP_A: (0.0, 0.0), CLIP_B: (0.0, 160.0), BLEND: (256.0, 32.0), OUTPUT: (512.0, 32.0), MACHINE: (0.0, 320.0),
}  # fmt: skip


def shown(hand, node, way, held=NONE, zoom=1.0):
    """What a drag of a node by a way shows; the drag is taken back."""
    hand.canvas.view = View(-120.0, -300.0, zoom)
    start = hand.title(node)
    gesture = hand.press(start)
    gesture.move(hand.pointer((start[0] + way[0], start[1] + way[1]), held))
    found = hand.canvas.state.preview
    gesture.cancel()
    assert hand.canvas.state.preview is None
    return found


def test_only_a_way_longer_than_a_click_takes_hold(hand):
    start = hand.title(CLIP_A)
    gesture = hand.press(start)
    gesture.move(hand.pointer((start[0] + 2.0, start[1])))
    assert hand.canvas.state.preview is None and not gesture.began
    gesture.move(hand.pointer((start[0] + 30.0, start[1])))
    assert hand.canvas.state.preview.places == {CLIP_A: (32.0, 0.0)}
    gesture.move(hand.pointer(start))
    assert hand.canvas.state.preview.places == {CLIP_A: (0.0, 0.0)}
    gesture.finish(hand.pointer(start))
    assert hand.labels == () and hand.canvas.state.preview is None


@pytest.mark.parametrize("way, held, place", [
    ((100.0, 50.0), NONE, (96.0, 48.0)), ((107.0, -60.0), NONE, (112.0, -64.0)),
    ((100.0, 50.0), ALT, (100.0, 50.0)), ((-37.0, 500.0), ALT, (-37.0, 500.0)),
    ((3.0, 500.0), ALT, (3.0, 500.0)),
])  # fmt: skip
def test_a_node_catches_the_grid_and_with_alt_goes_anywhere(hand, way, held, place):
    found = shown(hand, CLIP_A, way, held)
    assert found == Moving({CLIP_A: place}, (), "")


def test_a_node_that_is_near_a_neighbours_left_or_top_lines_up_with_it(hand):
    hand.editor.nodes.move({CLIP_B: (5.0, 163.0), BLEND: (260.0, 37.0), MACHINE: (1000.0, 700.0)})
    # left of the second clip, 6 pixels away and no more
    assert shown(hand, CLIP_A, (-1.0, 400.0)) == Moving(
        {CLIP_A: (5.0, 400.0)}, ((True, 5.0, 163.0, 512.0),), ""
    )
    assert shown(hand, CLIP_A, (11.0, 400.0)).places == {CLIP_A: (5.0, 400.0)}
    assert shown(hand, CLIP_A, (11.5, 400.0)) == Moving({CLIP_A: (16.0, 400.0)}, (), "")
    # its top
    assert shown(hand, CLIP_A, (700.0, 160.0)) == Moving(
        {CLIP_A: (704.0, 163.0)}, ((False, 163.0, 5.0, 876.0),), ""
    )
    # the nearest of two: Output's top is 32, the blend's 37
    assert shown(hand, CLIP_A, (700.0, 36.0)).places == {CLIP_A: (704.0, 37.0)}
    assert shown(hand, CLIP_A, (700.0, 33.0)).places == {CLIP_A: (704.0, 32.0)}
    # both at once
    both = shown(hand, CLIP_A, (259.0, 164.0))
    assert both.places == {CLIP_A: (260.0, 163.0)}
    assert set(both.guides) == {(True, 260.0, 37.0, 276.0), (False, 163.0, 5.0, 435.0)}
    # farther out six pixels are more of the scene
    assert shown(hand, CLIP_A, (16.0, 400.0), zoom=0.5).places == {CLIP_A: (5.0, 400.0)}
    assert shown(hand, CLIP_A, (18.0, 400.0), zoom=0.5).places == {CLIP_A: (16.0, 400.0)}
    assert shown(hand, CLIP_A, (-1.0, 400.0), ALT) == Moving({CLIP_A: (-1.0, 400.0)}, (), "")


def test_neighbours_out_of_sight_and_nodes_that_go_along_give_no_guides(hand):
    hand.editor.nodes.move({CLIP_B: (5.0, 3000.0), MACHINE: (1005.0, 700.0), BLEND: (700.0, 800.0)})
    assert shown(hand, CLIP_A, (4.0, 400.0)).guides == ()
    assert shown(hand, CLIP_A, (1004.0, 400.0)).guides == ((True, 1005.0, 400.0, 748.0),)
    hand.canvas.select([CLIP_A, MACHINE])
    assert shown(hand, CLIP_A, (1004.0, 400.0)).guides == ()


def test_the_pressed_node_catches_the_grid_and_the_others_keep_their_distance(hand):
    hand.editor.nodes.move({CLIP_B: (7.0, 701.0)})
    hand.canvas.select([CLIP_B, MACHINE])
    found = shown(hand, MACHINE, (300.0, 300.0))
    assert found == Moving({MACHINE: (304.0, 624.0), CLIP_B: (311.0, 1005.0)}, (), "")
    hand.canvas.select([CLIP_B, MACHINE])
    hand.drag(hand.title(CLIP_B), (1000.0, 1000.0))
    dx, dy = hand.places[CLIP_B][0] - 7.0, hand.places[CLIP_B][1] - 701.0
    assert hand.places[CLIP_B][0] % GRID == 0.0 and hand.places[CLIP_B][1] % GRID == 0.0
    assert hand.places[MACHINE] == (dx, 320.0 + dy) and hand.labels[-1] == "Move 2 nodes"
    assert {n: hand.places[n] for n in (CLIP_A, BLEND, OUTPUT)} == {
        n: PLACES[n] for n in (CLIP_A, BLEND, OUTPUT)
    }


def test_a_press_on_one_that_is_not_selected_selects_it_alone_and_escape_brings_the_selection_back(hand):
    hand.canvas.select([BLEND, CLIP_B])
    gesture = hand.press(hand.title(CLIP_A))
    assert hand.chosen == {CLIP_A}
    gesture.move(hand.pointer((500.0, 500.0)))
    gesture.cancel()
    assert hand.chosen == {BLEND, CLIP_B} and hand.labels == ()
    hand.press(hand.title(CLIP_A), SHIFT)
    assert hand.chosen == {BLEND, CLIP_B, CLIP_A}
    hand.canvas.select([BLEND, CLIP_B])
    hand.press(hand.title(CLIP_B))
    assert hand.chosen == {BLEND, CLIP_B}
    hand.canvas.select([BLEND, CLIP_B])
    hand.press(hand.title(CLIP_A), CTRL)
    assert hand.chosen == {BLEND, CLIP_B}


@pytest.mark.parametrize("held, left", [
    (NONE, {CLIP_A}), (SHIFT, {CLIP_A, BLEND}), (CTRL, {BLEND}),
])  # fmt: skip
def test_a_click_on_one_of_several(hand, held, left):
    hand.canvas.select([BLEND, CLIP_A])
    hand.click(hand.title(CLIP_A), held)
    assert hand.chosen == left


def test_a_click_on_the_only_one_that_is_selected_keeps_it_or_with_ctrl_takes_it_out(hand):
    hand.canvas.select([CLIP_A])
    hand.click(hand.title(CLIP_A))
    assert hand.chosen == {CLIP_A}
    hand.click(hand.title(CLIP_A), SHIFT)
    assert hand.chosen == {CLIP_A}
    hand.click(hand.title(CLIP_A), CTRL)
    assert hand.chosen == set()


# ---------------------------------------------------------------- copies
def test_shift_drags_a_copy_that_lies_where_it_was_released(hand):
    start = hand.title(CLIP_A)
    gesture = hand.press(start, SHIFT)
    place = (start[0] + 42.0, start[1] + 500.0)
    gesture.move(hand.pointer(place, SHIFT))
    assert hand.canvas.state.preview == Moving({CLIP_A: (48.0, 496.0)}, (), "")
    gesture.finish(hand.pointer(place, SHIFT))
    assert hand.labels == ("Duplicate",) and hand.places[CLIP_A] == (0.0, 0.0)
    (made,) = hand.chosen
    assert made not in PLACES and hand.places[made] == (48.0, 496.0)
    assert hand.canvas.committed.nodes[made].kind == "clip"


def test_shift_on_one_of_several_copies_them_all(hand):
    hand.canvas.select([CLIP_A, MACHINE])
    start = hand.title(CLIP_A)
    hand.drag(start, (start[0] + 90.0, start[1] + 600.0), (start[0] + 600.0, start[1] + 600.0), held=SHIFT)
    assert hand.labels == ("Duplicate",)
    assert sorted(hand.places[n] for n in hand.chosen) == [(608.0, 608.0), (608.0, 928.0)]
    assert hand.places[CLIP_A] == (0.0, 0.0) and hand.places[MACHINE] == (0.0, 320.0)


def test_a_copy_over_a_wire_is_not_put_into_it(hand):
    (x0, y0), (x1, y1) = hand.pin(BLEND, "out", True), hand.pin(OUTPUT, "pose")
    hand.editor.nodes.move({OUTPUT: (1000.0, 32.0)})
    node = hand.editor.nodes.add(
        NewNode("inertialize" if "inertialize" in _kinds() else "slot"), (600.0, 600.0)
    )
    start = hand.title(node)
    gesture = hand.press(start, SHIFT)
    gesture.move(hand.pointer(((x0 + 1000.0) / 2.0, (y0 + y1) / 2.0), SHIFT))
    assert hand.canvas.state.preview.wire == "" and x1 > x0
    gesture.cancel()


def _kinds():
    from core.graph.catalogue.every import NODE_TYPES

    return NODE_TYPES


# ---------------------------------------------------------------- out of wires, into wires
def test_alt_lifts_a_node_out_of_its_wires_and_joins_them(hand):
    start = hand.title(BLEND)
    gesture = hand.press(start, ALT)
    place = (start[0] + 203.0, start[1] + 401.0)
    gesture.move(hand.pointer(place, ALT))
    assert hand.canvas.state.preview.places == {
        BLEND: (464.0, 432.0)
    }  # held from the start it is no way off the grid
    gesture.finish(hand.pointer(place, ALT))
    assert hand.labels == ("Lift node out",) and hand.places[BLEND] == (464.0, 432.0)
    links = [(x.source, x.target, x.pin) for x in hand.canvas.sheet.links]
    assert links == [(CLIP_A, OUTPUT, "pose")]
    hand.session.undo()
    assert hand.places[BLEND] == (256.0, 32.0) and len(hand.wires()) == 3


def test_alt_on_several_nodes_lifts_none(hand):
    hand.canvas.select([BLEND, OUTPUT])
    before = hand.wires()
    start = hand.title(BLEND)
    hand.drag(start, (start[0] + 203.0, start[1] + 401.0), held=ALT)
    assert hand.labels == ("Move 2 nodes",) and hand.wires() == before


@pytest.fixture
def wired(hand):
    """A node without wires, and the middle of the wire from the blend to the Output."""
    hand.editor.nodes.move({OUTPUT: (1000.0, 32.0), MACHINE: (500.0, 700.0)})
    hand.node = hand.editor.nodes.add(NewNode("slot"), (600.0, 600.0))
    (x0, y0), (x1, y1) = hand.pin(BLEND, "out", True), hand.pin(OUTPUT, "pose")
    hand.middle = ((x0 + x1) / 2.0, (y0 + y1) / 2.0)
    hand.wire = next(wire_key(x) for x in hand.canvas.sheet.links if x.target == OUTPUT)
    return hand


def test_the_wire_under_the_pointer_is_shown_and_takes_the_node(wired):
    start = wired.title(wired.node)
    gesture = wired.press(start)
    gesture.move(wired.pointer((wired.middle[0], wired.middle[1] + 60.0)))
    assert wired.canvas.state.preview.wire == ""
    gesture.move(wired.pointer(wired.middle))
    assert wired.canvas.state.preview.wire == wired.wire
    gesture.finish(wired.pointer(wired.middle))
    assert wired.labels[-1] == "Put node into wire"
    links = {(x.source, x.target, x.pin) for x in wired.canvas.sheet.links}
    entry = next(p.name for p in wired.canvas.committed.nodes[wired.node].inputs if p.token == "pose")
    assert links == {
        (CLIP_A, BLEND, "a"), (CLIP_B, BLEND, "b"), (BLEND, wired.node, entry), (wired.node, OUTPUT, "pose"),
    }  # fmt: skip
    # where it is: on the grid where the pointer took it
    assert abs(wired.places[wired.node][0] - (wired.middle[0] - start[0] + 592.0)) <= 16.0


def test_a_node_with_wires_of_its_own_is_put_into_another_only_with_alt(wired):
    wired.editor.wires.cut_keys({k for k in wired.wires() if CLIP_B in k})
    start = wired.title(CLIP_A)
    assert wired.drag(start, (start[0] + 9.0, start[1]), wired.middle)
    assert wired.labels[-1] == "Move 1 node"


def test_several_nodes_are_put_into_no_wire(wired):
    wired.canvas.select([wired.node, MACHINE])
    gesture = wired.press(wired.title(wired.node))
    gesture.move(wired.pointer(wired.middle))
    assert wired.canvas.state.preview.wire == ""
    gesture.cancel()


def test_states_of_a_machine_are_put_into_no_transition(hand):
    hand.canvas.open(GRAPH, STATES)
    hand.canvas.view = View(-120.0, -300.0, 1.0)
    node = hand.editor.nodes.add(NewNode("state"), (0.0, 500.0))
    gesture = hand.press(hand.title(node))
    gesture.move(hand.pointer((240.0, 33.0)))
    assert hand.canvas.state.preview.wire == ""
    gesture.finish(hand.pointer((240.0, 33.0)))
    assert hand.labels[-1] == "Move 1 node"
    assert len(hand.canvas.sheet.transitions) == 2
    assert hand.places[IDLE] == (0.0, 0.0) and hand.places[WALKING] == (320.0, 0.0)


# ---------------------------------------------------------------- comments
def comment(hand, *rect, id="c-1", sheet=POSES):
    graph, _ = hand.canvas.require()
    hand.canvas.commit(
        "Comment", graph, hand.canvas.layout.with_comment(Comment(id, sheet, "words", Rect(*rect)))
    )


def rect_of(hand, id="c-1"):
    return next(c.rect for c in hand.canvas.layout.comments if c.id == id)


def test_a_comment_takes_what_lies_inside_with_it(hand):
    comment(hand, -32.0, -64.0, 240.0, 380.0)
    comment(hand, -16.0, -24.0, 208.0, 150.0, id="c-2")
    comment(hand, 800.0, 0.0, 100.0, 100.0, id="c-3")
    start = (150.0, -50.0)
    gesture = hand.press(start)
    assert hand.chosen == {"c-1"}
    gesture.move(hand.pointer((start[0] + 100.0, start[1] + 33.0)))
    preview = hand.canvas.state.preview
    assert preview == Moving(
        {CLIP_A: (96.0, 32.0), CLIP_B: (96.0, 192.0), "c-1": (64.0, -32.0), "c-2": (80.0, 8.0)}, (), ""
    )
    gesture.finish(hand.pointer((start[0] + 100.0, start[1] + 33.0)))
    assert hand.labels[-1] == "Move 2 nodes"
    assert rect_of(hand) == Rect(64.0, -32.0, 240.0, 380.0) and rect_of(hand, "c-2") == Rect(
        80.0, 8.0, 208.0, 150.0
    )
    assert rect_of(hand, "c-3") == Rect(800.0, 0.0, 100.0, 100.0)
    assert hand.places[CLIP_A] == (96.0, 32.0) and hand.places[BLEND] == (256.0, 32.0)


def test_an_empty_comment_catches_the_grid_by_its_corner(hand):
    comment(hand, 801.0, 5.0, 200.0, 100.0)
    start = (810.0, 15.0)
    gesture = hand.press(start)
    gesture.move(hand.pointer((start[0] + 20.0, start[1] + 40.0)))
    assert hand.canvas.state.preview == Moving({"c-1": (816.0, 48.0)}, (), "")
    gesture.finish(hand.pointer((start[0] + 20.0, start[1] + 40.0)))
    assert rect_of(hand) == Rect(816.0, 48.0, 200.0, 100.0) and hand.labels[-1] == "Move comment"


def test_a_copy_of_a_comment_lies_as_far_from_it_as_it_was_dragged(hand):
    comment(hand, 800.0, 0.0, 200.0, 100.0)
    hand.drag((810.0, 10.0), (900.0, 70.0), (890.0, 90.0), held=SHIFT)
    assert hand.labels[-1] == "Duplicate" and rect_of(hand) == Rect(800.0, 0.0, 200.0, 100.0)
    (made,) = hand.chosen
    assert rect_of(hand, made) == Rect(880.0, 80.0, 200.0, 100.0)


@pytest.mark.parametrize("to, size", [
    ((1050.0, 203.0), (256.0, 208.0)), ((0.0, 0.0), (4 * GRID, 2 * GRID)), ((870.0, 42.0), (64.0, 48.0)),
    ((890.0, 25.0), (96.0, 32.0)),
])  # fmt: skip
def test_a_comments_corner_is_dragged_on_the_grid_and_it_stays_large_enough(hand, to, size):
    comment(hand, 800.0, 0.0, 208.0, 112.0)
    before = hand.session.document.project
    gesture = hand.press((1007.0, 111.0))
    assert isinstance(gesture, SizeComment)
    gesture.move(hand.pointer(to))
    assert hand.canvas.state.sizing.rect == Rect(800.0, 0.0, *size)
    assert hand.session.document.project is before
    gesture.finish(hand.pointer(to))
    assert hand.canvas.state.sizing is None and hand.labels[-1] == "Size comment"
    assert rect_of(hand) == Rect(800.0, 0.0, *size)


def test_sizing_a_comment_is_taken_back_by_escape_and_not_begun_by_a_click(hand):
    comment(hand, 800.0, 0.0, 205.0, 111.0)
    steps = hand.labels
    gesture = hand.press((1004.0, 110.0))
    gesture.move(hand.pointer((1204.0, 210.0)))
    gesture.cancel()
    assert hand.canvas.state.sizing is None
    hand.drag((1004.0, 110.0), (1005.0, 110.0))
    assert hand.labels == steps and rect_of(hand) == Rect(800.0, 0.0, 205.0, 111.0)
    assert hand.canvas.state.sizing is None


def test_a_comment_around_items_has_room_for_its_head(hand):
    scene = hand.canvas.committed
    assert comment_around(scene, [CLIP_A], "c-9", "words") == Comment(
        "c-9", POSES, "words", Rect(-16.0, -44.0, 208.0, 172.0)
    )
    assert comment_around(scene, [CLIP_A, "gone", OUTPUT], "c-9", "").rect == Rect(-16.0, -44.0, 720.0, 172.0)
    assert comment_around(scene, [OUTPUT, MACHINE], "c-9", "").rect == Rect(-16.0, -12.0, 720.0, 396.0)
    assert comment_around(scene, [], "c-9", "") is None and comment_around(scene, ["gone"], "c-9", "") is None


# ---------------------------------------------------------------- what lies below
def test_clicks_go_through_nodes_that_lie_on_each_other_and_begin_again_with_the_first(hand):
    hand.editor.nodes.move({CLIP_B: (0.0, 0.0), BLEND: (0.0, 0.0)})
    place, seen = (60.0, 13.0), []
    for _ in range(4):
        hand.click(place)
        seen += hand.chosen
    assert set(seen[:3]) == {CLIP_A, CLIP_B, BLEND} and seen[3] == seen[0]


def test_a_drag_tells_what_it_can_do(hand):
    assert "Alt" in hand.press(hand.title(CLIP_A)).hint and MoveItems.scrolls
