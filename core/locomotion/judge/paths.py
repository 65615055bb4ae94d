"""Rows over a course that need the controller alone: facing, the way made, the capsule over the ground."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.locomotion.course import Course, SectionRun
from core.locomotion.dampers import wrap
from core.locomotion.judge.rows import Row, Samples, over
from core.locomotion.setup import H
from core.locomotion.state import State

Run = SectionRun[State]

HELD = 0.5
"""Seconds since the last change of input after which a facing counts as settled."""


def paths(course: Course, runs: Sequence[Run]) -> list[Row]:
    """Rows of facing error while moving, of the way made, and of the capsule over the ground.

    The facing error is judged over every step that moves, pivots and starts included, and once more where the input
    has been held for half a second.
    """
    facing = "facing error, moving"
    made = [
        over(facing, "every step", "°", (("p95", 10.0),), [_facing(run, 0.0) for run in runs]),
        over(facing, "input held 0.5 s", "°", (("p95", 10.0),), [_facing(run, HELD) for run in runs]),
        over("way off the velocity", "on ground", "%", (), [_way(run) for run in runs]),
        over(
            "capsule below ground", "course", "mm", (("worst", 20.0),), [_depth(course, run) for run in runs]
        ),
    ]
    return [row for row in made if row is not None]


def _samples(run: Run, found: Sequence[tuple[int, float]]) -> Samples:
    values = np.array([value for _, value in found], dtype=np.float64)
    times = np.array([run.begins + number * H for number, _ in found], dtype=np.float64)
    return values, times, run.section.name


def _facing(run: Run, held: float) -> Samples:
    """Degrees between the yaw and where it is to be, at every step that moves on the ground."""
    found, since = [], 0
    for number, state in enumerate(run.states[1:], start=1):
        same = number > 1 and run.inputs[number - 1] == run.inputs[number - 2]
        since = since + 1 if same else 0
        if state.moving and not state.in_air and since * H >= held:
            found.append((number, abs(wrap(state.yaw - state.target_yaw))))
    return _samples(run, found)


def _way(run: Run) -> Samples:
    """Per cent that the way over the ground differs from the velocity, at every step above 0.1 m/s on the ground."""
    found = []
    for number, (before, after) in enumerate(pairwise(run.states), start=1):
        if after.in_air or before.in_air or after.speed < 0.1:
            continue
        way = math.hypot(after.position[0] - before.position[0], after.position[2] - before.position[2]) / H
        found.append((number, 100.0 * abs(way - after.speed) / after.speed))
    return _samples(run, found)


def _depth(course: Course, run: Run) -> Samples:
    """Millimetres that the capsule's lowest point is under the ground, 0 where it is not."""
    places = np.array([state.position for state in run.states])
    depth = np.maximum(course.terrain.under(places) - places[:, 1], 0.0) * 1000.0
    return _samples(run, list(enumerate(depth.tolist())))
