"""Getting up from lying on the back, on the front and curled up on the left side; each ends as ``idle`` begins.

The root begins below the pelvis as it lies, and goes by root motion to where the character stands in the end.
"""

from collections.abc import Callable

import numpy as np

from core.clips.clip import Clip
from resources.sample.motion.grounded import EASE, Arm, Leg, Pose, build_grounded
from resources.sample.motion.planning import Footsteps, RootAt, home_of, placed

LIES: Leg = (4.0, 6.0, 8.0, 8.0, 32.0)
BACK_END, FRONT_END = 0.36, 0.12
"""Metres ahead of where the pelvis lay that the character stands in the end."""
NONE = (0.0, 0.0, 0.0)


def _going(way: float, start: float, end: float) -> RootAt:
    """A root that goes a way ahead between two frames, gently."""

    def at(frame: float) -> tuple[float, float, float, float]:
        u = float(np.clip((frame - start) / (end - start), 0.0, 1.0))
        return 0.0, 0.0, way * u * u * (3.0 - 2.0 * u), 0.0

    return at


def _standing(frame: float, stands: float = 1.0, lean: float = 0.0, trunk: float = 0.0) -> Pose:
    legs: Leg = (0.0,) * 5
    return Pose(
        frame, (lean, 0.0, 0.0), (0.0, 0.0), (trunk, 0.0, 0.0), NONE, (legs, legs), (EASE, EASE), stands
    )


def _back() -> Clip:
    side: Arm = (0.0, 0.0, 14.0, 0.0, 10.0, 20.0, 0.0, 0.0)
    push: Arm = (-30.0, -14.0, 20.0, -20.0, 22.0, 30.0, -40.0, 6.0)
    prop: Arm = (-24.0, -8.0, 28.0, -14.0, 6.0, 40.0, -48.0, 8.0)
    swing: Arm = (52.0, 4.0, 34.0, -6.0, 26.0, 20.0, 0.0, 2.0)
    loose: Arm = (26.0, 2.0, 34.0, -5.0, 26.0, 26.0, 4.0, 0.0)
    drawn: Leg = (48.0, 8.0, 6.0, 84.0, 12.0)
    rows = (
        Pose(0.0, (-90.0, 0.0, 0.0), (0.0, 0.0), (4.0, 0.0, 0.0), (2.0, 8.0, 0.0),
             (LIES, (7.0, 7.0, 12.0, 14.0, 30.0)), (side, (2.0, -4.0, 8.0, 0.0, 16.0, 20.0, 0.0, 0.0))),
        Pose(9.0, (-87.0, 0.0, 1.0), (0.0, 0.0), (16.0, 2.0, 0.0), (24.0, 2.0, 0.0),
             ((30.0, 8.0, 6.0, 56.0, 22.0), (14.0, 6.0, 8.0, 26.0, 26.0)), (push, push)),
        Pose(18.0, (-66.0, 0.0, 2.0), (0.0, 0.0), (34.0, 4.0, 0.0), (28.0, 0.0, 0.0),
             (drawn, (36.0, 7.0, 6.0, 66.0, 16.0)), (push, push)),
        Pose(28.0, (-24.0, 2.0, 1.0), (0.0, 0.02), (30.0, 2.0, 0.0), (14.0, 0.0, 0.0),
             ((92.0, 10.0, 6.0, 112.0, 8.0), (88.0, 10.0, 6.0, 106.0, 8.0)), (prop, prop)),
        Pose(36.0, (4.0, 2.0, 0.0), (0.0, 0.01), (42.0, 0.0, 0.0), (2.0, 0.0, 0.0),
             ((108.0, 10.0, 6.0, 120.0, -6.0), (108.0, 10.0, 6.0, 120.0, -6.0)), (swing, swing), height=-0.665),
        Pose(43.0, (34.0, 2.0, 0.0), (0.0, -0.020), (38.0, 0.0, 0.0), (-16.0, 0.0, 0.0),
             ((120.0, 10.0, 6.0, 120.0, -10.0), (120.0, 10.0, 6.0, 120.0, -10.0)), (swing, swing), height=-0.520),
        Pose(52.0, (34.0, 0.0, 0.0), (0.0, -0.055), (30.0, 0.0, 0.0), (-16.0, 0.0, 0.0), (LIES, LIES), (loose, loose),
             0.15, height=-0.285),
        Pose(61.0, (12.0, 0.0, 0.0), (0.0, -0.015), (10.0, 0.0, 0.0), (-4.0, 0.0, 0.0), (LIES, LIES), (EASE, EASE), 0.7,
             height=-0.070),
        _standing(70.0), _standing(76.0),
    )  # fmt: skip
    root = _going(BACK_END, 26.0, 56.0)
    end = root(76.0)
    feet = {}
    for side, out in (("l", 0.03), ("r", -0.03)):
        x, z, yaw = placed(end, home_of(side))
        feet[side] = Footsteps(side).stand(30.0, x + out, z, yaw + 200.0 * out).stay(58.0)
        feet[side].step(58.0 + (0.0 if side == "l" else 7.0), 65.0 + (0.0 if side == "l" else 7.0), x, z, yaw,
                        height=0.03, heel=-14.0, toes_up=0.0)  # fmt: skip
        feet[side].stay(76.0)
    return build_grounded("get up back", 76, rows, root, feet, 30.0).build()


KNEELS: Leg = (94.0, 8.0, 4.0, 90.0, 44.0)
ALL_FOURS: Arm = (86.0, 0.0, 32.0, -4.0, 10.0, 8.0, -60.0, 2.0)


def _rise(frame: float, z: float) -> tuple[Pose, ...]:
    """From hands and knees over the left foot to standing; the pelvis is at z when the foot comes forward."""
    on_knee: Arm = (52.0, 0.0, 36.0, -6.0, 36.0, 18.0, -10.0, 2.0)
    hangs: Arm = (30.0, 0.0, 36.0, -4.0, 20.0, 26.0, 4.0, 0.0)
    right: Leg = (34.0, 6.0, 2.0, 92.0, 30.0)
    left: Leg = (112.0, 8.0, 4.0, 112.0, -6.0)
    return (
        Pose(frame - 3.0, (72.0, 0.0, 3.0), (-0.01, z), (14.0, 0.0, 0.0), (-30.0, 0.0, 0.0),
             ((122.0, 8.0, 4.0, 118.0, -4.0), (66.0, 7.0, 2.0, 84.0, 42.0)), (ALL_FOURS, ALL_FOURS)),
        Pose(frame + 8.0, (34.0, 0.0, 2.0), (-0.01, z + 0.01), (26.0, 2.0, 0.0), (-26.0, 0.0, 0.0), (left, right),
             (on_knee, (66.0, 0.0, 32.0, -4.0, 16.0, 10.0, -40.0, 2.0)), height=-0.490),
        Pose(frame + 16.0, (30.0, 0.0, 1.0), (0.012, 0.7 * z), (26.0, 0.0, 0.0), (-24.0, 0.0, 0.0), (left, right),
             (on_knee, hangs), 0.1, height=-0.330),
        Pose(frame + 25.0, (18.0, 0.0, 0.0), (0.022, 0.3 * z), (14.0, 0.0, 0.0), (-8.0, 0.0, 0.0), (LIES, LIES),
             (hangs, hangs), 0.5, height=-0.120),
        _standing(frame + 36.0), _standing(frame + 42.0),
    )  # fmt: skip


def _rising_feet(frame: float, root: RootAt, last: float) -> dict[str, Footsteps]:
    """The left foot is planted from a frame on, the right one comes up to it."""
    end = root(last)
    x, z, yaw = placed(end, home_of("l"))
    left = Footsteps("l").stand(frame, x, z, yaw).stay(last)
    x, z, yaw = placed(end, home_of("r"))
    right = Footsteps("r")
    right.rows = [(frame, x, 0.0, z - 0.60, yaw, -66.0), (frame + 9.0, x, 0.0, z - 0.60, yaw, -66.0)]
    right.down = [(frame - 2.0, frame - 1.0)]
    right.rows.append((frame + 13.0, x, 0.0, z - 0.60, yaw, -58.0, 0.0))
    right.step(frame + 13.0, frame + 23.0, x, z, yaw, height=0.10, heel=-58.0, toes_up=3.0).stay(last)
    right.down = right.down[1:]
    return {"l": left, "r": right}


def _front() -> Clip:
    beside: Arm = (20.0, -20.0, -18.0, -30.0, 118.0, 20.0, -30.0, 4.0)
    presses: Arm = (58.0, -8.0, 6.0, -22.0, 78.0, 14.0, -52.0, 4.0)
    rows = (
        Pose(0.0, (90.0, 0.0, 0.0), (0.0, 0.0), (-3.0, 0.0, 0.0), (-8.0, 34.0, 0.0),
             (LIES, (3.0, 10.0, 14.0, 6.0, 34.0)),
             (beside, (30.0, -14.0, -10.0, -30.0, 104.0, 20.0, -30.0, 4.0))),
        Pose(8.0, (88.0, 0.0, 0.0), (0.0, 0.0), (-14.0, 0.0, 0.0), (-26.0, 10.0, 0.0), (LIES, LIES),
             (presses, presses)),
        Pose(17.0, (80.0, 0.0, 0.0), (0.0, -0.03), (-16.0, 0.0, 0.0), (-34.0, 0.0, 0.0),
             ((22.0, 8.0, 4.0, 34.0, 30.0), (12.0, 6.0, 4.0, 22.0, 30.0)),
             ((72.0, -4.0, 22.0, -10.0, 40.0, 10.0, -56.0, 4.0), (72.0, -4.0, 22.0, -10.0, 40.0, 10.0, -56.0, 4.0))),
        Pose(26.0, (86.0, 0.0, 0.0), (0.0, -0.10), (6.0, 0.0, 0.0), (-34.0, 0.0, 0.0), (KNEELS, KNEELS),
             (ALL_FOURS, ALL_FOURS)),
        *_rise(35.0, -0.16),
    )  # fmt: skip
    root = _going(FRONT_END, 26.0, 60.0)
    return build_grounded("get up front", 77, rows, root, _rising_feet(36.0, root, 77.0), 36.0).build()


def _side() -> Clip:
    curled: Leg = (98.0, 4.0, 0.0, 116.0, 10.0)
    under: Leg = (84.0, 4.0, 0.0, 104.0, 14.0)
    folded: Arm = (58.0, 30.0, 22.0, -6.0, 108.0, 30.0, 0.0, 4.0)
    over: Arm = (66.0, 34.0, 30.0, -10.0, 92.0, 30.0, 0.0, 6.0)
    reaches: Arm = (78.0, 10.0, 24.0, -8.0, 44.0, 14.0, -44.0, 4.0)
    rows = (
        Pose(0.0, (0.0, 0.0, -88.0), (0.0, 0.0), (44.0, 0.0, 0.0), (30.0, 0.0, 8.0), (under, curled), (folded, over)),
        Pose(9.0, (8.0, 4.0, -84.0), (0.0, 0.0), (38.0, 6.0, 4.0), (16.0, 8.0, 16.0), (under, curled),
             (folded, reaches)),
        Pose(18.0, (52.0, 6.0, -46.0), (0.0, -0.02), (20.0, 8.0, 10.0), (-12.0, 8.0, 10.0),
             ((112.0, 6.0, 0.0, 122.0, 20.0), (106.0, 4.0, 0.0, 118.0, 20.0)),
             ((74.0, 14.0, 20.0, -8.0, 60.0, 14.0, -44.0, 4.0), reaches)),
        Pose(28.0, (86.0, 0.0, -8.0), (0.0, -0.10), (6.0, 0.0, 2.0), (-32.0, 0.0, 0.0), (KNEELS, KNEELS),
             (ALL_FOURS, ALL_FOURS)),
        *_rise(37.0, -0.16),
    )  # fmt: skip
    root = _going(FRONT_END, 28.0, 62.0)
    return build_grounded("get up side", 79, rows, root, _rising_feet(38.0, root, 79.0), 38.0).build()


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of ``get up back``, ``get up front`` and ``get up side``."""
    return _back, _front, _side
