"""Edits of graphs, to the number: by tables, and chains of edits as a person makes them, with what lies where.

Ids are counted here, so that what is sorted by them is always in one order.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from uuid import UUID

import pytest

from core.blending.easing import EaseShape, Easing
from core.errors import AnimError
from core.graph.graph import BlendKind, Graph, Interrupt, Node, Transition
from core.graph.problems import Problem
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.fixes import fixes_of
from editor.model.graph.hits import Hit, Part
from editor.model.graph.layout import read_layout
from editor.model.graph.machines import BLEND_WORDS, told
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import PinPlace
from tests.editor.model.graph.named_graph import LINKED, LINKING, named_session
from tests.editor.model.graph.random_edits import RandomEdits
from tests.editor.outcomes import plain
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
)
from tests.pins import Pins

PINS = Pins(__file__)
CHAINS, BLOCKS, EDITS = 10, 4, 12


@pytest.fixture
def counted(monkeypatch) -> None:
    """Ids are counted, above those of the graph."""
    numbers = count(0x10000)
    for module in ("core.graph.graph", "core.ids"):
        monkeypatch.setattr(f"{module}.uuid4", lambda: UUID(int=next(numbers) << 96))


@pytest.fixture
def editor(counted) -> Iterator[GraphEditor]:
    session = named_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()


def told_of(graph: Graph) -> list[object]:
    """All of a graph: its sheets, and what the canvas keeps."""
    layout = read_layout(graph)
    sheets = [
        [s.id, s.name, s.kind, plain(s.nodes), plain(s.links), plain(s.transitions)] for s in graph.sheets
    ]
    return [graph.name, graph.slots, plain(graph.variables), sheets, plain(layout)]


def outcome(editor: GraphEditor, do: Callable[[], object]) -> list[object]:
    """What comes of an edit: answer or refusal, step, graphs that changed, what is selected and open."""
    session, canvas, heard = editor.session, editor.canvas, []
    wanted = ("search_wanted", "rule_wanted", "choice_wanted", "literal_wanted", "text_wanted", "find_wanted")
    stops = [
        getattr(editor, name).connect(lambda x, name=name: heard.append([name, plain(x)])) for name in wanted
    ]
    before, position, said = session.document.project, session.history.position, len(session.messages.log)
    try:
        answer = plain(do())
    except AnimError as error:
        answer = ["refused", str(error)]
    for stop in stops:
        stop()
    after = session.document.project
    changed = [told_of(g) for g in after.all(Graph) if before.assets.get(g.id) is not g]
    sheet = canvas.sheet
    return [
        answer,
        session.history.labels[position : session.history.position],
        heard,
        changed,
        [m.text for m in session.messages.log[said:]],
        sorted(canvas.state.selection),
        None if sheet is None else sheet.name,
        None if canvas.graph is None else canvas.graph.name,
    ]


@pytest.mark.parametrize("seed", range(CHAINS))
def test_chains_of_edits(counted, seed: int) -> None:
    session = named_session()
    edits = RandomEdits(session, seed + 100)
    edits.editor.session = session
    for block in range(BLOCKS):
        with PINS.together(f"chain {seed}, block {block}") as note:
            for _ in range(EDITS):
                note(*outcome(edits.editor, edits.one))
                scene = edits.canvas.scene
                assert scene is not None
                note(plain(dict(scene.places)), [w.key for w in scene.wires], edits.refused)
    session.close()


# ---------------------------------------------------------------- machines
def in_machine(do: Callable[[GraphEditor], object]) -> Callable[[GraphEditor], object]:
    def work(editor: GraphEditor) -> object:
        editor.canvas.enter(STATES)
        return do(editor)

    return work


def _with(editor: GraphEditor, *kinds: str) -> list[str]:
    return [editor.nodes.add(NewNode(kind), (100.0 * k, 300.0)) for k, kind in enumerate(kinds)]


MACHINES = {
    **{
        f"connect {names}": in_machine(lambda e, a=a, b=b: e.machines.connect(a, b))
        for names, a, b in (
            ("idle to walking", IDLE, WALKING),
            ("idle to itself", IDLE, IDLE),
            ("idle to nothing", IDLE, "gone"),
            ("nothing to idle", "gone", IDLE),
        )
    },
    **{
        f"connect {a} to {b}": in_machine(
            lambda e, a=a, b=b: [e.machines.reason(x, y) for x, y in [tuple(_with(e, a, b))]]
        )
        for a in ("state", "conduit", "any", "entry", "exit")
        for b in ("state", "conduit", "any", "entry", "exit")
    },
    "lead elsewhere": in_machine(lambda e: e.machines.lead(GO, target=IDLE)),
    "lead from elsewhere": in_machine(lambda e: e.machines.lead(BACK, source=IDLE)),
    "lead to nothing": in_machine(lambda e: e.machines.lead(GO, target="gone")),
    "change both": in_machine(lambda e: e.machines.change([GO, BACK], min_time=0.5)),
    "change to the same": in_machine(lambda e: e.machines.change([GO], min_time=0.0)),
    "change with a name": in_machine(lambda e: e.machines.change([GO], "Set order", priority=3)),
    "rule": in_machine(lambda e: e.machines.set_rule(GO, "  speed > 2 ")),
    "no rule": in_machine(lambda e: e.machines.set_rule(GO, " ")),
    "rule of a conduit": in_machine(lambda e: e.machines.set_rule(_with(e, "conduit")[0], " crouch ")),
    "blend": in_machine(lambda e: e.machines.set_blend([GO, BACK], seconds="0.5")),
    "the same blend": in_machine(lambda e: e.machines.set_blend([BACK], seconds="0.2")),
    "blend by a sheet": in_machine(lambda e: e.machines.custom_blend([GO, BACK])),
    "blend by the same sheet": in_machine(
        lambda e: (e.machines.custom_blend([GO]), e.machines.custom_blend([BACK, GO]))
    ),
    "order": in_machine(
        lambda e: (e.machines.connect(IDLE, IDLE), e.machines.order([e.canvas.sheet.transitions[-1].id, GO]))
    ),
    **{
        f"nudge by {n}": in_machine(lambda e, n=n: (e.machines.connect(IDLE, IDLE), e.machines.nudge(GO, n)))
        for n in (-1, 0, 1, 5)
    },
    "slots": lambda e: e.set_slots("A.b, ,C.d,A.b"),
    "the same slots": lambda e: e.set_slots("DefaultGroup.Arms, DefaultGroup.Head"),
    **{f"slot {text!r}": lambda e, text=text: e.set_slots(text) for text in ("A", ".b", "A.", "")},
    "update sheet": lambda e: e.add_update_sheet(),
    "two update sheets": lambda e: (e.add_update_sheet(), e.add_update_sheet()),
    **{
        f"open {name}": lambda e, item=item: e.open_item(item)
        for name, item in (
            ("a clip", CLIP_A),
            ("the machine", MACHINE),
            ("nothing", "gone"),
            ("the comment", "n-000000e6"),
        )
    },
    "open a transition": in_machine(lambda e: e.open_item(GO)),
    "open a state": in_machine(lambda e: e.open_item(WALKING)),
    "open a conduit": in_machine(lambda e: e.open_item(_with(e, "conduit")[0])),
    "open a linked graph": lambda e: (e.canvas.open(LINKING), e.open_item(LINKED)),
    "add at a place": lambda e: e.add_here((10.0, 20.0)),
    "add at a state": in_machine(lambda e: (e.canvas.select([WALKING]), e.add_here((10.0, 20.0)))),
    "add at two states": in_machine(lambda e: (e.canvas.select([WALKING, IDLE]), e.add_here((10.0, 20.0)))),
    **{
        f"add at a pin, {output}": lambda e, output=output: (
            e.canvas.select([BLEND]),
            e.canvas.set_state(pin=PinPlace(BLEND, "out" if output else "a", output)),
            e.add_here((1.0, 2.0)),
        )
        for output in (False, True)
    },
    "add from the search": lambda e: e.add(SearchWanted((40.0, 50.0)), e.search.find("rest")[0]),
    "swap from the search": lambda e: e.add(
        SearchWanted((40.0, 50.0), swap=CLIP_B), e.search.find("rest")[0]
    ),
    "swap": lambda e: e.nodes.swap(BLEND, NewNode("additive")),
    "swap by the same": lambda e: e.nodes.swap(CLIP_A, NewNode("clip")),
    "swap an output": lambda e: e.nodes.swap(OUTPUT, NewNode("clip")),
    "literal": lambda e: e.nodes.set_literal(BLEND, "alpha", " 0.25 "),
    "no literal": lambda e: e.nodes.set_literal(BLEND, "alpha", None),
    "parameter": lambda e: e.nodes.set_parameter([CLIP_A, CLIP_B], "loop", False),
    "fold and unfold": lambda e: (e.nodes.fold([BLEND, CLIP_A], True), e.nodes.fold([BLEND], False)),
    "fold what is not folded": lambda e: e.nodes.fold([BLEND], False),
    **{
        f"delete {heal}": lambda e, heal=heal: e.nodes.delete([BLEND, CLIP_A], heal=heal)
        for heal in (False, True)
    },
    "delete a machine": lambda e: e.nodes.delete([MACHINE]),
    "delete nothing": lambda e: e.nodes.delete([]),
    "delete what is selected": lambda e: (e.canvas.select([CLIP_B]), e.nodes.delete()),
    "delete a state": in_machine(lambda e: e.nodes.delete([IDLE])),
    "delete a transition": in_machine(lambda e: e.nodes.delete([GO])),
    "move": lambda e: e.nodes.move({CLIP_A: (33.0, 47.0)}),
    "move with a name": lambda e: e.nodes.move({CLIP_A: (5.0, 5.0)}, "Push"),
    **{
        f"add {kind}": lambda e, kind=kind: e.add_named(kind, (37.0, -12.0))
        for kind in ("clip", "machine", "state", "nothing", "get")
    },
    **{
        f"add {kind} to the machine": in_machine(lambda e, kind=kind: e.add_named(kind, (37.0, -12.0)))
        for kind in ("state", "conduit", "clip")
    },
    "add a state that plays": in_machine(
        lambda e: e.nodes.add(
            NewNode("state", plays=Node("n-000000aa", "clip", {"clip": "clip-walk"})), (0.0, 200.0), (), IDLE
        )
    ),
    "add a nested machine": in_machine(
        lambda e: e.nodes.add(NewNode("state", name="idle", nested=True), (0.0, 200.0))
    ),
    "add on a wire": lambda e: e.nodes.add(
        NewNode("blend"), (50.0, 60.0), (PinPlace(CLIP_A, "out", True), PinPlace(CLIP_B, "out", True))
    ),
    "add before a pin": lambda e: e.nodes.add(NewNode("clip"), (50.0, 60.0), (PinPlace(OUTPUT, "pose"),)),
    "add a variable": lambda e: e.nodes.add_variable("crouch", (1.0, 2.0)),
}


@pytest.mark.parametrize("case", list(MACHINES))
def test_an_edit_of_a_graph(editor, case: str) -> None:
    PINS.hold(case, outcome(editor, lambda: MACHINES[case](editor)))


def test_transitions_in_words(editor) -> None:
    sheet = editor.session.document.project.get(Graph, GRAPH).sheet(STATES)
    go = next(t for t in sheet.transitions if t.id == GO)
    assert editor.machines.words(GO) == "" and editor.machines.words("gone") == ""
    editor.canvas.enter(STATES)
    assert editor.machines.words(GO) == told(sheet, go) and editor.machines.words("gone") == ""
    ease = replace(go.blend, easing=Easing(EaseShape.SMOOTH))
    ways: dict[str, Transition] = {
        "as it is": go,
        "no rule": replace(go, rule=""),
        "a while": replace(go, min_time=0.25),
        "at its end": replace(go, automatic=-1.0),
        "before its end": replace(go, automatic=0.5, player=""),
        "both": replace(go, automatic=0.0, min_time=1.5),
        "eased": replace(go, blend=ease),
        "no time": replace(go, blend=replace(go.blend, seconds="")),
        "from nowhere": replace(go, source="gone", target="gone"),
        **{f"blend {kind}": replace(go, blend=replace(go.blend, kind=kind)) for kind in BlendKind},
        **{f"interrupted {kind}": replace(go, interrupt=kind) for kind in Interrupt},
    }
    for way, transition in ways.items():
        PINS.hold(f"words: {way}", told(sheet, transition))
    assert set(BLEND_WORDS) == set(BlendKind)


def test_tooltips(editor) -> None:
    for part in Part:
        for item, pin in (
            (BLEND, None),
            (BLEND, PinPlace(BLEND, "alpha")),
            (CLIP_A, PinPlace(CLIP_A, "out", True)),
            ("gone", None),
        ):
            PINS.hold(
                f"tip: {part.name} {item} {'' if pin is None else pin.pin}",
                editor.words_at(Hit(part, item, pin)),
            )
    editor.canvas.enter(STATES)
    assert editor.words_at(Hit(Part.ARROW, GO)) == editor.machines.words(GO) != ""


PROBLEMS = {
    "a pin without a wire": Problem("nothing is wired to a", POSES, BLEND, "a"),
    "a pin of a node without a place": Problem("nothing is wired to pose", POSES, "n-000000d4", "pose"),
    "a slot": Problem("the graph has no slot 'x'", POSES, "n-000000d3", "slot"),
    "a name": Problem("there is no variable 'sped'; near: speed, step; wrong", POSES, BLEND, "alpha"),
    "an unknown name of a rule": Problem("unknown name 'jmp'; near: jump", STATES, GO, "rule"),
    "a parameter": Problem("there is no name 'sped'; near: speed", POSES, "n-000000d7", "variable"),
    "no output": Problem("expected one Output node, found 0", POSES),
    "no state": Problem("the machine has no state", STATES),
    "two words": Problem("there is no variable 'a b'", POSES, BLEND, "alpha"),
    "something else": Problem("odd", POSES, BLEND, "alpha"),
    "no quotes": Problem("there is no variable at all", POSES, BLEND, "alpha"),
    "near without a pin": Problem("x; near: speed", POSES, BLEND),
}


@pytest.mark.parametrize("case", list(PROBLEMS))
def test_what_a_click_can_do_about_a_problem(editor, case: str) -> None:
    graph = editor.session.document.project.get(Graph, GRAPH)
    found = fixes_of(PROBLEMS[case])
    with PINS.together(f"fix: {case}") as note:
        for fix in found:
            made, layout = fix.make(graph, read_layout(graph))
            note(fix.title, told_of(made), plain(layout))
