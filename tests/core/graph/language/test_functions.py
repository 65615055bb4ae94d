"""Functions of the expression language against arrays, over any numbers, vectors and rotations."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.math import quat
from tests.core.graph.language.test_expressions import Running

number = st.floats(-50.0, 50.0).map(lambda x: round(x, 3))
vector = st.tuples(number, number, number)
angle = st.floats(-700.0, 700.0).map(lambda x: round(x, 2))


def told(v) -> str:
    return f"vec({', '.join(f'({x!r})' for x in v)})"


def turn(axis, degrees) -> np.ndarray:
    return quat.from_axis_angle(np.array(axis) / np.linalg.norm(axis), np.radians(degrees))


def value(text):
    running = Running(text)
    found = running.step()
    assert not running.flagged, text
    return found


@given(vector, vector, number)
def test_vectors_are_numpys(a, b, s):
    one, other = told(a), told(b)
    for text, wanted in (
        (f"{one} + {other}", np.add(a, b)), (f"{one} - {other}", np.subtract(a, b)),
        (f"{one} * {s!r}" if s >= 0 else f"{one} * ({s!r})", np.array(a) * s),
        (f"cross({one}, {other})", np.cross(a, b)), (f"dot({one}, {other})", np.dot(a, b)),
        (f"length({one})", np.linalg.norm(a)), (f"lerp({one}, {other}, 0.3)", np.array(a) * 0.7 + np.array(b) * 0.3),
        (f"{one}.x - 2 * {one}.y + 4 * {one}.z", a[0] - 2 * a[1] + 4 * a[2]),
        (f"if(on, {one}, {other})", a), (f"if(not on, {one}, {other})", b),
    ):  # fmt: skip
        np.testing.assert_allclose(value(text), wanted, rtol=1e-9, atol=1e-9, err_msg=text)
    if any(a):
        np.testing.assert_allclose(value(f"normalise({one})"), np.array(a) / np.linalg.norm(a), atol=1e-9)


@given(vector, vector, angle, angle, vector)
def test_rotations_are_those_of_quaternions(axis, other, a, b, v):
    assume(np.linalg.norm(axis) > 1e-2 and np.linalg.norm(other) > 1e-2)
    first, second = f"axis_angle({told(axis)}, ({a!r}))", f"axis_angle({told(other)}, ({b!r}))"
    p, q = turn(axis, a), turn(other, b)
    np.testing.assert_allclose(value(first), p, atol=1e-9)
    np.testing.assert_allclose(value(f"{first} * {second}"), quat.multiply(p, q), atol=1e-9)
    np.testing.assert_allclose(value(f"rotate({first}, {told(v)})"), quat.rotate(p, np.array(v)), atol=1e-7)
    np.testing.assert_allclose(value(f"axis_angle(vec(0, 0, 0), ({a!r}))"), [0.0, 0.0, 0.0, 1.0])
    about = value(f"yaw(axis_angle(vec(0, 2, 0), ({a!r})))")
    assert math.isclose(math.cos(math.radians(about - a)), 1.0, abs_tol=1e-9) and -180.0 < about <= 180.0


@given(number, number, number, angle, angle)
def test_numbers_are_pythons(x, a, b, p, q):
    low, high = min(a, b), max(a, b)
    assume(high - low > 0.1)
    share = (x - low) / (high - low)
    u = min(max(share, 0.0), 1.0)
    for text, wanted in (
        ("abs(X)", abs(x)), ("sign(X)", (x > 0) - (x < 0)), ("min(X, A, B)", min(x, a, b)),
        ("max(X, A, B)", max(x, a, b)),
        ("clamp(X, L, H)", min(max(x, low), high)), ("lerp(A, B, 0.25)", 0.75 * a + 0.25 * b),
        ("unlerp(L, H, X)", share), ("remap(X, L, H, 3, 7)", 3 + 4 * share), ("step(A, X)", float(x >= a)),
        ("smoothstep(L, H, X)", u * u * (3 - 2 * u)), ("floor(X)", math.floor(x)), ("ceil(X)", math.ceil(x)),
        ("round(X)", math.copysign(math.floor(abs(x) + 0.5), x) if x else 0.0), ("frac(X)", x - math.floor(x)),
        ("sqrt(abs(X))", math.sqrt(abs(x))), ("exp(X / 10)", math.exp(x / 10)),
        ("log(abs(X) + 1)", math.log(abs(x) + 1)),
        ("sin(P)", math.sin(math.radians(p))), ("cos(P)", math.cos(math.radians(p))),
        ("asin(X / 50)", math.degrees(math.asin(x / 50))), ("acos(X / 50)", math.degrees(math.acos(x / 50))),
        ("atan2(A, B)", math.degrees(math.atan2(a, b))), ("X // (H - L)", math.floor(x / (high - low))),
        ("X % (H - L)", x % (high - low)), ("A < B", float(a < b)), ("A <= X", float(a <= x)), ("A > X", float(a > x)),
        ("A >= X", float(a >= x)), ("X == X and X != X + 1", 1.0), ("-X + A - B * 2", -x + a - b * 2),
    ):  # fmt: skip
        numbers = {"X": x, "A": a, "B": b, "L": low, "H": high, "P": p}
        for name, put in numbers.items():
            text = text.replace(name, f"({put!r})")
        assert value(text) == pytest.approx(float(wanted), rel=1e-9, abs=1e-9), text
    for text, plain in ((f"wrap(({p!r}))", p), (f"angle_diff(({p!r}), ({q!r}))", p - q)):
        found = value(text)
        assert -180.0 < found <= 180.0 and math.isclose(
            (found - plain) / 360.0, round((found - plain) / 360.0), abs_tol=1e-9
        )
