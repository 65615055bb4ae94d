"""A state read without a step: machines under way, expressions that are asked about, parts of rules."""

import numpy as np
import pytest

from core.graph.compile import compile_graph
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import Kind
from core.graph.peek import asking, guards, in_words, machine_view, machines, weights_by_node
from tests.core.graph.builders import Drawing, clip


@pytest.fixture
def instance() -> Instance:
    drawing = Drawing(clip("a"), clip("b", x=1.0), variables=(Variable("go", Kind.BOOL, maximum=1.0),))
    states = {name: drawing.clip_sheet(name) for name in ("a", "b")}
    machine = drawing.machine(states, [("a", "b", "go", {"seconds": "0.4"})])
    graph = drawing.machine_graph(machine)
    return Instance(compile_graph(graph, drawing.project(graph)))


def asked(instance: Instance, text: str) -> float:
    machine = machines(instance.plan)[0]
    return float(asking(instance.plan, text, machine).ask(instance)[0])


def test_transition_under_way_is_told_with_its_progress(instance):
    machine = machines(instance.plan)[0]
    instance.step(0.1)
    assert machine_view(machine, instance.state).running == ()
    instance.step(0.1, {"go": True})
    view = machine_view(machine, instance.state)
    assert machine.states[view.active].name == "b"
    (running,) = view.running
    assert machine.transitions[running.number].name == "a -> b"
    weights = weights_by_node(instance.plan, instance.state.weights)
    assert weights[machine.states[1].node] == pytest.approx(running.progress)
    for _ in range(5):
        instance.step(0.1)
    assert machine_view(machine, instance.state).running == ()


def test_expression_asked_reads_variables_and_the_graph(instance):
    instance.step(0.1, {"go": False})
    assert asked(instance, "go") == 0.0
    assert asked(instance, "not go and time_in_state > 0.05") == 1.0
    assert asked(instance, "time_in_state * 10") == pytest.approx(1.0)
    before = instance.snapshot()
    asked(instance, "count(true)")
    assert instance.state.same_bits(before)


def test_expression_that_names_nothing_is_refused(instance):
    with pytest.raises(ExpressionError, match="gone"):
        asking(instance.plan, "gone > 1")


def test_words_follow_the_type(instance):
    found = asking(instance.plan, "go")
    assert in_words(instance.plan, found.type, np.array([1.0])) == "true"
    found = asking(instance.plan, "vec(1, 2, 3)")
    assert in_words(instance.plan, found.type, found.ask(instance)) == "(1, 2, 3)"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("speed > 1 and time_in_state > 0.1", ["speed > 1", "time_in_state > 0.1"]),
        ("(a and b) and c", ["(a and b)", "c"]),
        ("(a and b) or c", ["(a and b) or c"]),
        ("a or b and c", ["a or b and c"]),
        ("not (x and y) and z", ["not (x and y)", "z"]),
        ("a and", ["a and"]),
        ("0 < speed < 1 and a", ["0 < speed < 1", "a"]),
    ],
)
def test_parts_of_a_rule_are_what_its_outermost_and_joins(text, parts):
    assert guards(text) == parts


def test_variables_are_the_graphs_own(instance):
    assert isinstance(instance.plan.variables[0][0], Variable)
