"""Hands and feet of a body that gets up stay out of the ground: clips are made on the level (spec: ragdoll)."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.ik.body import limb_setup
from core.ik.solve import IkGoal, present_goal, solve
from core.math import quat
from core.math.transform import Transform, compose
from core.pose.kinematics import to_model
from core.rig.body_plan import AxisRange, BodyPlan
from core.rig.ik_setup import IkSetup
from core.rig.rig import Rig
from core.rig.roles import Role, rig_roles
from core.rig.skeleton import Skeleton

Heights = Callable[[FloatArray], FloatArray]
"""Heights ``(n,)`` of the ground below places ``(n, 3)`` of the world; not finite where there is none."""

OVER = {Role.FOOT: 0.07, Role.HAND: 0.03}
"""Metres that an ankle and a wrist stay over the ground."""
FARTHEST = 0.4
"""Metres that one is moved at most."""
UP_HALF, DOWN_HALF = 0.02, 0.15
"""Half-lives in seconds with which it comes up, and down again: at edges of stairs it is up in time."""
FASTEST = 2.5
"""m/s at most."""
STRAIGHT = 0.05
"""Metres of an elbow's way out of the line from shoulder to wrist, up to which its hinge says how it bends."""
NOTHING = 1e-4
"""Metres that are not worth solving for."""
UP = np.array([0.0, 1.0, 0.0])


class Contacts:
    """The hands and feet of a rig that a chain carries.

    Parameters
    ----------
    plan : its bodies, whose hinges say how elbows and knees bend
    size : of the body, 1 for a person: distances go with it
    """

    def __init__(self, rig: Rig, plan: BodyPlan, size: float = 1.0) -> None:
        self._rig, self._size = rig, size
        self._hinges = {body.bone: _closing(body.axes[0]) for body in plan.bodies if len(body.axes) == 1}
        roles = rig_roles(rig)
        ends = [(name, role) for role in OVER for side in (1, -1) for name in roles.bones(role, side)]
        found = ((name, role, limb_setup(rig, roles, name)) for name, role in ends)
        fitting = [(n, role, setup) for n, role, setup in found if setup is not None and _solves(rig, setup)]
        self._limbs = [(setup, *_joints(rig.skeleton, setup)) for _, _, setup in fitting]
        self._ends = np.array([rig.skeleton.index(name) for name, _, _ in fitting], dtype=np.int32)
        self._over = size * np.array([OVER[role] for _, role, _ in fitting])

    def __len__(self) -> int:
        return len(self._limbs)

    def wanted(self, local: Transform, placement: Transform, heights: Heights) -> FloatArray:
        """Metres ``(n,)`` by which each has to be raised in a pose ``(B, k)`` so that it is not in the ground."""
        if not self._limbs:
            return np.zeros(0)
        model = to_model(self._rig.skeleton, local)
        places = compose(placement, Transform(*(part[self._ends] for part in model))).translation
        ground = np.asarray(heights(places), dtype=np.float64)
        lifts: FloatArray = np.clip(ground + self._over - places[:, 1], 0.0, FARTHEST * self._size)
        return np.where(np.isfinite(ground), lifts, 0.0)

    @staticmethod
    def followed(lifts: FloatArray, goals: FloatArray, seconds: float) -> FloatArray:
        """Lifts some seconds later; exactly 0 where nothing is wanted for long."""
        halves = np.where(goals > lifts, UP_HALF, DOWN_HALF)
        change = (goals - lifts) * (1.0 - 2.0 ** (-seconds / halves))
        made = lifts + np.clip(change, -FASTEST * seconds, FASTEST * seconds)
        return np.where((goals == 0.0) & (np.abs(made) < NOTHING), 0.0, made)

    def put(self, local: Transform, lifts: FloatArray) -> Transform:
        """The pose with hands and feet so much higher, turned as they were; as far as they reach."""
        if not (np.abs(lifts) > NOTHING).any():
            return local
        model = to_model(self._rig.skeleton, local)  # limbs do not carry each other: once for all
        for (setup, tip, joints), lift in zip(self._limbs, lifts.tolist(), strict=True):
            if abs(lift) > NOTHING:
                pole = self._pole(model, joints, lift)
                goal = IkGoal(model.translation[tip] + lift * UP, model.rotation[tip], pole)
                local = solve(self._rig, local, setup, goal).local
                local = Transform(local.translation, quat.normalise(local.rotation), local.scale)
        return local

    def _pole(self, model: Transform, joints: tuple[int, int, int], lift: float) -> FloatArray:
        """Where an elbow or knee points: as it is bent, and where it is straight, as its hinge bends it.

        A limb that is nearly straight is bent in no certain way, which would change from step to step. The hinge comes
        in with the lift, so that nothing jumps where that begins.
        """
        root, joint, end = (Transform(*(part[bone] for part in model)) for bone in joints)
        line = end.translation - root.translation
        along = line / max(float(np.linalg.norm(line)), 1e-9)
        out = joint.translation - root.translation
        out = out - along * float(out @ along)
        hinge = self._hinges.get(self._rig.skeleton.names[joints[1]])
        if hinge is not None:
            side = np.cross(along, quat.rotate(joint.rotation, hinge))
            out = out + min(abs(lift) / STRAIGHT, 1.0) * STRAIGHT * self._size * side
        size = float(np.linalg.norm(out))
        away = out / size if size > 1e-9 else UP
        pole: FloatArray = joint.translation + max(float(np.linalg.norm(line)), 0.1) * away
        return pole


def _joints(skeleton: Skeleton, setup: IkSetup) -> tuple[int, tuple[int, int, int]]:
    """Bone of a limb's tip, and of its first, middle and last joint."""
    tip = skeleton.index(setup.tip)
    chain = skeleton.chain(tip, skeleton.index(setup.root))
    return tip, (int(chain[0]), int(chain[len(chain) // 2]), int(chain[-1]))


def _closing(axis: AxisRange) -> FloatArray:
    """The axis about which a hinge closes by turning positively, in the bone's own axes."""
    sign = 1.0 if axis.maximum >= -axis.minimum else -1.0
    return sign * np.array(axis.axis)


def _solves(rig: Rig, setup: IkSetup) -> bool:
    """Whether a set-up is a chain that its solver takes: rigs may hold others."""
    try:
        solve(rig, rig.skeleton.rest, setup, present_goal(rig, rig.skeleton.rest, setup))
    except ValidationError:
        return False
    return True
