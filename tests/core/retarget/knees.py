"""How far knees bend, and how a stance shows it: what holding feet may cost, measured on finished poses."""

from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.chain_map import Part
from core.retarget.transfer import Binding


class Bend(NamedTuple):
    """Degrees by which knees bend more in one of two poses than in the other, over all legs and frames.

    Parameters
    ----------
    median, p95, most : of the difference, where it is a bend more
    straight : the most that a leg is bent more whose knee was bent less than 10° before
    jump : the most that the difference changes from frame to frame
    """

    median: float
    p95: float
    most: float
    straight: float
    jump: float


def knee_angles(binding: Binding, local: Transform) -> FloatArray:
    """Degrees ``(T, L)`` that the knees of the target's legs are bent, 0 straight."""
    places = kinematics.to_model(binding.target, local).translation
    angles = []
    for leg in binding.chains.part(Part.LEG):
        side = leg.name.split()[0]
        foot = next(p for p in binding.chains.part(Part.FOOT) if p.name.startswith(f"{side} "))
        hip, knee, ankle = (places[:, binding.target.index(b)] for b in (*leg.target, foot.target[0]))
        thigh, calf = knee - hip, ankle - knee
        across = np.linalg.norm(np.cross(thigh, calf), axis=-1)
        angles.append(np.degrees(np.arctan2(across, (thigh * calf).sum(axis=-1))))
    return np.stack(angles, axis=-1)


def bend_between(before: FloatArray, after: FloatArray) -> Bend:
    """What knees pay, of angles ``(T, L)`` before and after."""
    more = after - before
    paid = np.maximum(more, 0.0)
    straight = paid[before < 10.0]
    return Bend(
        float(np.median(paid)), float(np.percentile(paid, 95.0)), float(paid.max()),
        float(straight.max(initial=0.0)), float(np.abs(np.diff(more, axis=0)).max(initial=0.0)),
    )  # fmt: skip
