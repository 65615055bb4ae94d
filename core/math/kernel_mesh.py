"""Kinematics and Euler angles over arrays (compiled). Twins: `core.pose.kinematics`, `core.math.euler`."""

import math
from typing import Any

from numba import njit, types

from core.math.kernel_sample import FAST, half_sincos


def _read(kind: Any, dimensions: int) -> Any:
    """Type of an array that is only read, which frozen ones are."""
    return types.Array(kind, dimensions, "C", readonly=True)


_LOCAL = _read(types.float64, 3)


@njit(
    types.void(_read(types.int32, 1), _LOCAL, _LOCAL, _LOCAL, types.float64[:, :, :, ::1]),
    cache=True,
    fastmath=FAST,
    error_model="numpy",
)
def model_matrices(parents, translations, rotations, scales, out):  # type: ignore[no-untyped-def]
    """Model matrices ``(T, B, 4, 4)`` of local transforms ``(T, B, k)``."""
    for index in range(len(translations)):
        t, q, s, m = translations[index], rotations[index], scales[index], out[index]
        for bone in range(len(parents)):
            x, y, z, w = q[bone, 0], q[bone, 1], q[bone, 2], q[bone, 3]
            s0, s1, s2 = s[bone, 0], s[bone, 1], s[bone, 2]
            a00, a01, a02 = (
                (1 - 2 * (y * y + z * z)) * s0,
                2 * (x * y - z * w) * s1,
                2 * (x * z + y * w) * s2,
            )
            a10, a11, a12 = (
                2 * (x * y + z * w) * s0,
                (1 - 2 * (x * x + z * z)) * s1,
                2 * (y * z - x * w) * s2,
            )
            a20, a21, a22 = (
                2 * (x * z - y * w) * s0,
                2 * (y * z + x * w) * s1,
                (1 - 2 * (x * x + y * y)) * s2,
            )
            a03, a13, a23 = t[bone, 0], t[bone, 1], t[bone, 2]
            parent = parents[bone]
            mine = m[bone]
            if parent < 0:
                mine[0, 0], mine[0, 1], mine[0, 2], mine[0, 3] = a00, a01, a02, a03
                mine[1, 0], mine[1, 1], mine[1, 2], mine[1, 3] = a10, a11, a12, a13
                mine[2, 0], mine[2, 1], mine[2, 2], mine[2, 3] = a20, a21, a22, a23
            else:
                above = m[parent]
                for r in range(3):
                    p0, p1, p2, p3 = above[r, 0], above[r, 1], above[r, 2], above[r, 3]
                    mine[r, 0] = p0 * a00 + p1 * a10 + p2 * a20
                    mine[r, 1] = p0 * a01 + p1 * a11 + p2 * a21
                    mine[r, 2] = p0 * a02 + p1 * a12 + p2 * a22
                    mine[r, 3] = p0 * a03 + p1 * a13 + p2 * a23 + p3
            mine[3, 0] = mine[3, 1] = mine[3, 2] = 0.0
            mine[3, 3] = 1.0


@njit(
    types.void(_read(types.float64, 2), types.int64, types.float64, types.float64[:, ::1]),
    cache=True,
    fastmath=FAST,
    error_model="numpy",
)
def euler_to_quaternion(degrees, middle, parity, out):  # type: ignore[no-untyped-def]
    """Unit quaternions ``(N, 4)`` of angles ``(N, 3)`` in degrees.

    The product of the three turns, written out: the order only moves signs.

    Parameters
    ----------
    middle : axis applied second
    parity : +1 where the order is a cyclic shift of XYZ, else −1
    """
    gx = parity if middle == 0 else -parity
    gy = parity if middle == 1 else -parity
    gz = parity if middle == 2 else -parity
    for i in range(len(degrees)):
        sx, cx = half_sincos(degrees[i, 0])
        sy, cy = half_sincos(degrees[i, 1])
        sz, cz = half_sincos(degrees[i, 2])
        out[i, 0] = sx * cy * cz + gx * (cx * sy * sz)
        out[i, 1] = cx * sy * cz + gy * (sx * cy * sz)
        out[i, 2] = cx * cy * sz + gz * (sx * sy * cz)
        out[i, 3] = cx * cy * cz + parity * (sx * sy * sz)


@njit(
    types.void(
        _read(types.float64, 4), _read(types.float64, 4), _read(types.float64, 3), types.float64[:, ::1]
    ),
    cache=True,
    fastmath=FAST,
    error_model="numpy",
    nogil=True,
)
def furthest(before, after, points, out):  # type: ignore[no-untyped-def]
    """Largest distance ``(T, B)`` between points ``(B, P, 3)`` moved by two model matrices ``(T, B, 4, 4)``."""
    for index in range(len(before)):
        for bone in range(len(points)):
            m, n = before[index, bone], after[index, bone]
            a, b, c, d = n[0, 0] - m[0, 0], n[0, 1] - m[0, 1], n[0, 2] - m[0, 2], n[0, 3] - m[0, 3]
            e, f, g, h = n[1, 0] - m[1, 0], n[1, 1] - m[1, 1], n[1, 2] - m[1, 2], n[1, 3] - m[1, 3]
            p, q, r, s = n[2, 0] - m[2, 0], n[2, 1] - m[2, 1], n[2, 2] - m[2, 2], n[2, 3] - m[2, 3]
            most = 0.0
            for k in range(points.shape[1]):
                x, y, z = points[bone, k, 0], points[bone, k, 1], points[bone, k, 2]
                u, v, w = a * x + b * y + c * z + d, e * x + f * y + g * z + h, p * x + q * y + r * z + s
                most = max(most, u * u + v * v + w * w)
            out[index, bone] = math.sqrt(most)
