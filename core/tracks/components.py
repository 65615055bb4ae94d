"""Quaternion tracks seen and edited as three angles about the rest rotation, without gimbal lock.

Two readings, both in degrees: the *rotation vector* (axis times angle of ``rest⁻¹ · q``), and *swing
and twist* (the twist about one axis, and the swing's rotation vector across it). Rotation vectors are
free of poles up to a whole turn; swing and twist up to a swing of half a turn.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math import quat
from core.tracks.keys import QuaternionTrack
from core.tracks.refresh import put


class Reading(StrEnum):
    """How a rotation is split into three angles."""

    VECTOR = "vector"
    SWING_TWIST = "swing_twist"


def to_angles(
    rotations: npt.ArrayLike, rest: npt.ArrayLike, reading: Reading = Reading.VECTOR, axis: int = 0
) -> FloatArray:
    """Angles ``(T, 3)`` in degrees of a sequence of unit quaternions ``(T, 4)``, free of jumps.

    Parameters
    ----------
    rest : unit quaternion whose angles are all zero
    axis : of the twist (its angle stands at this place; the swing fills the other two)
    """
    own = quat.multiply(quat.conjugate(rest), rotations)
    if not len(own):
        return np.zeros((0, 3))
    own = quat.continuous(own if own[0, 3] >= 0.0 else -own)
    if reading is Reading.VECTOR:
        return np.degrees(_unrolled(_log(own)))
    direction = np.eye(3)[axis]
    along = own[:, axis]
    twist = np.unwrap(2.0 * np.arctan2(along, own[:, 3]))
    half = twist / 2.0
    turn = np.zeros_like(own)
    turn[:, axis], turn[:, 3] = np.sin(half), np.cos(half)
    swing = quat.multiply(own, quat.conjugate(turn))
    swing = np.where(swing[:, 3:] < 0.0, -swing, swing)
    angles = _log(swing)
    angles[:, axis] = 0.0
    angles += twist[:, None] * direction
    return np.degrees(angles)


def from_angles(
    degrees: npt.ArrayLike, rest: npt.ArrayLike, reading: Reading = Reading.VECTOR, axis: int = 0
) -> FloatArray:
    """Unit quaternions ``(..., 4)`` of angles ``(..., 3)``: the inverse of `to_angles`."""
    radians = np.radians(np.asarray(degrees, dtype=np.float64))
    if reading is Reading.VECTOR:
        return quat.multiply(rest, quat.from_rotation_vector(radians))
    direction = np.eye(3)[axis]
    twist = quat.from_rotation_vector(radians * direction)
    swing = quat.from_rotation_vector(radians * (1.0 - direction))
    return quat.multiply(rest, quat.multiply(swing, twist))


def set_angles(
    track: QuaternionTrack,
    keys: npt.ArrayLike,
    component: int,
    degrees: npt.ArrayLike,
    rest: npt.ArrayLike,
    reading: Reading = Reading.VECTOR,
    axis: int = 0,
) -> QuaternionTrack:
    """Give one angle of keys another value; the tangents of cubic keys turn along.

    Keys that have that angle already (to 1e-9°) stay bit for bit as they are.

    Parameters
    ----------
    component : 0, 1, 2
    degrees : ``(len(keys),)``, or one for all
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    angles = to_angles(track.values, rest, reading, axis)[chosen]
    wanted = np.broadcast_to(np.asarray(degrees, dtype=np.float64), chosen.shape)
    differ = np.abs(angles[:, component] - wanted) > 1e-9
    if not differ.any():
        return track
    chosen, angles = chosen[differ], np.array(angles[differ])
    angles[:, component] = wanted[differ]
    return with_rotations(track, chosen, from_angles(angles, rest, reading, axis))


def with_rotations(track: QuaternionTrack, keys: npt.ArrayLike, rotations: FloatArray) -> QuaternionTrack:
    """Give keys other rotations ``(len(keys), 4)``; the tangents turn along, signs stay continuous."""
    chosen = np.asarray(keys, dtype=np.intp)
    old = track.values[chosen]
    goal = quat.aligned(rotations, old)
    turn = quat.multiply(goal, quat.conjugate(old))
    columns: dict[str, Any] = {"values": put(track.values, chosen, goal)}
    for name in ("in_tangents", "out_tangents"):
        column = getattr(track, name)
        columns[name] = put(column, chosen, quat.multiply(turn, column[chosen]))
    return replace(track, **columns)


def _log(own: FloatArray) -> FloatArray:
    """Rotation vectors (radians) of unit quaternions up to a whole turn; the sign counts."""
    sine = np.linalg.norm(own[:, :3], axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, own[:, 3:])
    vectors: FloatArray = own[:, :3] * np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    return vectors


def _unrolled(vectors: FloatArray) -> FloatArray:
    """Each row the equivalent (same axis, whole turns more or fewer) nearest to the one before."""
    steps = np.linalg.norm(np.diff(vectors, axis=0), axis=1)
    jumps = np.flatnonzero(steps > np.pi)
    if not len(jumps):
        return vectors
    rows = np.array(vectors)
    for index in range(int(jumps[0]) + 1, len(rows)):
        row, before = rows[index], rows[index - 1]
        angle = float(np.linalg.norm(row))
        if angle < 1e-9:
            continue
        unit = row / angle
        turns = round((float(before @ unit) - angle) / (2.0 * np.pi))
        rows[index] = unit * (angle + 2.0 * np.pi * turns)
    return rows
