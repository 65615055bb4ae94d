"""Turns on the spot, standing by 180° and in a crouch by 90° and 180°, and loops that turn for as long as they play.

Eyes and chest go first, then the foot on the inside of the turn, then the other one, twice for half a circle. The
root turns, by root motion; turns end as ``idle`` or ``crouch idle`` begins.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.clips.clip import Clip
from core.tracks.evaluate import evaluate_scalar
from resources.sample.motion.acting import Body
from resources.sample.motion.feet import curve
from resources.sample.motion.planning import (
    Footsteps,
    Move,
    build_move,
    crouching_trunk,
    home_of,
    placed,
    standing_trunk,
)

SHARE = 0.55
"""Part of the way from between the feet to the standing one that the pelvis goes in a step."""


@dataclass(frozen=True, slots=True)
class Turning:
    """A turn to the left.

    Parameters
    ----------
    whole
        Degrees.
    steps
        Whether it is the inner foot, the frames of lifting and landing, and the part of the turn it lands in.
    root
        Frame and part of the turn that the root has made.
    lead
        Degrees by which hips, trunk and gaze are ahead of the root in the first half.
    """

    name: str
    whole: float
    frames: int
    steps: tuple[tuple[bool, float, float, float], ...]
    root: tuple[tuple[float, float], ...]
    lead: tuple[float, float, float] = (4.0, 10.0, 26.0)
    crouched: bool = False
    looping: bool = False
    sink: float = 0.022


QUARTER = ((0.0, 0.0), (4.0, 0.02), (8.0, 0.20), (13.0, 0.475), (17.0, 0.64), (21.0, 0.85), (25.0, 0.965),
           (30.0, 0.998), (38.0, 1.0))  # fmt: skip
HALF = ((0.0, 0.0), (4.0, 0.01), (9.0, 0.12), (14.0, 0.28), (20.0, 0.45), (26.0, 0.63), (32.0, 0.82), (38.0, 0.95),
        (44.0, 0.998), (52.0, 1.0))  # fmt: skip
QUARTER_STEPS = ((True, 5.0, 13.0, 1.0), (False, 15.0, 24.0, 1.0))
HALF_STEPS = (
    (True, 5.0, 12.0, 0.46),
    (False, 13.5, 21.5, 0.62),
    (True, 23.0, 31.0, 1.0),
    (False, 32.0, 40.0, 1.0),
)
CROUCHED_QUARTER = ((0.0, 0.0), (4.0, 0.06), (10.0, 0.27), (17.0, 0.50), (24.0, 0.76), (31.0, 0.96), (36.0, 1.0),
                    (38.0, 1.0))  # fmt: skip
CROUCHED_QUARTER_STEPS = ((True, 4.0, 10.0, 0.5), (False, 11.0, 17.0, 0.5), (True, 18.0, 24.0, 1.0),
                          (False, 25.0, 31.0, 1.0))  # fmt: skip
CROUCHED_HALF = ((0.0, 0.0), (4.0, 0.03), (10.0, 0.17), (17.0, 0.34), (24.0, 0.51), (31.0, 0.67), (38.0, 0.84),
                 (45.0, 0.97), (50.0, 1.0), (52.0, 1.0))  # fmt: skip
CROUCHED_HALF_STEPS = tuple(
    (inner, start, start + 6.0, third / 3.0)
    for inner, start, third in (
        (True, 4.0, 1), (False, 11.0, 1), (True, 18.0, 2), (False, 25.0, 2), (True, 32.0, 3), (False, 39.0, 3)
    )
)  # fmt: skip
CROUCHED_ROUND_STEPS = ((True, 1.0, 7.0, 0.5), (False, 8.0, 14.0, 0.5), (True, 15.0, 20.0, 1.0),
                        (False, 20.5, 25.5, 1.0))  # fmt: skip
ROUND = ((0.0, 0.0), (28.0, 1.0))
ROUND_STEPS = ((True, 2.0, 11.0, 1.0), (False, 15.0, 25.0, 1.0))
NO_LEAD = (2.0, 5.0, 8.0)
CROUCHED_LEAD = (9.0, 10.0, 24.0)
TURNS = (
    Turning("turn left 180", 180.0, 52, HALF_STEPS, HALF),
    Turning(
        "crouch turn left 90",
        90.0,
        38,
        CROUCHED_QUARTER_STEPS,
        CROUCHED_QUARTER,
        CROUCHED_LEAD,
        crouched=True,
        sink=0.006,
    ),
    Turning(
        "crouch turn left 180",
        180.0,
        52,
        CROUCHED_HALF_STEPS,
        CROUCHED_HALF,
        CROUCHED_LEAD,
        crouched=True,
        sink=0.006,
    ),
    Turning("rotate left", 90.0, 28, ROUND_STEPS, ROUND, NO_LEAD, looping=True, sink=0.012),
    Turning(
        "crouch rotate left",
        90.0,
        28,
        CROUCHED_ROUND_STEPS,
        ROUND,
        NO_LEAD,
        crouched=True,
        looping=True,
        sink=0.004,
    ),
)


def _build(turning: Turning, sign: float) -> Clip:
    """``sign`` is 1 to the left."""
    yaw_of = curve(turning.root, loop=False)
    straight = turning.looping

    def root(frame: float) -> tuple[float, float, float, float]:
        part = frame / turning.frames if straight else float(evaluate_scalar(yaw_of, frame))
        return 0.0, 0.0, 0.0, sign * turning.whole * part

    inner = "l" if sign > 0.0 else "r"
    outer = "r" if inner == "l" else "l"
    homes = {side: home_of(side, turning.crouched) for side in "lr"}
    steps = {side: Footsteps(side).stand(0.0, *homes[side]) for side in "lr"}
    for inside, lift, land, part in turning.steps:
        side = inner if inside else outer
        goal = placed((0.0, 0.0, 0.0, sign * turning.whole * part), homes[side])
        steps[side].step(lift, land, *goal, height=0.055, heel=-17.0, toes_up=3.0, wide=0.030)
    for foot in steps.values():
        foot.stay(float(turning.frames))
    acting = _acting(turning, sign, steps, root)
    trunk = crouching_trunk if turning.crouched else standing_trunk
    swings = _arms(turning, inner, outer)
    keys = range(0, turning.frames + 1, 2 if turning.looping else 3)
    move = Move(
        turning.name.replace("left", "left" if sign > 0.0 else "right"), turning.frames, trunk, trunk, ((0.0, 0.0),),
        root, steps, acting, swings, keys=keys, looping=turning.looping, knee_out=6.0 if turning.crouched else 5.0,
        leg_keys=0.5 if turning.crouched else 1.0,
    )  # fmt: skip
    return build_move(move).build()


def _acting(
    turning: Turning, sign: float, steps: dict[str, Footsteps], root: Callable[[float], tuple[float, ...]]
) -> tuple[Body, ...]:
    """The weight goes over the foot that stays, the pelvis sinks, gaze, chest and hips lead."""
    home = _middle({side: np.array(steps[side].rows[0])[[1, 3]] for side in "lr"})
    rows = [Body(0.0)]
    spans = sorted((lift, land, side) for side, lift, land in _swings(steps))
    last = max(land for _, land, _ in spans)
    for lift, land, side in spans:
        other = "r" if side == "l" else "l"
        frame = 0.5 * (lift + land)
        there = {s: _place(steps[s], frame) for s in "lr"}
        there[side] = _place(steps[side], land + 0.01)
        over = _middle(there) + SHARE * (there[other] - _middle(there))
        yaw = np.radians(root(frame)[3])
        c, s = np.cos(yaw), np.sin(yaw)
        moved = np.array([c * over[0] - s * over[1], s * over[0] + c * over[1]]) - home
        wane = max(0.0, 1.0 - frame / last) if not turning.looping else 0.6
        hips, trunk, gaze = (sign * lead * wane for lead in turning.lead)
        bow = 1.5
        rows.append(
            Body(
                frame,
                (moved[0], -turning.sink, moved[1]),
                (0.5 * bow, hips, 0.0),
                (bow, trunk, 0.0),
                (0.0, gaze, 0.0),
            )
        )
    if not turning.looping:
        first = Body(3.0, (0.0, -0.4 * turning.sink, 0.0), (0.0, 0.0, 0.0), (0.5, 0.5 * sign * turning.lead[1], 0.0),
                     (0.0, 0.7 * sign * turning.lead[2], 0.0))  # fmt: skip
        rows.insert(1, first)
        rows.append(
            Body(last + 4.0, (0.0, -0.3 * turning.sink, 0.0), (0.0, -sign, 0.0), (0.5, -2.0 * sign, 0.0))
        )
    rows.append(Body(float(turning.frames)))
    return tuple(rows)


def _swings(steps: dict[str, Footsteps]) -> list[tuple[str, float, float]]:
    return [
        (side, before[1], after[0])
        for side, foot in steps.items()
        for before, after in zip(foot.down, foot.down[1:], strict=False)
    ]


def _place(foot: Footsteps, frame: float) -> np.ndarray:
    """X and z where a foot stands, or stood last."""
    row = [r for r in foot.rows if r[0] <= frame][-1]
    return np.array([row[1], row[3]])


def _middle(places: dict[str, np.ndarray]) -> np.ndarray:
    return np.asarray(0.5 * (places["l"] + places["r"]))


def _arms(
    turning: Turning, inner: str, outer: str
) -> dict[str, tuple[tuple[float, float, float, float, float], ...]]:
    """Arms stay behind the turn a little, and are held clear."""
    n = turning.frames
    much = 0.6 if turning.looping else 1.0
    return {
        inner: ((0.0, 0.0, 0.0, 0.0, 0.0), (0.3 * n, -8.0 * much, -2.0, -4.0 * much, 6.0 * much),
                (0.6 * n, 4.0 * much, 0.0, -5.0 * much, 6.0 * much), (float(n), 0.0, 0.0, 0.0, 0.0)),
        outer: ((0.0, 0.0, 0.0, 0.0, 0.0), (0.3 * n, 9.0 * much, 2.0, -4.0 * much, 7.0 * much),
                (0.6 * n, 3.0 * much, 2.0, -5.0 * much, 7.0 * much), (float(n), 0.0, 0.0, 0.0, 0.0)),
    }  # fmt: skip


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the ten clips, ``turn left 180`` first, each left before right."""

    def maker(turning: Turning, sign: float) -> Callable[[], Clip]:
        return lambda: _build(turning, sign)

    return tuple(maker(turning, sign) for turning in TURNS for sign in (1.0, -1.0))
