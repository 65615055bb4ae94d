"""Choosing on the node without a window: rows for what is typed, what can be made, and the step that sets it."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph.edits import node_in, with_parameter
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.graph.choosing import Pick
from editor.model.graph.editor import GraphEditor
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import ChoicePlace
from tests.editor.model.graph.many_assets import BONE_NAMES, many_session
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, MACHINE, OUTPUT
from tests.editor.stage import RIG, TURN, WALK

AT = (300.0, 600.0)
CLIP = ChoicePlace(CLIP_A, "clip")


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()


def field(editor: GraphEditor, kind: str, name: str, **parameters: object) -> ChoicePlace:
    """A field of a new node."""
    return ChoicePlace(editor.nodes.add(NewNode(kind, parameters), AT), name)


def titles(editor: GraphEditor, place: ChoicePlace, text: str) -> list[str]:
    return [p.title for p in editor.choosing.find(place, text)]


def value(editor: GraphEditor, place: ChoicePlace) -> object:
    return node_in(editor.canvas.graph, place.node).parameters.get(place.field)


# ---------------------------------------------------------------- the field
def test_a_field_is_found_by_its_node_and_name(editor):
    view = editor.choosing.view(CLIP)
    assert view.name == "clip" and view.value == WALK and view.shown == "walk"
    for place in (ChoicePlace(CLIP_A, "gone"), ChoicePlace("gone", "clip")):
        assert editor.choosing.view(place) is None
        assert editor.choosing.find(place, "") == [] and editor.choosing.hint(place) == ""
        assert not editor.choosing.choose(place, Pick("turn", TURN))


def test_the_field_in_the_head_comes_first_and_else_the_upper_one(editor):
    first = editor.choosing.first
    assert first(CLIP_A) == CLIP
    assert first(BLEND) is None and first(OUTPUT) is None and first("gone") is None
    play = editor.nodes.add(NewNode("clip", {"clip": WALK}), AT)
    assert first(play) == ChoicePlace(play, "clip")
    look = editor.nodes.add(NewNode("two_bone_ik"), AT)
    assert first(look) == ChoicePlace(look, "bone")
    chain = editor.nodes.add(NewNode("layered"), AT)
    assert first(chain) == ChoicePlace(chain, "mask")


def test_the_empty_field_says_what_is_chosen(editor):
    assert editor.choosing.hint(CLIP) == "Choose clip…"
    assert editor.choosing.hint(field(editor, "two_bone_ik", "goal_bone")) == "Choose goal bone…"


# ---------------------------------------------------------------- rows
def test_what_the_node_has_is_marked_in_the_tone_of_the_node(editor):
    rows = editor.choosing.find(CLIP, "")
    assert rows == [
        Pick("walk", WALK, "now", "source", now=True), Pick("turn", TURN, "", "source", now=False),
    ]  # fmt: skip


@pytest.mark.parametrize("text, found", [
    ("arm", ["arm_l", "arm_r"]), ("_r", ["arm_r", "hand_r"]), ("_r arm", ["arm_r"]), ("ARM _L", ["arm_l"]),
    (" hand ", ["hand_l", "hand_r"]), ("zz", []), ("arm hand", []),
])  # fmt: skip
def test_every_word_that_is_typed_is_in_what_is_found(editor, text, found):
    assert titles(editor, field(editor, "transform_bone", "bone"), text) == found


def test_equal_names_come_first_then_those_that_begin_so(editor):
    rig = editor.document.project.get(Rig, RIG)
    masks = dict.fromkeys(("a low arm", "arm long", "arm"), rig.masks["arms"])
    editor.session.edits.put("masks", replace(rig, masks=masks))
    place = field(editor, "inertialise", "mask")
    assert titles(editor, place, "Arm") == ["arm", "arm long", "a low arm", "Make Arm"]
    assert titles(editor, place, "arm") == ["arm", "arm long", "a low arm"]


def test_a_field_that_the_node_does_without_can_be_emptied(editor):
    place = field(editor, "two_bone_ik", "goal_bone")
    assert editor.choosing.find(place, "")[0] == Pick("none", "", now=True)
    assert titles(editor, place, "") == ["none", *BONE_NAMES, "grip"]
    assert "none" not in titles(editor, place, "n")
    assert editor.choosing.choose(place, Pick("head", "head"))
    assert editor.choosing.find(place, "")[0] == Pick("none", "", now=False)
    assert "none" not in titles(editor, field(editor, "two_bone_ik", "bone"), "")


# ---------------------------------------------------------------- what can be made
@pytest.mark.parametrize("text, title, name", [
    ("Legs", "Make DefaultGroup.Legs", "DefaultGroup.Legs"), ("Own.Legs", "Make Own.Legs", "Own.Legs"),
    ("  Legs ", "Make DefaultGroup.Legs", "DefaultGroup.Legs"),
])  # fmt: skip
def test_a_slot_that_is_typed_can_be_made_in_a_group(editor, text, title, name):
    place = field(editor, "slot", "slot")
    made = editor.choosing.find(place, text)
    assert made == [Pick(title, name, "new", makes=True)]
    assert editor.choosing.choose(place, made[0])
    assert editor.session.history.labels[-1] == f"Make slot {name}"
    assert editor.canvas.graph.slots == ("DefaultGroup.Arms", name) and value(editor, place) == name
    editor.session.undo()
    assert editor.canvas.graph.slots == ("DefaultGroup.Arms",) and value(editor, place) is None


def test_nothing_can_be_made_that_is_there_or_has_no_name(editor):
    place = field(editor, "slot", "slot")
    assert titles(editor, place, "Arms") == ["DefaultGroup.Arms"]
    assert titles(editor, place, "DefaultGroup.Arms") == ["DefaultGroup.Arms"]
    assert titles(editor, place, "") == titles(editor, place, "  ") == ["DefaultGroup.Arms"]


def test_the_missing_name_can_be_made_and_stands_first_while_nothing_is_typed(editor):
    place = field(editor, "slot", "slot", slot="DefaultGroup.Legs")
    assert titles(editor, place, "") == ["Make DefaultGroup.Legs", "DefaultGroup.Arms"]
    assert titles(editor, place, "arm") == ["DefaultGroup.Arms", "Make DefaultGroup.arm"]
    made = editor.choosing.find(place, "")[0]
    assert editor.choosing.choose(place, made)  # the node names it already: what is missing is made
    assert editor.canvas.graph.slots == ("DefaultGroup.Arms", "DefaultGroup.Legs")


@pytest.mark.parametrize("name", ["Group.", ".Legs", "Legs"])
def test_a_slot_without_group_or_name_is_refused(editor, name):
    place = field(editor, "slot", "slot")
    steps = editor.session.history.labels
    with pytest.raises(ValidationError, match=f"“{name}”: write a slot as group.slot"):
        editor.choosing.choose(place, Pick("x", name, makes=True))
    assert editor.session.history.labels == steps


def test_a_mask_is_made_on_the_character_with_the_node_in_one_step(editor):
    place = field(editor, "inertialise", "mask")
    steps = len(editor.session.history.labels)
    (made,) = editor.choosing.find(place, "legs")
    assert made == Pick("Make legs", "legs", "new", makes=True) and editor.choosing.choose(place, made)
    masks = editor.document.project.get(Rig, RIG).masks
    assert masks == {"upper": {"spine": 1.0}, "arms": {"arm_l": 1.0}, "legs": {}}
    assert value(editor, place) == "legs" and editor.session.history.labels[steps:] == ("New mask legs",)
    editor.session.undo()
    assert "legs" not in editor.document.project.get(Rig, RIG).masks and value(editor, place) is None


def test_a_curve_of_ones_own_is_used_without_being_made(editor):
    place = field(editor, "modify_curve", "curve")
    assert editor.choosing.find(place, "smile") == [Pick("Use smile", "smile", "new name")]
    assert titles(editor, place, "e") == ["lean", "Use e"]
    assert titles(editor, place, "lean") == ["lean"]
    assert editor.choosing.choose(place, editor.choosing.find(place, "smile")[0])
    assert value(editor, place) == "smile" and editor.session.history.labels[-1] == "Set curve"


def test_a_bone_cannot_be_made(editor):
    place = field(editor, "transform_bone", "bone")
    assert titles(editor, place, "tail") == []
    editor.canvas.commit("Set", with_parameter(editor.canvas.graph, place.node, "bone", "tail"))
    assert titles(editor, place, "") == [*BONE_NAMES, "grip"]


# ---------------------------------------------------------------- choosing
def test_what_is_chosen_is_one_step_and_the_same_again_is_none(editor):
    assert editor.choosing.choose(CLIP, Pick("turn", TURN)) and value(editor, CLIP) == TURN
    assert editor.session.history.labels == ("Set clip",)
    assert not editor.choosing.choose(CLIP, Pick("turn", TURN))
    assert editor.session.history.labels == ("Set clip",)


def test_without_a_graph_there_is_nothing_to_choose(editor):
    editor.document.replace(Project({}), None)
    assert editor.choosing.view(CLIP) is None and editor.choosing.first(MACHINE) is None
    assert editor.choosing.find(CLIP, "") == [] and not editor.choosing.choose(CLIP, Pick("turn", TURN))
