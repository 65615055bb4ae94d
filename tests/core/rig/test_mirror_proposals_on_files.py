"""Mirror lists proposed for every rig of the shared files: a table of how many, and none wrong.

A pair is wrong when its names tell the same side, or tell different words, or when its bones rest on
one side. What is said here of each rig was looked at by hand, pair by pair.
"""

import re

import numpy as np
import pytest

from core.errors import FormatError
from core.io.registry import load
from core.math.transform import down_chain
from core.rig.mirror import Evidence, propose, side_of
from core.rig.rig import Rig
from tests.shared import shared_files

# File → pairs, axis bones, leftovers. Rokoko's rest pose lays arms and legs along different axes: the
# pairs are right by name, and five conflicts say that the legs rest on one side.
TABLE = {
    "cmu_01_01.bvh": (15, 8, 0),
    "cmu_jumping_jacks.bvh": (15, 8, 0),
    "fair1_dab.bvh": (13, 8, 0),
    "pybvh_example.bvh": (10, 9, 0),
    "rokoko_jesse_dance.bvh": (33, 6, 1),
    "rotation_first_root.bvh": (0, 4, 2),
    "standard_skeleton_1frame.bvh": (10, 9, 0),
    "03_animated_cube.gltf": (0, 1, 0),
    "03_skinned_cylinder.gltf": (0, 6, 0),
    "AnimatedMorphCube.gltf": (0, 1, 0),
    "BoxAnimated.gltf": (0, 4, 0),
    "CesiumMan.gltf": (7, 7, 0),
    "Fox.glb": (7, 11, 0),
    "KayKit_Med_MovementBasic.glb": (9, 6, 0),
    "RiggedSimple.gltf": (0, 4, 0),
    "RobotExpressive.glb": (23, 11, 0),
    "SimpleSkin.gltf": (0, 3, 0),
    "interpolation_test.gltf": (0, 4, 6),
    "manny_med_mod.gltf": (8, 6, 0),
    "animation_with_skeleton.fbx": (0, 2, 15),
    "max_transformed_skin_7500_binary.fbx": (0, 1, 4),
    "maya_anim_interpolation_7700_ascii.fbx": (0, 1, 0),
    "maya_anim_pivot_rotate_7700_ascii.fbx": (0, 1, 0),
    "maya_kenney_character_7700_binary.fbx": (25, 9, 0),  # its rest pose strides
    "maya_transformed_skin_7700_ascii.fbx": (0, 3, 1),
    "maya_transformed_skin_7700_binary.fbx": (0, 3, 1),
    "ozz_robot.fbx": (6, 5, 6),  # thumb and index of its claw are each other's reflection
    "pab_arnaud_skin.fbx": (23, 8, 0),
    "pab_jog.fbx": (29, 12, 4),
}


def rigs_of(path) -> list[Rig]:
    try:
        return list(load(path).project.rigs)
    except FormatError as error:  # broken on purpose, or of a format that is not read yet
        pytest.skip(f"not readable: {error}")


@pytest.mark.parametrize(
    "path",
    shared_files(
        "data/gltf/*.glb", "data/gltf/*.gltf", "data/bvh/*.bvh", "data/fbx/*.fbx", "data/usd/*.usda"
    ),
)
def test_proposal_for_a_rig_of_the_shared_files(path) -> None:
    for rig in rigs_of(path):
        skeleton = rig.skeleton
        proposal = propose(skeleton)
        places = down_chain(skeleton.parents, skeleton.rest).translation[:, proposal.axis]
        size = float(np.ptp(down_chain(skeleton.parents, skeleton.rest).translation, axis=0).max()) or 1.0
        listed = [b for pair in proposal.pairs for b in (pair.left, pair.right)] + list(proposal.axis_bones)
        assert len(set(listed)) == len(listed)
        assert set(listed) | set(proposal.leftovers) == set(skeleton.names)
        Rig(rig.id, rig.name, skeleton, proposal.setup())  # the rig takes it
        for pair in proposal.pairs:
            left, right = side_of(pair.left), side_of(pair.right)
            assert (left is None) == (right is None), (pair.left, pair.right)
            if left is not None and right is not None:
                assert (left[0], right[0]) == (1, -1), (pair.left, pair.right)
                if pair.evidence is not Evidence.HIERARCHY:
                    assert words(left[1]) == words(right[1]), (pair.left, pair.right)
            a, b = (skeleton.index(name) for name in (pair.left, pair.right))
            if pair.confidence >= 0.9:
                assert (places[a] - np.median(places)) * (places[b] - np.median(places)) <= 1e-4 * size**2
        for name in proposal.axis_bones:
            assert side_of(name) is None, name
        if path.name in TABLE:
            found = (len(proposal.pairs), len(proposal.axis_bones), len(proposal.leftovers))
            assert found == TABLE[path.name]


def words(stem: str) -> str:
    """A name without the numbers that exporters give."""
    return re.sub(r"[._-]?\d+$", "", stem)
