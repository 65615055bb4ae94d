"""Edits of graphs: what is found where, what a change touches, and what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import MissingReferenceError, ValidationError
from core.graph import edits
from core.graph.catalogue.pins import PinKind
from core.graph.graph import Blend, Graph, Link, Node, NodeId, Sheet, SheetKind
from tests.core.graph.builders import Drawing, clip


def number(n: int) -> NodeId:
    return NodeId(f"n-{n:08x}")


def nested() -> Graph:
    """A machine with two states, one of which is a machine, and a transition whose blend has a sheet."""
    d = Drawing(clip("a"), clip("b"))
    deep = d.machine({"c": d.clip_sheet("c"), "d": d.clip_sheet("d")}, [("c", "d", "go")])
    mixed = d.clip_sheet("mixed")
    blend = {"blend": {"sheet": mixed.id}}
    outer = d.machine({"x": d.clip_sheet("x"), "y": deep}, [("x", "y", "true", blend), ("y", "x", "stop")])
    return d.machine_graph(outer)


def sheet(links: list[tuple[int, int]], count: int = 6) -> Sheet:
    """Nodes with numbers, and wires between them."""
    nodes = tuple(Node(number(n), "clip") for n in range(count))
    return Sheet(
        number(99), "s", SheetKind.POSE, nodes, tuple(Link(number(a), number(b), f"p{a}") for a, b in links)
    )


def test_every_node_and_transition_is_found_on_its_own_sheet_and_an_unknown_one_is_told():
    graph = nested()
    for found in graph.sheets:
        for node in found.nodes:
            assert edits.sheet_of(graph, node.id) is found and edits.node_in(graph, node.id) is node
        for way in found.transitions:
            assert edits.sheet_of(graph, way.id) is found and edits.transition_in(graph, way.id) is way
    for ask in (edits.sheet_of, edits.node_in, edits.transition_in):
        with pytest.raises(MissingReferenceError):
            ask(graph, "n-ffffffff")


def test_inner_sheets_are_those_of_machines_states_and_blends_outer_before_inner_each_once():
    graph = nested()
    (machine,) = graph.root.of_kind("machine")
    found = [s.name for s in edits.inner_sheets(graph, [machine, machine])]
    assert found == ["machine", "x", "machine", "mixed", "c", "d"]
    output = graph.root.of_kind("output")[0]
    named = replace(output, parameters={"sheet": machine.parameters["sheet"]})
    assert edits.inner_sheets(graph, [output, named]) == ()
    ways = [t for s in graph.sheets for t in s.transitions]
    assert [s.name for s in edits.inner_sheets(graph, [], ways)] == ["mixed"]


def test_a_sheet_has_the_holder_that_opens_it_and_a_blend_or_the_root_has_none():
    graph = nested()
    held = {s.name: edits.holder_of(graph, s.id) for s in graph.sheets}
    assert held["main"] is None and held["mixed"] is None
    outer, node = held["c"]
    assert node.name == "c" and node in outer.nodes and node.parameters["sheet"] != outer.id


def test_a_changed_node_or_transition_leaves_every_other_as_it_was():
    graph = nested()
    node = next(n for s in graph.sheets for n in s.nodes if n.name == "d")
    way = next(t for s in graph.sheets for t in s.transitions if t.rule == "go")
    changed = edits.with_transition(edits.with_node(graph, replace(node, name="e")), replace(way, rule="now"))
    others = [n for s in graph.sheets for n in s.nodes if n.id != node.id]
    assert [n for s in changed.sheets for n in s.nodes if n.id != node.id] == others
    assert edits.node_in(changed, node.id).name == "e"
    assert edits.transition_in(changed, way.id).rule == "now"
    assert sum(t.rule == "now" for s in changed.sheets for t in s.transitions) == 1
    assert [len(s.transitions) for s in changed.sheets] == [len(s.transitions) for s in graph.sheets]


def test_parameters_and_typed_pins_are_set_one_at_a_time_and_none_takes_them_away():
    d = Drawing(clip("a"))
    graph = d.one(d.node("clip", "a", {"speed": "2"}, clip="clip-a"))
    node = graph.root.of_kind("clip")[0].id
    for change, part, own in ((edits.with_parameter, "parameters", {"clip": "clip-a"}),
                              (edits.with_literal, "literals", {"speed": "2"})):  # fmt: skip
        with_more = change(graph, node, "more", "3")
        assert dict(getattr(edits.node_in(with_more, node), part)) == {**own, "more": "3"}
        over = change(with_more, node, "more", "4")
        assert dict(getattr(edits.node_in(over, node), part)) == {**own, "more": "4"}
        for gone in ("more", "never there"):
            left = dict(getattr(edits.node_in(change(over, node, gone, None), node), part))
            assert left == ({**own, "more": "4"} if gone != "more" else own)


def test_what_is_added_stands_behind_what_was_there():
    graph = nested()
    machine = next(s for s in graph.sheets if s.kind is SheetKind.MACHINE)
    pose, moves = edits.made_sheet(SheetKind.POSE, "pose"), edits.made_sheet(SheetKind.MACHINE, "moves")
    assert [n.kind for n in pose.nodes] == ["output"] and moves.nodes == () and pose.id != moves.id
    assert (pose.name, moves.kind) == ("pose", SheetKind.MACHINE)
    node = Node(number(900), "state", {"sheet": pose.id})
    link, way = Link(number(900), machine.nodes[0].id, "in"), replace(machine.transitions[0], id=number(901))
    changed = edits.added(graph, machine.id, [node], [link], [way], [pose, moves])
    now = changed.sheet(machine.id)
    assert now.nodes == (*machine.nodes, node) and now.links == (*machine.links, link)
    assert now.transitions == (*machine.transitions, way)
    assert changed.sheets[-2:] == (pose, moves) and len(changed.sheets) == len(graph.sheets) + 2


@pytest.mark.parametrize("kind", [PinKind.POSE, PinKind.VALUE])
def test_a_laid_wire_takes_the_place_at_its_input_and_a_pose_feeds_one_input(kind):
    wires = {"at its input": Link(number(0), number(2), "pose"), "from its output": Link(number(1), number(3), "pose"),
             "other pin": Link(number(0), number(2), "other"), "other output": Link(number(1), number(3), "b", "x"),
             "elsewhere": Link(number(4), number(5), "pose")}  # fmt: skip
    graph = Graph("g", "g", "rig", sheets=(replace(sheet([]), links=tuple(wires.values())),))
    laid = Link(number(1), number(2), "pose")
    links = edits.connected(graph, number(99), laid, kind).sheets[0].links
    gone = {"at its input"} | ({"from its output"} if kind is PinKind.POSE else set())
    assert links == (*(link for name, link in wires.items() if name not in gone), laid)


some_wires = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=10)


@given(some_wires, st.integers(0, 5), st.integers(0, 5))
def test_a_wire_would_close_a_circle_where_its_source_is_reached_from_its_target(links, source, target):
    ways = np.eye(6, dtype=int)
    for a, b in links:
        ways[a, b] = 1
    reached = np.linalg.matrix_power(ways, 6)[target, source] > 0
    assert edits.would_circle(sheet(links), number(source), number(target)) == reached


def test_cut_wires_are_gone_and_no_others():
    old = sheet([(0, 1), (1, 2), (2, 3)])
    graph = Graph("g", "g", "rig", sheets=(old,))
    assert edits.cut(graph, old.id, old.links[1:2]).sheets[0].links == (old.links[0], old.links[2])


def test_gaps_are_closed_from_what_fed_the_first_wired_pin_through_all_that_go():
    def heal(links, gone, pins):
        named = {number(n): names for n, names in pins.items()}
        healed = edits.healing_links(replace(sheet([]), links=tuple(links)), {number(n) for n in gone}, named)
        return [(int(x.source[2:], 16), int(x.target[2:], 16), x.pin, x.output) for x in healed]

    feeds = [Link(number(0), number(2), "b", "left"), Link(number(1), number(2), "c"),
             Link(number(2), number(3), "pose"), Link(number(3), number(4), "base")]  # fmt: skip
    pins = {2: ("a", "b", "c"), 3: ("pose",)}
    assert heal(feeds, [2], pins) == [(0, 3, "pose", "left")]
    assert heal(feeds, [2, 3], pins) == [(0, 4, "base", "left")]
    assert heal(feeds, [3, 4], pins) == []  # nothing was fed
    assert heal(feeds, [2, 0], pins) == []  # nothing feeds them any more
    value = [Link(number(0), number(2), "b"), Link(number(2), number(3), "pose", "value")]
    assert heal(value, [2], pins) == []  # a value cannot be fed by a pose
    circle = [
        Link(number(2), number(3), "pose"),
        Link(number(3), number(2), "a"),
        Link(number(3), number(5), "pose"),
    ]
    assert heal(circle, [2, 3], pins) == []


def test_removed_nodes_take_their_wires_transitions_and_sheets_along():
    graph = nested()
    outer = next(s for s in graph.sheets if any(n.name == "y" for n in s.nodes))
    x, y = (next(n for n in outer.nodes if n.name == name) for name in "xy")
    left = edits.without(graph, outer.id, [y.id])
    assert [s.name for s in left.sheets if s.name not in ("main", "machine")] == ["x"]
    assert left.sheet(outer.id).nodes == (x,) and left.sheet(outer.id).transitions == ()
    way = outer.transitions[1]
    left = edits.without(graph, outer.id, [way.id])
    assert (
        left.sheet(outer.id).transitions == outer.transitions[:1]
        and left.sheet(outer.id).nodes == outer.nodes
    )
    assert len(left.sheets) == len(graph.sheets)
    left = edits.without(graph, outer.id, [outer.transitions[0].id])
    assert left.sheet(outer.id).transitions == outer.transitions[1:]
    assert {s.name for s in graph.sheets} - {s.name for s in left.sheets} == {"mixed"}
    (machine,) = graph.root.of_kind("machine")
    alone = edits.without(graph, graph.root.id, [machine.id])
    assert [s.name for s in alone.sheets] == ["main"] and alone.root.links == ()


def test_a_sheet_that_another_node_or_blend_opens_too_stays_when_one_goes():
    graph = nested()
    outer = next(s for s in graph.sheets if any(n.name == "y" for n in s.nodes))
    x, y = (next(n for n in outer.nodes if n.name == name) for name in "xy")
    shared = edits.with_parameter(graph, y.id, "sheet", x.parameters["sheet"])
    assert "x" in [s.name for s in edits.without(shared, outer.id, [y.id]).sheets]
    mixed = next(s for s in graph.sheets if s.name == "mixed")
    also = edits.with_parameter(graph, y.id, "sheet", mixed.id)
    own = edits.with_transition(also, replace(outer.transitions[1], source=x.id, target=x.id,
                                              blend=Blend("1", sheet=mixed.id)))  # fmt: skip
    assert "mixed" in [s.name for s in edits.without(own, outer.id, [y.id]).sheets]


def test_healed_wires_are_laid_where_nodes_go():
    old = sheet([(0, 1), (1, 2), (3, 4)])
    graph = Graph("g", "g", "rig", sheets=(old,))
    laid = Link(number(0), number(2), "pose")
    now = edits.without(graph, old.id, [number(1)], [laid]).sheets[0]
    assert now.links == (old.links[2], laid)
    assert [n.id for n in now.nodes] == [number(n) for n in (0, 2, 3, 4, 5)]


def test_transitions_of_a_state_change_places_among_themselves_and_keep_that_order():
    d = Drawing(clip("a"))
    names = ("a", "b", "c", "d")
    arrows = [("a", "b", "1"), ("b", "c", "2"), ("a", "c", "3"), ("a", "d", "4", {"priority": -5})]
    graph = d.machine_graph(d.machine({n: d.clip_sheet(n) for n in names}, arrows))
    moves = next(s for s in graph.sheets if s.kind is SheetKind.MACHINE)
    first, other, second, third = moves.transitions
    assert [t.rule for t in edits.ranked(moves, first.source)] == ["4", "1", "3"]
    changed = edits.reordered(graph, moves.id, [second.id, third.id, first.id]).sheet(moves.id)
    assert [t.rule for t in changed.transitions] == ["3", "2", "4", "1"]
    assert [t.priority for t in changed.transitions] == [0, other.priority, 1, 2]
    assert [t.rule for t in edits.ranked(changed, first.source)] == ["3", "4", "1"]
    with pytest.raises(ValidationError):
        edits.reordered(graph, moves.id, [first.id, other.id])


@pytest.mark.parametrize("wanted, taken, got", [
    ("walk", (), "walk"), ("walk", ("run",), "walk"), ("walk", ("walk",), "walk 2"),
    ("walk", ("walk", "walk 2"), "walk 3"), ("walk 2", ("walk", "walk 2"), "walk 3"),
    ("walk12", ("walk12",), "walk 2"), ("7", ("7",), "7 2"),
])  # fmt: skip
def test_a_taken_name_gets_the_least_free_number(wanted, taken, got):
    assert edits.free_name(wanted, taken) == got


def test_every_expression_is_listed_and_changed_where_it_stands():
    graph = nested()
    player = next(n for s in graph.sheets for n in s.nodes if n.kind == "clip")
    graph = edits.with_literal(edits.with_literal(graph, player.id, "speed", "2"), player.id, "at", "1")
    before = list(edits.expressions_of(graph))
    ways = [t for s in graph.sheets for t in s.transitions]
    assert sorted(before) == sorted(
        [(player.id, "speed", "2"), (player.id, "at", "1")]
        + [(t.id, "rule", t.rule) for t in ways] + [(t.id, "blend seconds", t.blend.seconds) for t in ways]
    )  # fmt: skip
    changed = edits.with_expressions(graph, lambda text: f"({text})")
    assert list(edits.expressions_of(changed)) == [(item, pin, f"({text})") for item, pin, text in before]
    same = edits.with_expressions(graph, str)
    assert all(a is b for a, b in zip(same.sheets, graph.sheets, strict=True))
    only = edits.with_expressions(graph, lambda text: text.replace("go", "went"))
    assert sum(a is not b for a, b in zip(only.sheets, graph.sheets, strict=True)) == 1
