"""Text while it is typed: faults and values, words and quoted names that are offered, their order and number."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.clips.clip import Clip, Notify
from core.errors import ValidationError
from core.graph.edits import node_in
from core.graph.graph import Graph, Node, Role, Variable
from core.graph.language import compiler
from core.graph.language.values import BOOL, Kind
from core.graph.machine_assign import MOST_STATEMENTS
from core.ids import AssetId
from core.project.project import Project
from editor.model.events import Event
from editor.model.graph import language as module
from editor.model.graph.editor import GraphEditor
from editor.model.graph.language import MOST, Fault, _open_quote
from editor.model.graph.nodes import NewNode
from tests.editor.model.graph.many_assets import many_session
from tests.editor.panels.graph.graphs import (
    GO,
    GRAPH,
    IDLE,
    STATES,
    id_of,
)
from tests.editor.stage import WALK


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()


def graph(editor: GraphEditor) -> Graph:
    return editor.document.project.get(Graph, GRAPH)


def more(editor: GraphEditor, **changes: object) -> None:
    editor.session.edits.put("More", replace(graph(editor), **changes))


# ---------------------------------------------------------------- while it is typed
def test_a_fault_that_is_no_place_is_of_the_whole_text(editor, monkeypatch):
    def refuse(*words: object) -> None:
        raise ValidationError("too long")

    monkeypatch.setattr(module, "compile_expression", refuse)
    assert editor.language.fault(" speed ", None) == Fault("too long", 0, 7)
    monkeypatch.setattr(module, "compile_expression", compiler.compile_expression)
    assert editor.language.fault(" speed ", None) is None


@pytest.mark.parametrize("count, fault", [(MOST_STATEMENTS, False), (MOST_STATEMENTS + 1, True)])
def test_a_state_does_a_hundred_things_at_most(editor, count, fault):
    own = replace(graph(editor).variables[0], name="foot", role=Role.OWN)
    more(editor, variables=(*graph(editor).variables, own))
    text = ";".join(["foot:=1"] * count)
    found = editor.language.statement_fault(text)
    assert (found is not None) is fault
    if found is not None:
        assert (found.column, found.length) == (8 * MOST_STATEMENTS, len(text))


class Answers:
    """A running graph that tells what it was asked."""

    breaks: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.changed: Event[None] = Event()

    def frame(self, graph: AssetId) -> None:
        return None

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        return f"{graph}|{text}|{machine}"


def test_twelve_statements_are_offered_at_most_and_those_that_begin_so_come_first(editor):
    own = [replace(graph(editor).variables[0], name=f"a_foot_{k:02}", role=Role.OWN) for k in range(12)]
    foot = replace(own[0], name="foot")
    more(editor, variables=(*graph(editor).variables, *own, foot))
    found = [c.text for c in editor.language.statement_completions("fo", 2)]
    assert found == ["foot := ", *(f"a_foot_{k:02} := " for k in range(MOST - 1))]
    (first, *_) = editor.language.statement_completions("foot := 1;  FO more", 14)
    assert (first.text, first.begin, first.end, first.help) == ("foot := ", 12, 14, "float")
    assert editor.language.statement_completions("emi", 3)[0].help == "event"


def test_the_value_now_is_asked_for_the_open_graph_and_machine(editor):
    editor.canvas.show_live(Answers())
    assert editor.language.value("speed") == f"{GRAPH}|speed|" and editor.language.value("  ") == ""
    editor.canvas.enter(STATES)
    assert editor.language.value("speed") == f"{GRAPH}|speed|{STATES}"
    editor.document.replace(Project({}), None)
    assert editor.language.value("speed") == ""
    assert (
        editor.language.statement_fault("x") is None and editor.language.statement_completions("x", 1) == []
    )


@pytest.mark.parametrize("text, quote", [
    ("state('", ("state", 7)), ("state( 'm", ("state", 8)), ('event ( "x', ("event", 9)),
    ('a + event("x', ("event", 11)), ("'x", ("", 1)),
    ("state('m') == 'wal", ("", 15)), ("state('m')", None), ("", None), ("f('a', 'b", ("", 8)), ("x_2('", ("x_2", 5)),
    ("'it\"s", ("", 1)), ("('", ("", 2)),
])  # fmt: skip
def test_an_open_quote_knows_its_function(text, quote):
    assert _open_quote(text) == quote


def completed(editor: GraphEditor, text: str, cursor: int | None = None, type_=None) -> list[str]:
    return [c.text for c in editor.language.completions(text, len(text) if cursor is None else cursor, type_)]


def test_names_of_each_kind_are_offered_in_their_quotes(editor):
    clip = editor.document.project.get(Clip, WALK)
    editor.session.edits.put("Notify", replace(clip, notifies=(Notify("step", 0.1), Notify("clap", 0.2))))
    odd = editor.document.project.get(Clip, AssetId("clip-odd"))
    editor.session.edits.put("Odd", replace(odd, notifies=(Notify("wag", 0.1),)))
    trigger = Variable("jump", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER)
    more(editor, variables=(*graph(editor).variables, trigger))
    for kind, name in (("clip", "stroll"), ("blend_space", "gait"), ("slot", "arms"), ("ragdoll", "fall"),
                       ("get_up", "rise"), ("emit_event", "sent")):  # fmt: skip
        editor.session.edits.put("x", _with_node(graph(editor), kind, name))
    nodes = ["arms", "fall", "gait", "idle", "moves", "rise", "sent", "stroll", "walking"]
    for function, names in {
        "take": ["jump"], "fired": ["jump"], "state": ["moves"], "exited": ["moves"], "playing": ["hit"],
        "montage_time": ["hit"], "time": ["gait", "stroll"], "ragdoll_speed": ["fall"], "got_up": ["rise"],
        "curve": ["lean", "sway"], "event": ["clap", "heard", "step"], "emit": ["clap", "heard", "step"], "map": [],
    }.items():  # fmt: skip
        assert completed(editor, f"{function}('") == [f"{n}')" for n in names], function
    assert completed(editor, "weight('") == [f"{n}')" for n in ["Output"] * 3 + nodes][:MOST]
    assert completed(editor, "state('moves') == '") == ["idle')", "walking')"]


def _with_node(made: Graph, kind: str, name: str) -> Graph:
    root = made.sheets[0]
    parameters = {"event": "heard"} if kind == "emit_event" else {}
    node = Node(id_of(400 + len(root.nodes)), kind, parameters, {}, name)
    return made.with_sheet(replace(root, nodes=(*root.nodes, node)))


def test_what_is_typed_in_quotes_is_looked_for_anywhere_in_a_name_and_closed(editor):
    assert completed(editor, "bone('_L") == ["arm_l')", "hand_l')"]
    assert completed(editor, 'bone("_L') == ['arm_l")', 'hand_l")']
    assert completed(editor, "bone('_l') + 1", 8) == ["arm_l", "hand_l"]
    assert completed(editor, 'bone("_l") + 1', 8) == ["arm_l", "hand_l"]
    (first, *_) = editor.language.completions("1 + bone('_l", 12)
    assert (first.begin, first.end) == (10, 12)


def test_twelve_words_are_offered_at_most_and_those_that_begin_so_come_first(editor):
    names = tuple(Variable(f"v{k:02}") for k in range(20))
    more(editor, variables=names)
    assert len(completed(editor, "")) == MOST == 12 and completed(editor, "v") == [
        f"v{k:02}" for k in range(12)
    ]
    assert completed(editor, "v0") == [f"v{k:02}" for k in range(10)]
    more(editor, variables=(Variable("overtake"), Variable("take_off")))
    assert completed(editor, "take")[:3] == ["take_off", "take('", "overtake"]
    assert completed(editor, "take_off") == [] == completed(editor, "TAKE_OFF")


def test_no_word_is_offered_behind_another_or_in_a_number(editor):
    assert completed(editor, "speed ") == [] == completed(editor, "1") == completed(editor, "2e")
    assert completed(editor, "2") == [] == completed(editor, "1 + 2")
    assert completed(editor, "  ")[0] == "speed"
    (first, *_) = editor.language.completions("1 + (cro", 8)
    assert (first.text, first.begin, first.end, first.help) == ("crouch", 5, 8, "bool")


@pytest.mark.parametrize("type_, offered", [(BOOL, True), (None, False)])
def test_true_and_false_are_offered_where_they_fit(editor, type_, offered):
    assert ("true" in completed(editor, "tru", type_=type_)) is offered
    assert ("false" in completed(editor, "fals", type_=type_)) is offered


def test_events_are_those_of_the_characters_clips_and_of_its_nodes(editor):
    assert editor.language.events(graph(editor)) == []
    editor.add_update_sheet()
    for event in ("b", "a", "b", ""):
        editor.nodes.add(NewNode("emit_event", {"event": event}), (0.0, 0.0))
    assert editor.language.events(graph(editor)) == ["a", "b"]
    assert editor.language.curves(graph(editor)) == ["lean", "sway"]


def test_events_that_states_emit_are_offered_and_follow_a_rename(editor):
    editor.canvas.open(GRAPH, STATES)
    editor.nodes.set_literal(IDLE, "enter", "emit('step'); emit('rest')")
    editor.machines.set_rule(GO, "event('step')")
    assert editor.language.events(graph(editor)) == ["rest", "step"]
    assert editor.renames.rename_event("step", "tread")
    assert node_in(graph(editor), IDLE).literals["enter"] == "emit('tread'); emit('rest')"
    sheet = next(s for s in graph(editor).sheets if s.id == STATES)
    assert next(t.rule for t in sheet.transitions if t.id == GO) == "event('tread')"
    assert editor.language.events(graph(editor)) == ["rest", "tread"]
