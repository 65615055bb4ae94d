"""Edits of the variables of a graph: names, bounds, kinds and members; each one undo step with its label."""

from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph.graph import LINKED, Graph, Link, Node, Role, Variable
from core.graph.language.values import Kind
from core.graph.montage_edits import new_montage
from core.ids import AssetId
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.variable_edits import KINDS, STARTS, VariableEdits
from editor.model.session import Session
from tests.editor.panels.graph.graphs import GRAPH, OUTPUT, POSES, graph_project, id_of
from tests.editor.stage import RIG, WALK


@pytest.fixture
def session():
    made = Session.create()
    made.document.replace(graph_project(), None)
    made.playback.set_clip(WALK)
    yield made
    made.close()


@pytest.fixture
def edits(session) -> VariableEdits:
    return session.feature(VariableEdits)


def graph(session) -> Graph:
    return session.document.project.get(Graph, GRAPH)


def last(session) -> Variable:
    return graph(session).variables[-1]


def done(session) -> tuple[int, str]:
    """How many steps, and the last one's label."""
    return session.history.position, session.history.labels[-1]


# ---------------------------------------------------------------- new ones
@pytest.mark.parametrize(
    ("kind", "role", "name"),
    [
        (Kind.FLOAT, Role.INPUT, "value"), (Kind.BOOL, Role.INPUT, "flag"), (Kind.BOOL, Role.TRIGGER, "trigger"),
        (Kind.FLOAT, Role.OWN, "own"), (Kind.BOOL, Role.OWN, "own"), (Kind.INT, Role.INPUT, "value"),
        (Kind.VECTOR, Role.INPUT, "value"), (Kind.NAME, Role.INPUT, "value"),
    ],
)  # fmt: skip
def test_a_new_variable_has_a_free_name_and_the_bounds_of_its_kind(session, edits, kind, role, name) -> None:
    assert edits.add(graph(session), kind, role) == name
    low, high, default = STARTS[kind]
    assert last(session) == Variable(name, kind, default, low, high, role=role)
    assert done(session) == (1, f"Add variable {name}")
    assert [edits.add(graph(session), kind, role) for _ in range(2)] == [f"{name}_2", f"{name}_3"]
    assert set(STARTS) | {Kind.ENUM} == set(KINDS)


def test_what_is_not_said_is_a_float_input(session, edits) -> None:
    edits.add(graph(session))
    assert (last(session).kind, last(session).role, last(session).maximum) == (Kind.FLOAT, Role.INPUT, 1.0)


def test_the_first_enum_is_made_and_the_next_one_uses_it(session, edits) -> None:
    edits.add(graph(session), Kind.ENUM)
    assert graph(session).enums == {"mode": ("first", "second")}
    assert last(session) == Variable("value", Kind.ENUM, (0.0,), 0.0, 1.0, enum="mode")
    session.edits.put("enums", replace(graph(session), enums={"gait": ("a", "b", "c"), "mode": ("x", "y")}))
    edits.add(graph(session), Kind.ENUM)
    assert (last(session).enum, last(session).maximum) == ("gait", 2.0)
    assert graph(session).enums["mode"] == ("x", "y")


def test_an_enum_without_members_begins_at_nought(session, edits) -> None:
    session.edits.put("enums", replace(graph(session), enums={"none": ()}))
    edits.add(graph(session), Kind.ENUM)
    assert (last(session).minimum, last(session).maximum) == (0.0, 0.0)


# ---------------------------------------------------------------- names and places
def test_only_a_graph_of_the_document_is_edited(session, edits) -> None:
    assert edits.editable(graph(session)) and not edits.editable(replace(graph(session)))


@pytest.mark.parametrize(("new", "name"), [("pace", "pace"), ("  my pace ", "my_pace"), ("Pace2", "Pace2")])
def test_a_variable_is_renamed_with_what_was_set_for_it(session, edits, new, name) -> None:
    inputs = session.feature(GraphRun).inputs
    inputs.set(graph(session), "speed", 1.5)
    assert edits.rename(graph(session), "speed", new)
    renamed = graph(session).variables[0]
    assert renamed.name == name and done(session) == (1, f"Rename variable speed to {name}")
    assert inputs.value(graph(session), renamed) == 1.5
    assert name in {n.literals.get("alpha") for n in graph(session).sheet(POSES).nodes}


@pytest.mark.parametrize("new", ["", "   ", "speed", " speed "])
def test_no_name_or_the_same_one_is_no_step(session, edits, new) -> None:
    assert not edits.rename(graph(session), "speed", new) and session.history.position == 0


def test_graphs_that_link_it_are_renamed_in_the_same_step(session, edits) -> None:
    other = replace(graph(session), id=AssetId("graph-other"), name="other")
    node = Node(id_of(90), "linked_graph", {LINKED: GRAPH}, {"speed": "1.0"})
    poses = other.sheet(POSES)
    links = tuple(Link(node.id, OUTPUT, "pose") if x.target == OUTPUT else x for x in poses.links)
    poses = replace(poses, nodes=(*poses.nodes, node), links=links)
    sheets = tuple(poses if s.id == POSES else s for s in other.sheets)
    bystander = replace(graph(session), id=AssetId("graph-third"), name="third")
    session.edits.put("other", replace(other, sheets=sheets), bystander)
    before = session.document.project.assets
    assert edits.rename(graph(session), "speed", "pace") and session.history.position == 2
    linked = session.document.project.get(Graph, other.id).sheet(POSES).nodes[-1]
    assert dict(linked.literals) == {"pace": "1.0"}
    assert session.document.project.assets[bystander.id] is before[bystander.id]
    session.undo()
    assert session.document.project.assets == before


def test_a_variable_is_deleted_and_moved(session, edits) -> None:
    assert edits.uses(graph(session), "crouch") == () and len(edits.uses(graph(session), "speed")) == 3
    assert edits.move(graph(session), "speed", 1) and done(session) == (1, "Move variable speed")
    assert [v.name for v in graph(session).variables] == ["crouch", "speed"]
    assert edits.delete(graph(session), "crouch") and done(session) == (2, "Delete variable crouch")
    assert [v.name for v in graph(session).variables] == ["speed"]


# ---------------------------------------------------------------- kinds and roles
def speed(session) -> Variable:
    return graph(session).variables[0]


def test_the_same_kind_is_no_step(session, edits) -> None:
    assert not edits.set_kind(graph(session), speed(session), Kind.FLOAT) and session.history.position == 0


def test_another_kind_fits_its_default(session, edits) -> None:
    assert edits.set_kind(graph(session), speed(session), Kind.VECTOR)
    assert speed(session).default == (0.0, 0.0, 0.0) and done(session) == (1, "Change variable speed")
    assert graph(session).enums == {}


def test_a_variable_becomes_an_enum_of_the_graphs_first_or_of_a_new_one(session, edits) -> None:
    edits.set_kind(graph(session), speed(session), Kind.ENUM)
    assert graph(session).enums == {"mode": ("first", "second")}
    assert (speed(session).enum, speed(session).maximum) == ("mode", 1.0)
    session.undo()
    session.edits.put("enums", replace(graph(session), enums={"gait": ("a", "b", "c"), "mode": ("x",)}))
    edits.set_kind(graph(session), speed(session), Kind.ENUM)
    assert (speed(session).enum, speed(session).maximum) == ("gait", 2.0)
    assert graph(session).enums == {"gait": ("a", "b", "c"), "mode": ("x",)}


def test_a_trigger_is_a_bool_and_other_roles_keep_the_kind(session, edits) -> None:
    edits.set_role(graph(session), speed(session), Role.OWN)
    assert (speed(session).role, speed(session).kind, speed(session).maximum) == (Role.OWN, Kind.FLOAT, 4.0)
    edits.set_role(graph(session), speed(session), Role.TRIGGER)
    assert (speed(session).role, speed(session).kind, speed(session).maximum) == (
        Role.TRIGGER,
        Kind.BOOL,
        1.0,
    )


# ---------------------------------------------------------------- bounds
@pytest.mark.parametrize(
    ("low", "high", "default", "kept"),
    [
        (0.0, 2.0, 1.0, 1.0),
        (2.0, 3.0, 1.0, 2.0),
        (0.0, 0.5, 1.0, 0.5),
        (1.0, 1.0, 1.0, 1.0),
        (-3.0, -2.0, 1.0, -2.0),
    ],
)
def test_a_range_brings_the_default_within(session, edits, low, high, default, kept) -> None:
    edits.set_default(graph(session), speed(session), (default,))
    assert edits.set_range(graph(session), speed(session), low, high)
    assert (speed(session).minimum, speed(session).maximum, speed(session).default) == (low, high, (kept,))


def test_a_range_upside_down_is_refused(session, edits) -> None:
    with pytest.raises(
        ValidationError, match=r"^speed: expected a minimum below the maximum, got 2\.5 and 2$"
    ):
        edits.set_range(graph(session), speed(session), 2.5, 2.0)
    assert session.history.position == 0


@pytest.mark.parametrize(("given", "kept"), [(9.0, 4.0), (-1.0, 0.0), (3.0, 3.0)])
def test_a_default_is_kept_within_the_range(session, edits, given, kept) -> None:
    edits.set_default(graph(session), speed(session), (given,))
    assert speed(session).default == (kept,)


@pytest.mark.parametrize(("given", "kept"), [(0.5, 0.5), (-1.0, 0.0)])
def test_a_trigger_lasts_no_less_than_no_time(session, edits, given, kept) -> None:
    edits.set_unit(graph(session), speed(session), "  km/h ")
    edits.set_buffer(graph(session), speed(session), given)
    assert (speed(session).unit, speed(session).buffer) == ("km/h", kept)


def test_members_of_an_enum_bound_its_default(session, edits) -> None:
    edits.set_kind(graph(session), speed(session), Kind.ENUM)
    edits.set_members(graph(session), speed(session), ("a", "b", "c"))
    edits.set_default(graph(session), speed(session), (2.0,))
    assert graph(session).enums == {"mode": ("a", "b", "c")} and speed(session).default == (2.0,)
    assert edits.set_members(graph(session), speed(session), ("a", "b"))
    assert (speed(session).maximum, speed(session).default) == (1.0, (1.0,))
    for wrong in ((), ("a", "a"), ("a", "b", "a")):
        with pytest.raises(ValidationError, match="Expected different names, with commas between them"):
            edits.set_members(graph(session), speed(session), wrong)


def test_montages_of_the_graphs_rig_can_be_played(session, edits) -> None:
    clip = session.document.project.assets[WALK]
    rig = replace(session.document.project.assets[RIG], id=AssetId("rig-other"), name="other")
    own = new_montage(AssetId("m1"), "m1", RIG, [clip])
    session.edits.put("montages", rig, own, replace(own, id=AssetId("m2"), name="m2", rig=rig.id, tracks=()))
    assert [montage.id for montage in edits.montages()] == ["m1"]
    session.edits.remove("gone", GRAPH)
    assert edits.montages() == ()
