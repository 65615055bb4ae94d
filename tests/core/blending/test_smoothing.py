"""Smoothed inputs: what each kind has done after its time, and how kinds differ."""

import math
from dataclasses import replace

import pytest

from core.blending.blend_space import Smoothing, SpaceAxis
from core.blending.smoothing import followed
from tests.core.blending.test_space_player import SPACE

TIME = 0.4


def left(kind: Smoothing, seconds: float, time: float = TIME) -> float:
    """Share of the way from 0 to 1 that is left after some seconds."""
    axis = SpaceAxis("speed", 0.0, 4.0, smoothing=kind, smoothing_time=time)
    space = replace(SPACE, axes=(axis,), samples=())
    return 1.0 - followed(space, (0.0,), (0.0,), (1.0,), seconds)[0][0]


@pytest.mark.parametrize(
    ("kind", "after", "share"),
    [
        (Smoothing.AVERAGE, TIME, math.exp(-3.0)),  # 95 % of the way after the time
        (Smoothing.AVERAGE, TIME / 2.0, math.exp(-1.5)),
        (Smoothing.EASE, TIME, math.exp(-1.5)),  # after twice the time
        (Smoothing.EASE, 2.0 * TIME, math.exp(-3.0)),
        (Smoothing.LINEAR, TIME / 8.0, 0.5),  # the whole axis in the time: half a unit of four in an eighth
        (Smoothing.LINEAR, TIME, 0.0),
        (Smoothing.SPRING, TIME, 7.0 * math.exp(-6.0)),  # critically damped, ω = 6 / time
        (Smoothing.NONE, 1e-3, 0.0),
    ],
)
def test_each_kind_has_gone_its_share_of_the_way(kind: Smoothing, after: float, share: float) -> None:
    assert left(kind, after) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("kind", [k for k in Smoothing if k is not Smoothing.NONE])
def test_the_time_counts_and_none_is_at_once(kind: Smoothing) -> None:
    assert left(kind, 0.05, 0.8) > left(kind, 0.05, 0.4) > left(kind, 0.05, 0.0) == 0.0


def test_no_two_kinds_are_alike() -> None:
    assert len({round(left(kind, 0.07), 9) for kind in Smoothing}) == len(Smoothing)
