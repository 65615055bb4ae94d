"""Turns about in a run: the foot ahead braces across the way, the body comes round over it and runs back.

The left foot ahead turns to the right, the right one to the left; begun in the run before that foot lands, ended
in the run as it lands again.
"""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.tracks.evaluate import evaluate_scalar
from resources.sample.clips.run import RUN
from resources.sample.motion.acting import Body
from resources.sample.motion.feet import curve
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import GaitFeet
from resources.sample.motion.keying import RATE
from resources.sample.motion.planning import Footsteps, Move, build_move, gait_trunk, placed

FRAMES = 25
BEGINS = 0.85
"""Phase of the run, of the foot that braces."""
STILL = (7.0, 10.0)
"""Frames between which the root stands still."""
BRACED, ROUND = 3.0, 13.0
"""Frames in which the foot ahead lands, and the other one in the way back."""
RUNS = 19.0
"""Frame from which all is as in the run."""
TURN = ((0.0, 0.0), (2.0, 2.0), (6.0, 42.0), (10.0, 118.0), (14.0, 168.0), (17.0, 180.0), (25.0, 180.0))
"""Degrees that the root has turned."""


def _way() -> FloatArray:
    """Metres ahead at each half frame."""
    times = np.arange(0.0, FRAMES + 0.5, 0.5)
    slow, go = STILL
    reach = 16.0
    speed = np.interp(times, [0.0, slow, go, reach, FRAMES], [RUN.speed, 0.0, 0.0, -RUN.speed, -RUN.speed])
    steps = 0.5 * (speed[1:] + speed[:-1]) * 0.5 / RATE
    return np.concatenate([[0.0], np.cumsum(steps)])


def _build(lead: str) -> Clip:
    trail = "r" if lead == "l" else "l"
    sign = -1.0 if lead == "l" else 1.0  # the left foot ahead: to the right
    way, turned = _way(), curve(TURN, loop=False)

    def root(frame: float) -> tuple[float, float, float, float]:
        z = float(np.interp(frame, np.arange(0.0, FRAMES + 0.5, 0.5), way))
        return 0.0, 0.0, z, sign * float(evaluate_scalar(turned, frame))

    start = BEGINS if lead == "l" else BEGINS + 0.5
    ends = 0.0 if lead == "l" else 0.5
    steps = {side: Footsteps(side) for side in "lr"}
    feet = GaitFeet(RUN)
    brace = (0.10 * -sign, root(STILL[0])[2] + 0.26, sign * 62.0)
    stands = ends + (RUNS - FRAMES) / RUN.frames
    other = placed(root(RUNS), tuple(feet.row(trail, stands)[k] for k in (0, 2, 3)))  # type: ignore[arg-type]
    last = placed(root(float(FRAMES)), tuple(feet.row(lead, ends)[k] for k in (0, 2, 3)))  # type: ignore[arg-type]
    ahead = steps[lead].follow(RUN, start, 1.0, root)
    ahead.step(1.0, BRACED, *brace, height=0.07, toes_up=4.0).twist(8.0, 14.0, sign * 150.0, -38.0)
    ahead.step(14.0, float(FRAMES), *last, height=0.30, heel=-40.0, toes_up=5.5)
    behind = steps[trail].follow(RUN, start, 2.0, root)
    behind.step(2.0, 7.5, 0.15 * sign, root(STILL[0])[2] - 0.16, sign * 110.0, height=0.18, toes_up=-9.0)
    behind.step(9.0, ROUND, *other, height=0.05, heel=-15.0, toes_up=0.0)
    behind.stay(RUNS - 3.0).join(RUN, ends, FRAMES, RUNS, root)

    def before(frame: float) -> Posing:
        return gait_trunk(RUN, start + min(frame, 6.0) / RUN.frames)

    def after(frame: float) -> Posing:
        return gait_trunk(RUN, ends + (frame - FRAMES) / RUN.frames)

    out = sign
    acting = (
        Body(0.0),
        Body(4.0, (0.0, -0.075, -0.060), (-7.0, 6.0 * out, 0.0), (-9.0, 12.0 * out, 0.0), (2.0, 26.0 * out, 0.0)),
        Body(8.0, (0.0, -0.165, -0.030), (4.0, 6.0 * out, -9.0 * out), (9.0, 16.0 * out, -9.0 * out),
             (-4.0, 34.0 * out, 0.0)),
        Body(12.0, (0.0, -0.135, 0.045), (9.0, 3.0 * out, -6.0 * out), (13.0, 8.0 * out, -6.0 * out),
             (-8.0, 16.0 * out, 0.0)),
        Body(17.0, (0.0, -0.060, 0.060), (9.0, 0.0, 0.0), (10.0, 0.0, 0.0), (-8.0, 0.0, 0.0)),
        Body(25.0),
    )  # fmt: skip
    arms = {
        lead: ((0.0, 0.0, 0.0, 0.0, 0.0), (6.0, 12.0, 6.0, -22.0, -18.0), (11.0, 4.0, 2.0, -14.0, -8.0),
               (18.0, 0.0, 0.0, 0.0, 0.0)),
        trail: ((0.0, 0.0, 0.0, 0.0, 0.0), (6.0, -10.0, -8.0, -26.0, -22.0), (12.0, 4.0, 0.0, -10.0, -8.0),
                (18.0, 0.0, 0.0, 0.0, 0.0)),
    }  # fmt: skip
    move = Move(
        f"pivot {'LF' if lead == 'l' else 'RF'}", FRAMES, before, after,
        ((0.0, 0.0), (5.0, 0.12), (12.0, 0.80), (17.0, 1.0)), root, steps, acting, arms,
        keys=(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 23.5, 25), leg_keys=0.5,
    )  # fmt: skip
    return build_move(move).build()


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of ``pivot LF`` and ``pivot RF``."""
    return (lambda: _build("l")), (lambda: _build("r"))
