"""State of the canvas: what is open, the way out, the tree of sheets, the view, the selection, undo that goes there."""

from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.project.project import Project
from editor.model.events import Event
from editor.model.graph.canvas import CanvasNotice
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect, View
from editor.model.graph.layout import Comment, Layout
from editor.model.graph.state import Moving, PinPlace
from tests.editor.panels.graph.graphs import (
    BACK,
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
    graph_session,
)  # fmt: skip


@pytest.fixture
def canvas():
    session = graph_session()
    made = session.feature(GraphEditor).canvas
    made.session, made.editor = session, session.feature(GraphEditor)
    made.told = []
    made.changed.connect(lambda _: made.told.append("changed"))
    made.moved.connect(lambda _: made.told.append("moved"))
    yield made
    session.close()


def path(canvas):
    return [s.id for s in canvas.path]


def comment(canvas, *rect, sheet=POSES):
    layout = canvas.layout.with_comment(Comment("c-1", sheet, "words", Rect(*rect)))
    canvas.commit("Comment", canvas.graph, layout)


# ---------------------------------------------------------------- what is open
def test_sheets_are_entered_and_left_and_the_way_out_selects_what_was_entered(canvas):
    assert path(canvas) == [POSES] and canvas.sheet.id == POSES and not canvas.is_machine
    canvas.select([CLIP_A])
    canvas.told.clear()
    canvas.enter(IDLE_SHEET)
    assert path(canvas) == [POSES, STATES, IDLE_SHEET] and canvas.told == ["changed", "moved"]
    assert canvas.state.selection == frozenset() and canvas.state.active == "" and canvas.state.pin is None
    assert (
        canvas.go_out()
        and path(canvas) == [POSES, STATES]
        and canvas.state.selection == {IDLE}
        and canvas.is_machine
    )
    assert canvas.go_out() and path(canvas) == [POSES] and canvas.state.selection == {MACHINE}
    assert not canvas.go_out() and path(canvas) == [POSES]
    canvas.told.clear()
    canvas.enter("n-gone")
    canvas.enter(POSES)
    assert path(canvas) == [POSES]
    canvas.open(GRAPH, STATES)
    assert path(canvas) == [POSES, STATES]
    canvas.select([IDLE])
    canvas.open(GRAPH)
    assert path(canvas) == [POSES, STATES] and canvas.state.selection == {IDLE}  # it is open already


def test_another_graph_is_opened_at_its_own_sheet(canvas):
    canvas.enter(STATES)
    other = canvas.editor.nodes.new_graph("other", canvas.graph.rig)
    canvas.session.edits.put("other", other)
    assert [g.id for g in canvas.graphs] == [GRAPH, other.id]
    canvas.select([IDLE])
    canvas.open(other.id)
    assert (
        canvas.graph.id == other.id
        and path(canvas) == [other.root.id]
        and canvas.state.selection == frozenset()
    )
    canvas.open(AssetId("graph-gone"))
    assert canvas.graph.id == GRAPH and path(canvas) == [POSES]  # the first there is


def test_an_item_is_shown_on_its_sheet_and_a_sheet_by_itself(canvas):
    canvas.resize((800.0, 600.0))
    for item, sheet in ((WALKING, STATES), (GO, STATES), (CLIP_A, POSES)):
        canvas.show(item)
        assert path(canvas)[-1] == sheet and canvas.state.selection == {item} and canvas.state.active == item
        box = canvas.scene.item_rect(item)
        assert canvas.view.seen(canvas.size).covers(box)
    canvas.show(WALK_SHEET)
    assert path(canvas) == [POSES, STATES, WALK_SHEET] and canvas.state.selection == frozenset()
    comment(canvas, 0.0, 0.0, 50.0, 50.0, sheet=STATES)
    canvas.show("c-1")
    assert path(canvas)[-1] == STATES and canvas.state.selection == {"c-1"}


def test_the_tree_lists_every_sheet_below_the_one_that_holds_it(canvas):
    assert [(s.id, depth) for s, depth in canvas.tree()] == [
        (POSES, 0), (STATES, 1), (IDLE_SHEET, 2), (WALK_SHEET, 2),
    ]  # fmt: skip
    canvas.editor.add_update_sheet()
    assert [(s.name, depth) for s, depth in canvas.tree()][-1] == ("update", 0)
    assert canvas.sheet.name == "update" and canvas.session.history.labels[-1] == "New update sheet"


def test_without_a_graph_all_is_empty(canvas):
    canvas.enter(STATES)
    canvas.session.document.replace(Project({}), None)
    assert canvas.graph is None and canvas.sheet is None and canvas.path == () and canvas.tree() == []
    assert (
        canvas.layout == Layout()
        and canvas.committed is None
        and canvas.scene is None
        and canvas.frame is None
    )
    assert (
        canvas.view == View()
        and canvas.selected_nodes == ()
        and not canvas.is_machine
        and not canvas.go_out()
    )
    assert canvas.state.path == () and canvas.state.graph is None
    canvas.view = View(1.0, 2.0, 0.5)
    canvas.show(CLIP_A)
    canvas.select_all()
    canvas.fit()
    assert (
        canvas.view == View()
        and not canvas.bring_into_view([CLIP_A])
        and canvas.state.selection == frozenset()
    )
    with pytest.raises(ValidationError, match="no graph yet"):
        canvas.require()


# ---------------------------------------------------------------- state and scene
def test_equal_states_tell_nobody_and_a_pin_puts_a_choice_away(canvas):
    canvas.set_state(choice="field", hovered="x")
    canvas.told.clear()
    canvas.set_state(hovered="x")
    assert canvas.told == []
    canvas.set_state(hovered="y")
    assert canvas.told == ["moved"] and canvas.state.choice == "field"
    canvas.set_state(pin=PinPlace(BLEND, "a"))
    assert canvas.state.choice is None
    canvas.set_state(pin=None, choice="field")
    assert canvas.state.choice == "field"


def test_the_scene_shows_the_gesture_in_hand_and_is_made_once(canvas):
    scene = canvas.scene
    assert scene is canvas.committed is canvas.scene
    canvas.preview(Moving({CLIP_A: (7.0, 8.0)}))
    shown = canvas.scene
    assert shown is not scene and shown.places[CLIP_A] == (7.0, 8.0) and canvas.committed is scene
    assert canvas.scene is shown
    canvas.preview(None)
    assert canvas.scene is scene
    canvas.editor.nodes.move({CLIP_A: (1.0, 1.0)})
    assert canvas.committed is not scene and canvas.committed.places[CLIP_A] == (1.0, 1.0)


def test_a_notice_is_told_once(canvas):
    told = []
    canvas.notice_changed.connect(lambda _: told.append(canvas.notice))
    notice = CanvasNotice("text", "Do", "graph.new")
    for value in (notice, CanvasNotice("text", "Do", "graph.new"), None, None):
        canvas.say(value)
    assert told == [notice, None]


def test_of_what_runs_the_newest_is_listened_to(canvas):
    told = []
    canvas.live_changed.connect(lambda _: told.append(1))
    first, second = (SimpleNamespace(changed=Event(), frame=lambda id, n=n: (id, n)) for n in (1, 2))
    canvas.show_live(first)
    first.changed.emit(None)
    assert told == [1, 1] and canvas.frame == (GRAPH, 1)
    canvas.show_live(second)
    first.changed.emit(None)
    assert told == [1, 1, 1] and canvas.frame == (GRAPH, 2)


# ---------------------------------------------------------------- the view
def test_each_sheet_keeps_its_view_and_one_never_looked_at_is_fitted(canvas):
    canvas.resize((800.0, 600.0))
    box = canvas.committed.bounds()
    assert canvas.view == View().fitted(box, (800.0, 600.0))
    canvas.resize((400.0, 300.0))
    assert canvas.view == View().fitted(box, (400.0, 300.0))
    canvas.told.clear()
    canvas.resize((400.0, 300.0))
    assert canvas.told == []
    canvas.settle_view()
    kept = canvas.view
    canvas.resize((800.0, 600.0))
    assert canvas.view == kept
    canvas.view = View(5.0, 6.0, 0.5)
    canvas.enter(STATES)
    canvas.view = View(1.0, 1.0, 1.5)
    canvas.told.clear()
    canvas.view = View(1.0, 1.0, 1.5)
    assert canvas.told == []
    canvas.go_out()
    assert canvas.view == View(5.0, 6.0, 0.5)


def test_items_are_fitted_or_brought_into_view(canvas):
    canvas.resize((800.0, 600.0))
    canvas.view = View(0.0, 0.0, 1.0)
    canvas.fit([CLIP_A])
    assert canvas.view == View(0.0, 0.0, 1.0).fitted(canvas.scene.rect(CLIP_A), canvas.size)
    canvas.fit()
    assert canvas.view == View(0.0, 0.0, 1.0).fitted(canvas.scene.bounds(), canvas.size)
    everything = canvas.view
    canvas.fit(["n-gone"])
    assert canvas.view == everything
    canvas.select([BLEND])
    canvas.fit_selection()
    assert canvas.view == everything.fitted(canvas.scene.rect(BLEND), canvas.size)
    canvas.select([])
    canvas.fit_selection()
    assert canvas.view == everything
    canvas.view = View(5000.0, 5000.0, 1.0)
    assert canvas.bring_into_view([BLEND]) and canvas.view == View(0, 0, 1.0).centred(
        (344.0, 88.0), canvas.size
    )
    assert not canvas.bring_into_view([BLEND]) and not canvas.bring_into_view(["n-gone"])
    canvas.view = View(5000.0, 5000.0, 2.0)
    assert canvas.bring_into_view([CLIP_A, OUTPUT])  # too wide at this zoom
    assert canvas.view == View(0, 0, 2.0).fitted(Rect(0.0, 0.0, 688.0, 112.0), canvas.size)


# ---------------------------------------------------------------- selection
def test_items_are_selected_added_and_removed_and_the_last_one_is_active(canvas):
    for items, more, chosen, active in (
        ([CLIP_A, BLEND], {}, {CLIP_A, BLEND}, BLEND), ([CLIP_B], {"add": True}, {CLIP_A, BLEND, CLIP_B}, CLIP_B),
        ([CLIP_A], {"remove": True}, {BLEND, CLIP_B}, CLIP_B), ([CLIP_B], {"remove": True}, {BLEND}, ""),
        ([], {"add": True}, {BLEND}, ""), ([], {}, set(), ""),
    ):  # fmt: skip
        canvas.set_state(pin=PinPlace(BLEND, "a"))
        canvas.select(items, **more)
        assert canvas.state.selection == chosen and canvas.state.active == active and canvas.state.pin is None


def test_everything_is_selected_with_comments_and_transitions(canvas):
    comment(canvas, 0.0, 0.0, 50.0, 50.0)
    canvas.select_all()
    assert canvas.state.selection == {CLIP_A, CLIP_B, BLEND, OUTPUT, MACHINE, "c-1"}
    assert canvas.selected_nodes == (CLIP_A, CLIP_B, BLEND, OUTPUT, MACHINE)
    canvas.enter(STATES)
    canvas.select_all()
    assert canvas.state.selection == {IDLE, WALKING, GO, BACK} and canvas.selected_nodes == (IDLE, WALKING)


def test_what_is_gone_is_no_longer_selected_and_wires_stay(canvas):
    wire = "w:some"
    canvas.set_state(
        selection=frozenset((CLIP_A, BLEND, wire, "k:x#0")),
        active=CLIP_A,
        hovered=BLEND,
        pin=PinPlace(CLIP_A, "rate"),
    )
    canvas.editor.nodes.delete([CLIP_A])
    assert canvas.state.selection == {BLEND, wire, "k:x#0"} and canvas.state.active == ""
    assert canvas.state.hovered == "" and canvas.state.hovered_pin is None and canvas.state.pin is None
    canvas.set_state(active=BLEND, pin=PinPlace(BLEND, "a"))
    canvas.editor.nodes.delete([CLIP_B])
    assert canvas.state.active == BLEND and canvas.state.pin == PinPlace(BLEND, "a")
    canvas.enter(STATES)
    canvas.select([GO, BACK])
    canvas.editor.nodes.delete([GO])
    assert canvas.state.selection == {BACK}


def test_undo_goes_to_what_it_changes(canvas):
    canvas.resize((800.0, 600.0))
    canvas.enter(STATES)
    canvas.editor.machines.set_rule(GO, "crouch")
    canvas.view = View(9000.0, 9000.0, 1.0)
    canvas.enter(POSES)
    canvas.session.undo()
    assert path(canvas) == [POSES, STATES] and canvas.view.seen(canvas.size).covers(
        canvas.scene.item_rect(GO)
    )
    canvas.enter(POSES)
    canvas.session.redo()
    assert path(canvas) == [POSES, STATES]
    canvas.enter(POSES)
    canvas.editor.machines.set_rule(GO, "not crouch")  # doing goes nowhere
    assert path(canvas) == [POSES]
    canvas.session.selection.select([])
    clip = canvas.session.clip
    canvas.session.edits.put("clip", clip.with_tracks(dict.fromkeys(list(clip.tracks)[:1])))
    canvas.session.undo()
    assert path(canvas) == [POSES]
