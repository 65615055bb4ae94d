"""Names in graphs: renamed everywhere, found and replaced, completed and checked as they are typed; variables."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from core.errors import AnimError
from core.graph.graph import Graph, Node, Role
from core.graph.language.values import BOOL, FLOAT, Kind, ValueType
from editor.model.graph.editor import GraphEditor
from editor.model.graph.state import PinPlace
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.variable_edits import KINDS, VariableEdits
from tests.editor.model.graph.named_graph import ANY, EASE, LEAD, LINKED, LINKING, named_session
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GRAPH,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    POSES,
    WALKING,
    id_of,
)
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = named_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()


def graph(editor, id=GRAPH) -> Graph:
    return editor.session.document.project.get(Graph, id)


def spoken(graph: Graph) -> list[object]:
    """Everything of a graph in which a name can stand."""
    sheets = [
        (s.name, [(n.id, n.kind, n.name, dict(n.parameters), dict(n.literals)) for n in s.nodes],
         [(x.target, x.pin) for x in s.links],
         [(t.id, t.rule, t.blend.seconds, t.player) for t in s.transitions])
        for s in graph.sheets
    ]  # fmt: skip
    variables = [
        (v.name, v.kind, v.default, v.minimum, v.maximum, v.unit, v.role, v.enum, v.buffer)
        for v in graph.variables
    ]
    return [graph.name, graph.slots, dict(graph.enums), variables, sheets, str(graph.layout)]


def outcome(editor, do: Callable[[], object]) -> list[object]:
    """What comes of an edit: its answer or refusal, its step, both graphs."""
    before, position = editor.session.document.project, editor.session.history.position
    try:
        answer = do()
    except AnimError as error:
        assert editor.session.document.project is before
        return ["refused", str(error)]
    after = editor.session.document.project
    told = [answer, editor.session.history.labels[position : editor.session.history.position]]
    changed = [id for id in (GRAPH, LINKING) if after.assets[id] is not before.assets[id]]
    told += [spoken(after.assets[id]) for id in changed]
    if after is not before:
        assert editor.session.undo() and editor.session.document.project.assets[GRAPH] is before.assets[GRAPH]
        editor.session.redo()
    return told


RENAMES: dict[str, Callable[[GraphEditor], object]] = {
    **{
        f"variable {old} to {new!r}": lambda e, old=old, new=new: e.renames.rename_variable(old, new)
        for old, new in (
            ("speed", "pace"), ("speed", " pace "), ("speed", "speed"), ("speed", "crouch"), ("speed", "2pace"),
            ("speed", "a b"), ("speed", ""), ("jump", "hop"), ("crouch", "low"), ("gait", "_g1"), ("none", "other"),
        )
    },
    **{
        f"node {node} to {new!r}": lambda e, node=node, new=new: e.renames.rename_node(node, new)
        for node, new in (
            (CLIP_A, "runner"), (CLIP_A, ""), (CLIP_A, "strider"), (CLIP_B, "strider"), (BLEND, "mixer"),
            (MACHINE, "ways"), (MACHINE, ""), (IDLE, "rest"), (IDLE, " rest "), (IDLE, "walking"), (IDLE, ""),
            (WALKING, "idle"), (WALKING, "going"), (EASE, "soft"), (LEAD, "lead"), (ANY, "some"),
        )
    },
    **{
        f"slot {old} to {new!r}": lambda e, old=old, new=new: e.renames.rename_slot(old, new)
        for old, new in (
            ("DefaultGroup.Arms", "DefaultGroup.Legs"), ("DefaultGroup.Arms", "DefaultGroup.Head"),
            ("DefaultGroup.Head", " Other.Face "), ("DefaultGroup.Head", " "),
        )
    },
    "event step": lambda e: e.renames.rename_event("step", " tread "),
    "event of a clip": lambda e: e.renames.rename_event("foot", "toe"),
    "sheet": lambda e: e.renames.rename_sheet(IDLE_SHEET, " resting "),
    "graph": lambda e: e.renames.rename_graph(" walker "),
    "graph to nothing": lambda e: e.renames.rename_graph("  "),
}  # fmt: skip


@pytest.mark.parametrize("case", list(RENAMES))
def test_a_name_is_changed_wherever_it_is_spoken_of(editor, case: str) -> None:
    PINS.hold(f"rename {case}", outcome(editor, lambda: RENAMES[case](editor)))


def test_a_name_that_two_nodes_have_stays_where_it_is_spoken_of(editor) -> None:
    editor.renames.rename_node(CLIP_B, "strider")
    PINS.hold("rename one of two", outcome(editor, lambda: editor.renames.rename_node(CLIP_A, "runner")))


def test_the_variable_of_a_linked_graph_is_a_pin_elsewhere(editor) -> None:
    editor.renames.rename_variable("speed", "pace")
    node = next(n for n in graph(editor, LINKING).root.nodes if n.id == LINKED)
    assert dict(node.literals) == {"pace": "2.0 * speed", "crouch": "true"}  # its own variable keeps its name
    assert graph(editor, LINKING).root.link_to(LINKED, "pace") and "pace" in str(
        graph(editor, LINKING).layout
    )


# ---------------------------------------------------------------- find and replace
TEXTS = ("speed", "SPEED", "step", "strider", "mix", "idle", "walk", "graph", "blend", "0.2", "Comment", "moves",
         "jump", "crouch", "DefaultGroup.Arms", "zzz", "")  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_found(editor, text: str) -> None:
    for whole, found in ((False, editor.finding.find(text)), (True, editor.finding.uses(text))):
        assert found == editor.finding.find(text, whole=whole)
        PINS.hold(
            f"find {text!r}{', whole' if whole else ''}",
            [[f.sheet, f.item, f.title, f.where, f.text] for f in found],
        )


def test_what_is_found_in_a_graph_that_links_another(editor) -> None:
    editor.canvas.open(LINKING)
    assert [(f.item, f.where) for f in editor.finding.uses("test")] == [(LINKED, "Graph")]
    PINS.hold(
        "find speed in the linking graph",
        [[f.item, f.title, f.where, f.text] for f in editor.finding.uses("speed")],
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("speed", "pace"), ("strider", ""), ("idle", "rest"), ("0", "1"), ("zzz", "y"), ("", "x"), (GRAPH, "g")],
)
def test_what_is_replaced(editor, old: str, new: str) -> None:
    PINS.hold(f"replace {old!r} by {new!r}", outcome(editor, lambda: editor.finding.replace(old, new)))


def test_without_a_graph_nothing_is_found(editor) -> None:
    editor.session.edits.remove("gone", GRAPH, LINKING)
    language = editor.language
    assert editor.canvas.graph is None and editor.finding.find("speed") == []
    assert language.fault("speed", None) is None and language.completions("sp", 2) == []
    assert language.value("speed") == "" and language.type_of(PinPlace(BLEND, "alpha")) is None


# ---------------------------------------------------------------- while it is typed
GAIT = ValueType(Kind.ENUM, "gaits")
TYPED = ("", " ", "s", "sp", "speed", "SPEED", "eed", "not cr", "1", "1.", "speed > ", "speed > cr", "tr", "st", "s1",
         "take('", "take('j", "fired(\"", "state('", "state('mo", "event('", "event('f", "curve('", "curve('l",
         "bone('", "weight('", "weight('m", "time('", "active('", "map('", "playing('", "exited( '", "min('",
         "'x' + state('m",
         "ragdoll_speed('", "got_up('", "_", "time('a') + we")  # fmt: skip


@pytest.mark.parametrize("type_", [None, BOOL, GAIT], ids=["any", "bool", "enum"])
def test_what_could_stand_at_the_cursor(editor, type_) -> None:
    for text in TYPED:
        found = editor.language.completions(text, len(text), type_)
        PINS.hold(
            f"complete {text!r}, {'any' if type_ is None else type_.kind}",
            [[c.text, c.begin, c.end, c.help] for c in found],
        )
    inside = editor.language.completions("take('j')", 7, type_)
    assert [(c.text, c.begin, c.end) for c in inside] == [("jump", 6, 7)]  # the quote is there already
    middle = editor.language.completions("sp > 2", 2, type_)
    assert middle[0].text == "speed" and (middle[0].begin, middle[0].end) == (0, 2)


FAULTS = ("", " ", "speed", "speed >", "speeds", "speed > 'idle'", "not speed", "crouch", "take('jump')",
          "take('speed')", "state('moves') == 'idle'", "state('ways')", "bone('head')", "bone('tail')", "1 + + 2",
          "(1", "true",
          "gait == 'trot'", "'trot'", "gait == 'run'", "min(1)", "foo(2)", "aim", "1 / 0", "speed $ 2")  # fmt: skip


@pytest.mark.parametrize("type_", [None, BOOL, FLOAT, GAIT], ids=["any", "bool", "float", "enum"])
def test_what_is_wrong_in_a_text_and_where(editor, type_) -> None:
    for text in FAULTS:
        fault = editor.language.fault(text, type_)
        told = "right" if fault is None else [fault.message, fault.column, fault.length]
        PINS.hold(f"fault {text!r}, {'any' if type_ is None else type_.kind}", told)


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("", ["foot := ", "emit('"]),
        ("fo", ["foot := "]),
        ("OO", ["foot := "]),
        ("em", ["emit('"]),
        ("foot := 1; ", ["foot := ", "emit('"]),
        ("foot := 1;f", ["foot := "]),
        ("emit('x'); foot := spee", ["speed", "ragdoll_speed('"]),
        ("emit('", ["foot')", "landed')", "step')"]),
        ("emit('x'); emit(\"la", ['landed")']),
        ("foot := state('mo", ["moves')"]),
        ("emit('x')", []),
        ("spee", []),
    ],
)
def test_what_begins_a_statement_and_what_goes_on_with_it(editor, text: str, offered: list[str]):
    made = graph(editor)
    own = replace(made.variables[0], name="foot", role=Role.OWN)
    sheets = [
        replace(s, nodes=(*s.nodes, Node(id_of(900), "emit_event", {"event": "landed"})))
        if s.id == POSES
        else s
        for s in made.sheets
    ]
    editor.session.edits.put("foot", replace(made, variables=(*made.variables, own), sheets=tuple(sheets)))
    found = editor.language.statement_completions(text, len(text))
    assert [c.text for c in found] == offered
    for one in found:
        assert one.end == len(text) and text[one.begin :].casefold() in one.text


@pytest.mark.parametrize(
    ("text", "wrong", "message"),
    [
        ("", "", ""),
        (" ; ", "", ""),
        ("foot := speed * 2; emit('landed')", "", ""),
        ("foot := 1; fot := speed", "fot", "there is no variable 'fot'; near: foot"),
        ("foot := 1;  speed := 2", "speed", "variable 'speed' is input: only own variables are set here"),
        ("emit('x'); foot := sped", "sped", "there is no variable 'sped'; near: speed"),
        (
            "emit('x');\n foot = 3 ",
            "foot = 3",
            "expected variable := value, or emit('event'), got 'foot = 3'",
        ),
        ("foot := crouch", "crouch", "expected float, got bool"),
        ("foot :=", "", "the expression is empty"),
        (";".join(["foot := 1"] * 101), "foot := 1", "more than 100 statements"),
    ],
)
def test_what_a_state_does_is_checked_statement_by_statement(editor, text: str, wrong: str, message: str):
    made = graph(editor)
    own = replace(made.variables[0], name="foot", role=Role.OWN)
    editor.session.edits.put("foot", replace(made, variables=(*made.variables, own)))
    fault = editor.language.statement_fault(text)
    if not message:
        assert fault is None
    else:
        assert fault is not None and fault.message.startswith(message)
        assert text[fault.column : fault.column + fault.length] == wrong


def test_what_must_be_typed_into_a_pin(editor) -> None:
    places = (
        PinPlace(BLEND, "alpha"),
        PinPlace(BLEND, "a"),
        PinPlace(BLEND, "none"),
        PinPlace("gone", "alpha"),
    )
    assert [editor.language.type_of(place) for place in places] == [FLOAT, None, None, None]
    assert editor.language.value("speed") == "" and editor.canvas.sheet.id == POSES


# ---------------------------------------------------------------- variables
def variable(editor, name: str):
    return next(v for v in graph(editor).variables if v.name == name)


EDITS: dict[str, Callable[[VariableEdits, Graph, Callable], object]] = {
    **{
        f"add {kind} {role}": lambda v, g, of, kind=kind, role=role: v.add(g, kind, role)
        for kind in KINDS for role in Role
    },
    "add as usual": lambda v, g, of: v.add(g),
    "add to no enums": lambda v, g, of: v.add(replace(g, enums={}), Kind.ENUM),
    **{
        f"rename {old} to {new!r}": lambda v, g, of, old=old, new=new: v.rename(g, old, new)
        for old, new in (
            ("speed", "pace"), ("speed", " the pace "), ("speed", " "), ("speed", "speed"), ("jump", "hop"),
        )
    },
    **{f"delete {name}": lambda v, g, of, name=name: v.delete(g, name) for name in ("speed", "gait", "none")},
    **{f"move to {place}": lambda v, g, of, place=place: v.move(g, "crouch", place) for place in (-1, 0, 1, 2, 4, 9)},
    **{
        f"kind of {name}: {kind}": lambda v, g, of, name=name, kind=kind: v.set_kind(g, of(name), kind)
        for name in ("speed", "crouch", "gait", "aim") for kind in KINDS
    },
    "kind enum, none there": lambda v, g, of: v.set_kind(replace(g, enums={}), of("speed"), Kind.ENUM),
    **{
        f"role of {name}: {role}": lambda v, g, of, name=name, role=role: v.set_role(g, of(name), role)
        for name in ("speed", "jump") for role in Role
    },
    **{
        f"range {low} to {high}": lambda v, g, of, low=low, high=high: v.set_range(g, of("aim"), low, high)
        for low, high in ((-2.0, 3.0), (0.25, 0.5), (1.0, 1.0), (2.0, 1.0))
    },
    "default out of bounds": lambda v, g, of: v.set_default(g, of("aim"), (-4.0, 0.5, 7.0)),
    "unit": lambda v, g, of: v.set_unit(g, of("speed"), " km/h "),
    "buffer": lambda v, g, of: v.set_buffer(g, of("jump"), 0.4),
    "buffer below 0": lambda v, g, of: v.set_buffer(g, of("jump"), -1.0),
    "members": lambda v, g, of: v.set_members(g, replace(of("gait"), default=(2.0,)), ("slow", "fast")),
    "members, one": lambda v, g, of: v.set_members(g, of("gait"), ("only",)),
    "members, none": lambda v, g, of: v.set_members(g, of("gait"), ()),
    "members twice": lambda v, g, of: v.set_members(g, of("gait"), ("a", "b", "a")),
    "uses": lambda v, g, of: v.uses(g, "speed"),
    "no uses": lambda v, g, of: v.uses(g, "gait"),
    "editable": lambda v, g, of: [v.editable(g), v.editable(replace(g))],
}  # fmt: skip


def test_edits_of_variables(editor) -> None:
    session = editor.session
    edits = VariableEdits(session.document, session.edits, session.feature(GraphRun))
    for case, do in EDITS.items():
        before = session.document.project
        PINS.hold(
            f"variables: {case}",
            outcome(editor, lambda do=do: do(edits, graph(editor), lambda n: variable(editor, n))),
        )
        if session.document.project is not before:
            session.undo()
