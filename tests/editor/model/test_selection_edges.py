"""The selection at its edges: without a rig, what is told and how often, and bones at the ends of the hierarchy."""

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.ids import AssetId
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.model.channels import curve_channel, morph_channel
from editor.model.selection import Mode, Selection, chain_below, combined, mirrored
from tests.editor.rigs import small_rig

KEYS, MORE = Channel("head", Property.ROTATE, 0), Channel("head", Property.ROTATE, 1)
SPEED, SMILE, FROWN = curve_channel("speed"), morph_channel("body/smile"), morph_channel("body/frown")
ARM = ("upper_arm_l", "lower_arm_l", "hand_l")


@pytest.fixture
def selection() -> Selection:
    rig = small_rig()
    return Selection(lambda: rig)


def told(selection: Selection) -> list[str]:
    """The names of what changes from now on, in order."""
    heard: list[str] = []
    for name in ("bones", "weights", "keys", "hover", "flags"):
        getattr(selection, f"{name}_changed").connect(lambda _, name=name: heard.append(name))
    return heard


def test_without_a_rig_nothing_can_be_selected() -> None:
    selection = Selection(lambda: None)
    heard = told(selection)
    for select in (
        lambda: selection.select(["head"]),
        selection.select_all,
        selection.invert,
        selection.select_parent,
        selection.select_children,
        selection.select_below,
        selection.select_chain,
        lambda: selection.select_to_end("head"),
        selection.select_mirror,
    ):
        select()
    assert selection.bones == selection.in_order == () and selection.active is None and heard == []


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.REPLACE, "bd"),
        (Mode.ADD, "acbd"),
        (Mode.REMOVE, "ac"),
        (Mode.TOGGLE, "acd"),
    ],
)
def test_selections_are_put_together_with_the_newest_last(mode: Mode, expected: str) -> None:
    assert "".join(combined("abc", "bdb", mode)) == expected


# ---------------------------------------------------------------- morphs and named curves
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.REPLACE, (SMILE, FROWN)),
        (Mode.ADD, (SPEED, SMILE, FROWN)),
        (Mode.REMOVE, (SPEED,)),
        (Mode.TOGGLE, (SPEED, FROWN)),
    ],
)
def test_weights_meet_the_old_selection_by_mode(
    selection: Selection, mode: Mode, expected: tuple[Channel, ...]
) -> None:
    selection.select_weights([SMILE, SPEED])
    heard = told(selection)
    selection.select_weights([SMILE, FROWN, SMILE], mode)
    assert selection.weights == expected and heard == ["weights"]
    selection.select_weights(expected)
    assert heard == ["weights"]


def test_clear_forgets_bones_weights_and_keys(selection: Selection) -> None:
    selection.select(["head"])
    selection.select_weights([SMILE])
    selection.select_keys({KEYS: [0]})
    heard = told(selection)
    selection.clear()
    assert (selection.bones, selection.weights, dict(selection.keys)) == ((), (), {})
    assert heard == ["bones", "weights", "keys"]
    selection.clear()
    assert len(heard) == 3


# ---------------------------------------------------------------- bones
def test_all_keeps_the_active_bone_active(selection: Selection) -> None:
    selection.select(["head", "chest"])
    selection.select_all()
    assert len(selection.bones) == 16 and selection.active == "chest"
    selection.set_flag("locked", ["chest"])
    selection.select_all()
    assert len(selection.bones) == 15 and selection.active == "foot_r"


def test_tips_stay_where_children_are_asked_for(selection: Selection) -> None:
    selection.select(["head", "hand_l"])
    selection.select_children(add=True)
    assert selection.bones == ("head", "hand_l")
    selection.select(["lower_arm_l"])
    selection.select_children(add=True)
    assert selection.bones == ("lower_arm_l", "hand_l")


def test_everything_below_several_bones_comes_before_them(selection: Selection) -> None:
    selection.select(["thigh_l", "upper_arm_l"])
    selection.select_below()
    below = ("lower_arm_l", "hand_l", "calf_l", "foot_l")
    assert selection.bones == (*below, "thigh_l", "upper_arm_l")
    selection.clear()
    selection.select_below()
    assert selection.bones == ()


def test_chain_of_one_bone_goes_to_the_forks_at_both_sides(selection: Selection) -> None:
    for bone in ("lower_arm_l", "upper_arm_l", "hand_l"):
        selection.select([bone])
        selection.select_chain()
        assert set(selection.bones) == set(ARM) and selection.active == bone
    selection.select(["spine"])
    selection.select_chain()
    assert selection.bones == ("chest", "spine")


@pytest.mark.parametrize("ends", [("pelvis", "head"), ("head", "pelvis")])
def test_chain_up_or_down_one_branch_holds_each_bone_once(
    selection: Selection, ends: tuple[str, str]
) -> None:
    selection.select(ends)
    selection.select_chain()
    assert sorted(selection.bones) == ["chest", "head", "pelvis", "spine"] and selection.active == ends[1]


def test_chain_between_branches_turns_at_the_bone_they_share(selection: Selection) -> None:
    selection.select(["foot_l", "calf_r"])
    selection.select_chain()
    assert selection.bones == ("foot_l", "calf_l", "thigh_l", "pelvis", "thigh_r", "calf_r")


def test_bones_of_two_hierarchies_have_nothing_between_them() -> None:
    rest = Transform(np.zeros((4, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (4, 1)), np.ones((4, 3)))
    skeleton = Skeleton(("a", "a_tip", "b", "b_tip"), np.array([-1, 0, -1, 2], np.int32), rest)
    rig = Rig(AssetId("rig-two"), "two", skeleton)
    selection = Selection(lambda: rig)
    selection.select(["a_tip", "b_tip"])
    selection.select_chain()
    assert selection.bones == ("a_tip", "b_tip")


def test_to_the_end_goes_from_each_selected_bone_and_leaves_out_what_cannot_be_picked(
    selection: Selection,
) -> None:
    selection.set_flag("hidden", ["hand_l"])
    selection.select(["upper_arm_l", "thigh_r"])
    selection.select_to_end()
    assert selection.bones == ("lower_arm_l", "calf_r", "foot_r", "upper_arm_l", "thigh_r")
    selection.select_to_end("lower_arm_r", Mode.ADD)
    assert selection.bones[-2:] == ("hand_r", "lower_arm_r") and len(selection.bones) == 7


def test_other_side_can_be_added(selection: Selection) -> None:
    selection.select(["head", "hand_r"])
    selection.select_mirror(add=True)
    assert selection.bones == ("hand_r", "head", "hand_l")
    assert mirrored(small_rig(), "hand_r") == "hand_l" and mirrored(small_rig(), "head") is None


def test_chain_below_ends_at_a_fork() -> None:
    rig = small_rig()
    assert chain_below(rig, "upper_arm_l") == ARM
    assert chain_below(rig, "spine")[:2] == ("spine", "chest")
    assert chain_below(rig, "pelvis") == ("pelvis",)
    assert chain_below(rig, "head") == ("head",)


# ---------------------------------------------------------------- keys
def test_keys_are_told_once_and_equal_ones_not(selection: Selection) -> None:
    heard = told(selection)
    selection.select_keys({KEYS: [2, 1], MORE: [1, 2]})
    assert heard == ["keys"]
    selection.select_keys({KEYS: [1, 2], MORE: [2, 1]})
    selection.select_keys({}, Mode.ADD)
    selection.select_keys({KEYS: [7]}, Mode.REMOVE)
    assert heard == ["keys"] and selection.keys[KEYS] is selection.keys[MORE]


def test_keys_of_one_channel_leave_those_of_another(selection: Selection) -> None:
    selection.select_keys({KEYS: [0, 1]})
    selection.select_keys({MORE: [2]}, Mode.TOGGLE)
    assert {c: k.tolist() for c, k in selection.keys.items()} == {KEYS: [0, 1], MORE: [2]}
    selection.select_keys({KEYS: [1, 5]}, Mode.REMOVE)
    assert {c: k.tolist() for c, k in selection.keys.items()} == {KEYS: [0], MORE: [2]}
    selection.select_keys({KEYS: [0]}, Mode.TOGGLE)
    assert {c: k.tolist() for c, k in selection.keys.items()} == {MORE: [2]}
    selection.select_keys({KEYS: [3]})
    assert {c: k.tolist() for c, k in selection.keys.items()} == {KEYS: [3]}


def test_removing_keys_of_a_channel_that_has_none_selects_none(selection: Selection) -> None:
    heard = told(selection)
    selection.select_keys({KEYS: [1]}, Mode.REMOVE)
    assert dict(selection.keys) == {} and heard == []


def test_indices_given_are_copied(selection: Selection) -> None:
    given = np.array([0, 1])
    selection.select_keys({KEYS: given})
    given[:] = 9
    assert selection.keys[KEYS].tolist() == [0, 1]
    selection.select_keys({KEYS: [2.0, 1.0]})
    assert selection.keys[KEYS].dtype == np.int64 and selection.keys[KEYS].tolist() == [1, 2]


# ---------------------------------------------------------------- hover, flags, upkeep
def test_hover_and_flags_tell_of_changes_only(selection: Selection) -> None:
    heard = told(selection)
    for _ in range(2):
        selection.set_hover("head")
        selection.set_flag("solo", ["head"])
    assert heard == ["hover", "flags"] and selection.hover == "head" and selection.solo == {"head"}
    assert (selection.shown("head"), selection.shown("chest")) == (True, False)
    selection.set_flag("hidden", ["head"])
    assert not selection.shown("head") and selection.locked == frozenset()
    selection.set_flag("hidden", ())
    selection.set_flag("locked", ["head"])
    assert selection.shown("head") and not selection.pickable("head")


def test_prune_leaves_what_the_rig_has(selection: Selection) -> None:
    selection.select(["head"])
    selection.set_flag("hidden", ["chest"])
    selection.set_hover("spine")
    heard = told(selection)
    selection.prune()
    assert heard == [] and (selection.bones, selection.hover) == (("head",), "spine")


def test_bones_are_listed_as_they_are_without_a_rig() -> None:
    rigs: list = [small_rig()]
    selection = Selection(lambda: rigs[0])
    selection.select(["head", "pelvis"])
    rigs[0] = None
    assert selection.in_order == ("head", "pelvis")
