"""The canvas step by step: which graph and sheets are open, what it tells, the view, where undo goes."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import MissingReferenceError, ValidationError
from core.graph.graph import Graph, Variable
from core.ids import AssetId
from core.project.project import Project
from editor.model.events import Event
from editor.model.graph.canvas import Canvas
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect, View
from editor.model.graph.layout import Comment
from editor.model.graph.live import LiveFrame
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import Boxing, CanvasState, ChoicePlace, Cutting, Moving, PinPlace
from tests.editor.model.graph.many_assets import OTHER_GRAPH, STRANGER, many_session
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALK_SHEET,
    WALKING,
)


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    made = session.feature(GraphEditor)
    made.session = session
    made.canvas.resize((800.0, 600.0))
    yield made
    session.close()


@pytest.fixture
def canvas(editor) -> Canvas:
    return editor.canvas


def told(canvas: Canvas) -> list[str]:
    """What the canvas tells from now on."""
    found: list[str] = []
    for name in ("changed", "moved", "live_changed"):
        getattr(canvas, name).connect(lambda _, name=name: found.append(name))
    return found


def path(canvas: Canvas) -> list[str]:
    return [s.id for s in canvas.path]


# ---------------------------------------------------------------- which graph
def test_only_the_graphs_of_the_character_are_there(canvas, editor):
    assert [g.id for g in canvas.graphs] == [GRAPH, OTHER_GRAPH]
    canvas.open(AssetId("graph-odd"))
    assert canvas.graph.id == GRAPH
    canvas.open(AssetId("clip-walk"))
    assert canvas.graph.id == GRAPH
    canvas.open(OTHER_GRAPH)
    assert canvas.graph.id == OTHER_GRAPH and canvas.state.graph == OTHER_GRAPH
    editor.session.playback.set_clip(None, STRANGER)
    assert [g.id for g in canvas.graphs] == ["graph-odd"] and canvas.graph.id == "graph-odd"


def test_a_canvas_that_is_made_later_shows_what_is_there(editor):
    made = Canvas(editor.document, editor.history, editor.edits, editor.evaluator, editor.messages)
    assert made.state == CanvasState() and made.graph.id == GRAPH and path(made) == [POSES]
    assert made.committed.places == editor.canvas.committed.places and made.scene is made.committed
    assert made.size == (800.0, 600.0) and made.view == View().fitted(made.scene.bounds(), (800.0, 600.0))
    assert made.layout == editor.canvas.layout and made.notice is None and made.frame is None
    made.preview(Moving({CLIP_A: (5.0, 5.0)}))
    assert made.scene.places[CLIP_A] == (5.0, 5.0) and made.messages is editor.messages
    found = told(made)
    made.show_live(Runs())
    assert found == ["live_changed"]


def test_without_a_character_the_graph_that_was_opened_stays(canvas, editor):
    canvas.open(OTHER_GRAPH)
    project = editor.document.project
    kept = {id: a for id, a in project.assets.items() if isinstance(a, Graph)}
    editor.document.replace(Project(kept), None)
    assert canvas.graphs == () and canvas.graph is None
    canvas.open(OTHER_GRAPH)
    assert canvas.graph.id == OTHER_GRAPH and canvas.graphs == ()


def test_a_graph_without_a_pose_sheet_opens_at_its_first_and_one_without_sheets_at_none(canvas, editor):
    graph = editor.canvas.graph
    editor.session.edits.put("machine", replace(graph, sheets=graph.sheets[1:2]))
    assert path(canvas) == [STATES] and not canvas.go_out()
    editor.session.edits.put("bare", replace(graph, sheets=()))
    assert path(canvas) == [] and canvas.sheet is None and canvas.committed is None and canvas.tree() == []
    with pytest.raises(ValidationError, match="There is no graph yet: make one first"):
        canvas.require()


def test_sheets_of_the_path_that_are_gone_are_left_out(canvas, editor):
    canvas.enter(IDLE_SHEET)
    graph = canvas.graph
    editor.session.edits.put(
        "less", replace(graph, sheets=tuple(s for s in graph.sheets if s.id != IDLE_SHEET))
    )
    assert path(canvas) == [POSES, STATES]
    canvas.enter(WALK_SHEET)
    editor.session.edits.put("none", replace(graph, sheets=graph.sheets[:1]))
    assert path(canvas) == [POSES]


def test_sheets_that_hold_each_other_are_entered_all_the_same(canvas, editor):
    graph = canvas.graph
    states = graph.sheet(STATES)
    nodes = tuple(replace(n, parameters={"sheet": STATES}) if n.id == IDLE else n for n in states.nodes)
    root = graph.sheet(POSES)
    rest = tuple(n for n in root.nodes if n.id != MACHINE)
    changed = graph.with_sheet(replace(states, nodes=nodes)).with_sheet(replace(root, nodes=rest))
    canvas.commit("Loop", changed)
    canvas.enter(WALK_SHEET)
    assert path(canvas) == [STATES, WALK_SHEET]
    assert canvas.go_out() and canvas.state.selection == {WALKING}


def test_a_sheet_that_two_nodes_open_stands_in_the_tree_once(canvas, editor):
    editor.nodes.add(NewNode("machine", {"sheet": STATES}), (0.0, 600.0))
    assert [(s.id, depth) for s, depth in canvas.tree()] == [
        (POSES, 0), (STATES, 1), (IDLE_SHEET, 2), (WALK_SHEET, 2),
    ]  # fmt: skip
    sheet = editor.machines.custom_blend([GO])
    assert canvas.tree()[-1][0].id == sheet and canvas.tree()[-1][1] == 0


def test_going_out_of_a_sheet_that_nothing_holds_selects_nothing(canvas):
    canvas.set_state(path=(POSES, IDLE_SHEET))
    canvas.commit("Cut", canvas.graph.with_sheet(replace(canvas.graph.sheet(STATES), nodes=())))
    assert path(canvas) == [POSES, IDLE_SHEET]
    canvas.select(["n-00000040"])
    assert canvas.go_out() and path(canvas) == [POSES] and canvas.state.selection == frozenset()


def test_what_is_nowhere_cannot_be_shown(canvas):
    with pytest.raises(MissingReferenceError):
        canvas.show("n-gone")


# ---------------------------------------------------------------- state
def test_a_new_document_forgets_what_was_seen_and_chosen(canvas, editor):
    canvas.enter(STATES)
    canvas.view = View(1.0, 2.0, 0.5)
    canvas.select([IDLE])
    canvas.set_state(hovered=IDLE)
    project = editor.document.project
    editor.document.replace(Project(dict(project.assets)), None)
    assert canvas.state == CanvasState()
    canvas.enter(STATES)
    assert canvas.view == View().fitted(canvas.scene.bounds(), canvas.size)


@pytest.mark.parametrize("preview", [Boxing((0.0, 0.0), (1.0, 1.0)), Cutting(((0.0, 0.0),)), None])
def test_a_gesture_that_moves_nothing_shows_the_scene_as_it_is(canvas, preview):
    canvas.preview(preview)
    assert canvas.scene is canvas.committed and canvas.state.preview == preview


def test_another_place_in_hand_makes_another_scene_and_an_edit_too(canvas, editor):
    canvas.preview(Moving({CLIP_A: (1.0, 1.0)}))
    first = canvas.scene
    canvas.preview(Moving({CLIP_A: (2.0, 2.0)}))
    assert canvas.scene.places[CLIP_A] == (2.0, 2.0) and canvas.scene is not first
    editor.nodes.move({BLEND: (9.0, 9.0)})
    assert canvas.scene.places[CLIP_A] == (2.0, 2.0) and canvas.scene.places[BLEND] == (9.0, 9.0)


def test_selecting_tells_only_that_it_moved_and_entering_tells_both_once(canvas):
    found = told(canvas)
    canvas.select([CLIP_A])
    canvas.select([CLIP_A])
    assert found == ["moved"]
    canvas.enter(STATES)
    assert found == ["moved", "changed", "moved"]
    canvas.view = View(1.0, 2.0, 0.5)
    canvas.resize((100.0, 100.0))
    assert found[3:] == ["moved", "moved"]


def test_an_edit_tells_that_the_scene_changed_and_moved(canvas, editor):
    canvas.set_state(hovered=CLIP_A, hovered_pin=PinPlace(CLIP_A, "rate"), choice=ChoicePlace(CLIP_A, "clip"))
    found = told(canvas)
    editor.nodes.move({CLIP_A: (1.0, 1.0)})
    assert [name for name in found if name != "live_changed"] == ["changed", "moved"]
    assert (canvas.state.hovered, canvas.state.hovered_pin) == ("", None)
    assert canvas.state.choice == ChoicePlace(CLIP_A, "clip")


def test_comments_stay_selected_and_active_through_an_edit(canvas, editor):
    layout = canvas.layout.with_comment(Comment("c-1", POSES, "", Rect(0.0, 0.0, 1.0, 1.0)))
    canvas.commit("Note", canvas.graph, layout)
    canvas.select(["c-1"])
    editor.nodes.move({CLIP_A: (1.0, 1.0)})
    assert canvas.state.selection == {"c-1"} and canvas.state.active == "c-1"
    canvas.select([GO, "n-gone", "x"])
    editor.nodes.move({CLIP_A: (2.0, 1.0)})
    assert canvas.state.selection == frozenset() and canvas.state.active == ""


class Runs:
    """A graph that runs."""

    breaks: frozenset[str] = frozenset()

    def __init__(self, **more) -> None:
        self.changed: Event[None] = Event()
        self.more = more

    def frame(self, graph: AssetId) -> LiveFrame | None:
        return LiveFrame(1, **self.more) if graph == GRAPH else None

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        return f"{graph} {text} {machine}"


def test_what_runs_is_told_once_when_it_is_shown_and_once_for_each_picture(canvas):
    found, runs = told(canvas), Runs()
    canvas.show_live(runs)
    assert found == ["live_changed"] and canvas.frame.step == 1
    runs.changed.emit(None)
    assert found == ["live_changed", "live_changed"]
    canvas.open(OTHER_GRAPH)
    assert canvas.frame is None


# ---------------------------------------------------------------- the view
def test_what_just_fits_is_centred_and_what_does_not_is_fitted(canvas):
    box = canvas.scene.rect(CLIP_A)
    for zoom, size, fits in (
        (1.0, (box.w, box.h), True), (1.0, (box.w - 0.1, box.h), False), (1.0, (box.w, box.h - 0.1), False),
        (2.0, (2 * box.w, 2 * box.h), True), (2.0, (2 * box.w - 1.0, 900.0), False),
    ):  # fmt: skip
        canvas.resize(size)
        canvas.view = View(5000.0, 5000.0, zoom)
        assert canvas.bring_into_view([CLIP_A])
        wanted = View(0.0, 0.0, zoom)
        assert canvas.view == (wanted.centred(box.centre, size) if fits else wanted.fitted(box, size))


def test_what_is_seen_to_its_edge_stays_where_it_is(canvas):
    box = canvas.scene.rect(CLIP_A)
    canvas.resize((box.w, box.h))
    canvas.view = View(box.x, box.y, 1.0)
    assert not canvas.bring_into_view([CLIP_A])
    canvas.view = View(box.x + 0.5, box.y, 1.0)
    assert canvas.bring_into_view([CLIP_A]) and canvas.view == View(box.x, box.y, 1.0)


def test_several_items_are_fitted_together_and_what_is_not_there_is_passed_over(canvas):
    canvas.fit([CLIP_A, "n-gone", OUTPUT])
    box = canvas.scene.rect(CLIP_A).joined(canvas.scene.rect(OUTPUT))
    assert canvas.view == View().fitted(box, canvas.size)


def test_items_in_hand_are_fitted_where_they_are_shown(canvas):
    canvas.preview(Moving({CLIP_A: (9000.0, 0.0)}))
    canvas.fit([CLIP_A])
    assert canvas.view.seen(canvas.size).holds((9000.0, 0.0))


# ---------------------------------------------------------------- undo goes there
def test_undo_of_an_edit_elsewhere_in_the_project_goes_nowhere(canvas, editor):
    canvas.view = View(9000.0, 9000.0, 1.0)
    editor.session.edits.put("x", replace(editor.document.project.get(Graph, OTHER_GRAPH), name="renamed"))
    editor.session.undo()
    assert canvas.view == View(9000.0, 9000.0, 1.0) and path(canvas) == [POSES]


def test_undo_that_changes_no_sheet_goes_nowhere(canvas, editor):
    canvas.enter(STATES)
    canvas.commit("Variable", replace(canvas.graph, variables=(*canvas.graph.variables, Variable("lean"))))
    editor.session.undo()
    assert path(canvas) == [POSES, STATES]


def test_undo_on_the_open_sheet_keeps_the_selection_and_brings_what_changed_into_view(canvas, editor):
    editor.nodes.set_literal(CLIP_B, "rate", "2")
    canvas.select([CLIP_A])
    canvas.view = View(9000.0, 9000.0, 1.0)
    editor.session.undo()
    assert canvas.state.selection == {CLIP_A}
    assert canvas.view.seen(canvas.size).covers(canvas.scene.rect(CLIP_B))


def test_undo_of_a_new_graph_goes_nowhere(canvas, editor):
    made = editor.nodes.new_graph("fresh", canvas.graph.rig)
    editor.session.edits.put("New", made)
    canvas.open(made.id)
    editor.session.undo()
    assert canvas.graph.id == GRAPH
    editor.session.redo()
    assert canvas.graph.id == made.id
