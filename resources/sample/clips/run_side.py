"""Runs to the left and right: 3.6 m/s, hips turned most of the way into the direction, eyes ahead."""

from dataclasses import replace

from core.clips.clip import Clip
from resources.sample.clips.run import RUN
from resources.sample.motion.feet import moved_ahead
from resources.sample.motion.gait import Gait, Wave, build_gait

# fmt: off
STEP = replace(
    RUN.step,
    flat=(0.074, 0.300),
    swing=(
        (0.16, -0.535, 0.375, 0.080), (0.34, -0.390, 0.450, 0.088), (0.52, -0.070, 0.370, 0.090),
        (0.70, 0.250, 0.275, 0.084), (0.87, 0.360, 0.170, 0.076),
    ),
    pitch=(
        (0.000, 4.0), (0.050, 0.0), (0.130, 0.0), (0.200, -12.0), (0.270, -36.0), (0.350, -62.0),
        (0.420, -74.0), (0.500, -73.0), (0.600, -62.0), (0.720, -28.0), (0.830, 2.0), (0.930, 9.0),
    ),
    toes=(
        (0.0, 8.0), (0.05, 0.0), (0.35, 62.0), (0.385, 56.0), (0.46, 20.0), (0.54, -2.0), (0.75, 4.0),
        (0.90, 12.0),
    ),
)
LEAD = 0.035  # with the hips turned, one of them is farther along than the other
RUN_LEFT = replace(
    RUN,
    name="run left",
    heading=90.0,
    lane=90.0,
    facing=52.0,
    step=moved_ahead(STEP, LEAD),
    other=moved_ahead(STEP, -LEAD),
    height=Wave(-0.092, 0.028, 0.425, 2),
    tilt=Wave(8.0, 1.5, 0.33, 2),
    yaw=Wave(0.0, 6.0, 0.45),
    roll=Wave(0.0, 3.5, 0.13),
    lean=Wave(4.0, 1.6, 0.17, 2),
    counter_yaw=Wave(-36.0, 12.0, 0.96),
    counter_roll=Wave(-3.0, 4.0, 0.65),
    gaze=Wave(2.0, 1.0, 0.0),
    arm=replace(
        RUN.arm,
        swing=Wave(-6.0, 24.0, 0.47),
        lower=Wave(29.0, 2.0, 0.25, 2),
        elbow=Wave(80.0, 9.0, 0.53),
        spread=Wave(5.0, 5.0, 0.47),
    ),
)
# fmt: on
RUN_RIGHT: Gait = replace(RUN_LEFT, name="run right", mirror=True)


def build_left() -> Clip:
    """The clip ``run left``."""
    return build_gait(RUN_LEFT)[0]


def build_right() -> Clip:
    """The clip ``run right``."""
    return build_gait(RUN_RIGHT)[0]
