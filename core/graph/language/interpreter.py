"""Runs the rows of a program in plain Python: the twin that the kernel is held against."""

import math
from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.graph.language.program import DT, Op, Program

RADIANS = math.pi / 180.0
GOLDEN = 0x9E3779B97F4A7C15
MASK = 0xFFFFFFFFFFFFFFFF

Track = Callable[[float], float]
Ground = Callable[[FloatArray], tuple[float, FloatArray]]


def random_number(seed: int, count: int) -> float:
    """A number in 0..1 drawn by counting (splitmix64 of Steele, Lea and Flood, 2014): no hidden state."""
    z = (seed * GOLDEN + (count + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return float((z ^ (z >> 31)) >> 11) / float(1 << 53)


def run(
    program: Program,
    registers: FloatArray,
    states: FloatArray,
    seed: int = 0,
    tracks: tuple[Track, ...] = (),
    ground: Ground | None = None,
) -> set[int]:
    """Run every row once; registers and states are changed in place.

    Register `DT` holds the step's seconds; at 0 the states stay as they are.

    Parameters
    ----------
    registers : ``(R,)``
    states : ``(S,)``, all 0 before the first run
    seed : of ``random``
    tracks : the graph's named tracks, for ``map``
    ground : height and normal at a place ``(3,)``; flat ground at height 0 where left out

    Returns
    -------
    flagged : numbers of the nodes with an operation that had no answer (see `Op`)
    """
    flagged: set[int] = set()
    dt = float(registers[DT])
    for op, out, a, b, c, state, node in program.rows.tolist():
        if op >= Op.GROUND_HEIGHT:
            height, normal = (
                (0.0, np.array([0.0, 1.0, 0.0])) if ground is None else ground(registers[a : a + 3])
            )
            values = [height] if op == Op.GROUND_HEIGHT else [float(x) for x in normal]
        elif op >= Op.PREVIOUS:
            values = [_with_state(op, registers[[a, b, c]], states[state : state + 3], dt, seed, state)]
        elif op in _WIDE:
            values = _WIDE[op](registers, a, b)
        elif op == Op.MAP:
            values = [tracks[c](float(registers[a]))]
        else:
            values = [_PLAIN[op](float(registers[a]), float(registers[b]), float(registers[c]))]
        for offset, value in enumerate(values):
            ok = math.isfinite(value)
            registers[out + offset] = value if ok else 0.0
            if not ok:
                flagged.add(node)
    return flagged


def _with_state(op: int, inputs: FloatArray, s: FloatArray, dt: float, seed: int, place: int) -> float:
    """One op with state: `s` is a view that begins at its numbers, the first of which says whether it ran."""
    began = s[0] == 0.0
    x, y, z = inputs.tolist()
    kept = float(s[1])
    keep = dt > 0.0 or began  # a step of no seconds changes nothing but a first value
    result, store = 0.0, kept
    if op == Op.PREVIOUS:
        result, store = (x if began else kept), x
    elif op == Op.HELD:
        result = kept if x != 0.0 else 0.0
        store = result + dt if x != 0.0 else 0.0
    elif op == Op.TIMER:
        result = 0.0 if x != 0.0 else kept
        store = result + dt
    elif op == Op.LATCH:
        result = store = y if began or x != 0.0 else kept
    elif op == Op.HYSTERESIS:
        on = x >= z if began or kept == 0.0 else x > y
        result = store = float(on)
    elif op == Op.FOLLOW:
        most = max(y, 0.0) * dt
        result = store = x if began else kept + min(max(x - kept, -most), most)
    elif op == Op.EASE_TO:
        share = 1.0 - 2.0 ** (-dt / y) if y > 0.0 else 1.0
        result = store = x if began else kept + (x - kept) * share
    elif op == Op.SPRING:
        if began or y <= 0.0:
            result, speed = x, 0.0
        else:
            # As `core.blending.smoothing`: exact solution of x'' = −2ωx' − ω²x with ω = 6 / time.
            omega, gap = 6.0 / y, kept - x
            lead = (float(s[2]) + omega * gap) * dt
            decay = math.exp(-omega * dt)
            result, speed = x + (gap + lead) * decay, (float(s[2]) - omega * lead) * decay
        store = result
        if keep:
            s[2] = speed if math.isfinite(speed) else 0.0
    elif op == Op.COUNT:
        result = store = kept + (x != 0.0 and dt > 0.0)
    elif op == Op.RANDOM:
        drawn = float(s[2])
        if began or (z != 0.0 and dt > 0.0):
            share = random_number(seed + place, int(drawn))
            if keep:
                s[2] = drawn + 1.0
        else:
            share = kept
        result, store = x + (y - x) * share, share
    if keep:
        s[0] = 1.0
        s[1] = store if math.isfinite(store) else 0.0
    return result


def _divide(a: float, b: float) -> float:
    return a / b if b != 0.0 else math.nan


def _floor_divide(a: float, b: float) -> float:
    return float(math.floor(a / b)) if b != 0.0 and math.isfinite(a / b) else math.nan


def _modulo(a: float, b: float) -> float:
    return a - b * math.floor(a / b) if b != 0.0 and math.isfinite(a / b) else math.nan


def _power(a: float, b: float) -> float:
    if (a == 0.0 and b < 0.0) or (a < 0.0 and b != math.floor(b)):
        return math.nan
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.nan


def _exp(a: float) -> float:
    return math.exp(a) if a < 709.0 else math.nan


def _round(a: float) -> float:
    return math.copysign(math.floor(abs(a) + 0.5), a) if a else 0.0


def wrapped(a: float) -> float:
    """An angle in (−180, 180]."""
    turned = a - 360.0 * math.floor((a + 180.0) / 360.0)
    return 180.0 if turned <= -180.0 else turned


def _sign(a: float) -> float:
    return float((a > 0.0) - (a < 0.0))


def _kept(a: float) -> float:
    return min(max(a, -1.0), 1.0)


_PLAIN: dict[int, Callable[[float, float, float], float]] = {
    Op.COPY: lambda a, b, c: a,
    Op.ADD: lambda a, b, c: a + b,
    Op.SUBTRACT: lambda a, b, c: a - b,
    Op.MULTIPLY: lambda a, b, c: a * b,
    Op.DIVIDE: lambda a, b, c: _divide(a, b),
    Op.FLOOR_DIVIDE: lambda a, b, c: _floor_divide(a, b),
    Op.MODULO: lambda a, b, c: _modulo(a, b),
    Op.POWER: lambda a, b, c: _power(a, b),
    Op.NEGATE: lambda a, b, c: -a,
    Op.LESS: lambda a, b, c: float(a < b),
    Op.LESS_EQUAL: lambda a, b, c: float(a <= b),
    Op.EQUAL: lambda a, b, c: float(a == b),
    Op.NOT_EQUAL: lambda a, b, c: float(a != b),
    Op.AND: lambda a, b, c: float(a != 0.0 and b != 0.0),
    Op.OR: lambda a, b, c: float(a != 0.0 or b != 0.0),
    Op.NOT: lambda a, b, c: float(a == 0.0),
    Op.SELECT: lambda a, b, c: b if a != 0.0 else c,
    Op.ABS: lambda a, b, c: abs(a),
    Op.SIGN: lambda a, b, c: _sign(a),
    Op.MINIMUM: lambda a, b, c: min(a, b),
    Op.MAXIMUM: lambda a, b, c: max(a, b),
    Op.FLOOR: lambda a, b, c: float(math.floor(a)),
    Op.CEIL: lambda a, b, c: float(math.ceil(a)),
    Op.ROUND: lambda a, b, c: _round(a),
    Op.WRAP: lambda a, b, c: wrapped(a),
    Op.SQRT: lambda a, b, c: math.sqrt(a) if a >= 0.0 else math.nan,
    Op.EXP: lambda a, b, c: _exp(a),
    Op.LOG: lambda a, b, c: math.log(a) if a > 0.0 else math.nan,
    Op.SIN: lambda a, b, c: math.sin(a * RADIANS),
    Op.COS: lambda a, b, c: math.cos(a * RADIANS),
    Op.TAN: lambda a, b, c: math.tan(a * RADIANS),
    Op.ASIN: lambda a, b, c: math.asin(_kept(a)) / RADIANS,
    Op.ACOS: lambda a, b, c: math.acos(_kept(a)) / RADIANS,
    Op.ATAN2: lambda a, b, c: math.atan2(a, b) / RADIANS,
}


def _normalise(f: FloatArray, a: int, b: int) -> list[float]:
    x, y, z = (float(f[a + i]) for i in range(3))
    length = math.sqrt(x * x + y * y + z * z)
    return [x / length, y / length, z / length] if length > 0.0 else [math.nan] * 3


def _rotate(f: FloatArray, a: int, b: int) -> list[float]:
    x, y, z, w = (float(f[a + i]) for i in range(4))
    vx, vy, vz = (float(f[b + i]) for i in range(3))
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return [
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    ]


def _compose(f: FloatArray, a: int, b: int) -> list[float]:
    ax, ay, az, aw = (float(f[a + i]) for i in range(4))
    bx, by, bz, bw = (float(f[b + i]) for i in range(4))
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def _yaw(f: FloatArray, a: int, b: int) -> list[float]:
    return [wrapped(2.0 * math.atan2(float(f[a + 1]), float(f[a + 3])) / RADIANS)]


def _axis_angle(f: FloatArray, a: int, b: int) -> list[float]:
    x, y, z = (float(f[a + i]) for i in range(3))
    length = math.sqrt(x * x + y * y + z * z)
    half = float(f[b]) * RADIANS / 2.0
    if length <= 0.0:
        return [0.0, 0.0, 0.0, 1.0]
    share = math.sin(half) / length
    return [x * share, y * share, z * share, math.cos(half)]


_WIDE: dict[int, Callable[[FloatArray, int, int], list[float]]] = {
    Op.NORMALISE: _normalise,
    Op.ROTATE: _rotate,
    Op.COMPOSE: _compose,
    Op.YAW: _yaw,
    Op.AXIS_ANGLE: _axis_angle,
}
