"""Value nodes and their wires: what each gives, where it is at fault, circles through ``previous``."""

from dataclasses import replace

import pytest

from core.graph.compile import compile_graph
from core.graph.graph import Graph, Link, Node, Sheet, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.problems import GraphError, Problem
from core.graph.wires import DEEPEST
from tests.core.graph.builders import Drawing, clip

VARIABLES = (
    Variable("speed", default=(2.0,), maximum=10.0), Variable("way", Kind.VECTOR, (1.0, 2.0, 3.0)),
    Variable("gait", Kind.ENUM, (1.0,), enum="gaits"), Variable("who", Kind.NAME),
)  # fmt: skip


class Sheets:
    """A sheet with a pose asset-free reader: the rate of a clip is what the last value node gives."""

    def __init__(self) -> None:
        self.drawing = Drawing(clip("a"), variables=VARIABLES, enums={"gaits": ("walk", "run")})
        self.player = self.drawing.play("a")
        self.nodes, self.links = [self.player], []

    def node(self, kind: str, literals: dict | None = None, **parameters) -> Node:
        self.nodes.append(self.drawing.node(kind, "", literals or {}, **parameters))
        return self.nodes[-1]

    def wire(self, source: Node, target: Node, pin: str) -> None:
        self.links.append(Link(source.id, target.id, pin))

    def graph(self) -> Graph:
        sheet = self.drawing.pose_sheet("main", self.nodes, [], self.player)
        self.sheet: Sheet = replace(sheet, links=(*sheet.links, *self.links))
        return replace(self.drawing.graph(sheet), sheets=(self.sheet,))

    def run(self) -> Instance:
        graph = self.graph()
        return Instance(compile_graph(graph, self.drawing.project(graph)))

    def problems(self) -> list[Problem]:
        with pytest.raises(GraphError) as error:
            self.run()
        return [p for p in error.value.problems if not p.warning]


def rates(drawn: Sheets, last: Node, steps: int = 1, **inputs) -> list[float]:
    """What a value node gives in each of some steps of a tenth of a second."""
    drawn.wire(last, drawn.player, "rate")
    instance = drawn.run()
    place = instance.plan.pins[last.id, "out"]
    found = []
    for _ in range(steps):
        instance.step(0.1, inputs)
        found.append(float(instance.state.registers[place.register]))
    return found


def test_a_get_node_gives_its_variable():
    drawn = Sheets()
    assert rates(drawn, drawn.node("get", variable="speed"), speed=3.5) == [3.5]


def test_an_expression_node_reads_its_wired_pins_before_variables():
    drawn = Sheets()
    way = drawn.node("get", variable="way")
    last = drawn.node("expression", {"value": "speed.y + 10 * a"})
    five = drawn.node("expression", {"value": "5"})
    drawn.wire(way, last, "speed")  # a pin of its own hides the variable of its name
    drawn.wire(five, last, "a")
    assert rates(drawn, last) == [52.0]


def test_an_expression_node_without_text_gives_nought_and_reads_all_that_its_graph_has():
    drawn = Sheets()
    assert rates(drawn, drawn.node("expression")) == [0.0]
    drawn = Sheets()
    assert rates(drawn, drawn.node("expression", {"value": "speed + way.z"})) == [5.0]
    drawn = Sheets()
    last = drawn.node("expression", {"value": "time('a') + if(gait == 'run', 1, 0)"})
    assert rates(drawn, last, 2) == pytest.approx([1.0, 1.1])
    drawn = Sheets()
    last = drawn.node("expression", {"value": "if(who == 'me', 4, 3)"})
    assert rates(drawn, last, who="me") == [4.0]


@pytest.mark.parametrize(
    ("function", "literals", "value"),
    [
        ("clamp", {"x": "7", "high": "3"}, 3.0),
        ("lerp", {"a": "2", "b": "6", "t": "0.25"}, 3.0),
        ("length", {"v": "vec(3, 4, 0)"}, 5.0),
        # A pin into which nothing was typed holds nothing of its type.
        ("length", {}, 0.0),
        ("dot", {"a": "way"}, 0.0),
        ("held", {}, 0.0),
        ("yaw", {}, 0.0),
        ("if", {"a": "4", "b": "5"}, 5.0),
    ],
)
def test_a_function_node_gives_what_its_function_does(function, literals, value):
    drawn = Sheets()
    assert rates(drawn, drawn.node("function", literals, function=function)) == pytest.approx([value])


def test_a_function_node_takes_wires_at_its_pins():
    drawn = Sheets()
    speed, last = drawn.node("get", variable="speed"), drawn.node("function", {"b": "1.5"}, function="max")
    drawn.wire(speed, last, "a")
    assert rates(drawn, last, speed=1.0) == [1.5]
    drawn = Sheets()
    speed, last = drawn.node("get", variable="speed"), drawn.node("function", {"b": "1.5"}, function="max")
    drawn.wire(speed, last, "a")
    assert rates(drawn, last, speed=4.0) == [4.0]


def test_a_circle_through_previous_counts():
    drawn = Sheets()
    before = drawn.node("function", function="previous")
    last = drawn.node("expression", {"value": "a + 1"})
    drawn.wire(before, last, "a")
    drawn.wire(last, before, "x")
    assert rates(drawn, last, 4) == [1.0, 2.0, 3.0, 4.0]


def test_a_step_of_no_time_does_not_move_a_circle():
    drawn = Sheets()
    before = drawn.node("function", function="previous")
    last = drawn.node("expression", {"value": "a + 1"})
    drawn.wire(before, last, "a")
    drawn.wire(last, before, "x")
    drawn.wire(last, drawn.player, "rate")
    instance = drawn.run()
    place = instance.plan.pins[last.id, "out"].register
    found = []
    for dt in (0.1, 0.0, 0.0, 0.1, 0.1):
        instance.step(dt)
        found.append(float(instance.state.registers[place]))
    assert found == [1.0, 2.0, 2.0, 2.0, 3.0]


def test_two_circles_that_meet_are_both_closed():
    drawn = Sheets()
    one, two = (drawn.node("function", function="previous") for _ in range(2))
    last = drawn.node("expression", {"value": "a + 2 * b + 1"})
    other = drawn.node("expression", {"value": "a + b"})
    for before in (one, two):
        drawn.wire(before, last, "ab"[before is two])
        drawn.wire(before, other, "ab"[before is two])
    drawn.wire(last, one, "x")
    drawn.wire(other, two, "x")
    # one' = one + 2 two + 1, two' = one + two
    wanted, a, b = [], 0.0, 0.0
    for _ in range(5):
        a, b = a + 2.0 * b + 1.0, a + b
        wanted.append(a)
    assert rates(drawn, last, 5) == wanted


def test_previous_outside_of_a_circle_is_the_value_of_the_step_before():
    drawn = Sheets()
    speed, before = drawn.node("get", variable="speed"), drawn.node("function", function="previous")
    drawn.wire(speed, before, "x")
    drawn.wire(before, drawn.player, "rate")
    instance = drawn.run()
    place = instance.plan.pins[before.id, "out"].register
    found = []
    for value in (4.0, 7.0, 5.0):
        instance.step(0.1, {"speed": value})
        found.append(float(instance.state.registers[place]))
    assert found == [4.0, 4.0, 7.0]


def test_a_circle_of_values_is_told_with_its_way():
    drawn = Sheets()
    a, b = (drawn.node("expression", {"value": "a"}) for _ in range(2))
    drawn.wire(a, b, "a")
    drawn.wire(b, a, "a")
    drawn.wire(b, drawn.player, "rate")
    (found,) = drawn.problems()
    assert found.message == (
        f"the values go in a circle: {b.id} -> {a.id} -> {b.id}; put a function node previous into it"
    )
    assert (found.sheet, found.node, found.pin, found.column) == (drawn.sheet.id, b.id, "", -1)


@pytest.mark.parametrize("above", [0, 1])
def test_values_are_nested_so_deep_and_no_deeper(above):
    drawn = Sheets()
    last = drawn.node("get", variable="speed")
    for _ in range(DEEPEST - 1 + above):
        after = drawn.node("expression", {"value": "a"})
        drawn.wire(last, after, "a")
        last = after
    if not above:
        assert rates(drawn, last, speed=6.0) == [6.0]
        return
    drawn.wire(last, drawn.player, "rate")
    (found,) = drawn.problems()
    assert found.message == f"values nested deeper than {DEEPEST} nodes"
    assert (found.sheet, found.node) == (drawn.sheet.id, drawn.nodes[1].id)


def test_a_node_that_two_read_is_one():
    drawn = Sheets()
    counted = drawn.node("function", {"e": "rose(time('a') > 0.15)"}, function="count")
    last = drawn.node("expression", {"value": "a + b * 10"})
    drawn.wire(counted, last, "a")
    drawn.wire(counted, last, "b")
    drawn.wire(last, drawn.player, "rate")
    places = drawn.run().plan.pins
    assert {pin for node, pin in places if node == drawn.player.id} == {"start"}
    assert (last.id, "out") in places


@pytest.mark.parametrize(
    ("kind", "literals", "parameters", "message", "pin", "column"),
    [
        ("get", {}, {"variable": "sped"}, "there is no variable 'sped'; near: speed", "", -1),
        ("get", {}, {}, "there is no variable ''", "", -1),
        ("function", {}, {"function": "clam"}, "there is no function 'clam'; near: clamp, ceil", "", -1),
        ("function", {}, {}, "there is no function ''", "", -1),
        ("expression", {"value": "1 + sped"}, {}, "there is no variable 'sped'; near: speed", "value", 4),
        ("function", {"x": "2 +"}, {"function": "abs"}, "expected a value, got the end", "x", 3),
        ("function", {"x": "true"}, {"function": "abs"}, "x of abs(x) needs float, got bool", "value", 4),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_value_node_is_told_with_its_place(
    kind, literals, parameters, message, pin, column
):
    drawn = Sheets()
    last = drawn.node(kind, literals, **parameters)
    drawn.wire(last, drawn.player, "rate")
    (found,) = drawn.problems()
    assert found.message == message
    assert (found.sheet, found.node, found.pin, found.column) == (drawn.sheet.id, last.id, pin, column)


def test_a_value_of_another_type_is_told_at_the_pin_that_reads_it():
    drawn = Sheets()
    drawn.wire(drawn.node("get", variable="way"), drawn.player, "rate")
    (found,) = drawn.problems()
    assert found.message == "expected float, got vector"
    assert (found.node, found.pin) == (drawn.player.id, "rate")


@pytest.mark.parametrize("reader", ["pose", "expression", "function"])
def test_a_wire_from_what_gives_no_value_is_told(reader):
    drawn = Sheets()
    other = drawn.drawing.play("a")
    drawn.nodes.append(other)
    target, pin = drawn.player, "rate"
    if reader != "pose":
        target = drawn.node(reader, {"value": "x"}, function="abs")
        pin = "x"
        drawn.wire(target, drawn.player, "rate")
    drawn.wire(other, target, pin)
    (found,) = drawn.problems()
    assert found.message == "expected one of expression, function, get on this wire"
    assert (found.sheet, found.node, found.pin) == (drawn.sheet.id, target.id, pin)


def test_a_wire_from_nowhere_is_told():
    drawn = Sheets()
    last = drawn.node("expression", {"value": "a"})
    drawn.links.append(Link(drawn.drawing.id(), last.id, "a"))
    drawn.wire(last, drawn.player, "rate")
    (found,) = drawn.problems()
    assert (found.node, found.pin) == (last.id, "a")
