# mypy: disable-error-code="no-untyped-def"
"""Where a planted foot is to be: the ground under it and what holds it (compiled). Twin: `core.graph.nodes.planting`.

The ground is a terrain's triangles at addresses that the host wrote. What is kept of a foot is as `Foot` tells there.
"""

import math

import numpy as np
from numba import carray

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_legs import about_up, unit_turn
from core.math.kernel_graph_parts import kept_within, part
from core.math.kernel_memory import doubles, longs
from core.math.kernel_terrain import first_front
from core.math.kernel_turns import mul, plain, rotate

LN2 = math.log(2.0)
LEVEL = 0.03
FARTHEST, FARTHEST_TURN, LIFT, LIFT_HALF, ARRIVED, FREE_LIFT = 0.20, 40.0, 0.045, 0.012, 0.06, 0.08
CLEAR, STEP_HALF, DOWN = 0.02, 0.05, 0.6
STEEPEST, AHEAD_UP, SMALL = 0.3, 0.3, 1e-9
FARTHEST_GROUND = 1e6
"""As `core.graph.nodes.reading.FARTHEST`."""


# ------------------------------------------------------------------------- the world
@plain
def sprung(x, v, goal, h, half):
    """Critically damped: place and speed after `h` seconds."""
    y = 2.0 * LN2 / half
    j = v + y * (x - goal)
    decay = math.exp(-y * h)
    return goal + decay * ((x - goal) + j * h), decay * (v - j * y * h)


@part
def into_world(wf, x, y, z):
    """A place of the character's space in the world."""
    t = at.Y_TURN
    x, y, z = rotate(wf[t], wf[t + 1], wf[t + 2], wf[t + 3], x, y, z)
    return x + wf[at.Y_PLACE], y + wf[at.Y_PLACE + 1], z + wf[at.Y_PLACE + 2]


@part
def into_own(wf, x, y, z):
    """A direction of the world in the character's space."""
    t = at.Y_TURN
    return rotate(-wf[t], -wf[t + 1], -wf[t + 2], wf[t + 3], x, y, z)


@part
def ground_at(wi, wf, x, y, z):
    """Height and normal under a place of the character's space; level at 0 where there is nothing to stand on."""
    if wi[at.D_GROUND] != at.GROUND_MESH:
        return 0.0, 0.0, 1.0, 0.0
    m = at.D_TERRAIN
    table = carray(doubles(wi[m + at.MESH_TABLE]), (wi[m + at.MESH_ROWS], 18))
    grid = carray(doubles(wi[m + at.MESH_GRID]), (5,))
    starts = carray(longs(wi[m + at.MESH_STARTS]), (wi[m + at.MESH_START_COUNT],))
    items = carray(longs(wi[m + at.MESH_ITEMS]), (wi[m + at.MESH_ITEM_COUNT],))
    large = carray(longs(wi[m + at.MESH_LARGE]), (wi[m + at.MESH_LARGE_COUNT],))
    px, _, pz = into_world(wf, x, 0.0, z)
    top = wf[at.Y_PLACE + 1] + wf[at.Y_ABOVE]
    t, found = first_front(table, grid, starts, items, large, px, top, pz, 0.0, -wf[at.Y_REACH], 0.0)
    if found < 0 or table[found, 10] < wf[at.Y_LEAST]:
        return 0.0, 0.0, 1.0, 0.0
    height = top - wf[at.Y_REACH] * t - wf[at.Y_PLACE + 1]
    nx, ny, nz = into_own(wf, table[found, 9], table[found, 10], table[found, 11])
    if not abs(height) <= FARTHEST_GROUND or not ny > 0.0:
        return 0.0, 0.0, 1.0, 0.0
    return height, nx, ny, nz


@plain
def _wrap(degrees):
    """An angle brought into (−180, 180]."""
    turned = np.fmod(degrees, 360.0)
    if turned > 180.0:
        return turned - 360.0
    return turned + 360.0 if turned <= -180.0 else turned


@plain
def _about_up(x, z, degrees):
    """The x and z of a vector turned about +Y, to the left positive."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return c * x + s * z, c * z - s * x


@plain
def _up_to(nx, ny, nz, most):
    """Rotation vector from straight up to a unit normal, at most so many radians long; its y is 0."""
    flat = math.hypot(nx, nz)
    if flat <= SMALL:
        return 0.0, 0.0
    angle = min(math.atan2(flat, ny), most)
    return nz * angle / flat, -nx * angle / flat


# ------------------------------------------------------------------------- the ground of a foot
@part
def _carried_height(wi, wf, x, y, z, ox, oz):
    """Height of the ground's plane under a place, carried on to another; and the normal."""
    height, nx, ny, nz = ground_at(wi, wf, x, y, z)
    return height + (nx * (x - ox) + nz * (z - oz)) / max(ny, STEEPEST), nx, ny, nz


@part
def foot_ground(q, sf, wi, wf, numbers, halves, foot, f, h, rise):
    """Bring a foot's ground height and tilt toward what is under it, and ahead of it while it swings.

    Parameters
    ----------
    numbers, halves : places in q of the leg and of the op's numbers
    foot, f : places in wf of the foot, and in sf of what is kept of it
    h : seconds; below 0 where nothing is remembered
    """
    x, y, z = wf[foot], wf[foot + 1], wf[foot + 2]
    i, j, k, w = wf[foot + 3], wf[foot + 4], wf[foot + 5], wf[foot + 6]
    shift_x, _, shift_z = into_own(wf, sf[f], 0.0, sf[f + 1])
    ox, oz = x + shift_x, z + shift_z
    e, t = numbers + at.LEG_HEEL, numbers + at.LEG_TOE
    ex, ey, ez = rotate(i, j, k, w, q[e], q[e + 1], q[e + 2])
    tx, ty, tz = rotate(i, j, k, w, q[t], q[t + 1], q[t + 2])
    ankle_x, _, ankle_z = into_world(wf, x, y, z)
    ahead_x, ahead_z = 0.0, 0.0
    if h > 0.0:
        seconds = q[halves + at.PL_AHEAD]
        ahead_x, _, ahead_z = into_own(
            wf, (ankle_x - sf[f + 16]) / h * seconds, 0.0, (ankle_z - sf[f + 17]) / h * seconds
        )
    sf[f + 16], sf[f + 17] = ankle_x, ankle_z
    high, nx, ny, nz = _carried_height(wi, wf, ox + ex, y, oz + ez, ox, oz)
    other, mx, my, mz = _carried_height(wi, wf, ox + tx, y, oz + tz, ox, oz)
    if high < other:
        high, nx, ny, nz = other, mx, my, mz
    lift = y + min(ey, ty)
    if lift > LEVEL and h >= 0.0:
        later, _, _, _ = ground_at(wi, wf, ox + ahead_x, y, oz + ahead_z)
        slope = (nx * ahead_x + nz * ahead_z) / max(ny, STEEPEST)
        high = max(high, min(later + slope, high + AHEAD_UP))
    ankle = q[numbers + at.LEG_ANKLE]
    high += ankle / max(ny, STEEPEST) - ankle
    goal = wf[at.Y_PLACE + 1] + high
    tilt_x, tilt_z = _up_to(nx, ny, nz, q[halves + at.PL_LIMIT])
    a = at.Y_TURN
    tilt_x, tilt_y, tilt_z = rotate(wf[a], wf[a + 1], wf[a + 2], wf[a + 3], tilt_x, 0.0, tilt_z)
    if h < 0.0:
        sf[f + 10], sf[f + 11] = goal, 0.0
        sf[f + 12], sf[f + 13], sf[f + 14] = tilt_x, tilt_y, tilt_z
        return
    # A foot on its way rises with the character; only what is beyond that comes in time.
    sf[f + 10] += rise * kept_within(lift / LEVEL, 0.0, 1.0)
    down = kept_within(1.0 - lift / LEVEL, 0.0, 1.0)
    sf[f + 10], sf[f + 11] = sprung(
        sf[f + 10], sf[f + 11], goal, h, q[halves + at.PL_FOOT] * (1.0 - DOWN * down)
    )
    share = 2.0 ** (-h / q[halves + at.PL_TILT])
    sf[f + 12] = tilt_x + (sf[f + 12] - tilt_x) * share
    sf[f + 13] = tilt_y + (sf[f + 13] - tilt_y) * share
    sf[f + 14] = tilt_z + (sf[f + 14] - tilt_z) * share


# ------------------------------------------------------------------------- holding
@plain
def of_rotation_vector(x, y, z):
    """The rotation of a rotation vector, radians."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-12:
        return unit_turn(x / 2.0, y / 2.0, z / 2.0, 1.0)
    s = math.sin(angle / 2.0) / angle
    return x * s, y * s, z * s, math.cos(angle / 2.0)


@part
def sole_tilt(sf, f, high, share):
    """How a foot is turned along the ground, in the world.

    Parameters
    ----------
    high : metres of the ankle over its height at rest
    share : how far the foot follows the ground
    """
    level = kept_within(1.0 - max(high, 0.0) / 0.15, 0.0, 1.0)
    level = level * level * (3.0 - 2.0 * level) * share
    return of_rotation_vector(sf[f + 12] * level, sf[f + 13] * level, sf[f + 14] * level)


@plain
def _laid(tilt, x, y, z, degrees):
    """A vector turned about +Y, then along the ground."""
    x, z = _about_up(x, z, degrees)
    return rotate(tilt[0], tilt[1], tilt[2], tilt[3], x, y, z)


@part
def hold_foot(q, sf, wf, numbers, halves, foot, goal, f, h, held):
    """Place and rotation of a foot in the world, above level ground, with what holds it; to a place of wf.

    How far it follows the ground is there already.
    """
    ax, ay, az = into_world(wf, wf[foot], wf[foot + 1], wf[foot + 2])
    a = at.Y_TURN
    i, j, k, w = mul(
        wf[a], wf[a + 1], wf[a + 2], wf[a + 3], wf[foot + 3], wf[foot + 4], wf[foot + 5], wf[foot + 6]
    )
    e, t = numbers + at.LEG_HEEL, numbers + at.LEG_TOE
    ex, ey, ez = rotate(i, j, k, w, q[e], q[e + 1], q[e + 2])
    tx, ty, tz = rotate(i, j, k, w, q[t], q[t + 1], q[t + 2])
    level = ey - ty
    lift = ay + min(ey, ty) - wf[at.Y_PLACE + 1]
    free_x, free_z, free_yaw = sf[f], sf[f + 1], sf[f + 4]
    free_vx, free_vz, free_turn = sf[f + 2], sf[f + 3], sf[f + 5]
    if h > 0.0:
        half = q[halves + at.PL_FREE]
        half = min(half, STEP_HALF) if sf[f + 15] != 0.0 else half
        free_x, free_vx = sprung(sf[f], sf[f + 2], 0.0, h, half)
        free_z, free_vz = sprung(sf[f + 1], sf[f + 3], 0.0, h, half)
        free_yaw, free_turn = sprung(sf[f + 4], sf[f + 5], 0.0, h, half)
        if held < 0.5 or (sf[f + 15] != 0.0 and math.hypot(sf[f], sf[f + 1]) < ARRIVED):
            sf[f + 15] = 0.0
        sf[f + 18], sf[f + 19] = sprung(
            sf[f + 18], sf[f + 19], LIFT if sf[f + 15] != 0.0 else 0.0, h, LIFT_HALF
        )
        if (sf[f + 15] != 0.0 and lift + sf[f + 18] > CLEAR) or lift > FREE_LIFT:
            held = 0.0
    gy = ay - wf[at.Y_PLACE + 1] + max(sf[f + 18], 0.0)
    tilt = sole_tilt(sf, f, gy - q[numbers + at.LEG_ANKLE], wf[goal + 7])
    if h > 0.0:
        flat, gap = max(0.0, 1.0 - abs(level) / LEVEL), 0.0
        if flat > 0.0:
            before = math.degrees(math.atan2(sf[f + 8] - sf[f + 6], sf[f + 9] - sf[f + 7]))
            way_x, _, way_z = _laid(tilt, tx - ex, ty - ey, tz - ez, sf[f + 4])
            gap = _wrap(before - math.degrees(math.atan2(way_x, way_z)))
        yaw = free_yaw + (sf[f + 4] + gap - free_yaw) * held * flat
        turned = abs(yaw) > FARTHEST_TURN
        yaw = kept_within(yaw, -FARTHEST_TURN, FARTHEST_TURN)
        toe = kept_within(0.5 + level / (2.0 * LEVEL), 0.0, 1.0)
        ex, ey, ez = _laid(tilt, ex, ey, ez, yaw)
        tx, ty, tz = _laid(tilt, tx, ty, tz, yaw)
        x = sf[f + 6] + (sf[f + 8] - sf[f + 6]) * toe - (ax + ex + (tx - ex) * toe)
        z = sf[f + 7] + (sf[f + 9] - sf[f + 7]) * toe - (az + ez + (tz - ez) * toe)
        x, z = free_x + (x - free_x) * held, free_z + (z - free_z) * held
        if held > 0.0 and (turned or math.hypot(x, z) > FARTHEST):
            sf[f + 15] = 1.0
        sf[f + 2], sf[f + 3], sf[f + 5] = (x - sf[f]) / h, (z - sf[f + 1]) / h, (yaw - sf[f + 4]) / h
        if held <= 0.0:
            sf[f + 2], sf[f + 3], sf[f + 5] = free_vx, free_vz, free_turn
        sf[f], sf[f + 1], sf[f + 4] = x, z, yaw
    else:
        ex, ey, ez = _laid(tilt, ex, ey, ez, sf[f + 4])
        tx, ty, tz = _laid(tilt, tx, ty, tz, sf[f + 4])
    gx, gz = ax + sf[f], az + sf[f + 1]
    sf[f + 6], sf[f + 7], sf[f + 8], sf[f + 9] = gx + ex, gz + ez, gx + tx, gz + tz
    wf[goal], wf[goal + 1], wf[goal + 2] = gx, gy, gz
    ux, uy, uz, uw = about_up(sf[f + 4])
    wf[goal + 3], wf[goal + 4], wf[goal + 5], wf[goal + 6] = mul(ux, uy, uz, uw, i, j, k, w)
