"""Quick fixes: which are offered for a message, and what each makes of the graph and its layout."""

import pytest

from core.errors import AnimError
from core.graph.edits import node_in, transition_in, with_literal, with_parameter
from core.graph.graph import Graph, Role, SheetKind
from core.graph.language.values import Kind
from core.graph.problems import Problem
from editor.model.graph.fixes import fixes_of
from editor.model.graph.layout import Layout, read_layout
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, GO, OUTPUT, POSES, STATES, small_graph

NUMBER, TRUTH = ("Make variable sped (number)", "Make variable sped (yes or no)")


@pytest.mark.parametrize("message, pin, titles", [
    ("nothing is wired to a", "a", ["Connect the rest pose"]),
    ("the graph has no slot 'x'", "slot", ["Make the slot"]),
    ("there is no variable 'sped'", "alpha", [NUMBER, TRUTH]),
    ("unknown name 'sped'", "alpha", [NUMBER, TRUTH]),
    ("'sped' is no name", "", [NUMBER, TRUTH]),
    ("there is no name 'sped'", "alpha", [NUMBER, TRUTH]),
    ("expected a name, got 'sped'", "alpha", []),
    ("there is no variable 'a b'", "alpha", []),
    ("there is no variable 'sped", "alpha", []),
    ("expected one Output node, found 0", "", ["Add an output"]),
    ("expected one Output node, found 2", "", []),
    ("the machine has no state", "", ["Add a state"]),
    ("there is no variable 'sped'; near: speed, crouch, other", "alpha",
     [NUMBER, TRUTH, "Use speed instead", "Use crouch instead"]),
    ("no machine 'a b'; near: moves; write it in quotes", "rule", ["Use moves instead"]),
    ("no machine 'a b'; near: moves", "", []),
    ("odd", "alpha", []),
])  # fmt: skip
def test_what_is_offered_follows_from_the_message(message, pin, titles):
    assert [f.title for f in fixes_of(Problem(message, POSES, BLEND, pin))] == titles


def fixed(problem: Problem, number: int = 0, graph: Graph | None = None) -> tuple[Graph, Layout]:
    graph = graph or small_graph()
    return fixes_of(problem)[number].make(graph, read_layout(graph))


@pytest.mark.parametrize("placed", [True, False])
def test_the_rest_pose_is_put_left_of_the_node_where_that_has_a_place(placed):
    graph = small_graph(places=placed)
    made, layout = fixed(Problem("nothing is wired to pose", POSES, OUTPUT, "pose"), 0, graph)
    link = made.sheet(POSES).links[-1]
    rest = node_in(made, link.source)
    assert (rest.kind, link.target, link.pin, link.output) == ("rest", OUTPUT, "pose", "out")
    assert layout.places.get(rest.id) == ((336.0, 32.0) if placed else None)
    assert {k: v for k, v in layout.places.items() if k != rest.id} == read_layout(graph).places


def test_a_missing_slot_is_made_and_named_where_the_node_has_none():
    problem = Problem("the graph has no slot ''", POSES, BLEND, "slot")
    made, _ = fixed(problem)
    assert made.slots == ("DefaultGroup.Arms", "DefaultGroup.Slot")
    assert node_in(made, BLEND).parameters["slot"] == "DefaultGroup.Slot"
    graph = with_parameter(small_graph(), BLEND, "slot", "Own.Legs")
    made, _ = fixed(problem, 0, graph)
    assert made.slots == ("DefaultGroup.Arms", "Own.Legs")
    assert node_in(made, BLEND).parameters["slot"] == "Own.Legs"
    graph = with_parameter(small_graph(), BLEND, "slot", "DefaultGroup.Arms")
    assert fixed(problem, 0, graph)[0].slots == ("DefaultGroup.Arms",)


@pytest.mark.parametrize("number, kind, bounds", [(0, Kind.FLOAT, (-1e12, 1e12)), (1, Kind.BOOL, (0.0, 1.0))])
def test_a_variable_is_made_as_an_input_of_0(number, kind, bounds):
    made, _ = fixed(Problem("there is no variable 'sped'", POSES, BLEND, "alpha"), number)
    variable = made.variables[-1]
    assert [v.name for v in made.variables] == ["speed", "crouch", "sped"]
    assert (variable.kind, variable.default, variable.role) == (kind, (0.0,), Role.INPUT)
    assert (variable.minimum, variable.maximum) == bounds


def test_a_variable_that_is_there_by_now_is_not_made_again():
    graph = small_graph()
    assert fixed(Problem("there is no variable 'speed'", POSES, BLEND, "alpha"), 0, graph)[0] is graph


def test_an_output_and_a_state_are_added():
    made, _ = fixed(Problem("expected one Output node, found 0", POSES))
    output = made.sheet(POSES).nodes[-1]
    assert (output.kind, output.name) == ("output", "Output") and len(made.sheet(POSES).nodes) == 6
    made, _ = fixed(Problem("the machine has no state", STATES))
    state = made.sheet(STATES).nodes[-1]
    inside = made.sheet(state.parameters["sheet"])
    assert (state.kind, state.name, inside.name, inside.kind) == ("state", "state", "state", SheetKind.POSE)
    assert [n.kind for n in inside.nodes] == ["output"] and len(made.sheets) == 5


def test_the_near_name_is_put_in_expressions_rules_and_parameters():
    graph = small_graph()
    problem = Problem("there is no variable 'speed'; near: pace", POSES, BLEND, "alpha")
    made, layout = fixed(problem, 2, graph)
    assert node_in(made, BLEND).literals == {"alpha": "pace"} and layout == read_layout(graph)
    made, _ = fixed(Problem("unknown name 'speed'; near: pace", STATES, GO, "rule"), 2, graph)
    assert transition_in(made, GO).rule == "pace > 0.1"
    made, _ = fixed(Problem("no clip 'x'; near: clip-turn", POSES, CLIP_A, "clip"), 0, graph)
    assert node_in(made, CLIP_A).parameters["clip"] == "clip-turn"
    made, _ = fixed(Problem("no name 'x'; near: y", POSES, CLIP_A, "rate"), 0, graph)
    assert node_in(made, CLIP_A).literals == {"rate": ""}
    with pytest.raises(AnimError):
        fixed(Problem("no name 'x'; near: y", POSES, "n-gone", "rate"), 0, graph)


def test_the_near_name_is_put_in_quotes_of_reads_too():
    graph = small_graph()
    graph = with_literal(graph, BLEND, "alpha", "weight('mix') + mix")
    made, _ = fixed(Problem("there is no node 'mix'; near: blend", POSES, BLEND, "alpha"), 0, graph)
    assert node_in(made, BLEND).literals == {"alpha": "weight('blend') + blend"}
