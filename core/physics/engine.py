"""The rigid body engine (MuJoCo) behind one module: nothing else imports it, and it is imported at first use.

Warnings of the engine go to our log; left alone it would write ``MUJOCO_LOG.TXT`` into the working folder.
Arrays of quaternions are ``[x, y, z, w]`` here as everywhere; the engine's own order stays inside.
"""

import importlib
import importlib.util
import logging
import platform
import sys
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.errors import UnsupportedError

log = logging.getLogger(__name__)

PACKAGE = "mujoco-core"
WANTED = "mujoco-core>=4.0.1,<5"
_WXYZ = [3, 0, 1, 2]
_XYZW = [1, 2, 3, 0]

NON_FINITE = ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC")


class Contact(NamedTuple):
    """Two shapes that touch.

    Parameters
    ----------
    first, second : numbers of the bodies, −1 for the ground
    distance : metres between the surfaces, below 0 where they overlap
    """

    first: int
    second: int
    distance: float


@lru_cache(maxsize=1)
def unavailable() -> str:
    """Why there is no ragdoll here, and what to do about it; empty where there is one."""
    try:
        found = importlib.import_module("mujoco")
    except ImportError as error:
        where = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
        if error.name not in ("mujoco", None):
            return f"Ragdolls need {PACKAGE}, which does not load on {where}: {error}."
        return (
            f"Ragdolls need {PACKAGE}, which is not installed on {where}. "
            f"Install it with: {sys.executable} -m pip install '{WANTED}'"
        )
    except OSError as error:
        return f"Ragdolls need {PACKAGE}, whose library does not load: {error}."
    version = str(getattr(found, "__version__", "0"))
    if int(version.split(".")[0] or 0) != 4:
        return f"Ragdolls need {WANTED}, but mujoco {version} is installed; replace it."
    found.set_mju_user_warning(_log_warning)
    return ""


def installed() -> bool:
    """Whether the engine seems to be there, without importing it."""
    try:
        return importlib.util.find_spec("mujoco") is not None
    except (ImportError, ValueError):  # a module that is blocked has no specification
        return False


def require() -> Any:
    """The engine; raises `UnsupportedError` with the reason and what to install."""
    reason = unavailable()
    if reason:
        raise UnsupportedError(reason)
    return importlib.import_module("mujoco")


def _log_warning(text: Any) -> None:
    log.warning("physics: %s", text.decode(errors="replace") if isinstance(text, bytes) else text)


class World:
    """A compiled model and the memory it runs in. One thread at a time.

    What differs from one fall to the next (frames, ranges, ignored pairs, margins) is set on it; then any state
    that it gave can be restored, and steps on to the same bytes.

    Parameters
    ----------
    text : the model as MJCF. Bodies are numbered in its order; every body has one capsule
    heights : elevations of its height fields, each ``(rows, columns)`` in 0..1

    Raises
    ------
    UnsupportedError
        The engine is not there.
    """

    def __init__(self, text: str, heights: list[FloatArray] | None = None) -> None:
        self._mj = require()
        self._model = self._mj.MjModel.from_xml_string(text)
        at = 0
        for field in heights or []:
            self._model.hfield_data[at : at + field.size] = field.reshape(-1)
            at += field.size
        self._data = self._mj.MjData(self._model)
        self._twin = self._mj.MjData(self._model)
        self._every = int(self._mj.mjtState.mjSTATE_INTEGRATION)
        self._size = int(self._mj.mj_stateSize(self._model, self._every))
        self._bad = [int(getattr(self._mj.mjtWarning, name)) for name in NON_FINITE]
        self._no_constraint = int(self._mj.mjtDisableBit.mjDSBL_CONSTRAINT)
        self._discrete = int(self._mj.mjtEnableBit.mjENBL_INVDISCRETE)
        self._gravity = np.array(self._model.opt.gravity)
        self._capsules = np.flatnonzero(self._model.geom_bodyid > 0)
        self._joints = np.flatnonzero(self._model.jnt_type == int(self._mj.mjtJoint.mjJNT_HINGE))
        self._damping = np.array(self._model.dof_damping)

    # ------------------------------------------------------------ sizes
    @property
    def bodies(self) -> int:
        """How many bodies there are, the ground not counted."""
        return int(self._model.nbody) - 1

    @property
    def positions(self) -> int:
        """Numbers of a position: 7 of the root, one an axis."""
        return int(self._model.nq)

    @property
    def speeds(self) -> int:
        """Numbers of a velocity: 6 of the root, one an axis."""
        return int(self._model.nv)

    @property
    def mass(self) -> float:
        """Kilograms of all bodies."""
        return float(self._model.body_subtreemass[0])

    @property
    def seconds(self) -> float:
        """Of one step."""
        return float(self._model.opt.timestep)

    # ------------------------------------------------------------ what differs between falls
    def set_frames(self, places: FloatArray, turns: FloatArray) -> None:
        """Where each body ``(n, 3)``, ``(n, 4)`` is on the one above it when its angles are 0."""
        self._model.body_pos[1:] = places
        self._model.body_quat[1:] = turns[:, _WXYZ]
        self._mj.mj_setConst(self._model, self._twin)

    def move_frames(self, places: FloatArray, turns: FloatArray) -> None:
        """As `set_frames`, a little later in the same fall: what the engine derives from the start stays."""
        self._model.body_pos[1:] = places
        self._model.body_quat[1:] = turns[:, _WXYZ]

    def set_ranges(self, low: FloatArray, high: FloatArray) -> None:
        """Radians each axis may turn, in the order of the angles."""
        self._model.jnt_range[self._joints, 0] = low
        self._model.jnt_range[self._joints, 1] = high

    def set_ignored(self, pairs: IntArray) -> None:
        """Pairs ``(k, 2)`` of bodies that do not collide; at most as many as the model was made with."""
        signatures = np.zeros(self._model.nexclude, dtype=np.int32)
        if len(pairs):
            low, high = np.min(pairs, axis=1) + 1, np.max(pairs, axis=1) + 1
            signatures[len(signatures) - len(pairs) :] = np.sort((low << 16) + high)
        self._model.exclude_signature[:] = signatures

    def set_margins(self, margins: FloatArray) -> None:
        """Distance ``(n,)`` at which each body begins to be pushed away; below 0 it may overlap so far."""
        self._model.geom_margin[self._capsules] = margins

    def set_stiffness(self, times: float, friction: float) -> None:
        """How the axes resist: damping as a multiple of the plan's, and dry friction in N·m."""
        self._model.dof_damping[:] = times * self._damping
        self._model.dof_frictionloss[6:] = friction

    def set_gravity(self, share: float) -> None:
        """How strongly bodies fall: 1 as on earth, 0 not at all."""
        self._model.opt.gravity[:] = share * self._gravity

    # ------------------------------------------------------------ state
    def state(self) -> FloatArray:
        """Every number that the next step depends on."""
        numbers = np.zeros(self._size)
        self._mj.mj_getState(self._model, self._data, numbers, self._every)
        return numbers

    def restore(self, numbers: FloatArray) -> None:
        """Go on from a state."""
        self._mj.mj_setState(self._model, self._data, np.asarray(numbers), self._every)

    def place(self, position: FloatArray, velocity: FloatArray) -> None:
        """Begin anew at a position ``(nq,)`` with a velocity ``(nv,)``; time is 0."""
        self._mj.mj_resetData(self._model, self._data)
        self._data.qpos[:] = position
        self._data.qvel[:] = velocity

    @property
    def position(self) -> FloatArray:
        """The position ``(nq,)``: place and quaternion (w first) of the root, then radians; a copy."""
        return np.array(self._data.qpos)

    @property
    def velocity(self) -> FloatArray:
        """The velocity ``(nv,)``; a copy."""
        return np.array(self._data.qvel)

    def set_motion(self, which: IntArray, position: FloatArray, velocity: FloatArray) -> None:
        """Put axes (numbers of the velocity, all beyond the root's 6) at angles with speeds."""
        self._data.qpos[which + 1] = position
        self._data.qvel[which] = velocity

    def set_root_motion(self, position: FloatArray, velocity: FloatArray) -> None:
        """Put the root at a place and quaternion ``(7,)``, w first, with a velocity ``(6,)``."""
        self._data.qpos[:7] = position
        self._data.qvel[:6] = velocity

    # ------------------------------------------------------------ stepping
    def step(self, count: int = 1) -> bool:
        """Step on; False where the state is no longer finite."""
        self._mj.mj_step(self._model, self._data, count)
        if any(self._data.warning[kind].number for kind in self._bad):
            for kind in self._bad:
                self._data.warning[kind].number = 0
            return False
        return bool(np.isfinite(self._data.qpos).all() and np.isfinite(self._data.qvel).all())

    def limit_turning(self, most: float) -> None:
        """Hold back what turns faster than `most` radians a second."""
        turning = self._data.qvel[3:]
        np.clip(turning, -most, most, out=turning)

    def forward(self) -> None:
        """Everything that follows from position and velocity: places, contacts, energy."""
        self._mj.mj_forward(self._model, self._data)

    def set_forces(self, on_axes: FloatArray | None = None) -> None:
        """Torques ``(nv,)`` for the next steps."""
        self._data.qfrc_applied[:] = 0.0 if on_axes is None else on_axes

    def set_pushes(self, body: int, force: FloatArray, point: FloatArray) -> None:
        """A force (N) at a point of the world on a body, for the next steps; `clear_pushes` ends it."""
        middle = self._data.xipos[body + 1]
        self._data.xfrc_applied[body + 1, :3] += force
        self._data.xfrc_applied[body + 1, 3:] += np.cross(point - middle, force)

    def clear_pushes(self) -> None:
        """No outer forces."""
        self._data.xfrc_applied[:] = 0.0

    # ------------------------------------------------------------ asking
    def between(self, first: FloatArray, second: FloatArray, seconds: float) -> FloatArray:
        """The velocity ``(nv,)`` that leads from one position to another."""
        velocity = np.zeros(self._model.nv)
        self._mj.mj_differentiatePos(self._model, velocity, seconds, first, second)
        return velocity

    def moved(self, position: FloatArray, velocity: FloatArray, seconds: float) -> FloatArray:
        """The position that a velocity leads to."""
        result = np.array(position)
        self._mj.mj_integratePos(self._model, result, velocity, seconds)
        return result

    def torques_for(self, acceleration: FloatArray) -> FloatArray:
        """Torques ``(nv,)`` that give the present state an acceleration ``(nv,)``, contacts and limits left out."""
        twin, option = self._twin, self._model.opt
        twin.qpos[:], twin.qvel[:], twin.qacc[:] = self._data.qpos, self._data.qvel, acceleration
        flags = int(option.disableflags), int(option.enableflags)
        option.disableflags = flags[0] | self._no_constraint
        option.enableflags = flags[1] | self._discrete
        self._mj.mj_inverse(self._model, twin)
        option.disableflags, option.enableflags = flags
        return np.array(twin.qfrc_inverse)

    def torques_holding(self, acceleration: FloatArray, held: BoolArray, applied: FloatArray) -> FloatArray:
        """Torques ``(nv,)`` with which held axes have an acceleration while the others follow what is applied to them.

        Solves the equations of motion, contacts and limits left out, for the axes that are free: what is held
        drags them along.
        """
        twin, option = self._twin, self._model.opt
        twin.qpos[:], twin.qvel[:] = self._data.qpos, self._data.qvel
        flags = int(option.disableflags)
        option.disableflags = flags | self._no_constraint
        self._mj.mj_fwdPosition(self._model, twin)
        self._mj.mj_fwdVelocity(self._model, twin)
        option.disableflags = flags
        mass = np.zeros((self._model.nv, self._model.nv))
        self._mj.mj_fullM(self._model, twin, mass)
        mass += np.diag(self.seconds * np.asarray(self._model.dof_damping))  # as it is integrated
        passive = np.asarray(twin.qfrc_passive) - np.asarray(twin.qfrc_bias)
        free = ~held
        wanted = np.where(held, acceleration, 0.0)
        if free.any():
            rest = applied[free] + passive[free] - mass[np.ix_(free, held)] @ wanted[held]
            wanted[free] = np.linalg.solve(mass[np.ix_(free, free)], rest)
        return np.where(held, mass @ wanted - passive, applied)

    def frames(self) -> tuple[FloatArray, FloatArray]:
        """Places ``(n, 3)`` and turns ``(n, 4)`` of all bodies in the world, as of the last `forward` or step."""
        return np.array(self._data.xpos[1:]), np.array(self._data.xquat[1:])[:, _XYZW]

    def kinematics(self) -> tuple[FloatArray, FloatArray]:
        """`frames` of the present position."""
        self._mj.mj_kinematics(self._model, self._data)
        return self.frames()

    def body_velocity(self, body: int) -> FloatArray:
        """Turning and linear velocity ``(6,)`` of a body's origin in the world; after `forward`."""
        result = np.zeros(6)
        kind = int(self._mj.mjtObj.mjOBJ_XBODY)
        self._mj.mj_objectVelocity(self._model, self._data, kind, body + 1, result, 0)
        return result

    def jacobian(self, body: int, point: FloatArray) -> FloatArray:
        """Linear and turning velocity of a point (world) of a body for each speed, ``(6, nv)``; after `forward`."""
        linear, turning = np.zeros((3, self._model.nv)), np.zeros((3, self._model.nv))
        self._mj.mj_jac(self._model, self._data, linear, turning, np.asarray(point), body + 1)
        return np.concatenate((linear, turning))

    def energy(self) -> tuple[float, float]:
        """Potential and kinetic energy in joules of the present state."""
        self._mj.mj_fwdPosition(self._model, self._data)
        self._mj.mj_fwdVelocity(self._model, self._data)
        self._mj.mj_energyPos(self._model, self._data)
        self._mj.mj_energyVel(self._model, self._data)
        return float(self._data.energy[0]), float(self._data.energy[1])

    def kinetic(self) -> float:
        """Kinetic energy in joules with the inertia of the last step: within a step of exact, and cheap."""
        product = np.zeros(self._model.nv)
        self._mj.mj_mulM(self._model, self._data, product, self._data.qvel)
        return 0.5 * float(product @ self._data.qvel)

    def contacts(self) -> list[Contact]:
        """What touches, as of the last `forward` or step."""
        owner = self._model.geom_bodyid
        contacts = self._data.contact
        return [
            Contact(int(owner[a]) - 1, int(owner[b]) - 1, float(distance))
            for a, b, distance in zip(
                contacts.geom1.tolist(), contacts.geom2.tolist(), contacts.dist.tolist(), strict=True
            )
        ]

    def apart(self, first: int, second: int) -> float:
        """Metres between the capsules of two bodies, below 0 where they overlap; at most 1."""
        line = np.zeros(6)
        a, b = int(self._capsules[first]), int(self._capsules[second])
        return float(self._mj.mj_geomDistance(self._model, self._data, a, b, 1.0, line))
