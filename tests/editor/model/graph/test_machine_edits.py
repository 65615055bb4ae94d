"""Edits of a machine's transitions: what may lead where, rules, blends, order, and the sentence that tells one."""

from dataclasses import replace

import pytest

from core.blending.easing import EaseShape, Easing
from core.errors import ValidationError
from core.graph.graph import BlendKind, Interrupt, SheetKind
from editor.model.graph.editor import GraphEditor
from editor.model.graph.machines import crossfading
from editor.model.graph.nodes import NewNode
from tests.editor.panels.graph.graphs import BACK, GO, GRAPH, IDLE, STATES, WALKING, graph_session, last


@pytest.fixture
def editor():
    session = graph_session()
    made = session.feature(GraphEditor)
    made.canvas.open(GRAPH, STATES)
    made.session = session
    made.ids = {
        kind: made.nodes.add(NewNode(kind), (100.0 * k, 400.0))
        for k, kind in enumerate(("entry", "any", "exit", "conduit"))
    }
    yield made
    session.close()


def transitions(editor):
    return {str(t.id): t for t in editor.canvas.sheet.transitions}


def test_what_may_lead_where(editor):
    ids = {**editor.ids, "idle": IDLE, "walking": WALKING, "gone": "n-nothing"}
    state = "release on a state"
    inwards, outwards = "nothing leads to an entry or to any state", "nothing leads on from an exit"
    itself = "only a state can lead to itself"
    for source, target, reason in (
        ("idle", "walking", ""), ("idle", "idle", ""), ("idle", "exit", ""), ("idle", "conduit", ""),
        ("entry", "idle", ""), ("entry", "conduit", ""), ("any", "idle", ""), ("any", "exit", ""),
        ("conduit", "idle", ""),
        ("idle", "entry", inwards), ("idle", "any", inwards), ("entry", "entry", inwards), ("any", "any", inwards),
        ("entry", "exit", "an entry leads to a state"), ("exit", "idle", outwards), ("exit", "exit", outwards),
        ("conduit", "conduit", itself), ("idle", "gone", state), ("gone", "idle", state), ("gone", "gone", itself),
    ):  # fmt: skip
        assert editor.machines.reason(ids[source], ids[target]) == reason, (source, target)
        if reason:
            steps = editor.session.history.labels
            with pytest.raises(ValidationError, match=reason):
                editor.machines.connect(ids[source], ids[target])
            assert editor.session.history.labels == steps


def test_a_transition_is_laid_led_elsewhere_and_selected(editor):
    made = editor.machines.connect(WALKING, editor.ids["exit"])
    found = transitions(editor)[made]
    assert (found.source, found.target) == (WALKING, editor.ids["exit"]) and last(editor) == "Add transition"
    assert editor.canvas.state.selection == {made}
    assert editor.machines.lead(made, target=IDLE) and last(editor) == "Move transition"
    assert (transitions(editor)[made].source, transitions(editor)[made].target) == (WALKING, IDLE)
    assert editor.machines.lead(made, source=editor.ids["any"])
    assert (transitions(editor)[made].source, transitions(editor)[made].target) == (editor.ids["any"], IDLE)
    with pytest.raises(ValidationError, match="leads on from an exit"):
        editor.machines.lead(made, source=editor.ids["exit"])
    assert transitions(editor)[made].source == editor.ids["any"]


def test_fields_of_several_transitions_are_set_in_one_step(editor):
    steps = len(editor.session.history.labels)
    assert editor.machines.change([GO, BACK], min_time=0.5) and last(editor) == "Change transition"
    assert {t.min_time for t in transitions(editor).values()} == {0.5}
    assert editor.machines.change([GO], "Set priority", priority=3) and last(editor) == "Set priority"
    assert transitions(editor)[GO].priority == 3 and transitions(editor)[BACK].priority == 0
    assert editor.machines.set_blend([GO, BACK], seconds="0.7") and last(editor) == "Set blend"
    assert {t.blend.seconds for t in transitions(editor).values()} == {"0.7"}
    assert len(editor.session.history.labels) == steps + 3
    assert not editor.machines.set_blend([GO, BACK], seconds="0.7")
    assert not editor.machines.change([GO], "Set priority", priority=3)
    assert len(editor.session.history.labels) == steps + 3  # nothing is new
    assert editor.machines.set_blend([GO, BACK], seconds="0.9") and editor.machines.change(
        [GO, BACK], priority=3
    )
    assert {(t.blend.seconds, t.priority) for t in transitions(editor).values()} == {("0.9", 3)}


def test_rules_of_transitions_and_conduits_are_typed(editor):
    assert editor.machines.set_rule(GO, "  speed > 2 ") and last(editor) == "Set rule"
    assert transitions(editor)[GO].rule == "speed > 2" and transitions(editor)[BACK].rule == "speed < 0.1"
    conduit = editor.ids["conduit"]

    def rule():
        return next(n for n in editor.canvas.sheet.nodes if n.id == conduit).literals.get("rule")

    assert editor.machines.set_rule(conduit, " crouch ") and rule() == "crouch" and last(editor) == "Set rule"
    assert editor.machines.set_rule(conduit, "  ") and rule() is None


def test_a_blend_by_its_own_sheet_is_made_once_and_shared(editor):
    sheet = editor.machines.custom_blend([GO])
    assert last(editor) == "Blend by its own sheet"
    assert (
        transitions(editor)[GO].blend.kind is BlendKind.CUSTOM
        and transitions(editor)[GO].blend.sheet == sheet
    )
    assert transitions(editor)[BACK].blend.kind is BlendKind.CROSSFADE
    made = next(s for s in editor.canvas.graph.sheets if s.id == sheet)
    assert made.name == "blend" and made.kind is SheetKind.POSE
    assert editor.machines.custom_blend([BACK, GO]) == sheet
    assert {t.blend.sheet for t in transitions(editor).values()} == {sheet}
    assert [s.name for s in editor.canvas.graph.sheets].count("blend") == 1
    editor.machines.set_blend([GO, BACK], kind=BlendKind.FROZEN)
    assert editor.machines.custom_blend([GO]) == sheet  # what it has had is taken again
    editor.machines.set_blend([BACK], sheet="")
    other = editor.machines.custom_blend([BACK])
    assert other != sheet and {s.name for s in editor.canvas.graph.sheets} >= {"blend"}
    names = [s.name for s in editor.canvas.graph.sheets]
    assert len(names) == len(set(names))


def test_a_sheet_that_crossfades(editor):
    sheet = crossfading("mine")
    kinds = {n.id: n.kind for n in sheet.nodes}
    assert [n.kind for n in sheet.nodes] == ["pose_input", "pose_input", "blend", "output"]
    assert [n.parameters.get("input") for n in sheet.nodes[:2]] == ["source", "target"]
    assert (
        sheet.nodes[2].literals == {"alpha": "w"} and sheet.nodes[3].name == "Output" and sheet.name == "mine"
    )
    source, target, blend, output = (n.id for n in sheet.nodes)
    assert [(x.source, x.target, x.pin) for x in sheet.links] == [
        (source, blend, "a"), (target, blend, "b"), (blend, output, "pose"),
    ]  # fmt: skip
    assert len(kinds) == 4


def test_transitions_of_a_state_are_put_into_an_order(editor):
    ids = [GO, *(editor.machines.connect(IDLE, WALKING) for _ in range(2))]

    def order():
        return [str(t.id) for t in editor.canvas.sheet.transitions if t.source == IDLE]

    assert editor.machines.order([ids[2], ids[0], ids[1]]) and last(editor) == "Order transitions"
    ranked = [str(t.id) for a in editor.canvas.committed.arrows if a.source == IDLE for t in a.transitions]
    assert ranked == [ids[2], ids[0], ids[1]] and set(order()) == set(ids)
    for id, by, after in (
        (ids[0], -1, [0, 2, 1]), (ids[0], -1, None), (ids[0], 1, [2, 0, 1]), (ids[1], 1, None),
        (ids[1], -5, [1, 2, 0]), (ids[1], 2, [2, 0, 1]),
    ):  # fmt: skip
        assert editor.machines.nudge(id, by) is (after is not None)
        ranked = [
            str(t.id) for a in editor.canvas.committed.arrows if a.source == IDLE for t in a.transitions
        ]
        if after is not None:
            assert ranked == [ids[k] for k in after]


def test_a_transition_is_told_in_a_sentence(editor):
    words = editor.machines.words
    assert words(GO) == "idle → walking\nwhen speed > 0.1\ncrossfade over 0.2 s"
    assert words("n-nothing") == ""
    other = next(i for i in Interrupt if i is not Interrupt.ALWAYS)
    editor.machines.change([GO], rule="", automatic=-1.0, player="", min_time=1.5, interrupt=other)
    editor.machines.set_blend([GO], kind=BlendKind.DEAD_BLEND, seconds="", easing=Easing(EaseShape.POWER))
    interrupt = str(transitions(editor)[GO].interrupt).replace("_", " ")
    assert words(GO).splitlines() == [
        "idle → walking", "when the clip has as long left as the blend takes and after 1.5 s in idle at the least",
        f"dead blend over 0 s, {EaseShape.POWER}", f"interrupted: {interrupt}",
    ]  # fmt: skip
    editor.machines.change([GO], automatic=0.25, player="run", min_time=0.0, rule="crouch")
    assert words(GO).splitlines()[1] == "when the clip “run” has 0.25 s left and when crouch"
    editor.machines.change([GO], automatic=0.0, player="")
    assert words(GO).splitlines()[1] == "when the clip has 0 s left and when crouch"
    editor.machines.change([GO], automatic=None, rule="")
    assert words(GO).splitlines()[1] == "at once: it has no rule"
    made = editor.machines.connect(editor.ids["any"], IDLE)
    assert words(made).splitlines()[0] == "any → idle" or words(made).endswith("crossfade over 0.2 s")


def test_without_a_graph_there_are_no_words_and_nothing_leads_anywhere(editor):
    editor.session.document.replace(replace(editor.session.document.project, assets={}), None)
    assert editor.machines.words(GO) == "" and editor.machines.reason(IDLE, WALKING) == "release on a state"
