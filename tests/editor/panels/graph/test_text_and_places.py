"""Clipboard, find and replace, renames, functions, comments, places, errors, keys."""

import json

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel

from core.arrays import same_value
from core.graph.compile import compile_graph
from core.graph.graph import Graph
from core.graph.hashing import plan_hash
from editor.model.graph.canvas import CanvasNotice
from editor.model.graph.live import LiveFrame, LiveMachine, LiveTransition, NothingRuns
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    IDLE,
    MACHINE,
    OUTPUT,
    STATES,
    WALKING,
)
from tests.editor.user import SHIFT


@pytest.fixture
def here(shared_hand):
    return shared_hand


def select(here, *nodes: str) -> None:
    for k, node in enumerate(nodes):
        here.click(here.middle(node), **({"modifiers": SHIFT} if k else {}))


def test_copy_and_paste_go_as_text_with_fresh_ids_and_wires_between(here):
    select(here, CLIP_A, BLEND)
    here.user.press("Ctrl+C")
    text = json.loads(here.session.clipboard.text)
    assert text["posewright"] == "graph nodes" and len(text["nodes"]["nodes"]) == 2
    here.user.move(here.view, here.at(420, 220))
    here.user.press("Ctrl+V")
    new = [n for n in here.sheet.nodes if n.id in here.canvas.state.selection]
    assert {n.kind for n in new} == {"clip", "blend"} and not {n.id for n in new} & {CLIP_A, BLEND}
    blend = next(n for n in new if n.kind == "blend")
    assert here.link(blend.id, "a").source in {n.id for n in new}
    assert blend.literals == {"alpha": "speed"}


def test_cut_joins_the_wires_and_a_machine_brings_its_sheets(here):
    select(here, MACHINE)
    here.user.press("Ctrl+X")
    assert len(here.graph.sheets) == 1
    here.user.press("Ctrl+V")
    machine = here.node_of("machine")
    inner = here.graph.sheet(str(machine.parameters["sheet"]))
    assert [n.name for n in inner.nodes] == ["idle", "walking"] and len(inner.transitions) == 2
    assert len(here.graph.sheets) == 4


def test_missing_variables_are_listed_and_made_too(here):
    select(here, BLEND)
    here.user.press("Ctrl+C")
    graph = here.graph
    from dataclasses import replace

    lacking = replace(graph, variables=())
    here.canvas.commit("Remove variables", lacking)
    piece = here.editor.text.read()
    assert [v.name for v in here.editor.text.missing(piece).variables] == ["speed"]
    here.user.press("Ctrl+V")
    here.user.click("Make them too")
    assert [v.name for v in here.graph.variables] == ["speed"]


def test_damaged_text_is_refused_with_a_reason(here):
    before = here.graph
    here.session.clipboard.text = (
        '{"posewright": "graph nodes", "version": 1, "nodes": {"nodes": [{"id": 3}]}}'
    )
    here.user.press("Ctrl+V")
    assert here.graph is before
    assert "damaged" in here.session.messages.latest.text


def test_renaming_a_variable_follows_everywhere_in_one_step(here):
    before = here.graph
    here.editor.renames.rename_variable("speed", "pace")
    texts = [t.rule for s in here.graph.sheets for t in s.transitions]
    assert texts == ["pace > 0.1", "pace < 0.1"]
    assert next(n for n in here.sheet.nodes if n.id == BLEND).literals["alpha"] == "pace"
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)


def test_renaming_by_f2_and_find_with_replace(here):
    select(here, MACHINE)
    here.user.press("F2")
    here.user.press("Ctrl+A")
    here.user.type("motion")
    here.user.press("Return")
    assert here.node_of("machine").name == "motion" and here.graph.sheet(STATES).name == "motion"
    here.user.press("Ctrl+F")
    here.user.type("speed")
    assert "3 places" in here.user.find("graphFindSaid").text()
    here.user.press("Return")
    assert here.canvas.state.selection
    found = here.user.find("graphFound")
    for key, row in (("Down", 1), ("Down", 2), ("Down", 2), ("Up", 1), ("Up", 0), ("Up", 0)):
        here.user.press(key)
        assert found.currentRow() == row, key
    here.user.type_into("graphReplaceField", "crouch + 0.0", enter=False)
    here.user.click("graphReplace")
    assert "crouch + 0.0 > 0.1" in [t.rule for s in here.graph.sheets for t in s.transitions]
    here.user.press("Esc")


def test_uses_are_whole_names(here):
    assert {f.item for f in here.editor.finding.uses("speed")} >= {BLEND, GO}
    assert here.editor.finding.uses("spee") == []


def test_fold_and_unfold_keep_what_is_played(here):
    project = here.session.document.project
    before = plan_hash(compile_graph(here.graph, project))
    select(here, CLIP_A, CLIP_B, BLEND)
    here.user.press("Ctrl+G")
    node = here.node_of("linked_graph")
    project = here.session.document.project
    linked = project.get(Graph, str(node.parameters["graph"]))
    assert [v.name for v in linked.variables] == ["speed"] and node.literals == {"speed": "speed"}
    assert here.link(OUTPUT, "pose").source == node.id
    assert len(compile_graph(here.graph, project).ops) >= 4
    here.user.press("Ctrl+Shift+G")
    kinds = sorted(n.kind for n in here.sheet.nodes)
    assert kinds == ["blend", "clip", "clip", "machine", "output"]
    after = plan_hash(compile_graph(here.graph, here.session.document.project))
    assert len(after) == len(before)
    for _ in range(2):
        here.user.press("Ctrl+Z")
    assert plan_hash(compile_graph(here.graph, here.session.document.project)) == before


def test_align_distribute_straighten_tidy_and_comment(here):
    tidying = here.editor.tidying
    here.canvas.select([CLIP_A, CLIP_B, OUTPUT])
    tidying.align("left")
    assert here.place(OUTPUT)[0] == 0
    here.user.press("Ctrl+Z")
    here.canvas.select([CLIP_A, CLIP_B, MACHINE])
    tidying.distribute(upright=True)
    rects = sorted((here.scene.rect(n) for n in (CLIP_A, CLIP_B, MACHINE)), key=lambda r: r.y)
    assert rects[1].y - rects[0].bottom == pytest.approx(rects[2].y - rects[1].bottom, abs=1)
    here.canvas.select([BLEND, OUTPUT])
    here.user.press("Q")
    a, b = here.scene.pin_place(BLEND, "out", True), here.scene.pin_place(OUTPUT, "pose", False)
    assert a[1] == b[1]
    here.canvas.select([])
    here.user.press("L")
    assert here.place(OUTPUT)[0] > here.place(BLEND)[0] > here.place(CLIP_A)[0]
    assert here.place(CLIP_A)[1] < here.place(CLIP_B)[1]
    here.canvas.select([CLIP_A, CLIP_B])
    here.user.press("C")
    here.user.press("Ctrl+A")
    here.user.type("clips")
    here.user.press("Return")
    comment = here.canvas.layout.comments[0]
    assert comment.text == "clips" and comment.rect.covers(here.scene.rect(CLIP_A))
    before = here.place(CLIP_A)
    head = here.at(comment.rect.x + 40, comment.rect.y + 10)
    here.canvas.select([])
    here.drag(head, head + QPoint(0, 64))
    assert here.place(CLIP_A)[1] == before[1] + 64


def test_layout_never_reaches_the_plan(here):
    project = here.session.document.project
    before = plan_hash(compile_graph(here.graph, project))
    here.canvas.select([])
    here.editor.tidying.tidy()
    here.editor.tidying.comment((0.0, 0.0))
    assert plan_hash(compile_graph(here.graph, here.session.document.project)) == before


def test_errors_are_listed_jump_there_and_are_fixed_by_a_click(here):
    here.editor.machines.set_rule(GO, "speeed > 0.1")
    here.canvas.select([])
    here.editor.nodes.set_parameter([MACHINE], "sheet", STATES)
    here.editor.wires.connect(here.pin_place(MACHINE, "out", True), here.pin_place(BLEND, "a"))
    here.stage.window.docks["graph"].body.panel._look()
    errors = here.editor.problems.errors
    assert [e.node for e in errors] == [GO] and errors[0].column == 0
    assert here.editor.problems.badges()[MACHINE] is False
    assert "1 error" in here.user.find("graphBand").text()
    here.user.click("graphProblemsToggle")
    assert here.user.find("problem.0").text().startswith("idle → walking › Rule: ")
    here.user.click("problem.0")
    assert here.sheet.id == STATES and here.canvas.state.selection == {GO}
    here.user.click("fix.0.0")
    here.stage.window.docks["graph"].body.panel._look()
    assert here.editor.problems.errors == ()
    here.user.click("graphProblemsToggle") if here.user.visible("graphProblemsToggle") else None


def test_rest_pose_is_connected_by_a_quick_fix(here):
    here.editor.wires.cut_at(here.pin_place(BLEND, "b"))
    here.editor.problems.check()
    problem = next(p for p in here.editor.problems.found if p.pin == "b")
    fix = here.editor.problems.fixes(problem)[0]
    here.editor.problems.fix(fix)
    source = here.link(BLEND, "b").source
    assert next(n for n in here.sheet.nodes if n.id == source).kind == "rest"


def test_keys_walk_along_wires_move_connect_and_add_at_a_pin(here):
    here.canvas.select([OUTPUT])
    here.user.press("Left")
    assert here.canvas.state.active == BLEND
    here.user.press("Left")
    assert here.canvas.state.active == CLIP_A
    here.user.press("Ctrl+Up")
    assert here.place(CLIP_A) == (0, -16)
    here.user.press("Right")
    here.user.press("Alt+Down")
    assert here.canvas.state.pin == here.pin_place(BLEND, "a")
    here.user.press("Alt+Down")
    here.user.press("Tab")
    here.user.type("mirror")
    here.user.press("Return")
    mirror = here.node_of("mirror")
    assert here.link(BLEND, "b").source == mirror.id
    here.canvas.select([MACHINE])
    here.user.press("Ctrl+Shift+Right")
    assert any(x.source == MACHINE for x in here.sheet.links)


class Runs(NothingRuns):
    """A graph that runs as the test says."""

    def __init__(self, frame: LiveFrame) -> None:
        super().__init__()
        self.now = frame

    def frame(self, graph):
        return self.now


def test_live_weights_light_wires_and_dim_what_does_nothing(here):
    still = here.user.picture(here.view)
    running = Runs(LiveFrame(1, {CLIP_A: 1.0, CLIP_B: 0.0, BLEND: 1.0}))
    here.canvas.show_live(running)
    here.user.settle()
    lit = here.user.picture(here.view)
    changed = np.abs(still.astype(int) - lit).sum(axis=2) > 20
    box = here.middle(CLIP_B)
    assert changed[box.y() - 5 : box.y() + 5, box.x() - 20 : box.x() + 40].any()
    a, b = here.scene.pin_place(BLEND, "out", True), here.scene.pin_place(OUTPUT, "pose", False)
    middle = here.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    assert changed[middle.y() - 4 : middle.y() + 4, middle.x() - 4 : middle.x() + 4].any()
    here.canvas.enter(STATES)
    here.user.settle()
    running.now = LiveFrame(2, {}, {STATES: LiveMachine(IDLE, 1.5, (LiveTransition(GO, 0.5),))})
    before = here.user.picture(here.view)
    running.now = LiveFrame(3, {}, {STATES: LiveMachine(WALKING, 0.1, ())})
    running.changed.emit(None)
    here.user.settle()
    assert (before != here.user.picture(here.view)).any()
    here.canvas.show_live(NothingRuns())


def test_what_is_to_be_known_stands_above_the_canvas_with_what_can_be_done(here):
    user, count = here.user, len(here.session.document.project.all(Graph))
    here.canvas.say(CanvasNotice("Nothing drives the character", "Make a graph", "graph.new"))
    user.settle()
    line = user.find("graphNotice")
    assert [label.text() for label in line.findChildren(QLabel)] == ["Nothing drives the character"]
    assert user.find("graphNoticeButton").text() == "Make a graph"
    user.click("graphNoticeButton")
    assert len(here.session.document.project.all(Graph)) == count + 1
    here.canvas.say(None)
    user.settle()
    assert not line.isVisible()
    here.session.undo()
