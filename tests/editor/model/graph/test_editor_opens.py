"""What the editor opens for an item, where the search goes, slots by list, and what a tooltip says."""

from collections.abc import Iterator

import pytest

from core.errors import ValidationError
from core.graph.problems import Problem
from core.ids import AssetId
from core.project.project import Project
from editor.model.events import Event
from editor.model.graph.canvas import Canvas
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.geometry import Rect
from editor.model.graph.hits import Hit, Part
from editor.model.graph.layout import Comment
from editor.model.graph.live import LiveFrame
from editor.model.graph.nodes import NewNode
from editor.model.graph.scene import wire_key
from editor.model.graph.state import ChoicePlace, PinPlace
from tests.editor.model.graph.many_assets import OTHER_GRAPH, many_session
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
)

WANTED = ("search_wanted", "rule_wanted", "text_wanted")


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    made = session.feature(GraphEditor)
    made.session = session
    made.canvas.resize((800.0, 600.0))
    yield made
    session.close()


def asked(editor: GraphEditor) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name in WANTED:
        getattr(editor, name).connect(lambda x, name=name: found.append((name, x)))
    return found


def path(canvas: Canvas) -> list[str]:
    return [s.id for s in canvas.path]


class Runs:
    """A graph that runs."""

    breaks: frozenset[str] = frozenset()

    def __init__(self, **more) -> None:
        self.changed: Event[None] = Event()
        self.more = more

    def frame(self, graph: AssetId) -> LiveFrame | None:
        return LiveFrame(1, **self.more) if graph == GRAPH else None

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        return f"{graph} {text} {machine}"


# ---------------------------------------------------------------- what the editor opens
@pytest.mark.parametrize("sheet, item, what", [
    (POSES, CLIP_A, "text_wanted"), (STATES, GO, "rule_wanted"), (POSES, "c-1", "text_wanted"), (POSES, GO, None),
    (POSES, "n-gone", None),
])  # fmt: skip
def test_an_item_is_opened_as_its_kind_is(editor, sheet, item, what):
    layout = editor.canvas.layout.with_comment(Comment("c-1", POSES, "", Rect(0.0, 0.0, 1.0, 1.0)))
    editor.canvas.commit("Note", editor.canvas.graph, layout)
    editor.canvas.enter(sheet)
    found = asked(editor)
    editor.open_item(item)
    assert found == ([] if what is None else [(what, item)]) and editor.canvas.sheet.id == sheet


def test_sheets_and_linked_graphs_are_gone_into_and_a_conduit_has_a_rule(editor):
    found = asked(editor)
    editor.open_item(MACHINE)
    assert path(editor.canvas) == [POSES, STATES]
    conduit = editor.add_named("conduit", (0.0, 600.0))
    editor.open_item(conduit)
    assert found == [("rule_wanted", conduit)]
    editor.open_item(IDLE)
    assert path(editor.canvas) == [POSES, STATES, IDLE_SHEET]
    bare = editor.add_named("linked_graph", (0.0, 600.0))
    editor.open_item(bare)
    assert editor.canvas.graph.id == GRAPH and len(found) == 1
    editor.nodes.set_parameter([bare], "graph", OTHER_GRAPH)
    editor.open_item(bare)
    assert editor.canvas.graph.id == OTHER_GRAPH and len(found) == 1
    editor.document.replace(Project({}), None)
    editor.open_item(bare)
    assert len(found) == 1


def test_the_search_opens_at_the_pin_the_state_or_the_place(editor):
    found = asked(editor)
    canvas = editor.canvas
    canvas.select([BLEND])
    for pin, x in (
        (PinPlace(BLEND, "out", True), 256.0 + 176.0 + 64.0),
        (PinPlace(BLEND, "b"), 256.0 - 64.0),
    ):
        canvas.set_state(pin=pin)
        editor.add_here((1.0, 2.0))
        y = canvas.committed.pin_place(pin.node, pin.pin, pin.output)[1]
        assert found.pop() == ("search_wanted", SearchWanted((x, y), (pin,)))
    canvas.set_state(pin=PinPlace(BLEND, "gone"))
    editor.add_here((1.0, 2.0))
    assert found.pop() == ("search_wanted", SearchWanted((1.0, 2.0)))
    canvas.enter(STATES)
    canvas.select([IDLE])
    editor.add_here((1.0, 2.0))
    assert found.pop() == ("search_wanted", SearchWanted((160.0 + 200.0, 24.0), from_state=IDLE))
    for chosen in ([IDLE, WALKING], [GO], []):
        canvas.select(chosen)
        editor.add_here((1.0, 2.0))
        assert found.pop() == ("search_wanted", SearchWanted((1.0, 2.0)))
    canvas.enter(POSES)
    canvas.select([CLIP_A])
    editor.add_here((1.0, 2.0))
    assert found == [("search_wanted", SearchWanted((1.0, 2.0)))]


def test_what_is_added_from_the_search_is_counted_and_joined(editor):
    entry = next(e for e in editor.search.find("blend") if e.key == "blend")
    made = editor.add(SearchWanted((0.0, 613.0), (PinPlace(MACHINE, "out", True),)), entry)
    assert editor.search._used["blend"] == 1 and editor.canvas.committed.places[made] == (0.0, 608.0)
    assert editor.canvas.sheet.link_to(made, "a").source == MACHINE
    assert editor.add(SearchWanted((0.0, 0.0), swap=CLIP_A), entry) == CLIP_A
    assert editor.search._used["blend"] == 2 and editor.canvas.sheet.node(CLIP_A).kind == "blend"
    editor.canvas.enter(STATES)
    state = next(e for e in editor.search.find("state") if e.key == "state")
    made = editor.add(SearchWanted((400.0, 300.0), from_state=IDLE), state)
    assert editor.canvas.sheet.transitions[-1].target == made


@pytest.mark.parametrize("text, slots", [
    (" A.b ,, A.b, C.d", ("A.b", "C.d")), ("", ()), ("DefaultGroup.Arms", None),
])  # fmt: skip
def test_slots_are_set_from_a_list(editor, text, slots):
    assert editor.set_slots(text) is (slots is not None)
    assert editor.canvas.graph.slots == (("DefaultGroup.Arms",) if slots is None else slots)
    assert editor.session.history.labels == (("Set slots",) if slots is not None else ())


@pytest.mark.parametrize("wrong", ["Arms", ".Arms", "Group."])
def test_a_slot_without_a_group_is_refused(editor, wrong):
    with pytest.raises(ValidationError, match=f"“{wrong}”: write a slot as group.slot"):
        editor.set_slots(f"A.b, {wrong}")
    assert editor.session.history.labels == ()


# ---------------------------------------------------------------- tooltips
def test_a_tooltip_tells_what_is_missing_wrong_and_typed(editor):
    words = editor.words_at
    editor.nodes.set_parameter([CLIP_A], "clip", None)
    assert words(Hit(Part.NODE, CLIP_A)) == "Clip\nno clip is chosen"
    assert words(Hit(Part.NODE, CLIP_B)) == "turn\nClip"
    editor.problems.found = (Problem("it is slow", POSES, CLIP_B), Problem("other", POSES, CLIP_A))
    assert words(Hit(Part.NODE, CLIP_B)) == "turn\nClip\nit is slow"
    alpha = PinPlace(BLEND, "alpha")
    assert words(Hit(Part.LITERAL, BLEND, alpha)) == "Blend\nspeed"
    assert words(Hit(Part.LITERAL, BLEND, PinPlace(BLEND, "a"))) == "Blend"
    look = editor.nodes.add(NewNode("chain_ik", {"setup": "left arm", "tip": "tail"}), (0.0, 600.0))
    field = Hit(Part.CHOICE, look, None, (), ChoicePlace(look, "tip"))
    assert words(field) == "Tip: tail\nTip tail is not there"
    head = Hit(Part.CHOICE, look, None, (), ChoicePlace(look, "setup"))
    assert words(head) == "left arm\nChain IK"
    assert words(Hit(Part.NODE, "n-gone")) == words(Hit()) == words(Hit(Part.COMMENT, "c-1")) == ""


def test_a_tooltip_tells_values_and_weights_while_it_runs(editor):
    words, alpha = editor.words_at, PinPlace(BLEND, "alpha")
    wire = next(wire_key(x) for x in editor.canvas.sheet.links if x.target == OUTPUT)
    assert words(Hit(Part.PIN, BLEND, alpha)) == "Alpha: float" and words(Hit(Part.WIRE, wire)) == ""
    editor.canvas.show_live(Runs(values={(BLEND, "alpha"): "0.25"}, weights={BLEND: 0.126}))
    assert words(Hit(Part.PIN, BLEND, alpha)) == "Alpha: float = 0.25"
    assert words(Hit(Part.PIN, BLEND, PinPlace(BLEND, "a"))) == "A: pose"
    assert words(Hit(Part.PIN, BLEND, PinPlace(BLEND, "gone"))) == ""
    assert words(Hit(Part.WIRE, wire)) == "weight 0.13" and words(Hit(Part.WIRE, "w:gone")) == ""
    other = next(wire_key(x) for x in editor.canvas.sheet.links if x.source == CLIP_A)
    assert words(Hit(Part.WIRE, other)) == ""
    editor.canvas.enter(STATES)
    assert words(Hit(Part.ARROW, BACK)).startswith("walking → idle")
    editor.document.replace(Project({}), None)
    assert words(Hit(Part.NODE, BLEND)) == words(Hit(Part.ARROW, BACK)) == ""
