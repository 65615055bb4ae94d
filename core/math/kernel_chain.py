# mypy: disable-error-code="no-untyped-def"
"""A chain of bones in a kernel (compiled): where its joints are, how far its end is from the goal.

Arrays of a chain of n bones: `base` ``(4,)`` model rotation of what it hangs on, `local` and `model`
``(n, 4)``, `joints` ``(n + 1, 3)`` in model space, `offsets` ``(n, 3)`` from each joint to the next, in
the bone's space; `kinds` and `limits` as in `core.math.kernel_ccd.ccd`.
"""

import math

from numba import types

from core.math.kernel_turns import limited, mul, plain, rotate, turn

UNLOCK = 0.02
GAIN = 1e-9
"""Metres a step has to gain, else the solver stops."""
F1, F2, F3 = types.float64[::1], types.float64[:, ::1], types.float64[:, :, ::1]


@plain
def above(base, model, b):
    """Model rotation of what bone `b` of a chain hangs on."""
    if b == 0:
        return base[0], base[1], base[2], base[3]
    return model[b - 1, 0], model[b - 1, 1], model[b - 1, 2], model[b - 1, 3]


@plain
def turn_models(base, local, model):
    """Model rotations of local ones."""
    x, y, z, w = base[0], base[1], base[2], base[3]
    for b in range(len(local)):
        x, y, z, w = mul(x, y, z, w, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        model[b, 0], model[b, 1], model[b, 2], model[b, 3] = x, y, z, w


@plain
def place(base, local, joints, offsets, model):
    """Model rotations and joints of local rotations; returns nothing."""
    x, y, z, w = base[0], base[1], base[2], base[3]
    for b in range(len(local)):
        x, y, z, w = mul(x, y, z, w, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        model[b, 0], model[b, 1], model[b, 2], model[b, 3] = x, y, z, w
        ox, oy, oz = rotate(x, y, z, w, offsets[b, 0], offsets[b, 1], offsets[b, 2])
        joints[b + 1, 0] = joints[b, 0] + ox
        joints[b + 1, 1] = joints[b, 1] + oy
        joints[b + 1, 2] = joints[b, 2] + oz


@plain
def gap(joints, goal):
    """Metres from the end of a chain, its last joint, to the goal ``(3,)``; both in model space."""
    last = len(joints) - 1
    x, y, z = joints[last, 0] - goal[0], joints[last, 1] - goal[1], joints[last, 2] - goal[2]
    return math.sqrt(x * x + y * y + z * z)


@plain
def unlock(base, local, joints, offsets, model, rest, kinds, limits, goal):
    """Bend a chain that lies straight on the line to its goal (`core.ik.ccd.unlock`)."""
    n = len(local)
    ex, ey, ez = joints[n, 0] - joints[0, 0], joints[n, 1] - joints[0, 1], joints[n, 2] - joints[0, 2]
    gx, gy, gz = goal[0] - joints[0, 0], goal[1] - joints[0, 1], goal[2] - joints[0, 2]
    reach = math.sqrt(ex * ex + ey * ey + ez * ez)
    length = 0.0
    for b in range(n):
        length += math.sqrt(offsets[b, 0] ** 2 + offsets[b, 1] ** 2 + offsets[b, 2] ** 2)
    cx, cy, cz = ey * gz - ez * gy, ez * gx - ex * gz, ex * gy - ey * gx
    size = reach * math.sqrt(gx * gx + gy * gy + gz * gz)
    if n < 2 or reach <= 0.9999 * length or math.sqrt(cx * cx + cy * cy + cz * cz) > 1e-4 * size + 1e-12:
        return
    for b in range(n):
        if kinds[b] == 1:
            sign = 1.0 if limits[b, 3] + limits[b, 4] >= 0.0 else -1.0
            vx, vy, vz = limits[b, 0], limits[b, 1], limits[b, 2]
        else:
            sign = 1.0 if b % 2 == 0 else -1.0
            dx, dy, dz = (
                joints[b + 1, 0] - joints[b, 0],
                joints[b + 1, 1] - joints[b, 1],
                joints[b + 1, 2] - joints[b, 2],
            )
            if abs(dx) < 0.5 * math.sqrt(dx * dx + dy * dy + dz * dz):
                vx, vy, vz = 0.0, dz, -dy
            else:
                vx, vy, vz = dy, -dx, 0.0
            vx, vy, vz = rotate(-model[b, 0], -model[b, 1], -model[b, 2], model[b, 3], vx, vy, vz)
            size = math.sqrt(vx * vx + vy * vy + vz * vz)
            if size <= 0.0:
                continue
            vx, vy, vz = vx / size, vy / size, vz / size
        qx, qy, qz, qw = turn(vx * sign * UNLOCK, vy * sign * UNLOCK, vz * sign * UNLOCK)
        lx, ly, lz, lw = mul(local[b, 0], local[b, 1], local[b, 2], local[b, 3], qx, qy, qz, qw)
        if kinds[b] != 0:
            lx, ly, lz, lw = limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
    place(base, local, joints, offsets, model)
