"""Pose assets driven by curves: a float curve named like one of an asset's poses is its weight."""

from collections.abc import Iterator, Mapping

from core.ids import AssetId
from core.pose.library import PoseAsset, apply_asset, remove_asset
from core.pose.pose import Pose
from core.project.project import Project
from core.rig.skeleton import Skeleton


def driving(project: Project, rig: AssetId, curves: Mapping[str, float]) -> Iterator[PoseAsset]:
    """The rig's pose assets that a curve has a say in, in the project's order."""
    for asset in project.assets.values():
        if (
            isinstance(asset, PoseAsset)
            and asset.rig == rig
            and any(curves.get(target.name) for target in asset.targets)
        ):
            yield asset


def driven(project: Project, skeleton: Skeleton, pose: Pose) -> Pose:
    """The pose with what pose assets put on it, by the values of its curves."""
    if not pose.curves:
        return pose
    for asset in driving(project, pose.rig, pose.curves):
        pose = apply_asset(skeleton, pose, asset, pose.curves)
    return pose


def undriven(project: Project, skeleton: Skeleton, pose: Pose, curves: Mapping[str, float]) -> Pose:
    """Inverse of `driven`: the pose that the bones' own tracks must give."""
    if not curves:
        return pose
    for asset in reversed(tuple(driving(project, pose.rig, curves))):
        pose = remove_asset(skeleton, pose, asset, curves)
    return pose
