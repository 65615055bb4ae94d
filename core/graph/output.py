"""What flows along the pose wires of a graph: a pose, curves and the step's root motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.blend import weighted
from core.pose.output import mixed_motion

__all__ = ["Output", "mix", "mixed_motion", "part_of_motion"]


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """The result of one pose node for one step.

    Parameters
    ----------
    local : local transforms ``(B, k)``, root motion taken out
    curves : ``(C,)`` values in the order of the plan's curve names (curves, then morphs); 0 where absent
    present : ``(C,)`` which of them something set
    motion : root motion of the step, parts ``(3,)``, ``(4,)``, ``(3,)``
    """

    local: Transform
    curves: FloatArray
    present: BoolArray
    motion: Transform = transform.IDENTITY


def packed(output: Output) -> FloatArray:
    """A result without its motion in one row: translations, rotations, scales, curves, which are present."""
    return np.concatenate(
        (*(part.ravel() for part in output.local), output.curves, output.present), dtype=np.float64
    )


def unpacked(row: FloatArray, bones: int) -> Output:
    """The result that stands in a row, copied; without motion."""
    curves = (len(row) - 10 * bones) // 2
    parts = np.split(row.copy(), np.cumsum([3 * bones, 4 * bones, 3 * bones, curves]))
    local = Transform(*(part.reshape(bones, -1) for part in parts[:3]))
    return Output(local, parts[3], parts[4] != 0.0)


def mix(outputs: Sequence[Output], weights: Sequence[float], before: Sequence[float] | None = None) -> Output:
    """Blend results by weights that sum to 1 (a curve that is absent counts as 0).

    Parameters
    ----------
    before : the weights at the beginning of the step; root motion mixes by the mean of both
    """
    counted = [(o, w) for o, w in zip(outputs, weights, strict=True) if w > 0.0]
    if len(counted) == 1 and counted[0][1] == 1.0 and before is None:
        return counted[0][0]
    local = weighted([o.local for o, _ in counted], [w for _, w in counted])
    curves = np.zeros_like(counted[0][0].curves)
    present = np.zeros(len(curves), dtype=bool)
    for output, weight in counted:
        curves += weight * output.curves
        present |= output.present
    shares = np.array(weights) if before is None else (np.array(weights) + np.array(before)) / 2.0
    return Output(local, curves, present, mixed_motion([o.motion for o in outputs], shares))


def part_of_motion(motion: Transform, part: float) -> Transform:
    """A part 0..1 of a root motion, as if it were even: translation and rotation vector by that part."""
    if part == 1.0:
        return motion
    turn = quat.from_rotation_vector(quat.to_rotation_vector(motion.rotation) * part)
    return Transform(motion.translation * part, turn, motion.scale)


def summed_motion(motions: Sequence[Transform], shares: Sequence[float]) -> Transform:
    """Root motions of parts of a step put together: the sum of translations and rotation vectors by their shares."""
    used = [(motion, share) for motion, share in zip(motions, shares, strict=True) if share > 0.0]
    if len(used) == 1 and used[0][1] == 1.0:
        return used[0][0]
    move, turn = np.zeros(3), np.zeros(3)
    for motion, share in used:
        move = move + share * motion.translation
        turn = turn + share * quat.to_rotation_vector(motion.rotation)
    return Transform(move, quat.from_rotation_vector(turn), np.ones(3))
