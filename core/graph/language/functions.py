"""The functions of the expression language: what they take, and the rows they become.

Most are written with few ops, so that kernel and twin stay small. Functions that read the graph (``curve``,
``state``, ``take`` …) are not here: the scope answers those.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.graph.language.program import DT, Op
from core.graph.language.values import BOOL, FLOAT, INT, QUATERNION, VECTOR, Value, ValueType


class Emitter(Protocol):
    """What a function needs to become rows; see `compiler`."""

    def op(self, op: Op, type_: ValueType, *operands: Value) -> Value:
        """Add a row."""
        ...

    def number(self, value: float) -> Value:
        """A constant float."""
        ...

    def part(self, value: Value, index: int) -> Value:
        """One component of a vector."""
        ...

    def gather(self, *parts: Value) -> Value:
        """A vector of three numbers, a rotation of four."""
        ...

    def common(self, values: Sequence[Value]) -> ValueType:
        """The type that all of some values may be taken as; an error where there is none."""
        ...


Build = Callable[[Emitter, Sequence[Value]], Value]


@dataclass(frozen=True, slots=True)
class Function:
    """One function of the language.

    Parameters
    ----------
    parameters : the names of its arguments, as help and errors show them
    types : what each must be: a type, or None for whatever the function accepts by itself (`Emitter.common`)
    help : one line
    variadic : whether the last argument may be repeated
    """

    parameters: tuple[str, ...]
    types: tuple[ValueType | None, ...]
    help: str
    build: Build
    variadic: bool = False


def _row(op: Op, result: ValueType) -> Build:
    return lambda emit, values: emit.op(op, result, *values)


def _kept(op: Op) -> Build:
    """An op whose result has the type of its operands, which agree."""

    def build(emit: Emitter, values: Sequence[Value]) -> Value:
        return emit.op(op, emit.common(values), *values)

    return build


def _folded(op: Op) -> Build:
    def build(emit: Emitter, values: Sequence[Value]) -> Value:
        kind = emit.common(values)
        result = values[0]
        for value in values[1:]:
            result = emit.op(op, kind, result, value)
        return result

    return build


def each(emit: Emitter, values: Sequence[Value], build: Build) -> Value:
    """Apply a function of numbers to numbers, or to each component of vectors; numbers beside vectors are shared."""
    kind = emit.common([v for v in values if v.type == VECTOR] or values)
    if kind != VECTOR:
        return build(emit, values)
    parts = [
        build(emit, [emit.part(v, axis) if v.type == VECTOR else v for v in values]) for axis in range(3)
    ]
    return emit.gather(*parts)


def _componentwise(build: Build) -> Build:
    return lambda emit, values: each(emit, values, build)


def _if(emit: Emitter, values: Sequence[Value]) -> Value:
    condition, yes, no = values
    kind = emit.common([yes, no])
    if kind.width == 1:
        return emit.op(Op.SELECT, kind, condition, yes, no)
    parts = (
        emit.op(Op.SELECT, FLOAT, condition, emit.part(yes, k), emit.part(no, k)) for k in range(kind.width)
    )
    return emit.gather(*parts)


def _clamp(emit: Emitter, values: Sequence[Value]) -> Value:
    x, low, high = values
    kind = emit.common(values)
    return emit.op(Op.MINIMUM, kind, emit.op(Op.MAXIMUM, kind, x, low), high)


def _lerp(emit: Emitter, values: Sequence[Value]) -> Value:
    a, b, t = values
    return emit.op(Op.ADD, FLOAT, a, emit.op(Op.MULTIPLY, FLOAT, emit.op(Op.SUBTRACT, FLOAT, b, a), t))


def _unlerp(emit: Emitter, values: Sequence[Value]) -> Value:
    a, b, x = values
    return emit.op(Op.DIVIDE, FLOAT, emit.op(Op.SUBTRACT, FLOAT, x, a), emit.op(Op.SUBTRACT, FLOAT, b, a))


def _remap(emit: Emitter, values: Sequence[Value]) -> Value:
    x, a, b, c, d = values
    return _lerp(emit, [c, d, _unlerp(emit, [a, b, x])])


def _step(emit: Emitter, values: Sequence[Value]) -> Value:
    edge, x = values
    return emit.op(
        Op.SELECT, FLOAT, emit.op(Op.LESS_EQUAL, BOOL, edge, x), emit.number(1.0), emit.number(0.0)
    )


def _smoothstep(emit: Emitter, values: Sequence[Value]) -> Value:
    u = _clamp(emit, [_unlerp(emit, values), emit.number(0.0), emit.number(1.0)])
    bend = emit.op(Op.SUBTRACT, FLOAT, emit.number(3.0), emit.op(Op.MULTIPLY, FLOAT, emit.number(2.0), u))
    return emit.op(Op.MULTIPLY, FLOAT, emit.op(Op.MULTIPLY, FLOAT, u, u), bend)


def _frac(emit: Emitter, values: Sequence[Value]) -> Value:
    return emit.op(Op.SUBTRACT, FLOAT, values[0], emit.op(Op.FLOOR, FLOAT, values[0]))


def _angle_diff(emit: Emitter, values: Sequence[Value]) -> Value:
    return emit.op(Op.WRAP, FLOAT, emit.op(Op.SUBTRACT, FLOAT, *values))


def _vec(emit: Emitter, values: Sequence[Value]) -> Value:
    return emit.gather(*values)


def dot(emit: Emitter, values: Sequence[Value]) -> Value:
    """Sum of the products of the components of two vectors."""
    a, b = values
    x, y, z = (emit.op(Op.MULTIPLY, FLOAT, emit.part(a, i), emit.part(b, i)) for i in range(3))
    return emit.op(Op.ADD, FLOAT, emit.op(Op.ADD, FLOAT, x, y), z)


def _length(emit: Emitter, values: Sequence[Value]) -> Value:
    return emit.op(Op.SQRT, FLOAT, dot(emit, [values[0], values[0]]))


def _cross(emit: Emitter, values: Sequence[Value]) -> Value:
    a, b = values

    def minor(i: int, j: int) -> Value:
        left = emit.op(Op.MULTIPLY, FLOAT, emit.part(a, i), emit.part(b, j))
        return emit.op(
            Op.SUBTRACT, FLOAT, left, emit.op(Op.MULTIPLY, FLOAT, emit.part(a, j), emit.part(b, i))
        )

    return emit.gather(minor(1, 2), minor(2, 0), minor(0, 1))


def _previous(emit: Emitter, values: Sequence[Value]) -> Value:
    value = values[0]
    if value.type == VECTOR:
        return each(emit, values, _kept(Op.PREVIOUS))
    return emit.op(Op.PREVIOUS, value.type, value)


def _delta_of(emit: Emitter, values: Sequence[Value]) -> Value:
    return emit.op(
        Op.SUBTRACT, emit.common(values), values[0], emit.op(Op.PREVIOUS, values[0].type, values[0])
    )


def _rate_of(emit: Emitter, values: Sequence[Value]) -> Value:
    # A step of no seconds has no rate: 0, and no flag, since that is no fault of the expression.
    dt = Value(FLOAT, DT)
    moving = emit.op(Op.LESS, BOOL, emit.number(0.0), dt)
    safe = emit.op(Op.SELECT, FLOAT, moving, dt, emit.number(1.0))
    rate = emit.op(Op.DIVIDE, FLOAT, _delta_of(emit, values), safe)
    return emit.op(Op.SELECT, FLOAT, moving, rate, emit.number(0.0))


def _rose(emit: Emitter, values: Sequence[Value]) -> Value:
    before = emit.op(Op.PREVIOUS, BOOL, values[0])
    return emit.op(Op.AND, BOOL, values[0], emit.op(Op.NOT, BOOL, before))


def _fell(emit: Emitter, values: Sequence[Value]) -> Value:
    before = emit.op(Op.PREVIOUS, BOOL, values[0])
    return emit.op(Op.AND, BOOL, before, emit.op(Op.NOT, BOOL, values[0]))


def _latch(emit: Emitter, values: Sequence[Value]) -> Value:
    return emit.op(Op.LATCH, values[1].type, *values)


_F, _B, _V, _Q = FLOAT, BOOL, VECTOR, QUATERNION

FUNCTIONS: dict[str, Function] = {
    "if": Function(("c", "a", "b"), (_B, None, None), "a where c holds, else b", _if),
    "abs": Function(("x",), (_F,), "size without sign", _row(Op.ABS, _F)),
    "sign": Function(("x",), (_F,), "-1, 0 or 1", _row(Op.SIGN, _F)),
    "min": Function(("a", "b"), (None, None), "the smallest", _folded(Op.MINIMUM), variadic=True),
    "max": Function(("a", "b"), (None, None), "the largest", _folded(Op.MAXIMUM), variadic=True),
    "clamp": Function(("x", "low", "high"), (None, None, None), "x kept within low and high", _clamp),
    "lerp": Function(("a", "b", "t"), (None, None, _F), "a at t = 0, b at t = 1", _componentwise(_lerp)),
    "unlerp": Function(("a", "b", "x"), (_F, _F, _F), "where x lies between a (0) and b (1)", _unlerp),
    "remap": Function(("x", "a", "b", "c", "d"), (_F,) * 5, "x from a..b to c..d, not clamped", _remap),
    "step": Function(("edge", "x"), (_F, _F), "0 below the edge, 1 from it on", _step),
    "smoothstep": Function(("a", "b", "x"), (_F, _F, _F), "a smooth 0 to 1 between a and b", _smoothstep),
    "floor": Function(("x",), (_F,), "the whole number below", _row(Op.FLOOR, INT)),
    "ceil": Function(("x",), (_F,), "the whole number above", _row(Op.CEIL, INT)),
    "round": Function(("x",), (_F,), "the nearest whole number", _row(Op.ROUND, INT)),
    "frac": Function(("x",), (_F,), "x less the whole number below", _frac),
    "wrap": Function(("a",), (_F,), "an angle within -180..180 degrees", _row(Op.WRAP, _F)),
    "angle_diff": Function(("a", "b"), (_F, _F), "a less b the short way, degrees", _angle_diff),
    "sqrt": Function(("x",), (_F,), "square root; 0 below 0", _row(Op.SQRT, _F)),
    "exp": Function(("x",), (_F,), "e to the power of x", _row(Op.EXP, _F)),
    "log": Function(("x",), (_F,), "natural logarithm; 0 where x is not above 0", _row(Op.LOG, _F)),
    "sin": Function(("a",), (_F,), "sine of degrees", _row(Op.SIN, _F)),
    "cos": Function(("a",), (_F,), "cosine of degrees", _row(Op.COS, _F)),
    "tan": Function(("a",), (_F,), "tangent of degrees", _row(Op.TAN, _F)),
    "asin": Function(("x",), (_F,), "degrees; x is kept within -1..1", _row(Op.ASIN, _F)),
    "acos": Function(("x",), (_F,), "degrees; x is kept within -1..1", _row(Op.ACOS, _F)),
    "atan2": Function(("y", "x"), (_F, _F), "degrees of the direction (x, y)", _row(Op.ATAN2, _F)),
    "vec": Function(("x", "y", "z"), (_F, _F, _F), "a vector", _vec),
    "length": Function(("v",), (_V,), "length of a vector", _length),
    "dot": Function(("a", "b"), (_V, _V), "dot product", dot),
    "cross": Function(("a", "b"), (_V, _V), "cross product", _cross),
    "normalise": Function(("v",), (_V,), "the vector at length 1; 0 stays 0", _row(Op.NORMALISE, _V)),
    "rotate": Function(("q", "v"), (_Q, _V), "the vector turned by the rotation", _row(Op.ROTATE, _V)),
    "yaw": Function(("q",), (_Q,), "degrees that a rotation turns about +Y", _row(Op.YAW, _F)),
    "axis_angle": Function(("axis", "a"), (_V, _F), "a rotation by degrees", _row(Op.AXIS_ANGLE, _Q)),
    "previous": Function(("x",), (None,), "x of the step before", _previous),
    "delta": Function(("x",), (None,), "x less previous(x)", _componentwise(_delta_of)),
    "rate": Function(("x",), (None,), "delta(x) a second", _componentwise(_rate_of)),
    "rose": Function(("b",), (_B,), "true in the step in which b becomes true", _rose),
    "fell": Function(("b",), (_B,), "true in the step in which b becomes false", _fell),
    "held": Function(("b",), (_B,), "seconds b has been true", _row(Op.HELD, _F)),
    "timer": Function(("b",), (_B,), "seconds since b was true, or since the start", _row(Op.TIMER, _F)),
    "latch": Function(("b", "x"), (_B, None), "x of the last step in which b was true", _latch),
    "hysteresis": Function(
        ("x", "low", "high"), (_F, _F, _F), "true from high on, until low", _row(Op.HYSTERESIS, _B)
    ),
    "follow": Function(("x", "v"), (_F, _F), "goes to x by at most v a second", _row(Op.FOLLOW, _F)),
    "ease_to": Function(("x", "h"), (_F, _F), "goes to x, half the way in h seconds", _row(Op.EASE_TO, _F)),
    "spring": Function(("x", "t"), (_F, _F), "a spring to x, settled after about t s", _row(Op.SPRING, _F)),
    "count": Function(("e",), (_B,), "in how many steps e was true", _row(Op.COUNT, INT)),
    "random": Function(
        ("low", "high", "e"), (_F, _F, _B), "drawn when e is true, and at the start", _row(Op.RANDOM, _F)
    ),
    "ground_height": Function(("v",), (_V,), "height of the ground at a place", _row(Op.GROUND_HEIGHT, _F)),
    "ground_normal": Function(("v",), (_V,), "normal of the ground at a place", _row(Op.GROUND_NORMAL, _V)),
}
