"""Poses of a database between two frames, and what is left of the motion before a switch (inertialised).

A row holds translations ``3B``, rotations ``4B``, scales ``3B``, then curves and which of them are present. Offsets are
``(4, B, 3)``: of translations, their speeds, of rotations (rotation vectors on the left, radians), their speeds.
"""

import math

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.locomotion.dampers import LN2
from core.locomotion.setup import H
from core.math import kernels, quat

SETTLED = 1e-5
"""Metres and radians, and ten times as much a second, under which nothing is left of a switch."""


def between(first: Float32Array, second: Float32Array, share: float, out: FloatArray) -> None:
    """Two rows of poses ``(B, 7)`` mixed, into the beginning of a row."""
    compiled = kernels.compiled()
    if compiled is not None:
        compiled.matching.between(first, second, share, out)
        return
    with kernels.twin():
        between_by_twin(first, second, share, out)


def between_by_twin(first: Float32Array, second: Float32Array, share: float, out: FloatArray) -> None:
    """As `between`, in numpy."""
    a, b = first.astype(np.float64), second.astype(np.float64)
    bones = len(a)
    out[: 3 * bones] = (a[:, :3] + (b[:, :3] - a[:, :3]) * share).ravel()
    sign = np.where((a[:, 3:] * b[:, 3:]).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    turns = a[:, 3:] * (1.0 - share) + b[:, 3:] * (sign * share)
    out[3 * bones : 7 * bones] = (turns / np.sqrt((turns * turns).sum(axis=1, keepdims=True))).ravel()


def decayed(offsets: FloatArray, half: float, seconds: float = H) -> FloatArray | None:
    """What is left of offsets after some seconds; None once it cannot be seen."""
    if half <= 0.0:
        return None
    rate, out = 2.0 * LN2 / half, np.empty_like(offsets)
    compiled = kernels.compiled()
    if compiled is not None:
        compiled.matching.decayed(offsets, rate, seconds, out)
    else:
        with kernels.twin():
            decayed_by_twin(offsets, rate, seconds, out)
    if np.abs(out[::2]).max() < SETTLED and np.abs(out[1::2]).max() < 10.0 * SETTLED:
        return None
    out.setflags(write=False)
    return out


def decayed_by_twin(offsets: FloatArray, rate: float, seconds: float, out: FloatArray) -> None:
    """As the kernel, in numpy."""
    left = math.exp(-rate * seconds)
    x, v = offsets[::2], offsets[1::2]
    j = v + rate * x
    out[::2], out[1::2] = left * (x + j * seconds), left * (v - j * rate * seconds)


def offset_by(offsets: FloatArray, row: FloatArray) -> None:
    """Add offsets to a row, in place."""
    compiled = kernels.compiled()
    if compiled is not None:
        compiled.matching.offset_by(offsets, row)
        return
    with kernels.twin():
        offset_by_twin(offsets, row)


def offset_by_twin(offsets: FloatArray, row: FloatArray) -> None:
    """As `offset_by`, in numpy."""
    bones = offsets.shape[1]
    row[: 3 * bones] += offsets[0].ravel()
    turns = row[3 * bones : 7 * bones].reshape(-1, 4)
    turns[:] = quat.multiply(quat.from_rotation_vector(offsets[2]), turns)


def offsets_to(
    shown: FloatArray, before: FloatArray, target: FloatArray, target_before: FloatArray | None, bones: int
) -> FloatArray:
    """Offsets that let a target go on from what was shown, with its speed.

    Parameters
    ----------
    shown, before : rows of the last step and of the one before it
    target : row of this step
    target_before : that of the step before it; None where its speed is not known, and counts as what was shown
    """
    offsets = np.zeros((4, bones, 3))
    places = [row[: 3 * bones].reshape(-1, 3) for row in (shown, before, target)]
    turns = [row[3 * bones : 7 * bones].reshape(-1, 4) for row in (shown, before, target)]
    moved = places[0] - places[1]
    turned = _vector(turns[0], turns[1])
    offsets[0] = places[0] + moved - places[2]
    gone_on = quat.multiply(quat.from_rotation_vector(turned), turns[0])
    offsets[2] = _vector(gone_on, turns[2])
    if target_before is not None:
        earlier = target_before[: 3 * bones].reshape(-1, 3)
        offsets[1] = (moved - (places[2] - earlier)) / H
        offsets[3] = (turned - _vector(turns[2], target_before[3 * bones : 7 * bones].reshape(-1, 4))) / H
    offsets.setflags(write=False)
    return offsets


def _vector(to: FloatArray, start: FloatArray) -> FloatArray:
    """Rotation vectors, by the shorter arc, that turn `start` to `to` from the left."""
    turn = quat.multiply(to, quat.conjugate(start))
    return quat.to_rotation_vector(np.where(turn[:, 3:] < 0.0, -turn, turn))
