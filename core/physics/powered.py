"""Drives towards poses: which bones follow a clip, how strongly, and which exactly (spec: ragdoll, *Powered*)."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.errors import MissingReferenceError
from core.math.transform import Transform, compose, down_chain
from core.math.vectors import within_half_turn
from core.physics import start as starting
from core.physics.drive import Course, Drive
from core.physics.mounts import Mounts
from core.physics.ragdoll import PICTURE, Ragdoll, RagdollState
from core.physics.start import Posture
from core.rig.body_plan import segment_distances
from core.rig.propose_bodies import capsule_ends

NEAR = 0.005
"""Metres, of a person, from which two bodies of a clip that is followed do not push each other apart."""


class Aim(NamedTuple):
    """How the bodies of a ragdoll are pulled.

    Parameters
    ----------
    strength : share of the torques that would follow the clip exactly, 0 to 1; for each bone with a body, or all
    frequency : Hz of the critically damped spring that brings a body back; for each bone, or all
    root_strength : the same share for the force that carries the root body; 0 lets it fall
    held : bones whose bodies follow the clip exactly, whatever pushes them; the root body's holds its place too
    """

    strength: float | Mapping[str, float] = 1.0
    frequency: float | Mapping[str, float] = 6.0
    root_strength: float = 0.0
    held: Collection[str] = ()


def towards(
    doll: Ragdoll,
    state: RagdollState,
    postures: tuple[Posture, Posture, Posture],
    aim: Aim,
    seconds: float = PICTURE,
) -> Drive:
    """The drive for the next step of a state.

    Parameters
    ----------
    postures : a step before, at, and a step after the beginning of the next step, `seconds` apart

    Raises
    ------
    MissingReferenceError
        `aim` names a bone without a body.
    """
    frames, world = doll.frames, doll.world
    local = Transform(*(np.stack(parts) for parts in zip(*(p.local for p in postures), strict=True)))
    where = Transform(
        *(np.stack(parts)[:, None] for parts in zip(*(p.placement for p in postures), strict=True))
    )
    shown = compose(where, down_chain(doll.rig.skeleton.parents, local))
    mounts, angles = starting.frames_on(frames, shown, local)
    near = state.position[7:]
    for row in angles:
        row[:] = near + within_half_turn(row - near)
        near = row
    axes = _by_axis(doll, aim.held, 0.0, 1.0) > 0.0
    held: BoolArray = np.concatenate((np.full(6, doll.plan.bodies[0].bone in aim.held), axes))
    strength = _by_axis(doll, aim.strength, 0.0)
    follows = axes | (strength > 0.0)
    root = int(frames.bones[0])
    before, now, after = (
        np.concatenate(
            (starting.root_position(_row(shown, k), root), np.where(follows, row, doll.within(row)))
        )
        for k, row in enumerate(angles)
    )
    first, second = world.between(before, now, seconds), world.between(now, after, seconds)
    frequency = _by_axis(doll, aim.frequency, 1.0)
    mean = float(frequency.mean()) if len(frequency) else 1.0
    return Drive(
        now,
        0.5 * (first + second),
        (second - first) / seconds,
        np.concatenate((np.full(6, aim.root_strength), strength)),
        np.concatenate((np.full(6, mean), frequency)),
        held,
        _course(doll, _row(shown, 2), mounts.row(2), angles[1:], follows),
    )


def _row(rows: Transform, number: int) -> Transform:
    return Transform(*(part[number] for part in rows))


def _course(
    doll: Ragdoll, world: Transform, mounts: Mounts, angles: FloatArray, follows: BoolArray
) -> Course:
    """What the bodies that follow need so that the pose can be reached: ranges that hold it, no wall between bodies
    that overlap in it.

    Parameters
    ----------
    angles : radians ``(k, axes)`` of the poses led through
    follows : ``(axes,)``
    """
    below, beyond = starting.widening(doll.frames, angles)
    low, high = (np.where(follows, part.max(axis=0), 0.0) for part in (below, beyond))
    plan = doll.plan
    starts, ends = capsule_ends(plan, doll.rig.skeleton, world)
    radii = np.array([body.capsule.radius for body in plan.bodies])
    near = segment_distances(starts, ends) - radii[:, None] - radii[None] < NEAR * doll.size
    first, second = np.nonzero(np.triu(near, 1))
    parents = np.array(doll.frames.parents)
    # a body that follows has axes that do, or is the root
    driven = np.ones(len(plan), dtype=bool)
    driven[np.repeat(np.arange(len(plan)), doll.frames.count)] = follows
    kept = (parents[second] != first) & driven[first] & driven[second]
    pairs: IntArray = np.stack((first[kept], second[kept]), axis=1).astype(np.int32)
    return Course(mounts, low, high, pairs)


def _by_axis(
    doll: Ragdoll, told: float | Mapping[str, float] | Collection[str], left_out: float, named: float = 1.0
) -> FloatArray:
    """A number for each axis, from one for all, some by bone, or names alone."""
    if isinstance(told, float | int):
        by_body = [float(told)] * len(doll.plan)
    else:
        for bone in told:
            if doll.plan.find(bone) is None:
                raise MissingReferenceError(
                    f"powered ragdoll: bone {bone!r} has no body; there are: {', '.join(doll.plan.bones)}"
                )
        numbers = told if isinstance(told, Mapping) else dict.fromkeys(told, named)
        by_body = [float(numbers.get(bone, left_out)) for bone in doll.plan.bones]
    return np.repeat(np.array(by_body), doll.frames.count)
