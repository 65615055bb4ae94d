"""Feet on a sloping ground: heel and toe contact, soles along the slope, hips lowered so that feet reach."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.ik.chain import take_chain
from core.ik.solve import IkGoal, present_pole, solve
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver
from core.rig.rig import Rig
from core.rig.roles import Limb, Role, Roles

LIFT = 0.15
"""Metres above the ground at which a foot is in the air and keeps its own tilt."""
STRAIGHT = 0.999
"""Share of a leg's length that hips leave it at most."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A plane.

    Parameters
    ----------
    height : metres of the plane at the origin
    tilt_x, tilt_z : degrees it rises toward +X and toward +Z
    """

    height: float = 0.0
    tilt_x: float = 0.0
    tilt_z: float = 0.0

    def __post_init__(self) -> None:
        if (
            not all(np.isfinite([self.height, self.tilt_x, self.tilt_z]))
            or max(abs(self.tilt_x), abs(self.tilt_z)) > 80
        ):
            raise ValidationError("ground: expected a finite height and tilts of −80° to 80°")

    @property
    def flat(self) -> bool:
        """Whether it is the plane that clips are made on."""
        return self.height == 0.0 and self.tilt_x == 0.0 and self.tilt_z == 0.0

    @property
    def normal(self) -> FloatArray:
        """Unit vector ``(3,)`` away from the ground."""
        up = np.array([-np.tan(np.radians(self.tilt_x)), 1.0, -np.tan(np.radians(self.tilt_z))])
        unit: FloatArray = up / np.linalg.norm(up)
        return unit

    def under(self, points: npt.ArrayLike) -> FloatArray:
        """Height of the ground ``(...)`` below points ``(..., 3)``."""
        at = np.asarray(points, dtype=np.float64)
        slope_x, slope_z = np.tan(np.radians(self.tilt_x)), np.tan(np.radians(self.tilt_z))
        height: FloatArray = self.height + slope_x * at[..., 0] + slope_z * at[..., 2]
        return height


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """Where a foot meets the ground: heel and toe ``(3,)`` in the foot bone's own frame, metres."""

    leg: Limb
    heel: FloatArray
    toe: FloatArray


class Placed(NamedTuple):
    """Poses with their feet on the ground.

    Parameters
    ----------
    lowered : ``(T,)`` metres the hips went up (or down, below 0)
    residual : ``(T,)`` metres the worst foot is from where it should be
    clearance : ``(T, F, 2)`` metres of heel and toe above the ground, foot by foot
    """

    local: Transform
    lowered: FloatArray
    residual: FloatArray
    clearance: FloatArray


def find_feet(rig: Rig, roles: Roles) -> tuple[Foot, ...]:
    """Contacts of the feet, from the rest pose: below the ankle and ahead of it, on the rest pose's floor."""
    rest = down_chain(rig.skeleton.parents, rig.skeleton.rest)
    places = rest.translation
    feet = []
    for leg in roles.legs():
        if leg.end is None:
            continue
        ankle = rig.skeleton.index(leg.end)
        length = float(np.linalg.norm(places[rig.skeleton.index(leg.upper)] - places[ankle])) or 1.0
        low = [ankle] if leg.toe is None else [ankle, rig.skeleton.index(leg.toe)]
        lowest = float(places[low, 1].min())
        floor = 0.0 if 0.0 <= lowest <= 0.25 * length else lowest
        ahead = np.array([0.0, 0.0, 0.18 * length])
        if leg.toe is not None:
            ahead = places[rig.skeleton.index(leg.toe)] - places[ankle]
            ahead[1] = 0.0
        points = [places[ankle] - 0.3 * ahead, places[ankle] + 1.4 * ahead]
        into = []
        for point in points:
            point[1] = floor
            turned = quat.rotate(quat.conjugate(rest.rotation[ankle]), point - places[ankle])
            into.append(turned / np.where(rest.scale[ankle] == 0.0, 1.0, rest.scale[ankle]))
        feet.append(Foot(leg, *into))
    return tuple(feet)


def place_feet(
    rig: Rig, roles: Roles, local: Transform, ground: Ground, feet: tuple[Foot, ...] | None = None
) -> Placed:
    """Stand poses ``(T, B, k)``, made on the flat ground, on another.

    Each foot keeps its height above the ground; one that is down is turned along the slope, the
    more the nearer it is. The hips move with the foot that has to go lowest, and lower still where
    a leg would not reach.

    Raises
    ------
    ValidationError
        The rig has no hips or no legs that could be told.
    """
    hips = roles.one(Role.HIPS)
    found = find_feet(rig, roles) if feet is None else feet
    if hips is None or not found:
        raise ValidationError("foot placement: the rig's hips and feet could not be told from its bones")
    model = down_chain(rig.skeleton.parents, local)
    slope = quat.shortest_arc(np.array([0.0, 1.0, 0.0]), ground.normal)
    goals, turns, rises = [], [], []
    for foot in found:
        goal, turn, rise = _wanted(rig, model, foot, ground, slope)
        goals.append(goal)
        turns.append(turn)
        rises.append(rise)
    shift = np.min(rises, axis=0)
    for foot, goal in zip(found, goals, strict=True):
        shift = np.minimum(shift, _highest(rig, model, foot, goal))
    moved = _hips_moved(rig, local, model, hips, shift)
    residual = np.zeros(len(shift))
    for foot, goal, turn in zip(found, goals, turns, strict=True):
        leg = foot.leg
        assert leg.end is not None
        count = len(rig.skeleton.chain(rig.skeleton.index(leg.end), rig.skeleton.index(leg.upper))) - 1
        setup = IkSetup(
            leg.end, leg.upper, leg.end, IkSolver.TWO_BONE if count == 2 else IkSolver.CCD,
            end_rotation=EndRotation.GOAL, tolerance=1e-5,
        )  # fmt: skip
        pole = present_pole(take_chain(rig.skeleton, moved, leg.upper, leg.end))
        result = solve(rig, moved, setup, IkGoal(goal, turn, pole))
        moved, residual = result.local, np.maximum(residual, result.residual)
    return Placed(moved, shift, residual, clearances(rig, moved, ground, found))


def clearances(rig: Rig, local: Transform, ground: Ground, feet: tuple[Foot, ...]) -> FloatArray:
    """Metres of heel and toe above the ground, ``(T, F, 2)``."""
    model = down_chain(rig.skeleton.parents, local)
    rows = []
    for foot in feet:
        points = _contacts(rig, model, foot)
        rows.append(np.stack([p[..., 1] - ground.under(p) for p in points], axis=-1))
    return np.stack(rows, axis=1)


def _contacts(rig: Rig, model: Transform, foot: Foot) -> tuple[FloatArray, FloatArray]:
    number = rig.skeleton.index(foot.leg.end or "")
    place, turn, scale = (p[:, number] for p in model)
    return place + quat.rotate(turn, scale * foot.heel), place + quat.rotate(turn, scale * foot.toe)


def _wanted(
    rig: Rig, model: Transform, foot: Foot, ground: Ground, slope: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ankle goal ``(T, 3)``, foot rotation ``(T, 4)``, and how much the ankle rises ``(T,)``."""
    number = rig.skeleton.index(foot.leg.end or "")
    place, turn, scale = (p[:, number] for p in model)
    height = np.maximum(np.minimum(*(p[:, 1] for p in _contacts(rig, model, foot))), 0.0)
    near = np.clip(1.0 - height / LIFT, 0.0, 1.0)
    down = near * near * (3.0 - 2.0 * near)
    tilt = quat.from_rotation_vector(quat.to_rotation_vector(slope) * down[:, None])
    wanted = quat.normalise(quat.multiply(tilt, turn))
    sole = [place + quat.rotate(wanted, scale * p) for p in (foot.heel, foot.toe)]
    lowest = np.minimum(*(p[:, 1] - ground.under(p) for p in sole))
    rise = height - lowest
    return place + rise[:, None] * np.array([0.0, 1.0, 0.0]), wanted, rise


def _highest(rig: Rig, model: Transform, foot: Foot, goal: FloatArray) -> FloatArray:
    """The most the hips may rise ``(T,)`` for a leg to reach its goal."""
    upper, lower, end = (
        model.translation[:, rig.skeleton.index(b or "")]
        for b in (foot.leg.upper, foot.leg.lower, foot.leg.end)
    )
    length = STRAIGHT * (np.linalg.norm(lower - upper, axis=-1) + np.linalg.norm(end - lower, axis=-1))
    length = np.maximum(
        length, np.linalg.norm(end - upper, axis=-1)
    )  # as straight as it is already is allowed
    flat = np.linalg.norm((upper - goal)[:, [0, 2]], axis=-1)
    height = np.sqrt(np.maximum(length**2 - flat**2, 0.0))
    most: FloatArray = goal[:, 1] + height - upper[:, 1]
    return most


def _hips_moved(rig: Rig, local: Transform, model: Transform, hips: str, shift: FloatArray) -> Transform:
    number = rig.skeleton.index(hips)
    parent = rig.skeleton.parent(number)
    step = shift[:, None] * np.array([0.0, 1.0, 0.0])
    if parent >= 0:
        step = quat.rotate(quat.conjugate(model.rotation[:, parent]), step) / model.scale[:, parent]
    translation = np.array(local.translation)
    translation[:, number] += step
    return local._replace(translation=translation)
