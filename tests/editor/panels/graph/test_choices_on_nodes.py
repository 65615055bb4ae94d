"""Clips, bones, masks and slots are chosen on the node: by mouse, by keys; what is missing is red and can be made."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from core.arrays import same_value
from core.graph.edits import node_in, with_parameter
from core.rig.rig import Rig
from editor.model.graph.hits import choice_box
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, IDLE
from tests.editor.stage import RIG, TURN, WALK


@pytest.fixture
def here(shared_hand):
    yield shared_hand
    shared_hand.user.press("Esc")


def field(here, node: str, name: str) -> QPoint:
    here.canvas.bring_into_view([node])
    box = choice_box(here.scene.nodes[node], here.place(node), name)
    assert box is not None
    return here.at(box.x + box.w / 2, box.y + box.h / 2)


def rows(here) -> list[str]:
    return here.user.rows("graphSearchList")


def value(here, node: str, name: str):
    return node_in(here.graph, node).parameters.get(name)


def test_click_on_the_chevron_lists_clips_and_a_click_sets_one_in_one_step(here):
    before, steps = here.graph, here.session.history.position
    here.click(field(here, CLIP_A, "clip"))
    assert here.user.find("graphSearchField").hasFocus()
    assert rows(here) == ["walk", "turn"]
    here.user.click_row("graphSearchList", "turn")
    assert value(here, CLIP_A, "clip") == TURN
    assert here.scene.nodes[CLIP_A].title == "turn"
    assert here.session.history.position == steps + 1
    assert here.session.history.undo_label == "Set clip"
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)


def test_typing_filters_enter_sets_and_escape_leaves(here):
    node = here.editor.add_named("two_bone_ik", (300.0, 250.0))
    before = here.graph
    here.click(field(here, node, "goal_bone"))
    assert rows(here)[0] == "none" and len(rows(here)) == 9
    here.user.type("_r arm")
    assert rows(here) == ["arm_r"]
    here.user.press("Esc")
    assert here.graph is before and not here.user.visible("graphSearch") and here.view.hasFocus()
    here.click(field(here, node, "goal_bone"))
    here.user.type("hand")
    assert rows(here) == ["hand_l", "hand_r"]
    here.user.press("Down")
    here.user.press("Return")
    assert value(here, node, "goal_bone") == "hand_r"
    here.click(field(here, node, "goal_bone"))
    here.user.press("Home")
    here.user.type("zz")
    assert rows(here) == []
    here.user.press("Return")  # nothing to choose: the list stays
    assert value(here, node, "goal_bone") == "hand_r"


def test_by_keys_alone_the_fields_are_reached_and_chosen(here):
    here.canvas.select([CLIP_A])
    here.user.press("Alt+Down")
    assert here.canvas.state.choice is not None and here.canvas.state.pin is None
    here.user.press("Return")
    here.user.press("Down")
    here.user.press("Return")
    assert value(here, CLIP_A, "clip") == TURN and here.view.hasFocus()
    here.user.press("Alt+Down")
    assert here.canvas.state.choice is None and here.canvas.state.pin.pin == "rate"
    here.user.press("Alt+Up")
    assert here.canvas.state.choice.field == "clip"
    here.user.press("Right")
    assert here.canvas.state.choice is None


def test_missing_slot_is_red_and_made_in_one_step(here):
    node = here.editor.add_named("slot", (300.0, 250.0))
    here.canvas.commit("Set slot", with_parameter(here.graph, node, "slot", "DefaultGroup.Legs"))
    assert here.scene.nodes[node].choice("slot").missing
    here.user.settle()
    before = here.graph
    chevron = reddish(here, node)
    here.click(field(here, node, "slot"))
    assert rows(here) == ["Make DefaultGroup.Legs", "DefaultGroup.Arms"]
    assert here.user.find("graphSearchField").placeholderText() == "Choose slot…"
    here.user.press("Return")
    assert here.graph.slots == ("DefaultGroup.Arms", "DefaultGroup.Legs")
    assert not here.scene.nodes[node].choice("slot").missing and not here.scene.nodes[node].missing
    here.canvas.select([])
    here.user.settle()
    assert chevron > 8 and reddish(here, node) == 0
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)


def reddish(here, node: str) -> int:
    """Pixels in the colour of errors in the head of a node."""
    image = here.user.picture(here.view)
    rect = here.scene.rect(node)
    a, b = here.at(rect.x + 6, rect.y + 6), here.at(rect.right - 12, rect.y + 24)
    part = image[a.y() : b.y(), a.x() : b.x(), :3].astype(np.int64)
    error = here.stage.theme.color("error")
    return int((np.abs(part - [error.red(), error.green(), error.blue()]).max(axis=2) < 30).sum())


def test_typed_mask_is_made_with_the_node_in_one_step(here):
    node = here.editor.add_named("layered", (300.0, 250.0))
    before = here.session.document.project
    here.click(field(here, node, "mask"))
    here.user.type("upper")
    assert rows(here) == ["Make upper"]
    here.user.press("Return")
    assert value(here, node, "mask") == "upper"
    assert here.session.document.project.get(Rig, RIG).masks == {"upper": {}}
    here.user.press("Ctrl+Z")
    assert here.session.document.project.get(Rig, RIG).masks == before.get(Rig, RIG).masks
    assert value(here, node, "mask") == node_in(
        before.get(type(here.graph), here.graph.id), node
    ).parameters.get("mask")


def test_bone_that_is_not_there_is_red_and_a_curve_may_have_a_new_name(here):
    node = here.editor.add_named("copy_bone", (300.0, 250.0))
    here.canvas.commit("Set bone", with_parameter(here.graph, node, "source", "tail"))
    view = here.scene.nodes[node].choice("source")
    assert view.missing == "Source tail is not there" and view.shown == "tail"
    here.click(field(here, node, "source"))
    assert "Make tail" not in rows(here)
    here.user.press("Esc")
    curve = here.editor.add_named("modify_curve", (300.0, 420.0))
    here.click(field(here, curve, "curve"))
    here.user.type("smile")
    here.user.press("Return")
    assert value(here, curve, "curve") == "smile" and not here.scene.nodes[curve].missing


def test_palette_action_opens_it_and_says_where_there_is_nothing(here):
    here.canvas.select([CLIP_A])
    here.view.registry.run("graph.choose")
    here.user.settle()
    assert rows(here) == ["walk", "turn"]
    here.user.press("Esc")
    assert value(here, CLIP_A, "clip") == WALK
    here.canvas.select([BLEND])
    assert here.editor.choosing.first(BLEND) is None


def test_states_have_no_fields_and_the_panel_lists_the_same(here):
    from editor.model.graph.options import Options

    assert here.editor.choosing.first(IDLE) is None
    view = here.scene.nodes[CLIP_A].choice("clip")
    options = Options(here.canvas, here.editor.language).of(view.parameter, node_in(here.graph, CLIP_A))
    found = here.editor.choosing.find(here.editor.choosing.first(CLIP_A), "")
    assert [(o.value, o.title) for o in options] == [(p.value, p.title) for p in found]
