"""What a gesture drags is drawn where it is dragged to; and the first sheet on which two versions of a graph differ."""

from dataclasses import replace

import pytest

from core.graph.edits import with_literal, with_transition
from core.graph.graph import Graph, Link
from editor.model.graph.geometry import Rect
from editor.model.graph.in_hand import differing, in_hand
from editor.model.graph.layout import Comment, Layout, read_layout, with_layout
from editor.model.graph.scene import Scene
from editor.model.graph.state import Moving, PinPlace
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    small_graph,
)

NOTE, FRAME = (
    Comment("c-1", POSES, "note", Rect(1.0, 2.0, 30.0, 40.0), 2),
    Comment("c-2", POSES, "frame", Rect(5.0, 6.0, 70.0, 80.0)),
)


@pytest.fixture
def scene(editor) -> Scene:
    """The first sheet with two comments, and two knots in the wire to the Output."""
    layout = replace(editor.canvas.layout, comments=(NOTE, FRAME))
    layout = layout.with_knots(OUTPUT, "pose", [(450.0, 90.0), (470.0, 95.0)])
    editor.canvas.commit("Notes", editor.canvas.graph, layout)
    return editor.canvas.committed


# ---------------------------------------------------------------- in hand
def test_nothing_in_hand_is_the_scene_itself(scene):
    assert in_hand(scene, None, None, None, None) is scene


def test_nodes_and_comments_are_moved_and_what_is_not_there_is_passed_over(scene):
    places = {CLIP_A: (7.0, 8.0), "c-2": (9.0, 10.0), "n-gone": (1.0, 1.0)}
    shown = in_hand(scene, Moving(places), None, None, None)
    assert shown.places == {**scene.places, CLIP_A: (7.0, 8.0)}
    assert shown.comments == (NOTE, replace(FRAME, rect=Rect(9.0, 10.0, 70.0, 80.0)))
    assert shown.nodes is scene.nodes and shown.wires == scene.wires


def test_a_literal_that_is_scrubbed_is_shown_as_typed_in_its_pin_alone(scene):
    shown = in_hand(scene, None, None, None, (PinPlace(CLIP_A, "rate"), "2.5"))
    pins = {p.name: (p.literal, p.typed) for p in shown.nodes[CLIP_A].inputs}
    assert pins == {"rate": ("2.5", True), "start": ("0", False), "clip_name": ("", False)}
    assert all(shown.nodes[id] is view for id, view in scene.nodes.items() if id != CLIP_A)
    assert in_hand(scene, None, None, None, (PinPlace("n-gone", "rate"), "2.5")) is scene


def test_a_comment_is_shown_with_its_new_size(scene):
    larger = replace(FRAME, rect=Rect(5.0, 6.0, 700.0, 800.0))
    assert in_hand(scene, None, None, larger, None).comments == (NOTE, larger)


def test_a_knot_is_shown_where_it_is_dragged(scene):
    for number, knots in (
        (0, ((1.0, 2.0), (470.0, 95.0))),
        (1, ((450.0, 90.0), (1.0, 2.0))),
        (2, ((450.0, 90.0), (470.0, 95.0), (1.0, 2.0))),
    ):
        shown = in_hand(scene, None, ((OUTPUT, "pose"), number, (1.0, 2.0)), None, None)
        assert {w.link.pin: w.knots for w in shown.wires} == {"a": (), "b": (), "pose": knots}
    for gone in ((OUTPUT, "a"), (BLEND, "pose")):
        assert in_hand(scene, None, (gone, 0, (1.0, 2.0)), None, None).wires == scene.wires


def test_the_canvas_shows_each_gesture(editor, scene):
    canvas = editor.canvas
    canvas.set_state(knot=((OUTPUT, "pose"), 0, (3.0, 4.0)))
    assert next(w for w in canvas.scene.wires if w.link.pin == "pose").knots[0] == (3.0, 4.0)
    canvas.set_state(knot=None, sizing=replace(NOTE, text="larger"))
    assert canvas.scene.comments[0].text == "larger"
    canvas.set_state(sizing=None, scrubbed=(PinPlace(CLIP_A, "rate"), "9"))
    assert canvas.scene.nodes[CLIP_A].pin("rate").literal == "9"
    canvas.set_state(scrubbed=(PinPlace(CLIP_A, "rate"), "8"))
    assert canvas.scene.nodes[CLIP_A].pin("rate").literal == "8"
    canvas.set_state(scrubbed=None)
    assert canvas.scene is canvas.committed is scene


# ---------------------------------------------------------------- what differs
def moved(graph: Graph, **places: tuple[float, float]) -> Graph:
    return with_layout(graph, read_layout(graph).moved(places))


def test_two_equal_versions_do_not_differ():
    assert differing(small_graph(), small_graph()) == (None, [])


def test_nodes_wires_and_transitions_that_differ_are_told_with_their_sheet():
    before = small_graph()
    assert differing(before, with_literal(before, BLEND, "alpha", "1")) == (POSES, [BLEND])
    poses, states = before.sheet(POSES), before.sheet(STATES)
    more = before.with_sheet(replace(poses, nodes=poses.nodes[1:]))
    assert differing(more, before) == (POSES, [CLIP_A])
    assert differing(before, more) == (POSES, [])  # what is gone cannot be shown
    cut = before.with_sheet(replace(poses, links=poses.links[1:]))
    assert differing(before, cut) == differing(cut, before) == (POSES, [BLEND])
    laid = before.with_sheet(replace(poses, links=(*poses.links[:2], Link(MACHINE, OUTPUT, "pose"))))
    assert differing(before, laid) == (POSES, [OUTPUT, OUTPUT])
    ruled = with_transition(before, replace(states.transitions[1], rule="crouch"))
    assert differing(before, ruled) == (STATES, [BACK])
    led = with_transition(before, replace(states.transitions[0], target=IDLE))
    assert differing(before, led) == (STATES, [GO])


def test_the_first_sheet_that_differs_is_told_and_a_new_one_is_passed_over():
    before = small_graph()
    after = with_literal(before, "n-00000040", "rate", "2")  # of the sheet of a state
    assert differing(before, after) == (IDLE_SHEET, ["n-00000040"])
    both = with_literal(after, CLIP_B, "rate", "2")
    assert differing(before, both) == (POSES, [CLIP_B])
    less = replace(before, sheets=before.sheets[1:])
    assert differing(less, both) == (IDLE_SHEET, ["n-00000040"])


def test_places_that_differ_are_told_on_the_first_sheet_that_has_some():
    before = small_graph()
    assert differing(before, moved(before, **{WALKING: (1.0, 1.0)})) == (STATES, [WALKING])
    assert differing(before, moved(before, **{WALKING: (1.0, 1.0), CLIP_B: (2.0, 2.0)})) == (POSES, [CLIP_B])
    placeless = with_layout(before, read_layout(before).without([IDLE]))
    assert differing(before, placeless) == differing(placeless, before) == (STATES, [IDLE])
    stranger = moved(before, **{"n-gone": (1.0, 1.0)})
    assert differing(before, stranger) == (None, [])


def test_comments_that_differ_are_told_last():
    before = small_graph()
    noted = with_layout(before, replace(read_layout(before), comments=(NOTE, FRAME)))
    assert differing(before, noted) == (POSES, ["c-1"])
    changed = with_layout(noted, read_layout(noted).with_comment(replace(FRAME, sheet=STATES, text="new")))
    assert differing(noted, changed) == (STATES, ["c-2"])
    both = moved(changed, **{CLIP_A: (3.0, 3.0)})
    assert differing(noted, both) == (POSES, [CLIP_A])
    assert differing(noted, before) == (None, [])
    assert Layout(comments=(NOTE, FRAME)).of_sheet(POSES) == (NOTE, FRAME)
