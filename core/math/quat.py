"""Quaternions ``[x, y, z, w]`` in plain numpy, over any leading axes ``(..., 4)``.

``multiply(a, b)`` rotates by `b` first. Unit quaternions are rotations; functions that need a
unit say so and do not normalise by themselves.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, row_lengths, row_sums
from core.errors import ValidationError

IDENTITY: FloatArray = np.array([0.0, 0.0, 0.0, 1.0])
IDENTITY.flags.writeable = False


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Hamilton product ``a * b``, shape ``(..., 4)`` (broadcast)."""
    qa, qb = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    ax, ay, az, aw = qa[..., 0], qa[..., 1], qa[..., 2], qa[..., 3]
    bx, by, bz, bw = qb[..., 0], qb[..., 1], qb[..., 2], qb[..., 3]
    x = aw * bx + ax * bw + ay * bz - az * by
    product = np.empty((*x.shape, 4))  # written part by part: np.stack costs a single product half its time
    product[..., 0] = x
    product[..., 1] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 2] = aw * bz + ax * by - ay * bx + az * bw
    product[..., 3] = aw * bw - ax * bx - ay * by - az * bz
    return product


def conjugate(q: npt.ArrayLike) -> FloatArray:
    """Conjugate, which is the inverse of a unit quaternion."""
    flipped: FloatArray = np.asarray(q, dtype=np.float64) * np.array([-1.0, -1.0, -1.0, 1.0])
    return flipped


def normalise(q: npt.ArrayLike) -> FloatArray:
    """Scale to unit length; a quaternion shorter than 1e-12 becomes the identity."""
    array = np.asarray(q, dtype=np.float64)
    length = row_lengths(array)[..., None]
    short = length < 1e-12
    if not short.any():
        unit: FloatArray = array / length
        return unit
    return np.where(short, IDENTITY, array / np.where(short, 1.0, length))


def require_units(q: npt.ArrayLike, what: str, tolerance: float = 1e-3) -> FloatArray:
    """Return `q` normalised, refusing zero-length and non-finite ones.

    Raises
    ------
    ValidationError
        Naming the index of the first quaternion whose length is off by more than `tolerance`
        of 1 in a way that normalising cannot repair (zero or not finite).
    """
    array = np.asarray(q, dtype=np.float64)
    length = row_lengths(array)
    bad = ~np.isfinite(length) | (length < tolerance)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValidationError(f"{what}: expected a rotation quaternion, got {array[place]} at index {place}")
    unit: FloatArray = array / length[..., None]
    return unit


def rotate(q: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
    """Rotate vectors ``(..., 3)`` by unit quaternions ``(..., 4)``."""
    quaternion, vector = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
    if quaternion.size <= _FEW and vector.size <= _FEW and vector.shape[-1] == 3:
        return _rotate_few(quaternion, vector)
    x, y, z, w = quaternion[..., 0], quaternion[..., 1], quaternion[..., 2], quaternion[..., 3]
    vx, vy, vz = vector[..., 0], vector[..., 1], vector[..., 2]
    # v + w·d + axis × d with d = 2 axis × v, written out: np.cross is several times slower
    dx, dy, dz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    first = vx + w * dx + (y * dz - z * dy)
    rotated = np.empty((*first.shape, 3))  # part by part, as in `multiply`
    rotated[..., 0] = first
    rotated[..., 1] = vy + w * dy + (z * dx - x * dz)
    rotated[..., 2] = vz + w * dz + (x * dy - y * dx)
    return rotated


_FEW = 300
"""Numbers up to which calls of numpy cost more than what they work out."""
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


def _rotate_few(q: FloatArray, v: FloatArray) -> FloatArray:
    """`rotate` by the same operations in the same order, with all three axes in one call: half the time, equal bits."""
    one, other = q.take(_NEXT, -1), q.take(_LAST, -1)
    d = 2.0 * (one * v.take(_LAST, -1) - other * v.take(_NEXT, -1))
    rotated: FloatArray = np.add(
        v + q[..., 3:] * d, one * d.take(_LAST, -1) - other * d.take(_NEXT, -1), order="C"
    )
    return rotated


def from_axis_angle(axis: npt.ArrayLike, radians: npt.ArrayLike) -> FloatArray:
    """Rotation by `radians` about `axis` ``(..., 3)``; a zero axis gives the identity."""
    direction = np.asarray(axis, dtype=np.float64)
    half = np.asarray(radians, dtype=np.float64)[..., None] * 0.5
    length = np.linalg.norm(direction, axis=-1, keepdims=True)
    unit = np.where(length > 0.0, direction / np.where(length > 0.0, length, 1.0), 0.0)
    xyz = unit * np.sin(half)
    w = np.broadcast_to(np.where(length > 0.0, np.cos(half), 1.0), (*xyz.shape[:-1], 1))
    return np.concatenate((xyz, w), axis=-1)


def to_rotation_vector(q: npt.ArrayLike) -> FloatArray:
    """Axis times angle (radians, 0..pi) of unit quaternions; both signs of `q` give the same."""
    quaternion = np.asarray(q, dtype=np.float64)
    quaternion = np.where(quaternion[..., 3:] < 0.0, -quaternion, quaternion)
    sine = np.linalg.norm(quaternion[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, quaternion[..., 3:])
    factor = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    vector: FloatArray = quaternion[..., :3] * factor
    return vector


def from_rotation_vector(vector: npt.ArrayLike) -> FloatArray:
    """Inverse of `to_rotation_vector`."""
    array = np.asarray(vector, dtype=np.float64)
    return from_axis_angle(array, np.linalg.norm(array, axis=-1))


def angle_between(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Angle in radians, 0..pi, of the rotation that takes `a` to `b` (sign of either ignored).

    Computed from the product's sine and cosine, so that tiny angles keep their digits.
    """
    product = multiply(conjugate(a), b)
    sine = row_lengths(product[..., :3])
    angle: FloatArray = 2.0 * np.arctan2(sine, np.abs(product[..., 3]))
    return angle


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, u: npt.ArrayLike) -> FloatArray:
    """Spherical interpolation on the short way; `u` broadcasts over the leading axes.

    Falls back to a normalised lerp where the angle is below about 1e-4 rad.
    """
    qa, qb = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    fraction = np.asarray(u, dtype=np.float64)[..., None]
    dot = row_sums(qa * qb)[..., None]
    qb = np.where(dot < 0.0, -qb, qb)
    cosine = np.minimum(np.abs(dot), 1.0)
    angle = np.arccos(cosine)
    sine = np.sin(angle)
    near = sine < 1e-4
    safe = np.where(near, 1.0, sine)
    wa = np.where(near, 1.0 - fraction, np.sin((1.0 - fraction) * angle) / safe)
    wb = np.where(near, fraction, np.sin(fraction * angle) / safe)
    return normalise(wa * qa + wb * qb)


def shortest_arc(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Smallest rotation that turns direction `a` to direction `b`, both ``(..., 3)``, any length.

    Zero-length directions give the identity; opposite ones a half turn about a fixed
    perpendicular of `a`.
    """
    va, vb = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    va, vb = np.broadcast_arrays(va, vb)
    la, lb = row_lengths(va)[..., None], row_lengths(vb)[..., None]
    degenerate = (la < 1e-12) | (lb < 1e-12)
    ua = va / np.where(la < 1e-12, 1.0, la)
    ub = vb / np.where(lb < 1e-12, 1.0, lb)
    half = ua + ub
    cosine = row_sums(ua * ub)[..., None]
    result = np.concatenate((_cross(ua, half), row_sums(ua * half)[..., None]), axis=-1)
    opposite = cosine < -1.0 + 1e-12
    if opposite.any():
        aside = np.where(np.abs(ua[..., :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
        normal = _cross(ua, aside)
        normal = normal / np.maximum(row_lengths(normal)[..., None], 1e-12)
        turned = np.concatenate((normal, np.zeros_like(cosine)), axis=-1)
        result = np.where(opposite, turned, result)
    return np.where(degenerate, IDENTITY, normalise(result))


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """The bits of ``np.cross``, which takes several times as long."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def aligned(q: npt.ArrayLike, reference: npt.ArrayLike) -> FloatArray:
    """`q` with the sign that makes its dot product with `reference` nonnegative."""
    array = np.asarray(q, dtype=np.float64)
    dot = row_sums(array * np.asarray(reference, dtype=np.float64))[..., None]
    return np.where(dot < 0.0, -array, array)


def continuous(q: npt.ArrayLike) -> FloatArray:
    """A sequence ``(T, ..., 4)`` with signs flipped so that neighbours along axis 0 agree."""
    array = np.array(q, dtype=np.float64)
    if len(array) < 2:
        return array
    flips = row_sums(array[1:] * array[:-1]) < 0.0
    sign = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    array[1:] *= sign[..., None]
    return array


def to_matrix(q: npt.ArrayLike) -> FloatArray:
    """Rotation matrices ``(..., 3, 3)`` (column vectors) of unit quaternions."""
    quaternion = np.asarray(q, dtype=np.float64)
    x, y, z, w = quaternion[..., 0], quaternion[..., 1], quaternion[..., 2], quaternion[..., 3]
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrix: npt.ArrayLike) -> FloatArray:
    """Unit quaternions of pure rotation matrices ``(..., 3, 3)``, w ≥ 0.

    Picks the largest component first (Shepperd 1978), so no division is by a small number.
    """
    m = np.asarray(matrix, dtype=np.float64)
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack(
        (1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22, 1 + m00 + m11 + m22), axis=-1
    )
    xy, xz, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 2, 0] + m[..., 0, 2], m[..., 2, 1] + m[..., 1, 2]
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    candidates = np.stack(
        (
            np.stack((squares[..., 0], xy, xz, wx), -1),
            np.stack((xy, squares[..., 1], yz, wy), -1),
            np.stack((xz, yz, squares[..., 2], wz), -1),
            np.stack((wx, wy, wz, squares[..., 3]), -1),
        ),
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)[..., None, None]
    q = normalise(np.take_along_axis(candidates, best, axis=-2)[..., 0, :])
    return np.where(q[..., 3:] < 0.0, -q, q)


def swing_twist(q: npt.ArrayLike, axis: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Split ``q = swing * twist`` with `twist` about the unit `axis`.

    Where the swing is a half turn the twist is undefined and taken as the identity.
    """
    quaternion, direction = np.asarray(q, dtype=np.float64), np.asarray(axis, dtype=np.float64)
    along = np.sum(quaternion[..., :3] * direction, axis=-1, keepdims=True)
    twist = normalise(np.concatenate((direction * along, quaternion[..., 3:]), axis=-1))
    return multiply(quaternion, conjugate(twist)), twist
