# mypy: disable-error-code="no-untyped-def"
"""Rigid transforms in plain numbers (compiled): ``(x, y, z, qx, qy, qz, qw)``. Twin: `core.math.transform`."""

import math

from core.math.kernel_turns import mul, plain, rotate, unit


@plain
def composed(a, b):
    """``a ∘ b``."""
    x, y, z = rotate(a[3], a[4], a[5], a[6], b[0], b[1], b[2])
    qx, qy, qz, qw = mul(a[3], a[4], a[5], a[6], b[3], b[4], b[5], b[6])
    return a[0] + x, a[1] + y, a[2] + z, qx, qy, qz, qw


@plain
def inverted(a):
    """``a⁻¹``."""
    x, y, z = rotate(-a[3], -a[4], -a[5], a[6], -a[0], -a[1], -a[2])
    return x, y, z, -a[3], -a[4], -a[5], a[6]


@plain
def normalised(a):
    """The same with a rotation of unit length."""
    x, y, z, w = unit(a[3], a[4], a[5], a[6])
    return a[0], a[1], a[2], x, y, z, w


@plain
def power(a, exponent):
    """A transform put together with itself a whole number of times, by repeated squaring."""
    left = abs(exponent)
    result = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    square = a
    while left > 0:
        if left & 1:
            result = composed(result, square)
        square = normalised(composed(square, square))
        left >>= 1
    return inverted(result) if exponent < 0 else result


@plain
def read_rigid(f, place):
    """Seven numbers of an array."""
    return f[place], f[place + 1], f[place + 2], f[place + 3], f[place + 4], f[place + 5], f[place + 6]


@plain
def slerped(ax, ay, az, aw, bx, by, bz, bw, u):
    """`core.math.quat.slerp` of two rotations."""
    dot = ax * bx + ay * by + az * bz + aw * bw
    if dot < 0.0:
        bx, by, bz, bw = -bx, -by, -bz, -bw
    angle = math.acos(min(abs(dot), 1.0))
    sine = math.sin(angle)
    if sine < 1e-4:
        wa, wb = 1.0 - u, u
    else:
        wa, wb = math.sin((1.0 - u) * angle) / sine, math.sin(u * angle) / sine
    return unit(wa * ax + wb * bx, wa * ay + wb * by, wa * az + wb * bz, wa * aw + wb * bw)


@plain
def of_vector(x, y, z):
    """`core.math.quat.from_rotation_vector`."""
    length = math.sqrt(x * x + y * y + z * z)
    if length <= 0.0:
        return 0.0, 0.0, 0.0, 1.0
    share = math.sin(0.5 * length) / length
    return x * share, y * share, z * share, math.cos(0.5 * length)


@plain
def unit_motion(f, place):
    """Bring the rotation of a motion that stands in an array to unit length."""
    x, y, z, w = unit(f[place + 3], f[place + 4], f[place + 5], f[place + 6])
    f[place + 3], f[place + 4], f[place + 5], f[place + 6] = x, y, z, w
