"""PoseHelper's operations and the poses a project keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import same_value
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math import quat
from core.math.transform import Transform
from core.pose import additive
from core.pose.compare import differing, match_names
from core.pose.edits import overlaid, reset, toward
from core.pose.library import (
    LibraryPose,
    PoseAsset,
    apply_asset,
    remove_asset,
    taken_pose,
    target_of,
)
from core.pose.pose import Pose, rest_pose
from core.project.project import Project
from core.project.references import check
from tests.editor.rigs import small_rig

RIG = small_rig()
COUNT = len(RIG.skeleton)


def any_pose(seed: int) -> Pose:
    random = np.random.default_rng(seed)
    rest = RIG.skeleton.rest
    return rest_pose(RIG).with_local(
        Transform(
            rest.translation + random.normal(scale=0.1, size=(COUNT, 3)),
            quat.normalise(random.normal(size=(COUNT, 4))),
            random.uniform(0.5, 1.5, (COUNT, 3)),
        )
    )


A, B = any_pose(1), any_pose(2)
seeds = st.integers(0, 500)


def test_blend_of_nothing_and_of_all_is_exact_to_the_bit() -> None:
    assert toward(A, B, 0.0, RIG.skeleton) is A
    assert same_value(toward(A, B, 1.0, RIG.skeleton).local, B.local)


@given(share=st.floats(-0.5, 1.5))
def test_blend_leaves_bones_that_take_no_part_alone(share: float) -> None:
    made = toward(A, B, share, RIG.skeleton, ["hand_l"])
    hand = RIG.skeleton.index("hand_l")
    others = np.arange(COUNT) != hand
    for before, after in zip(A.local, made.local, strict=True):
        assert np.array_equal(before[others], after[others])


def test_mask_scales_the_share_bone_by_bone() -> None:
    made = toward(A, B, 1.0, RIG.skeleton, mask={"head": 1.0, "chest": 0.5})
    head, chest, foot = (RIG.skeleton.index(n) for n in ("head", "chest", "foot_l"))
    assert np.array_equal(made.rotations[head], B.rotations[head])
    assert made.translations[chest] == pytest.approx((A.translations[chest] + B.translations[chest]) / 2)
    assert np.array_equal(made.rotations[foot], A.rotations[foot])


def test_overshoot_goes_on_along_the_same_arc() -> None:
    one, over = (toward(A, B, share, RIG.skeleton) for share in (1.0, 1.5))
    first = quat.to_rotation_vector(quat.multiply(one.rotations, quat.conjugate(A.rotations)))
    past = quat.to_rotation_vector(quat.multiply(over.rotations, quat.conjugate(one.rotations)))
    assert past == pytest.approx(first / 2, abs=1e-9)


def test_reset_by_part_leaves_the_other_parts_alone() -> None:
    made = reset(RIG, A, ["hand_l", "hand_r"], ("rotation",))
    hands = [RIG.skeleton.index(n) for n in ("hand_l", "hand_r")]
    assert np.array_equal(made.rotations[hands], RIG.skeleton.rest.rotation[hands])
    assert np.array_equal(made.translations, A.translations)
    with pytest.raises(ValidationError, match="parts"):
        reset(RIG, A, None, ("colour",))
    with pytest.raises(MissingReferenceError):
        reset(RIG, A, ["nose"])


def test_overlay_takes_only_the_bones_asked_for() -> None:
    made = overlaid(A, B, RIG.skeleton, ["head"])
    assert differing(A, made, RIG.skeleton) == ("head",)


def test_names_match_without_prefix_and_case_where_that_is_unique() -> None:
    match = match_names(["mixamorig:Head", "hand_l", "tail", "HAND_R"], RIG.skeleton)
    assert match.bones == {"mixamorig:Head": "head", "hand_l": "hand_l", "HAND_R": "hand_r"}
    assert match.missing == ("tail",)
    assert match.total == 4
    assert match.renamed == ("mixamorig:Head", "HAND_R")


def test_library_pose_of_some_bones_lies_over_another_pose() -> None:
    kept = taken_pose(RIG, B, AssetId("pose-1"), "wave", ["hand_l", "head"], ["arm"])
    made = kept.over(RIG.skeleton, A)
    assert same_value(made, overlaid(A, B, RIG.skeleton, ["hand_l", "head"]))


def asset_of(*poses: Pose) -> PoseAsset:
    kept = [taken_pose(RIG, pose, AssetId(f"p{i}"), f"pose {i}") for i, pose in enumerate(poses)]
    return PoseAsset(AssetId("asset-1"), "faces", RIG.id, tuple(target_of(RIG, pose) for pose in kept))


def test_asset_at_weight_one_gives_its_pose_from_rest() -> None:
    made = apply_asset(RIG.skeleton, rest_pose(RIG), asset_of(A, B), {"pose 1": 1.0})
    assert made.translations == pytest.approx(B.translations)
    assert quat.angle_between(made.rotations, B.rotations).max() < 1e-7
    assert made.scales == pytest.approx(B.scales)


@given(weight=st.floats(-0.5, 1.5))
def test_asset_of_one_pose_is_the_additive_pose(weight: float) -> None:
    asset = asset_of(A)
    made = apply_asset(RIG.skeleton, B, asset, {"pose 0": weight})
    goal = additive.apply(B.local, additive.difference(A.local, RIG.skeleton.rest), weight)
    assert made.translations == pytest.approx(goal.translation)
    assert quat.angle_between(made.rotations, goal.rotation).max() < 1e-7


@given(first=st.floats(-0.5, 1.2), second=st.floats(-0.5, 1.2))
def test_asset_taken_off_again_gives_the_pose_back(first: float, second: float) -> None:
    asset, weights = asset_of(A, B), {"pose 0": first, "pose 1": second}
    back = remove_asset(RIG.skeleton, apply_asset(RIG.skeleton, A, asset, weights), asset, weights)
    assert back.translations == pytest.approx(A.translations)
    assert quat.angle_between(back.rotations, A.rotations).max() < 1e-7


def test_order_of_an_assets_poses_does_not_matter() -> None:
    weights = {"pose 0": 0.4, "pose 1": 0.7}
    whole = asset_of(A, B)
    turned = PoseAsset(whole.id, whole.name, whole.rig, whole.targets[::-1])
    one, two = (apply_asset(RIG.skeleton, rest_pose(RIG), asset, weights) for asset in (whole, turned))
    assert quat.angle_between(one.rotations, two.rotations).max() < 1e-7


def test_no_weight_changes_nothing_at_all() -> None:
    assert apply_asset(RIG.skeleton, A, asset_of(A, B), {"unknown": 1.0}) is A


def test_rest_bones_are_left_out_of_a_target() -> None:
    pose = overlaid(rest_pose(RIG), A, RIG.skeleton, ["head"])
    assert asset_of(pose).targets[0].bones == ("head",)


def test_twice_named_bone_is_refused() -> None:
    with pytest.raises(ValidationError, match="twice"):
        LibraryPose(AssetId("p"), "p", RIG.id, ("head", "head"), Transform(*(part[:2] for part in A.local)))


def test_poses_and_pose_assets_come_back_from_the_native_file() -> None:
    kept = taken_pose(RIG, A, AssetId("pose-1"), "fist", ["hand_l", "head"], ["hand", "left"])
    asset = asset_of(A, B)
    project = Project({a.id: a for a in (RIG, kept, asset)})
    back = from_bytes(to_bytes(project))
    assert same_value(back.get(LibraryPose, kept.id), kept)
    assert same_value(back.get(PoseAsset, asset.id), asset)
    with pytest.raises(MissingReferenceError):
        check(Project({kept.id: kept}))


@pytest.mark.parametrize("part", ["translation", "rotation", "scale"])
def test_bone_that_differs_in_one_part_alone_belongs_to_the_target(part: str) -> None:
    """A face that only grows: nothing is moved, nothing turned."""
    rest = rest_pose(RIG)
    changed = {
        "translation": rest.local.translation + 0.01,
        "rotation": quat.multiply(rest.local.rotation, quat.from_axis_angle([1.0, 0.0, 0.0], 0.2)),
        "scale": rest.local.scale * 1.5,
    }[part]
    head = RIG.skeleton.index("head")
    column = np.array(getattr(rest.local, part))
    column[head] = changed[head]
    target = target_of(
        RIG, taken_pose(RIG, rest.with_local(rest.local._replace(**{part: column})), AssetId("p"), "p")
    )
    assert target.bones == ("head",)
