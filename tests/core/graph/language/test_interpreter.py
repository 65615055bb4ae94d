"""Rows of a program one by one: every op with exact numbers, its edges, its state over steps, and what it flags."""

import math

import numpy as np
import pytest

from core.graph.language import interpreter
from core.graph.language.program import DT, STATES, Op, ProgramBuilder
from core.graph.language.values import FLOAT, INT, QUATERNION, VECTOR, ValueType

NAN = math.nan
INF = math.inf
WIDE = {Op.NORMALISE: VECTOR, Op.ROTATE: VECTOR, Op.COMPOSE: QUATERNION, Op.AXIS_ANGLE: QUATERNION}
TYPES = {Op.NORMALISE: (3,), Op.ROTATE: (4, 3), Op.COMPOSE: (4, 4), Op.YAW: (4,), Op.AXIS_ANGLE: (3, 1)}
WIDTHS = {1: FLOAT, 3: VECTOR, 4: QUATERNION}


class Row:
    """One op whose operands are written before each step; node 5 is flagged."""

    def __init__(self, op: Op, *sizes: int, seed: int = 0) -> None:
        builder = ProgramBuilder()
        builder.states = 2  # what other rows keep in front of it
        self.places = [builder.place(WIDTHS[size]).register for size in sizes]
        type_: ValueType = WIDE.get(op, FLOAT)
        self.out = builder.emit(op, type_, *self.places, node=5)
        builder.states += 2
        self.program, self.seed = builder.finish(), seed
        self.registers = self.program.registers.copy()
        self.states = np.zeros(self.program.states + 3)
        self.flagged: set[int] = set()

    def step(self, *operands, dt: float = 0.1):
        self.registers[DT] = dt
        for place, value in zip(self.places, operands, strict=True):
            numbers = np.atleast_1d(np.array(value, dtype=float))
            self.registers[place : place + len(numbers)] = numbers
        self.flagged = interpreter.run(self.program, self.registers, self.states, self.seed)
        first = self.out.register
        found = self.registers[first : first + self.out.type.width].tolist()
        return found[0] if len(found) == 1 else found


ROWS = [
    (Op.COPY, (3.5,), 3.5), (Op.ADD, (2.0, 3.0), 5.0), (Op.SUBTRACT, (2.0, 3.5), -1.5),
    (Op.MULTIPLY, (2.0, -3.5), -7.0), (Op.DIVIDE, (7.0, 2.0), 3.5), (Op.DIVIDE, (7.0, 0.0), None),
    (Op.FLOOR_DIVIDE, (7.0, 2.0), 3.0), (Op.FLOOR_DIVIDE, (-7.0, 2.0), -4.0), (Op.FLOOR_DIVIDE, (7.0, 0.0), None),
    (Op.FLOOR_DIVIDE, (1e300, 1e-300), None), (Op.MODULO, (7.5, 2.0), 1.5), (Op.MODULO, (-7.5, 2.0), 0.5),
    (Op.MODULO, (7.5, -2.0), -0.5), (Op.MODULO, (7.0, 0.0), None), (Op.MODULO, (1e300, 1e-300), None),
    (Op.POWER, (2.0, 10.0), 1024.0), (Op.POWER, (-2.0, 3.0), -8.0), (Op.POWER, (-2.0, 0.5), None),
    (Op.POWER, (0.0, -1.0), None), (Op.POWER, (0.0, 0.0), 1.0), (Op.POWER, (0.0, 2.0), 0.0),
    (Op.POWER, (10.0, 400.0), None), (Op.POWER, (4.0, -0.5), 0.5), (Op.NEGATE, (3.0,), -3.0),
    (Op.LESS, (1.0, 2.0), 1.0), (Op.LESS, (2.0, 2.0), 0.0), (Op.LESS, (3.0, 2.0), 0.0),
    (Op.LESS_EQUAL, (1.0, 2.0), 1.0), (Op.LESS_EQUAL, (2.0, 2.0), 1.0), (Op.LESS_EQUAL, (3.0, 2.0), 0.0),
    (Op.EQUAL, (2.0, 2.0), 1.0), (Op.EQUAL, (2.0, 3.0), 0.0), (Op.NOT_EQUAL, (2.0, 2.0), 0.0),
    (Op.NOT_EQUAL, (2.0, 3.0), 1.0), (Op.AND, (0.0, 0.0), 0.0), (Op.AND, (1.0, 0.0), 0.0), (Op.AND, (0.0, 1.0), 0.0),
    (Op.AND, (1.0, 2.0), 1.0), (Op.OR, (0.0, 0.0), 0.0), (Op.OR, (2.0, 0.0), 1.0), (Op.OR, (0.0, 2.0), 1.0),
    (Op.OR, (1.0, 1.0), 1.0), (Op.NOT, (0.0,), 1.0), (Op.NOT, (2.0,), 0.0), (Op.SELECT, (0.0, 5.0, 6.0), 6.0),
    (Op.SELECT, (2.0, 5.0, 6.0), 5.0), (Op.ABS, (-2.5,), 2.5), (Op.SIGN, (-2.5,), -1.0), (Op.SIGN, (0.0,), 0.0),
    (Op.SIGN, (0.5,), 1.0), (Op.MINIMUM, (2.0, 3.0), 2.0), (Op.MAXIMUM, (2.0, 3.0), 3.0), (Op.FLOOR, (-1.5,), -2.0),
    (Op.CEIL, (-1.5,), -1.0), (Op.CEIL, (1.5,), 2.0), (Op.ROUND, (2.5,), 3.0), (Op.ROUND, (-2.5,), -3.0),
    (Op.ROUND, (2.4,), 2.0), (Op.ROUND, (0.0,), 0.0), (Op.WRAP, (180.0,), 180.0), (Op.WRAP, (-180.0,), 180.0),
    (Op.WRAP, (190.0,), -170.0), (Op.WRAP, (-190.0,), 170.0), (Op.WRAP, (725.0,), 5.0), (Op.SQRT, (2.25,), 1.5),
    (Op.SQRT, (0.0,), 0.0), (Op.SQRT, (-1.0,), None), (Op.EXP, (1.0,), math.e), (Op.EXP, (708.9,), math.exp(708.9)),
    (Op.EXP, (709.0,), None), (Op.LOG, (math.e,), 1.0), (Op.LOG, (0.0,), None), (Op.LOG, (-1.0,), None),
    (Op.SIN, (30.0,), 0.5), (Op.COS, (60.0,), 0.5), (Op.TAN, (45.0,), 1.0), (Op.ASIN, (0.5,), 30.0),
    (Op.ASIN, (7.0,), 90.0), (Op.ASIN, (-7.0,), -90.0), (Op.ACOS, (0.5,), 60.0), (Op.ACOS, (7.0,), 0.0),
    (Op.ACOS, (-7.0,), 180.0), (Op.ATAN2, (1.0, -1.0), 135.0), (Op.ATAN2, (-1.0, 0.0), -90.0),
    (Op.NORMALISE, ((3.0, 0.0, 4.0),), (0.6, 0.0, 0.8)), (Op.NORMALISE, ((0.0, -2.0, 0.0),), (0.0, -1.0, 0.0)),
    (Op.ROTATE, ((0.0, 0.0, 0.6, 0.8), (1.0, 0.0, 0.0)), (0.28, 0.96, 0.0)),
    (Op.ROTATE, ((0.6, 0.0, 0.0, 0.8), (1.0, 2.0, 3.0)), (1.0, 0.56 - 2.88, 1.92 + 0.84)),
    (Op.ROTATE, ((0.0, 0.6, 0.0, 0.8), (1.0, 2.0, 3.0)), (0.28 + 2.88, 2.0, 0.84 - 0.96)),
    (Op.COMPOSE, ((0.6, 0.0, 0.0, 0.8), (0.0, 0.6, 0.0, 0.8)), (0.48, 0.48, 0.36, 0.64)),
    (Op.COMPOSE, ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0)), (24.0, 48.0, 48.0, -6.0)),
    (Op.YAW, ((0.0, math.sin(0.3), 0.0, math.cos(0.3)),), math.degrees(0.6)),
    (Op.YAW, ((0.0, -1.0, 0.0, 0.0),), 180.0), (Op.YAW, ((0.3, 0.0, 0.0, 1.0),), 0.0),
    (Op.AXIS_ANGLE, ((0.0, 0.0, 2.0), 90.0), (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))),
    (Op.AXIS_ANGLE, ((3.0, 4.0, 0.0), 60.0), (0.3, 0.4, 0.0, math.sqrt(0.75))),
    (Op.AXIS_ANGLE, ((0.0, 0.0, 0.0), 60.0), (0.0, 0.0, 0.0, 1.0)),
]  # fmt: skip


@pytest.mark.parametrize(("op", "operands", "wanted"), ROWS, ids=lambda v: getattr(v, "name", str(v)[:24]))
def test_op_gives(op, operands, wanted):
    row = Row(op, *TYPES.get(op, (1,) * len(operands)))
    found = row.step(*operands)
    if wanted is None:  # no answer: nought, and the node is told
        assert (found, row.flagged) == (0.0, {5})
    else:
        assert found == pytest.approx(
            list(wanted) if isinstance(wanted, tuple) else wanted, rel=1e-13, abs=1e-13
        )
        assert row.flagged == set()


def test_a_direction_of_nothing_is_nothing_and_told():
    row = Row(Op.NORMALISE, 3)
    assert (row.step((0.0, 0.0, 0.0)), row.flagged) == ([0.0, 0.0, 0.0], {5})
    assert (row.step((0.0, 0.0, 1e-200)), row.flagged) == ([0.0, 0.0, 0.0], {5})


def test_every_op_is_in_the_tables():
    plain = {op for op, _, _ in ROWS}
    assert plain | set(STATES) | {Op.MAP, Op.GROUND_HEIGHT, Op.GROUND_NORMAL} == set(Op)


OVER_STEPS = [
    # op, steps of (dt, operands), what each gives
    (Op.PREVIOUS, [(0.1, (3.0,)), (0.1, (4.0,)), (0.0, (5.0,)), (0.1, (6.0,)), (0.1, (7.0,))], [3, 3, 4, 4, 6]),
    (Op.PREVIOUS, [(0.0, (3.0,)), (0.0, (4.0,)), (0.1, (5.0,)), (0.1, (6.0,))], [3, 3, 3, 5]),
    (Op.HELD, [(0.1, (1.0,)), (0.2, (1.0,)), (0.0, (1.0,)), (0.1, (2.0,)), (0.1, (0.0,)), (0.1, (1.0,))],
     [0, 0.1, 0.3, 0.3, 0, 0]),
    (Op.TIMER, [(0.1, (0.0,)), (0.2, (0.0,)), (0.0, (0.0,)), (0.1, (1.0,)), (0.1, (0.0,)), (0.1, (0.0,))],
     [0, 0.1, 0.3, 0, 0.1, 0.2]),
    (Op.LATCH, [(0.1, (0.0, 3.0)), (0.1, (0.0, 4.0)), (0.1, (1.0, 5.0)), (0.1, (0.0, 6.0)), (0.0, (1.0, 7.0)),
                (0.1, (0.0, 8.0))], [3, 3, 5, 5, 7, 5]),
    (Op.HYSTERESIS, [(0.1, (2.0, 1.0, 3.0)), (0.1, (3.0, 1.0, 3.0)), (0.1, (2.0, 1.0, 3.0)), (0.1, (1.0, 1.0, 3.0)),
                     (0.1, (2.9, 1.0, 3.0)), (0.0, (3.5, 1.0, 3.0)), (0.1, (2.9, 1.0, 3.0))], [0, 1, 1, 0, 0, 1, 0]),
    (Op.HYSTERESIS, [(0.1, (3.0, 1.0, 3.0)), (0.1, (1.1, 1.0, 3.0))], [1, 1]),
    (Op.FOLLOW, [(0.1, (1.0, 2.0)), (0.1, (5.0, 2.0)), (0.5, (-9.0, 2.0)), (0.0, (9.0, 2.0)), (0.1, (9.0, -2.0)),
                 (0.1, (0.25, 50.0))], [1, 1.2, 0.2, 0.2, 0.2, 0.25]),
    (Op.EASE_TO, [(0.1, (1.0, 0.5)), (0.5, (3.0, 0.5)), (1.0, (3.0, 0.5)), (0.0, (9.0, 0.5)), (0.1, (9.0, 0.0)),
                  (0.1, (5.0, -1.0))], [1, 2, 2.75, 2.75, 9, 5]),
    (Op.COUNT, [(0.1, (1.0,)), (0.1, (0.0,)), (0.0, (1.0,)), (0.1, (2.0,)), (0.1, (1.0,))], [1, 1, 1, 2, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("op", "steps", "wanted"), OVER_STEPS, ids=lambda v: getattr(v, "name", ""))
def test_op_with_state_gives_over_steps(op, steps, wanted):
    row = Row(op, *(1,) * len(steps[0][1]))
    assert [row.step(*operands, dt=dt) for dt, operands in steps] == pytest.approx(wanted, abs=1e-12)
    assert row.states[:2].tolist() == [0.0, 0.0]  # what others keep stays
    assert not row.states[2 + STATES[op] :].any()


def test_a_spring_is_the_exact_solution_and_keeps_its_speed():
    row, time = Row(Op.SPRING, 1, 1), 0.6
    assert row.step(2.0, time) == 2.0
    omega, x, v = 6.0 / time, 2.0, 0.0
    for goal, dt in ((5.0, 0.1), (5.0, 0.05), (-1.0, 0.2), (-1.0, 0.01)):
        gap = x - goal
        c = v + omega * gap
        x, v = goal + (gap + c * dt) * math.exp(-omega * dt), (v - omega * c * dt) * math.exp(-omega * dt)
        assert row.step(goal, time, dt=dt) == pytest.approx(x, abs=1e-12)
        assert row.states[2:5].tolist() == pytest.approx([1.0, x, v], abs=1e-12)
    assert row.step(9.0, time, dt=0.0) == pytest.approx(x)
    assert row.states[4] == pytest.approx(v)
    assert row.step(9.0, 0.0) == 9.0
    assert row.states[4] == 0.0
    assert row.step(4.0, -1.0) == 4.0


def test_a_spring_that_began_in_a_step_of_no_time_stands_still():
    row = Row(Op.SPRING, 1, 1)
    assert row.step(2.0, 0.5, dt=0.0) == 2.0
    assert row.states[2:5].tolist() == [1.0, 2.0, 0.0]


def test_random_numbers_are_drawn_by_counting():
    def drawn(seed, count):
        z = ((seed + count + 1) * 0x9E3779B97F4A7C15) % 2**64
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        return ((z ^ (z >> 31)) >> 11) / 2.0**53

    for seed, count in ((0, 0), (7, 0), (0, 3), (12345, 99), (-3, 2)):
        assert interpreter.random_number(seed, count) == drawn(seed, count)
    row = Row(Op.RANDOM, 1, 1, 1, seed=40)
    key = 42  # the seed and the place of its state
    found = [row.step(10.0, 20.0, draw, dt=dt) for dt, draw in
             ((0.1, 0.0), (0.1, 0.0), (0.1, 1.0), (0.0, 1.0), (0.1, 0.0), (0.1, 2.0))]  # fmt: skip
    wanted = [10.0 + 10.0 * drawn(key, k) for k in (0, 0, 1, 1, 1, 2)]
    assert found == pytest.approx(wanted, abs=1e-12)
    assert row.step(0.0, 1.0, 0.0) == pytest.approx(drawn(key, 2))
    assert row.states[4] == 3.0


def test_what_is_not_finite_is_nought_flagged_and_not_kept():
    for op, operands, after in (
        (Op.FOLLOW, (INF, 1.0), (3.0, 1e9)), (Op.LATCH, (1.0, NAN), (0.0, 1.0)), (Op.PREVIOUS, (INF,), (2.0,))
    ):  # fmt: skip
        row = Row(op, *(1,) * len(operands))
        assert (row.step(*operands), row.flagged) == (0.0, {5})
        assert np.isfinite(row.states).all()
        assert (np.isfinite(row.step(*after)), row.flagged) == (True, set())
    row = Row(Op.SPRING, 1, 1)
    row.step(1.0, 1.0)
    row.step(INF, 1.0)
    assert row.flagged == {5} and np.isfinite(row.states).all()


def asked(builder: ProgramBuilder, **options):
    program = builder.finish()
    registers = program.registers.copy()
    flagged = interpreter.run(program, registers, np.zeros(program.states + 3), **options)
    return registers, flagged


def test_maps_are_asked_by_their_number():
    builder = ProgramBuilder()
    x = builder.constant(FLOAT, 3.0).register
    places = [builder.emit(Op.MAP, FLOAT, x, c=k).register for k in (1, 0)]
    registers, _ = asked(builder, tracks=(lambda x: x + 1.0, lambda x: x * 10.0))
    assert registers[places].tolist() == [30.0, 4.0]


def test_the_ground_is_asked_at_a_place_and_is_level_where_there_is_none():
    builder = ProgramBuilder()
    place = builder.constant(VECTOR, 1.0, 2.0, 3.0).register
    height = builder.emit(Op.GROUND_HEIGHT, FLOAT, place, node=3)
    builder.emit(Op.GROUND_NORMAL, VECTOR, place, node=4)
    flat, flagged = asked(builder)
    assert flat[height.register :].tolist() == [0.0, 0.0, 1.0, 0.0] and flagged == set()
    seen = []

    def ground(point):
        seen.append(point.tolist())
        return 0.5, np.array([0.6, 0.8, NAN])

    found, flagged = asked(builder, ground=ground)
    assert found[height.register :].tolist() == [0.5, 0.6, 0.8, 0.0] and flagged == {4}
    assert seen == [[1.0, 2.0, 3.0]] * 2


def test_a_builder_shares_constants_and_gives_out_places_in_order():
    builder = ProgramBuilder()
    one, again = builder.constant(FLOAT, 2.0), builder.constant(INT, 2.0)
    assert (one.register, again.register, again.type) == (1, 1, INT)
    vector = builder.place(VECTOR, (1.0, 2.0, 3.0))
    assert vector.register == 2
    held = builder.emit(Op.HELD, FLOAT, 1, node=7)
    spring = builder.emit(Op.SPRING, FLOAT, 1, 2)
    add = builder.emit(Op.ADD, FLOAT, 1, 2)
    program = builder.finish()
    assert [held.register, spring.register, add.register] == [5, 6, 7]
    assert program.rows.tolist() == [
        [Op.HELD, 5, 1, 0, 0, 0, 7], [Op.SPRING, 6, 1, 2, 0, 2, -1], [Op.ADD, 7, 1, 2, 0, -1, -1],
    ]  # fmt: skip
    assert program.registers.tolist() == [0.0, 2.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0]
    assert program.states == 5
    empty = ProgramBuilder().finish()
    assert empty.rows.shape == (0, 7) and empty.registers.tolist() == [0.0]
