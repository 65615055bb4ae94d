# mypy: disable-error-code="no-untyped-def"
"""Easing, inertialisation and dead blending (compiled). Twins: `core.blending.easing`, `core.blending.inertia`."""

import math

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import ask
from core.math.kernel_graph_parts import part
from core.math.kernel_graph_rigid import of_vector
from core.math.kernel_turns import mul, plain, unit, vector

INERTIA_FLOATS = 16
"""As `core.graph.inertial.FLOATS`."""
STEP, LAST_STEP, LAST_SPEED, SOURCE_SPEED = 2, 3, 4, 10
"""Places among them, as in `core.graph.inertial`."""
SHORTEST_STEP = 1e-4
FASTEST, FASTEST_TURN = 5.0, math.radians(360.0)
NEVER_ZERO = 1e-12


@part
def _slow_start(shape, power, x):
    """A power, circular or exponential curve from 0 to 1 over `x` in 0..1, slow at its start."""
    if shape == at.EASE_POWER:
        result = x
        for _ in range(1, power):
            result *= x
        return result
    if shape == at.EASE_CIRCULAR:
        return 1.0 - math.sqrt(max(1.0 - x * x, 0.0))
    return (2.0 ** (10.0 * x) - 1.0) / 1023.0


@part
def eased(p, q, si, sf, wi, wf, row, u):
    """Weight of a transition (its row in p) at a fraction of its blend."""
    x, shape = min(max(u, 0.0), 1.0), p[row + at.TR_SHAPE]
    if shape == at.EASE_LINEAR:
        return x
    if shape == at.EASE_SMOOTH:
        return x * x * (3.0 - 2.0 * x)
    if shape == at.EASE_SMOOTHER:
        return x * x * x * (10.0 + x * (6.0 * x - 15.0))
    if shape == at.EASE_SINE:
        return (1.0 - math.cos(math.pi * x)) / 2.0
    if shape == at.EASE_CURVE:
        wf[at.Y_ASKED] = x
        return min(max(ask(p[at.H_MAP_VALUE], p, q, si, sf, wi, wf, p[row + at.TR_MAP]), 0.0), 1.0)
    way, power = p[row + at.TR_WAY], p[row + at.TR_POWER]
    if way == at.WAY_IN:
        return _slow_start(shape, power, x)
    if way == at.WAY_OUT:
        return 1.0 - _slow_start(shape, power, 1.0 - x)
    if x < 0.5:
        return _slow_start(shape, power, min(2.0 * x, 1.0)) / 2.0
    return 1.0 - _slow_start(shape, power, min(max(2.0 - 2.0 * x, 0.0), 1.0)) / 2.0


@plain
def _left(x0, speed, seconds, elapsed):
    """What is left of an offset: `core.blending.inertia.decay` at a time."""
    v0, longest = min(speed, 0.0), max(seconds, 0.0)
    end = -5.0 * x0 / v0 if -v0 * longest > 5.0 * x0 else longest
    t = max(elapsed, 0.0)
    if not (x0 > 0.0 and end > SHORTEST_STEP) or t >= end:
        return 0.0
    e2 = end * end
    a0 = max((-8.0 * v0 * end - 20.0 * x0) / e2, 0.0)
    a = -(a0 * e2 + 6.0 * v0 * end + 12.0 * x0) / (2.0 * e2 * e2 * end)
    b = (3.0 * a0 * e2 + 16.0 * v0 * end + 30.0 * x0) / (2.0 * e2 * e2)
    c = -(3.0 * a0 * e2 + 12.0 * v0 * end + 20.0 * x0) / (2.0 * e2 * end)
    return x0 + t * (v0 + t * (a0 / 2.0 + t * (c + t * (b + t * a))))


@plain
def _vector_left(f, target, y, before, h, seconds, elapsed):
    """What is left of a vector's offset; the places lie in the state `f`."""
    nx, ny, nz = f[y] - f[target], f[y + 1] - f[target + 1], f[y + 2] - f[target + 2]
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    if size <= NEVER_ZERO:
        return 0.0, 0.0, 0.0
    dx, dy, dz = nx / size, ny / size, nz / size
    bx, by, bz = f[before] - f[target], f[before + 1] - f[target + 1], f[before + 2] - f[target + 2]
    left = _left(size, (size - (bx * dx + by * dy + bz * dz)) / h, seconds, elapsed)
    return dx * left, dy * left, dz * left


@plain
def _turn_left(f, target, y, before, h, seconds, elapsed):
    """What is left of a rotation's offset, as a rotation vector."""
    tx, ty, tz, tw = -f[target], -f[target + 1], -f[target + 2], f[target + 3]
    x, y_, z, w = mul(f[y], f[y + 1], f[y + 2], f[y + 3], tx, ty, tz, tw)
    if w < 0.0:
        x, y_, z, w = -x, -y_, -z, -w
    half = math.sqrt(x * x + y_ * y_ + z * z)
    if half <= NEVER_ZERO:
        return 0.0, 0.0, 0.0
    ax, ay, az = x / half, y_ / half, z / half
    angle = 2.0 * math.atan2(half, w)
    ex, ey, ez, ew = mul(f[before], f[before + 1], f[before + 2], f[before + 3], tx, ty, tz, tw)
    along = 2.0 * math.atan2(ex * ax + ey * ay + ez * az, ew)
    along -= 2.0 * math.pi * np.rint((along - angle) / (2.0 * math.pi))
    left = _left(angle, (angle - along) / h, seconds, elapsed)
    return ax * left, ay * left, az * left


@plain
def inertialised(p, sf, wf, target, y, before, buffer, step, seconds, elapsed):
    """Put on a pose at a place in wf what is left of its offset; the poses of the switch lie in the state."""
    bones = p[at.H_BONES]
    known = step >= SHORTEST_STEP
    h = step if known else 1.0
    if not known:
        before = y
    for bone in range(bones):
        for part_of in range(2):
            o = (0 if part_of == 0 else 7 * bones) + 3 * bone
            dx, dy, dz = _vector_left(sf, target + o, y + o, before + o, h, seconds, elapsed)
            wf[buffer + o] += dx
            wf[buffer + o + 1] += dy
            wf[buffer + o + 2] += dz
        o = 3 * bones + 4 * bone
        dx, dy, dz = _turn_left(sf, target + o, y + o, before + o, h, seconds, elapsed)
        x, y_, z, w = of_vector(dx, dy, dz)
        o += buffer
        x, y_, z, w = mul(x, y_, z, w, wf[o], wf[o + 1], wf[o + 2], wf[o + 3])
        wf[o], wf[o + 1], wf[o + 2], wf[o + 3] = unit(x, y_, z, w)


@part
def curves_left(p, sf, wf, target, y, before, buffer, step, seconds, elapsed):
    """Put on what is left of the curves' offsets, which die out as those of bones do."""
    first, curves = 10 * p[at.H_BONES], p[at.H_CURVES]
    for k in range(first, first + curves):
        offset, earlier, speed = sf[y + k] - sf[target + k], sf[before + k] - sf[target + k], 0.0
        sign = -1.0 if offset < 0.0 else 1.0
        if step >= SHORTEST_STEP:
            speed = (abs(offset) - earlier * sign) / step
        wf[buffer + k] += sign * _left(abs(offset), speed, seconds, elapsed)
        if sf[y + k + curves] != 0.0:
            wf[buffer + k + curves] = 1.0


@plain
def _gone_on(gap, speed, strength, elapsed):
    """How far an axis has gone on with dying speed."""
    half = 1.0 if abs(speed) < NEVER_ZERO else min(max(strength * gap / speed, 0.05), 1.0)
    rate = math.log(2.0) / half
    return speed * -math.expm1(-rate * elapsed) / rate


@plain
def _held(x, y, z, most):
    """A vector shortened to the length `most` where it is longer."""
    share = most / max(math.sqrt(x * x + y * y + z * z), most)
    return x * share, y * share, z * share


@plain
def dead_pose(p, sf, wf, target, y, before, buffer, step, elapsed):
    """The old motion run on for some seconds, to a place in wf (`core.blending.inertia.DeadBlend.at`)."""
    bones = p[at.H_BONES]
    known = step >= SHORTEST_STEP
    h = step if known else 1.0
    if not known:
        before = y
    t = max(elapsed, 0.0)
    for bone in range(bones):
        for part_of in range(2):
            o = (0 if part_of == 0 else 7 * bones) + 3 * bone
            a, b, c = y + o, before + o, target + o
            vx, vy, vz = _held(
                (sf[a] - sf[b]) / h, (sf[a + 1] - sf[b + 1]) / h, (sf[a + 2] - sf[b + 2]) / h, FASTEST
            )
            wf[buffer + o] = sf[a] + _gone_on(sf[c] - sf[a], vx, 0.1, t)
            wf[buffer + o + 1] = sf[a + 1] + _gone_on(sf[c + 1] - sf[a + 1], vy, 0.1, t)
            wf[buffer + o + 2] = sf[a + 2] + _gone_on(sf[c + 2] - sf[a + 2], vz, 0.1, t)
        o = 3 * bones + 4 * bone
        a, b, c = y + o, before + o, target + o
        x, y_, z, w = mul(sf[a], sf[a + 1], sf[a + 2], sf[a + 3], -sf[b], -sf[b + 1], -sf[b + 2], sf[b + 3])
        vx, vy, vz = vector(x, y_, z, w)
        vx, vy, vz = _held(vx / h, vy / h, vz / h, FASTEST_TURN)
        x, y_, z, w = mul(sf[c], sf[c + 1], sf[c + 2], sf[c + 3], -sf[a], -sf[a + 1], -sf[a + 2], sf[a + 3])
        gx, gy, gz = vector(x, y_, z, w)
        x, y_, z, w = of_vector(_gone_on(gx, vx, 0.1, t), _gone_on(gy, vy, 0.1, t), _gone_on(gz, vz, 0.1, t))
        x, y_, z, w = mul(x, y_, z, w, sf[a], sf[a + 1], sf[a + 2], sf[a + 3])
        o += buffer
        wf[o], wf[o + 1], wf[o + 2], wf[o + 3] = unit(x, y_, z, w)


# ---------------------------------------------------------------- root motion
@part
def remember_speed(p, sf, wf, op, f, motion):
    """Keep the speed of an op's root motion, which stands at a place in wf; `f` is the place of its inertial floats."""
    span = wf[p[at.X_SPANS] + op]
    if span <= 0.0:
        return
    x, y, z = vector(wf[motion + 3], wf[motion + 4], wf[motion + 5], wf[motion + 6])
    o = f + LAST_SPEED
    sf[o], sf[o + 1], sf[o + 2] = wf[motion] / span, wf[motion + 1] / span, wf[motion + 2] / span
    sf[o + 3], sf[o + 4], sf[o + 5] = x / span, y / span, z / span


@part
def source_motion(sf, wf, f, span, place):
    """Write what the source of an inertial blend would move in some seconds at the speed that it had."""
    o = f + SOURCE_SPEED
    for k in range(3):
        wf[place + k] = sf[o + k] * span
        wf[place + 7 + k] = 1.0
    x, y, z, w = of_vector(sf[o + 3] * span, sf[o + 4] * span, sf[o + 5] * span)
    wf[place + 3], wf[place + 4], wf[place + 5], wf[place + 6] = x, y, z, w
