# mypy: disable-error-code="no-untyped-def"
"""Cyclic coordinate descent on chains (compiled). Twin: `core.ik.ccd`.

A sweep from the tip to the root needs only the end's place: what a bone turns lies below it, and what
is above it has not turned yet; one pass back down then places the joints.
"""

import math

import numpy as np
from numba import njit, types

from core.math.kernel_chain import F1, F2, F3, GAIN, above, gap, place, turn_models, unlock
from core.math.kernel_sample import FAST
from core.math.kernel_turns import arc, kept_unit, limited, mul, plain, rotate, turn, vector

CLOSING_TURN = 0.5


@plain
def _sweep(base, local, joints, offsets, model, rest, kinds, limits, goal, give, step, root_first):
    """One CCD step over all bones; ends with joints and model rotations in place.

    Returns the largest turn that a bone made, where turns are held back at all; else 0.
    """
    n = len(local)
    most = 0.0
    ex, ey, ez = joints[n, 0], joints[n, 1], joints[n, 2]
    for k in range(n):
        b = k if root_first else n - 1 - k
        px, py, pz = joints[b, 0], joints[b, 1], joints[b, 2]
        qx, qy, qz, qw = arc(ex - px, ey - py, ez - pz, goal[0] - px, goal[1] - py, goal[2] - pz)
        if give[b] < 1.0 or step < math.pi:
            vx, vy, vz = vector(qx, qy, qz, qw)
            angle = math.sqrt(vx * vx + vy * vy + vz * vz)
            if angle > 0.0:
                allowed = min(angle * give[b], step)
                most = max(most, allowed)
                share = allowed / angle
                qx, qy, qz, qw = turn(vx * share, vy * share, vz * share)
        ax, ay, az, aw = above(base, model, b)
        if root_first:
            bx, by, bz, bw = mul(ax, ay, az, aw, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        else:  # nothing above has turned yet
            bx, by, bz, bw = model[b, 0], model[b, 1], model[b, 2], model[b, 3]
        mx, my, mz, mw = mul(qx, qy, qz, qw, bx, by, bz, bw)
        lx, ly, lz, lw = mul(-ax, -ay, -az, aw, mx, my, mz, mw)
        lx, ly, lz, lw = kept_unit(lx, ly, lz, lw)
        if kinds[b] != 0:
            lx, ly, lz, lw = limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
            mx, my, mz, mw = mul(ax, ay, az, aw, lx, ly, lz, lw)
            qx, qy, qz, qw = mul(mx, my, mz, mw, -bx, -by, -bz, bw)
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
        ex, ey, ez = rotate(qx, qy, qz, qw, ex - px, ey - py, ez - pz)
        ex, ey, ez = ex + px, ey + py, ez + pz
        if root_first:
            model[b, 0], model[b, 1], model[b, 2], model[b, 3] = mx, my, mz, mw
            ox, oy, oz = rotate(mx, my, mz, mw, offsets[b, 0], offsets[b, 1], offsets[b, 2])
            joints[b + 1, 0], joints[b + 1, 1], joints[b + 1, 2] = px + ox, py + oy, pz + oz
    place(base, local, joints, offsets, model)
    return most


@plain
def _hinge(base, model, rest, limits, b):
    """Model direction of a hinge's axis."""
    ax, ay, az, aw = above(base, model, b)
    x, y, z, w = mul(ax, ay, az, aw, rest[b, 0], rest[b, 1], rest[b, 2], rest[b, 3])
    return rotate(x, y, z, w, limits[b, 0], limits[b, 1], limits[b, 2])


@plain
def _close(base, local, joints, offsets, model, rest, kinds, limits, goal, give, room, kept, stood, wished):
    """The damped least-squares turn of `core.ik.ccd`, undone where it does not gain; the distance after.

    No bone turns by more than `room`.
    """
    n = len(local)
    before = gap(joints, goal)
    xx = xy = xz = yy = yz = zz = 0.0
    for b in range(n):
        g = give[b]
        rx, ry, rz = joints[n, 0] - joints[b, 0], joints[n, 1] - joints[b, 1], joints[n, 2] - joints[b, 2]
        if kinds[b] == 1:  # a hinge moves the end along one line only
            hx, hy, hz = _hinge(base, model, rest, limits, b)
            vx, vy, vz = hy * rz - hz * ry, hz * rx - hx * rz, hx * ry - hy * rx
            xx += g * vx * vx
            yy += g * vy * vy
            zz += g * vz * vz
            xy += g * vx * vy
            xz += g * vx * vz
            yz += g * vy * vz
            continue
        xx += g * (ry * ry + rz * rz)
        yy += g * (rx * rx + rz * rz)
        zz += g * (rx * rx + ry * ry)
        xy -= g * rx * ry
        xz -= g * rx * rz
        yz -= g * ry * rz
    damping = 1e-4 * (xx + yy + zz) / 3.0 + 1e-18
    xx, yy, zz = xx + damping, yy + damping, zz + damping
    c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    determinant = xx * c0 + xy * c1 + xz * c2
    if not abs(determinant) > 0.0:
        return before
    tx, ty, tz = goal[0] - joints[n, 0], goal[1] - joints[n, 1], goal[2] - joints[n, 2]
    ux = (c0 * tx + c1 * ty + c2 * tz) / determinant
    uy = (c1 * tx + (xx * zz - xz * xz) * ty + (xy * xz - xx * yz) * tz) / determinant
    uz = (c2 * tx + (xy * xz - xx * yz) * ty + (xx * yy - xy * xy) * tz) / determinant
    largest = 0.0
    for b in range(n):
        rx, ry, rz = joints[n, 0] - joints[b, 0], joints[n, 1] - joints[b, 1], joints[n, 2] - joints[b, 2]
        wx, wy, wz = ry * uz - rz * uy, rz * ux - rx * uz, rx * uy - ry * ux
        if kinds[b] == 1:
            hx, hy, hz = _hinge(base, model, rest, limits, b)
            along = hx * wx + hy * wy + hz * wz
            wx, wy, wz = hx * along, hy * along, hz * along
        wished[b, 0], wished[b, 1], wished[b, 2] = give[b] * wx, give[b] * wy, give[b] * wz
        largest = max(largest, give[b] * math.sqrt(wx * wx + wy * wy + wz * wz))
    share = min(1.0, room / max(largest, 1e-12))
    for b in range(n):
        for i in range(4):
            kept[b, i] = local[b, i]
        for i in range(3):
            stood[b + 1, i] = joints[b + 1, i]
    ax, ay, az, aw = base[0], base[1], base[2], base[3]
    px, py, pz = joints[0, 0], joints[0, 1], joints[0, 2]
    for b in range(n):
        qx, qy, qz, qw = turn(wished[b, 0] * share, wished[b, 1] * share, wished[b, 2] * share)
        bx, by, bz, bw = mul(ax, ay, az, aw, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        mx, my, mz, mw = mul(qx, qy, qz, qw, bx, by, bz, bw)
        lx, ly, lz, lw = mul(-ax, -ay, -az, aw, mx, my, mz, mw)
        lx, ly, lz, lw = kept_unit(lx, ly, lz, lw)
        if kinds[b] != 0:
            lx, ly, lz, lw = limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
        ax, ay, az, aw = mul(ax, ay, az, aw, lx, ly, lz, lw)
        model[b, 0], model[b, 1], model[b, 2], model[b, 3] = ax, ay, az, aw
        ox, oy, oz = rotate(ax, ay, az, aw, offsets[b, 0], offsets[b, 1], offsets[b, 2])
        px, py, pz = px + ox, py + oy, pz + oz
        joints[b + 1, 0], joints[b + 1, 1], joints[b + 1, 2] = px, py, pz
    after = gap(joints, goal)
    if after < before:
        return after
    for b in range(n):
        for i in range(4):
            local[b, i] = kept[b, i]
    place(base, local, joints, offsets, model)
    for b in range(n):
        for i in range(3):
            joints[b + 1, i] = stood[b + 1, i]
    return before


@njit(
    types.void(
        F2, F3, F3, F3, F2, types.int64[::1], F2, F2, F1, types.float64, types.int64, types.float64,
        types.boolean, F1, types.int32[::1],
    ),
    cache=True, fastmath=FAST, error_model="numpy",
)  # fmt: skip
def ccd(
    base,
    local,
    joints,
    offsets,
    rest,
    kinds,
    limits,
    goal,
    give,
    tolerance,
    iterations,
    step,
    root_first,
    distance,
    taken,
):
    """CCD over chains ``(T, n, 4)``, in place.

    Parameters
    ----------
    kinds : ``(n,)`` 0 free, 1 hinge, 2 cone and twist
    limits : ``(n, 6)`` unit axis, least and largest turn, cone, radians
    give : ``(n,)`` 1 − stiffness
    distance, taken : ``(T,)`` metres left and steps taken, written
    """
    n = local.shape[1]
    model, kept, stood, wished = np.empty((n, 4)), np.empty((n, 4)), np.empty((n + 1, 3)), np.empty((n, 3))
    for t in range(len(local)):
        root, bones, places, arms, aim = base[t], local[t], joints[t], offsets[t], goal[t]
        left = gap(places, aim)
        count = 0
        if left > tolerance:
            turn_models(root, bones, model)
            unlock(root, bones, places, arms, model, rest, kinds, limits, aim)
            for _ in range(iterations):
                most = _sweep(
                    root, bones, places, arms, model, rest, kinds, limits, aim, give, step, root_first
                )
                room = CLOSING_TURN if step >= math.pi else min(CLOSING_TURN, step - most)
                now = _close(
                    root,
                    bones,
                    places,
                    arms,
                    model,
                    rest,
                    kinds,
                    limits,
                    aim,
                    give,
                    room,
                    kept,
                    stood,
                    wished,
                )
                count += 1
                gained = abs(left - now) > GAIN
                left = now
                if now <= tolerance or not gained:
                    break
        distance[t], taken[t] = left, count
