"""Easing curves: ends, order, and the formulas by another route."""

import math

import numpy as np
import pytest

from core.blending.easing import EaseShape, EaseWay, Easing, ease
from core.errors import ValidationError
from core.tracks.keys import Interpolation, scalar_track

EVERY = [
    Easing(shape, way, power)
    for shape in EaseShape
    if shape is not EaseShape.CURVE
    for way in EaseWay
    for power in (2, 5)
]


@pytest.mark.parametrize("easing", EVERY)
def test_ease_goes_from_nothing_to_all_without_turning_back(easing):
    values = ease(easing, np.linspace(-0.5, 1.5, 401))
    assert values[0] == 0.0
    assert values[-1] == 1.0
    assert (np.diff(values) >= -1e-15).all()


@pytest.mark.parametrize("shape", [EaseShape.POWER, EaseShape.CIRCULAR, EaseShape.EXPONENTIAL])
def test_ease_out_is_ease_in_turned_round(shape):
    u = np.linspace(0, 1, 21)
    slow_in, slow_out, both = (
        ease(Easing(shape, way, 3), u) for way in (EaseWay.IN, EaseWay.OUT, EaseWay.IN_OUT)
    )
    assert slow_out == pytest.approx(1 - slow_in[::-1], abs=1e-12)
    assert both == pytest.approx(1 - both[::-1], abs=1e-12)
    assert both[10] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("easing", "u", "expected"),
    [
        (Easing(EaseShape.SMOOTH), 0.25, 3 / 16 - 2 / 64),
        (Easing(EaseShape.SMOOTHER), 0.25, 6 / 1024 - 15 / 256 + 10 / 64),
        (Easing(EaseShape.SINE), 1 / 3, 0.25),
        (Easing(EaseShape.POWER, EaseWay.IN, 3), 0.5, 0.125),
        (Easing(EaseShape.POWER, EaseWay.IN_OUT, 2), 0.25, 0.125),
        (Easing(EaseShape.CIRCULAR, EaseWay.IN), 0.6, 0.2),
        (Easing(EaseShape.EXPONENTIAL, EaseWay.IN), 0.5, (math.sqrt(1024) - 1) / 1023),
    ],
)
def test_ease_value_by_hand(easing, u, expected):
    assert float(ease(easing, u)) == pytest.approx(expected, abs=1e-12)


def test_ease_by_a_map_is_kept_within_bounds():
    track = scalar_track([0.0, 0.5, 1.0], [0.0, 1.5, 1.0], interpolations=Interpolation.LINEAR)
    easing = Easing(EaseShape.CURVE, curve="late")
    assert ease(easing, [0.0, 0.25, 0.5, 1.0], track) == pytest.approx([0.0, 0.75, 1.0, 1.0])
    with pytest.raises(ValidationError, match="'late' is not there"):
        ease(easing, 0.5)


def test_easing_refuses_what_it_cannot_do():
    with pytest.raises(ValidationError, match="2 to 5"):
        Easing(EaseShape.POWER, power=6)
    with pytest.raises(ValidationError, match="name of a map"):
        Easing(EaseShape.CURVE)
