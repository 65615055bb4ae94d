"""Roles of bones on the shared rigs and the sample, and the IK set-ups proposed from them."""

import numpy as np
import pytest

from core.ids import AssetId
from core.io import load
from core.math.transform import Transform
from core.rig.ik_proposals import missing_setups, propose_setups
from core.rig.ik_setup import IkSolver
from core.rig.rig import Rig
from core.rig.roles import FINGERS, LEFT, RIGHT, Role, find_roles
from core.rig.skeleton import Skeleton
from tests.editor.rigs import small_rig

BODY = (
    Role.THIGH, Role.CALF, Role.FOOT, Role.TOE, Role.UPPER_ARM, Role.LOWER_ARM, Role.HAND,
)  # fmt: skip
TOLD = {  # file → names of the left side's BODY, then hips and head
    "bvh/cmu_01_01.bvh": "LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftArm LeftForeArm LeftHand Hips Head",
    "bvh/cmu_jumping_jacks.bvh": "LeftHip LeftKnee LeftAnkle LeftToe LeftShoulder LeftElbow LeftWrist Hips Head",
    "bvh/fair1_dab.bvh": "LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftArm LeftForeArm LeftHand Hips Head",
    "bvh/pybvh_example.bvh": "LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftArm LeftForeArm LeftHand Hips Head",
    "bvh/rokoko_jesse_dance.bvh": "LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftArm LeftForeArm LeftHand Hips Head",
    "gltf/Fox.glb": (
        "b_LeftLeg01_015 b_LeftLeg02_016 b_LeftFoot01_017 b_LeftFoot02_018 "
        "b_LeftUpperArm_09 b_LeftForeArm_010 b_LeftHand_011 b_Hip_01 b_Head_05"
    ),
    "gltf/RobotExpressive.glb": "UpperLeg.L LowerLeg.L - - UpperArm.L LowerArm.L Palm2.L Hips Head",
    "gltf/manny_med_mod.gltf": "upperleg.l lowerleg.l foot.l toes.l upperarm.l lowerarm.l wrist.l hips head",
    "gltf/KayKit_Med_MovementBasic.glb": "upperleg.l lowerleg.l foot.l toes.l upperarm.l lowerarm.l wrist.l hips head",
    "gltf/CesiumMan.gltf": "node_3 node_4 node_5 node_6 node_13 node_14 node_15 node_2 node_20",
}


@pytest.mark.parametrize("name", TOLD)
def test_roles_of_shared_rigs_are_found(name, shared):
    rig = max(load(shared / "data" / name).project.rigs, key=lambda r: len(r.skeleton))
    roles = find_roles(rig.skeleton)
    found = [roles.one(role, LEFT) or "-" for role in BODY]
    assert [*found, roles.one(Role.HIPS), roles.one(Role.HEAD)] == TOLD[name].split()
    for role in BODY:
        assert (roles.one(role, LEFT) is None) == (roles.one(role, RIGHT) is None)
    depths = rig.skeleton.depths()
    for names in roles.found.values():
        steps = [depths[rig.skeleton.index(n)] for n in names]
        assert steps == sorted(steps)


def every_shared_file(shared):
    data = shared / "data"
    return sorted([*data.glob("bvh/*.bvh"), *data.glob("gltf/*.gl*[bf]")])


def test_proposals_for_every_shared_rig_make_a_valid_rig(shared):
    for path in every_shared_file(shared):
        for rig in load(path).project.rigs:
            setups = propose_setups(rig)
            made = Rig(rig.id, rig.name, rig.skeleton, ik_setups=setups)
            assert missing_setups(made) == ()


def test_no_bone_plays_two_roles(shared):
    for path in every_shared_file(shared):
        for rig in load(path).project.rigs:
            names = [n for bones in find_roles(rig.skeleton).found.values() for n in bones]
            assert len(names) == len(set(names)), path.name


def test_small_rig_proposals_are_two_bone_limbs_with_poles_and_an_aiming_head():
    setups = {s.name: s for s in propose_setups(small_rig())}
    assert [(s.root, s.tip) for s in setups.values()][:4] == [
        ("upper_arm_l", "hand_l"), ("upper_arm_r", "hand_r"), ("thigh_l", "foot_l"), ("thigh_r", "foot_r"),
    ]  # fmt: skip
    assert all(setups[n].solver is IkSolver.TWO_BONE and setups[n].pole for n in ("Left arm", "Right leg"))
    assert setups["Head"].solver is IkSolver.AIM
    assert np.allclose(setups["Head"].aim_axis, [0, 0, 1])


def test_fingers_with_metacarpals_twists_and_ends_are_told_apart():
    names = "hips spine clavicle_l upperarm_l upperarm_twist_l lowerarm_l hand_l index_metacarpal_l " \
        "index_01_l index_02_l index_03_l index_03_l_end"  # fmt: skip
    parents = [-1, 0, 1, 2, 3, 3, 5, 6, 7, 8, 9, 10]
    count = len(parents)
    rest = Transform(
        np.tile([0.1, 0.1, 0.0], (count, 1)), np.tile([0, 0, 0, 1.0], (count, 1)), np.ones((count, 3))
    )
    skeleton = Skeleton(tuple(names.split()), np.array(parents), rest)
    roles = find_roles(skeleton)
    assert roles.bones(Role.INDEX, LEFT) == ("index_01_l", "index_02_l", "index_03_l")
    assert roles.one(Role.LOWER_ARM, LEFT) == "lowerarm_l"
    assert roles.of("hand_l") == (Role.HAND, LEFT)
    assert roles.of("upperarm_twist_l") is None
    finger = {s.name: s for s in propose_setups(Rig(AssetId("r"), "r", skeleton))}["Left index"]
    assert (finger.root, finger.tip) == ("index_01_l", "index_03_l_end")


def test_skeleton_without_a_body_has_no_roles():
    rest = Transform(np.zeros((3, 3)), np.tile([0, 0, 0, 1.0], (3, 1)), np.ones((3, 3)))
    skeleton = Skeleton(("Cube", "Cube.001", "Plane"), np.array([-1, 0, 1]), rest)
    assert not find_roles(skeleton).found
    assert propose_setups(Rig(AssetId("r"), "r", skeleton)) == ()
    assert all(not find_roles(skeleton).bones(role, LEFT) for role in FINGERS)
