"""A roll after a landing: down on the hands, over one shoulder and the back, up on the feet; ends as ``idle`` begins.

The root travels with the pelvis, fast to begin with, and stops where the character stands up.
"""

import numpy as np

from core.clips.clip import Clip
from resources.sample.motion.grounded import EASE, Arm, Leg, Pose, build_grounded
from resources.sample.motion.planning import Footsteps, home_of, placed

FRAMES = 50
DOWN = 26.0
"""Frame in which the feet are down again."""
WAY = (
    (0.0, 0.0),
    (6.0, 0.62),
    (12.0, 1.14),
    (18.0, 1.62),
    (26.0, 2.18),
    (34.0, 2.58),
    (42.0, 2.70),
    (50.0, 2.70),
)
"""Metres that the root has come, by frame."""


def root(frame: float) -> tuple[float, float, float, float]:
    """Straight ahead."""
    table = np.array(WAY)
    return 0.0, 0.0, float(np.interp(frame, table[:, 0], table[:, 1])), 0.0


def build() -> Clip:
    """The clip ``roll``."""
    lands: Leg = (58.0, 8.0, 4.0, 74.0, -6.0)
    folds: Leg = (86.0, 8.0, 4.0, 96.0, 4.0)
    tucked: Leg = (112.0, 10.0, 4.0, 124.0, 14.0)
    tight: Leg = (118.0, 12.0, 4.0, 132.0, 10.0)
    forward: Arm = (64.0, 6.0, 30.0, -10.0, 40.0, 20.0, -30.0, 6.0)
    down: Arm = (104.0, 8.0, 28.0, -12.0, 46.0, 10.0, -50.0, 8.0)
    across: Arm = (96.0, 22.0, 30.0, -14.0, 96.0, 20.0, -10.0, 6.0)
    shins: Arm = (70.0, 14.0, 32.0, -8.0, 64.0, 24.0, 0.0, 4.0)
    loose: Arm = (36.0, 2.0, 32.0, -5.0, 34.0, 26.0, 4.0, 0.0)
    none: Leg = (0.0,) * 5
    rows = (
        Pose(0.0, (20.0, 0.0, 0.0), (0.0, -0.10), (18.0, 0.0, 0.0), (4.0, 0.0, 0.0), (lands, lands),
             (forward, forward)),
        Pose(4.0, (52.0, 4.0, 2.0), (0.0, -0.02), (38.0, 6.0, 0.0), (24.0, 0.0, 0.0), (folds, folds), (down, down)),
        Pose(8.0, (98.0, 8.0, 4.0), (0.0, 0.0), (58.0, 10.0, 0.0), (56.0, 8.0, 0.0), (folds, tucked), (down, across)),
        Pose(12.0, (158.0, 8.0, 4.0), (0.0, 0.0), (64.0, 10.0, 0.0), (62.0, 8.0, 0.0), (tucked, tight),
             (across, across)),
        Pose(16.0, (222.0, 4.0, 2.0), (0.0, 0.0), (62.0, 6.0, 0.0), (58.0, 4.0, 0.0), (tight, tight), (shins, across)),
        Pose(20.0, (284.0, 2.0, 0.0), (0.0, 0.0), (54.0, 2.0, 0.0), (40.0, 0.0, 0.0), (tight, tight), (shins, shins)),
        Pose(24.0, (338.0, 0.0, 0.0), (0.0, 0.0), (46.0, 0.0, 0.0), (10.0, 0.0, 0.0), (tight, tight), (shins, shins)),
        Pose(28.0, (382.0, 0.0, 0.0), (0.0, 0.14), (36.0, 0.0, 0.0), (-18.0, 0.0, 0.0), (tight, tight), (loose, loose),
             height=-0.590),
        Pose(33.0, (390.0, 0.0, 0.0), (0.0, 0.02), (30.0, 0.0, 0.0), (-16.0, 0.0, 0.0), (none, none), (loose, loose),
             0.1, height=-0.400),
        Pose(39.0, (374.0, 0.0, 0.0), (0.0, -0.01), (14.0, 0.0, 0.0), (-6.0, 0.0, 0.0), (none, none), (EASE, EASE), 0.6,
             height=-0.120),
        Pose(46.0, (360.0, 0.0, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (none, none), (EASE, EASE), 1.0),
        Pose(float(FRAMES), (360.0, 0.0, 0.0), (0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (none, none), (EASE, EASE),
             1.0),
    )  # fmt: skip
    end = root(float(FRAMES))
    feet = {}
    for side, back in (("l", 0.0), ("r", 0.0)):
        x, z, yaw = placed(end, home_of(side))
        feet[side] = Footsteps(side).stand(DOWN, x, z - back, yaw).stay(float(FRAMES))
    return build_grounded("roll", FRAMES, rows, root, feet, DOWN).build()
