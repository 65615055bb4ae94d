"""Response times of a controller: short runs on level ground, each from standing or from full speed."""

from collections.abc import Callable
from functools import partial

from core.locomotion.controller import start, step
from core.locomotion.input import Gait, Input
from core.locomotion.judge.rows import Row, single
from core.locomotion.setup import H, Setup
from core.locomotion.state import State
from core.terrain.terrain import flat_terrain

LONGEST = 1800
"""Steps after which a response counts as endless."""
TARGETS = {Gait.WALK: (0.10, 0.15, 0.20), Gait.RUN: (0.20, 0.30, 0.30), Gait.SPRINT: (0.35, 0.65, 0.60)}
"""Seconds to 90 % of speed, to a stop, to 90 % the other way."""
SHARE = 0.9


def responses(setup: Setup) -> list[Row]:
    """Rows of 90 % of speed, stop, way to the stop, reversal, and input to the first change."""
    rows = []
    flat = flat_terrain()
    still = start(setup, flat)

    def until(state: State, given: Input, done: Callable[[State], bool]) -> State:
        for _ in range(LONGEST):
            state = step(setup, flat, state, given)
            if done(state):
                break
        return state

    def seconds(first: State, last: State) -> float:
        return (last.step - first.step) * H

    def changed(state: State) -> bool:
        return state.position != still.position

    for gait, (to_speed, to_stop, to_reverse) in TARGETS.items():
        case, top = gait.name.lower(), (setup.walk, setup.run, setup.sprint)[gait - 1]
        ahead, back, none = (Input.of((0.0, z), gait=gait) for z in (1.0, -1.0, 0.0))
        quick = until(still, ahead, partial(_faster, SHARE * top))
        full = until(quick, ahead, partial(_faster, top * (1.0 - 1e-9)))
        stopped = until(full, none, lambda state: state.speed == 0.0)
        turned = until(full, back, partial(_back, SHARE * top))
        way = stopped.position[2] - full.position[2]
        rows += [
            single("90 % of speed", case, "s", seconds(still, quick), to_speed),
            single("stop", case, "s", seconds(full, stopped), to_stop),
            Row("way to the stop", case, "m", (), way, way, way),
            single("reversal 180°", case, "s", seconds(full, turned), to_reverse),
        ]
    moved, jumped = until(still, Input.of((0.0, 1.0)), changed), until(still, Input.of(jump=True), changed)
    rows.append(single("input to first change", "move", "steps", moved.step - still.step, 2.0))
    rows.append(single("input to first change", "jump", "steps", jumped.step - still.step, 2.0))
    return rows


def _faster(speed: float, state: State) -> bool:
    return state.speed >= speed


def _back(speed: float, state: State) -> bool:
    return state.velocity[2] <= -speed
