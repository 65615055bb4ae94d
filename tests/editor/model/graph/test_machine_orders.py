"""Transitions at the edges: order at both ends, blends whose sheet is gone, what tells them in words."""

from dataclasses import replace

import pytest

from core.errors import AnimError, ValidationError
from core.graph.edits import transition_in
from core.graph.graph import BlendKind, SheetKind
from editor.model.graph.machines import told
from tests.editor.panels.graph.graphs import BACK, GO, IDLE, STATES, WALKING


@pytest.fixture
def machine(editor):
    editor.canvas.enter(STATES)
    return editor


def found(editor, transition: str):
    return transition_in(editor.canvas.graph, transition)


def steps(editor) -> tuple[str, ...]:
    return editor.session.history.labels


@pytest.mark.parametrize("by, order", [
    (-1, (1, 0, 2)), (1, (0, 2, 1)), (0, None), (9, (0, 2, 1)), (-9, (1, 0, 2)),
])  # fmt: skip
def test_a_transition_is_looked_at_earlier_or_later(machine, by, order):
    ways = [str(GO), *(machine.machines.connect(IDLE, WALKING) for _ in range(2))]
    machine.machines.order(ways)
    before = steps(machine)
    assert machine.machines.nudge(ways[1], by) is (order is not None)
    arrow = next(a for a in machine.canvas.committed.arrows if a.source == IDLE)
    assert [str(t.id) for t in arrow.transitions] == [ways[k] for k in order or (0, 1, 2)]
    assert steps(machine)[len(before) :] == (("Order transitions",) if order else ())
    assert found(machine, BACK).priority == 0


def test_a_sheet_to_blend_by_is_made_anew_where_the_old_one_is_gone(machine):
    machine.machines.set_blend([GO, BACK], sheet="n-0000dead")
    sheets = len(machine.canvas.graph.sheets)
    made = machine.machines.custom_blend([GO, BACK])
    graph = machine.canvas.graph
    assert (
        made != "n-0000dead" and len(graph.sheets) == sheets + 1 and graph.sheet(made).kind is SheetKind.POSE
    )
    for transition in (GO, BACK):
        blend = found(machine, transition).blend
        assert (blend.kind, blend.sheet) == (BlendKind.CUSTOM, made)
        assert blend.seconds == "0.2"
    assert steps(machine)[-1] == "Blend by its own sheet"


def test_the_second_of_two_may_have_the_sheet(machine):
    made = machine.machines.custom_blend([BACK])
    assert machine.machines.custom_blend([GO, BACK]) == made == found(machine, GO).blend.sheet
    assert len(machine.canvas.graph.sheets) == 5


def test_both_ends_are_led_elsewhere_at_once(machine):
    assert machine.machines.lead(GO, source=WALKING, target=IDLE)
    assert (found(machine, GO).source, found(machine, GO).target) == (WALKING, IDLE)
    assert not machine.machines.lead(GO) and steps(machine) == ("Move transition",)
    with pytest.raises(ValidationError, match="release on a state"):
        machine.machines.lead(GO, target="n-gone")


def test_an_edit_of_a_transition_that_is_gone_is_refused(machine):
    for do in (
        lambda: machine.machines.change(["n-gone"], min_time=1.0),
        lambda: machine.machines.set_blend([GO, "n-gone"], seconds="9"),
        lambda: machine.machines.set_rule("n-gone", "crouch"),
        lambda: machine.machines.nudge("n-gone", 1),
    ):
        with pytest.raises(AnimError):
            do()
    assert steps(machine) == ()


def test_an_edit_without_transitions_is_no_step(machine):
    assert not machine.machines.change([], min_time=1.0) and not machine.machines.set_blend([], seconds="1")
    assert steps(machine) == ()


@pytest.mark.parametrize("changes, line", [
    ({"automatic": -0.1}, "when the clip has as long left as the blend takes"),
    ({"automatic": 0.0}, "when the clip has 0 s left"),
    ({"automatic": 0.5, "player": "run"}, "when the clip “run” has 0.5 s left"),
    ({"min_time": 0.5}, "after 0.5 s in idle at the least"),
    ({"min_time": 0.0}, "at once: it has no rule"),
])  # fmt: skip
def test_when_a_transition_is_taken_is_told(machine, changes, line):
    sheet = machine.canvas.sheet
    assert told(sheet, replace(found(machine, GO), rule="", **changes)).splitlines()[1] == line


def test_nodes_without_a_name_are_told_by_their_kind(machine):
    some = machine.add_named("entry", (0.0, 600.0))
    made = replace(found(machine, GO), source=some)
    assert told(machine.canvas.sheet, made).splitlines()[0] == "entry → walking"
