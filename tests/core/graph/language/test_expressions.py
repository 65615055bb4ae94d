"""The expression language: values against Python's own, errors with columns, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.graph.language import interpreter
from core.graph.language.compiler import compile_expression
from core.graph.language.program import DT, ProgramBuilder
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL, FLOAT, INT, NAME, QUATERNION, VECTOR, Kind, Value, ValueType

GAIT = ValueType(Kind.ENUM, "Gait")


class Room:
    """A scope of a few variables, one map, one enum, and `curve` and `time_in_state` to read."""

    def __init__(self) -> None:
        self.builder = ProgramBuilder()
        place = self.builder.place
        self.known = {
            "speed": place(FLOAT, (2.5,)),
            "steps": place(INT, (3.0,)),
            "on": place(BOOL, (1.0,)),
            "v": place(VECTOR, (3.0, 0.0, 4.0)),
            "q": place(QUATERNION, (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5))),
            "gait": place(GAIT, (1.0,)),
            "who": place(NAME, (0.0,)),
        }
        self.curves = {"foot": place(FLOAT, (0.25,)), "time_in_state": place(FLOAT, (1.5,))}
        self.names = ["hips"]

    def variable(self, name: str) -> Value | None:
        return self.known.get(name)

    def variables(self):
        return self.known

    def reads(self):
        return ("curve", "time_in_state")

    def read(self, function, arguments):
        return self.curves[arguments[0] if arguments else function]

    def track(self, name):
        return 0 if name == "ease" else None

    def enum_member(self, enum, member):
        return {"walk": 0, "run": 1}.get(member)

    def name_index(self, name):
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def compiled(self, text, expected=None):
        return compile_expression(text, self, self.builder, expected, node=7)


class Running:
    """One compiled expression with its registers and states."""

    def __init__(self, text: str, expected=None, seed: int = 0) -> None:
        self.room = Room()
        self.value = self.room.compiled(text, expected)
        self.program = self.room.builder.finish()
        self.registers = self.program.registers.copy()
        self.states = np.zeros(self.program.states)
        self.flagged: set[int] = set()
        self.seed = seed

    def step(self, dt: float = 0.1, **variables: float):
        self.registers[DT] = dt
        for name, value in variables.items():
            self.registers[self.room.known[name].register] = value
        self.flagged = interpreter.run(
            self.program, self.registers, self.states, self.seed, (lambda x: x * x,)
        )
        at, width = self.value.register, self.value.type.width
        found = self.registers[at : at + width]
        return float(found[0]) if width == 1 else [float(x) for x in found]


HALF = math.sqrt(0.5)


@pytest.mark.parametrize(
    ("text", "first", "then"),
    [
        ("if(on, q, axis_angle(vec(1, 0, 0), 90))", [0, HALF, 0, HALF], [HALF, 0, 0, HALF]),
        ("if(on, v, vec(1, 2, 3))", [3, 0, 4], [1, 2, 3]),
    ],
)
def test_if_takes_every_component_of_vectors_and_rotations(text, first, then):
    running = Running(text)
    assert running.step(on=1.0) == pytest.approx(first)
    assert running.step(on=0.0) == pytest.approx(then)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 ** 2 ** 1", 19),
        ("-2 ** 2", -4),
        ("7 // -2", -4),
        ("-7 % 3", 2),
        ("1 < 2 < 3 and not 3 < 2", 1),
        ("1 < 3 < 2", 0),
        ("if(speed > 2, 10, 20.5)", 10),
        ("clamp(speed, 0, 1)", 1),
        ("min(3, 1, 2) + max(speed, 2)", 3.5),
        ("remap(speed, 0, 10, 100, 200)", 125),
        ("smoothstep(0, 5, speed)", 0.5),
        ("step(2.5, speed) + step(2.6, speed)", 1),
        ("angle_diff(170, -170)", -20),
        ("wrap(540)", 180),
        ("sin(30) + cos(60)", 1),
        ("atan2(1, 1) + asin(1) + acos(5)", 135),
        ("round(2.5) + round(-2.5) + floor(-0.5) + ceil(0.2)", 0),
        ("length(v) + v.z", 9),
        ("dot(v, vec(1, 2, 1)) + cross(vec(1,0,0), vec(0,1,0)).z", 8),
        ("normalise(v).x", 0.6),
        ("rotate(q, vec(0, 0, 1)).x", 1),
        ("yaw(q * axis_angle(vec(0, 1, 0), 30))", 120),
        ("(v * 2 - v / 2).x", 4.5),
        ("lerp(v, vec(0,0,0), 0.5).z", 2),
        ("map('ease', 3)", 9),
        ("curve('foot') * time_in_state", 0.375),
        ("gait == 'run' and 'walk' != gait", 1),
        ("who == 'hips'", 1),
        ("who == 'other'", 0),
        ("frac(-0.25)", 0.75),
        ("unlerp(2, 4, 3)", 0.5),
        ("true or false", 1),
    ],
)
def test_expression_value_is_what_it_says(text, expected):
    running = Running(text)
    assert running.step() == pytest.approx(expected, abs=1e-12)
    assert not running.flagged


@pytest.mark.parametrize(
    "text",
    ["1 / 0", "sqrt(-1)", "log(0)", "exp(1e6)", "10 ** 999", "1 // 0", "5 % 0", "0 ** -1", "(-8) ** 0.5"],
)
def test_operation_without_answer_gives_zero_and_flags_the_node(text):
    running = Running(text)
    assert running.step() == 0.0
    assert running.flagged == {7}


def test_normalise_of_zero_is_zero_and_flagged():
    running = Running("normalise(v - v)")
    assert running.step() == [0.0, 0.0, 0.0]
    assert running.flagged == {7}


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("", 0, "empty"),
        ("1 +", 3, "expected a value"),
        ("(1", 2, "expected ')'"),
        ("1 2", 2, "operator or the end"),
        ("speed = 2", 6, "use =="),
        ("sped > 1", 0, "near: speed"),
        ("clmp(1, 2, 3)", 0, "near: clamp"),
        ("clamp(1, 2)", 0, "expected clamp(x, low, high)"),
        ("1 + on", 2, "does not go with int and bool"),
        ("v * v", 2, "dot(a, b)"),
        ("speed.x", 6, "no part 'x'"),
        ("v.w", 2, "no part 'w'"),
        ("not speed", 0, "not needs bool"),
        ("if(speed, 1, 2)", 3, "needs bool"),
        ("if(on, 1, v)", 0, "do not go together"),
        ("gait == 'crawl'", 8, "not a member of enum Gait"),
        ("1e999", 0, "too large"),
        ("map('none', 1)", 4, "no map"),
        ("speed > 'a", 8, "quote"),
        ("speed § 2", 6, "no meaning"),
        ("__import__('os')", 0, "no function"),
        ("latch(on, v)", 0, "cannot keep vector"),
        ("v < v", 2, "cannot be compared"),
    ],
)
def test_expression_error_names_column_and_reason(text, column, part):
    with pytest.raises(ExpressionError) as caught:
        Room().compiled(text)
    assert part in caught.value.reason
    assert caught.value.column == column


def test_expression_of_wrong_type_is_refused():
    with pytest.raises(ExpressionError, match="expected bool, got float"):
        Room().compiled("speed", BOOL)
    assert Room().compiled("steps", FLOAT).type == INT  # an int goes where a float is expected


@pytest.mark.parametrize(
    "text",
    ["(" * 65 + "1" + ")" * 65, "-" * 100 + "1", "not " * 70 + "on", "1" + " + 1" * 600, "2 ** " * 70 + "2"],
)
def test_absurd_expression_is_refused(text):
    with pytest.raises(ExpressionError, match=r"deeper|characters"):
        Room().compiled(text)


def test_state_previous_and_edges():
    running = Running("previous(speed)")
    assert [running.step(speed=x) for x in (1.0, 2.0, 4.0)] == [1.0, 1.0, 2.0]
    running = Running("if(rose(on), 1, if(fell(on), -1, 0))")
    assert [running.step(on=x) for x in (1.0, 0.0, 0.0, 1.0)] == [0.0, -1.0, 0.0, 1.0]
    running = Running("rate(v).x")
    first = running.step()
    running.registers[running.room.known["v"].register] = 4.0
    assert (first, running.step(0.5)) == (0.0, pytest.approx(2.0))


def test_state_timers_count_the_time_before_this_step():
    held = Running("held(on)")
    assert [held.step(0.5, on=x) for x in (1.0, 1.0, 1.0, 0.0, 1.0)] == [0.0, 0.5, 1.0, 0.0, 0.0]
    timer = Running("timer(on)")
    assert [timer.step(0.5, on=x) for x in (0.0, 0.0, 1.0, 0.0)] == [0.0, 0.5, 0.0, 0.5]


def test_state_latch_hysteresis_and_count():
    latch = Running("latch(on, speed)")
    assert [latch.step(on=b, speed=x) for b, x in ((0, 1), (0, 2), (1, 3), (0, 4))] == [1.0, 1.0, 3.0, 3.0]
    on = Running("hysteresis(speed, 1, 2)")
    assert [on.step(speed=x) for x in (1.5, 2.0, 1.5, 1.0, 1.5)] == [0.0, 1.0, 1.0, 0.0, 0.0]
    count = Running("count(on)")
    assert [count.step(on=x) for x in (1, 0, 1, 1)] == [1.0, 1.0, 2.0, 3.0]


def test_state_follow_reaches_its_goal_and_stays():
    running = Running("follow(speed, 10)")
    assert [running.step(0.1, speed=x) for x in (0.0, 2.5, 2.5, 2.5, 2.5)] == pytest.approx(
        [0, 1, 2, 2.5, 2.5]
    )


@given(st.lists(st.floats(0.001, 0.3), min_size=1, max_size=6), st.sampled_from(["ease_to", "spring"]))
def test_state_eases_do_not_depend_on_how_time_is_cut(steps, function):
    cut, whole = Running(f"{function}(speed, 0.5)"), Running(f"{function}(speed, 0.5)")
    cut.step(0.1, speed=0.0), whole.step(0.1, speed=0.0)
    for dt in steps:
        found = cut.step(dt, speed=5.0)
    assert found == pytest.approx(whole.step(sum(steps), speed=5.0), abs=1e-9)


def test_state_stays_in_a_step_of_no_seconds():
    running = Running("ease_to(speed, 0.2) + count(on) + held(on) + previous(speed)")
    running.step(0.1, speed=0.0), running.step(0.1, speed=3.0)
    before = running.states.copy()
    running.step(0.0, speed=9.0)
    assert (running.states == before).all()


def test_random_is_drawn_by_its_event_and_by_seed():
    running = Running("random(2, 4, on)", seed=5)
    values = [running.step(on=x) for x in (0, 0, 1, 0, 1)]
    assert values[0] == values[1] != values[2] == values[3] != values[4]
    assert all(2.0 <= v <= 4.0 for v in values)
    assert [
        Running("random(2, 4, on)", seed=5).step(on=0),
        Running("random(2, 4, on)", seed=6).step(on=0),
    ] == [
        values[0],
        pytest.approx(values[0], abs=2.0),
    ]
    assert Running("random(2, 4, on)", seed=6).step(on=0) != values[0]


def test_random_numbers_fill_the_unit_interval_evenly():
    drawn = [interpreter.random_number(3, k) for k in range(4000)]
    assert np.histogram(drawn, 10, (0, 1))[0].min() > 330


def _numbers():
    return st.floats(-8, 8).map(lambda x: round(x, 2))


@st.composite
def arithmetic(draw, depth=0):
    """Text that Python reads as we do, kept from what has no answer."""
    if depth > 3 or draw(st.booleans()):
        return draw(st.one_of(_numbers().map(lambda x: f"({x})"), st.sampled_from(["speed", "2.5", "3"])))
    left, right = draw(arithmetic(depth + 1)), draw(arithmetic(depth + 1))
    shape = draw(
        st.sampled_from(["({} + {})", "{} - {}", "{} * {}", "min({}, {})", "-{} + {}", "abs({}) + {}"])
    )
    return shape.format(left, right)


@settings(max_examples=200)
@given(arithmetic())
def test_arithmetic_agrees_with_python(text):
    expected = eval(text, {"speed": 2.5, "min": min, "abs": abs})  # the test's second route
    assert Running(text).step() == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=200)
@given(st.text(alphabet="()+-*/%<>=!.,'\" 0123456789abexyzspeedonvqifandotrue_", max_size=40))
def test_any_text_compiles_and_stays_finite_or_is_refused(text):
    try:
        running = Running(text)
    except ExpressionError as error:
        assert 0 <= error.column <= len(text) + 1
        return
    for _ in range(3):
        running.step()
        assert np.isfinite(running.registers).all() and np.isfinite(running.states).all()
