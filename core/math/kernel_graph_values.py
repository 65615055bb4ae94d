# mypy: disable-error-code="no-untyped-def"
"""Runs the rows of a graph's expressions (compiled). Twin: `core.graph.language.interpreter`."""

import math

import numpy as np

from core.math import kernel_graph_layout as at
from core.math.kernel_graph_call import ask, asked
from core.math.kernel_graph_parts import part
from core.math.kernel_sample import value_at
from core.math.kernel_segments import settle

RADIANS = math.pi / 180.0
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX, SECOND_MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
COLUMNS = 7
# As `core.graph.language.program.Op`, which imports nothing from here; a test holds both together.
(
    COPY, ADD, SUBTRACT, MULTIPLY, DIVIDE, FLOOR_DIVIDE, MODULO, POWER, NEGATE, LESS, LESS_EQUAL, EQUAL, NOT_EQUAL,
    AND, OR, NOT, SELECT, ABS, SIGN, MINIMUM, MAXIMUM, FLOOR, CEIL, ROUND, WRAP, SQRT, EXP, LOG, SIN, COS, TAN, ASIN,
    ACOS, ATAN2, NORMALISE, ROTATE, COMPOSE, YAW, AXIS_ANGLE, MAP,
) = range(40)  # fmt: skip
PREVIOUS, HELD, TIMER, LATCH, HYSTERESIS, FOLLOW, EASE_TO, SPRING, COUNT, RANDOM = range(64, 74)
GROUND_HEIGHT, GROUND_NORMAL = 96, 97


@part
def random_number(seed, count):
    """A number in 0..1 drawn by counting (splitmix64)."""
    z = np.uint64(seed) * GOLDEN + np.uint64(count + 1) * GOLDEN
    z = (z ^ (z >> np.uint64(30))) * FIRST_MIX
    z = (z ^ (z >> np.uint64(27))) * SECOND_MIX
    return np.float64((z ^ (z >> np.uint64(31))) >> np.uint64(11)) / 9007199254740992.0


@asked
def map_value(p, q, si, sf, wi, wf, number):
    """Value of one of the graph's maps, which lie in the buffers of a clip without bones, at ``wf[Y_ASKED]``."""
    c = p[at.H_MAPS]
    n = wi[p[c + at.C_N] : p[c + at.C_N] + p[c + at.C_N_SIZE]]
    f = wf[p[c + at.C_F] : p[c + at.C_F] + p[c + at.C_F_SIZE]]
    row = p[p[c + at.C_EXTRAS] + 2 * number]
    settle(n, f, row, wf[at.Y_ASKED])
    value_at(n, f, row, wf[at.Y_ASKED])
    return f[p[p[c + at.C_EXTRAS] + 2 * number + 1]]


@part
def wrapped(a):
    """An angle in (−180, 180]."""
    turned = a - 360.0 * np.floor((a + 180.0) / 360.0)
    return 180.0 if turned <= -180.0 else turned


@part
def _power(a, b):
    """``a`` to the power of ``b``; nan where it has no real value."""
    if (a == 0.0 and b < 0.0) or (a < 0.0 and b != np.floor(b)):
        return np.nan
    return math.pow(a, b)


@part
def _arithmetic(op, a, b, c):
    """Ops of numbers that keep nothing."""
    if op == COPY:
        return a
    if op == ADD:
        return a + b
    if op == SUBTRACT:
        return a - b
    if op == MULTIPLY:
        return a * b
    if op == DIVIDE:
        return a / b if b != 0.0 else np.nan
    if op == FLOOR_DIVIDE:
        return np.floor(a / b) if b != 0.0 else np.nan
    if op == MODULO:
        return a - b * np.floor(a / b) if b != 0.0 and math.isfinite(a / b) else np.nan
    if op == POWER:
        return _power(a, b)
    if op == NEGATE:
        return -a
    if op == LESS:
        return 1.0 if a < b else 0.0
    if op == LESS_EQUAL:
        return 1.0 if a <= b else 0.0
    if op == EQUAL:
        return 1.0 if a == b else 0.0
    if op == NOT_EQUAL:
        return 1.0 if a != b else 0.0
    if op == AND:
        return 1.0 if a != 0.0 and b != 0.0 else 0.0
    if op == OR:
        return 1.0 if a != 0.0 or b != 0.0 else 0.0
    if op == NOT:
        return 1.0 if a == 0.0 else 0.0
    if op == SELECT:
        return b if a != 0.0 else c
    if op == ABS:
        return abs(a)
    if op == SIGN:
        return 1.0 if a > 0.0 else (-1.0 if a < 0.0 else 0.0)
    if op == MINIMUM:
        return b if b < a else a
    if op == MAXIMUM:
        return b if b > a else a
    return _function(op, a, b)


@part
def _function(op, a, b):
    """Ops of numbers that are functions."""
    if op == FLOOR:
        return np.floor(a)
    if op == CEIL:
        return np.ceil(a)
    if op == ROUND:
        return math.copysign(np.floor(abs(a) + 0.5), a) if a != 0.0 else 0.0
    if op == WRAP:
        return wrapped(a)
    if op == SQRT:
        return math.sqrt(a) if a >= 0.0 else np.nan
    if op == EXP:
        return math.exp(a) if a < 709.0 else np.nan
    if op == LOG:
        return math.log(a) if a > 0.0 else np.nan
    if op == SIN:
        return math.sin(a * RADIANS)
    if op == COS:
        return math.cos(a * RADIANS)
    if op == TAN:
        return math.tan(a * RADIANS)
    if op == ASIN:
        return math.asin(min(max(a, -1.0), 1.0)) / RADIANS
    if op == ACOS:
        return math.acos(min(max(a, -1.0), 1.0)) / RADIANS
    return math.atan2(a, b) / RADIANS


@part
def _with_state(op, x, y, z, s, state, dt, seed, place):
    """Ops that keep numbers; `s` at `state` begins with whether it has run."""
    began = s[state] == 0.0
    kept = s[state + 1]
    keep = dt > 0.0 or began
    result, store = 0.0, kept
    if op == PREVIOUS:
        result, store = (x if began else kept), x
    elif op == HELD:
        result = kept if x != 0.0 else 0.0
        store = result + dt if x != 0.0 else 0.0
    elif op == TIMER:
        result = 0.0 if x != 0.0 else kept
        store = result + dt
    elif op == LATCH:
        result = store = y if began or x != 0.0 else kept
    elif op == HYSTERESIS:
        on = x >= z if began or kept == 0.0 else x > y
        result = store = 1.0 if on else 0.0
    elif op == FOLLOW:
        most = max(y, 0.0) * dt
        result = store = x if began else kept + min(max(x - kept, -most), most)
    elif op == EASE_TO:
        share = 1.0 - 2.0 ** (-dt / y) if y > 0.0 else 1.0
        result = store = x if began else kept + (x - kept) * share
    elif op == SPRING:
        result, speed = x, 0.0
        if not began and y > 0.0:
            omega, gap = 6.0 / y, kept - x
            lead = (s[state + 2] + omega * gap) * dt
            decay = math.exp(-omega * dt)
            result, speed = x + (gap + lead) * decay, (s[state + 2] - omega * lead) * decay
        store = result
        if keep:
            s[state + 2] = speed if math.isfinite(speed) else 0.0
    elif op == COUNT:
        result = store = kept + (1.0 if x != 0.0 and dt > 0.0 else 0.0)
    else:
        drawn, share = s[state + 2], kept
        if began or (z != 0.0 and dt > 0.0):
            share = random_number(seed + place, np.int64(drawn))
            if keep:
                s[state + 2] = drawn + 1.0
        result, store = x + (y - x) * share, share
    if keep:
        s[state] = 1.0
        s[state + 1] = store if math.isfinite(store) else 0.0
    return result


@part
def _wide(op, f, a, b):
    """Ops of vectors and quaternions: up to four numbers."""
    x, y, z, w = f[a], f[a + 1], f[a + 2], 0.0
    if op == NORMALISE:
        length = math.sqrt(x * x + y * y + z * z)
        if length > 0.0:
            return x / length, y / length, z / length, 0.0
        return np.nan, np.nan, np.nan, 0.0
    if op == AXIS_ANGLE:
        length = math.sqrt(x * x + y * y + z * z)
        half = f[b] * RADIANS / 2.0
        if length <= 0.0:
            return 0.0, 0.0, 0.0, 1.0
        share = math.sin(half) / length
        return x * share, y * share, z * share, math.cos(half)
    w = f[a + 3]
    if op == YAW:
        return wrapped(2.0 * math.atan2(y, w) / RADIANS), 0.0, 0.0, 0.0
    vx, vy, vz = f[b], f[b + 1], f[b + 2]
    if op == ROTATE:
        tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
        return (
            vx + w * tx + y * tz - z * ty,
            vy + w * ty + z * tx - x * tz,
            vz + w * tz + x * ty - y * tx,
            0.0,
        )
    vw = f[b + 3]
    return (
        w * vx + x * vw + y * vz - z * vy,
        w * vy - x * vz + y * vw + z * vx,
        w * vz + x * vy - y * vx + z * vw,
        w * vw - x * vx - y * vy - z * vz,
    )


@part
def _write(p, sf, wi, out, value, node):
    """Write a value to sf; one that is not finite becomes 0 and flags the op `node`, if that is one."""
    ok = math.isfinite(value)
    sf[out] = value if ok else 0.0
    if not ok and 0 <= node < p[at.H_OP_COUNT]:
        wi[p[at.W_FLAGS] + node] = 1


@part
def run_rows(p, q, si, sf, wi, wf, begin, end, seed):
    """Run some rows once; those that the host answers are passed over."""
    memory, dt = p[at.S_MEMORY], sf[0]
    for k in range(begin, end):
        r = p[at.H_ROWS] + k * COLUMNS
        op, out, a, b, c, state, node = p[r], p[r + 1], p[r + 2], p[r + 3], p[r + 4], p[r + 5], p[r + 6]
        if op < NORMALISE:
            _write(p, sf, wi, out, _arithmetic(op, sf[a], sf[b], sf[c]), node)
        elif op < MAP:
            v0, v1, v2, v3 = _wide(op, sf, a, b)
            width = 1 if op == YAW else (4 if op in (COMPOSE, AXIS_ANGLE) else 3)
            _write(p, sf, wi, out, v0, node)
            if width > 1:
                _write(p, sf, wi, out + 1, v1, node)
                _write(p, sf, wi, out + 2, v2, node)
            if width > 3:
                _write(p, sf, wi, out + 3, v3, node)
        elif op == MAP:
            wf[at.Y_ASKED] = sf[a]
            value = ask(p[at.H_MAP_VALUE], p, q, si, sf, wi, wf, c)
            _write(p, sf, wi, out, value, node)
        elif op < GROUND_HEIGHT:
            value = _with_state(op, sf[a], sf[b], sf[c], sf, memory + state, dt, seed, state)
            _write(p, sf, wi, out, value, node)
