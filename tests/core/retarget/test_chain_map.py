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
from tests.core.retarget.truth import HUMANOIDS, IN_PART, QUADRUPEDS, wrong


def skeleton_of(shared: Path, name: str) -> Skeleton:
    return load(shared / "data" / name).project.rigs[0].skeleton


@pytest.mark.parametrize("name", [*HUMANOIDS, *IN_PART])
def test_proposal_maps_all_that_a_person_finds_and_nothing_else(shared: Path, name: str) -> None:
    if name.endswith((".usda", ".usdc")):
        pytest.importorskip("pxr", reason="USD is read where its package is installed")
    source, target = skeleton_of(shared, name), sample().rigs[0].skeleton
    found = propose_map(source, target)
    assert wrong(found, HUMANOIDS.get(name) or IN_PART[name]) == []
    assert not found.refused
    assert all(pair.target == own(pair.name) for pair in found.chains)
    check_map(found, source, target)
    held = {bone for pair in found.chains for bone in pair.source}
    assert held | set(found.source_left) == set(source.names) and not held & set(found.source_left)


def own(chain: str) -> tuple[str, ...]:
    """The sample character's bones of a chain, which its proposal onto itself has in full."""
    body = sample().rigs[0].skeleton
    pair = propose_map(body, body).chain(chain)
    assert pair is not None and pair.source == pair.target
    return pair.target


@pytest.mark.parametrize("name", QUADRUPEDS)
def test_proposal_for_a_quadruped_is_refused_with_what_does_answer(shared: Path, name: str) -> None:
    if name.endswith(".usda"):
        pytest.importorskip("pxr", reason="USD is read where its package is installed")
    found = propose_map(skeleton_of(shared, name), sample().rigs[0].skeleton)
    assert "four legs" in found.refused and "5 chains" in found.refused
    assert {pair.name for pair in found.chains} == {"root", "hips", "spine", "neck", "head"}
    fox = skeleton_of(shared, name)
    assert not propose_map(fox, fox).refused


@pytest.mark.parametrize("name", ["fbx/animation_with_skeleton.fbx", "fbx/ozz_robot.fbx", "usd/arm.usda"])
def test_proposal_where_there_is_no_body_is_refused(shared: Path, name: str) -> None:
    if name.endswith(".usda"):
        pytest.importorskip("pxr", reason="USD is read where its package is installed")
    found = propose_map(skeleton_of(shared, name), sample().rigs[0].skeleton)
    assert "no body" in found.refused


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
