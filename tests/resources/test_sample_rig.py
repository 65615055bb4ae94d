"""Skeleton, mirror lists and limits of the sample character."""

import numpy as np

from core.math import quat
from core.rig.rig import LimitKind
from tests.resources.conftest import Character

MIRROR = np.diag([-1.0, 1.0, 1.0])


def test_skeleton_has_a_full_body_with_fingers_and_toes(character: Character) -> None:
    names = character.rig.skeleton.names
    assert len(names) >= 60
    wanted = ["root", "pelvis", "spine_01", "neck_01", "head"]
    for side in "lr":
        wanted += [
            f"{b}_{side}" for b in ("clavicle", "upper_arm", "lower_arm", "hand", "thigh", "calf", "foot")
        ]
        wanted += [
            f"{f}_0{i}_{side}" for f in ("thumb", "index", "middle", "ring", "pinky") for i in (1, 2, 3)
        ]
        wanted += [f"{t}_toe_01_{side}" for t in ("big", "index", "middle", "ring", "little")]
    assert set(wanted) <= set(names)


def test_rest_pose_is_its_own_mirror_image(character: Character) -> None:
    matrices = character.matrices(*character.rest())
    index = character.rig.skeleton.index
    mirror = character.rig.mirror
    pairs = [*mirror.pairs, *((name, name) for name in mirror.axis_bones)]
    assert len(character.rig.skeleton.names) == 2 * len(mirror.pairs) + len(mirror.axis_bones)
    for left, right in pairs:
        a, b = matrices[index(left)], matrices[index(right)]
        np.testing.assert_allclose(MIRROR @ a[:3, 3], b[:3, 3], atol=1e-12)
        np.testing.assert_allclose(MIRROR @ a[:3, :3] @ MIRROR, b[:3, :3], atol=1e-12)


def test_rest_pose_mirrors_in_local_numbers_exactly(character: Character) -> None:
    rotations, translations = character.rest()
    index = character.rig.skeleton.index
    for left, right in character.rig.mirror.pairs:
        assert np.array_equal(translations[index(left)] * [-1, 1, 1], translations[index(right)])
        assert np.array_equal(rotations[index(left)] * [1, -1, -1, 1], rotations[index(right)])


def test_figure_is_a_grown_person_facing_ahead(character: Character) -> None:
    low, high = character.mesh.positions.min(axis=0), character.mesh.positions.max(axis=0)
    assert 1.75 < high[1] < 1.85
    assert -0.002 < low[1] < 0.002
    matrices = character.matrices(*character.rest())
    index = character.rig.skeleton.index
    assert matrices[index("hand_l")][0, 3] > 0.3
    assert matrices[index("ball_l")][2, 3] > matrices[index("foot_l")][2, 3] + 0.1
    head = (high[1] - matrices[index("head")][1, 3]) + 0.045  # the chin hangs below the head's joint
    assert 7.0 < high[1] / head < 8.3


def test_bones_point_along_y_to_their_child(character: Character) -> None:
    skeleton = character.rig.skeleton
    for _parent, child in (("upper_arm_l", "lower_arm_l"), ("lower_arm_l", "hand_l"), ("thigh_r", "calf_r"),
                          ("calf_r", "foot_r"), ("index_01_l", "index_02_l"), ("spine_02", "spine_03")):  # fmt: skip
        offset = skeleton.rest.translation[skeleton.index(child)]
        np.testing.assert_allclose(offset / np.linalg.norm(offset), [0.0, 1.0, 0.0], atol=1e-9)


def test_hinges_bend_the_same_way_for_a_positive_turn_on_both_sides(character: Character) -> None:
    index = character.rig.skeleton.index
    rest = character.matrices(*character.rest())
    for side in "lr":
        moved = character.bent(f"lower_arm_{side}", 60.0)
        assert moved[index(f"hand_{side}")][2, 3] > rest[index(f"hand_{side}")][2, 3] + 0.1
        moved = character.bent(f"calf_{side}", 60.0)
        assert moved[index(f"foot_{side}")][2, 3] < rest[index(f"foot_{side}")][2, 3] - 0.1


def test_limits_cover_the_joints_and_mirror(character: Character) -> None:
    limits = character.rig.limits
    assert limits["lower_arm_l"].kind is LimitKind.HINGE
    assert {"upper_arm_l", "thigh_l", "calf_l", "hand_l", "index_02_l", "head", "ball_r"} <= set(limits)
    for left, right in character.rig.mirror.pairs:
        if left in limits:
            a, b = limits[left], limits[right]
            assert (a.kind, a.axis, a.cone) == (b.kind, b.axis, b.cone)
            flipped = (a.minimum, a.maximum) if a.kind is LimitKind.HINGE else (-a.maximum, -a.minimum)
            assert flipped == (b.minimum, b.maximum)


def test_rest_rotations_are_units(character: Character) -> None:
    rotations, _ = character.rest()
    np.testing.assert_allclose(np.linalg.norm(rotations, axis=1), 1.0, atol=1e-12)
    assert quat.angle_between(rotations, rotations).max() < 1e-12
