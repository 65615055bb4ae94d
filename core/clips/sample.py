"""Sampling clips: `ClipEvaluator` for many calls, `sample` and `sample_many` for one."""

from collections.abc import Sequence

import numpy.typing as npt

from core.clips.clip import Clip, Notify
from core.clips.evaluator import ClipEvaluator
from core.clips.sampled import PoseBatch, playback_at
from core.pose.output import Playback, PoseOutput
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton

__all__ = ["ClipEvaluator", "Playback", "PoseBatch", "PoseOutput", "playback_at", "sample", "sample_many"]


def sample(
    rig: Rig | Skeleton,
    clip: Clip,
    time: float,
    previous: float | None = None,
    *,
    stopped: bool = False,
    meshes: Sequence[Mesh] = (),
) -> PoseOutput[Notify]:
    """One moment of playback; see `ClipEvaluator.sample`."""
    return ClipEvaluator(rig, clip, meshes).sample(time, previous, stopped=stopped)


def sample_many(
    rig: Rig | Skeleton,
    clip: Clip,
    times: npt.ArrayLike,
    *,
    wrap: bool = True,
    meshes: Sequence[Mesh] = (),
) -> PoseBatch:
    """Poses at many times; see `ClipEvaluator.sample_many`."""
    return ClipEvaluator(rig, clip, meshes).sample_many(times, wrap=wrap)
