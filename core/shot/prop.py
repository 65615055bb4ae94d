"""Props: rigid things beside the character, each held by a bone or standing in the world, from time to time another.

What holds a prop is a list of `Hold`: each begins at a time and lasts until the next one; the first lasts from the
beginning. A hold by a bone carries the offset from that bone to the prop, one of the world carries the place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.math import quat
from core.math.transform import IDENTITY, Transform, from_matrix, to_matrix
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON

BONE = "prop"
"""The one bone that the meshes of a prop follow."""
RIG = AssetId("prop")
"""What stands for a rig in the meshes of a prop."""
Bones = Callable[[AssetId, str], FloatArray | None]
"""World matrix ``(4, 4)`` of a rig's bone at the time in question; None where it is not there."""


def checked_transform(transform: Transform, what: str) -> Transform:
    """A transform of plain shape with a unit rotation, read-only; raises `ValidationError`."""
    parts = [np.array(part, dtype=np.float64) for part in transform]
    if [part.shape for part in parts] != [(3,), (4,), (3,)] or not all(
        np.isfinite(part).all() for part in parts
    ):
        raise ValidationError(f"{what}: expected finite translation (3), rotation (4) and scale (3)")
    if (parts[2] == 0.0).any():
        raise ValidationError(f"{what}: expected a scale without zeros, got {parts[2].tolist()}")
    if abs(float(np.linalg.norm(parts[1])) - 1.0) > 1e-12:
        parts[1] = quat.require_units(parts[1][None], what)[0]
    for part in parts:
        part.flags.writeable = False
    return Transform(*parts)


@dataclass(frozen=True, slots=True, eq=False)
class Hold:
    """What carries a prop from a time on.

    Parameters
    ----------
    start : seconds of playback; that of the first hold of a prop does not count
    offset : from the bone to the prop; from the world where there is no bone
    bone, rig : the bone by name and the rig it is of; None for the world
    """

    start: float = 0.0
    offset: Transform = IDENTITY
    bone: str | None = None
    rig: AssetId | None = None

    def __post_init__(self) -> None:
        if not np.isfinite(self.start):
            raise ValidationError(f"prop: expected a start in seconds, got {self.start}")
        if (self.bone is None) != (self.rig is None):
            raise ValidationError("prop: a bone and its rig come together or not at all")
        object.__setattr__(self, "offset", checked_transform(self.offset, "prop offset"))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Prop:
    """A rigid thing. An asset of the project.

    Parameters
    ----------
    meshes : rigid meshes of the bone `BONE` and the rig `RIG`, in the prop's own space
    holds : in rising order of time, at least one

    Raises
    ------
    ValidationError
        No name, no mesh, no hold, or holds that are not in order.
    """

    id: AssetId
    name: str
    meshes: tuple[Mesh, ...]
    holds: tuple[Hold, ...] = field(default_factory=lambda: (Hold(),))
    visible: bool = True

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValidationError("prop: expected a name")
        if not self.meshes or any(mesh.bones != (BONE,) for mesh in self.meshes):
            raise ValidationError(f"prop {self.name!r}: expected rigid meshes")
        if not self.holds:
            raise ValidationError(f"prop {self.name!r}: expected what holds it")
        starts = [hold.start for hold in self.holds[1:]]
        if any(after - before <= TIME_EPSILON for before, after in pairwise(starts)):
            raise ValidationError(f"prop {self.name!r}: expected holds in order of their start")

    def references(self) -> tuple[Reference, ...]:
        """The rigs of the bones that hold it."""
        rigs = dict.fromkeys(hold.rig for hold in self.holds if hold.rig is not None)
        return tuple(Reference(rig, Rig, "character") for rig in rigs)

    def with_targets(self, targets: Targets) -> "Prop":
        """The same with references redirected (see `Asset.with_targets`); without its rig, a hold is of the world."""
        return replace(self, holds=tuple(_redirected(hold, targets) for hold in self.holds))


def _redirected(hold: Hold, targets: Targets) -> Hold:
    if hold.rig is None:
        return hold
    rig = redirected(hold.rig, targets)
    return replace(hold, rig=rig) if rig is not None else replace(hold, rig=None, bone=None)


def prop_skeleton() -> Skeleton:
    """The one bone that a prop's meshes follow, at the origin."""
    return Skeleton((BONE,), np.array([-1], dtype=np.int32), Transform(*(part[None] for part in IDENTITY)))


def hold_number(prop: Prop, time: float) -> int:
    """Which of its holds counts at a time."""
    found = 0
    for number, hold in enumerate(prop.holds):
        if number and hold.start <= time + TIME_EPSILON:
            found = number
    return found


def hold_at(prop: Prop, time: float) -> Hold:
    """What holds a prop at a time."""
    return prop.holds[hold_number(prop, time)]


def matrix_at(prop: Prop, time: float, bones: Bones) -> FloatArray | None:
    """Where a prop is: its world matrix ``(4, 4)``; None where the bone that holds it is not there."""
    hold = hold_at(prop, time)
    own = to_matrix(hold.offset)
    if hold.bone is None or hold.rig is None:
        return own
    above = bones(hold.rig, hold.bone)
    return None if above is None else np.asarray(above, dtype=np.float64) @ own


def offset_from(bone: FloatArray, matrix: FloatArray) -> Transform:
    """The offset that keeps a prop at a world matrix while a bone at another holds it; shear is dropped."""
    return from_matrix(np.linalg.solve(bone, matrix))


def offset_at(bone: FloatArray) -> Transform:
    """The offset that puts a prop at a bone in the prop's own size, whatever scale the bone has.

    Parameters
    ----------
    bone : its world matrix ``(4, 4)``; an axis that is scaled to nothing counts as unscaled
    """
    size = np.linalg.norm(bone[:3, :3], axis=0)
    return Transform(np.zeros(3), quat.IDENTITY.copy(), 1.0 / np.where(size < 1e-9, 1.0, size))


# ------------------------------------------------------------ edits: old to new


def with_hold(prop: Prop, hold: Hold) -> Prop:
    """The prop held otherwise from a time on, in place of a hold that starts just there."""
    kept = [one for one in prop.holds[1:] if abs(one.start - hold.start) > TIME_EPSILON]
    return replace(prop, holds=(prop.holds[0], *sorted([*kept, hold], key=lambda one: one.start)))


def held_always(prop: Prop, hold: Hold) -> Prop:
    """The prop held so at all times."""
    return replace(prop, holds=(replace(hold, start=0.0),))


def held_between(prop: Prop, hold: Hold, end: float, after: Transform) -> Prop:
    """The prop held from `hold.start` until `end`, and left in the world at `after` then."""
    if not end - hold.start > TIME_EPSILON:
        raise ValidationError("prop: expected a range that ends after it starts")
    kept = [one for one in prop.holds[1:] if not hold.start - TIME_EPSILON <= one.start <= end + TIME_EPSILON]
    both = (hold, Hold(end, after))
    return replace(prop, holds=(prop.holds[0], *sorted([*kept, *both], key=lambda one: one.start)))


def without_hold(prop: Prop, number: int) -> Prop:
    """The prop without one of its holds; the one before lasts longer. The last one stays."""
    if len(prop.holds) < 2:
        return prop
    return replace(prop, holds=tuple(hold for place, hold in enumerate(prop.holds) if place != number))


def moved(prop: Prop, number: int, offset: Transform) -> Prop:
    """The prop with another offset in one of its holds."""
    holds = list(prop.holds)
    holds[number] = replace(holds[number], offset=offset)
    return replace(prop, holds=tuple(holds))


# ------------------------------------------------------------ from what was read


def rigid_meshes(meshes: Sequence[Mesh], rig: Rig, matrices: FloatArray) -> tuple[Mesh, ...]:
    """Meshes as they stand in a pose, without bones: what a prop is made of.

    Parameters
    ----------
    matrices : ``(B, 4, 4)`` of the rig's bones in the pose
    """
    return tuple(_rigid(mesh, rig, matrices) for mesh in meshes if len(mesh.triangles))


def _rigid(mesh: Mesh, rig: Rig, matrices: FloatArray) -> Mesh:
    bones = [rig.skeleton.index(name) for name in mesh.bones]
    skin = matrices[bones] @ mesh.inverse_bind
    # Blended matrices per vertex: all of a rigid mesh are the same, those of a skinned one are frozen in the pose.
    blended = np.einsum("vk,vkij->vij", mesh.weights.astype(np.float64), skin[mesh.influences])
    points = np.einsum("vij,vj->vi", blended[:, :3, :3], mesh.positions) + blended[:, :3, 3]
    turned = np.einsum("vji,vj->vi", np.linalg.pinv(blended[:, :3, :3]), mesh.normals)
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    normals = np.where(length > 1e-12, turned / np.where(length > 1e-12, length, 1.0), mesh.normals)
    triangles = mesh.triangles
    if len(skin) and float(np.linalg.det(skin[0][:3, :3])) < 0.0:
        triangles = triangles[:, ::-1]
    count = len(points)
    return replace(
        mesh, rig=RIG, positions=points.astype(np.float32), normals=normals.astype(np.float32), triangles=triangles,
        bones=(BONE,), inverse_bind=np.eye(4)[None], influences=np.zeros((count, 1), np.uint16),
        weights=np.ones((count, 1), np.float32), morphs=(),
    )  # fmt: skip
