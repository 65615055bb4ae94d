"""Chain maps: proposals for every rig at hand, refusals, JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import MissingReferenceError, ValidationError
from core.io import load
from core.retarget.chain_map import (
    ChainMap,
    ChainPair,
    Part,
    check_map,
    map_from_json,
    map_to_json,
    propose_map,
)
from core.rig.skeleton import Skeleton
from tests.core.retarget.figures import figure, sample

LIMBS = {f"{side} {part}" for side in ("left", "right") for part in ("arm", "hand", "leg", "foot", "toe")}
TRUNK = {"hips", "spine", "head"}
FIVE = {f"{s} {f}" for s in ("left", "right") for f in ("thumb", "index", "middle", "ring", "pinky")}
COLLAR = {"neck", "left clavicle", "right clavicle"}
THUMBS = {"left thumb", "right thumb"}

# file → chains that a person finds when looking at the names, and single answers worth naming
WANTED: dict[str, tuple[set[str], dict[str, tuple[str, ...]]]] = {
    "bvh/cmu_01_01.bvh": (
        TRUNK | LIMBS | COLLAR | THUMBS,
        {"left leg": ("LeftUpLeg", "LeftLeg"), "spine": ("LowerBack", "Spine", "Spine1")},
    ),
    "bvh/cmu_jumping_jacks.bvh": (
        TRUNK | LIMBS | COLLAR | THUMBS,
        {"left leg": ("LeftHip", "LeftKnee"), "left arm": ("LeftShoulder", "LeftElbow")},
    ),
    "bvh/fair1_dab.bvh": (TRUNK | LIMBS | COLLAR | THUMBS, {"right hand": ("RightHand",)}),
    "bvh/pybvh_example.bvh": (TRUNK | LIMBS | COLLAR, {"neck": ("Neck", "Neck1")}),
    "bvh/rokoko_jesse_dance.bvh": (TRUNK | LIMBS | COLLAR | FIVE, {"left clavicle": ("LeftShoulder",)}),
    "fbx/maya_kenney_character_7700_binary.fbx": (
        TRUNK | LIMBS | COLLAR | THUMBS | {"left index", "right index", "root"},
        {"root": ("Root",), "left foot": ("LeftFoot",)},
    ),
    "fbx/pab_jog.fbx": (
        (TRUNK | LIMBS | COLLAR | FIVE) - {"neck"},
        {
            "left ring": ("LeftHandRing1", "LeftHandRing2", "LeftHandRing3"),
            "left pinky": ("LeftHandRingPinky1", "LeftHandRingPinky2", "LeftHandRingPinky3"),
        },
    ),
    "gltf/KayKit_Med_MovementBasic.glb": (TRUNK | LIMBS | {"root"}, {"left hand": ("wrist.l",)}),
    "gltf/CesiumMan.gltf": (TRUNK | LIMBS | {"neck"}, {"left leg": ("node_3", "node_4")}),
    "gltf/RobotExpressive.glb": (
        (TRUNK | LIMBS | COLLAR | FIVE | {"root"})
        - {f"{s} {p}" for s in ("left", "right") for p in ("foot", "toe", "pinky")},
        {"left leg": ("UpperLeg.L", "LowerLeg.L"), "left hand": ("Palm2.L",), "root": ("RobotArmature",)},
    ),
}


def skeleton_of(shared: Path, name: str) -> Skeleton:
    return load(shared / "data" / name).project.rigs[0].skeleton


@pytest.mark.parametrize("name", WANTED)
def test_proposal_for_a_humanoid_maps_all_it_has_and_nothing_wrongly(shared: Path, name: str) -> None:
    source, target = skeleton_of(shared, name), sample().rigs[0].skeleton
    found = propose_map(source, target)
    wanted, named = WANTED[name]
    assert {pair.name for pair in found.chains} == wanted
    assert not found.refused
    for chain, bones in named.items():
        pair = found.chain(chain)
        assert pair is not None and pair.source == bones
    check_map(found, source, target)
    held = {bone for pair in found.chains for bone in pair.source}
    assert held | set(found.source_left) == set(source.names) and not held & set(found.source_left)


@pytest.mark.parametrize("name", ["gltf/Fox.glb", "clients/blender501_Fox_Run.bvh"])
def test_proposal_for_a_quadruped_is_refused_with_what_does_answer(shared: Path, name: str) -> None:
    found = propose_map(skeleton_of(shared, name), sample().rigs[0].skeleton)
    assert "four legs" in found.refused and "5 chains" in found.refused
    assert {pair.name for pair in found.chains} == {"root", "hips", "spine", "neck", "head"}
    fox = skeleton_of(shared, name)
    assert not propose_map(fox, fox).refused


def test_proposal_where_there_is_no_body_is_refused(shared: Path) -> None:
    found = propose_map(skeleton_of(shared, "fbx/animation_with_skeleton.fbx"), sample().rigs[0].skeleton)
    assert found.chains == () and "no body" in found.refused


def test_map_through_json_is_the_same() -> None:
    source, target = figure(2), figure(4)
    found = propose_map(source, target)
    assert map_from_json(map_to_json(found), source, target) == replace(found, notes=())


def test_mirrored_map_is_refused_with_the_reason() -> None:
    source, target = figure(), figure()
    crossed = ChainMap(
        (ChainPair("left arm", Part.ARM, ("upper_arm_l", "lower_arm_l"), ("upper_arm_r", "lower_arm_r")),)
    )
    with pytest.raises(ValidationError, match=r"mirrored: 'upper_arm_l' is on the left .* mirror the clip"):
        map_from_json(map_to_json(crossed), source, target)


def test_maps_that_make_no_sense_are_refused() -> None:
    source = target = figure()
    with pytest.raises(ValidationError, match="no chain"):
        check_map(ChainMap(()), source, target)
    twice = ChainPair("a", Part.OTHER, ("head",), ("head",)), ChainPair("b", Part.OTHER, ("head",), ("neck",))
    with pytest.raises(ValidationError, match="'head' is in 'a' and in 'b'"):
        check_map(ChainMap(twice), source, target)
    back = ChainPair("spine", Part.SPINE, ("spine_2", "spine_1"), ("spine_1",))
    with pytest.raises(ValidationError, match="parents first"):
        check_map(ChainMap((back,)), source, target)
    lost = ChainPair("tail", Part.OTHER, ("tail_1",), ("head",))
    with pytest.raises(MissingReferenceError, match="tail_1"):
        check_map(ChainMap((lost,)), source, target)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "[]",
        '{"schema": "other/1", "chains": []}',
        json.dumps({"schema": "posewright-chain-map/1", "chains": [3]}),
        json.dumps({"schema": "posewright-chain-map/1", "chains": [{"name": "a", "part": "wing"}]}),
        json.dumps({"schema": "posewright-chain-map/1", "chains": [{"name": "a", "source": [1]}]}),
    ],
)
def test_json_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="chain map"):
        map_from_json(text, figure(), figure())


def test_one_chain_changed_brings_the_leftovers_up_to_date() -> None:
    source, target = figure(), figure()
    found = propose_map(source, target)
    without = found.with_chain(ChainPair("head", Part.HEAD, (), ()), source, target)
    assert without.chain("head") is None and "head" in without.source_left and "head" in without.target_left
    again = without.with_chain(ChainPair("head", Part.HEAD, ("head",), ("head",)), source, target)
    assert again.chain("head") is not None and "head" not in again.source_left
