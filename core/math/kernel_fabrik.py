# mypy: disable-error-code="no-untyped-def"
"""FABRIK on chains (compiled). Twin: `core.ik.fabrik`."""

import math

import numpy as np
from numba import njit, types

from core.math.kernel_chain import F1, F2, F3, GAIN, gap, turn_models, unlock
from core.math.kernel_sample import FAST
from core.math.kernel_turns import arc, limited, mul, plain, rotate, turn, unit, vector


@plain
def _drag(joints, lengths, goal, want):
    """One backward and one forward pass over the joints, into `want`."""
    n = len(lengths)
    for i in range(3):
        want[n, i] = goal[i]
    for b in range(n - 1, -1, -1):
        x, y, z = joints[b, 0] - want[b + 1, 0], joints[b, 1] - want[b + 1, 1], joints[b, 2] - want[b + 1, 2]
        size = math.sqrt(x * x + y * y + z * z)
        share = lengths[b] / (size if size > 1e-12 else 1.0)
        want[b, 0], want[b, 1], want[b, 2] = (
            want[b + 1, 0] + x * share, want[b + 1, 1] + y * share, want[b + 1, 2] + z * share,
        )  # fmt: skip
    for i in range(3):
        want[0, i] = joints[0, i]
    for b in range(n):
        x, y, z = want[b + 1, 0] - want[b, 0], want[b + 1, 1] - want[b, 1], want[b + 1, 2] - want[b, 2]
        size = math.sqrt(x * x + y * y + z * z)
        share = lengths[b] / (size if size > 1e-12 else 1.0)
        want[b + 1, 0], want[b + 1, 1], want[b + 1, 2] = (
            want[b, 0] + x * share, want[b, 1] + y * share, want[b, 2] + z * share,
        )  # fmt: skip


@plain
def _follow(base, local, joints, offsets, rest, kinds, limits, give, want):
    """Turn the bones, root first, toward the wanted joints."""
    ax, ay, az, aw = base[0], base[1], base[2], base[3]
    hx, hy, hz = joints[0, 0], joints[0, 1], joints[0, 2]
    for b in range(len(local)):
        mx, my, mz, mw = mul(ax, ay, az, aw, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        ox, oy, oz = offsets[b, 0], offsets[b, 1], offsets[b, 2]
        dx, dy, dz = rotate(mx, my, mz, mw, ox, oy, oz)
        qx, qy, qz, qw = arc(dx, dy, dz, want[b + 1, 0] - hx, want[b + 1, 1] - hy, want[b + 1, 2] - hz)
        if give[b] < 1.0:
            vx, vy, vz = vector(qx, qy, qz, qw)
            qx, qy, qz, qw = turn(vx * give[b], vy * give[b], vz * give[b])
        mx, my, mz, mw = mul(qx, qy, qz, qw, mx, my, mz, mw)
        lx, ly, lz, lw = mul(-ax, -ay, -az, aw, mx, my, mz, mw)
        lx, ly, lz, lw = unit(lx, ly, lz, lw)
        if kinds[b] != 0:
            lx, ly, lz, lw = limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
        ax, ay, az, aw = mul(ax, ay, az, aw, lx, ly, lz, lw)
        dx, dy, dz = rotate(ax, ay, az, aw, ox, oy, oz)
        hx, hy, hz = hx + dx, hy + dy, hz + dz
        joints[b + 1, 0], joints[b + 1, 1], joints[b + 1, 2] = hx, hy, hz


@njit(
    types.void(
        F2, F3, F3, F3, F2, types.int64[::1], F2, F2, F1, types.float64, types.int64, F1, types.int32[::1],
    ),
    cache=True, fastmath=FAST, error_model="numpy",
)  # fmt: skip
def fabrik(
    base, local, joints, offsets, rest, kinds, limits, goal, give, tolerance, iterations, distance, taken
):
    """FABRIK over chains ``(T, n, 4)``, in place; parameters as in `ccd`."""
    n = local.shape[1]
    model, want, lengths = np.empty((n, 4)), np.empty((n + 1, 3)), np.empty(n)
    for t in range(len(local)):
        root, bones, places, arms, aim = base[t], local[t], joints[t], offsets[t], goal[t]
        left = gap(places, aim)
        count = 0
        if left > tolerance:
            turn_models(root, bones, model)
            for b in range(n):
                lengths[b] = math.sqrt(arms[b, 0] ** 2 + arms[b, 1] ** 2 + arms[b, 2] ** 2)
            unlock(root, bones, places, arms, model, rest, kinds, limits, aim)
            for _ in range(iterations):
                _drag(places, lengths, aim, want)
                _follow(root, bones, places, arms, rest, kinds, limits, give, want)
                now = gap(places, aim)
                count += 1
                gained = abs(left - now) > GAIN
                left = now
                if now <= tolerance or not gained:
                    break
        distance[t], taken[t] = left, count
