"""The physics of a simulation, one step after another, with the clip at each step given."""

from typing import Any, NamedTuple, Protocol

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.physics.engine import require
from core.physics.parts import Scene
from core.physics.simulation_model import Layout, World, model_text, wxyz, xyzw

HEAVIER = 1e6
"""Inertia of a carrier as a multiple of what it carries."""
DEEP = 1e-3
"""Metres that two bodies may overlap at the start and still collide."""
SPARE = 0.01
"""Radians beyond the clip's own angles, where these leave the range."""
FASTEST = 60.0
"""Radians a second of a joint beyond which only a clip that is followed may turn it: clips that jump from a rest pose
to their first frame would fling a limb so fast that the steps are too long for it."""
GRAVITY = 9.81


class Moment(NamedTuple):
    """The clip at one step.

    Parameters
    ----------
    place, turn : model places ``(B, 3)`` and rotations ``(B, 4)`` of the bones
    angles : ``(A,)`` radians of all joints
    offsets, zeros : ``(P, 3)`` and ``(P, 4)``, each part in the frame of what carries it, its joints at 0
    """

    place: FloatArray
    turn: FloatArray
    angles: FloatArray
    offsets: FloatArray
    zeros: FloatArray

    def before(self, after: "Moment") -> "Moment":
        """What came one step before this one, if it goes on as it does to the one after."""
        turn = quat.multiply(self.turn, quat.multiply(quat.conjugate(after.turn), self.turn))
        return Moment(
            2.0 * self.place - after.place, quat.normalise(turn), 2.0 * self.angles - after.angles,
            self.offsets, self.zeros,
        )  # fmt: skip


class Settings(Protocol):
    """What of a simulation's set-up the steps need."""

    @property
    def follow(self) -> float: ...
    @property
    def stiffness(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def gravity(self) -> float: ...
    @property
    def ground(self) -> float | None: ...
    @property
    def collide(self) -> bool: ...


class Stepper:
    """Model and state of one simulation.

    Parameters
    ----------
    now, before : the clip where it begins, and one step earlier, which gives the speeds
    """

    def __init__(self, scene: Scene, settings: Settings, step: float, now: Moment, before: Moment) -> None:
        self._scene, self._settings, self._h = scene, settings, step
        self._engine = require()
        self._layout = Layout(scene)
        self._carriers = np.array(self._layout.carriers, dtype=int)
        self._apart: set[tuple[str, str]] = set()
        places = now.place[[part.bone for part in scene.parts]]
        reach = max(float(np.ptp(places, axis=0).max()), *(part.body.capsule.length for part in scene.parts))
        self._heavy = HEAVIER * sum(part.body.mass for part in scene.parts) * max(1.0, reach * reach)
        self._make(now, before)
        overlaps = self._overlaps()
        if overlaps:  # they pass through each other, for they would fly apart
            self._apart |= overlaps
            self._make(now, before)

    # ------------------------------------------------------------ the model
    def _make(self, now: Moment, before: Moment) -> None:
        engine, settings = self._engine, self._settings
        world = World(
            self._h, self._heavy, settings.gravity * GRAVITY, settings.ground, settings.collide,
            settings.stiffness == 0.0,
        )  # fmt: skip
        text = model_text(self._scene, self._layout, world, self._apart | self._ignored())
        self._model: Any = engine.MjModel.from_xml_string(text)
        self._data: Any = engine.MjData(self._model)
        self._find()
        self._ranges = np.array(self._model.jnt_range)
        data = self._data
        data.qpos[self._angle_qpos] = now.angles
        limit = FASTEST if settings.follow < 1.0 else np.inf
        data.qvel[self._angle_dofs] = np.clip((now.angles - before.angles) / self._h, -limit, limit)
        for number, part in enumerate(self._free_parts):
            bone = self._scene.parts[part].bone
            qpos, dof = self._free_qpos[number], self._free_dofs[number]
            data.qpos[qpos : qpos + 3] = now.place[bone]
            data.qpos[qpos + 3 : qpos + 7] = wxyz(now.turn[bone])
            data.qvel[dof : dof + 6] = self._speeds(before, now, np.array([bone]))[0]
        self._put(now)
        data.qvel[self._carrier_dofs] = self._speeds(before, now, self._carriers)
        self._engine.mj_forward(self._model, data)

    def _find(self) -> None:
        """Where everything lies in the model's arrays."""
        model, kinds = self._model, self._engine.mjtJoint
        names = [model.body(number).name for number in range(model.nbody)]
        number_of = {name: number for number, name in enumerate(names)}
        self._part_bodies = np.array([number_of[f"p{n}"] for n in range(len(self._scene.parts))])
        carriers = [number_of[f"c{n}"] for n in range(len(self._carriers))]
        starts = [int(model.body_jntadr[body]) for body in carriers]
        self._carrier_qpos = np.array(
            [model.jnt_qposadr[j] + np.arange(7) for j in starts], dtype=int
        ).reshape(-1, 7)
        self._carrier_dofs = np.array(
            [model.jnt_dofadr[j] + np.arange(6) for j in starts], dtype=int
        ).reshape(-1, 6)
        self._free_parts = [n for n, part in enumerate(self._scene.parts) if part.above < 0]
        free = [int(model.body_jntadr[self._part_bodies[n]]) for n in self._free_parts]
        self._free_qpos = [int(model.jnt_qposadr[j]) for j in free]
        self._free_dofs = [int(model.jnt_dofadr[j]) for j in free]
        joints: list[int] = []
        for n, part in enumerate(self._scene.parts):
            if part.above >= 0:
                first = int(model.body_jntadr[self._part_bodies[n]])
                joints += range(first, first + len(part.body.axes))
        self._joints = np.array(joints, dtype=int)
        assert all(model.jnt_type[j] == kinds.mjJNT_HINGE for j in joints)
        self._angle_qpos = model.jnt_qposadr[self._joints].astype(int)
        self._angle_dofs = model.jnt_dofadr[self._joints].astype(int)
        self._held = np.array([n for n, part in enumerate(self._scene.parts) if part.above >= 0], dtype=int)
        obstacles = self._scene.obstacles if self._settings.collide else ()
        self._mocap = np.array(
            [model.body_mocapid[number_of[f"o{n}"]] for n in range(len(obstacles))], dtype=int
        )
        self._names = names
        self._accelerations = np.zeros(model.nv)
        self._forces = np.zeros(model.nv)
        self._unit, self._response = np.zeros(model.nv), np.zeros(model.nv)
        self._alone = np.zeros((1, model.nv))

    def _ignored(self) -> set[tuple[str, str]]:
        """Pairs of the plan, and parts with the obstacle that carries them, by the model's names."""
        scene = self._scene
        names = {part.body.bone: f"p{n}" for n, part in enumerate(scene.parts)}
        if self._settings.collide:
            names |= {body.bone: f"o{n}" for n, body in enumerate(scene.obstacles)}
        pairs = [(names.get(first, ""), names.get(second, "")) for first, second in scene.ignored]
        pairs += [(names.get(first, ""), names.get(second, "")) for first, second in scene.neighbours]
        return {
            (min(pair), max(pair))
            for pair in pairs
            if all(pair) and not (pair[0].startswith("o") and pair[1].startswith("o"))
        }

    def _overlaps(self) -> set[tuple[str, str]]:
        """Pairs of bodies that overlap as they begin."""
        found: set[tuple[str, str]] = set()
        for contact in self._data.contact[: self._data.ncon]:
            bodies = [int(self._model.geom_bodyid[geom]) for geom in contact.geom]
            if contact.dist < -DEEP and 0 not in bodies:
                first, second = sorted(self._names[body] for body in bodies)
                found.add((first, second))
        return found

    # ------------------------------------------------------------ stepping
    def step(self, before: Moment, now: Moment, after: Moment) -> None:
        """Go on by one step, from `now` to `after`."""
        engine, model, data, h, settings = self._engine, self._model, self._data, self._h, self._settings
        data.qvel[self._carrier_dofs] = self._speeds(before, now, self._carriers)
        low = np.minimum(self._ranges[self._joints, 0], np.minimum(now.angles, after.angles) - SPARE)
        high = np.maximum(self._ranges[self._joints, 1], np.maximum(now.angles, after.angles) + SPARE)
        model.jnt_range[self._joints] = np.stack((low, high), axis=1)
        engine.mj_step1(model, data)
        pushed = (self._speeds(now, after, self._carriers) - self._speeds(before, now, self._carriers)) / h
        speed = (now.angles - before.angles) / h
        acceleration = (after.angles - 2.0 * now.angles + before.angles) / (h * h)
        omega = 2.0 * np.pi * settings.stiffness
        wanted = omega * omega * (now.angles - data.qpos[self._angle_qpos])
        limit = FASTEST + settings.follow * np.abs(speed)
        slow = np.clip(speed, -limit, limit)
        wanted += 2.0 * settings.damping * omega * (slow - data.qvel[self._angle_dofs])
        applied = data.qfrc_applied
        applied[:] = 0.0
        applied[self._carrier_dofs] = self._heavy * pushed
        if settings.follow > 0.0:  # what the joints would do by themselves is replaced by what the clip does
            engine.mj_solveM(model, data, self._alone, (applied + data.qfrc_passive - data.qfrc_bias)[None])
            wanted += settings.follow * (acceleration - self._alone[0, self._angle_dofs])
        applied[self._angle_dofs] = self._torques(wanted)
        engine.mj_step2(model, data)
        data.qvel[self._angle_dofs] = np.clip(data.qvel[self._angle_dofs], -limit, limit)
        self._put(after)

    def _torques(self, wanted: FloatArray) -> FloatArray:
        """Torques of the joints that accelerate them by so much more; nothing pushes bodies that move freely."""
        engine, model, data = self._engine, self._model, self._data
        whole, forces = self._accelerations, self._forces
        whole[:] = 0.0
        whole[self._angle_dofs] = wanted
        engine.mj_mulM(model, data, forces, whole)
        for dof in self._free_dofs:
            own = np.arange(dof, dof + 6)
            inertia = np.zeros((6, 6))
            for column in range(6):
                self._unit[:] = 0.0
                self._unit[dof + column] = 1.0
                engine.mj_mulM(model, data, self._response, self._unit)
                inertia[:, column] = self._response[own]
            whole[own] = -np.linalg.solve(inertia, forces[own])
        if self._free_dofs:
            engine.mj_mulM(model, data, forces, whole)
        torques: FloatArray = forces[self._angle_dofs]
        return torques

    def _put(self, at: Moment) -> None:
        """Put carriers, obstacles and the parts' joints where the clip has them."""
        model, data = self._model, self._data
        if len(self._carriers):
            data.qpos[self._carrier_qpos[:, :3]] = at.place[self._carriers]
            data.qpos[self._carrier_qpos[:, 3:]] = wxyz(at.turn[self._carriers])
        held = self._part_bodies[self._held]
        model.body_pos[held] = at.offsets[self._held]
        model.body_quat[held] = wxyz(at.zeros[self._held])
        if len(self._mocap):
            bones = np.array(self._scene.obstacle_bones, dtype=int)
            data.mocap_pos[self._mocap] = at.place[bones]
            data.mocap_quat[self._mocap] = wxyz(at.turn[bones])

    def _speeds(self, before: Moment, after: Moment, bones: FloatArray) -> FloatArray:
        """Speeds ``(N, 6)`` from one step to the next: of the place in the world, of the turn in the bone's axes."""
        along = (after.place[bones] - before.place[bones]) / self._h
        turn = quat.multiply(quat.conjugate(before.turn[bones]), after.turn[bones])
        turn = np.where(turn[..., 3:] < 0.0, -turn, turn)
        about = quat.to_rotation_vector(turn) / self._h
        return np.concatenate((along, about), axis=-1)

    # ------------------------------------------------------------ what came of it
    @property
    def sound(self) -> bool:
        """Whether all numbers are finite and no speed is beyond reason."""
        data = self._data
        return bool(np.isfinite(data.qpos).all() and np.abs(data.qvel).max(initial=0.0) < 1e4)

    def placed(self) -> tuple[FloatArray, FloatArray]:
        """Where the parts are in model space: places ``(P, 3)`` and rotations ``(P, 4)``."""
        self._engine.mj_kinematics(self._model, self._data)
        bodies = self._part_bodies
        return np.array(self._data.xpos[bodies]), xyzw(np.array(self._data.xquat[bodies]))
