"""Root motion taken out of poses, for files that have it elsewhere or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.clips import root_motion
from core.clips.bake import bake
from core.clips.clip import Clip, Property, RootMotion
from core.clips.evaluator import ClipEvaluator
from core.io.common.compare import frames_of
from core.io.prepare.one_root import bone_above
from core.io.prepare.settings import Prepare, Root
from core.math import transform
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


def moved_root(clips: Sequence[Clip], rig: Rig, settings: Prepare) -> tuple[tuple[Clip, ...], Rig]:
    """The clips in place; for `Root.EXTRACTED`, with the way they went on a bone of its own above all others."""
    made = [_taken_out(rig, clip) for clip in clips]
    if settings.root is Root.IN_PLACE:
        return tuple(clip for clip, _ in made), rig
    higher = bone_above(rig, settings.root_name)
    above = higher.skeleton.names[:1]
    still = Skeleton(above, np.array([-1]), Transform(*(part[:1] for part in higher.skeleton.rest)))
    moved = []
    for clip, path in made:
        one = Transform(*(part[:, None] for part in path.motion))
        tracks = bake(still, path.times, one)
        moved.append(replace(clip, tracks={**tracks, **clip.tracks}, root_motion=RootMotion(True, above[0])))
    return tuple(moved), higher


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    times: FloatArray
    motion: Transform


def _taken_out(rig: Rig, clip: Clip) -> tuple[Clip, _Path]:
    """The clip with its root standing, and the way the character went."""
    enabled = replace(clip, root_motion=replace(clip.root_motion, enabled=True))
    evaluator = ClipEvaluator(rig, enabled)
    keys = [track.times for track in clip.tracks.values()]
    times = np.unique(np.clip(np.concatenate((frames_of(clip), *keys)), 0.0, clip.length))
    times = times[np.concatenate((np.diff(times) > 1e-5, [True]))]
    local = evaluator.sample_many(times, wrap=False).local
    stays = root_motion.without_root(evaluator, local)
    anchor = root_motion.pose_anchor(evaluator)
    part = root_motion.root_at(evaluator, times)
    motion = transform.compose(part, transform.inverse(anchor))
    bone = root_motion.root_bone(rig.skeleton, enabled.root_motion)
    if bone is None:
        return clip, _Path(times, motion)
    name = rig.skeleton.names[bone]
    tracks = {c: t for c, t in clip.tracks.items() if c.bone != name or c.property is Property.SCALE}
    tracks |= bake(
        rig.skeleton, times, stays, bones=[bone], properties=(Property.TRANSLATE, Property.ROTATE),
        rest_tolerance=0.0,
    )  # fmt: skip
    return replace(clip, tracks=tracks, root_motion=replace(clip.root_motion, enabled=False)), _Path(
        times, motion
    )
