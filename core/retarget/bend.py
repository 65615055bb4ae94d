"""Bending an arm or leg so that its end reaches its goal, by two-bone IK over many poses."""

import numpy as np

from core.ik import two_bone
from core.math import quat
from core.math.transform import Transform
from core.retarget.limbs import Limb
from core.retarget.planting import Planted
from core.retarget.transfer import Binding

BIAS = 0.02
"""Part of a limb's length by which a nearly straight one is taken to bend the way it does at rest."""

FULL = 0.9995
"""Part of a limb's length that it is stretched to at most."""


def reached(
    binding: Binding, local: Transform, model: Transform, limb: Limb, goal: Planted
) -> tuple[Transform, Transform, float]:
    """A limb bent so that its end takes places and rotations.

    Returns
    -------
    local, model, missed
        Poses ``(T, Bt, k)``; their model transforms, right for the limb's own bones; metres that the
        worst goal is missed by.
    """
    upper, lower, end = limb.bones
    shift = np.abs(goal.place - model.translation[:, end]).max(axis=-1)
    turn = np.abs(goal.rotation - quat.aligned(model.rotation[:, end], goal.rotation)).max(axis=-1)
    moved = np.flatnonzero((shift > 1e-9) | (turn > 1e-12))
    if not len(moved):
        return local, model, 0.0
    places = [np.ascontiguousarray(model.translation[moved, bone]) for bone in limb.bones]
    turns = [model.rotation[moved, bone] for bone in limb.bones]
    wanted = goal.place[moved] - places[0]
    size = np.linalg.norm(places[1] - places[0], axis=-1) + np.linalg.norm(places[2] - places[1], axis=-1)
    # a limb that the clip has stretched straight may stay so
    most = np.maximum(FULL * size, np.linalg.norm(places[2] - places[0], axis=-1))
    near = np.minimum(1.0, most / np.maximum(np.linalg.norm(wanted, axis=-1), 1e-9))
    pole = places[1] + BIAS * size[:, None] * quat.rotate(turns[0], limb.bend)
    goals = places[0] + wanted * near[:, None]
    placed, first, second = two_bone.solved(places[0], places[1], places[2], goals, pole)
    turned = quat.multiply(second, first)
    steps = (
        (upper, None, quat.multiply(first, turns[0]), places[0]),
        (lower, first, quat.multiply(turned, turns[1]), placed.joint),
        (end, turned, goal.rotation[moved], placed.end),
    )
    rotation = np.array(local.rotation)
    after = Transform(np.array(model.translation), np.array(model.rotation), model.scale)
    for bone, carried, wanted_turn, place in steps:
        parent = binding.target.parent(bone)
        above = model.rotation[moved, parent] if parent >= 0 else np.tile(quat.IDENTITY, (len(moved), 1))
        if carried is not None:  # helpers between the bones go along with the upper one
            above = quat.multiply(carried, above)
        rotation[moved, bone] = quat.normalise(quat.multiply(quat.conjugate(above), wanted_turn))
        after.rotation[moved, bone], after.translation[moved, bone] = wanted_turn, place
    missed = float(np.max(np.linalg.norm(placed.end - goal.place[moved], axis=-1), initial=0.0))
    return local._replace(rotation=rotation), after, missed
