"""Parts of a body that a person chose: they count before what names tell, are saved, and are checked."""

from pathlib import Path

import numpy as np
import pytest

from core.arrays import same_value
from core.errors import FormatError, MissingReferenceError, ValidationError
from core.ids import AssetId
from core.ik.leg import body_legs
from core.io.native import rig_schema
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.json_values import Value
from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.roles import LEFT, Role, find_roles, part_named, part_of, rig_roles
from core.rig.skeleton import Skeleton

PLACES = {
    "root": (None, (0.0, 1.0, 0.0)), "hips": ("root", (0.0, 0.0, 0.0)), "spine": ("hips", (0.0, 0.3, 0.0)),
    "head": ("spine", (0.0, 0.4, 0.0)), "thigh_l": ("hips", (0.1, 0.0, 0.0)), "calf_l": ("thigh_l", (0.0, -0.45, 0.0)),
    "foot_l": ("calf_l", (0.0, -0.45, 0.0)), "thigh_r": ("hips", (-0.1, 0.0, 0.0)),
    "calf_r": ("thigh_r", (0.0, -0.45, 0.0)), "foot_r": ("calf_r", (0.0, -0.45, 0.0)),
}  # fmt: skip


def rig(**options) -> Rig:
    names = list(PLACES)
    parents = [-1 if parent is None else names.index(parent) for parent, _ in PLACES.values()]
    count = len(names)
    turns = np.zeros((count, 4))
    turns[:, 3] = 1.0
    rest = Transform(np.array([place for _, place in PLACES.values()]), turns, np.ones((count, 3)))
    skeleton = Skeleton(tuple(names), np.array(parents), rest, np.zeros(count, np.uint8))
    return Rig(AssetId("rig-1"), "body", skeleton, **options)


def test_without_a_choice_the_names_tell():
    assert rig_roles(rig()) == find_roles(rig().skeleton)


def test_a_choice_takes_the_place_of_the_name_and_of_the_bone():
    found = rig_roles(rig(roles={"hips": "root", "head": "spine"}))
    assert found.one(Role.HIPS) == "root" and found.one(Role.HEAD) == "spine"
    assert found.of("spine") == (Role.HEAD, 0) and found.of("head") is None
    assert found.one(Role.FOOT, LEFT) == "foot_l"


def test_a_leg_whose_bones_are_not_one_below_the_other_is_no_leg():
    assert len(body_legs(rig())[1]) == 2
    assert len(body_legs(rig(roles={"calf_l": "head"}))[1]) == 1
    assert len(body_legs(rig(roles={"thigh_l": "calf_l", "calf_l": "thigh_l"}))[1]) == 1


@pytest.mark.parametrize("part", ["hips", "thigh_l", "upper_arm_r"])
def test_parts_have_words(part):
    assert part_of(*part_named(part)) == part


def test_what_is_no_part_and_what_is_no_bone_are_refused():
    with pytest.raises(ValidationError, match="expected a part of the body"):
        part_named("tail")
    with pytest.raises(MissingReferenceError, match="parts of the body name 'tail'"):
        rig(roles={"hips": "tail"})


def test_choices_are_saved_and_older_files_have_none():
    whole = Project({AssetId("rig-1"): rig(roles={"hips": "root"})})
    assert same_value(from_bytes(to_bytes(whole)), whole)
    old = rig_schema.KIND.schema.upgraded({"schema": "posewright.rig", "version": 4, "name": "old"})
    assert old["roles"] == {}


def test_a_file_with_an_unknown_part_is_refused_with_its_place():
    with pytest.raises(FormatError, match="tail"):
        rig_schema._roles(Value({"tail": "root"}, "roles", Path("x")))
