"""One selection for all views."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from editor.model.selection import Mode, Selection
from tests.editor.rigs import small_rig

KEYS = Channel("head", Property.ROTATE, 0)


@pytest.fixture
def selection() -> Selection:
    rig = small_rig()
    return Selection(lambda: rig)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.REPLACE, ("spine", "head")),
        (Mode.ADD, ("pelvis", "spine", "head")),
        (Mode.REMOVE, ("pelvis",)),
        (Mode.TOGGLE, ("pelvis", "spine")),
    ],
)
def test_select_meets_the_old_selection_by_mode(selection: Selection, mode: Mode, expected: tuple) -> None:
    selection.select(["head", "pelvis"])
    selection.select(["spine", "head"], mode)
    assert selection.bones == expected and selection.active == expected[-1]


def test_select_of_unknown_bones_leaves_them_out(selection: Selection) -> None:
    selection.select(["nobody", "head", "head"])
    assert selection.bones == ("head",)


def test_selecting_the_same_tells_nobody(selection: Selection) -> None:
    heard: list[None] = []
    selection.select(["head"])
    selection.bones_changed.connect(heard.append)
    selection.keys_changed.connect(heard.append)
    selection.select(["head"])
    selection.select_keys({})
    selection.select_keys({KEYS: []})
    assert heard == []


def test_walking_the_hierarchy(selection: Selection) -> None:
    selection.select(["hand_l"])
    selection.select_parent()
    assert selection.bones == ("lower_arm_l",)
    selection.select_parent(add=True)
    assert selection.bones == ("lower_arm_l", "upper_arm_l")
    selection.select(["chest"])
    selection.select_children(add=True)
    assert set(selection.bones) == {"chest", "head", "upper_arm_l", "upper_arm_r"}
    selection.select(["pelvis"])
    selection.select_parent()
    assert selection.bones == ("pelvis",)
    selection.select(["thigh_l"])
    selection.select_below()
    assert set(selection.bones) == {"thigh_l", "calf_l", "foot_l"} and selection.active == "thigh_l"


def test_child_is_the_first_one_and_a_tip_stays(selection: Selection) -> None:
    selection.select(["chest"])
    selection.select_children()
    assert selection.bones == ("head",)  # of head, left and right arm the first
    selection.select_children()
    assert selection.bones == ("head",)
    selection.select(["pelvis", "upper_arm_l"])
    selection.select_children()
    assert selection.bones == ("spine", "lower_arm_l")


def test_chain_between_two_bones_goes_through_their_common_parent(selection: Selection) -> None:
    selection.select(["hand_l", "lower_arm_r"])
    selection.select_chain()
    names = {"hand_l", "lower_arm_l", "upper_arm_l", "chest", "upper_arm_r", "lower_arm_r"}
    assert set(selection.bones) == names and selection.active == "lower_arm_r"
    selection.select(["calf_l"])
    selection.select_chain()
    assert set(selection.bones) == {"thigh_l", "calf_l", "foot_l"}


def test_mirror_side_keeps_bones_of_the_middle(selection: Selection) -> None:
    selection.select(["head", "hand_l"])
    selection.select_mirror()
    assert selection.bones == ("head", "hand_r")


def test_all_and_invert_leave_out_hidden_and_locked(selection: Selection) -> None:
    selection.set_flag("hidden", ["head"])
    selection.set_flag("locked", ["spine"])
    selection.select_all()
    assert len(selection.bones) == 14
    selection.select(["pelvis"])
    selection.invert()
    assert len(selection.bones) == 13 and "pelvis" not in selection.bones
    selection.set_flag("solo", ["pelvis", "head"])
    selection.select_all()
    assert selection.bones == ("pelvis",)


def test_keys_are_combined_as_sets(selection: Selection) -> None:
    selection.select_keys({KEYS: [3, 1, 1]})
    assert selection.keys[KEYS].tolist() == [1, 3] and not selection.keys[KEYS].flags.writeable
    selection.select_keys({KEYS: [2]}, Mode.ADD)
    selection.select_keys({KEYS: [3, 5]}, Mode.TOGGLE)
    assert selection.keys[KEYS].tolist() == [1, 2, 5]
    selection.select_keys({KEYS: np.arange(9)}, Mode.REMOVE)
    assert dict(selection.keys) == {}


def test_prune_forgets_what_another_rig_lacks() -> None:
    rigs: list = [small_rig()]
    selection = Selection(lambda: rigs[0])
    selection.select(["head"])
    selection.set_flag("locked", ["head"])
    selection.set_hover("head")
    rigs[0] = None
    selection.prune()
    assert (selection.bones, selection.locked, selection.hover) == ((), frozenset(), None)


def test_selected_bones_are_listed_in_the_order_of_the_hierarchy():
    rig = small_rig()
    selection = Selection(lambda: rig)
    selection.select(["hand_l", "head", "pelvis"])
    assert selection.bones == ("hand_l", "head", "pelvis") and selection.active == "pelvis"
    assert selection.in_order == ("pelvis", "head", "hand_l")
