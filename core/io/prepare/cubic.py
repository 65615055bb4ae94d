"""Clips with cubic keys alone: exact where tracks are polynomials, fitted where they are not."""

from dataclasses import dataclass, replace

import numpy as np

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.io.common.compare import ClipCheck, compared
from core.io.common.rotations import euler_keys
from core.io.common.spans import Keys, breaks_of, cubic_keys, fitted, is_exact, scalar_keys
from core.rig.rig import Rig
from core.tracks.evaluate import evaluate_quaternion
from core.tracks.keys import (
    PLAIN_WEIGHT,
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    Track,
    altered,
    quaternion_track,
    scalar_track,
)
from core.tracks.tangents import chords

PLACE = 1e-5
"""Largest deviation of a fitted scalar: metres, factors, weights."""


@dataclass(frozen=True, slots=True)
class Cubic:
    """A clip of cubic keys (steps stay steps).

    Parameters
    ----------
    fitted : number of channels that had to be fitted
    check : how far the clip is from the one it was made of
    """

    clip: Clip
    fitted: int
    check: ClipCheck


def cubic_clip(rig: Rig, clip: Clip, degrees: float = 0.01, angles: bool = False) -> Cubic:
    """A clip of cubic keys that moves as another does.

    Scalar tracks keep their keys; straight segments get slopes along them, which is exact. Weighted
    tangents, extrapolation other than hold, Euler angles and slerps are not Hermite curves: they are
    fitted, with more keys where it takes them.

    Parameters
    ----------
    degrees : by how much a fitted rotation may be off
    angles : keep Euler angles as such, for formats that have them
    """
    loop = clip.length if clip.looping and clip.length > 0.0 else None
    # A component of a unit quaternion moves by half the angle.
    tolerance = 0.5 * np.radians(degrees)
    count = 0
    tracks: dict[Channel, Track] = {}
    turned: set[str] = set()
    for channel, track in clip.tracks.items():
        bone = rig.skeleton.find(channel.bone)
        if isinstance(track, QuaternionTrack):
            tracks[channel], exact = _rotation(track, clip.length, loop, tolerance)
            count += not exact
        elif channel.property is not Property.ROTATE or bone is None or angles:
            tracks[channel], exact = _scalar(track, clip.length, loop)
            count += not exact
        elif channel.bone not in turned:  # the three Euler axes at once
            turned.add(channel.bone)
            axes = [clip.scalar(Channel(channel.bone, Property.ROTATE, axis)) for axis in range(3)]
            order, rest = int(rig.skeleton.euler_orders[bone]), rest_degrees(rig.skeleton, bone)
            keys = euler_keys(axes, rest, order, clip.length, loop, tolerance)
            tracks[Channel(channel.bone, Property.ROTATE, WHOLE)] = _quaternions(keys)
            count += 1
    morphs = {}
    for name, weight in clip.morphs.items():
        morphs[name], exact = _scalar(weight, clip.length, loop)
        count += not exact
    made = replace(clip, tracks=tracks, morphs=morphs)
    pairs = [(bone, bone) for bone in range(len(rig.skeleton))]
    return Cubic(made, count, compared(clip.name, rig, rig, clip, made, pairs, True))


def _scalar(track: ScalarTrack, length: float, loop: float | None) -> tuple[ScalarTrack, bool]:
    if not is_exact(track, length, loop):
        keys, _ = scalar_keys([track], [0.0], length, loop, PLACE)
        assert keys.ins is not None and keys.outs is not None  # what is not exact is fitted by cubic keys
        values, ins, outs = (part[:, 0] for part in (keys.values, keys.ins, keys.outs))
        kind, mode = Interpolation.CUBIC, TangentMode.BROKEN
        return scalar_track(keys.times, values, ins, outs, kind, mode), False
    every = np.arange(len(track))
    (after, _, _), (before, _, _) = (chords(track, every, loop, side) for side in (1, -1))
    straight = track.interpolations == Interpolation.LINEAR
    reached = np.roll(straight, 1)
    if loop is None:
        reached[0] = False
    changes = {
        "in_slopes": np.where(reached, before, track.in_slopes),
        "out_slopes": np.where(straight, after, track.out_slopes),
        "interpolations": np.where(straight, Interpolation.CUBIC, track.interpolations).astype(np.uint8),
        "modes": np.where(straight | reached, TangentMode.BROKEN, track.modes).astype(np.uint8),
        "in_weights": np.where(reached, PLAIN_WEIGHT, track.in_weights),
        "out_weights": np.where(straight, PLAIN_WEIGHT, track.out_weights),
    }
    return altered(track, changes), True


def _rotation(
    track: QuaternionTrack, length: float, loop: float | None, tolerance: float
) -> tuple[QuaternionTrack, bool]:
    kinds = set((track.interpolations if loop is not None else track.interpolations[:-1]).tolist())
    if is_exact(track, length, loop) and (len(kinds) < 2 and kinds != {Interpolation.LINEAR}):
        return track, True
    breaks = breaks_of([track], length)
    spans = fitted(lambda times: evaluate_quaternion(track, times, loop), breaks, tolerance, unit=True)
    return _quaternions(cubic_keys(spans)), False


def _quaternions(keys: Keys) -> QuaternionTrack:
    return quaternion_track(keys.times, keys.values, keys.ins, keys.outs, Interpolation.CUBIC)
