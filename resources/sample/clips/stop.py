"""Stops from a walk and a run ahead, to the left and to the right, with either foot ahead.

A walker's trailing foot comes up to the one ahead; a runner braces with it farther on and brings the other one up.
The root slows down evenly and comes to rest before the body has settled; each ends as ``idle`` begins.
"""

from collections.abc import Callable

import numpy as np

from core.clips.clip import Clip
from resources.sample.clips.run import RUN
from resources.sample.clips.run_side import RUN_LEFT, RUN_RIGHT
from resources.sample.clips.walk import WALK
from resources.sample.clips.walk_side import WALK_LEFT, WALK_RIGHT
from resources.sample.motion.acting import Body
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import Gait, GaitFeet
from resources.sample.motion.keying import RATE
from resources.sample.motion.planning import (
    Footsteps,
    Move,
    RootAt,
    build_move,
    gait_trunk,
    home_of,
    placed,
    standing_trunk,
)

WAYS = {
    "forward": (0.0, WALK, RUN),
    "left": (90.0, WALK_LEFT, RUN_LEFT),
    "right": (-90.0, WALK_RIGHT, RUN_RIGHT),
}
"""Degrees to the left, and the cycles stopped from."""
RUN_WAY = 1.0
"""Metres that a stop from a run takes."""


def slowing(speed: float, way: float, heading: float) -> tuple[RootAt, float]:
    """A root that slows down evenly over a way, and the frame at which it is at rest."""
    seconds = 2.0 * way / speed
    angle = np.radians(heading)

    def at(frame: float) -> tuple[float, float, float, float]:
        t = min(frame / RATE, seconds)
        gone = speed * t - 0.5 * speed / seconds * t * t
        return float(gone * np.sin(angle)), 0.0, float(gone * np.cos(angle)), 0.0

    return at, seconds * RATE


def _acting(rest: float, heading: float, brisk: float) -> tuple[Body, ...]:
    """Lean against the travel, be carried on a little, come upright; ``brisk`` is 1 from a run."""
    s, c = np.sin(np.radians(heading)), np.cos(np.radians(heading))

    def row(frame: float, along: float, sink: float, lean: float, bow: float) -> Body:
        hips = (0.35 * lean * c, 0.0, -0.35 * lean * s)
        trunk = (0.65 * lean * c + bow, 0.0, -0.65 * lean * s)
        return Body(frame, (along * s, sink, along * c), hips, trunk, (-0.3 * bow, 0.0, 0.0))

    k = 0.4 + 0.6 * brisk
    return (
        Body(0.0),
        row(0.40 * rest, -0.055 * k, -0.060 * k, -17.0 * k, 2.0 * k),
        row(0.80 * rest, -0.005 * k, -0.100 * k, -13.0 * k, 9.0 * k),
        row(1.10 * rest, 0.035 * k, -0.060 * k, 2.0 * k, 6.0 * k),
        row(1.40 * rest, 0.012 * k, -0.014 * k, 1.8 * k, -1.0 * k),
        row(1.65 * rest, -0.004 * k, 0.0, -0.6 * k, -0.8 * k),
        Body(1.9 * rest),
    )


def _build(gait: Gait, way: str, lead: str) -> Clip:
    """``lead`` is the foot that is ahead as the stop begins."""
    heading = WAYS[way][0]
    trail = "r" if lead == "l" else "l"
    phase = 0.0 if lead == "l" else 0.5
    feet = GaitFeet(gait)
    x, _, z, yaw, _, _ = feet.row(lead, phase)
    s, c = np.sin(np.radians(heading)), np.cos(np.radians(heading))
    home = home_of(lead)
    runs = gait.speed > 2.0
    way_on = RUN_WAY if runs else float((x - home[0]) * s + (z - home[1]) * c)
    root, rest = slowing(gait.speed, way_on, heading)
    frames = int(np.ceil(1.9 * rest)) + (2 if way == "forward" else 5)
    end = root(float(frames))
    goal = {side: placed(end, home_of(side)) for side in "lr"}
    steps = {side: Footsteps(side) for side in "lr"}
    straight = way == "forward"
    hold = (goal[lead][0], goal[lead][2]) if straight and not runs else None
    release = (gait.step.release or gait.step.duty) * gait.frames
    ahead, behind = steps[lead], steps[trail]
    if runs:
        ahead.follow(gait, phase, 2.0, root)
        ahead.stay(5.5)
        behind.follow(gait, phase, 2.0, root)
        behind.step(2.0, 8.0, *goal[trail], height=0.17, toes_up=10.0)
        ahead.step(8.5, 0.5 * (8.5 + rest) + 6.0, *goal[lead], height=0.10, heel=-42.0)
    else:
        ahead.follow(gait, phase, 4.0, root, plant=hold)
        lifts = release - 0.5 * gait.frames
        behind.follow(gait, phase, lifts, root)
        behind.step(lifts, rest + 0.5, *goal[trail], height=0.07, heel=-46.0)
        if not straight:  # the foot ahead is turned into the way: it steps round
            ahead.step(rest + 1.5, rest + 9.5, *goal[lead], height=0.05, heel=-22.0)
    for side in steps.values():
        side.stay(float(frames))

    def start(frame: float) -> Posing:
        gone = float(np.hypot(*root(frame)[::2]))
        return gait_trunk(gait, phase + gone / float(np.linalg.norm(gait.travel)))

    name = f"{gait.name.split()[0]} stop {way} {'LF' if lead == 'l' else 'RF'}"
    keys = [0.0, 2.0, 4.0, 6.0, *np.arange(9.0, frames - 2.0, 3.0)]
    move = Move(
        name, frames, start, standing_trunk, ((0.0, 0.0), (0.45 * rest, 0.25), (1.35 * rest, 0.97), (1.8 * rest, 1.0)),
        root, steps, _acting(rest, heading, 1.0 if runs else 0.0), keys=keys,
    )  # fmt: skip
    builder = build_move(move)
    word = {"l": "left", "r": "right"}
    builder.sync(f"{word[lead]}_down", 0.0)
    builder.sync(f"{word[trail]}_down", 8.0 if runs else rest + 0.5)
    builder.sync("rest", 1.4 * rest)
    return builder.build()


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the twelve clips, ``walk stop forward LF`` first."""

    def maker(gait: Gait, way: str, lead: str) -> Callable[[], Clip]:
        return lambda: _build(gait, way, lead)

    return tuple(
        maker(cycle, way, lead)
        for number in (0, 1)
        for way, (_, *cycles) in WAYS.items()
        for lead in "lr"
        for cycle in (cycles[number],)
    )
