"""Leans into a run or a turn, to add to it: forward, back, left, right, and none.

Model-space differences from the first frame of ``idle``: the trunk leans and the legs below it do not.
"""

from collections.abc import Callable

from core.clips.clip import Clip
from resources.sample.clips.aim import difference
from resources.sample.clips.idle import FEET
from resources.sample.motion import stance
from resources.sample.motion.acting import whole_at_ease
from resources.sample.motion.figure import Posing
from resources.sample.motion.gait import standing_legs
from resources.sample.motion.stance import NECK, SPINE

LEANS = {
    "centre": (0.0, 0.0),
    "forward": (0.0, 1.0),
    "back": (0.0, -1.0),
    "left": (1.0, 0.0),
    "right": (-1.0, 0.0),
}
"""How much to the left, and forward."""


def leaning(left: float, ahead: float) -> Posing:
    """The standing pose leaning; 1 is the whole lean."""
    pose = whole_at_ease()
    x, y, z = pose.shifts["pelvis"]
    slope = 24.0 if ahead > 0.0 else 17.0
    pose.shift("pelvis", x + 0.030 * left, y - 0.012 * abs(ahead) - 0.008 * abs(left), z - 0.030 * ahead)
    pose.add("pelvis", 0.30 * slope * ahead, 2.0 * left, -5.0 * left)
    for bone, share in zip(SPINE, stance.SPINE_SHARES, strict=True):
        pose.add(bone, 0.70 * slope * ahead * share, 5.0 * left * share, -17.0 * left * share)
    for bone in NECK:
        pose.add(bone, -0.26 * slope * ahead, -1.0 * left, 5.0 * left)
    for side, sign in (("l", 1.0), ("r", -1.0)):  # the arms go on hanging, and clear the side that sinks
        sinks = left * sign
        out = 6.0 * max(0.0, sinks) + 7.0 * min(0.0, sinks) + 3.0 * abs(ahead)
        pose.add(f"upper_arm_{side}", -0.62 * slope * ahead, 0.0, sign * out)
    standing_legs(pose, FEET, knee_out=5.0)
    return pose


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the clips ``lean centre``, ``lean forward`` and so on, one frame each."""

    def maker(name: str, left: float, ahead: float) -> Callable[[], Clip]:
        return lambda: difference(f"lean {name}", leaning(left, ahead))

    return tuple(maker(name, *amount) for name, amount in LEANS.items())
