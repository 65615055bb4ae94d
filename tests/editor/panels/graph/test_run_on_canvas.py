"""The run and the canvas together: Space, break points, values that are watched, post-process graphs, blend spaces."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from core.blending.blend_space import BlendSpace
from core.graph.graph import Graph
from core.io import load
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.lanes import LaneKind
from editor.model.graph_run.on_canvas import RunOnCanvas
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.why import Questions
from editor.model.opening import sample_path
from tests.editor.stage import stage
from tests.editor.user import RIGHT


@pytest.fixture(scope="module")
def sample():
    return load(sample_path()).project


@pytest.fixture
def here(qapp, sample):
    with stage(qapp, "clips", "graph", "graph_run", project=lambda: sample) as made:
        made.window.use_workspace("graph")
        made.window.show_panel("graph")
        made.user.settle()
        made.canvas = made.session.feature(GraphEditor).canvas
        made.run = made.session.feature(GraphRun)
        graph = next(g for g in sample.all(Graph) if g.name == "moves")
        made.canvas.open(graph.id)
        made.user.settle()
        yield made
        made.run.stop()


def open_machine(here):
    graph = here.canvas.graph
    sheet = next(s for s in graph.sheets if s.transitions)
    here.canvas.enter(sheet.id)
    here.user.settle()
    return sheet


def test_space_over_the_canvas_runs_and_pauses_and_held_it_pans(here):
    user, view = here.user, here.user.find("graphCanvas")
    user.press("Space", target=view)
    assert here.run.running
    user.press("Space")
    assert here.run.on and not here.run.running
    before = here.canvas.view
    middle = view.rect().center()
    with user.holding("Space"):
        user.drag(view, middle, (middle.x() + 60, middle.y() + 30))
        again = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " ", True)
        QApplication.sendEvent(view, again)  # as keyboards do while a key is held
    assert here.canvas.view != before and not here.run.running


def test_the_value_below_an_expression_follows_the_run(here):
    sheet, run = open_machine(here), here.run
    run.start(running=False)
    here.session.feature(GraphEditor).rule_wanted.emit(sheet.transitions[0].id)
    here.user.settle()
    here.user.press("Ctrl+A")
    here.user.type("speed > 1")
    said = here.user.find("graphInPlaceSaid")
    assert said.text() == "= false"
    run.set("speed", 2.0, here.canvas.graph)
    here.user.wait_until(lambda: said.text() == "= true", "the value stands still")
    here.user.press("Esc")


def test_break_point_is_set_by_key_is_seen_and_stops_the_run(here):
    user, run = here.user, here.run
    sheet = open_machine(here)
    state = next(n for n in sheet.nodes if n.name == "crouched")
    here.canvas.select([state.id])
    user.find("graphCanvas").setFocus()
    before = user.picture("graphCanvas")
    user.press("F9")
    assert run.breaks.nodes == {state.id}
    assert (user.picture("graphCanvas") != before).any()
    run.start()
    run.set("crouch", True)
    for _ in range(20):
        run.advance(0.05)
    assert not run.running and run.states == {"moves": "crouched"}
    user.press("F9")
    assert not run.breaks


def brightness(here, key) -> float:
    """How much a straight arrow stands out from the canvas: the upper quarter of its pixels, for it may be dashed."""
    line, view = here.canvas.scene.curves[key], here.user.find("graphCanvas")
    picture = here.user.picture("graphCanvas").astype(int)[..., :3]
    pixels = [
        view.pixel(tuple((line[0] + (line[-1] - line[0]) * u).tolist())) for u in np.linspace(0.1, 0.9, 60)
    ]
    ground = int(picture[2, 2].max())
    return float(np.percentile([picture[p.y(), p.x()].max() - ground for p in pixels], 75))


def test_beside_a_run_only_arrows_that_lead_on_from_where_it_is_stand_out(here):
    user, run, canvas = here.user, here.run, here.canvas
    sheet = open_machine(here)
    canvas.fit()
    user.settle()
    straight = [k for k, line in canvas.scene.curves.items() if len(line) == 2]
    run.start(running=False)
    run.step_once()
    user.settle()
    active = canvas.frame.machines[sheet.id].active
    leading = next(k for k in straight if k[0] == active)
    other = next(k for k in straight if active not in k)
    behind = brightness(here, other)
    assert brightness(here, leading) > 2.0 * behind
    canvas.select([other[0]])  # what is selected is told apart as well
    user.settle()
    assert brightness(here, other) > 2.0 * behind
    canvas.select([])
    run.stop()
    user.settle()
    assert brightness(here, other) > 2.0 * behind


def test_an_arrow_just_taken_stays_lit_for_a_while(here):
    user, run, canvas = here.user, here.run, here.canvas
    sheet = open_machine(here)
    canvas.fit()
    run.start(running=False)
    run.step_once()
    run.set("crouch", True)
    for _ in range(60):
        run.step_once()
        if canvas.frame.machines[sheet.id].running:
            break
    user.picture("graphCanvas")
    while canvas.frame.machines[sheet.id].running:
        run.step_once()
        user.picture("graphCanvas")
    overlay = user.find("graphCanvas").overlay.live
    assert overlay._taken, "the transition is not remembered"
    lit = user.picture("graphCanvas")
    for _ in range(60):
        run.step_once()
    faded = user.picture("graphCanvas")
    assert not overlay._taken and (lit != faded).any()


def test_pin_is_watched_by_its_menu_and_plotted_in_the_run(here):
    user, run, canvas = here.user, here.run, here.canvas
    run.start(running=False)
    valued = set(run.take.plan.pins)
    place = next(
        (s.id, n.id, p.pin.name)
        for s in canvas.graph.sheets
        for n in s.nodes
        for p in _inputs(canvas, s.id, n.id)
        if (n.id, p.pin.name) in valued
    )
    sheet, node, pin = place
    canvas.enter(sheet)
    canvas.bring_into_view([node])
    user.settle()
    view = user.find("graphCanvas")
    user.click(view, view.pixel(canvas.scene.pin_place(node, pin, False)), button=RIGHT)
    user.choose_in_popup("Plot the value or weight of what is selected")
    assert [(w.node, w.pin) for w in run.deck.watched] == [(node, pin)]
    assert any(lane.kind is LaneKind.WATCH and lane.values for lane in run.deck.book.lanes)
    here.session.feature(RunOnCanvas).watch()
    assert not run.deck.watched


def _inputs(canvas, sheet, node):
    canvas.enter(sheet)
    view = canvas.committed.nodes.get(node)
    return () if view is None else [p for p in view.inputs if p.pin.kind == "value"]


def test_weight_of_a_state_is_plotted(here):
    run = here.run
    sheet = open_machine(here)
    run.start(running=False)
    here.canvas.select([next(n.id for n in sheet.nodes if n.name == "on foot")])
    here.window.actions_registry.run("graph.watch")
    lane = next(lane for lane in run.deck.book.lanes if lane.kind is LaneKind.WATCH)
    assert lane.values and lane.values[-1] == pytest.approx(1.0)


def test_why_without_a_title_asks_the_way_out_of_the_state_that_it_is_in(here):
    run, questions = here.run, Questions()
    run.start(running=False)
    for _ in range(6):
        run.step_once()
    take = run.take
    for id, _, title in questions.transitions(take):
        found = questions.why(take, take.at, id)
        if title.startswith("on foot"):
            assert found.title.startswith("on foot") and found.why == "Its rule is false"
        else:
            assert found.why == "The machine is elsewhere" and "on foot" in found.detail


def test_post_process_graph_is_chosen_and_removed_by_actions(here):
    run, actions = here.run, here.window.actions_registry
    posts = [choice.id for choice in run.mode.post_choices]
    assert posts
    run.mode.choose_post(None)
    actions.run("graph.next_post")
    assert run.mode.post.id == posts[0]
    actions.run("graph.no_post")
    assert run.mode.post is None
    here.canvas.open(posts[0])
    actions.run("graph.use_post")
    assert run.mode.post.id == posts[0]


def test_clip_is_added_to_a_blend_space_at_its_measured_speed(here):
    actions = here.window.actions_registry
    actions.run("blend.new_line")
    for name in ("idle", "walk", "run"):
        clip = next(c for c in here.session.document.project.clips if c.name == name)
        here.session.playback.set_clip(clip.id)
        actions.run("blend.add_clip")
    space = here.session.document.project.all(BlendSpace)[-1]
    speeds = [sample.place[0] for sample in space.samples]
    assert speeds[0] == pytest.approx(0.0, abs=0.02) and speeds == sorted(speeds) and speeds[1] > 0.5


def test_node_of_another_graph_that_the_run_points_at_is_shown_there(here):
    run = here.run
    run.start(running=False)
    other = here.session.document.project.get(Graph, run.mode.post_choices[0].id)
    node = next(n for n in other.sheets[0].nodes if n.kind != "output")
    run.node_chosen.emit(node.id)
    assert here.canvas.graph.id == other.id and node.id in here.canvas.state.selection


def test_play_button_runs_and_pauses_what_is_shown(here):
    run, playback = here.run, here.session.playback
    run.start()
    assert run.running and not playback.playing
    playback.toggle()
    assert run.on and not run.running and not playback.playing
    playback.toggle()
    assert run.running and not playback.playing
    run.stop()
    playback.toggle()
    assert playback.playing and not run.on
    playback.pause()
