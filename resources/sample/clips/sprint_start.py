"""From standing into a sprint: 7.5 m/s² over four steps, from leaning far forward to the sprinter's carriage."""

import numpy as np

from core.clips.clip import Clip
from resources.sample.clips.sprint import SPRINT
from resources.sample.motion.acting import Body
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import GaitFeet
from resources.sample.motion.keying import RATE
from resources.sample.motion.planning import Footsteps, Move, build_move, gait_trunk, home_of, standing_trunk

FRAMES = 28
SETS_OUT = 2.0
"""Frame in which the root starts."""


def root(frame: float) -> tuple[float, float, float, float]:
    """The root gathers speed evenly."""
    t = max(0.0, (frame - SETS_OUT) / RATE)
    top = (FRAMES - SETS_OUT) / RATE
    return 0.0, 0.0, float(0.5 * SPRINT.speed / top * t * t), 0.0


def build() -> Clip:
    """The clip ``sprint start``, which ends as ``sprint`` begins."""
    left, right = Footsteps("l"), Footsteps("r")
    feet = GaitFeet(SPRINT)
    end = root(float(FRAMES))[2]
    x, _, z, yaw, _, _ = feet.row("l", 0.0)
    left.stand(0.0, *home_of("l")).stay(9.0)
    right.stand(0.0, *home_of("r")).stay(2.0)
    right.step(4.0, 10.0, -0.075, root(10.0)[2] + 0.24, -2.0, height=0.10, heel=-42.0, toes_up=-4.0)
    left.step(11.0, 16.0, 0.062, root(16.0)[2] + 0.25, 1.0, height=0.17, heel=-58.0, toes_up=-4.0)
    right.step(16.8, 21.5, -0.052, root(21.5)[2] + 0.27, 0.0, height=0.30, heel=-64.0, toes_up=-4.0)
    left.step(21.4, float(FRAMES), x, end + z, yaw, height=0.36, heel=-62.0, toes_up=-8.0)
    _, px, _, pz, pyaw, *_ = right.last
    right.rows += [(f, px, 0.0, pz, pyaw, p, 0.0) for f, p in ((22.2, -4.0), (23.3, -26.0), (24.6, -62.0))]
    right.rows = sorted(row for row in right.rows if row[0] not in (23.5,))
    right.down[-1] = (21.5, 24.4)
    right.join(SPRINT, 0.0, FRAMES, 25.6, root)

    def after(frame: float) -> Posing:
        # Steps are slower to begin with: the arms follow the feet that land.
        phase = np.interp(frame, [0.0, 4.0, 10.0, 16.0, 21.5, FRAMES], [-2.28, -2.0, -1.5, -1.0, -0.5, 0.0])
        return gait_trunk(SPRINT, float(phase))

    acting = (
        Body(0.0),
        Body(3.0, (0.0, -0.060, 0.030), (12.0, 0.0, 0.0), (9.0, 0.0, 0.0), (-6.0, 0.0, 0.0)),
        Body(8.0, (0.0, -0.085, 0.060), (22.0, 0.0, 0.0), (15.0, 0.0, 0.0), (-12.0, 0.0, 0.0)),
        Body(14.0, (0.0, -0.060, 0.055), (17.0, 0.0, 0.0), (10.0, 0.0, 0.0), (-9.0, 0.0, 0.0)),
        Body(21.0, (0.0, -0.020, 0.025), (7.0, 0.0, 0.0), (4.0, 0.0, 0.0), (-4.0, 0.0, 0.0)),
        Body(28.0),
    )
    move = Move(
        "sprint start", FRAMES, standing_trunk, after, ((0.0, 0.0), (3.0, 0.22), (9.0, 0.90), (13.0, 1.0)),
        root, {"l": left, "r": right}, acting,
        keys=(0, 2, 4, 6, 8, 10.5, 12, 14, 15.5, 17, 18.5, 20, 21.5, 23, 24.5, 26, 27, 28), leg_keys=0.5,
    )  # fmt: skip
    return build_move(move).build()
