"""Which clips of a rig leave which ranges of its body plan, by how much and when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.clips.clip import Clip
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.progress import Progress, nothing
from core.project.project import Project
from core.rig.body_angles import Excess, excesses, widened
from core.rig.body_plan import BodyPlan
from core.rig.rig import Rig

NEGLIGIBLE = 0.05
"""Degrees outside a range that count as inside: keys are rounded."""


@dataclass(frozen=True, slots=True)
class RangeExcess:
    """A clip that leaves the range of one axis.

    Parameters
    ----------
    clip, name : of the clip
    time : seconds where it is farthest outside
    excess : whose axis, the angles that occur, and how far outside
    """

    clip: AssetId
    name: str
    time: float
    excess: Excess


def checkable(project: Project, rig: Rig) -> tuple[Clip, ...]:
    """The clips of a rig that are poses of it: additive ones are differences and have no angles to check."""
    return tuple(clip for clip in project.clips_of(rig.id) if clip.additive is None)


def check_ranges(
    project: Project,
    rig: Rig,
    plan: BodyPlan,
    clips: Sequence[Clip] | None = None,
    progress: Progress | None = None,
) -> tuple[RangeExcess, ...]:
    """Every axis that a clip turns beyond its range, the farthest first.

    Clips are looked at as they play, with their layers and goals, at every frame.

    Parameters
    ----------
    clips : which; all that `checkable` gives where left out

    Raises
    ------
    Cancelled
        From `progress`.
    """
    tell, found = progress or nothing(), list[RangeExcess]()
    chosen = checkable(project, rig) if clips is None else tuple(clips)
    for number, clip in enumerate(chosen):
        tell.report(number / len(chosen), clip.name)
        count = max(round(clip.rate.to_frame(clip.length)), 1)
        times = np.minimum([clip.rate.to_seconds(frame) for frame in range(count + 1)], clip.length)
        poses = ClipPipeline.of(project, clip).sample_many(times)
        for excess in excesses(plan, rig.skeleton, poses.rotations):
            if excess.beyond > NEGLIGIBLE:
                found.append(RangeExcess(clip.id, clip.name, float(times[excess.pose]), excess))
    return tuple(sorted(found, key=lambda row: -row.excess.beyond))


def widened_to_fit(plan: BodyPlan, rows: Iterable[RangeExcess]) -> BodyPlan:
    """The plan with ranges that hold what was found."""
    return widened(plan, tuple(row.excess for row in rows))


def require_plan(rig: Rig) -> BodyPlan:
    """The body plan of a rig; raises `ValidationError` where it has none."""
    if rig.body_plan is None:
        raise ValidationError(
            f"rig {rig.name!r} has no body plan: propose one in the Bodies panel, or with posewright bodies propose"
        )
    return rig.body_plan
