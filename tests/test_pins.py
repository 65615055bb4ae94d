"""Pins hold what they were told, and fail on what is another."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.pins import Pins


@dataclass
class Result:
    """Something with parts."""

    name: str
    values: np.ndarray


def result(values=(1.0, 2.0, 3.0), name="a"):
    return Result(name, np.array(values))


@pytest.fixture
def pins(tmp_path, monkeypatch):
    made = Pins(str(tmp_path / "test_some.py"))
    monkeypatch.setenv("POSEWRIGHT_APPROVE", "1")
    made.hold("case", result(), {"b": (1, None, True)}, 0.5)
    monkeypatch.delenv("POSEWRIGHT_APPROVE")
    return Pins(str(tmp_path / "test_some.py"))


def test_same_result_passes_and_one_that_is_rounded_otherwise_too(pins):
    pins.hold("case", result(), {"b": (1, None, True)}, 0.5)
    pins.hold("case", result((1.0, 2.0 + 1e-12, 3.0)), {"b": (1, None, True)}, 0.5)


@pytest.mark.parametrize(
    "other",
    [
        (result((2.0, 1.0, 3.0)), {"b": (1, None, True)}, 0.5),
        (result((1.0, -2.0, 3.0)), {"b": (1, None, True)}, 0.5),
        (result((1.0, 2.0, 3.0, 0.0)), {"b": (1, None, True)}, 0.5),
        (result((1.0, 2.0, np.nan)), {"b": (1, None, True)}, 0.5),
        (result(name="b"), {"b": (1, None, True)}, 0.5),
        (result(), {"c": (1, None, True)}, 0.5),
        (result(), {"b": (2, None, True)}, 0.5),
        (result(), {"b": (1, None, False)}, 0.5),
        (result(), {"b": (1, None, True)}, 0.500001),
    ],
)
def test_anything_else_fails(pins, other):
    with pytest.raises(AssertionError, match="is not"):
        pins.hold("case", *other)


def test_case_without_a_line_fails(pins):
    with pytest.raises(AssertionError, match="has no line"):
        pins.hold("another", 1.0)


def test_what_has_no_parts_is_refused(pins):
    with pytest.raises(TypeError, match="give its parts"):
        pins.hold("case", object())


def test_cases_together_are_one_line(pins, monkeypatch):
    def told(*values):
        with pins.together("many") as note:
            for value in values:
                note(value, "word")

    monkeypatch.setenv("POSEWRIGHT_APPROVE", "1")
    told(1.0, 2.0)
    monkeypatch.delenv("POSEWRIGHT_APPROVE")
    assert (
        pins.path.read_text().splitlines()[1] == "many | word word | -5.660065838"
    )  # -1 - sin 1 - 2 - 2 sin 2
    told(1.0, 2.0)
    with pytest.raises(AssertionError, match="is not"):
        told(2.0, 1.0)
