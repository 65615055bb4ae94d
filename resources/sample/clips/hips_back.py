"""Walks and runs to the left and right with the hips turned away from the direction, as one walks backwards.

They stand between the ways back and the ways ahead: from here the legs go on as in a walk back, while the side
steps of `walk_side` and `run_side` go on as in a walk ahead. Chest and eyes stay ahead.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.clips.clip import Clip
from resources.sample.clips.run_back import RUN_BACK
from resources.sample.clips.walk_back import WALK_BACK
from resources.sample.motion.feet import Step, moved_ahead
from resources.sample.motion.gait import Gait, Wave, gait_builders

WALK_LEAD, RUN_LEAD = 0.05, 0.035
"""With the hips turned, one of them is farther along than the other."""


def _sideways(back: Gait, name: str, facing: float, step: tuple[Step, float], **posing: Any) -> Gait:
    """To the left with the hips turned away: a gait back whose feet go beside it, one of them farther along."""
    feet, lead = step
    return replace(
        back,
        name=f"{name} left hips back",
        heading=90.0,
        lane=-90.0,
        facing=facing,
        step=moved_ahead(feet, -lead),
        other=moved_ahead(feet, lead),
        **posing,
    )


WALK_LEFT = _sideways(
    WALK_BACK, "walk", -46.0, (replace(WALK_BACK.step, flat=(0.104, -0.400)), WALK_LEAD),
    height=Wave(-0.070, 0.012, 0.30, 2), sway=Wave(0.0, 0.020, 0.29), tilt=Wave(3.0, 0.8, 0.06, 2),
    lean=Wave(2.0, 1.0, 0.12, 2), counter_yaw=Wave(33.0, 6.5, 0.53), counter_roll=Wave(1.5, 3.4, 0.66),
    nod=Wave(2.0, 1.0, 0.16, 2), gaze=Wave(-1.0, 0.8, 0.05),
    arm=replace(WALK_BACK.arm, swing=Wave(1.0, 9.0, 0.02), spread=Wave(0.0, 2.0, 0.02)),
)  # fmt: skip
RUN_LEFT = _sideways(
    RUN_BACK, "run", -52.0, (replace(RUN_BACK.step, flat=(0.082, -0.380)), RUN_LEAD),
    height=Wave(-0.104, 0.022, 0.43, 2), tilt=Wave(10.0, 1.5, 0.33, 2), lean=Wave(6.0, 1.5, 0.17, 2),
    counter_yaw=Wave(37.0, 10.0, 0.46), counter_roll=Wave(3.0, 3.2, 0.65), gaze=Wave(-2.0, 1.0, 0.0),
    arm=replace(RUN_BACK.arm, swing=Wave(-6.0, 18.0, 0.97)),
)  # fmt: skip
WALK_RIGHT = replace(WALK_LEFT, name="walk right hips back", mirror=True)
RUN_RIGHT = replace(RUN_LEFT, name="run right hips back", mirror=True)


def builders() -> tuple[Callable[[], Clip], ...]:
    """Makers of the four clips, ``walk left hips back`` first."""
    return gait_builders(WALK_LEFT, WALK_RIGHT, RUN_LEFT, RUN_RIGHT)
