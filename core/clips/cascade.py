"""Overlap along a chain: each bone's keys come some frames after those of the bone above it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from core.clips.channels import with_tracks
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.clips.loop_tools import LEAST_SHIFT, cycled_track
from core.errors import ValidationError
from core.progress import counted
from core.rig.skeleton import Skeleton
from core.tracks import edits
from core.tracks.keys import Track

Keys = Mapping[Channel, npt.NDArray[np.int64]]


def chain_depths(skeleton: Skeleton, bones: Iterable[str]) -> dict[str, int]:
    """How many of the given bones are above each of them: 0 for the top of a chain.

    Bones that the skeleton lacks are left out; bones between that are not given do not count.
    """
    chosen = {name for name in bones if skeleton.find(name) is not None}
    found: dict[str, int] = {}
    for index, name in enumerate(skeleton.names):  # parents come first
        if name in chosen:
            above = skeleton.parent(index)
            while above >= 0 and skeleton.names[above] not in found:
                above = skeleton.parent(above)
            found[name] = 0 if above < 0 else found[skeleton.names[above]] + 1
    return found


def cascaded(
    clip: Clip,
    skeleton: Skeleton,
    bones: Iterable[str],
    frames: float,
    keys: Keys | None = None,
    still: Collection[str] = (),
) -> tuple[Clip, Keys]:
    """Offset the keys of a chain, bone by bone: nothing at its top, `frames` more at each bone below.

    Whole tracks of a looping clip come round its seam, so that the loop stays closed. Keys keep their spacing.

    Parameters
    ----------
    bones : of one chain or several; each counts the given bones above it (`chain_depths`)
    frames : from bone to bone; below 0 lets the lower bones go first
    keys : move only these, and let them win over others in their way; None is whole tracks
    still : bones whose keys stay (locked ones); they count in the chain

    Returns
    -------
    tuple
        The clip, and the numbers that the given keys have in it.

    Raises
    ------
    ValidationError
        The frames are not finite.
    """
    if not np.isfinite(frames):
        raise ValidationError(f"cascade: expected a finite number of frames, got {frames}")
    depths = chain_depths(skeleton, bones)
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, npt.NDArray[np.int64]] = dict(keys or {})
    for channel, track in counted(clip.tracks.items()):
        depth = depths.get(channel.bone, 0)
        if not depth or channel.bone in still or (keys is not None and channel not in keys):
            continue
        seconds = clip.rate.to_seconds(frames * depth)
        if keys is None:
            changes[channel] = _offset(track, seconds, loop_length(clip))
        elif seconds:
            moved = edits.move_keys(track, keys[channel], seconds, loop=loop_length(clip))
            changes[channel], now[channel] = moved.track, moved.keys.astype(np.int64)
    return with_tracks(clip, changes), now


def _offset(track: Any, seconds: float, loop: float | None) -> Track:
    """A whole track later; round the seam of a loop."""
    if loop is None:
        moved: Track = edits.shift(track, seconds)
        return moved
    shift = float(np.mod(seconds, loop))
    if shift < LEAST_SHIFT or loop - shift < LEAST_SHIFT:
        return track  # type: ignore[no-any-return]
    return cycled_track(track, shift, loop)
