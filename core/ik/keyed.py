"""Goals, poles and weights that a clip keys, as named float curves, and what they make of its poses.

A set-up *drives* a clip that has its goal curves: ``ik/<set-up>/goal x`` and so on, in the space
of the set-up's goal; ``turn x y z`` are Euler degrees (XYZ) of the goal's rotation, ``pole x y z``
the pole, ``weight`` 0..1 (the set-up's own where there is none). Being curves, they are keyed,
shaped, retimed, saved and undone as every other curve. A clip keeps the root's motion in the pose,
so that world space is model space here.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.clips.clip import Clip
from core.ik.chain import Chain, take_chain
from core.ik.solve import IkGoal, present_pole, solve, unsolvable
from core.math import euler, quat, transform
from core.math.transform import Transform, down_chain
from core.rig.ik_setup import IkSetup, IkSolver, IkSpace, IkTarget
from core.rig.rig import Rig
from core.rig.virtual_bones import Derived, derived_from, frame_of

ROOT = "ik"
WEIGHT = "weight"
GOAL = ("goal x", "goal y", "goal z")
TURN = ("turn x", "turn y", "turn z")
POLE = ("pole x", "pole y", "pole z")
FIELDS = (WEIGHT, *GOAL, *TURN, *POLE)
STRAIGHT = 1e-4
"""Bend, as a fraction of a chain's length, below which it says nothing of where the pole is."""


class Solved(NamedTuple):
    """How one set-up ended, per pose: metres left and steps taken ``(T,)``."""

    residual: FloatArray
    iterations: IntArray


def curve_name(setup: str, field: str) -> str:
    """Name of the float curve of one of `FIELDS`."""
    return f"{ROOT}/{setup}/{field}"


def setup_of(curve: str) -> tuple[str, str] | None:
    """Set-up and field of a curve's name, or None for any other curve."""
    parts = curve.split("/")
    return (parts[1], parts[2]) if len(parts) == 3 and parts[0] == ROOT and parts[2] in FIELDS else None


def drives(clip: Clip, setup: str) -> bool:
    """Whether a clip keys the goal of a set-up."""
    return any(curve_name(setup, field) in clip.curves for field in GOAL)


def driving(rig: Rig, curves: Mapping[str, object]) -> tuple[IkSetup, ...]:
    """The rig's set-ups whose goals are among these curves, in the order they are solved.

    One that can not be solved is left out: a clip has to be shown and exported all the same.
    """
    keyed = (s for s in rig.ik_setups if any(curve_name(s.name, field) in curves for field in GOAL))
    return tuple(s for s in keyed if not unsolvable(rig, s))


def chain_bones(rig: Rig, setup: IkSetup) -> tuple[int, ...]:
    """Numbers of the bones that a set-up turns, the tip included."""
    root = setup.tip if setup.solver.single else setup.root
    return rig.skeleton.chain(rig.skeleton.index(setup.tip), rig.skeleton.index(root))


def with_ik(
    rig: Rig, local: Transform, curves: Mapping[str, FloatArray]
) -> tuple[Transform, dict[str, Solved]]:
    """Poses with every keyed goal followed, and how each set-up ended.

    Set-ups are solved one after the other in the rig's order; each sees what those before it did.

    Parameters
    ----------
    local : local transforms ``(T, B, k)``
    curves : values ``(T,)`` of the clip's curves
    """
    ends: dict[str, Solved] = {}
    derived: Derived | None = None
    if rig.virtual_bones:
        derived = derived_from(rig, down_chain(rig.skeleton.parents, local))
    for setup in driving(rig, curves):
        goal = keyed_goal(rig, local, setup, curves, derived)
        weight = curves.get(curve_name(setup.name, WEIGHT))
        share = np.clip(weight, 0.0, 1.0) if weight is not None else setup.weight
        result = solve(rig, local, setup, goal, share)
        local, ends[setup.name] = result.local, Solved(result.residual, result.iterations)
    return local, ends


def keyed_goal(
    rig: Rig,
    local: Transform,
    setup: IkSetup,
    curves: Mapping[str, FloatArray],
    derived: Derived | None = None,
) -> IkGoal:
    """The goal that curves give poses ``(T, B, k)``, in model space.

    Parameters
    ----------
    derived : where virtual bones were before any set-up was solved
    """
    count = len(local.translation)

    def column(fields: tuple[str, ...], default: tuple[float, ...]) -> FloatArray:
        names = (curve_name(setup.name, field) for field in fields)
        pairs = zip(names, default, strict=True)
        return np.stack([np.broadcast_to(curves.get(n, np.asarray(d)), (count,)) for n, d in pairs], axis=-1)

    model = down_chain(rig.skeleton.parents, local)
    rotation = np.broadcast_to(np.asarray(setup.goal.rotation), (count, 4))
    if any(curve_name(setup.name, field) in curves for field in TURN):
        rotation = euler.to_quaternion(column(TURN, (0.0, 0.0, 0.0)), 0)
    place = _placed(setup.goal, column(GOAL, setup.goal.position), rotation, rig, model, derived)
    pole = None
    if setup.pole is not None and any(curve_name(setup.name, field) in curves for field in POLE):
        pole = _placed(
            setup.pole, column(POLE, setup.pole.position), rotation, rig, model, derived
        ).translation
    return IkGoal(place.translation, place.rotation, pole)


def into_space(
    target: IkTarget, rig: Rig, model: Transform, place: Transform, derived: Derived | None = None
) -> Transform:
    """Model transforms ``(T, k)`` as seen from a target's space; `derived` as in `keyed_goal`."""
    if target.space is not IkSpace.BONE:
        return place
    return transform.compose(transform.inverse(frame_of(rig, target.bone or "", model, derived)), place)


def out_of_space(target: IkTarget, rig: Rig, model: Transform, place: FloatArray) -> FloatArray:
    """Model position of a place ``(3,)`` in a target's space: the inverse of `into_space`."""
    if target.space is not IkSpace.BONE:
        return place
    return transform.apply(frame_of(rig, target.bone or "", model), place)


def turned_out_of_space(target: IkTarget, rig: Rig, model: Transform, degrees: FloatArray) -> FloatArray:
    """Model rotation ``(4,)`` of a turn in a target's space, XYZ degrees ``(3,)``."""
    turn = euler.to_quaternion(degrees, 0)
    if target.space is not IkSpace.BONE:
        return turn
    return quat.multiply(frame_of(rig, target.bone or "", model).rotation, turn)


def present_values(
    rig: Rig, local: Transform, setup: IkSetup, derived: Derived | None = None
) -> dict[str, FloatArray]:
    """What the goal's curves have to be ``(T,)`` so that poses ``(T, B, k)`` stay as they are.

    Parameters
    ----------
    derived : where virtual bones were before any set-up was solved; None takes them from these poses
    """
    model = down_chain(rig.skeleton.parents, local)
    tip = rig.skeleton.index(setup.tip)
    place = Transform(*(p[:, tip] for p in model))
    if setup.solver is IkSolver.AIM:
        ahead = quat.rotate(place.rotation, np.asarray(setup.aim_axis))
        place = place._replace(translation=place.translation + ahead)
    seen = into_space(setup.goal, rig, model, place, derived)
    values = {curve_name(setup.name, f): seen.translation[:, i] for i, f in enumerate(GOAL)}
    angles = unrolled(euler.from_quaternion(seen.rotation, 0))
    values |= {curve_name(setup.name, f): angles[:, i] for i, f in enumerate(TURN)}
    if setup.pole is not None and not setup.solver.single:
        poles = steady_poles(take_chain(rig.skeleton, local, setup.root, setup.tip))
        away = Transform(poles, place.rotation, np.ones_like(poles))
        pole = into_space(setup.pole, rig, model, away, derived).translation
        values |= {curve_name(setup.name, f): pole[:, i] for i, f in enumerate(POLE)}
    return values


def steady_poles(chain: Chain) -> FloatArray:
    """Poles ``(T, 3)`` in the bends of a row of poses; a straight pose takes its nearest neighbour's side."""
    poles = present_pole(chain)
    joints = chain.joints
    root, middle, end = joints[:, 0], joints[:, joints.shape[1] // 2], joints[:, -1]
    length = np.linalg.norm(end - root, axis=-1)
    bend = np.linalg.norm(np.cross(middle - root, end - root), axis=-1) / np.where(length > 0.0, length, 1.0)
    bent = np.flatnonzero(bend > STRAIGHT * chain.lengths().sum(axis=-1))
    if 0 < len(bent) < len(poles):
        rows = np.arange(len(poles))
        nearest = bent[np.argmin(np.abs(rows[:, None] - bent), axis=1)]
        poles = np.where(np.isin(rows, bent)[:, None], poles, middle + (poles - middle)[nearest])
    return poles


def unrolled(degrees: FloatArray) -> FloatArray:
    """XYZ angles ``(T, 3)`` without jumps from row to row: the nearest equivalent of each."""
    result = np.array(degrees)
    for row in range(1, len(result)):
        options = np.stack([degrees[row], np.array([180.0, 180.0, 180.0]) + degrees[row] * [1.0, -1.0, 1.0]])
        options = options - 360.0 * np.round((options - result[row - 1]) / 360.0)
        result[row] = options[np.argmin(np.abs(options - result[row - 1]).sum(axis=1))]
    return result


def _placed(
    target: IkTarget,
    position: FloatArray,
    rotation: FloatArray,
    rig: Rig,
    model: Transform,
    derived: Derived | None,
) -> Transform:
    """Keyed places of a target's space in model space."""
    here = Transform(position, rotation, np.ones_like(position))
    if target.space is not IkSpace.BONE:
        return here
    return transform.compose(frame_of(rig, target.bone or "", model, derived), here)
