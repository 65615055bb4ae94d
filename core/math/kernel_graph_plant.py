# mypy: disable-error-code="no-untyped-def"
"""Feet planted on uneven ground (compiled). Twin: `core.graph.nodes.planting`, which says what each part is for.

The ground is a terrain's triangles at addresses that the host wrote; where it is one that Python is asked for, the op
is Python's. Where a foot is to be lies behind its leg's chain in the room: place over level ground, rotation, share,
how far it is held.
"""

import math

import numpy as np
from numba import carray

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_additive import alpha_of
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_legs import (
    LONGEST,
    about_up,
    bone_of,
    foot_of,
    leg_length,
    lower_hips,
    place_leg,
    reach_leg,
    sink_leg,
    unit_turn,
)
from core.math.kernel_graph_parts import (
    ZERO,
    buffer_size,
    copied,
    input_of,
    kept_within,
    new_buffer,
    part,
    put_result,
    result_of,
    row_of,
    stop,
)
from core.math.kernel_graph_stride import put_between
from core.math.kernel_memory import doubles, longs
from core.math.kernel_terrain import first_front
from core.math.kernel_turns import mul, plain, rotate

LN2 = math.log(2.0)
FOOT, HEAD = 20, 8
HIPS, HIPS_SPEED, HEIGHT, RISE, WANTED, LAST_X, LAST_Z, GOING = range(HEAD)
RISE_HALF, FASTEST_RISE, TELEPORT = 0.08, 5.0, 1.0
GOES, GOING_HALF, DEEPEST = 1.0, 0.1, 0.2
WANTED_DOWN, WANTED_UP, SINKS = 0.02, 0.3, 0.004
DOWN, TOUCHES, HELD, LEVEL = 0.6, 0.1, 0.5, 0.03
FARTHEST, FARTHEST_TURN, LIFT, LIFT_HALF, ARRIVED, FREE_LIFT = 0.20, 40.0, 0.07, 0.03, 0.03, 0.08
STEEPEST, AHEAD_UP, SMALL = 0.3, 0.3, 1e-9
FARTHEST_GROUND = 1e6
"""As `core.graph.nodes.reading.FARTHEST`."""


# ------------------------------------------------------------------------- the world
@plain
def _spring(x, v, goal, h, half):
    """Critically damped: place and speed after `h` seconds."""
    y = 2.0 * LN2 / half
    j = v + y * (x - goal)
    decay = math.exp(-y * h)
    return goal + decay * ((x - goal) + j * h), decay * (v - j * y * h)


@part
def _out(wf, x, y, z):
    """A place of the character's space in the world."""
    t = at.Y_TURN
    x, y, z = rotate(wf[t], wf[t + 1], wf[t + 2], wf[t + 3], x, y, z)
    return x + wf[at.Y_PLACE], y + wf[at.Y_PLACE + 1], z + wf[at.Y_PLACE + 2]


@part
def _into(wf, x, y, z):
    """A direction of the world in the character's space."""
    t = at.Y_TURN
    return rotate(-wf[t], -wf[t + 1], -wf[t + 2], wf[t + 3], x, y, z)


@part
def _ground(wi, wf, x, y, z):
    """Height and normal under a place of the character's space; level at 0 where there is nothing to stand on."""
    if wi[at.D_GROUND] != at.GROUND_MESH:
        return 0.0, 0.0, 1.0, 0.0
    m = at.D_TERRAIN
    table = carray(doubles(wi[m + at.MESH_TABLE]), (wi[m + at.MESH_ROWS], 18))
    grid = carray(doubles(wi[m + at.MESH_GRID]), (5,))
    starts = carray(longs(wi[m + at.MESH_STARTS]), (wi[m + at.MESH_START_COUNT],))
    items = carray(longs(wi[m + at.MESH_ITEMS]), (wi[m + at.MESH_ITEM_COUNT],))
    large = carray(longs(wi[m + at.MESH_LARGE]), (wi[m + at.MESH_LARGE_COUNT],))
    px, _, pz = _out(wf, x, 0.0, z)
    top = wf[at.Y_PLACE + 1] + wf[at.Y_ABOVE]
    t, found = first_front(table, grid, starts, items, large, px, top, pz, 0.0, -wf[at.Y_REACH], 0.0)
    if found < 0 or table[found, 10] < wf[at.Y_LEAST]:
        return 0.0, 0.0, 1.0, 0.0
    height = top - wf[at.Y_REACH] * t - wf[at.Y_PLACE + 1]
    nx, ny, nz = _into(wf, table[found, 9], table[found, 10], table[found, 11])
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
    height, nx, ny, nz = _ground(wi, wf, x, y, z)
    return height + (nx * (x - ox) + nz * (z - oz)) / max(ny, STEEPEST), nx, ny, nz


@part
def _foot_ground(q, sf, wi, wf, numbers, halves, foot, f, h, rise):
    """Bring a foot's ground height and tilt toward what is under it, and ahead of it while it swings.

    Parameters
    ----------
    numbers, halves : places in q of the leg and of the op's numbers
    foot, f : places in wf of the foot, and in sf of what is kept of it
    h : seconds; below 0 where nothing is remembered
    """
    x, y, z = wf[foot], wf[foot + 1], wf[foot + 2]
    i, j, k, w = wf[foot + 3], wf[foot + 4], wf[foot + 5], wf[foot + 6]
    shift_x, _, shift_z = _into(wf, sf[f], 0.0, sf[f + 1])
    ox, oz = x + shift_x, z + shift_z
    e, t = numbers + at.LEG_HEEL, numbers + at.LEG_TOE
    ex, ey, ez = rotate(i, j, k, w, q[e], q[e + 1], q[e + 2])
    tx, ty, tz = rotate(i, j, k, w, q[t], q[t + 1], q[t + 2])
    ankle_x, _, ankle_z = _out(wf, x, y, z)
    ahead_x, ahead_z = 0.0, 0.0
    if h > 0.0:
        seconds = q[halves + at.PL_AHEAD]
        ahead_x, _, ahead_z = _into(
            wf, (ankle_x - sf[f + 16]) / h * seconds, 0.0, (ankle_z - sf[f + 17]) / h * seconds
        )
    sf[f + 16], sf[f + 17] = ankle_x, ankle_z
    high, nx, ny, nz = _carried_height(wi, wf, ox + ex, y, oz + ez, ox, oz)
    other, mx, my, mz = _carried_height(wi, wf, ox + tx, y, oz + tz, ox, oz)
    if high < other:
        high, nx, ny, nz = other, mx, my, mz
    lift = y + min(ey, ty)
    if lift > LEVEL and h >= 0.0:
        later, _, _, _ = _ground(wi, wf, ox + ahead_x, y, oz + ahead_z)
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
    sf[f + 10], sf[f + 11] = _spring(
        sf[f + 10], sf[f + 11], goal, h, q[halves + at.PL_FOOT] * (1.0 - DOWN * down)
    )
    share = 2.0 ** (-h / q[halves + at.PL_TILT])
    sf[f + 12] = tilt_x + (sf[f + 12] - tilt_x) * share
    sf[f + 13] = tilt_y + (sf[f + 13] - tilt_y) * share
    sf[f + 14] = tilt_z + (sf[f + 14] - tilt_z) * share


# ------------------------------------------------------------------------- holding
@part
def _hold(q, sf, wf, numbers, halves, foot, goal, f, h, held):
    """Place and rotation of a foot in the world, above level ground, with what holds it; to a place of wf."""
    ax, ay, az = _out(wf, wf[foot], wf[foot + 1], wf[foot + 2])
    a = at.Y_TURN
    i, j, k, w = mul(
        wf[a], wf[a + 1], wf[a + 2], wf[a + 3], wf[foot + 3], wf[foot + 4], wf[foot + 5], wf[foot + 6]
    )
    e, t = numbers + at.LEG_HEEL, numbers + at.LEG_TOE
    ex, ey, ez = rotate(i, j, k, w, q[e], q[e + 1], q[e + 2])
    tx, ty, tz = rotate(i, j, k, w, q[t], q[t + 1], q[t + 2])
    level = ey - ty
    lift = ay + min(ey, ty) - wf[at.Y_PLACE + 1]
    if h > 0.0:
        half = q[halves + at.PL_FREE]
        free_x, free_vx = _spring(sf[f], sf[f + 2], 0.0, h, half)
        free_z, free_vz = _spring(sf[f + 1], sf[f + 3], 0.0, h, half)
        free_yaw, free_turn = _spring(sf[f + 4], sf[f + 5], 0.0, h, half)
        if held < 0.5 or (sf[f + 15] != 0.0 and math.hypot(sf[f], sf[f + 1]) < ARRIVED):
            sf[f + 15] = 0.0
        elif sf[f + 15] != 0.0:
            held = 0.0
        sf[f + 18], sf[f + 19] = _spring(
            sf[f + 18], sf[f + 19], LIFT if sf[f + 15] != 0.0 else 0.0, h, LIFT_HALF
        )
        if lift > FREE_LIFT:
            held = 0.0
        flat, gap = max(0.0, 1.0 - abs(level) / LEVEL), 0.0
        if flat > 0.0:
            before = math.degrees(math.atan2(sf[f + 8] - sf[f + 6], sf[f + 9] - sf[f + 7]))
            way_x, way_z = _about_up(tx - ex, tz - ez, sf[f + 4])
            gap = _wrap(before - math.degrees(math.atan2(way_x, way_z)))
        yaw = free_yaw + (sf[f + 4] + gap - free_yaw) * held * flat
        toe = kept_within(0.5 + level / (2.0 * LEVEL), 0.0, 1.0)
        ex, ez = _about_up(ex, ez, yaw)
        tx, tz = _about_up(tx, tz, yaw)
        x = sf[f + 6] + (sf[f + 8] - sf[f + 6]) * toe - (ax + ex + (tx - ex) * toe)
        z = sf[f + 7] + (sf[f + 9] - sf[f + 7]) * toe - (az + ez + (tz - ez) * toe)
        x, z = free_x + (x - free_x) * held, free_z + (z - free_z) * held
        if held > 0.0 and (math.hypot(x, z) > FARTHEST or abs(yaw) > FARTHEST_TURN):
            sf[f + 15] = 1.0
            x, z, yaw = free_x, free_z, free_yaw
        sf[f + 2], sf[f + 3], sf[f + 5] = (x - sf[f]) / h, (z - sf[f + 1]) / h, (yaw - sf[f + 4]) / h
        if held <= 0.0 or sf[f + 15] != 0.0:
            sf[f + 2], sf[f + 3], sf[f + 5] = free_vx, free_vz, free_turn
        sf[f], sf[f + 1], sf[f + 4] = x, z, yaw
    else:
        ex, ez = _about_up(ex, ez, sf[f + 4])
        tx, tz = _about_up(tx, tz, sf[f + 4])
    gx, gy, gz = ax + sf[f], ay - wf[at.Y_PLACE + 1] + max(sf[f + 18], 0.0), az + sf[f + 1]
    sf[f + 6], sf[f + 7], sf[f + 8], sf[f + 9] = gx + ex, gz + ez, gx + tx, gz + tz
    wf[goal], wf[goal + 1], wf[goal + 2] = gx, gy, gz
    ux, uy, uz, uw = about_up(sf[f + 4])
    wf[goal + 3], wf[goal + 4], wf[goal + 5], wf[goal + 6] = mul(ux, uy, uz, uw, i, j, k, w)


# ------------------------------------------------------------------------- hips and legs
@part
def _ankle_height(sf, wf, goal, f, rise):
    """Metres in the world at which an ankle is to be."""
    share = wf[goal + 7]
    return wf[goal + 1] + share * sf[f + 10] + (1.0 - share) * (wf[at.Y_PLACE + 1] + rise)


@part
def _raise_hips(p, q, sf, wf, legs, state, half, h):
    """Metres that the hips go up: with the mean of the feet's ground, lower where a leg would not reach."""
    rows, room, count = p[legs + at.LEGS_ROWS], p[legs + at.LEGS_ROOM], p[legs + at.LEGS_COUNT]
    height, own, wanted = wf[at.Y_PLACE + 1], 0.0, 0.0
    for k in range(count):
        leg = rows + at.LEG_WIDTH * k
        goal = room + p[leg + at.LEG_ROOM] + at.LEG_PLACED * p[leg + at.LEG_LENGTH]
        own += wf[goal + 7]
        wanted += (sf[state + HEAD + FOOT * k + 10] - height) * wf[goal + 7]
    own /= count
    x, z = wf[at.Y_PLACE], wf[at.Y_PLACE + 2]
    if h > 0.0:
        going = min(math.hypot(x - sf[state + LAST_X], z - sf[state + LAST_Z]) / h / GOES, 1.0)
        sf[state + GOING] += (going - sf[state + GOING]) * (1.0 - 2.0 ** (-h / GOING_HALF))
    sf[state + LAST_X], sf[state + LAST_Z] = x, z
    wanted *= (1.0 - sf[state + GOING]) / count
    fits = math.inf
    for k in range(count):
        leg = rows + at.LEG_WIDTH * k
        placed = room + p[leg + at.LEG_ROOM]
        goal = placed + at.LEG_PLACED * p[leg + at.LEG_LENGTH]
        if wf[goal + 7] <= 0.0:
            continue
        a = bone_of(p, leg, placed, at.LEG_UPPER)
        ax, ay, az = _out(wf, wf[a], wf[a + 1], wf[a + 2])
        most = LONGEST * leg_length(p, wf, leg, placed)
        flat = math.hypot(wf[goal] - ax, wf[goal + 2] - az)
        to = _ankle_height(sf, wf, goal, state + HEAD + FOOT * k, sf[state + HIPS])
        free = (1.0 - wf[goal + 8]) * DEEPEST
        fits = min(fits, to + math.sqrt(max(most * most - flat * flat, 0.0)) - ay + free)
    wanted = min(wanted, max(fits, wanted - DEEPEST))
    if h < 0.0:
        sf[state + HIPS], sf[state + HIPS_SPEED], sf[state + WANTED] = wanted, 0.0, wanted
    else:
        jump = (
            height - sf[state + HEIGHT] - sf[state + RISE] * h
        ) * own  # but for slopes, it stays where it is
        sf[state + HIPS] -= jump
        sf[state + WANTED] -= jump
        lag = WANTED_DOWN if wanted < sf[state + WANTED] else WANTED_UP
        sf[state + WANTED] = wanted + (sf[state + WANTED] - wanted) * 2.0 ** (-h / lag)
        sf[state + HIPS], sf[state + HIPS_SPEED] = _spring(
            sf[state + HIPS], sf[state + HIPS_SPEED], sf[state + WANTED], h, half
        )
    sf[state + HEIGHT] = height
    return sf[state + HIPS]


@plain
def _of_rotation_vector(x, y, z):
    """The rotation of a rotation vector, radians."""
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-12:
        return unit_turn(x / 2.0, y / 2.0, z / 2.0, 1.0)
    s = math.sin(angle / 2.0) / angle
    return x * s, y * s, z * s, math.cos(angle / 2.0)


@part
def _put(p, q, sf, wi, wf, leg, numbers, room, pose, f, rise):
    """Bring a foot to its place, its sole not under the ground."""
    goal = room + at.LEG_PLACED * p[leg + at.LEG_LENGTH]
    high = wf[goal + 1] - q[numbers + at.LEG_ANKLE]
    level = kept_within(1.0 - max(high, 0.0) / 0.15, 0.0, 1.0)
    level = level * level * (3.0 - 2.0 * level) * wf[goal + 7]
    i, j, k, w = _of_rotation_vector(sf[f + 12] * level, sf[f + 13] * level, sf[f + 14] * level)
    i, j, k, w = mul(i, j, k, w, wf[goal + 3], wf[goal + 4], wf[goal + 5], wf[goal + 6])
    a = at.Y_TURN
    i, j, k, w = mul(-wf[a], -wf[a + 1], -wf[a + 2], wf[a + 3], i, j, k, w)
    x, y, z = _into(
        wf,
        wf[goal] - wf[at.Y_PLACE],
        _ankle_height(sf, wf, goal, f, rise) - wf[at.Y_PLACE + 1],
        wf[goal + 2] - wf[at.Y_PLACE + 2],
    )
    sink_leg(p, wf, leg, room, -rise)
    foot, upper = foot_of(p, leg, room), bone_of(p, leg, room, at.LEG_UPPER)
    reach = LONGEST * leg_length(p, wf, leg, room)
    wx, wy, wz = x - wf[upper], y - wf[upper + 1], z - wf[upper + 2]
    far = math.sqrt(wx * wx + wy * wy + wz * wz)
    if far > reach:
        short = reach / far
        x, y, z = wf[upper] + wx * short, wf[upper + 1] + wy * short, wf[upper + 2] + wz * short
    deep = 0.0
    for number in (at.LEG_HEEL, at.LEG_TOE):
        n = numbers + number
        sx, sy, sz = rotate(i, j, k, w, q[n], q[n + 1], q[n + 2])
        under, _, _, _ = _ground(wi, wf, x + sx, y + sy, z + sz)
        deep = max(deep, under - (y + sy) - SINKS)
    y += deep
    dx, dy, dz = x - wf[foot], y - wf[foot + 1], z - wf[foot + 2]
    same = i * wf[foot + 3] + j * wf[foot + 4] + k * wf[foot + 5] + w * wf[foot + 6]
    wx, wy, wz = x - wf[upper], y - wf[upper + 1], z - wf[upper + 2]
    there = dx * dx + dy * dy + dz * dz < SMALL * SMALL and abs(same) > 1.0 - 1e-14
    if there and wx * wx + wy * wy + wz * wz <= reach * reach:
        return
    reach_leg(p, q, wf, leg, numbers, room, pose, (x, y, z), (i, j, k, w))


@part
def _curve_of(p, wf, base, number, otherwise):
    """A curve of a result; another number where it has none."""
    return wf[base + 10 * p[at.H_BONES] + number] if number >= 0 else otherwise


@part
def _plant(p, q, si, sf, wi, wf, op, base, pose):
    """Hold the feet of a pose, and stand them on the ground, in place."""
    r = row_of(p, op)
    d, n, state = p[r + at.O_DATA], p[r + at.O_NUMBERS], p[r + at.O_FLOATS]
    legs = d + at.PL_LEGS
    rows, numbers, room = p[legs + at.LEGS_ROWS], p[legs + at.LEGS_NUMBERS], p[legs + at.LEGS_ROOM]
    count, height = p[legs + at.LEGS_COUNT], wf[at.Y_PLACE + 1]
    h = wf[p[at.X_SPANS] + op]
    if si[p[r + at.O_INTS]] == 0 or not abs(height - sf[state + HEIGHT]) < TELEPORT:
        h = -1.0
    if h > 0.0:
        pace = kept_within((height - sf[state + HEIGHT]) / h, -FASTEST_RISE, FASTEST_RISE)
        sf[state + RISE] += (pace - sf[state + RISE]) * (1.0 - 2.0 ** (-h / RISE_HALF))
    hold = kept_within(sf[p[d + at.PL_HOLD]], 0.0, 1.0)
    follow = kept_within(sf[p[d + at.PL_FOLLOW]], 0.0, 1.0)
    for k in range(count):
        leg, own = rows + at.LEG_WIDTH * k, numbers + at.LEG_NUMBERS * k
        placed, f = room + p[leg + at.LEG_ROOM], state + HEAD + FOOT * k
        goal = placed + at.LEG_PLACED * p[leg + at.LEG_LENGTH]
        place_leg(p, wf, leg, placed, pose)
        foot = foot_of(p, leg, placed)
        _foot_ground(q, sf, wi, wf, own, n, foot, f, h, sf[state + RISE] * h)
        curves = p[d + at.PL_CURVES] + 2 * k
        touch = _curve_of(p, wf, base, p[curves], 0.0)
        held = kept_within((touch - TOUCHES) / (HELD - TOUCHES), 0.0, 1.0) * hold
        _hold(q, sf, wf, own, n, foot, goal, f, max(h, 0.0), held)
        wf[goal + 7], wf[goal + 8] = _curve_of(p, wf, base, p[curves + 1], 1.0) * follow, held
    rise = _raise_hips(p, q, sf, wf, legs, state, q[n + at.PL_HIPS_HALF], h)
    si[p[r + at.O_INTS]] = 1
    if abs(rise) > SMALL:
        lower_hips(p, wf, rows, room + p[rows + at.LEG_ROOM], p[d + at.PL_HIPS], pose, -rise)
    for k in range(count):
        leg = rows + at.LEG_WIDTH * k
        placed, f = room + p[leg + at.LEG_ROOM], state + HEAD + FOOT * k
        _put(p, q, sf, wi, wf, leg, numbers + at.LEG_NUMBERS * k, placed, pose, f, rise)


@hook
def plant_pose(p, q, si, sf, wi, wf, op):
    """The pose with its feet held and on the ground, by its alpha."""
    base = result_of(p, wi, input_of(p, op, 0))
    alpha = alpha_of(p, q, sf, wf, op, base)
    if alpha < ZERO:
        put_result(p, wi, op, base)
        return
    if wi[at.D_GROUND] == at.GROUND_ASKED:
        stop(wi)
        return
    out = new_buffer(p, wi)
    copied(wf, base, wf, out, buffer_size(p) + at.MOTION)
    _plant(p, q, si, sf, wi, wf, op, base, out)
    if alpha < 1.0:
        put_between(wf, base, out, alpha, p[at.H_BONES])
    put_result(p, wi, op, out)
