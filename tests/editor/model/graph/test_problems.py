"""What is wrong with the open graph: when it is looked at again, whose fault it is, marks, and going there."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.errors import MissingReferenceError
from core.graph.graph import SyncSetting
from core.graph.problems import Problem
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.graph import problems as module
from editor.model.graph.editor import GraphEditor
from editor.model.graph.state import PinPlace
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    GO,
    GRAPH,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    id_of,
)

EASE = scalar_track([0.0], [1.0])
ALPHA = Problem("alpha is odd", POSES, BLEND, "alpha")


@pytest.fixture
def told(editor) -> list[tuple[str, ...]]:
    """What was found, each time that it is told."""
    found: list[tuple[str, ...]] = []
    editor.problems.changed.connect(lambda _: found.append(tuple(p.node for p in editor.problems.found)))
    return found


def test_a_fault_is_found_told_once_and_goes_with_its_cause(editor, told):
    assert editor.problems.due and editor.problems.found == ()
    editor.problems.check()
    assert not editor.problems.due and told == []
    editor.nodes.set_literal(BLEND, "alpha", "sped")
    assert editor.problems.due and editor.problems.found == ()
    editor.problems.check()
    (problem,) = editor.problems.found
    assert (problem.sheet, problem.node, problem.pin, problem.warning) == (POSES, BLEND, "alpha", False)
    assert told == [(BLEND,)] and editor.problems.errors == editor.problems.of(BLEND) == (problem,)
    assert editor.problems.of(CLIP_A) == ()
    editor.nodes.set_literal(CLIP_A, "rate", "2")
    editor.problems.check()
    assert told == [(BLEND,)]  # it is the same still
    editor.session.undo()
    editor.session.undo()
    editor.problems.check()
    assert told == [(BLEND,), ()]


def test_without_a_graph_nothing_is_wrong(editor, told):
    editor.nodes.set_literal(BLEND, "alpha", "sped")
    editor.problems.check()
    editor.document.replace(Project({}), None)
    assert editor.problems.due
    editor.problems.check()
    assert editor.problems.found == () and told == [(BLEND,), ()] and not editor.problems.due
    editor.problems.found = (ALPHA,)
    assert editor.problems.badges() == {} and editor.problems.place(ALPHA) == ""
    editor.problems.go(ALPHA)
    assert editor.canvas.state.selection == frozenset()


EDITS: dict[str, tuple[bool, Callable[[GraphEditor], object]]] = {
    "a node is moved": (False, lambda e: e.nodes.move({CLIP_A: (7.0, 9.0)})),
    "a literal is set": (True, lambda e: e.nodes.set_literal(CLIP_A, "rate", "2")),
    "the slots differ": (True, lambda e: e.set_slots("A.b")),
    "its name differs": (True, lambda e: e.renames.rename_graph("walker")),
    "a clip differs": (
        True,
        lambda e: e.session.edits.put("clip", replace(e.document.project.clips[0], name="stroll")),
    ),
    "another graph is added": (
        True,
        lambda e: e.session.edits.put("graph", e.nodes.new_graph("more", e.canvas.graph.rig)),
    ),
    **{
        f"its {name} differ": (
            True,
            lambda e, name=name, value=value: e.canvas.commit("x", replace(e.canvas.graph, **{name: value})),
        )
        for name, value in (
            ("variables", ()),
            ("enums", {"gait": ("trot",)}),
            ("maps", {"ease": EASE}),
            ("sync_groups", (SyncSetting("feet"),)),
        )
    },
}


@pytest.mark.parametrize("case", list(EDITS))
def test_only_an_edit_that_the_plan_sees_is_looked_at_again(editor, monkeypatch, case):
    compiled, edit = EDITS[case]
    editor.problems.check()
    asked: list[str] = []
    real = module.compile_graph
    monkeypatch.setattr(module, "compile_graph", lambda g, p: (asked.append(g.id), real(g, p))[1])
    editor.problems.check()
    assert asked == []
    edit(editor)
    assert editor.problems.due
    editor.problems.check()
    assert asked == ([GRAPH] if compiled else []) and not editor.problems.due
    editor.problems.check()
    assert len(asked) == compiled


def test_what_keeps_it_from_being_compiled_at_all_is_a_problem_too(editor, told, monkeypatch):
    def refuse(graph, project):
        raise MissingReferenceError("no such rig")

    monkeypatch.setattr(module, "compile_graph", refuse)
    editor.problems.check()
    assert editor.problems.found == (Problem("no such rig"),) and told == [("",)]


def test_warnings_are_no_errors(editor):
    loud, quiet = ALPHA, Problem("it is slow", POSES, CLIP_A, warning=True)
    editor.problems.found = (quiet, loud)
    assert editor.problems.errors == (loud,)
    assert editor.problems.of(CLIP_A) == (quiet,) and editor.problems.of(BLEND) == (loud,)


@pytest.mark.parametrize("problem, words", [
    (ALPHA, "Blend › Alpha: "), (Problem("x", POSES, BLEND), "Blend: "), (Problem("x", POSES, MACHINE), "moves: "),
    (Problem("x", STATES, GO, "rule"), "idle → walking › Rule: "), (Problem("x", STATES, GO), "idle → walking: "),
    (Problem("x", STATES, GO, "blend_seconds"), "idle → walking › Blend seconds: "),
    (Problem("x", STATES), ""), (Problem("x"), ""), (Problem("x", POSES, "n-gone", "alpha"), ""),
])  # fmt: skip
def test_where_a_problem_is_in_words(editor, problem, words):
    assert editor.problems.place(problem) == words


@pytest.mark.parametrize("problems, marks", [
    ([ALPHA], {BLEND: False}),
    ([Problem("x", POSES, BLEND, warning=True)], {BLEND: True}),
    ([Problem("x", POSES, BLEND, warning=True), ALPHA], {BLEND: False}),
    ([ALPHA, Problem("x", POSES, BLEND, warning=True)], {BLEND: False}),
    ([Problem("x", STATES, GO)], {GO: False, MACHINE: False}),
    ([Problem("x", IDLE_SHEET, id_of(64), warning=True)], {id_of(64): True, IDLE: True, MACHINE: True}),
    ([Problem("x", IDLE_SHEET, id_of(64), warning=True), Problem("x", STATES, GO)],
     {id_of(64): True, IDLE: True, GO: False, MACHINE: False}),
    ([Problem("x", STATES, GO), Problem("x", IDLE_SHEET, warning=True)],
     {GO: False, IDLE: True, MACHINE: False}),
    ([Problem("x", STATES)], {MACHINE: False}), ([Problem("x")], {}),
    ([Problem("x", "n-gone", "n-odd")], {"n-odd": False}),
])  # fmt: skip
def test_marks_are_on_what_is_wrong_and_on_all_that_hold_it(editor, problems, marks):
    editor.problems.found = tuple(problems)
    assert editor.problems.badges() == marks


def test_sheets_that_hold_each_other_are_marked_once(editor):
    graph = editor.canvas.graph
    states = graph.sheet(STATES)
    looped = tuple(replace(n, parameters={"sheet": STATES}) if n.id == IDLE else n for n in states.nodes)
    root = graph.sheet(POSES)
    nodes = tuple(n for n in root.nodes if n.id != MACHINE)
    changed = graph.with_sheet(replace(states, nodes=looped)).with_sheet(replace(root, nodes=nodes))
    editor.canvas.commit("Loop", changed)
    editor.problems.found = (Problem("x", STATES, GO),)
    assert editor.problems.badges() == {GO: False, IDLE: False}


@pytest.mark.parametrize("problem, sheet, chosen", [
    (Problem("x", STATES, GO, "rule"), STATES, {GO}), (Problem("x", STATES, WALKING), STATES, {WALKING}),
    (Problem("x", POSES, OUTPUT), POSES, {OUTPUT}), (Problem("x", IDLE_SHEET), IDLE_SHEET, set()),
    (Problem("x", IDLE_SHEET, "n-gone"), IDLE_SHEET, set()), (Problem("x", "n-gone", "n-odd"), POSES, {CLIP_A}),
    (Problem("x"), POSES, {CLIP_A}),
])  # fmt: skip
def test_going_to_a_problem_opens_its_sheet_and_selects_it(editor, problem, sheet, chosen):
    editor.canvas.select([CLIP_A])
    editor.problems.go(problem)
    assert editor.canvas.sheet.id == sheet and editor.canvas.state.selection == chosen


def test_a_fix_is_one_step_named_after_it(editor):
    editor.wires.cut_at(PinPlace(OUTPUT, "pose"))
    (fix,) = editor.problems.fixes(Problem("nothing is wired to pose", POSES, OUTPUT, "pose"))
    steps = len(editor.session.history.labels)
    assert editor.problems.fix(fix)
    assert editor.session.history.labels[steps:] == ("Connect the rest pose",)
    link = editor.canvas.sheet.link_to(OUTPUT, "pose")
    rest = editor.canvas.sheet.node(link.source)
    assert rest.kind == "rest" and editor.canvas.layout.places[rest.id] == (336.0, 32.0)
    editor.session.undo()
    assert editor.canvas.sheet.link_to(OUTPUT, "pose") is None
