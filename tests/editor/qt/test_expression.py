import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from editor.qt.expression import evaluate, shown, typed


@pytest.mark.parametrize(
    ("text", "current", "unit", "expected"),
    [
        ("12.5", 3.0, "", 12.5),
        ("=120", 3.0, "", 120.0),
        ("-3", 10.0, "", -3.0),
        ("−3", 10.0, "", -3.0),
        ("+3", 10.0, "", 13.0),
        ("*2", 10.0, "", 20.0),
        ("/4", 10.0, "", 2.5),
        ("-=3", 10.0, "", 7.0),
        ("+=3", 10.0, "", 13.0),
        ("+-3", 10.0, "", 7.0),
        ("1,5", 0.0, "", 1.5),
        ("2*(3+4)-1", 0.0, "", 13.0),
        ("-2^2", 0.0, "", -4.0),
        ("2**-1", 0.0, "", 0.5),
        ("12cm", 0.0, "m", 0.12),
        ("+ 5 mm", 1.0, "m", 1.005),
        ("pi rad", 0.0, "°", None),
        ("3.14159265358979rad", 0.0, "°", 180.0),
        ("sin(30)*2", 0.0, "°", 1.0),
        (".5", 0.0, "", 0.5),
        ("1e-3", 0.0, "", 0.001),
    ],
)
def test_evaluate_what_people_type_gives_the_value(text, current, unit, expected):
    if expected is None:
        with pytest.raises(ValidationError):
            evaluate(text, current, unit)
    else:
        assert evaluate(text, current, unit) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "abc",
        "1+",
        "(1",
        "1)",
        "1/0",
        "/0",
        "__import__('os')",
        "1;2",
        "9**9**9",
        "1e400",
        "sqrt(-1)",
        "sin",
        "(-8)^0.5",
        "1 2",
        "x" * 300,
        "(" * 150,
    ],
)
def test_evaluate_nonsense_or_hostile_is_refused_with_a_reason(text):
    with pytest.raises(ValidationError) as caught:
        evaluate(text, 1.0)
    assert str(caught.value)


def test_evaluate_relative_without_a_value_is_refused():
    with pytest.raises(ValidationError, match="values differ"):
        evaluate("+3", None)


finite = st.floats(-1e6, 1e6, allow_nan=False)


@given(finite, finite, st.sampled_from("+-*"))
def test_evaluate_two_numbers_agree_with_python(a, b, sign):
    assert evaluate(f"={a!r} {sign} ({b!r})") == {"+": a + b, "-": a - b, "*": a * b}[sign]


@given(finite, st.integers(0, 4))
def test_typed_number_reads_back_as_itself_within_its_digits(value, decimals):
    back = evaluate(typed(value, decimals))
    assert math.isclose(back, value, rel_tol=0.0, abs_tol=10.0 ** -(decimals + 3))


def test_shown_tiny_negative_has_no_minus_before_zero():
    assert shown(-0.0001, 2) == "0.00"
    assert shown(-1.5, 2) == "−1.50"
