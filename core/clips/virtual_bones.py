"""Virtual bones made real: for formats and programs that are to see them as bones."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.proportions import baked_proportions, frames_and_keys
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.rig.virtual_bones import derived_from


def made_real(rig: Rig, clips: Iterable[Clip]) -> tuple[Rig, tuple[Clip, ...]]:
    """The rig with its virtual bones as bones below their sources, and clips with keys on them.

    The clips' own tracks stay. A rig without virtual bones comes back as it is.
    """
    if not rig.virtual_bones:
        return rig, tuple(clips)
    names = tuple(bone.name for bone in rig.virtual_bones)
    skeleton = rig.skeleton
    every = (*skeleton.names, *names)
    parents = [every.index(bone.source) for bone in rig.virtual_bones]
    larger = Skeleton(
        every,
        np.concatenate((skeleton.parents, parents)),
        _with_virtual(rig, skeleton.rest),
        np.concatenate((skeleton.euler_orders, np.zeros(len(names), np.uint8))),
        np.concatenate((skeleton.sources, int(skeleton.sources.max()) + 1 + np.arange(len(names)))),
    )
    made = replace(
        rig,
        skeleton=larger,
        virtual_bones=(),
        retarget_sources={n: _with_virtual(rig, rest) for n, rest in rig.retarget_sources.items()},
    )
    added = range(len(skeleton), len(every))
    return made, tuple(_with_tracks(rig, larger, clip, added) for clip in clips)


def _with_virtual(rig: Rig, local: Transform) -> Transform:
    """Local transforms ``(..., B + V, k)`` with those of the virtual bones behind."""
    derived = derived_from(rig, down_chain(rig.skeleton.parents, local))
    parts = zip(*(derived[bone.name] for bone in rig.virtual_bones), strict=True)
    return Transform(
        *(
            np.concatenate((own, np.stack(part, axis=-2)), axis=-2)
            for own, part in zip(local, parts, strict=True)
        )
    )


def _with_tracks(rig: Rig, larger: Skeleton, clip: Clip, bones: range) -> Clip:
    clip = baked_proportions(rig, clip)  # on another rest pose their translations would be taken for its own
    times = frames_and_keys(clip)
    local = _with_virtual(rig, ClipEvaluator(rig, clip).sample_many(times, wrap=False).local)
    return replace(clip, tracks={**clip.tracks, **bake(larger, times, local, bones=bones)})
