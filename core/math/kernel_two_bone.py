# mypy: disable-error-code="no-untyped-def"
"""The limb of two bones (compiled). Twin: `core.ik.two_bone`."""

import math

from numba import njit, types

from core.math.kernel_chain import F1, F2
from core.math.kernel_sample import FAST
from core.math.kernel_turns import arc, plain, rotate

NEAR = 1e-6


@plain
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
        F2, F2, F2, F2, F2, types.boolean, types.float64, types.float64, types.float64, F2, F2, F1, F2, F2,
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
        qx, qy, qz, qw = arc(ux, uy, uz, jx, jy, jz)
        upper_turn[t, 0], upper_turn[t, 1], upper_turn[t, 2], upper_turn[t, 3] = qx, qy, qz, qw
        lx, ly, lz = rotate(qx, qy, qz, qw, lx, ly, lz)
        qx, qy, qz, qw = arc(lx, ly, lz, fx - jx, fy - jy, fz - jz)
        lower_turn[t, 0], lower_turn[t, 1], lower_turn[t, 2], lower_turn[t, 3] = qx, qy, qz, qw
