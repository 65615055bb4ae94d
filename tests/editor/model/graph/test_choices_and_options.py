"""What a parameter of a node can be chosen from: assets and names of the graph's own character, by form."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.graph.catalogue.pins import Form, Parameter
from core.graph.graph import Graph, Node
from core.graph.language.functions import FUNCTIONS
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.graph.choices import FREE, ON_NODE, Choices, Option
from editor.model.graph.editor import GraphEditor
from editor.model.graph.options import LISTS, NAMED, Options
from tests.editor.model.graph.many_assets import (
    AIM,
    BONE_NAMES,
    OTHER_GRAPH,
    POSE_SET,
    SPACE,
    many_project,
    many_session,
)
from tests.editor.panels.graph.graphs import GRAPH, POSES, id_of
from tests.editor.stage import TURN, WALK

OWN: dict[Form, list[tuple[str, str]]] = {
    Form.CLIP: [(WALK, "walk"), (TURN, "turn")],
    Form.SPACE: [(SPACE, "paces")],
    Form.AIM: [(AIM, "looks")],
    Form.POSES: [(POSE_SET, "face")],
    Form.GRAPH: [(OTHER_GRAPH, "other")],
    **{
        form: [(name, name) for name in names]
        for form, names in {
            Form.BONE: [*BONE_NAMES, "grip"],
            Form.MASK: ["arms", "upper"],
            Form.SETUP: ["left arm", "right arm"],
            Form.SLOT: ["DefaultGroup.Arms"],
            Form.MONTAGE: ["hit"],
            Form.CURVE: ["lean", "sway"],
        }.items()
    },
}


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    yield session.feature(GraphEditor)
    session.close()


def choices() -> Choices:
    project = many_project()
    return Choices(project.get(Graph, GRAPH), project)


@pytest.mark.parametrize("form", list(OWN))
def test_only_what_belongs_to_the_character_is_offered(form: Form) -> None:
    assert [(o.value, o.title) for o in choices().of(form)] == OWN[form]
    assert set(OWN) == set(ON_NODE)


@pytest.mark.parametrize("form", [form for form in Form if form not in ON_NODE])
def test_forms_that_are_not_chosen_on_the_node_offer_nothing(form: Form) -> None:
    assert choices().of(form) == ()


@pytest.mark.parametrize("form", [Form.BONE, Form.MASK, Form.SETUP])
def test_of_a_character_that_is_gone_no_names_are_offered(form: Form) -> None:
    project = many_project()
    rigless = Project({id: a for id, a in project.assets.items() if a not in project.rigs})
    assert Choices(project.get(Graph, GRAPH), rigless).of(form) == ()


def test_a_list_is_made_once() -> None:
    made = choices()
    assert made.of(Form.BONE) is made.of(Form.BONE)


def test_a_value_is_called_by_its_title_and_one_that_is_not_there_by_nothing() -> None:
    made = choices()
    assert made.title(Parameter("clip", Form.CLIP), TURN) == "turn"
    assert made.title(Parameter("clip", Form.CLIP), "clip-gone") is None
    assert made.title(Parameter("mask", Form.MASK), "arms") == "arms"
    assert made.title(Parameter("mask", Form.MASK), "legs") is None


@pytest.mark.parametrize("form", FREE)
def test_where_a_new_name_may_be_typed_any_value_is_called_by_itself(form: Form) -> None:
    assert choices().title(Parameter("x", form), "new") == "new"


# ---------------------------------------------------------------- in the panel
def options(editor: GraphEditor, form: Form, node: Node | None = None, **more: object) -> list[str]:
    parameter = Parameter("x", form, **more)  # type: ignore[arg-type]
    made = Options(editor.canvas, editor.language).of(parameter, node or Node(id_of(1), "clip"))
    return [o.value for o in made]


@pytest.mark.parametrize("form", list(OWN))
def test_the_panel_offers_what_the_node_offers(editor, form: Form) -> None:
    made = Options(editor.canvas, editor.language).of(Parameter("x", form), Node(id_of(1), "clip"))
    assert made == [Option(value, title) for value, title in OWN[form]]


def test_fixed_choices_are_spelled_and_none_is_a_dash(editor) -> None:
    parameter = Parameter("reset", Form.CHOICE, "", ("", "when_irrelevant", "always"))
    made = Options(editor.canvas, editor.language).of(parameter, Node(id_of(1), "state"))
    assert made == [
        Option("", "–"), Option("when_irrelevant", "When irrelevant"), Option("always", "Always"),
    ]  # fmt: skip


def more_nodes(editor: GraphEditor, *nodes: Node) -> None:
    graph = editor.canvas.graph
    sheets = tuple(replace(s, nodes=(*s.nodes, *nodes)) if s.id == POSES else s for s in graph.sheets)
    enums, maps = {"gaits": ("trot",)}, {"ease": scalar_track([0.0], [0.0])}
    editor.canvas.commit("More", replace(graph, sheets=sheets, enums=enums, maps=maps))


def test_names_of_the_graph_are_offered_in_their_order(editor) -> None:
    more_nodes(
        editor,
        Node(id_of(900), "inertialise", {}, {}, "soft"),
        Node(id_of(901), "inertialise"),
        Node(id_of(902), "clip", {"group": "feet"}, {}, "soft clip"),
        Node(id_of(903), "clip", {"group": "arms"}),
        Node(id_of(904), "save_pose", {"name": "kept"}),
        Node(id_of(905), "save_pose", {"name": "early"}),
        Node(id_of(906), "save_pose"),
        Node(id_of(907), "snapshot", {"snapshot": "seen"}),
        Node(id_of(908), "save_snapshot", {"snapshot": "fallen"}),
        Node(id_of(909), "save_snapshot", {"snapshot": "seen"}),
        Node(id_of(910), "emit_event", {"event": "landed"}),
    )
    wanted = {
        Form.MAP: ["ease"],
        Form.VARIABLE: ["speed", "crouch"],
        Form.ENUM: ["gaits"],
        Form.FUNCTION: list(FUNCTIONS),
        Form.MACHINE: ["moves"],
        Form.SNAPSHOT: ["fallen", "seen"],
        Form.SAVED: ["early", "kept"],
        Form.INERTIALISER: ["soft"],
        Form.GROUP: ["arms", "feet"],
        Form.EVENT: ["landed"],
    }
    assert {form: options(editor, form) for form in wanted} == wanted


def test_sections_are_those_of_the_montage_that_the_node_plays(editor) -> None:
    for montage, sections in (("hit", ["wind up", "strike"]), ("odd hit", []), (None, [])):
        node = Node(id_of(1), "play_montage", {} if montage is None else {"montage": montage})
        assert options(editor, Form.SECTION, node) == sections


def test_states_are_those_of_the_machine_that_the_node_names(editor) -> None:
    made = editor.add_named("machine", (0.0, 600.0))
    for machine, states in (("moves", ["idle", "walking"]), ("gone", []), (None, [])):
        node = Node(id_of(1), "go", {} if machine is None else {"machine": machine})
        assert options(editor, Form.STATE, node) == states
    name = next(n.name for n in editor.canvas.sheet.nodes if n.id == made)
    assert options(editor, Form.STATE, Node(id_of(1), "go", {"machine": name})) == []


@pytest.mark.parametrize("form", [Form.TEXT, Form.NUMBER, Form.WHOLE, Form.TRUTH, Form.SHEET, *LISTS])
def test_what_is_typed_has_no_options(editor, form: Form) -> None:
    assert options(editor, form) == []
    assert form not in NAMED


def test_without_a_graph_there_are_no_options(editor) -> None:
    editor.document.replace(Project({}), None)
    assert options(editor, Form.CLIP) == []
    assert options(editor, Form.CHOICE, choices=("a", "b")) == []
