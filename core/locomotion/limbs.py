"""What limbs do in a fast fall: flail after a run, curl up otherwise (spec: ragdoll, *Rules while it runs*)."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.locomotion.dampers import clamp
from core.locomotion.setup import H
from core.math.transform import down_chain
from core.physics import start as starting
from core.physics.drive import Drive
from core.physics.ragdoll import Ragdoll, RagdollState
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles

SLOW, FAST = 1.0, 10.0
"""m/s from which limbs move by themselves, and at which they do so most."""
STRENGTH, FREQUENCY = 0.3, 2.0
"""Share of the torques then, and Hz."""
RUNS = 2.5
"""m/s over the ground at the start from which the body was running, and so flails."""
CURLED = {
    Role.THIGH: 0.8, Role.CALF: 0.8, Role.UPPER_ARM: 0.5, Role.LOWER_ARM: 0.85, Role.SPINE: 0.8, Role.NECK: 0.7,
    Role.HEAD: 0.7,
}  # fmt: skip
"""How far each part bends in a body that is curled up, as a share of its range; others are straight."""


@dataclass(frozen=True, slots=True, eq=False)
class _Ways:
    """Turns ``(T, n − 1, 4)`` of a flailing clip's bodies on those above them, and angles ``(axes,)`` curled up."""

    flailing: FloatArray | None
    curled: FloatArray


class Limbs:
    """How the limbs of a rig move in a fall.

    Parameters
    ----------
    flailing : a clip that loops; without one every fall is curled up
    """

    def __init__(self, rig: Rig, flailing: Clip | None) -> None:
        self._rig, self._clip = rig, flailing
        self._ways: _Ways | None = None

    def curls(self, velocity: FloatArray) -> bool:
        """Whether a body that starts with a velocity ``(3,)`` curls up in its fall."""
        return self._clip is None or float(np.hypot(velocity[0], velocity[2])) < RUNS

    def drive(
        self, doll: Ragdoll, state: RagdollState, seconds: float, *, curled: bool
    ) -> tuple[Drive | None, float]:
        """What pulls the limbs in the next step, None in a slow fall; and the time of the flailing clip after it.

        Parameters
        ----------
        seconds : of the flailing clip
        """
        speed = float(np.linalg.norm(state.velocity[:3]))
        if speed < SLOW:
            return None, seconds
        if self._ways is None:
            self._ways = self._made(doll)
        rate = clamp(speed / FAST, 0.0, 1.0)
        goal, flailing = self._ways.curled, self._ways.flailing
        if flailing is not None and not curled:
            turns = flailing[int(seconds / H) % len(flailing)]
            near = state.position[7:]
            goal = starting.angles_of_relative(doll.frames, state.mounts.turns, turns, near)
        still = np.zeros_like(state.velocity)
        strength = np.full_like(still, STRENGTH * rate)
        strength[:6] = 0.0
        position = np.concatenate((state.position[:7], doll.within(goal)))
        held = np.zeros(len(still), dtype=bool)
        drive = Drive(position, still, still, strength, np.full_like(still, FREQUENCY), held)
        return drive, seconds + rate * H

    def _made(self, doll: Ragdoll) -> _Ways:
        turns = None
        if self._clip is not None:
            count = max(2, round(self._clip.length / H))
            poses = sample_many(self._rig, self._clip, np.arange(count) * H)
            turns = starting.relative_turns(doll.frames, down_chain(self._rig.skeleton.parents, poses.local))
        return _Ways(turns, curled_up(self._rig, doll))


def curled_up(rig: Rig, doll: Ragdoll) -> FloatArray:
    """Angles ``(axes,)`` in radians of a body that is curled up: each part bends the way it bends farthest."""
    roles = rig_roles(rig)
    shares = {
        bone: share
        for role, share in CURLED.items()
        for side in (-1, 0, 1)
        for bone in roles.bones(role, side)
    }
    angles: list[float] = []
    for body in doll.plan.bodies[1:]:
        for number, axis in enumerate(body.axes):
            far = axis.maximum if axis.maximum >= -axis.minimum else axis.minimum
            angles.append(np.radians(far) * shares.get(body.bone, 0.0) if number == 0 else 0.0)
    return doll.within(np.array(angles))
