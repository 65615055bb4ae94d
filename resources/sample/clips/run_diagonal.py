"""Runs forward and back at 45° to the left and right: 3.6 m/s, hips turned half-way into the direction."""

from collections.abc import Callable
from dataclasses import replace

from core.clips.clip import Clip
from resources.sample.clips.run import RUN
from resources.sample.clips.run_back import RUN_BACK
from resources.sample.motion.feet import moved_ahead
from resources.sample.motion.gait import Wave, gait_builders

LEAD = 0.02  # with the hips turned, one of them is farther along than the other
FORWARD_LEFT = replace(
    RUN,
    name="run forward left",
    heading=45.0,
    lane=45.0,
    facing=26.0,
    step=moved_ahead(replace(RUN.step, flat=(0.064, 0.300)), LEAD),
    other=moved_ahead(replace(RUN.step, flat=(0.064, 0.300)), -LEAD),
    height=Wave(-0.082, 0.029, 0.425, 2),
    yaw=Wave(0.0, 7.0, 0.45),
    counter_yaw=Wave(-18.0, 15.0, 0.96),
    counter_roll=Wave(-1.5, 4.3, 0.65),
    gaze=Wave(1.0, 1.0, 0.0),
    arm=replace(RUN.arm, swing=Wave(-8.0, 30.0, 0.47)),
)
FORWARD_RIGHT = replace(FORWARD_LEFT, name="run forward right", mirror=True)
BACK_LEFT = replace(
    RUN_BACK,
    name="run back left",
    heading=135.0,
    lane=-45.0,
    facing=-26.0,
    step=moved_ahead(replace(RUN_BACK.step, flat=(0.072, -0.390)), -LEAD),
    other=moved_ahead(replace(RUN_BACK.step, flat=(0.072, -0.390)), LEAD),
    height=Wave(-0.090, 0.022, 0.43, 2),
    counter_yaw=Wave(18.0, 12.0, 0.46),
    counter_roll=Wave(1.5, 3.4, 0.65),
    gaze=Wave(-1.0, 1.0, 0.0),
)
BACK_RIGHT = replace(BACK_LEFT, name="run back right", mirror=True)


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the four clips, ``run forward left`` first."""
    return gait_builders(FORWARD_LEFT, FORWARD_RIGHT, BACK_LEFT, BACK_RIGHT)
