"""Poses are values: never aliased, never mixed between rigs."""

import numpy as np
import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.pose.pose import Pose, require_same_rig, rest_pose
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


def figure(count: int = 3, rig: str = "rig-1") -> Rig:
    rest = Transform(np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)), np.ones((count, 3)))
    names = tuple(f"b{i}" for i in range(count))
    return Rig(AssetId(rig), rig, Skeleton(names, np.arange(-1, count - 1), rest))


def test_with_bone_leaves_the_first_pose_and_the_other_bones_alone() -> None:
    before = rest_pose(figure())
    after = before.with_bone(1, translation=[1.0, 2.0, 3.0])
    assert np.array_equal(before.translations[1], np.zeros(3))
    assert np.array_equal(after.translations, [[0, 0, 0], [1, 2, 3], [0, 0, 0]])
    assert after.rotations is before.rotations


def test_bone_is_a_copy() -> None:
    pose = rest_pose(figure())
    pose.bone(0).translation[0] = 9.0
    assert pose.translations[0, 0] == 0.0


def test_arrays_given_are_not_aliased() -> None:
    translations = np.zeros((1, 3))
    pose = Pose(AssetId("rig-1"), translations, np.array([[0.0, 0.0, 0.0, 1.0]]), np.ones((1, 3)))
    translations[0, 0] = 4.0
    assert pose.translations[0, 0] == 0.0


def test_poses_of_different_rigs_do_not_mix() -> None:
    with pytest.raises(ValidationError, match=r"rig-1 .* and rig-2"):
        require_same_rig(rest_pose(figure()), rest_pose(figure(rig="rig-2")))
