"""The start of a fall: what of the shown pose is kept fixed, so that no bone jumps (spec: ragdoll, *Start*)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.math import quat
from core.math.transform import Transform, compose, down_chain, inverse
from core.math.vectors import within_half_turn
from core.physics.mounts import Coast, Links, Mounts
from core.rig.body_plan import Body, BodyPlan, parents_of, riders
from core.rig.propose_bodies import capsule_ends
from core.rig.skeleton import Skeleton

MIDDLE = 80.0
"""Degrees within which the second of three angles starts; what is beyond stays in the frame."""


class Posture(NamedTuple):
    """A pose in the world: local transforms ``(B, k)``, and where the character stands."""

    local: Transform
    placement: Transform


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """How a plan lies on a skeleton: computed once.

    Parameters
    ----------
    bones : bone of each body, ``(n,)``
    parents : body above each, −1 for the root body
    riding : body that each bone rides on, −1 for none
    roots : bones that are below none that ride on the same body: their model transform is told, not carried
    axes : axes of each body, ``(n, 3, 3)``; zeros where there is none
    count : how many axes each body has; 0 for the root body
    used : which of three axes each body but the root has, ``(n − 1, 3)``
    links : the bones between the bodies
    """

    skeleton: Skeleton
    plan: BodyPlan
    bones: IntArray
    parents: tuple[int, ...]
    riding: IntArray
    loose: IntArray
    axes: FloatArray
    count: IntArray
    used: BoolArray
    links: Links

    @classmethod
    def of(cls, plan: BodyPlan, skeleton: Skeleton) -> "Frames":
        """Frames of a plan whose bodies are in the model's order; raises as `core.rig.body_plan.check`."""
        parents = parents_of(plan, skeleton)
        bones = np.array([skeleton.index(body.bone) for body in plan.bodies], dtype=np.int32)
        riding = np.array(riders(plan, skeleton), dtype=np.int32)
        loose = _loose(plan, skeleton, riding, int(bones[0]))
        axes = np.zeros((len(bones), 3, 3))
        count = np.zeros(len(bones), dtype=np.int32)
        for number, body in enumerate(plan.bodies):
            for axis, told in enumerate(body.axes if number else ()):
                axes[number, axis] = told.axis
                count[number] = axis + 1
        used = np.arange(3) < count[1:, None]
        links = Links(skeleton, bones, parents)
        return cls(skeleton, plan, bones, parents, riding, loose, axes, count, used, links)

    @property
    def size(self) -> float:
        """Of the character against a person's, by mass."""
        return float((self.plan.mass / 75.0) ** (1.0 / 3.0))

    def body(self, number: int) -> Body:
        """A body of the plan."""
        return self.plan.bodies[number]


def _loose(plan: BodyPlan, skeleton: Skeleton, riding: IntArray, root: int) -> IntArray:
    """Bones of the body that are not below the root body's bone: they ride on the body nearest at rest.

    Rigs that key feet and knees by controls have the feet beside the hips. `riding` gets them.
    """
    above = set(skeleton.above(root)) | {root}
    top = min(above)
    model = down_chain(skeleton.parents, skeleton.rest)
    starts, ends = capsule_ends(plan, skeleton, model)
    radii = np.array([body.capsule.radius for body in plan.bodies])
    found = []
    for bone in np.flatnonzero(skeleton.descendants([top])).tolist():
        if riding[bone] >= 0 or bone in above:
            continue
        parent = skeleton.parent(bone)
        if riding[parent] >= 0:
            riding[bone] = riding[parent]
            continue
        riding[bone] = int(np.argmin(_distances(model.translation[bone], starts, ends) - radii))
        found.append(bone)
    return np.array(found, dtype=np.int32)


def _distances(point: FloatArray, starts: FloatArray, ends: FloatArray) -> FloatArray:
    along = ends - starts
    share = np.sum((point - starts) * along, axis=1) / np.maximum(np.sum(along * along, axis=1), 1e-18)
    nearest = starts + np.clip(share, 0.0, 1.0)[:, None] * along
    apart: FloatArray = np.linalg.norm(point - nearest, axis=1)
    return apart


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """What stays as it was when the fall began.

    Parameters
    ----------
    mounts : each body on the one above it at angles of 0
    scales : world scale above each bone that is carried, ``(C, 3)``
    coast : how what no axis can do goes on
    low, high : radians that the ranges are widened by at first, ``(axes,)``, 0 or more
    local : local transforms of all bones then
    loose : transforms of the loose bones on their bodies
    ignored : pairs ``(k, 2)`` of bodies that overlapped
    margins : metres (0 or less) that each body lay in the ground, ``(n,)``
    speed : m/s of the root body then
    """

    mounts: Mounts
    scales: FloatArray
    coast: Coast
    low: FloatArray
    high: FloatArray
    local: Transform
    loose: Transform
    ignored: IntArray
    margins: FloatArray
    speed: float

    def to_bytes(self) -> bytes:
        """Every number in order."""
        parts = (self.scales, self.low, self.high, *self.local, *self.loose, self.ignored, self.margins)
        told = b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
        return self.mounts.to_bytes() + told + self.coast.to_bytes()

    def mounts_at(self, frames: Frames, seconds: float) -> Mounts:
        """The mounts some seconds later."""
        rows = self.coast.rows(frames.links.rows(self.local), seconds)
        places = frames.links.places(rows, self.scales)
        places[0] = self.mounts.places[0]
        between = Transform(*(part[: len(frames.links.between)] for part in rows))
        return Mounts(places, self.coast.mounted(self.mounts.turns, seconds), between)


def world_of(skeleton: Skeleton, posture: Posture) -> Transform:
    """World transforms ``(B, k)`` of a posture."""
    model = down_chain(skeleton.parents, posture.local)
    where = Transform(*(np.asarray(part)[None] for part in posture.placement))
    return compose(where, model)


def frames_on(frames: Frames, world: Transform, local: Transform) -> tuple[Mounts, FloatArray]:
    """Mounts and angles (radians ``(..., axes)`` from the rest pose) of world poses ``(..., B, k)``.

    All that no axis turns (stretch, bones between, what a hinge cannot do) is in the mounts, so that both together
    are the pose exactly.

    Parameters
    ----------
    local : the local transforms ``(..., B, k)``
    """
    skeleton, bones = frames.skeleton, frames.bones[1:]
    above = np.array(frames.parents[1:], dtype=np.intp)
    parents = np.array([skeleton.parent(int(bone)) for bone in bones], dtype=np.intp)
    places = np.array(world.translation[..., frames.bones, :])
    turns = quat.normalise(world.rotation[..., frames.bones, :])
    turn = quat.multiply(quat.conjugate(quat.normalise(world.rotation[..., parents, :])), turns[..., 1:, :])
    table = _table(frames, quat.multiply(quat.conjugate(skeleton.rest.rotation[bones]), turn))
    table[..., 1] = np.clip(table[..., 1], -np.radians(MIDDLE), np.radians(MIDDLE))
    back = quat.conjugate(turns[..., above, :])
    relative = quat.multiply(back, turns[..., 1:, :])
    unturned = quat.conjugate(turned_by(frames.axes[1:], table))
    fixed_at, fixed_turn = places.copy(), turns.copy()
    fixed_at[..., 1:, :] = quat.rotate(back, places[..., 1:, :] - places[..., above, :])
    fixed_turn[..., 1:, :] = quat.normalise(quat.multiply(relative, unturned))
    between = Transform(*(np.array(part[..., frames.links.between, :]) for part in local))
    return Mounts(fixed_at, fixed_turn, between), table[..., frames.used]


def turned_by(axes: FloatArray, table: FloatArray) -> FloatArray:
    """Turns ``(..., n, 4)`` by radians ``(..., n, 3)`` about axes ``(n, 3, 3)``, zeros where there is none."""
    half = 0.5 * table[..., None]
    parts = np.concatenate((axes * np.sin(half), np.cos(half)), axis=-1)
    return quat.multiply(quat.multiply(parts[..., 0, :], parts[..., 1, :]), parts[..., 2, :])


def speeds_of(
    frames: Frames, mounts: Mounts, angles: FloatArray, worlds: tuple[Transform, Transform], seconds: float
) -> tuple[FloatArray, FloatArray]:
    """Radians a second of all axes ``(axes,)``, and of the mounts ``(n, 3)`` what the axes cannot do.

    The axes do all they can of how a body turns on the one above it, whichever bone between them it is from: what
    axes do goes on in a fall, what they cannot do comes to a stop.

    Parameters
    ----------
    mounts, angles : of the second pose
    worlds : two world poses ``(B, k)``, `seconds` apart
    """
    before, now = (relative_turns(frames, world) for world in worlds)
    wanted = quat.to_rotation_vector(quat.multiply(now, quat.conjugate(before))) / seconds
    axes, count, fixed = frames.axes[1:], frames.count[1:], mounts.turns[1:]
    table = np.zeros((len(count), 3))
    table[frames.used] = angles
    inside = quat.rotate(quat.conjugate(fixed), wanted)
    # the second axis turns with the first, the third with both
    half = 0.5 * table[..., None]
    parts = np.concatenate((axes * np.sin(half), np.cos(half)), axis=-1)
    second = quat.rotate(parts[:, 0], axes[:, 1])
    third = quat.rotate(quat.multiply(parts[:, 0], parts[:, 1]), axes[:, 2])
    matrix = np.stack((axes[:, 0], second, third), axis=-1)
    rates = np.zeros((len(count), 3))
    rates[:, 0] = np.where(count == 1, np.sum(axes[:, 0] * inside, axis=-1), 0.0)
    three = np.flatnonzero(count == 3)
    rates[three] = np.linalg.solve(matrix[three], inside[three, :, None])[..., 0]
    done = np.sum(matrix * rates[:, None, :], axis=-1)
    left = np.zeros((len(frames.bones), 3))
    left[1:] = np.where(count[:, None] == 3, 0.0, wanted - quat.rotate(fixed, done))
    return rates[frames.used], left


def coast_of(
    frames: Frames, before: Transform, now: Transform, seconds: float, left: FloatArray, scales: FloatArray
) -> Coast:
    """How what no axis can do goes on after two poses, local transforms ``(B, k)``, `seconds` apart.

    Parameters
    ----------
    left : what `speeds_of` tells of the mounts
    scales : world scale above each bone that is carried, ``(C, 3)``
    """
    first, second = frames.links.rows(before), frames.links.rows(now)
    shift = (second.translation - first.translation) / seconds
    turn = quat.to_rotation_vector(quat.multiply(second.rotation, quat.conjugate(first.rotation))) / seconds
    turn[len(frames.links.between) :] = 0.0  # bodies turn by their axes and their mounts
    return Coast.of(shift, turn, left, scales, frames.size)


def relative_turns(frames: Frames, world: Transform) -> FloatArray:
    """How each body but the root is turned on the one above it, ``(..., n − 1, 4)``, in world poses ``(..., B, k)``."""
    turns = quat.normalise(world.rotation[..., frames.bones, :])
    above = np.array(frames.parents[1:], dtype=np.intp)
    return quat.multiply(quat.conjugate(turns[..., above, :]), turns[..., 1:, :])


def angles_of_relative(
    frames: Frames, fixed_turns: FloatArray, relative: FloatArray, near: FloatArray | None = None
) -> FloatArray:
    """Angles ``(axes,)`` in radians of what `relative_turns` gives, ``(n − 1, 4)``: what of it the axes can do.

    Parameters
    ----------
    fixed_turns : of the mounts
    near : angles that the result is brought near to by whole turns
    """
    angles: FloatArray = _table(frames, quat.multiply(quat.conjugate(fixed_turns[1:]), relative))[frames.used]
    if near is not None:
        angles = near + within_half_turn(angles - near)
    return angles


def _table(frames: Frames, turned: FloatArray) -> FloatArray:
    """Radians ``(..., n − 1, 3)`` about the axes of turns ``(..., n − 1, 4)``; 0 where there is none."""
    count = frames.count[1:]
    table = np.zeros((*turned.shape[:-1], 3))
    three = np.flatnonzero(count == 3)
    if len(three):
        table[..., three, :] = _three_angles(frames.axes[1:][three], turned[..., three, :])
    one = np.flatnonzero(count == 1)
    if len(one):
        along = np.sum(turned[..., one, :3] * frames.axes[1:][one, 0], axis=-1)
        table[..., one, 0] = within_half_turn(2.0 * np.arctan2(along, turned[..., one, 3]))
    return table


def _three_angles(axes: FloatArray, turned: FloatArray) -> FloatArray:
    """Radians ``(..., n, 3)`` about three axes ``(n, 3, 3)`` of turns ``(..., n, 4)``; see `core.rig.body_angles`."""
    sign = np.where(np.linalg.det(axes) > 0.0, 1.0, -1.0)
    frame = axes * np.stack((np.ones_like(sign), np.ones_like(sign), sign), axis=1)[..., None]
    m = frame @ quat.to_matrix(turned) @ np.swapaxes(frame, -1, -2)
    second = np.arcsin(np.clip(m[..., 0, 2], -1.0, 1.0))
    flat = np.abs(m[..., 0, 2]) > 1.0 - 1e-12
    first = np.where(flat, np.arctan2(m[..., 2, 1], m[..., 1, 1]), np.arctan2(-m[..., 1, 2], m[..., 2, 2]))
    third = np.where(flat, 0.0, np.arctan2(-m[..., 0, 1], m[..., 0, 0]))
    return np.stack((first, second, sign * third), axis=-1)


def root_position(world: Transform, bone: int) -> FloatArray:
    """Place and quaternion (w first) of the root body, ``(7,)``."""
    turn = quat.normalise(world.rotation[bone])
    return np.concatenate((world.translation[bone], turn[[3, 0, 1, 2]]))


def widening(frames: Frames, angles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Radians by which ranges have to be wider, below and above, to hold angles ``(axes,)``."""
    low, high = ranges_of(frames)
    return np.maximum(low - angles, 0.0), np.maximum(angles - high, 0.0)


def ranges_of(frames: Frames) -> tuple[FloatArray, FloatArray]:
    """Radians of all axes in the model's order."""
    axes = [axis for body in frames.plan.bodies[1:] for axis in body.axes]
    low = np.radians([axis.minimum for axis in axes])
    return low, np.radians([axis.maximum for axis in axes])


def loose_on(frames: Frames, world: Transform) -> Transform:
    """Transforms of the loose bones on the bodies they ride on."""
    owners = frames.bones[frames.riding[frames.loose]]
    body = Transform(world.translation[owners], world.rotation[owners], np.ones((len(owners), 3)))
    bones = Transform(*(np.asarray(part)[frames.loose] for part in world))
    return compose(inverse(body), bones)
