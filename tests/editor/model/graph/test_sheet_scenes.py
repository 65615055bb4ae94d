"""A sheet as a scene: places of nodes that have none, tokens and knots of wires, arrows with their ranks, comments."""

from dataclasses import replace

import pytest

from core.graph.graph import Graph, Link, Node, Sheet, SheetKind, Transition
from core.ids import AssetId
from editor.model.graph.arrange import arranged
from editor.model.graph.builder import SceneBuilder
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment, Layout
from editor.model.graph.live import LiveFrame, LiveMachine, LiveTransition, NothingRuns
from editor.model.graph.scene import Scene
from tests.editor.model.graph.many_assets import many_project
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    id_of,
)

PROJECT = many_project()
BASE = PROJECT.get(Graph, GRAPH)


def scene(sheet: Sheet | None = None, layout: Layout | None = None) -> Scene:
    sheet = sheet or BASE.sheet(POSES)
    return SceneBuilder().scene(BASE.with_sheet(sheet), PROJECT, sheet, layout or Layout())


# ---------------------------------------------------------------- places
def test_nodes_that_all_have_a_place_stand_there():
    places = {n.id: (k * 3.0, k * 7.0) for k, n in enumerate(BASE.sheet(POSES).nodes)}
    assert scene(layout=Layout({**places, "n-gone": (0.0, 0.0)})).places == places


def test_without_any_place_all_are_arranged():
    made = scene()
    assert made.places == arranged(made.sheet, {id: (v.w, v.h) for id, v in made.nodes.items()})


def test_strangers_stand_below_those_with_a_place_in_line_with_the_leftmost():
    known = {CLIP_A: (100.0, 500.0), OUTPUT: (-30.0, 40.0), MACHINE: (0.0, 0.0)}
    made = scene(layout=Layout(known))
    assert {id: made.places[id] for id in known} == known
    strangers = {id: made.places[id] for id in (CLIP_B, BLEND)}
    lowest = 500.0 + made.nodes[CLIP_A].h
    assert min(x for x, _ in strangers.values()) == -30.0
    assert min(y for _, y in strangers.values()) == lowest + 64.0
    usual = scene().places
    assert [strangers[BLEND][k] - strangers[CLIP_B][k] for k in (0, 1)] == [
        usual[BLEND][k] - usual[CLIP_B][k] for k in (0, 1)
    ]


# ---------------------------------------------------------------- wires
def test_wires_have_the_token_of_their_begin_and_their_knots():
    sheet = BASE.sheet(POSES)
    get = Node(id_of(700), "get", {"variable": "speed"})
    links = (
        *sheet.links,
        Link(get.id, BLEND, "alpha"),
        Link(CLIP_A, MACHINE, "x", "gone"),
        Link("n-gone", BLEND, "a"),
    )
    made = scene(
        replace(sheet, nodes=(*sheet.nodes, get), links=links),
        Layout(knots={(BLEND, "alpha"): ((1.0, 2.0),), (BLEND, "x"): ((3.0, 4.0),)}),
    )
    assert [(w.link.source, w.link.pin, w.token, w.knots) for w in made.wires] == [
        (CLIP_A, "a", "pose", ()), (CLIP_B, "b", "pose", ()), (BLEND, "pose", "pose", ()),
        (get.id, "alpha", "float", ((1.0, 2.0),)), (CLIP_A, "x", "any", ()),
    ]  # fmt: skip
    gone = replace(sheet, links=(Link(BLEND, "n-gone", "pose"), *sheet.links))
    assert len(scene(gone).wires) == 3


def test_comments_are_those_of_the_sheet():
    notes = tuple(
        Comment(f"c-{k}", s, "", Rect(0.0, 0.0, 1.0, 1.0)) for k, s in enumerate((POSES, STATES, POSES))
    )
    assert [c.id for c in scene(layout=Layout(comments=notes)).comments] == ["c-0", "c-2"]


# ---------------------------------------------------------------- arrows
def test_transitions_from_one_state_to_another_are_one_arrow_in_the_order_of_their_priority():
    sheet = BASE.sheet(STATES)
    ways = (
        Transition(id_of(710), IDLE, WALKING, priority=2),
        Transition(id_of(711), IDLE, IDLE, priority=1),
        Transition(id_of(712), IDLE, WALKING, priority=0),
        Transition(id_of(713), WALKING, IDLE, priority=5),
        Transition(id_of(714), IDLE, "n-gone", priority=1),
    )
    made = scene(replace(sheet, transitions=ways))
    assert [(a.source, a.target, [t.id for t in a.transitions], a.ranks, a.both_ways) for a in made.arrows] == [
        (IDLE, WALKING, [id_of(712), id_of(710)], (1, 4), True), (IDLE, IDLE, [id_of(711)], (2,), True),
        (WALKING, IDLE, [id_of(713)], (1,), True),
    ]  # fmt: skip
    one_way = scene(replace(sheet, transitions=ways[:1])).arrows
    assert [(a.ranks, a.both_ways) for a in one_way] == [((1,), False)]


def test_the_arrows_of_the_small_machine():
    made = scene(BASE.sheet(STATES))
    assert [[t.id for t in a.transitions] for a in made.arrows] == [[GO], [BACK]]
    assert made.machine and not scene().machine and scene().arrows == ()
    assert made.sheet.kind is SheetKind.MACHINE


# ---------------------------------------------------------------- what runs
def test_a_picture_of_what_runs_has_nothing_to_begin_with():
    frame = LiveFrame(3)
    assert (frame.weights, frame.machines, frame.values, frame.flashes, frame.valued) == (
        {},
        {},
        {},
        {},
        None,
    )
    assert LiveMachine() == LiveMachine("", 0.0, ()) and LiveTransition("t", 0.5).progress == 0.5
    assert NothingRuns().breaks == frozenset() and NothingRuns().value(AssetId("g"), "1", "m") == ""


@pytest.mark.parametrize("kind", ["state", "machine"])
def test_a_sheet_parameter_of_no_sheet_is_no_fault(kind):
    sheet = Sheet(id_of(720), "x", SheetKind.POSE, (Node(id_of(721), kind, {"sheet": None}),))
    assert scene(sheet).nodes[id_of(721)].opens == ""
