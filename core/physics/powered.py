"""Drives towards poses: which bones follow a clip, how strongly, and which exactly (spec: ragdoll, *Powered*)."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.errors import MissingReferenceError
from core.physics import start as starting
from core.physics.drive import Drive
from core.physics.ragdoll import PICTURE, Ragdoll, RagdollState
from core.physics.start import Posture


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
    root = int(frames.bones[0])
    positions = []
    near = state.position[7:]
    for posture in postures:
        shown = starting.world_of(doll.rig.skeleton, posture)
        angles = starting.angles_on(frames, state.start.turns, shown, near)
        positions.append(np.concatenate((starting.root_position(shown, root), angles)))
        near = angles
    axes = _by_axis(doll, aim.held, 0.0, 1.0) > 0.0
    held: BoolArray = np.concatenate((np.full(6, doll.plan.bodies[0].bone in aim.held), axes))
    before, now, after = (
        np.concatenate((p[:7], np.where(axes, p[7:], doll.within(p[7:])))) for p in positions
    )
    first, second = world.between(before, now, seconds), world.between(now, after, seconds)
    strength = _by_axis(doll, aim.strength, 0.0)
    frequency = _by_axis(doll, aim.frequency, 1.0)
    mean = float(frequency.mean()) if len(frequency) else 1.0
    return Drive(
        now,
        0.5 * (first + second),
        (second - first) / seconds,
        np.concatenate((np.full(6, aim.root_strength), strength)),
        np.concatenate((np.full(6, mean), frequency)),
        held,
    )


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
