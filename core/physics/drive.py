"""What pulls a ragdoll towards a clip's pose: the torques that a critically damped spring would ask for.

``a* = a_clip + ω²(q_clip − q) + 2ω(v_clip − v)``, and by inverse dynamics the torques that give exactly that
without contacts and limits; a share of them is applied (spec: ragdoll, *Powered*).
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.physics.engine import World
from core.physics.mounts import Mounts


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What a pose at the end of a step needs besides angles, so that it can be followed exactly.

    Parameters
    ----------
    mounts : each body on the one above it at angles of 0
    low, high : radians ``(axes,)``, 0 or more, by which ranges must be wider
    ignored : pairs ``(k, 2)`` of bodies that overlap in it
    """

    mounts: Mounts
    low: FloatArray
    high: FloatArray
    ignored: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Drive:
    """Targets for one step of 1/60 s.

    Parameters
    ----------
    position : ``(nq,)`` at the beginning of the step: root (w first), radians
    velocity : ``(nv,)`` there
    acceleration : ``(nv,)`` over the step
    strength : ``(nv,)`` share of the torques that is applied, 0 to 1; of the root its six first
    frequency : ``(nv,)`` Hz of the spring
    held : ``(nv,)`` which follow the targets exactly, whatever pushes them
    course : what else moves; None leaves it as it is
    """

    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    strength: FloatArray
    frequency: FloatArray
    held: BoolArray
    course: Course | None = None

    def apply(self, world: World, seconds: float) -> None:
        """Set the torques for the next step of the engine, `seconds` after the beginning."""
        goal, speed = self._at(world, seconds)
        omega = 2.0 * np.pi * self.frequency
        error = world.between(world.position, goal, 1.0)
        wanted = self.acceleration + omega**2 * error + 2.0 * omega * (speed - world.velocity)
        driven, none = self.strength > 0.0, np.zeros_like(wanted)
        forces = none
        if driven.all():
            forces = self.strength * world.torques_for(wanted)
        elif driven.any():  # a free root goes as the limbs and gravity let it, not as a contact threw it last
            forces = self.strength * world.torques_holding(wanted, driven | self.held, none)
        if self.held.any():
            forces = world.torques_holding(wanted, self.held, np.where(self.held, 0.0, forces))
        world.set_forces(forces)

    def hold(self, world: World, seconds: float) -> None:
        """Put what is held where it belongs, `seconds` after the beginning."""
        if not self.held.any():
            return
        goal, speed = self._at(world, seconds)
        if self.held[0]:
            world.set_root_motion(goal[:7], speed[:6])
        axes: IntArray = np.flatnonzero(self.held[6:]).astype(np.int32) + 6
        world.set_motion(axes, goal[axes + 1], speed[axes])

    def _at(self, world: World, seconds: float) -> tuple[FloatArray, FloatArray]:
        mean = self.velocity + 0.5 * seconds * self.acceleration
        return world.moved(self.position, mean, seconds), self.velocity + seconds * self.acceleration
