# mypy: disable-error-code="no-untyped-def"
"""Feet planted on uneven ground (compiled). Twin: `core.graph.nodes.planting`, which says what each part is for.

The ground is a terrain's triangles at addresses that the host wrote; where it is one that Python is asked for, the op
is Python's. Where a foot is to be lies behind its leg's chain in the room: place over level ground, rotation, share,
how far it is held.
"""

import math

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_additive import alpha_of
from core.math.kernel_graph_call import hook
from core.math.kernel_graph_legs import (
    LONGEST,
    bone_of,
    cross,
    foot_of,
    lean_within,
    leg_length,
    lower_hips,
    place_leg,
    reach_leg,
    sink_leg,
    size,
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
from core.math.kernel_graph_planting import (
    SMALL,
    foot_ground,
    ground_at,
    hold_foot,
    into_own,
    into_world,
    of_rotation_vector,
    sole_tilt,
    sprung,
)
from core.math.kernel_graph_stride import put_between
from core.math.kernel_turns import mul, rotate

FOOT, HEAD = 20, 8
HIPS, HIPS_SPEED, HEIGHT, RISE, WANTED, LAST_X, LAST_Z, GOING = range(HEAD)
RISE_HALF, FASTEST_RISE, TELEPORT = 0.08, 5.0, 1.0
GOES, GOING_HALF, DEEPEST = 1.0, 0.1, 0.2
WANTED_DOWN, WANTED_UP, SINKS = 0.02, 0.3, 0.004
TOUCHES, HELD = 0.1, 0.5
ANKLE_TIMES, WITHIN = 2, 1.0 - 1e-9
"""As `core.graph.nodes.plant.ANKLE_TIMES` and `WITHIN`."""


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
        ax, ay, az = into_world(wf, wf[a], wf[a + 1], wf[a + 2])
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
        sf[state + HIPS], sf[state + HIPS_SPEED] = sprung(
            sf[state + HIPS], sf[state + HIPS_SPEED], sf[state + WANTED], h, half
        )
    sf[state + HEIGHT] = height
    return sf[state + HIPS]


@part
def _rolled(q, wf, numbers, upper, most, to, turn, held):
    """A held foot that its leg does not reach, rolled over the point of its sole that is under its toe."""
    t = numbers + at.LEG_TOE
    i, j, k, w = turn
    lx, ly, lz = rotate(i, j, k, w, q[t], q[t + 1], q[t + 2])
    tx, ty, tz = to[0] + lx, to[1] + ly, to[2] + lz
    wx, wy, wz = tx - wf[upper], ty - wf[upper + 1], tz - wf[upper + 2]
    ox, oy, oz = to[0] - wf[upper], to[1] - wf[upper + 1], to[2] - wf[upper + 2]
    near, far = size(lx, ly, lz), size(wx, wy, wz)
    x, y, z = to
    if held <= 0.0 or size(ox, oy, oz) <= most or far >= most + near or far <= abs(most - near) + SMALL:
        return x, y, z, i, j, k, w
    ax, ay, az = wx / far, wy / far, wz / far
    along = ox * ax + oy * ay + oz * az
    sx, sy, sz = ox - ax * along, oy - ay * along, oz - az * along
    wide = size(sx, sy, sz)
    if wide < SMALL:
        return x, y, z, i, j, k, w
    length = (most * most - near * near + far * far) / (2.0 * far)
    beside = math.sqrt(max(most * most - length * length, 0.0)) / wide
    # From the toe to the ankle, before and after.
    bx, by, bz = -lx, -ly, -lz
    cx = wf[upper] + ax * length + sx * beside - tx
    cy = wf[upper + 1] + ay * length + sy * beside - ty
    cz = wf[upper + 2] + az * length + sz * beside - tz
    nx, ny, nz = cross(bx, by, bz, cx, cy, cz)
    wide = size(nx, ny, nz)
    if wide < SMALL:
        return x, y, z, i, j, k, w
    angle = math.atan2(wide, bx * cx + by * cy + bz * cz) * held / wide
    m, n, o, v = of_rotation_vector(nx * angle, ny * angle, nz * angle)
    bx, by, bz = rotate(m, n, o, v, bx, by, bz)
    i, j, k, w = mul(m, n, o, v, i, j, k, w)
    return tx + bx, ty + by, tz + bz, i, j, k, w


@part
def _raised(q, wi, wf, numbers, upper, reach, to, turn):
    """A place of the ankle that the leg reaches, high enough that the sole does not go under the ground."""
    x, y, z = to
    i, j, k, w = turn
    wx, wy, wz = x - wf[upper], y - wf[upper + 1], z - wf[upper + 2]
    far = math.sqrt(wx * wx + wy * wy + wz * wz)
    if far > reach:
        short = reach / far
        x, y, z = wf[upper] + wx * short, wf[upper + 1] + wy * short, wf[upper + 2] + wz * short
    deep = 0.0
    for number in (at.LEG_HEEL, at.LEG_TOE):
        n = numbers + number
        sx, sy, sz = rotate(i, j, k, w, q[n], q[n + 1], q[n + 2])
        under, _, _, _ = ground_at(wi, wf, x + sx, y + sy, z + sz)
        deep = max(deep, under - (y + sy) - SINKS)
    return x, y + deep, z


@part
def _beside(q, numbers, to, turn, within):
    """Place of a foot that turns no farther: its toe stays where its heel rises by that, else its heel."""
    i, j, k, w = turn
    m, n, o, v = within
    e, t = numbers + at.LEG_HEEL, numbers + at.LEG_TOE
    dx, dy, dz = q[t] - q[e], q[t + 1] - q[e + 1], q[t + 2] - q[e + 2]
    _, before, _ = rotate(i, j, k, w, dx, dy, dz)
    _, after, _ = rotate(m, n, o, v, dx, dy, dz)
    point = t if after < before else e
    ax, ay, az = rotate(i, j, k, w, q[point], q[point + 1], q[point + 2])
    bx, by, bz = rotate(m, n, o, v, q[point], q[point + 1], q[point + 2])
    return to[0] + ax - bx, to[1] + ay - by, to[2] + az - bz


@part
def _lean_of(p, q, wf, leg, numbers, pose):
    """The foot's local rotation in a pose, its lean within the ankle's limit; and whether it was beyond."""
    r, s = numbers + at.LEG_REST, numbers + at.LEG_AXIS
    b = pose + 3 * p[at.H_BONES] + 4 * p[p[leg + at.LEG_CHAIN] + p[leg + at.LEG_LENGTH] - 1]
    rest, axis = (q[r], q[r + 1], q[r + 2], q[r + 3]), (q[s], q[s + 1], q[s + 2])
    local = (wf[b], wf[b + 1], wf[b + 2], wf[b + 3])
    return lean_within(rest, axis, q[numbers + at.LEG_CONE], local)


@part
def _kept_lean(p, q, wi, wf, leg, numbers, room, pose, to, turn):
    """Bend the leg again where the ankle is beyond its limit: the foot turns less, the sole's lower end stays."""
    parent = room + at.LEG_PLACED * (p[leg + at.LEG_LENGTH] - 2) + 3
    upper = bone_of(p, leg, room, at.LEG_UPPER)
    for _ in range(ANKLE_TIMES):
        x, y, z, w, beyond = _lean_of(p, q, wf, leg, numbers, pose)
        place_leg(p, wf, leg, room, pose)
        x, y, z, w = mul(wf[parent], wf[parent + 1], wf[parent + 2], wf[parent + 3], x, y, z, w)
        if not beyond or abs(x * turn[0] + y * turn[1] + z * turn[2] + w * turn[3]) > WITHIN:
            break
        to = _beside(q, numbers, to, turn, (x, y, z, w))
        turn = (x, y, z, w)
        reach = LONGEST * leg_length(p, wf, leg, room)
        to = _raised(q, wi, wf, numbers, upper, reach, to, turn)
        reach_leg(p, q, wf, leg, numbers, room, pose, to, turn)
    x, y, z, w, _ = _lean_of(p, q, wf, leg, numbers, pose)
    b = pose + 3 * p[at.H_BONES] + 4 * p[p[leg + at.LEG_CHAIN] + p[leg + at.LEG_LENGTH] - 1]
    wf[b], wf[b + 1], wf[b + 2], wf[b + 3] = x, y, z, w


@part
def _put(p, q, sf, wi, wf, leg, numbers, room, pose, f, rise):
    """Bring a foot to its place, its sole not under the ground, its ankle within its limit."""
    goal = room + at.LEG_PLACED * p[leg + at.LEG_LENGTH]
    i, j, k, w = sole_tilt(sf, f, wf[goal + 1] - q[numbers + at.LEG_ANKLE], wf[goal + 7])
    i, j, k, w = mul(i, j, k, w, wf[goal + 3], wf[goal + 4], wf[goal + 5], wf[goal + 6])
    a = at.Y_TURN
    i, j, k, w = mul(-wf[a], -wf[a + 1], -wf[a + 2], wf[a + 3], i, j, k, w)
    to = into_own(
        wf,
        wf[goal] - wf[at.Y_PLACE],
        _ankle_height(sf, wf, goal, f, rise) - wf[at.Y_PLACE + 1],
        wf[goal + 2] - wf[at.Y_PLACE + 2],
    )
    sink_leg(p, wf, leg, room, -rise)
    foot, upper = foot_of(p, leg, room), bone_of(p, leg, room, at.LEG_UPPER)
    reach = LONGEST * leg_length(p, wf, leg, room)
    x, y, z, i, j, k, w = _rolled(q, wf, numbers, upper, reach, to, (i, j, k, w), wf[goal + 8])
    x, y, z = _raised(q, wi, wf, numbers, upper, reach, (x, y, z), (i, j, k, w))
    dx, dy, dz = x - wf[foot], y - wf[foot + 1], z - wf[foot + 2]
    same = i * wf[foot + 3] + j * wf[foot + 4] + k * wf[foot + 5] + w * wf[foot + 6]
    wx, wy, wz = x - wf[upper], y - wf[upper + 1], z - wf[upper + 2]
    there = dx * dx + dy * dy + dz * dz < SMALL * SMALL and abs(same) > 1.0 - 1e-14
    if there and wx * wx + wy * wy + wz * wz <= reach * reach:
        return
    reach_leg(p, q, wf, leg, numbers, room, pose, (x, y, z), (i, j, k, w))
    _kept_lean(p, q, wi, wf, leg, numbers, room, pose, (x, y, z), (i, j, k, w))


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
        foot_ground(q, sf, wi, wf, own, n, foot, f, h, sf[state + RISE] * h)
        curves = p[d + at.PL_CURVES] + 2 * k
        touch = _curve_of(p, wf, base, p[curves], 0.0)
        held = kept_within((touch - TOUCHES) / (HELD - TOUCHES), 0.0, 1.0) * hold
        wf[goal + 7], wf[goal + 8] = _curve_of(p, wf, base, p[curves + 1], 1.0) * follow, held
        hold_foot(q, sf, wf, own, n, foot, goal, f, max(h, 0.0), held)
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
