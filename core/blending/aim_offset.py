"""Aim offsets: blend spaces of model-space additive poses, put on a base clip."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.blending.blend_space import BlendSpace
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.errors import ValidationError
from core.ids import AssetId


@dataclass(frozen=True, slots=True)
class AimProblem:
    """A clip that does not fit an aim offset, why, and what would make it fit."""

    clip: AssetId
    reason: str
    remedy: Additive


def misfit(space: BlendSpace, clip: Clip, clips: Mapping[AssetId, Clip]) -> AimProblem | None:
    """Why a clip cannot be a sample of an aim offset, or None where it can.

    Every sample must be a model-space additive clip, all with one base: that of the space's first
    fitting sample. The first one is a difference from its own first frame, and the others from
    that: so the clip that looks straight ahead is to come first.
    """
    wanted = _common_base(space, clip, clips)
    if clip.additive is None:
        return AimProblem(
            clip.id, f"{clip.name!r} is not additive; an aim offset adds to a base clip", wanted
        )
    if clip.additive.space is not AdditiveSpace.MODEL:
        return AimProblem(
            clip.id, f"{clip.name!r} is additive in local space; an aim offset needs model space", wanted
        )
    if not _same_base(clip.additive, wanted):
        return AimProblem(
            clip.id, f"{clip.name!r} has another additive base than the samples that are there", wanted
        )
    return None


def require_fit(space: BlendSpace, clips: Mapping[AssetId, Clip]) -> None:
    """Raise `ValidationError` with the reason where a sample does not fit an aim offset."""
    for sample in space.samples:
        problem = misfit(space, clips[sample.clip], clips)
        if problem is not None:
            raise ValidationError(f"aim offset {space.name!r}: {problem.reason}")


def converted(clip: Clip, remedy: Additive) -> Clip:
    """The clip declared additive as an aim offset needs it."""
    return replace(clip, additive=remedy)


def _common_base(space: BlendSpace, clip: Clip, clips: Mapping[AssetId, Clip]) -> Additive:
    for sample in space.samples:
        other = clips.get(sample.clip)
        if other is None or other.id == clip.id or other.additive is None:
            continue
        if other.additive.space is AdditiveSpace.MODEL:
            return other.additive
    if clip.additive is not None:
        return replace(clip.additive, space=AdditiveSpace.MODEL)
    return Additive(AdditiveSpace.MODEL, AdditiveBase.FRAME, clip.id, 0.0)


def _same_base(a: Additive, b: Additive) -> bool:
    if a.base is not b.base:
        return False
    if a.base is AdditiveBase.CLIP:
        return a.base_clip == b.base_clip
    if a.base is AdditiveBase.FRAME:
        return a.base_clip == b.base_clip and a.base_time == b.base_time
    return True
