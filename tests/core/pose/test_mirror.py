"""Mirroring: the laws of the spec on symmetric, odd-axed and uneven rigs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform, down_chain
from core.pose.mirror import MirrorWay, mirror_pose
from core.pose.pose import Pose, rest_pose
from core.rig.rig import MirrorSetup, Rig
from core.rig.skeleton import Skeleton

NAMES = ("root", "spine", "head", "arm_l", "hand_l", "arm_r", "hand_r", "prop")
PARENTS = np.array([-1, 0, 1, 1, 3, 1, 5, 4])
SETUP = MirrorSetup(0, ("root", "spine", "head"), (("arm_l", "arm_r"), ("hand_l", "hand_r")))
MODEL = np.array(
    [
        [0, 0, 0],
        [0, 1, 0],
        [0, 1.6, 0],
        [0.2, 1.4, 0],
        [0.6, 1.3, 0.1],
        [-0.2, 1.4, 0],
        [-0.6, 1.3, 0.1],
        [0.7, 1.3, 0],
    ]
)


def rig_with(axes: np.ndarray, places: np.ndarray = MODEL) -> Rig:
    """A figure whose bones rest at model `places` with model rotations `axes` ``(8, 4)``."""
    above = np.maximum(PARENTS, 0)
    inverse = quat.conjugate(axes[above])
    inverse[0] = quat.IDENTITY
    offset = places - np.where((PARENTS < 0)[:, None], 0.0, places[above])
    rest = Transform(quat.rotate(inverse, offset), quat.multiply(inverse, axes), np.ones((8, 3)))
    return Rig(AssetId("rig-1"), "figure", Skeleton(NAMES, PARENTS, rest), SETUP)


def any_axes(seed: int) -> np.ndarray:
    return quat.normalise(np.random.default_rng(seed).normal(size=(8, 4)))


PLAIN = rig_with(np.tile(quat.IDENTITY, (8, 1)))
ODD = rig_with(any_axes(7))
UNEVEN_PLACES = MODEL.copy()
UNEVEN_PLACES[4] = [0.9, 1.2, 0.1]
UNEVEN = rig_with(any_axes(8), UNEVEN_PLACES)


def posed(rig: Rig, numbers: np.ndarray) -> Pose:
    """A pose whose bones are turned and (a little) moved from rest by numbers ``(8, 6)``."""
    rest = rig.skeleton.rest
    return rest_pose(rig).with_local(
        Transform(
            rest.translation + 0.1 * numbers[:, :3],
            quat.multiply(rest.rotation, quat.from_rotation_vector(numbers[:, 3:])),
            rest.scale,
        )
    )


numbers = hnp.arrays(float, (8, 6), elements=st.floats(-1.5, 1.5, allow_subnormal=False))
rigs = pytest.mark.parametrize("rig", [PLAIN, ODD, UNEVEN], ids=["plain", "odd axes", "uneven"])


@rigs
@given(values=numbers)
def test_mirroring_twice_is_the_identity(rig: Rig, values: np.ndarray) -> None:
    pose = posed(rig, values)
    back = mirror_pose(rig, mirror_pose(rig, pose))
    assert np.abs(back.translations - pose.translations).max() < 1e-9
    assert quat.angle_between(back.rotations, pose.rotations).max() < 1e-9


@pytest.mark.parametrize("rig", [PLAIN, ODD], ids=["plain", "odd axes"])
@given(values=numbers)
def test_listed_bones_of_a_symmetric_rest_land_on_the_exact_reflection(rig: Rig, values: np.ndarray) -> None:
    pose = posed(rig, values)
    before = down_chain(PARENTS, pose.local)
    after = down_chain(PARENTS, mirror_pose(rig, pose).local)
    twin = [0, 1, 2, 5, 6, 3, 4]
    assert np.abs(after.translation[:7] - before.translation[twin] * [-1, 1, 1]).max() < 1e-6


@given(values=numbers)
def test_uneven_arms_keep_their_own_lengths(values: np.ndarray) -> None:
    values[:, :3] = 0.0
    pose = posed(UNEVEN, values)
    after = down_chain(PARENTS, mirror_pose(UNEVEN, pose).local).translation
    length = np.linalg.norm(after[[4, 6]] - after[[3, 5]], axis=1)
    assert length == pytest.approx(
        [np.linalg.norm(UNEVEN_PLACES[4] - MODEL[3]), np.linalg.norm(MODEL[6] - MODEL[5])]
    )


@given(values=numbers)
def test_bone_on_neither_list_keeps_its_local_bits(values: np.ndarray) -> None:
    pose = posed(ODD, values)
    after = mirror_pose(ODD, pose)
    assert np.array_equal(after.translations[7], pose.translations[7])
    assert np.array_equal(after.rotations[7], pose.rotations[7])


def test_rest_of_a_symmetric_rig_is_its_own_mirror() -> None:
    after = mirror_pose(ODD, rest_pose(ODD))
    assert np.abs(after.translations - ODD.skeleton.rest.translation).max() < 1e-12
    assert quat.angle_between(after.rotations, ODD.skeleton.rest.rotation).max() < 1e-12


def test_left_to_right_copies_the_limb_and_leaves_left_and_spine() -> None:
    pose = posed(PLAIN, np.random.default_rng(1).normal(size=(8, 6)))
    after = mirror_pose(PLAIN, pose, MirrorWay.LEFT_TO_RIGHT)
    kept = [0, 1, 2, 3, 4, 7]
    assert np.array_equal(after.rotations[kept], pose.rotations[kept])
    before, now = (down_chain(PARENTS, p.local).rotation for p in (pose, after))
    assert quat.angle_between(now[[5, 6]], before[[3, 4]] * [1, -1, -1, 1]).max() < 1e-12


def test_only_the_bones_asked_for_change() -> None:
    pose = posed(PLAIN, np.random.default_rng(1).normal(size=(8, 6)))
    after = mirror_pose(PLAIN, pose, MirrorWay.SWAP, ["hand_r"])
    changed = [NAMES[b] for b in range(8) if not np.array_equal(after.rotations[b], pose.rotations[b])]
    assert changed == ["hand_r"]


def test_scale_is_taken_from_the_other_side() -> None:
    scales = np.random.default_rng(3).uniform(0.5, 2.0, (8, 3))
    pose = rest_pose(PLAIN)
    pose = pose.with_local(pose.local._replace(scale=scales))
    after = mirror_pose(PLAIN, pose).local.scale
    other = [0, 1, 2, 5, 6, 3, 4, 7]
    assert np.array_equal(after, scales[other])
    copied = mirror_pose(PLAIN, pose, MirrorWay.LEFT_TO_RIGHT).local.scale
    assert np.array_equal(copied, scales[[0, 1, 2, 3, 4, 3, 4, 7]])
