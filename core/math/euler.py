"""Euler angles in degrees, with the order written as the letters applied about fixed axes.

``XYZ`` turns about the parent's X first, then its Y, then its Z: the matrix is ``Rz·Ry·Rx``
(Maya's and Blender's convention; scipy's lower-case ``from_euler('xyz')``). Angles always
are at the x, y, z places, whatever the order.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import kernels, quat

ORDERS: tuple[str, ...] = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
"""Every order; the index is how an order is stored in arrays."""

SEQUENCE: tuple[tuple[int, int, int], ...] = tuple(
    ("XYZ".index(o[0]), "XYZ".index(o[1]), "XYZ".index(o[2])) for o in ORDERS
)
"""Axis numbers of each order, first applied first."""

PARITY: tuple[int, ...] = tuple(1 if s in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1 for s in SEQUENCE)
"""+1 where the order is a cyclic shift of XYZ, else −1."""


MANY = 300
"""Number of angles from which on the compiled kernel is faster."""


def order_index(order: str) -> int:
    """Number of an order's letters; raises `ValidationError` for anything else."""
    try:
        return ORDERS.index(order.upper())
    except ValueError:
        raise ValidationError(f"Euler order: expected one of {', '.join(ORDERS)}, got {order!r}") from None


def to_quaternion(degrees: npt.ArrayLike, order: int) -> FloatArray:
    """Unit quaternions of angles ``(..., 3)`` in degrees; `order` is an index into `ORDERS`."""
    angles = np.asarray(degrees, dtype=np.float64)
    compiled = kernels.compiled() if angles.size >= MANY else None
    if compiled is None:
        return to_quaternion_numpy(angles, order)
    result = np.empty((*angles.shape[:-1], 4))
    rows = np.require(angles, requirements=("C", "A")).reshape(-1, 3)
    middle = SEQUENCE[order][1]
    compiled.mesh.euler_to_quaternion(rows, middle, float(PARITY[order]), result.reshape(-1, 4))
    return result


def to_quaternion_numpy(degrees: npt.ArrayLike, order: int) -> FloatArray:
    """The numpy twin of the kernel: the product of the three turns."""
    half = np.radians(np.asarray(degrees, dtype=np.float64)) * 0.5
    sine, cosine = np.sin(half), np.cos(half)
    result: FloatArray | None = None
    for axis in SEQUENCE[order]:
        turn = np.zeros((*half.shape[:-1], 4))
        turn[..., axis] = sine[..., axis]
        turn[..., 3] = cosine[..., axis]
        result = turn if result is None else quat.multiply(turn, result)
    assert result is not None
    return result


def from_quaternion(q: npt.ArrayLike, order: int) -> FloatArray:
    """Angles ``(..., 3)`` in degrees of unit quaternions, the middle angle within ±90°.

    At gimbal lock (middle angle within about 1e-7 rad of ±90°) the angle applied first is 0 and
    the one applied last carries the whole turn; `nearest` then spreads it as a reference asks.
    """
    m = quat.to_matrix(q)
    i, j, k = SEQUENCE[order]
    sign = PARITY[order]
    sine = np.clip(-sign * m[..., k, i], -1.0, 1.0)
    cosine = np.hypot(m[..., i, i], m[..., j, i])
    middle = np.arctan2(sine, cosine)
    locked = cosine < 1e-7
    first = np.where(locked, 0.0, np.arctan2(sign * m[..., k, j], m[..., k, k]))
    last = np.where(
        locked,
        np.arctan2(-sign * m[..., i, j], m[..., j, j]),
        np.arctan2(sign * m[..., j, i], m[..., i, i]),
    )
    angles = np.empty((*m.shape[:-2], 3))
    angles[..., i], angles[..., j], angles[..., k] = first, middle, last
    degrees: FloatArray = np.degrees(angles)
    return degrees


def nearest(q: npt.ArrayLike, order: int, reference: npt.ArrayLike) -> FloatArray:
    """The angles of `q` that change least from `reference` (spec/editing.md, Euler alignment).

    Of the solution and its twin (middle angle mirrored about 90°, the others turned by 180°),
    each plus any multiple of 360°, the one with the smallest total absolute change. Near gimbal
    lock the free split between first and last angle follows the reference.

    Parameters
    ----------
    q : unit quaternions ``(..., 4)``
    order : index into `ORDERS`
    reference : angles ``(..., 3)`` in degrees to stay close to
    """
    target = np.asarray(reference, dtype=np.float64)
    base = from_quaternion(q, order)
    base, target = np.broadcast_arrays(base, target)
    j = SEQUENCE[order][1]
    base = _follow_at_lock(np.array(base), target, quat.to_matrix(q), order)
    twin = base + 180.0
    twin[..., j] = 180.0 - base[..., j]
    candidates = np.stack((base, twin))
    candidates = candidates - 360.0 * np.round((candidates - target) / 360.0)
    change = np.sum(np.abs(candidates - target), axis=-1)
    better = change[1] < change[0] - 1e-9
    chosen: FloatArray = np.where(better[..., None], candidates[1], candidates[0])
    return chosen


def _follow_at_lock(angles: FloatArray, target: FloatArray, matrix: FloatArray, order: int) -> FloatArray:
    """Where the middle angle is at ±90°, keep the reference's first angle and solve the last."""
    i, j, k = SEQUENCE[order]
    sign = PARITY[order]
    locked = np.hypot(matrix[..., i, i], matrix[..., j, i]) < 1e-6
    if not locked.any():
        return angles
    pole = np.where(angles[..., j] >= 0.0, 1.0, -1.0) * sign
    # At the pole only last − pole·first is determined; from_quaternion put it all in last when
    # it saw the lock, and split it badly when it came just short of it.
    fixed = angles[..., k] - pole * angles[..., i]
    first_target, last_target = target[..., i], target[..., k]
    gap = fixed - (last_target - pole * first_target)
    gap = gap - 360.0 * np.round(gap / 360.0)
    angles[..., i] = np.where(locked, first_target - pole * gap * 0.5, angles[..., i])
    angles[..., k] = np.where(locked, last_target + gap * 0.5, angles[..., k])
    return angles


def unroll(degrees: npt.ArrayLike, order: int) -> FloatArray:
    """Euler filter over a sequence ``(T, 3)``: each row the equivalent nearest to the one before."""
    rows = np.array(degrees, dtype=np.float64)
    j = SEQUENCE[order][1]
    for index in range(1, len(rows)):
        row, before = rows[index], rows[index - 1]
        twin = row + 180.0
        twin[j] = 180.0 - row[j]
        options = [c - 360.0 * np.round((c - before) / 360.0) for c in (row, twin)]
        changes = [float(np.abs(c - before).sum()) for c in options]
        rows[index] = options[1] if changes[1] < changes[0] - 1e-9 else options[0]
    return rows
