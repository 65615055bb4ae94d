"""What the nodes ragdoll and get up share: the bodies of a rig, and where a character stands that follows its own."""

import logging
import math
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.graph.compiler import Compiler
from core.graph.op import Run
from core.math import quat
from core.math.transform import Transform
from core.physics import engine
from core.physics.bearing import Bearing
from core.physics.start import Posture, world_of
from core.rig.body_plan import BodyPlan
from core.rig.mesh import Mesh
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import Rig
from core.terrain.terrain import Terrain

MOVES = ("body", "incoming", "stays")
"""How a character moves: under its body, by the root motion of the incoming pose, not at all."""
_warned: set[str] = set()


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """A rig with its bodies and which way they face."""

    rig: Rig
    plan: BodyPlan
    bearing: Bearing

    def pelvis(self, posture: Posture) -> FloatArray:
        """Place ``(3,)`` of the pelvis in the world."""
        place: FloatArray = world_of(self.rig.skeleton, posture).translation[self.bearing.pelvis]
        return place


def bodies_of(c: Compiler) -> Bodies:
    """The bodies of the rig of a graph: its own plan, else a proposal; made once.

    Raises
    ------
    ValidationError, MissingReferenceError
        The rig has no bone that could have a body, or its plan does not fit.
    """
    rig = c.rig
    key = f"bodies {rig.id}"
    found = c.made.get(key)
    if not isinstance(found, Bodies):
        meshes = [mesh for mesh in c.project.all(Mesh) if mesh.rig == rig.id]
        plan = rig.body_plan if rig.body_plan is not None else propose_bodies(rig, meshes)
        found = c.made[key] = Bodies(rig, plan, Bearing(rig, plan))
    return found


def unavailable() -> str:
    """Why nothing can be simulated here, and what to install; "" where it can. The engine is not imported."""
    return "" if engine.installed() else engine.unavailable()


def warn_once(log: logging.Logger, message: str) -> None:
    """Log a warning that would come in every step."""
    if message not in _warned:
        _warned.add(message)
        log.warning("%s", message)


def stands_below(
    run: Run, bearing: Bearing, pelvis: tuple[FloatArray, FloatArray], terrain: Terrain | None, level: float
) -> Transform:
    """Where a character stands that follows its body: on the ground below the pelvis, facing as that does.

    Parameters
    ----------
    pelvis : place ``(3,)`` and turn ``(4,)`` of the pelvis in the world
    level : height of the ground where there is no terrain
    """
    place, turn = pelvis
    ahead = quat.rotate(run.character.rotation, np.array([0.0, 0.0, 1.0]))
    before = math.degrees(math.atan2(float(ahead[0]), float(ahead[2])))
    half = 0.5 * math.radians(bearing.yaw(turn, before))
    height = level if terrain is None else float(terrain.under(place))
    if not math.isfinite(height):
        height = float(run.character.translation[1])
    return Transform(
        np.array([float(place[0]), height, float(place[2])]),
        np.array([0.0, math.sin(half), 0.0, math.cos(half)]), np.ones(3),
    )  # fmt: skip
