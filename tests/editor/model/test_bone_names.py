"""Prefixes that all bone names share: what is folded away, and what stays found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.model.bone_names import common_prefix, fits, short_name

MIXAMO = (
    "Armature",
    *(f"mixamorig:{n}" for n in ("Hips", "Spine", "Spine1", "Neck", "Head", "LeftArm", "RightArm")),
)


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        (MIXAMO, "mixamorig:"),
        (tuple(f"Bip001 {n}" for n in ("Pelvis", "Spine", "Neck", "Head")), "Bip001 "),
        (tuple(f"hero:rig|DEF-{n}" for n in ("hips", "spine", "neck", "head")), "hero:rig|DEF-"),
        (("root", "pelvis", "spine_01", "spine_02", "spine_03"), ""),
        (tuple(f"bone_{k:02}" for k in range(9)), ""),  # bare numbers say nothing
        (("mixamorig:Hips", "mixamorig:Spine"), ""),  # too few to tell
        ((*MIXAMO, "Mesh", "Eyes"), "mixamorig:"),
        ((), ""),
    ],
)
def test_common_prefix_of_real_rigs(names, prefix):
    assert common_prefix(names) == prefix


@given(st.lists(st.text("ab:_1 ", min_size=1, max_size=9), unique=True, max_size=12).map(tuple))
def test_short_names_stay_distinct_and_readable(names):
    short = [short_name(name, names) for name in names]
    assert len(set(short)) == len(short) and all(short)


def test_name_that_another_bone_has_stays_whole():
    names = (*MIXAMO, "Hips")
    assert short_name("mixamorig:Hips", names) == "mixamorig:Hips"
    assert short_name("mixamorig:Spine", names) == "Spine" and short_name("Hips", names) == "Hips"


def test_search_ignores_the_prefix_unless_it_is_spelled_out():
    assert fits(["mix"], "mixamorig:Hips", MIXAMO, folded=True) is False
    assert fits(["rig"], "mixamorig:RightArm", MIXAMO, folded=True) is True  # "Right"
    assert fits(["rig"], "mixamorig:Hips", MIXAMO, folded=True) is False
    assert fits(["arm", "left"], "mixamorig:LeftArm", MIXAMO, folded=True) is True
    assert fits(["mixamorig:hips"], "mixamorig:Hips", MIXAMO, folded=True) is True
    assert fits(["mix"], "mixamorig:Hips", MIXAMO, folded=False) is True
