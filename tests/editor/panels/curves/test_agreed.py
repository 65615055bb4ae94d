"""Whether the numbers of several keys are one: what a field shows."""

import numpy as np
import pytest

from editor.panels.curves.agreed import Agreed

ALL = np.arange(3)


def agreed(*taken: tuple) -> tuple[float | None, bool]:
    made = Agreed()
    for one in taken:
        made.take(*one)
    return made.value, made.differ


def column(*values: float) -> np.ndarray:
    return np.array(values)


@pytest.mark.parametrize(
    ("taken", "found"),
    [
        ((), (None, False)),
        (((column(2.0, 2.0, 2.0), ALL),), (2.0, False)),
        (((column(2.0, 2.0, 3.0), ALL),), (None, True)),
        (((column(2.0, 2.0, 3.0), np.array([0, 1])),), (2.0, False)),
        (((column(2.0, 2.0, 3.0), np.array([2])),), (3.0, False)),
        (((column(2.0), np.array([0])), (column(1.0), np.array([0]))), (None, True)),
        (((column(2.0), np.array([0]), 3.0), (column(6.0), np.array([0]))), (6.0, False)),
        (((column(2.0), np.array([0]), 3.0), (column(2.0), np.array([0]), -3.0)), (None, True)),
        (((column(-5.0), np.array([0])), (column(-5.0), np.array([0]))), (-5.0, False)),
        (((column(0.0, 0.9e-9), np.array([0, 1])),), (0.0, False)),
        (((column(0.0, 1.1e-9), np.array([0, 1])),), (None, True)),
        (((column(100.0, 100.0 + 0.9e-7), np.array([0, 1])),), (100.0, False)),
        (((column(-100.0, -100.0 + 0.9e-7), np.array([0, 1])),), (-100.0, False)),
        (((column(100.0, 100.0 + 1.2e-7), np.array([0, 1])),), (None, True)),
    ],
)
def test_numbers_that_are_one_are_told(taken, found) -> None:
    value, differ = agreed(*taken)
    assert differ == found[1] and value == (None if found[0] is None else pytest.approx(found[0], abs=1e-12))


def test_the_same_numbers_in_another_unit_are_looked_at_again() -> None:
    values, other = column(2.0, 2.0, 2.0), column(2.0, 2.0, 2.0)
    keys, more = ALL, np.array([0, 1])
    assert agreed((values, keys), (values, keys)) == (2.0, False)
    assert agreed((values, keys), (values, keys, 2.0)) == (None, True)
    assert agreed((values, keys), (other, keys)) == (2.0, False)
    assert agreed((values, more), (column(2.0, 2.0, 4.0), more), (values, keys)) == (2.0, False)
    last = column(2.0, 2.0, 4.0)
    assert agreed((last, more), (last, ALL)) == (None, True)
    assert agreed((values, keys), (last, keys)) == (None, True)


def test_a_column_of_one_number_is_not_read_through() -> None:
    even = np.broadcast_to(np.float64(7.0), (3,))
    assert agreed((even, ALL)) == (7.0, False)
    assert agreed((even, ALL, 0.5), (column(3.5), np.array([0]))) == (3.5, False)
    assert agreed((even, ALL), (column(7.5), np.array([0]))) == (None, True)
