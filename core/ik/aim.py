"""Aiming a bone at a point, with an up direction and a largest turn."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math import quat


def aimed(
    rotation: npt.ArrayLike,
    position: npt.ArrayLike,
    goal: npt.ArrayLike,
    axis: npt.ArrayLike,
    up_axis: npt.ArrayLike | None = None,
    up: npt.ArrayLike = (0.0, 1.0, 0.0),
    limit: float = np.pi,
) -> FloatArray:
    """Model rotations ``(..., 4)`` whose `axis` looks from `position` at `goal`.

    Parameters
    ----------
    rotation : present model rotations ``(..., 4)``; the turn from them is at most `limit` radians
    axis, up_axis : unit vectors in the bone's own frame; with `up_axis` the bone also rolls so
        that it points as far as it can along the model direction `up`
    goal : on the bone's own position nothing turns; along `up` the roll stays as it is
    """
    present = np.asarray(rotation, dtype=np.float64)
    line = np.asarray(goal, dtype=np.float64) - np.asarray(position, dtype=np.float64)
    forward = quat.rotate(present, np.asarray(axis, dtype=np.float64))
    result = quat.multiply(quat.shortest_arc(forward, line), present)
    if up_axis is not None:
        result = quat.multiply(_roll(result, line, np.asarray(up_axis), np.asarray(up)), result)
    turn = quat.to_rotation_vector(quat.multiply(result, quat.conjugate(present)))
    angle = np.linalg.norm(turn, axis=-1, keepdims=True)
    share = np.where(angle > limit, limit / np.where(angle > 0.0, angle, 1.0), 1.0)
    return quat.normalise(quat.multiply(quat.from_rotation_vector(turn * share), present))


def _roll(rotation: FloatArray, line: FloatArray, up_axis: FloatArray, up: FloatArray) -> FloatArray:
    """Turn about `line` that brings the up axis nearest to `up`; none where either lies along it."""
    length = np.linalg.norm(line, axis=-1, keepdims=True)
    along = line / np.where(length > 0.0, length, 1.0)

    def flat(vector: FloatArray) -> FloatArray:
        across: FloatArray = vector - np.sum(vector * along, axis=-1, keepdims=True) * along
        return across

    have, want = flat(quat.rotate(rotation, up_axis)), flat(np.broadcast_to(up, line.shape))
    sizes = np.linalg.norm(have, axis=-1) * np.linalg.norm(want, axis=-1)
    angle = np.arctan2(np.sum(np.cross(have, want) * along, axis=-1), np.sum(have * want, axis=-1))
    return quat.from_axis_angle(along, np.where(sizes > 1e-9, angle, 0.0))
