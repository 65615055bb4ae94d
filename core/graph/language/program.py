"""Byte code of expressions: rows over a register file of float64 numbers.

A row is ``[op, out, a, b, c, state, node]``: it reads the registers `a`, `b`, `c` (the first of a vector's or
quaternion's numbers), writes `out`, and may keep numbers in the state from `state` on. Every operand is always
evaluated, so a program is a straight line: it ends, and costs the same every step.
"""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.graph.language.values import Value, ValueType


class Op(IntEnum):
    """What a row does. Angles are degrees; truth is 1 or 0. A result that is not finite is 0 and flags the node."""

    COPY = 0  # a
    ADD = 1
    SUBTRACT = 2
    MULTIPLY = 3
    DIVIDE = 4  # x / 0 is 0, flagged
    FLOOR_DIVIDE = 5
    MODULO = 6  # the sign of the divisor, as in Python
    POWER = 7
    NEGATE = 8
    LESS = 9
    LESS_EQUAL = 10
    EQUAL = 11
    NOT_EQUAL = 12
    AND = 13
    OR = 14
    NOT = 15
    SELECT = 16  # b where a, else c
    ABS = 17
    SIGN = 18
    MINIMUM = 19
    MAXIMUM = 20
    FLOOR = 21
    CEIL = 22
    ROUND = 23  # half away from zero
    WRAP = 24  # into (-180, 180]
    SQRT = 25
    EXP = 26
    LOG = 27
    SIN = 28
    COS = 29
    TAN = 30
    ASIN = 31  # its argument is kept within -1..1
    ACOS = 32
    ATAN2 = 33  # a is y, b is x
    NORMALISE = 34  # a vector; zero stays zero, flagged
    ROTATE = 35  # vector b by quaternion a
    COMPOSE = 36  # quaternion product: b first, then a
    YAW = 37  # degrees about +Y of a quaternion
    AXIS_ANGLE = 38  # vector a, degrees b
    MAP = 39  # named track number `c` at a
    # With state. State number 0 of each says whether it has run before.
    PREVIOUS = 64  # a of the step before; a itself at first
    HELD = 65  # seconds a has been true
    TIMER = 66  # seconds since a was true, or since the start
    LATCH = 67  # b of the last time a was true
    HYSTERESIS = 68  # a against b (low) and c (high)
    FOLLOW = 69  # toward a, by at most b a second
    EASE_TO = 70  # toward a, half of the way in b seconds
    SPRING = 71  # toward a, critically damped, about settled after b seconds
    COUNT = 72  # how often a was true
    RANDOM = 73  # between a and b, drawn when c is true and at the start
    # Answered by the host, between two runs of the rows.
    GROUND_HEIGHT = 96  # height of the ground at vector a
    GROUND_NORMAL = 97  # its normal, a vector


STATES = {
    Op.PREVIOUS: 2,
    Op.HELD: 2,
    Op.TIMER: 2,
    Op.LATCH: 2,
    Op.HYSTERESIS: 2,
    Op.FOLLOW: 2,
    Op.EASE_TO: 2,
    Op.SPRING: 3,
    Op.COUNT: 2,
    Op.RANDOM: 3,
}
"""Numbers of state that an op keeps."""

FIRST_HOST_OP = Op.GROUND_HEIGHT
COLUMNS = 7
DT = 0
"""Register that holds the step's seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Rows to run once a step.

    Parameters
    ----------
    rows : ``(N, 7)`` int64, see the module
    registers : ``(R,)`` the register file at the start: constants and defaults in place
    states : how many numbers of state the rows keep
    """

    rows: npt.NDArray[np.int64]
    registers: FloatArray
    states: int


@dataclass(slots=True)
class ProgramBuilder:
    """Collects rows; places for values and states are given out in order, so that equal input gives equal code."""

    rows: list[tuple[int, ...]] = field(default_factory=list)
    registers: list[float] = field(default_factory=lambda: [0.0])
    states: int = 0
    constants: dict[tuple[float, ...], int] = field(default_factory=dict)

    def place(self, type_: ValueType, initial: tuple[float, ...] = ()) -> Value:
        """A new place for a value, holding `initial` (zeros where left out) at the start."""
        register = len(self.registers)
        self.registers.extend(initial or (0.0,) * type_.width)
        return Value(type_, register)

    def constant(self, type_: ValueType, *numbers: float) -> Value:
        """A place that holds a constant; equal constants share one."""
        if numbers not in self.constants:
            self.constants[numbers] = self.place(type_, numbers).register
        return Value(type_, self.constants[numbers])

    def emit(self, op: Op, type_: ValueType, *operands: int, node: int = -1, c: int | None = None) -> Value:
        """Add a row whose result takes a new place.

        Parameters
        ----------
        operands : registers of a, b, c
        node : number of the node that is flagged where the op has no answer
        c : for ops whose third operand is not a register
        """
        out = self.place(type_)
        self.write(op, out.register, *operands, node=node, c=c)
        return out

    def write(self, op: Op, out: int, *operands: int, node: int = -1, c: int | None = None) -> None:
        """Add a row whose result goes to a place that is there already."""
        state = -1
        if op in STATES:
            state = self.states
            self.states += STATES[op]
        a, b, third = (*operands, 0, 0, 0)[:3]
        self.rows.append((int(op), out, a, b, third if c is None else c, state, node))

    def finish(self) -> Program:
        """The program as arrays."""
        rows = np.array(self.rows, dtype=np.int64).reshape(-1, COLUMNS)
        return Program(rows, np.array(self.registers, dtype=np.float64), self.states)
