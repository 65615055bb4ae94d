"""Walks to the left and right: 1.4 m/s, hips turned half-way into the direction, chest and eyes ahead.

The feet keep two lanes, the leading hip's behind and the other's in front, so that the legs pass each other.
"""

from dataclasses import replace

from core.clips.clip import Clip
from resources.sample.motion.feet import Step, moved_ahead
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
STEP = Step(
    duty=0.607142857142857,
    flat=(0.098, 0.345),
    pitch=(
        (0.000, 12.0), (0.060, 4.0), (0.110, 0.0), (0.330, 0.0), (0.420, -9.0), (0.500, -26.0),
        (0.560, -40.0), (0.607, -50.0), (0.665, -49.0), (0.740, -31.0), (0.820, -9.0), (0.900, 6.0),
        (0.960, 12.0),
    ),
    swing=((0.22, -0.265, 0.236, 0.112), (0.50, 0.030, 0.168, 0.122), (0.76, 0.290, 0.124, 0.110)),
    toes=(
        (0.0, 12.0), (0.10, 0.0), (0.607, 50.0), (0.64, 48.0), (0.73, 16.0), (0.78, 2.0), (0.88, 8.0),
        (0.96, 14.0),
    ),
    landing=0.35,
    release=0.57,
)
LEAD = 0.05  # with the hips turned, one of them is farther along than the other
WALK_LEFT = Gait(
    name="walk left",
    frames=28,
    speed=1.4,
    heading=90.0,
    lane=90.0,
    facing=46.0,
    step=moved_ahead(STEP, LEAD),
    other=moved_ahead(STEP, -LEAD),
    height=Wave(-0.061, 0.013, 0.29, 2),
    sway=Wave(0.0, 0.018, 0.29),
    surge=Wave(0.004, 0.006, 0.04, 2),
    tilt=Wave(2.5, 0.8, 0.06, 2),
    yaw=Wave(0.0, 5.0, 0.52),
    roll=Wave(0.0, 3.0, 0.14),
    lean=Wave(1.0, 1.0, 0.12, 2),
    counter_yaw=Wave(-33.0, 7.0, 0.03),
    counter_roll=Wave(-1.5, 3.4, 0.66),
    nod=Wave(1.5, 1.0, 0.16, 2),
    gaze=Wave(1.0, 0.8, 0.05),
    arm=ArmSwing(
        swing=Wave(1.0, 9.0, 0.505),
        lower=Wave(33.0, 1.0, 0.25, 2),
        twist=Wave(-6.0, 3.0, 0.52),
        elbow=Wave(20.0, 6.0, 0.575),
        wrist=Wave(6.0, 5.0, 0.80),
        pronate=Wave(36.0, 4.0, 0.55),
        spread=Wave(0.0, 2.0, 0.52),
        shrug=Wave(-1.0, 1.0, 0.60),
        reach=Wave(0.0, 2.0, 0.52),
        fingers=Wave(1.05, 0.14, 0.85),
    ),
    extra_leg_keys=(1, 3),
)
# fmt: on
WALK_RIGHT = replace(WALK_LEFT, name="walk right", mirror=True)


def build_left() -> Clip:
    """The clip ``walk left``."""
    return build_gait(WALK_LEFT)[0]


def build_right() -> Clip:
    """The clip ``walk right``."""
    return build_gait(WALK_RIGHT)[0]
