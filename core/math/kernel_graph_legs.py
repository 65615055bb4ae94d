# mypy: disable-error-code="no-untyped-def"
"""Legs of one pose (compiled): where their bones are, and a two-bone solve. Twin: `core.ik.leg`.

A leg is its row in p (`LEG_CHAIN` …), its numbers in q (`LEG_POLE` …), and room in wf: places and rotations along its
chain, seven numbers a bone.
"""

import math

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_parts import part
from core.math.kernel_turns import mul, plain, rotate

LONGEST = 0.99
"""As `core.ik.leg.LONGEST`."""
STRAIGHT, BENT = 0.05, 0.35
"""As `core.ik.leg.STRAIGHT` and `BENT`."""
LEAST = 1e-9
SHORTEST = 1e-4


@plain
def unit_turn(x, y, z, w):
    """A rotation at length 1; the identity where it has none."""
    n = math.sqrt(x * x + y * y + z * z + w * w)
    if n <= LEAST:
        return 0.0, 0.0, 0.0, 1.0
    return x / n, y / n, z / n, w / n


@plain
def about_up(degrees):
    """A turn about +Y, to the left positive."""
    half = math.radians(degrees) / 2.0
    return 0.0, math.sin(half), 0.0, math.cos(half)


@plain
def cross(ax, ay, az, bx, by, bz):
    """Cross product."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@plain
def size(x, y, z):
    """Length."""
    return math.sqrt(x * x + y * y + z * z)


@plain
def _frame(ax, ay, az, bx, by, bz):
    """The rotation of a frame with +Y along a direction and +X near an axis."""
    n = size(ax, ay, az)
    n = n if n != 0.0 else 1.0
    yx, yy, yz = ax / n, ay / n, az / n
    along = yx * bx + yy * by + yz * bz
    xx, xy, xz = bx - yx * along, by - yy * along, bz - yz * along
    n = size(xx, xy, xz)
    if n < LEAST:
        xx, xy, xz = (1.0, 0.0, 0.0) if abs(yx) < 0.9 else (0.0, 0.0, 1.0)
        along = xx * yx + xy * yy + xz * yz
        xx, xy, xz = xx - yx * along, xy - yy * along, xz - yz * along
        n = size(xx, xy, xz)
    xx, xy, xz = xx / n, xy / n, xz / n
    zx, zy, zz = cross(xx, xy, xz, yx, yy, yz)
    trace = xx + yy + zz
    if trace > 0.0:
        s = 2.0 * math.sqrt(trace + 1.0)
        return (yz - zy) / s, (zx - xz) / s, (xy - yx) / s, s / 4.0
    if xx >= yy and xx >= zz:
        s = 2.0 * math.sqrt(max(1.0 + xx - yy - zz, LEAST))
        return s / 4.0, (yx + xy) / s, (zx + xz) / s, (yz - zy) / s
    if yy >= zz:
        s = 2.0 * math.sqrt(max(1.0 + yy - xx - zz, LEAST))
        return (yx + xy) / s, s / 4.0, (zy + yz) / s, (zx - xz) / s
    s = 2.0 * math.sqrt(max(1.0 + zz - xx - yy, LEAST))
    return (zx + xz) / s, (zy + yz) / s, s / 4.0, (xy - yx) / s


@plain
def _frames(a, axis, b, to_axis):
    """The rotation that takes one direction with an axis across it to another."""
    x, y, z, w = _frame(a[0], a[1], a[2], axis[0], axis[1], axis[2])
    i, j, k, m = _frame(b[0], b[1], b[2], to_axis[0], to_axis[1], to_axis[2])
    return mul(i, j, k, m, -x, -y, -z, w)


@part
def place_leg(p, wf, leg, room, pose):
    """Write where a leg's chain is in a pose at a place of wf."""
    turns = pose + 3 * p[at.H_BONES]
    for k in range(p[leg + at.LEG_LENGTH]):
        bone, o = p[p[leg + at.LEG_CHAIN] + k], room + at.LEG_PLACED * k
        x, y, z = wf[pose + 3 * bone], wf[pose + 3 * bone + 1], wf[pose + 3 * bone + 2]
        t = turns + 4 * bone
        i, j, m, w = wf[t], wf[t + 1], wf[t + 2], wf[t + 3]
        if k > 0:
            a = o - at.LEG_PLACED
            x, y, z = rotate(wf[a + 3], wf[a + 4], wf[a + 5], wf[a + 6], x, y, z)
            x, y, z = x + wf[a], y + wf[a + 1], z + wf[a + 2]
            i, j, m, w = mul(wf[a + 3], wf[a + 4], wf[a + 5], wf[a + 6], i, j, m, w)
        wf[o], wf[o + 1], wf[o + 2] = x, y, z
        wf[o + 3], wf[o + 4], wf[o + 5], wf[o + 6] = i, j, m, w


@part
def bone_of(p, leg, room, number):
    """Place in wf of one of a leg's bones."""
    return room + at.LEG_PLACED * p[leg + number]


@part
def foot_of(p, leg, room):
    """Place in wf of a leg's foot."""
    return room + at.LEG_PLACED * (p[leg + at.LEG_LENGTH] - 1)


@part
def apart(wf, a, b):
    """Metres between two bones at places of wf."""
    return size(wf[b] - wf[a], wf[b + 1] - wf[a + 1], wf[b + 2] - wf[a + 2])


@part
def leg_length(p, wf, leg, room):
    """Metres of thigh and calf."""
    b = bone_of(p, leg, room, at.LEG_LOWER)
    return apart(wf, bone_of(p, leg, room, at.LEG_UPPER), b) + apart(wf, b, foot_of(p, leg, room))


@part
def lower_hips(p, wf, leg, room, hips, pose, drop):
    """Move the hips down by some metres, in a pose and where the leg's chain is placed."""
    k = p[leg + at.LEG_HIPS]
    x, y, z = 0.0, -drop, 0.0
    if k > 0:
        a = room + at.LEG_PLACED * (k - 1)
        x, y, z = rotate(-wf[a + 3], -wf[a + 4], -wf[a + 5], wf[a + 6], x, y, z)
    wf[pose + 3 * hips] += x
    wf[pose + 3 * hips + 1] += y
    wf[pose + 3 * hips + 2] += z


@part
def sink_leg(p, wf, leg, room, drop):
    """Put the chain from the hips on lower, where it is placed."""
    for k in range(p[leg + at.LEG_HIPS], p[leg + at.LEG_LENGTH]):
        wf[room + at.LEG_PLACED * k + 1] -= drop


@part
def _put_local(p, wf, leg, room, number, pose, x, y, z, w):
    """Write a bone's rotation in the pose by its new rotation in model space, and its parent's at its place."""
    bone, t = p[p[leg + at.LEG_CHAIN] + number], 0
    if number > 0:
        a = room + at.LEG_PLACED * (number - 1)
        x, y, z, w = mul(-wf[a + 3], -wf[a + 4], -wf[a + 5], wf[a + 6], x, y, z, w)
    t = pose + 3 * p[at.H_BONES] + 4 * bone
    wf[t], wf[t + 1], wf[t + 2], wf[t + 3] = unit_turn(x, y, z, w)


@part
def _turn_bone(wf, place, x, y, z, w):
    """Turn a bone at its place in model space."""
    a = place + 3
    wf[a], wf[a + 1], wf[a + 2], wf[a + 3] = mul(x, y, z, w, wf[a], wf[a + 1], wf[a + 2], wf[a + 3])


@part
def reach_leg(p, q, wf, leg, numbers, room, pose, goal, turn):
    """Put a leg's foot on a goal with a rotation: local rotations of thigh, calf and foot in a pose at a place of wf.

    The knee bends about the axis that it bends about already, turned with the thigh, so that a hinge stays one; where
    it is nearly straight, about the leg's own. What is placed in the room is turned, too.
    """
    upper, lower, foot = p[leg + at.LEG_UPPER], p[leg + at.LEG_LOWER], p[leg + at.LEG_LENGTH] - 1
    pa, pb, pc = room + at.LEG_PLACED * upper, room + at.LEG_PLACED * lower, room + at.LEG_PLACED * foot
    ax, ay, az = wf[pa], wf[pa + 1], wf[pa + 2]
    fx, fy, fz = wf[pb] - ax, wf[pb + 1] - ay, wf[pb + 2] - az
    sx, sy, sz = wf[pc] - wf[pb], wf[pc + 1] - wf[pb + 1], wf[pc + 2] - wf[pb + 2]
    one, two = size(fx, fy, fz), size(sx, sy, sz)
    wx, wy, wz = goal[0] - ax, goal[1] - ay, goal[2] - az
    far = size(wx, wy, wz)
    near = min(max(far, abs(one - two) + SHORTEST), LONGEST * (one + two))
    dx, dy, dz = (wx / far, wy / far, wz / far) if far > LEAST else (0.0, -1.0, 0.0)
    # The side that the knee points to: of the pole, in the thigh's own frame.
    ux, uy, uz = rotate(
        wf[pa + 3], wf[pa + 4], wf[pa + 5], wf[pa + 6], q[numbers], q[numbers + 1], q[numbers + 2]
    )
    along = ux * dx + uy * dy + uz * dz
    ux, uy, uz = ux - dx * along, uy - dy * along, uz - dz * along
    wide = size(ux, uy, uz)
    nx, ny, nz = cross(fx, fy, fz, sx, sy, sz)
    wide_n = size(nx, ny, nz)
    bend = wide_n / max(one * two, LEAST)
    h = numbers + at.LEG_HINGE
    ox, oy, oz = rotate(wf[pa + 3], wf[pa + 4], wf[pa + 5], wf[pa + 6], q[h], q[h + 1], q[h + 2])
    back = nx * ox + ny * oy + nz * oz <= 0.0
    if bend < BENT or back:  # one that is bent back, as a blend may leave it, would turn the thigh about
        share = 0.0 if back else max(bend - STRAIGHT, 0.0) / (BENT - STRAIGHT)
        part_n, part_o = share / max(wide_n, LEAST), 1.0 - share
        nx, ny, nz = nx * part_n + ox * part_o, ny * part_n + oy * part_o, nz * part_n + oz * part_o
    if wide < 1e-6:
        ux, uy, uz = cross(dx, dy, dz, nx, ny, nz)
        wide = size(ux, uy, uz)
        wide = wide if wide != 0.0 else 1.0
    ux, uy, uz = ux / wide, uy / wide, uz / wide
    x = (one * one - two * two + near * near) / (2.0 * near)
    y = math.sqrt(max(one * one - x * x, 0.0))
    kx, ky, kz = dx * x + ux * y, dy * x + uy * y, dz * x + uz * y
    hinge = cross(ux, uy, uz, dx, dy, dz)
    thigh = _frames((fx, fy, fz), (nx, ny, nz), (kx, ky, kz), hinge)
    bent = rotate(thigh[0], thigh[1], thigh[2], thigh[3], sx, sy, sz)
    calf = _frames(bent, hinge, (dx * near - kx, dy * near - ky, dz * near - kz), hinge)
    for k in range(upper, foot):
        _turn_bone(wf, room + at.LEG_PLACED * k, thigh[0], thigh[1], thigh[2], thigh[3])
        if k >= lower:
            _turn_bone(wf, room + at.LEG_PLACED * k, calf[0], calf[1], calf[2], calf[3])
    for k in (upper, lower):
        a = room + at.LEG_PLACED * k + 3
        _put_local(p, wf, leg, room, k, pose, wf[a], wf[a + 1], wf[a + 2], wf[a + 3])
    _put_local(p, wf, leg, room, foot, pose, turn[0], turn[1], turn[2], turn[3])


@plain
def lean_within(rest, axis, cone, local):
    """A foot's local rotation, its lean brought within the ankle's limit; and whether it was beyond.

    Parameters
    ----------
    rest, axis, cone : as `core.ik.leg.Leg` has them
    """
    x, y, z, w = mul(-rest[0], -rest[1], -rest[2], rest[3], local[0], local[1], local[2], local[3])
    along = axis[0] * x + axis[1] * y + axis[2] * z
    tx, ty, tz, tw = unit_turn(axis[0] * along, axis[1] * along, axis[2] * along, w)
    sx, sy, sz, sw = mul(x, y, z, w, -tx, -ty, -tz, tw)
    far = size(sx, sy, sz)
    if 2.0 * math.atan2(far, abs(sw)) <= cone or far < LEAST:
        return local[0], local[1], local[2], local[3], False
    s = math.copysign(math.sin(0.5 * cone) / far, sw)
    x, y, z, w = mul(sx * s, sy * s, sz * s, math.cos(0.5 * cone), tx, ty, tz, tw)
    x, y, z, w = mul(rest[0], rest[1], rest[2], rest[3], x, y, z, w)
    x, y, z, w = unit_turn(x, y, z, w)
    return x, y, z, w, True
