# mypy: disable-error-code="no-untyped-def"
"""Inverse kinematics of chains (compiled). Twins: `core.ik.ccd`, `core.ik.fabrik`, `core.ik.two_bone`.

Vectors and quaternions (xyzw) are passed as plain numbers, so that nothing is allocated inside a
loop. A CCD sweep from the tip to the root needs only the end's place: what a bone turns lies below
it, and what is above it has not turned yet; one pass back down then places the joints.
"""

import math
from typing import Any

import numpy as np
from numba import njit, types

from core.math.kernel_sample import FAST

NEAR = 1e-6
GAIN = 1e-9
CLOSING_TURN = 0.5
UNLOCK = 0.02

_F1, _F2, _F3 = types.float64[::1], types.float64[:, ::1], types.float64[:, :, ::1]


def _plain(function: Any) -> Any:
    return njit(cache=True, fastmath=FAST, error_model="numpy")(function)


@_plain
def _mul(ax, ay, az, aw, bx, by, bz, bw):
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


@_plain
def _rotate(x, y, z, w, vx, vy, vz):
    dx, dy, dz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return vx + w * dx + (y * dz - z * dy), vy + w * dy + (z * dx - x * dz), vz + w * dz + (x * dy - y * dx)


@_plain
def _unit(x, y, z, w):
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if length < 1e-12:
        return 0.0, 0.0, 0.0, 1.0
    inverse = 1.0 / length
    return x * inverse, y * inverse, z * inverse, w * inverse


@_plain
def _kept_unit(x, y, z, w):
    """A product of unit quaternions scaled back to one: a step of Newton's, without root and division."""
    factor = 1.5 - 0.5 * (x * x + y * y + z * z + w * w)
    return x * factor, y * factor, z * factor, w * factor


@_plain
def _arc(ax, ay, az, bx, by, bz):
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


@_plain
def _vector(x, y, z, w):
    """Rotation vector of a unit quaternion."""
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, w) / sine if sine > 1e-12 else 2.0
    return x * factor, y * factor, z * factor


@_plain
def _turn(x, y, z):
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


@_plain
def _limited(lx, ly, lz, lw, rest, kind, limit):
    """`core.ik.limits.limited` of one rotation; `limit` is axis, low, high, cone in radians."""
    ax, ay, az, low, high = limit[0], limit[1], limit[2], limit[3], limit[4]
    rx, ry, rz, rw = rest[0], rest[1], rest[2], rest[3]
    x, y, z, w = _mul(-rx, -ry, -rz, rw, lx, ly, lz, lw)
    along = x * ax + y * ay + z * az
    tx, ty, tz, tw = _unit(ax * along, ay * along, az * along, w)
    sx, sy, sz, sw = _mul(x, y, z, w, -tx, -ty, -tz, tw)
    angle = 2.0 * math.atan2(tx * ax + ty * ay + tz * az, tw)
    angle = (angle + math.pi) % (2.0 * math.pi) - math.pi
    vx, vy, vz = _vector(sx, sy, sz, sw)
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
        sx, sy, sz, sw = _turn(vx, vy, vz)
        tx, ty, tz, tw = _mul(sx, sy, sz, sw, tx, ty, tz, tw)
    return _mul(rx, ry, rz, rw, tx, ty, tz, tw)


@_plain
def _place(base, local, joints, offsets, model):
    """Model rotations and joints of local rotations; returns nothing."""
    x, y, z, w = base[0], base[1], base[2], base[3]
    for b in range(len(local)):
        x, y, z, w = _mul(x, y, z, w, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        model[b, 0], model[b, 1], model[b, 2], model[b, 3] = x, y, z, w
        ox, oy, oz = _rotate(x, y, z, w, offsets[b, 0], offsets[b, 1], offsets[b, 2])
        joints[b + 1, 0] = joints[b, 0] + ox
        joints[b + 1, 1] = joints[b, 1] + oy
        joints[b + 1, 2] = joints[b, 2] + oz


@_plain
def _gap(joints, goal):
    last = len(joints) - 1
    x, y, z = joints[last, 0] - goal[0], joints[last, 1] - goal[1], joints[last, 2] - goal[2]
    return math.sqrt(x * x + y * y + z * z)


@_plain
def _sweep(base, local, joints, offsets, model, rest, kinds, limits, goal, give, step, root_first):
    """One CCD step over all bones; ends with joints and model rotations in place."""
    n = len(local)
    ex, ey, ez = joints[n, 0], joints[n, 1], joints[n, 2]
    for k in range(n):
        b = k if root_first else n - 1 - k
        px, py, pz = joints[b, 0], joints[b, 1], joints[b, 2]
        qx, qy, qz, qw = _arc(ex - px, ey - py, ez - pz, goal[0] - px, goal[1] - py, goal[2] - pz)
        if give[b] < 1.0 or step < math.pi:
            vx, vy, vz = _vector(qx, qy, qz, qw)
            angle = math.sqrt(vx * vx + vy * vy + vz * vz)
            if angle > 0.0:
                share = min(angle * give[b], step) / angle
                qx, qy, qz, qw = _turn(vx * share, vy * share, vz * share)
        if b == 0:
            ax, ay, az, aw = base[0], base[1], base[2], base[3]
        else:
            ax, ay, az, aw = model[b - 1, 0], model[b - 1, 1], model[b - 1, 2], model[b - 1, 3]
        if root_first:
            bx, by, bz, bw = _mul(ax, ay, az, aw, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        else:  # nothing above has turned yet
            bx, by, bz, bw = model[b, 0], model[b, 1], model[b, 2], model[b, 3]
        mx, my, mz, mw = _mul(qx, qy, qz, qw, bx, by, bz, bw)
        lx, ly, lz, lw = _mul(-ax, -ay, -az, aw, mx, my, mz, mw)
        lx, ly, lz, lw = _kept_unit(lx, ly, lz, lw)
        if kinds[b] != 0:
            lx, ly, lz, lw = _limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
            mx, my, mz, mw = _mul(ax, ay, az, aw, lx, ly, lz, lw)
            qx, qy, qz, qw = _mul(mx, my, mz, mw, -bx, -by, -bz, bw)
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
        ex, ey, ez = _rotate(qx, qy, qz, qw, ex - px, ey - py, ez - pz)
        ex, ey, ez = ex + px, ey + py, ez + pz
        if root_first:
            model[b, 0], model[b, 1], model[b, 2], model[b, 3] = mx, my, mz, mw
            ox, oy, oz = _rotate(mx, my, mz, mw, offsets[b, 0], offsets[b, 1], offsets[b, 2])
            joints[b + 1, 0], joints[b + 1, 1], joints[b + 1, 2] = px + ox, py + oy, pz + oz
    _place(base, local, joints, offsets, model)


@_plain
def _hinge(base, model, rest, limits, b):
    """Model direction of a hinge's axis."""
    if b == 0:
        ax, ay, az, aw = base[0], base[1], base[2], base[3]
    else:
        ax, ay, az, aw = model[b - 1, 0], model[b - 1, 1], model[b - 1, 2], model[b - 1, 3]
    x, y, z, w = _mul(ax, ay, az, aw, rest[b, 0], rest[b, 1], rest[b, 2], rest[b, 3])
    return _rotate(x, y, z, w, limits[b, 0], limits[b, 1], limits[b, 2])


@_plain
def _close(base, local, joints, offsets, model, rest, kinds, limits, goal, give, step, kept, stood, wished):
    """The damped least-squares turn of `core.ik.ccd`, undone where it does not gain; the distance after."""
    n = len(local)
    before = _gap(joints, goal)
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
    share = min(1.0, min(CLOSING_TURN, step) / max(largest, 1e-12))
    for b in range(n):
        for i in range(4):
            kept[b, i] = local[b, i]
        for i in range(3):
            stood[b + 1, i] = joints[b + 1, i]
    ax, ay, az, aw = base[0], base[1], base[2], base[3]
    px, py, pz = joints[0, 0], joints[0, 1], joints[0, 2]
    for b in range(n):
        qx, qy, qz, qw = _turn(wished[b, 0] * share, wished[b, 1] * share, wished[b, 2] * share)
        bx, by, bz, bw = _mul(ax, ay, az, aw, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        mx, my, mz, mw = _mul(qx, qy, qz, qw, bx, by, bz, bw)
        lx, ly, lz, lw = _mul(-ax, -ay, -az, aw, mx, my, mz, mw)
        lx, ly, lz, lw = _kept_unit(lx, ly, lz, lw)
        if kinds[b] != 0:
            lx, ly, lz, lw = _limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
        ax, ay, az, aw = _mul(ax, ay, az, aw, lx, ly, lz, lw)
        model[b, 0], model[b, 1], model[b, 2], model[b, 3] = ax, ay, az, aw
        ox, oy, oz = _rotate(ax, ay, az, aw, offsets[b, 0], offsets[b, 1], offsets[b, 2])
        px, py, pz = px + ox, py + oy, pz + oz
        joints[b + 1, 0], joints[b + 1, 1], joints[b + 1, 2] = px, py, pz
    after = _gap(joints, goal)
    if after < before:
        return after
    for b in range(n):
        for i in range(4):
            local[b, i] = kept[b, i]
    _place(base, local, joints, offsets, model)
    for b in range(n):
        for i in range(3):
            joints[b + 1, i] = stood[b + 1, i]
    return before


@_plain
def _unlock(base, local, joints, offsets, model, rest, kinds, limits, goal):
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
            vx, vy, vz = _rotate(-model[b, 0], -model[b, 1], -model[b, 2], model[b, 3], vx, vy, vz)
            size = math.sqrt(vx * vx + vy * vy + vz * vz)
            if size <= 0.0:
                continue
            vx, vy, vz = vx / size, vy / size, vz / size
        qx, qy, qz, qw = _turn(vx * sign * UNLOCK, vy * sign * UNLOCK, vz * sign * UNLOCK)
        lx, ly, lz, lw = _mul(local[b, 0], local[b, 1], local[b, 2], local[b, 3], qx, qy, qz, qw)
        if kinds[b] != 0:
            lx, ly, lz, lw = _limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
    _place(base, local, joints, offsets, model)


@njit(
    types.void(
        _F2, _F3, _F3, _F3, _F2, types.int64[::1], _F2, _F2, _F1, types.float64, types.int64, types.float64,
        types.boolean, _F1, types.int32[::1],
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
        left = _gap(places, aim)
        count = 0
        if left > tolerance:
            x, y, z, w = root[0], root[1], root[2], root[3]
            for b in range(n):
                x, y, z, w = _mul(x, y, z, w, bones[b, 0], bones[b, 1], bones[b, 2], bones[b, 3])
                model[b, 0], model[b, 1], model[b, 2], model[b, 3] = x, y, z, w
            _unlock(root, bones, places, arms, model, rest, kinds, limits, aim)
            for _ in range(iterations):
                _sweep(root, bones, places, arms, model, rest, kinds, limits, aim, give, step, root_first)
                now = _close(
                    root, bones, places, arms, model, rest, kinds, limits, aim, give, step, kept, stood, wished
                )
                count += 1
                gained = abs(left - now) > GAIN
                left = now
                if now <= tolerance or not gained:
                    break
        distance[t], taken[t] = left, count


@_plain
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


@_plain
def _follow(base, local, joints, offsets, rest, kinds, limits, give, want):
    """Turn the bones, root first, toward the wanted joints."""
    ax, ay, az, aw = base[0], base[1], base[2], base[3]
    hx, hy, hz = joints[0, 0], joints[0, 1], joints[0, 2]
    for b in range(len(local)):
        mx, my, mz, mw = _mul(ax, ay, az, aw, local[b, 0], local[b, 1], local[b, 2], local[b, 3])
        ox, oy, oz = offsets[b, 0], offsets[b, 1], offsets[b, 2]
        dx, dy, dz = _rotate(mx, my, mz, mw, ox, oy, oz)
        qx, qy, qz, qw = _arc(dx, dy, dz, want[b + 1, 0] - hx, want[b + 1, 1] - hy, want[b + 1, 2] - hz)
        if give[b] < 1.0:
            vx, vy, vz = _vector(qx, qy, qz, qw)
            qx, qy, qz, qw = _turn(vx * give[b], vy * give[b], vz * give[b])
        mx, my, mz, mw = _mul(qx, qy, qz, qw, mx, my, mz, mw)
        lx, ly, lz, lw = _mul(-ax, -ay, -az, aw, mx, my, mz, mw)
        lx, ly, lz, lw = _unit(lx, ly, lz, lw)
        if kinds[b] != 0:
            lx, ly, lz, lw = _limited(lx, ly, lz, lw, rest[b], kinds[b], limits[b])
        local[b, 0], local[b, 1], local[b, 2], local[b, 3] = lx, ly, lz, lw
        ax, ay, az, aw = _mul(ax, ay, az, aw, lx, ly, lz, lw)
        dx, dy, dz = _rotate(ax, ay, az, aw, ox, oy, oz)
        hx, hy, hz = hx + dx, hy + dy, hz + dz
        joints[b + 1, 0], joints[b + 1, 1], joints[b + 1, 2] = hx, hy, hz


@njit(
    types.void(
        _F2, _F3, _F3, _F3, _F2, types.int64[::1], _F2, _F2, _F1, types.float64, types.int64, _F1, types.int32[::1],
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
        left = _gap(places, aim)
        count = 0
        if left > tolerance:
            x, y, z, w = root[0], root[1], root[2], root[3]
            for b in range(n):
                x, y, z, w = _mul(x, y, z, w, bones[b, 0], bones[b, 1], bones[b, 2], bones[b, 3])
                model[b, 0], model[b, 1], model[b, 2], model[b, 3] = x, y, z, w
                lengths[b] = math.sqrt(arms[b, 0] ** 2 + arms[b, 1] ** 2 + arms[b, 2] ** 2)
            _unlock(root, bones, places, arms, model, rest, kinds, limits, aim)
            for _ in range(iterations):
                _drag(places, lengths, aim, want)
                _follow(root, bones, places, arms, rest, kinds, limits, give, want)
                now = _gap(places, aim)
                count += 1
                gained = abs(left - now) > GAIN
                left = now
                if now <= tolerance or not gained:
                    break
        distance[t], taken[t] = left, count


@_plain
def _across(vx, vy, vz, tx, ty, tz):
    """Unit part of a vector perpendicular to the unit `t`, and its length before."""
    along = vx * tx + vy * ty + vz * tz
    x, y, z = vx - along * tx, vy - along * ty, vz - along * tz
    size = math.sqrt(x * x + y * y + z * z)
    if size > 0.0:
        return x / size, y / size, z / size, size
    return x, y, z, size


@njit(
    types.void(
        _F2, _F2, _F2, _F2, _F2, types.boolean, types.float64, types.float64, types.float64, _F2, _F2, _F1, _F2, _F2,
    ),
    cache=True, fastmath=FAST, error_model="numpy",
)  # fmt: skip
def two_bone(
    root,
    joint,
    end,
    goal,
    pole,
    has_pole,
    soft,
    stretch_start,
    stretch_limit,
    out_joint,
    out_end,
    growth,
    upper_turn,
    lower_turn,
):
    """`core.ik.two_bone.reach` and `turns` in one go, for places ``(T, 3)``."""
    for t in range(len(root)):
        sx, sy, sz = root[t, 0], root[t, 1], root[t, 2]
        ux, uy, uz = joint[t, 0] - sx, joint[t, 1] - sy, joint[t, 2] - sz
        ex, ey, ez = end[t, 0] - sx, end[t, 1] - sy, end[t, 2] - sz
        gx, gy, gz = goal[t, 0] - sx, goal[t, 1] - sy, goal[t, 2] - sz
        lx, ly, lz = ex - ux, ey - uy, ez - uz
        upper = math.sqrt(ux * ux + uy * uy + uz * uz)
        lower = math.sqrt(lx * lx + ly * ly + lz * lz)
        distance = math.sqrt(gx * gx + gy * gy + gz * gz)
        present = math.sqrt(ex * ex + ey * ey + ez * ez)
        tx, ty, tz = 1.0, 0.0, 0.0
        if distance >= NEAR:
            tx, ty, tz = gx / distance, gy / distance, gz / distance
        elif present >= NEAR:
            tx, ty, tz = ex / present, ey / present, ez / present
        grown = 1.0
        length = upper + lower
        if stretch_limit > 1.0 and length >= NEAR:
            share = (distance / length - stretch_start) / max(stretch_limit - stretch_start, NEAR)
            grown = 1.0 + (stretch_limit - 1.0) * min(max(share, 0.0), 1.0)
        upper, lower = upper * grown, lower * grown
        length = upper + lower
        wanted = distance
        if soft > 0.0:
            zone = max(soft * length, NEAR)
            begin = length - zone
            if distance > begin:
                wanted = begin + zone * (1.0 - math.exp(-(distance - begin) / zone))
        wanted = min(max(wanted, abs(upper - lower)), length)
        if abs(tx) < 0.9:
            bx, by, bz, size = _across(1.0, 0.0, 0.0, tx, ty, tz)
        else:
            bx, by, bz, size = _across(0.0, 1.0, 0.0, tx, ty, tz)
        cx, cy, cz, size = _across(ux, uy, uz, tx, ty, tz)
        if size > 1e-7 * max(math.sqrt(ux * ux + uy * uy + uz * uz), 1.0):
            bx, by, bz = cx, cy, cz
        if has_pole:
            px, py, pz = pole[t, 0] - sx, pole[t, 1] - sy, pole[t, 2] - sz
            cx, cy, cz, size = _across(px, py, pz, tx, ty, tz)
            if size > 1e-7 * max(math.sqrt(px * px + py * py + pz * pz), 1.0):
                bx, by, bz = cx, cy, cz
        along = 0.0
        if wanted >= NEAR:
            along = min(
                max((wanted * wanted + upper * upper - lower * lower) / (2.0 * wanted), -upper), upper
            )
        aside = math.sqrt(max(upper * upper - along * along, 0.0))
        jx, jy, jz = along * tx + aside * bx, along * ty + aside * by, along * tz + aside * bz
        fx, fy, fz = wanted * tx, wanted * ty, wanted * tz
        out_joint[t, 0], out_joint[t, 1], out_joint[t, 2] = sx + jx, sy + jy, sz + jz
        out_end[t, 0], out_end[t, 1], out_end[t, 2] = sx + fx, sy + fy, sz + fz
        growth[t] = grown
        qx, qy, qz, qw = _arc(ux, uy, uz, jx, jy, jz)
        upper_turn[t, 0], upper_turn[t, 1], upper_turn[t, 2], upper_turn[t, 3] = qx, qy, qz, qw
        lx, ly, lz = _rotate(qx, qy, qz, qw, lx, ly, lz)
        qx, qy, qz, qw = _arc(lx, ly, lz, fx - jx, fy - jy, fz - jz)
        lower_turn[t, 0], lower_turn[t, 1], lower_turn[t, 2], lower_turn[t, 3] = qx, qy, qz, qw
