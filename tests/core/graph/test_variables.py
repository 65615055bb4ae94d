"""Edits of a graph's variables: what a rename follows, where a variable is used, what a change of kind keeps."""

from dataclasses import replace

import pytest

from core.errors import MissingReferenceError, ValidationError
from core.graph import variables as edit
from core.graph.graph import Link, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from tests.core.graph.builders import Drawing, clip


def drawn():
    """Every place that a graph names a variable in, each in a node or transition of its own."""
    d = Drawing(
        clip("a"), variables=(Variable("speed"), Variable("go", Kind.BOOL, maximum=1.0), Variable("turn"))
    )
    nodes = [
        d.node("clip", "typed", {"speed": "speed * 2", "at": "turn"}, clip="clip-a"),
        d.node("get", "got", variable="speed"),
        d.node("wait", "waits", trigger="speed"),
        d.node("expression", "own pin", {"speed": "1", "value": "speed"}),
        d.node("expression", "typed value", {"x": "1", "value": "speed + x"}),
        d.node("clip", "named alike", {"at": "turn"}, clip="speeds"),
    ]
    root = d.pose_sheet("main", nodes, [], nodes[0])
    d.machine(
        {"one": d.clip_sheet("one"), "two": d.clip_sheet("two")},
        [("one", "two", "speed > 1"), ("two", "one", "take('speed')"), ("one", "one", "go", {"seconds": "speed"}),
         ("two", "two", "go")],
    )  # fmt: skip
    return d.graph(root), {node.name: node.id for node in nodes}


def test_a_variable_is_found_by_its_name_and_near_names_are_told():
    graph, _ = drawn()
    assert edit.variable_named(graph, "go") is graph.variables[1]
    with pytest.raises(MissingReferenceError, match="speed"):
        edit.variable_named(graph, "sped")


def test_a_variable_is_added_last_and_one_of_its_name_is_put_in_place():
    graph, _ = drawn()
    fresh, again = Variable("more"), Variable("go", default=(3.0,))
    assert edit.with_variable(graph, fresh).variables == (*graph.variables, fresh)
    assert edit.with_variable(graph, again).variables == (graph.variables[0], again, graph.variables[2])
    for word in ("and", "dt", "time_in_state", "true"):
        with pytest.raises(ValidationError):
            edit.with_variable(graph, Variable(word))


def test_a_variable_that_goes_leaves_the_texts_that_name_it():
    graph, _ = drawn()
    left = edit.without_variable(graph, "speed")
    assert left.variables == graph.variables[1:] and left.sheets == graph.sheets
    with pytest.raises(MissingReferenceError):
        edit.without_variable(graph, "sped")


@pytest.mark.parametrize("place, names", [
    (-3, "turn speed go"), (0, "turn speed go"), (1, "speed turn go"), (2, "speed go turn"), (9, "speed go turn"),
])  # fmt: skip
def test_a_variable_moves_to_a_place_of_the_list(place, names):
    graph, _ = drawn()
    assert [v.name for v in edit.moved_variable(graph, "turn", place).variables] == names.split()


WIDE = (-1e12, 1e12)


@pytest.mark.parametrize("old, kind, members, default, bounds", [
    (Variable("v", default=(2.6,), minimum=-1.0, maximum=5.0), Kind.INT, 1, (3.0,), (-1.0, 5.0)),
    (Variable("v", default=(2.6,), minimum=2.0, maximum=5.0), Kind.VECTOR, 1, (2.6, 0.0, 0.0), (0.0, 5.0)),
    (Variable("v", default=(-2.0,), minimum=-5.0, maximum=-1.0), Kind.VECTOR, 1, (-2.0, 0.0, 0.0), (-5.0, 0.0)),
    (Variable("v", default=(2.6,), minimum=2.0, maximum=5.0), Kind.BOOL, 1, (1.0,), (0.0, 1.0)),
    (Variable("v", default=(0.0,)), Kind.BOOL, 1, (0.0,), (0.0, 1.0)),
    (Variable("v", default=(2.6,)), Kind.ENUM, 4, (0.0,), (0.0, 3.0)),
    (Variable("v", default=(2.6,)), Kind.ENUM, 0, (0.0,), (0.0, 0.0)),
    (Variable("v", default=(2.6,)), Kind.NAME, 4, (0.0,), (0.0, 1e12)),
    (Variable("v", Kind.VECTOR, (1.0, 2.0, 3.0), -4.0, 4.0), Kind.FLOAT, 1, (1.0,), WIDE),
    (Variable("v", Kind.VECTOR, (1.0, 2.0, 3.0), -4.0, 4.0), Kind.VECTOR, 1, (1.0, 2.0, 3.0), WIDE),
    (Variable("v", Kind.BOOL, (1.0,), 0.0, 1.0), Kind.FLOAT, 1, (1.0,), (0.0, 1.0)),
    (Variable("v", Kind.BOOL, (1.0,), 0.0, 1.0), Kind.VECTOR, 1, (1.0, 0.0, 0.0), WIDE),
    (Variable("v", Kind.ENUM, (2.0,), 0.0, 3.0, enum="e"), Kind.INT, 1, (2.0,), WIDE),
    (Variable("v", Kind.INT, (2.0,), -3.0, 3.0), Kind.FLOAT, 1, (2.0,), (-3.0, 3.0)),
])  # fmt: skip
def test_a_changed_kind_keeps_what_fits(old, kind, members, default, bounds):
    enum = "e2" if kind is Kind.ENUM else ""
    made = edit.changed_kind(old, kind, enum, members)
    assert (made.kind, made.default, (made.minimum, made.maximum), made.enum) == (kind, default, bounds, enum)


def test_a_rename_follows_to_every_place_that_names_the_variable():
    graph, ids = drawn()
    made = edit.renamed_variable(graph, "speed", "pace")
    assert [v.name for v in made.variables] == ["pace", "go", "turn"]
    now = {n.name: n for n in made.sheets[0].nodes}
    assert dict(now["typed"].literals) == {"speed": "pace * 2", "at": "turn"}
    assert now["got"].parameters["variable"] == "pace" and now["waits"].parameters["trigger"] == "pace"
    assert dict(now["own pin"].literals) == {"speed": "1", "value": "speed"}  # the pin hides the variable
    assert dict(now["typed value"].literals) == {"x": "1", "value": "pace + x"}
    moves = next(s for s in made.sheets if s.transitions)
    assert [t.rule for t in moves.transitions] == ["pace > 1", "take('pace')", "go", "go"]
    assert moves.transitions[2].blend.seconds == "pace"
    old = next(s for s in graph.sheets if s.transitions)
    assert moves.transitions[3] is old.transitions[3] and now["named alike"].id == ids["named alike"]
    assert edit.renamed_variable(made, "pace", "speed").sheets == graph.sheets


def test_a_rename_leaves_sheets_and_nodes_that_do_not_name_the_variable_the_same_things():
    graph, _ = drawn()
    made = edit.renamed_variable(graph, "speed", "pace")
    same = [new is old for new, old in zip(made.sheets, graph.sheets, strict=True)]
    named = [s.kind == "machine" or s.name == "main" for s in graph.sheets]
    assert same == [not n for n in named]
    last = [s.nodes[-2] for s in (made.sheets[0], graph.sheets[0])]
    assert last[0].name == "named alike" and last[0] is last[1]
    assert edit.renamed_variable(graph, "speed", "speed") is graph


@pytest.mark.parametrize("new", ["go", "and", "dt"])
def test_a_variable_takes_no_name_that_is_taken_or_a_word(new):
    with pytest.raises(ValidationError):
        edit.renamed_variable(drawn()[0], "speed", new)


def test_uses_are_the_nodes_and_transitions_that_name_a_variable():
    graph, ids = drawn()
    ways = next(s for s in graph.sheets if s.transitions).transitions
    used = edit.uses(graph, "speed")
    assert set(used) == {ids[n] for n in ("typed", "got", "own pin", "typed value", "waits")} | {
        t.id for t in ways[:3]
    }
    assert len(set(used)) == len(used)
    assert set(edit.uses(graph, "turn")) == {ids["typed"], ids["named alike"]}
    assert edit.uses(graph, "nowhere") == ()


def test_pins_of_linked_graphs_follow_a_rename_and_others_stay():
    d = Drawing(clip("a"))
    linked = d.node("linked_graph", "linked", {"speed": "1", "turn": "2"}, graph="graph-2")
    other = d.node("linked_graph", "other", {"speed": "1"}, graph="graph-3")
    player = d.node("clip", "player", {"speed": "1"}, clip="clip-a", graph="graph-2")
    graph = d.graph(d.pose_sheet("main", [linked, other, player], [(player, linked, "speed"), (player, linked, "turn"),
                                                                   (player, other, "speed")], linked))  # fmt: skip
    made = edit.renamed_pins(graph, AssetId("graph-2"), "speed", "pace")
    now = made.sheets[0]
    assert dict(now.nodes[0].literals) == {"pace": "1", "turn": "2"}
    assert now.nodes[1:] == graph.sheets[0].nodes[1:]
    assert [x.pin for x in now.links] == ["pace", "turn", "speed", "pose"]
    assert now.links[0] == Link(player.id, linked.id, "pace")
    assert edit.renamed_pins(graph, AssetId("graph-2"), "nowhere", "pace") is graph
    assert edit.renamed_pins(graph, AssetId("graph-9"), "speed", "pace") is graph
    wired = replace(graph.sheets[0], nodes=(replace(linked, literals={}), other, player))
    only = edit.renamed_pins(graph.with_sheet(wired), AssetId("graph-2"), "turn", "t")
    assert [x.pin for x in only.sheets[0].links] == ["speed", "t", "speed", "pose"]
