"""Poses kept in the project: the pose library, and pose assets that blend several by weights.

Both hold bones by name, so that they survive another order of bones, and lie over a pose: bones
that they do not hold, or that the rig lacks, are left alone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray, frozen, require_finite
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.math import quat
from core.math.transform import Transform
from core.pose import additive
from core.pose.edits import summed, without_sum
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


def _checked(local: Transform, count: int, what: str) -> Transform:
    parts = []
    for part, width, name in zip(local, (3, 4, 3), Transform._fields, strict=True):
        array = frozen(part, (count, width), f"{what}: {name}")
        require_finite(array, f"{what}: {name}")
        parts.append(array)
    length = np.linalg.norm(parts[1], axis=1)
    if count and float(length.min()) < 1e-6:
        raise ValidationError(f"{what}: a rotation is a quaternion of zero length")
    if np.abs(length - 1.0).max(initial=0.0) > 1e-12:
        parts[1] = frozen(quat.normalise(parts[1]), (count, 4), what)
    return Transform(*parts)


def _distinct(names: Sequence[str], what: str) -> tuple[str, ...]:
    if len(set(names)) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise ValidationError(f"{what}: {twice!r} is there twice")
    return tuple(names)


@dataclass(frozen=True, slots=True, eq=False)
class LibraryPose:
    """A named pose of some or all bones. An asset of the project.

    Parameters
    ----------
    rig : id of the rig it was made on
    bones : names of the bones it holds
    local : their local transforms ``(N, k)``
    tags : words to find it by
    """

    id: AssetId
    name: str
    rig: AssetId
    bones: tuple[str, ...]
    local: Transform
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        what = f"pose {self.name!r}"
        object.__setattr__(self, "bones", _distinct(self.bones, what))
        object.__setattr__(self, "local", _checked(self.local, len(self.bones), what))
        object.__setattr__(self, "tags", tuple(dict.fromkeys(self.tags)))

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig."""
        return (Reference(self.rig, Rig, "rig"),)

    def with_targets(self, targets: Targets) -> "LibraryPose | None":
        """The same with references redirected (see `Asset.with_targets`); None where its rig is gone."""
        rig = redirected(self.rig, targets)
        return None if rig is None else replace(self, rig=rig)

    def over(self, skeleton: Skeleton, pose: Pose) -> Pose:
        """Lay this pose over another."""
        here, there = _places(skeleton, self.bones)
        parts = [np.array(part) for part in pose.local]
        for part, own in zip(parts, self.local, strict=True):
            part[there] = own[here]
        return pose.with_local(Transform(*parts))

    def held(self, skeleton: Skeleton) -> tuple[str, ...]:
        """Names of its bones that the skeleton has."""
        return tuple(name for name in self.bones if skeleton.find(name) is not None)


@dataclass(frozen=True, slots=True, eq=False)
class PoseTarget:
    """One pose of a pose asset, as a difference from the rest pose.

    Parameters
    ----------
    name : also the name of the float curve that drives it
    bones : names of the bones it moves
    delta : ``(N, k)``: translation and rotation differences, scale as ``s / s_rest − 1``
    """

    name: str
    bones: tuple[str, ...]
    delta: Transform

    def __post_init__(self) -> None:
        what = f"pose target {self.name!r}"
        object.__setattr__(self, "bones", _distinct(self.bones, what))
        object.__setattr__(self, "delta", _checked(self.delta, len(self.bones), what))


@dataclass(frozen=True, slots=True, eq=False)
class PoseAsset:
    """Several poses blended at once by weights. An asset of the project.

    Parameters
    ----------
    rig : id of the rig it was made on
    targets : its poses, with names that differ
    """

    id: AssetId
    name: str
    rig: AssetId
    targets: tuple[PoseTarget, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "targets", tuple(self.targets))
        _distinct([target.name for target in self.targets], f"pose asset {self.name!r}")

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig."""
        return (Reference(self.rig, Rig, "rig"),)

    def with_targets(self, targets: Targets) -> "PoseAsset | None":
        """The same with references redirected (see `Asset.with_targets`); None where its rig is gone."""
        rig = redirected(self.rig, targets)
        return None if rig is None else replace(self, rig=rig)


def _places(skeleton: Skeleton, bones: Iterable[str]) -> tuple[list[int], list[int]]:
    """Rows of names that are bones, and those bones' numbers."""
    found = [(row, skeleton.find(name)) for row, name in enumerate(bones)]
    known = [(row, bone) for row, bone in found if bone is not None]
    return [row for row, _ in known], [bone for _, bone in known]


def taken_pose(
    rig: Rig, pose: Pose, id: AssetId, name: str, bones: Iterable[str] | None = None, tags: Sequence[str] = ()
) -> LibraryPose:
    """A library pose of a pose's bones (all by default)."""
    names = rig.skeleton.names if bones is None else tuple(bones)
    rows = [rig.skeleton.index(bone) for bone in names]
    local = Transform(*(np.array(part[rows]) for part in pose.local))
    return LibraryPose(id, name, rig.id, names, local, tuple(tags))


def target_of(rig: Rig, pose: LibraryPose, tolerance: float = 1e-9) -> PoseTarget:
    """A library pose as a difference from rest; bones that rest in it are left out."""
    here, there = _places(rig.skeleton, pose.bones)
    own = Transform(*(part[here] for part in pose.local))
    rest = Transform(*(part[there] for part in rig.skeleton.rest))
    delta = additive.difference(own, rest)
    moved = np.abs(delta.translation).max(axis=1, initial=0.0) > tolerance
    moved |= quat.angle_between(own.rotation, rest.rotation) > tolerance
    moved |= np.abs(delta.scale).max(axis=1, initial=0.0) > tolerance
    rows = np.flatnonzero(moved)
    names = tuple(pose.bones[here[row]] for row in rows)
    return PoseTarget(pose.name, names, Transform(*(np.array(part[rows]) for part in delta)))


def asset_deltas(skeleton: Skeleton, asset: PoseAsset) -> tuple[tuple[int, ...], Transform]:
    """Bones that an asset moves, and its differences ``(P, N, k)`` over them (none where a target has none)."""
    moved = {b for target in asset.targets for b in _places(skeleton, target.bones)[1]}
    bones = tuple(sorted(moved))
    row_of = {bone: row for row, bone in enumerate(bones)}
    count, poses = len(bones), len(asset.targets)
    parts = [np.zeros((poses, count, 3)), np.zeros((poses, count, 4)), np.zeros((poses, count, 3))]
    parts[1][..., 3] = 1.0
    for number, target in enumerate(asset.targets):
        here, there = _places(skeleton, target.bones)
        rows = [row_of[bone] for bone in there]
        for part, own in zip(parts, target.delta, strict=True):
            part[number, rows] = own[here]
    return bones, Transform(*parts)


def apply_asset(skeleton: Skeleton, pose: Pose, asset: PoseAsset, weights: Mapping[str, float]) -> Pose:
    """Put the weighted sum of an asset's differences on a pose.

    Parameters
    ----------
    weights : target name → weight; those left out weigh 0, and all 0 changes nothing at all
    """
    return _combined(skeleton, pose, asset, weights, inverse=False)


def remove_asset(skeleton: Skeleton, pose: Pose, asset: PoseAsset, weights: Mapping[str, float]) -> Pose:
    """Inverse of `apply_asset`: the pose without what the asset puts on it."""
    return _combined(skeleton, pose, asset, weights, inverse=True)


def with_pose_assets(
    skeleton: Skeleton, local: Transform, assets: Iterable[PoseAsset], curves: Mapping[str, FloatArray]
) -> Transform:
    """Local transforms ``(T, B, k)`` with what assets put on them by the values ``(T,)`` of named curves.

    The assets go on one after another; a row in which no curve has a say stays bit for bit.
    """
    for asset in assets:
        zero = np.zeros(len(local.translation))
        shares = [curves.get(target.name, zero) for target in asset.targets]
        local = _put(skeleton, local, asset, np.array(shares, dtype=np.float64), summed)
    return local


def _combined(
    skeleton: Skeleton, pose: Pose, asset: PoseAsset, weights: Mapping[str, float], inverse: bool
) -> Pose:
    shares = np.array([float(weights.get(target.name, 0.0)) for target in asset.targets])
    local = pose.local
    made = _put(skeleton, local, asset, shares, without_sum if inverse else summed)
    return pose if made is local else pose.with_local(made)


def _put(
    skeleton: Skeleton,
    local: Transform,
    asset: PoseAsset,
    shares: FloatArray,
    way: Callable[[Transform, Transform, FloatArray], Transform],
) -> Transform:
    """Local transforms ``(..., B, k)`` with an asset's differences at weights ``(P, ...)``; else the same object."""
    found, deltas = asset_deltas(skeleton, asset) if shares.any() else ((), local)
    if not found:
        return local
    bones = list(found)
    result = way(Transform(*(part[..., bones, :] for part in local)), deltas, shares)
    parts = [np.array(part) for part in local]
    for part, value in zip(parts, result, strict=True):
        part[..., bones, :] = value
    return Transform(*parts)
