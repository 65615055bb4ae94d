"""A pose as it stands in the world when a gesture begins, and pure functions that move bones in it.

Everything a drag asks for is three numbers along the axes of a frame (metres, radians or factors),
so that one drag serves every space: the frame says whose axes they are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.ik.pivots import Anchor
from core.math import quat
from core.math import transform as transforms
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.skeleton import Skeleton
from editor.tools.state import Pivot, Space


@dataclass(frozen=True, slots=True, eq=False)
class WorldPose:
    """A pose with the world matrices and rotations of its bones.

    Parameters
    ----------
    matrices : ``(B, 4, 4)`` bone to world (exact where a bone scales unevenly)
    rotations : ``(B, 4)`` world rotations along the chain, without scale
    root : ``(4, 4)`` character to world
    """

    skeleton: Skeleton
    pose: Pose
    matrices: FloatArray
    rotations: FloatArray
    root: FloatArray

    def parent_matrix(self, bone: int) -> FloatArray:
        """``(4, 4)`` parent to world; of a root bone, the character's."""
        parent = self.skeleton.parent(bone)
        return self.root if parent < 0 else self.matrices[parent]

    def parent_rotation(self, bone: int) -> FloatArray:
        """World rotation ``(4,)`` of what the bone's local transform is relative to."""
        parent = self.skeleton.parent(bone)
        return transforms.from_matrix(self.root).rotation if parent < 0 else self.rotations[parent]

    def positions(self) -> FloatArray:
        """World positions ``(B, 3)`` of the bones' heads."""
        return self.matrices[:, :3, 3]


def world_pose(skeleton: Skeleton, pose: Pose, root: npt.ArrayLike) -> WorldPose:
    """Put a pose into the world; `root` is character to world ``(4, 4)``."""
    base = np.asarray(root, dtype=np.float64)
    local = transforms.to_matrix(pose.local)
    matrices = np.empty((len(pose), 4, 4))
    rotations = np.empty((len(pose), 4))
    root_rotation = transforms.from_matrix(base).rotation
    for depth, bones in enumerate(transforms.generations(skeleton.parents)):
        above = skeleton.parents[bones]
        matrices[bones] = (matrices[above] if depth else base) @ local[bones]
        rotations[bones] = quat.multiply(rotations[above] if depth else root_rotation, pose.rotations[bones])
    return WorldPose(skeleton, pose, matrices, rotations, base)


def topmost(skeleton: Skeleton, bones: Iterable[int]) -> tuple[int, ...]:
    """The bones that have no other of them above: moving these moves the rest once, not twice."""
    wanted = set(bones)
    return tuple(
        bone for bone in sorted(wanted) if not any(above in wanted for above in _above(skeleton, bone))
    )


def _above(skeleton: Skeleton, bone: int) -> Iterable[int]:
    parent = skeleton.parent(bone)
    while parent >= 0:
        yield parent
        parent = skeleton.parent(parent)


def chain_share(skeleton: Skeleton, bones: Sequence[int]) -> dict[int, float]:
    """The part of a turn each bone takes when it is distributed: one over the longest chain through it."""
    wanted = set(bones)
    depth = {bone: 1 + sum(above in wanted for above in _above(skeleton, bone)) for bone in wanted}
    longest = dict(depth)
    for bone in sorted(wanted, reverse=True):
        for above in _above(skeleton, bone):
            if above in wanted:
                longest[above] = max(longest[above], longest[bone])
    heads = {bone: min([b for b in _above(skeleton, bone) if b in wanted], default=bone) for bone in wanted}
    return {bone: 1.0 / longest[heads[bone]] for bone in wanted}


def frame_of(s: WorldPose, bone: int, space: Space, view: FloatArray) -> FloatArray:
    """Unit directions ``(3, 3)``, rows x, y, z in the world, of a bone's handles.

    Parameters
    ----------
    view : ``(3, 3)`` rows right, up and toward the eye
    """
    if space is Space.WORLD:
        return np.eye(3)
    if space is Space.VIEW:
        return np.asarray(view, dtype=np.float64)
    rotation = s.rotations[bone] if space is Space.LOCAL else s.parent_rotation(bone)
    return np.ascontiguousarray(quat.to_matrix(rotation).T)


def pivot_of(s: WorldPose, bones: Sequence[int], active: int, pivot: Pivot) -> FloatArray:
    """Where the handles stand ``(3,)``, world metres."""
    places = s.positions()
    if pivot is Pivot.MEDIAN and len(bones):
        low, high = places[list(bones)].min(axis=0), places[list(bones)].max(axis=0)
        middle: FloatArray = (low + high) / 2.0
        return middle
    place: FloatArray = places[active]
    return place


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What an amount is measured in: whose axes, about which point, for which bones.

    Parameters
    ----------
    axes : ``(3, 3)`` rows, world directions of the handles (the active bone's)
    point : ``(3,)`` world, the shared pivot
    anchor : the point that stands still while the whole pose moves, or None
    """

    space: Space
    pivot: Pivot
    axes: FloatArray
    point: FloatArray
    anchor: Anchor | None = None


def turned(
    s: WorldPose,
    bones: Sequence[int],
    frame: Frame,
    amount: FloatArray,
    share: dict[int, float] | None = None,
) -> Pose:
    """Turn bones by a rotation vector ``(3,)`` in radians along the frame's axes.

    In local and parent space with individual pivots each bone turns about its own axes; otherwise
    all turn about the frame's. `share` scales the turn bone by bone (distributed along a chain).
    """
    rotations, translations = s.pose.rotations.copy(), s.pose.translations.copy()
    own = frame.pivot is Pivot.INDIVIDUAL or share is not None
    for bone in bones:
        part = amount if share is None else amount * share[bone]
        length = float(np.linalg.norm(part))
        if own and frame.space in (Space.LOCAL, Space.PARENT):
            turn = quat.from_axis_angle(part, length)
            before = rotations[bone]
            pair = (before, turn) if frame.space is Space.LOCAL else (turn, before)
            rotations[bone] = quat.normalise(quat.multiply(*pair))
            continue
        world = quat.from_axis_angle(part @ frame.axes, length)
        above = s.parent_rotation(bone)
        inside = quat.multiply(quat.multiply(quat.conjugate(above), world), above)
        rotations[bone] = quat.normalise(quat.multiply(inside, rotations[bone]))
        if not own:
            arm = s.positions()[bone] - frame.point
            if np.linalg.norm(arm) > 1e-9:
                translations[bone] = _into_parent(s, bone, frame.point + quat.rotate(world, arm))
    return s.pose.with_local(Transform(translations, rotations, s.pose.scales))


def moved(s: WorldPose, bones: Sequence[int], frame: Frame, amount: FloatArray, view: FloatArray) -> Pose:
    """Shift bones by metres ``(3,)`` along the frame's axes, or each along its own (individual pivots)."""
    translations = s.pose.translations.copy()
    for bone in bones:
        own = frame.pivot is Pivot.INDIVIDUAL
        axes = frame_of(s, bone, frame.space, view) if own else frame.axes
        if frame.space is Space.VIEW:
            axes = frame.axes
        step = np.linalg.solve(_invertible(s.parent_matrix(bone)[:3, :3]), amount @ axes)
        step[np.abs(step) < 1e-12] = 0.0
        translations[bone] = translations[bone] + step
    return s.pose.with_local(Transform(translations, s.pose.rotations, s.pose.scales))


def scaled(s: WorldPose, bones: Sequence[int], frame: Frame, factors: FloatArray) -> Pose:
    """Scale bones by factors ``(3,)`` along the frame's axes.

    A bone scales along its own axes only: in other spaces each of them takes the stretch of its
    direction, which leaves out the shear a bone cannot hold.
    """
    scales, translations = s.pose.scales.copy(), s.pose.translations.copy()
    stretch = frame.axes.T @ np.diag(factors) @ frame.axes
    for bone in bones:
        if frame.space is Space.LOCAL:
            scales[bone] = scales[bone] * factors
        else:
            own = quat.to_matrix(s.rotations[bone])
            stretched = stretch @ own
            sign = np.where(np.sum(own * stretched, axis=0) < 0.0, -1.0, 1.0)
            scales[bone] = scales[bone] * sign * np.linalg.norm(stretched, axis=0)
        arm = s.positions()[bone] - frame.point
        if frame.pivot is not Pivot.INDIVIDUAL and np.linalg.norm(arm) > 1e-9:
            translations[bone] = _into_parent(s, bone, frame.point + stretch @ arm)
    return s.pose.with_local(Transform(translations, s.pose.rotations, scales))


def _into_parent(s: WorldPose, bone: int, point: FloatArray) -> FloatArray:
    matrix = s.parent_matrix(bone)
    return np.asarray(np.linalg.solve(_invertible(matrix[:3, :3]), point - matrix[:3, 3]), dtype=np.float64)


def _invertible(matrix: FloatArray) -> FloatArray:
    """A parent scaled to nothing moves its children by the plain amount."""
    return matrix if abs(float(np.linalg.det(matrix))) > 1e-12 else np.eye(3)
