# mypy: disable-error-code="no-untyped-def"
"""Turns in plain numbers (compiled), the parts that kernels of inverse kinematics are made of.

Vectors and quaternions (xyzw) are passed as plain numbers, so that nothing is allocated inside a loop.
"""

import math
from typing import Any

from numba import njit

from core.math.kernel_sample import FAST


def plain(function: Any) -> Any:
    """Compile a part of a kernel for whatever it is called with."""
    return njit(cache=True, fastmath=FAST, error_model="numpy")(function)


@plain
def mul(ax, ay, az, aw, bx, by, bz, bw):
    """Hamilton product of two quaternions: the turn of `b`, then that of `a`."""
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


@plain
def rotate(x, y, z, w, vx, vy, vz):
    """A vector turned by a unit quaternion: ``v + w·d + q × d`` with ``d = 2·q × v``."""
    dx, dy, dz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return vx + w * dx + (y * dz - z * dy), vy + w * dy + (z * dx - x * dz), vz + w * dz + (x * dy - y * dx)


@plain
def unit(x, y, z, w):
    """A quaternion scaled to unit length; one shorter than 1e-12 becomes the identity."""
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if length < 1e-12:
        return 0.0, 0.0, 0.0, 1.0
    inverse = 1.0 / length
    return x * inverse, y * inverse, z * inverse, w * inverse


@plain
def kept_unit(x, y, z, w):
    """A product of unit quaternions scaled back to one: a step of Newton's, without root and division."""
    factor = 1.5 - 0.5 * (x * x + y * y + z * z + w * w)
    return x * factor, y * factor, z * factor, w * factor


@plain
def arc(ax, ay, az, bx, by, bz):
    """`core.math.quat.shortest_arc`, edge cases and all."""
    aa = ax * ax + ay * ay + az * az
    bb = bx * bx + by * by + bz * bz
    if aa < 1e-24 or bb < 1e-24:
        return 0.0, 0.0, 0.0, 1.0
    size = math.sqrt(aa * bb)
    w = size + (ax * bx + ay * by + az * bz)
    if w < 1e-12 * size:
        length = math.sqrt(aa)
        ux, uy, uz = ax / length, ay / length, az / length
        if abs(ux) < 0.9:
            nx, ny, nz = 0.0, uz, -uy
        else:
            nx, ny, nz = -uz, 0.0, ux
        size = max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-12)
        return nx / size, ny / size, nz / size, 0.0
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    inverse = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
    return x * inverse, y * inverse, z * inverse, w * inverse


@plain
def vector(x, y, z, w):
    """Rotation vector of a unit quaternion."""
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, w) / sine if sine > 1e-12 else 2.0
    return x * factor, y * factor, z * factor


@plain
def turn(x, y, z):
    """Unit quaternion of a rotation vector; a series where the half angle is below a quarter."""
    square = 0.25 * (x * x + y * y + z * z)
    if square < 0.0652:
        s = square
        sine = 1.0 - s / 42.0 * (1.0 - s / 72.0 * (1.0 - s / 110.0))
        sine = 0.5 * (1.0 - s / 6.0 * (1.0 - s / 20.0 * sine))
        cosine = 1.0 - s / 56.0 * (1.0 - s / 90.0 * (1.0 - s / 132.0))
        cosine = 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * cosine))
        return x * sine, y * sine, z * sine, cosine
    half = math.sqrt(square)
    share = 0.5 * math.sin(half) / half
    return x * share, y * share, z * share, math.cos(half)


@plain
def limited(lx, ly, lz, lw, rest, kind, limit):
    """`core.ik.limits.limited` of one rotation; `limit` is axis, low, high, cone in radians."""
    ax, ay, az, low, high = limit[0], limit[1], limit[2], limit[3], limit[4]
    rx, ry, rz, rw = rest[0], rest[1], rest[2], rest[3]
    x, y, z, w = mul(-rx, -ry, -rz, rw, lx, ly, lz, lw)
    along = x * ax + y * ay + z * az
    tx, ty, tz, tw = unit(ax * along, ay * along, az * along, w)
    sx, sy, sz, sw = mul(x, y, z, w, -tx, -ty, -tz, tw)
    angle = 2.0 * math.atan2(tx * ax + ty * ay + tz * az, tw)
    angle = (angle + math.pi) % (2.0 * math.pi) - math.pi
    vx, vy, vz = vector(sx, sy, sz, sw)
    size = math.sqrt(vx * vx + vy * vy + vz * vz)
    cone = limit[5] if kind == 2 else 0.0
    if angle >= low - 1e-9 and angle <= high + 1e-9 and size <= cone + 1e-9:
        return lx, ly, lz, lw
    if angle < low or angle > high:
        to_low = abs((angle - low + math.pi) % (2.0 * math.pi) - math.pi)
        to_high = abs((angle - high + math.pi) % (2.0 * math.pi) - math.pi)
        angle = low if to_low <= to_high else high
    sine = math.sin(0.5 * angle)
    tx, ty, tz, tw = ax * sine, ay * sine, az * sine, math.cos(0.5 * angle)
    if kind == 2:
        if size > cone:
            scale = cone / size
            vx, vy, vz = vx * scale, vy * scale, vz * scale
        sx, sy, sz, sw = turn(vx, vy, vz)
        tx, ty, tz, tw = mul(sx, sy, sz, sw, tx, ty, tz, tw)
    return mul(rx, ry, rz, rw, tx, ty, tz, tw)
