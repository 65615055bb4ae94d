"""Feet on a ground that a clip was not made on: heel and toe contact, soles along it, hips lowered so that feet reach.

What is added is the difference between the ground and the level plane that clips are made on: on that plane nothing.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.ik.chain import take_chain
from core.ik.feet_smoothing import Offsets, over_time
from core.ik.solve import IkGoal, present_pole, solve
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver
from core.rig.rig import Rig
from core.rig.roles import Limb, Role, Roles
from core.terrain.ground import Ground
from core.terrain.query import GroundQuery

__all__ = [
    "Foot", "Ground", "Placed", "clearances", "find_feet", "place_feet", "wanted_offsets", "with_offsets"
]  # fmt: skip

LIFT = 0.15
"""Metres above the ground at which a foot is in the air and keeps its own tilt."""
STRAIGHT = 0.999
"""Share of a leg's length that hips leave it at most."""
ANKLE = np.radians(40.0)
"""A foot is turned along the ground by so much at most."""


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
        above = [rig.skeleton.names[bone] for bone in rig.skeleton.above(ankle)]
        if leg.lower not in above or leg.upper not in above[above.index(leg.lower) + 1 :]:
            continue  # chosen by hand, and not one below the other
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
    rig: Rig,
    roles: Roles,
    local: Transform,
    ground: Ground,
    feet: tuple[Foot, ...] | None = None,
    times: FloatArray | None = None,
) -> Placed:
    """Stand poses ``(T, B, k)``, made on the flat ground, on another.

    Each foot keeps its height above the ground; one that is down is turned along the slope, the
    more the nearer it is. The hips move with the foot that has to go lowest, and lower still where
    a leg would not reach. Where the ground is the level plane, nothing changes.

    Parameters
    ----------
    times : ``(T,)`` seconds of poses that follow each other: offsets come over time
        (`core.ik.feet_smoothing`), from the first pose as it is. None for poses each of its own

    Raises
    ------
    ValidationError
        The rig has no hips or no legs that could be told.
    """
    hips = roles.one(Role.HIPS)
    found = find_feet(rig, roles) if feet is None else feet
    if hips is None or not found:
        raise ValidationError("foot placement: the rig's hips and feet could not be told from its bones")
    if ground.flat:
        still = np.zeros(len(local.translation))
        return Placed(local, still, still, clearances(rig, local, ground, found))
    model = down_chain(rig.skeleton.parents, local)
    added = wanted_offsets(rig, model, found, ground)
    if times is not None:
        added = over_time(added, times)
    moved, residual = with_offsets(rig, hips, local, model, found, added)
    return Placed(moved, added.pelvis, residual, clearances(rig, moved, ground, found))


def with_offsets(
    rig: Rig, hips: str, local: Transform, model: Transform, feet: tuple[Foot, ...], added: Offsets
) -> tuple[Transform, FloatArray]:
    """Poses ``(T, B, k)`` with hips and feet moved by offsets; metres ``(T,)`` the worst foot is off.

    Parameters
    ----------
    model : the model transforms of the poses
    """
    moved = _hips_moved(rig, local, model, hips, added.pelvis)
    residual = np.zeros(len(added.pelvis))
    for row, foot in enumerate(feet):
        leg = foot.leg
        assert leg.end is not None
        number = rig.skeleton.index(leg.end)
        goal = model.translation[:, number] + added.feet[:, row, None] * np.array([0.0, 1.0, 0.0])
        tilt = quat.from_rotation_vector(added.tilts[:, row])
        turn = quat.normalise(quat.multiply(tilt, model.rotation[:, number]))
        count = len(rig.skeleton.chain(number, rig.skeleton.index(leg.upper))) - 1
        setup = IkSetup(
            leg.end, leg.upper, leg.end, IkSolver.TWO_BONE if count == 2 else IkSolver.CCD,
            end_rotation=EndRotation.GOAL, tolerance=1e-5,
        )  # fmt: skip
        pole = present_pole(take_chain(rig.skeleton, moved, leg.upper, leg.end))
        result = solve(rig, moved, setup, IkGoal(goal, turn, pole))
        moved, residual = result.local, np.maximum(residual, result.residual)
    return moved, residual


def wanted_offsets(
    rig: Rig, model: Transform, feet: tuple[Foot, ...], ground: GroundQuery, ankle: float = ANKLE
) -> Offsets:
    """What pelvis and feet are wanted to be moved by, each pose ``(T, B, k)`` on its own.

    Parameters
    ----------
    ankle : radians that a foot is turned along the ground at most
    """
    rises, tilts = zip(
        *(_wanted(rig, model, foot, ground, _slope(rig, model, foot, ground, ankle)) for foot in feet),
        strict=True,
    )
    shift = np.min(rises, axis=0)
    for foot, rise in zip(feet, rises, strict=True):
        goal = model.translation[:, rig.skeleton.index(foot.leg.end or "")].copy()
        goal[:, 1] += rise
        shift = np.minimum(shift, _highest(rig, model, foot, goal))
    return Offsets(shift, np.stack(rises, axis=1), np.stack(tilts, axis=1))


def _slope(rig: Rig, model: Transform, foot: Foot, ground: GroundQuery, ankle: float) -> FloatArray:
    """Rotation vectors ``(T, 3)`` from the level to the ground under a foot, no longer than the ankle allows."""
    place = model.translation[:, rig.skeleton.index(foot.leg.end or "")]
    slope = quat.to_rotation_vector(quat.shortest_arc(np.array([0.0, 1.0, 0.0]), ground.normals(place)))
    size = np.linalg.norm(slope, axis=-1, keepdims=True)
    return np.asarray(slope * np.minimum(1.0, ankle / np.maximum(size, 1e-9)))


def clearances(rig: Rig, local: Transform, ground: GroundQuery, feet: tuple[Foot, ...]) -> FloatArray:
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
    rig: Rig, model: Transform, foot: Foot, ground: GroundQuery, slope: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How much the ankle rises ``(T,)``, and the rotation vector ``(T, 3)`` that turns the foot.

    A sole keeps the height it has over the level plane, below it too: toes that bend are not known here.
    """
    number = rig.skeleton.index(foot.leg.end or "")
    place, turn, scale = (p[:, number] for p in model)
    height = np.minimum(*(p[:, 1] for p in _contacts(rig, model, foot)))
    near = np.clip(1.0 - np.maximum(height, 0.0) / LIFT, 0.0, 1.0)
    down = near * near * (3.0 - 2.0 * near)
    tilt = slope * down[:, None]
    turned = quat.multiply(quat.from_rotation_vector(tilt), turn)
    sole = [place + quat.rotate(turned, scale * p) for p in (foot.heel, foot.toe)]
    lowest = np.minimum(*(p[:, 1] - ground.under(p) for p in sole))
    return height - lowest, tilt


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
