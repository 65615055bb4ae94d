"""Keys in rest for what only other clips of a file move."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips.bake import bake
from core.clips.clip import Channel, Clip, Property
from core.math.transform import Transform
from core.rig.skeleton import Skeleton
from core.tracks.keys import Track


def keyed_alike(skeleton: Skeleton, clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """The clips, each with at least one key wherever one of them has some.

    A bone without keys rests, by the formats; Blender leaves it where the clip played before had put it.
    """
    driven = [{(channel.bone, channel.property) for channel in clip.tracks} for clip in clips]
    moved = sorted({part for parts in driven for part in parts if skeleton.find(part[0]) is not None})
    still = Transform(*(np.array(part)[None] for part in skeleton.rest))
    found = []
    for clip, own in zip(clips, driven, strict=True):
        made: dict[Channel, Track] = {}
        for name, prop in moved:
            if (name, prop) not in own:
                bone = [skeleton.index(name)]
                made |= bake(
                    skeleton, [0.0], still, bones=bone, properties=(Property(prop),), rest_tolerance=None
                )
        found.append(replace(clip, tracks={**clip.tracks, **made}) if made else clip)
    return tuple(found)
