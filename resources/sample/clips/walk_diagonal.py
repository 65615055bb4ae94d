"""Walks forward and back at 45° to the left and right: 1.4 m/s, hips turned a quarter of the way round.

Between a walk ahead and one to the side every blended foot would slide; these stand half-way.
"""

from collections.abc import Callable
from dataclasses import replace

from core.clips.clip import Clip
from resources.sample.clips.walk import WALK
from resources.sample.clips.walk_back import WALK_BACK
from resources.sample.motion.feet import moved_ahead
from resources.sample.motion.gait import Wave, gait_builders

LEAD = 0.03  # with the hips turned, one of them is farther along than the other
FORWARD_LEFT = replace(
    WALK,
    name="walk forward left",
    frames=30,
    heading=45.0,
    lane=45.0,
    facing=23.0,
    step=moved_ahead(replace(WALK.step, flat=(0.084, 0.336)), LEAD),
    other=moved_ahead(replace(WALK.step, flat=(0.084, 0.336)), -LEAD),
    height=Wave(-0.047, 0.014, 0.29, 2),
    yaw=Wave(0.0, 5.5, 0.52),
    counter_yaw=Wave(-16.0, 9.0, 0.03),
    counter_roll=Wave(-0.8, 4.0, 0.66),
    gaze=Wave(0.5, 0.8, 0.05),
    arm=replace(WALK.arm, swing=Wave(0.0, 15.0, 0.505)),
    extra_leg_keys=(1, 3),
)
FORWARD_RIGHT = replace(FORWARD_LEFT, name="walk forward right", mirror=True)
BACK_LEFT = replace(
    WALK_BACK,
    name="walk back left",
    heading=135.0,
    lane=-45.0,
    facing=-23.0,
    step=moved_ahead(replace(WALK_BACK.step, flat=(0.090, -0.420)), -LEAD),
    other=moved_ahead(replace(WALK_BACK.step, flat=(0.090, -0.420)), LEAD),
    height=Wave(-0.052, 0.012, 0.30, 2),
    counter_yaw=Wave(16.0, 7.5, 0.53),
    counter_roll=Wave(0.8, 3.5, 0.66),
    gaze=Wave(-0.5, 0.8, 0.05),
)
BACK_RIGHT = replace(BACK_LEFT, name="walk back right", mirror=True)


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the four clips, ``walk forward left`` first."""
    return gait_builders(FORWARD_LEFT, FORWARD_RIGHT, BACK_LEFT, BACK_RIGHT)
