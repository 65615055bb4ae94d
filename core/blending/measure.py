"""What a clip does to the character: speed, direction and turning, measured from its root motion."""

from dataclasses import dataclass, replace

import numpy as np

from core.blending.blend_space import SpaceAxis
from core.clips.clip import Clip
from core.clips.root_motion import root_at, root_bone
from core.clips.sample import ClipEvaluator
from core.errors import ValidationError
from core.rig.rig import Rig

STANDING = 1e-3
"""Metres a second below which a clip stands still and has no direction."""


@dataclass(frozen=True, slots=True)
class Travel:
    """How a clip moves the character on the whole.

    Parameters
    ----------
    ahead, right : metres a second along +Z and −X, that is as the character faces at the start
    turn : degrees a second, to the right positive
    """

    ahead: float
    right: float
    turn: float

    @property
    def speed(self) -> float:
        """Metres a second over the ground."""
        return float(np.hypot(self.ahead, self.right))

    @property
    def direction(self) -> float:
        """Degrees from straight ahead, to the right positive, −180..180; 0 where it stands."""
        return float(np.degrees(np.arctan2(self.right, self.ahead))) if self.speed > STANDING else 0.0


MEASURES = ("speed", "direction", "ahead", "right", "turn")
"""What an axis may measure."""


def travel(rig: Rig, clip: Clip, rate: float = 1.0) -> Travel:
    """Measure a clip played `rate` times as fast; its root motion is looked at even where it is off."""
    if clip.length <= 0.0:
        return Travel(0.0, 0.0, 0.0)
    watched = replace(clip, root_motion=replace(clip.root_motion, enabled=True, ground=True, yaw=True))
    evaluator = ClipEvaluator(rig, watched)
    if root_bone(rig.skeleton, watched.root_motion) is None:
        raise ValidationError(f"clip {clip.name!r}: the rig has no root bone {clip.root_motion.bone!r}")
    ends = root_at(evaluator, [0.0, clip.length])
    moved = ends.translation[1] - ends.translation[0]
    turned = 2.0 * np.degrees(np.arctan2(ends.rotation[:, 1], ends.rotation[:, 3]))
    yaw = float((turned[1] - turned[0] + 180.0) % 360.0 - 180.0)
    seconds = clip.length / rate
    return Travel(float(moved[2]) / seconds, -float(moved[0]) / seconds, -yaw / seconds)


def measure_for(axis: SpaceAxis) -> str | None:
    """What an axis measures, by its name, or None where the name says nothing."""
    name = axis.name.lower()
    for word, measure in (
        ("direction", "direction"),
        ("angle", "direction"),
        ("turn", "turn"),
        ("right", "right"),
        ("side", "right"),
        ("strafe", "right"),
        ("forward", "ahead"),
        ("ahead", "ahead"),
        ("speed", "speed"),
        ("velocity", "speed"),
    ):
        if word in name:
            return measure
    return None


def measured(found: Travel, measure: str) -> float:
    """One of the `MEASURES`."""
    return float(getattr(found, measure))
