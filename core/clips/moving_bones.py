"""Which bones of a clip move, and which have keys of a type: what selections are made of."""

from collections.abc import Callable, Collection

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.math.transform import Transform
from core.timing import TIME_EPSILON, FrameRate
from core.tracks.key_types import KeyType
from core.tracks.typed import keys_of_types

STILL = 1e-6
"""Change of a value (metres, parts of a unit quaternion, factors) up to which a bone counts as still."""
AT_ONCE = 256
"""Poses that are compared at once: what is held in memory."""


def moving_bones(sample: Callable[[FloatArray], Transform], times: FloatArray) -> tuple[int, ...]:
    """Bones whose local transform is not the same at all times.

    Parameters
    ----------
    sample : gives local transforms ``(T, B, k)`` at times in seconds
    times : ``(T,)``; without any, no bone moves

    Returns
    -------
    tuple : indices of bones, rising. A quaternion and its negative are the same rotation.
    """
    moves = None
    first: Transform | None = None
    for start in range(0, len(times), AT_ONCE):
        local = sample(times[start : start + AT_ONCE])
        if first is None:
            first = Transform(*(part[0] for part in local))
        apart = np.abs(local.translation - first.translation).max(axis=(0, 2))
        sign = np.where((local.rotation * first.rotation).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        turned = np.abs(local.rotation * sign - first.rotation).max(axis=(0, 2))
        scaled = np.abs(local.scale - first.scale).max(axis=(0, 2))
        found = np.maximum(np.maximum(apart, turned), scaled) > STILL
        moves = found if moves is None else moves | found
    return () if moves is None else tuple(int(bone) for bone in np.flatnonzero(moves))


def frames_between(rate: FrameRate, start: float, end: float) -> FloatArray:
    """Times ``(T,)`` of the frames from one time to another, both included; also the end itself."""
    first, last = np.ceil(rate.to_frame(start) - 1e-6), np.floor(rate.to_frame(end) + 1e-6)
    frames = np.arange(first, last + 1.0) * rate.frame
    return np.unique(np.clip(np.concatenate([[start], frames, [end]]), start, end))


def bones_with_keys(
    clip: Clip, kinds: Collection[KeyType], span: tuple[float, float] | None = None
) -> frozenset[str]:
    """Names of the bones that have a key of one of these types, in a span of seconds (ends included) or anywhere."""
    found = set()
    for channel, track in clip.tracks.items():
        if channel.bone in found:
            continue
        times = track.times[np.asarray(keys_of_types(track, kinds), dtype=np.int64)]
        if span is not None:
            times = times[(times >= span[0] - TIME_EPSILON) & (times <= span[1] + TIME_EPSILON)]
        if len(times):
            found.add(channel.bone)
    return frozenset(found)
