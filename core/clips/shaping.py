"""Keys of a clip pulled by one number: `core.tracks.shaping` over many tracks, prepared once for a whole drag."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.channels import track_of, with_tracks
from core.clips.clip import WHOLE, AdditiveBase, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.clips.keying import loop_length
from core.clips.loop_tools import keep_linked
from core.clips.mirror_keys import mirrored_keys
from core.errors import ValidationError
from core.progress import counted
from core.rig.rig import Rig
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import ScalarTrack, Track
from core.tracks.setting import keys_at
from core.tracks.shaping import Pull, Shape, pull, shaped
from core.tracks.together import set_keys_together

Keys = Mapping[Channel, npt.ArrayLike]
NOISE_SIZE = {Property.TRANSLATE: 0.02, Property.ROTATE: 5.0, Property.SCALE: 0.05}
"""Largest noise at 100 %: metres, degrees, factors."""
NOISE_OF_CURVES = 0.1
SMOOTH_FRAMES = 2.0
"""Standard deviation of the smoothing where keys are dense; sparse ones are smoothed over their own distance."""


class Sources(NamedTuple):
    """What some shapes need beside the clip.

    Parameters
    ----------
    rig : for the rest pose and for the mirror
    buffer : the clip whose curves are the goal of `Shape.BLEND_BUFFER`
    defaults : values of morphs and named curves that are not 0
    seed : of the noise
    base : what an additive clip is a difference from, where that is another clip; the default then has no difference
    """

    rig: Rig | None = None
    buffer: Clip | None = None
    defaults: Mapping[Channel, float] = {}
    seed: int = 0
    base: Clip | None = None


NO_SOURCES = Sources()
"""For shapes that need nothing beside the clip."""


class _Row(NamedTuple):
    """Keys of one track, and where they are pulled."""

    channel: Channel
    track: Track
    keys: npt.NDArray[np.intp]
    pull: Pull


def _grouped(rows: list[_Row]) -> list[list[_Row]]:
    """Scalar rows with the same key times and keys together: their slopes are computed at once."""
    groups: dict[tuple[bytes, bytes], list[_Row]] = {}
    alone: list[list[_Row]] = []
    known: dict[int, bytes] = {}
    for row in rows:
        if not isinstance(row.track, ScalarTrack):
            alone.append([row])
            continue
        times = known.setdefault(id(row.track.times), row.track.times.tobytes())
        groups.setdefault((times, row.keys.tobytes()), []).append(row)
    return [*groups.values(), *alone]


class ClipShaping:
    """Some keys of a clip, ready to be pulled by any amount.

    Parameters
    ----------
    keys : key numbers by channel; channels without a track are left out
    shape : what amounts pull toward
    sources : what the shape needs beside the clip

    Attributes
    ----------
    count : keys that are pulled

    Raises
    ------
    ValidationError
        No key is left, or the shape needs a rig, mirror pairs or a buffer that is not there.
    """

    def __init__(self, clip: Clip, keys: Keys, shape: Shape, sources: Sources = NO_SOURCES) -> None:
        self._clip, self._loop = clip, loop_length(clip)
        chosen: dict[Channel, tuple[Track, npt.NDArray[np.intp]]] = {}
        for channel, numbers in keys.items():
            track = track_of(clip, channel)
            own = np.unique(np.asarray(numbers, dtype=np.intp))
            if track is not None and len(own):
                chosen[channel] = track, own
        if not chosen:
            raise ValidationError(f"{shape}: expected keys of the clip, got none: select some first")
        goals = _goals(clip, chosen, shape, sources)
        self._rows: list[_Row] = []
        for channel, (track, own) in counted(chosen.items()):
            goal = None if goals is None else goals.get(channel)
            if goals is None or goal is not None:
                found = self._pull(channel, track, own, shape, goal, sources)
                self._rows.append(_Row(channel, track, own, found))
        self._groups = _grouped(self._rows)
        self.count = sum(len(row.keys) for row in self._rows)

    def at(self, amount: float) -> Clip:
        """The clip with its keys pulled by an amount; the clip itself where that changes none."""
        changes: dict[Channel, Track | None] = {}
        for rows in counted(self._groups):
            first = rows[0]
            if len(rows) == 1:
                changes[first.channel] = shaped(first.track, first.keys, first.pull, amount, self._loop)
                continue
            values = np.stack([row.pull.at(amount) for row in rows])
            tracks: list[Any] = [row.track for row in rows]
            made = set_keys_together(tracks, first.keys, values, self._loop)
            changes |= {row.channel: track for row, track in zip(rows, made, strict=True)}
        after = with_tracks(self._clip, changes)
        if after is self._clip or not after.looping:
            return after
        return keep_linked(self._clip, after, {c: None for c in changes if c.is_bone})

    def _pull(
        self,
        channel: Channel,
        track: Track,
        own: npt.NDArray[np.intp],
        shape: Shape,
        goal: FloatArray | None,
        sources: Sources,
    ) -> Pull:
        size = NOISE_SIZE[channel.property] if channel.is_bone else NOISE_OF_CURVES
        seconds = SMOOTH_FRAMES * self._clip.rate.frame
        if len(track) > 1:
            seconds = max(seconds, float(np.median(np.diff(track.times))))
        seed = crc32(f"{sources.seed} {channel.kind} {channel}".encode())
        return pull(shape, track, own, self._loop, goal=goal, seconds=seconds, size=size, seed=seed)


def shaped_clip(clip: Clip, keys: Keys, shape: Shape, amount: float, sources: Sources = NO_SOURCES) -> Clip:
    """Pull keys once; see `ClipShaping`.

    Parameters
    ----------
    amount : 1 is 100 %
    """
    return ClipShaping(clip, keys, shape, sources).at(amount)


# ---------------------------------------------------------------- goals

Chosen = Mapping[Channel, tuple[Track, npt.NDArray[np.intp]]]


def _goals(clip: Clip, chosen: Chosen, shape: Shape, sources: Sources) -> dict[Channel, FloatArray] | None:
    """Goals by channel of the shapes that need them; None for the others."""
    if shape is Shape.BLEND_DEFAULT:
        return _defaults(clip, chosen, _needed(sources.rig), sources)
    if shape is Shape.BLEND_BUFFER:
        return _buffered(chosen, sources.buffer)
    if shape is Shape.BLEND_MIRROR:
        return _mirrored(clip, chosen, _needed(sources.rig))
    return None


def _needed(rig: Rig | None) -> Rig:
    if rig is None:
        raise ValidationError("blend: expected the clip's rig, got none")
    return rig


def _defaults(clip: Clip, chosen: Chosen, rig: Rig, sources: Sources) -> dict[Channel, FloatArray]:
    """The rest pose (of an additive clip its base); of angles the equivalent nearest to each key."""
    base = _base_of(clip, sources)
    found: dict[Channel, FloatArray] = {}
    for channel, (track, own) in chosen.items():
        if channel.is_bone and rig.skeleton.find(channel.bone) is None:
            continue
        kept: Any = None if base is None else track_of(base, channel)
        if base is None or kept is None:
            found[channel] = _rest(rig, channel, track.values[own], sources.defaults)
        elif type(kept) is type(track):
            read: Any = evaluate_scalar if isinstance(kept, ScalarTrack) else evaluate_quaternion
            found[channel] = read(kept, _base_times(clip, base, track.times[own]))
    if not found:
        raise ValidationError("blend to default: none of the keys is of a bone of this rig")
    return found


def _rest(rig: Rig, channel: Channel, values: FloatArray, weights: Mapping[Channel, float]) -> FloatArray:
    """What a channel is at rest, for each of its keys' values. Morphs and curves: 0 unless told."""
    if not channel.is_bone:
        return np.full(len(values), float(weights.get(channel, 0.0)))
    bone, rest = rig.skeleton.index(channel.bone), rig.skeleton.rest
    if channel.axis == WHOLE:
        return np.broadcast_to(rest.rotation[bone], values.shape)
    if channel.property is Property.ROTATE:
        angle = float(rest_degrees(rig.skeleton, bone)[channel.axis])
        turned: FloatArray = angle + 360.0 * np.round((values - angle) / 360.0)
        return turned
    part = rest.translation if channel.property is Property.TRANSLATE else rest.scale
    return np.full(len(values), float(part[bone, channel.axis]))


def _base_of(clip: Clip, sources: Sources) -> Clip | None:
    """The clip that an additive clip is a difference from, itself where it names none; None for the rest pose."""
    declared = clip.additive
    if declared is None or declared.base is AdditiveBase.REST:
        return None
    if declared.base is AdditiveBase.FIRST_FRAME or declared.base_clip in (None, clip.id):
        return clip
    if sources.base is None or sources.base.id != declared.base_clip:
        raise ValidationError(f"blend to default: expected the base clip of the additive clip {clip.name!r}")
    return sources.base


def _base_times(clip: Clip, base: Clip, times: FloatArray) -> FloatArray:
    """Times of the base at times of the clip: see `core.clips.additive.AdditiveSampler.base`."""
    declared = clip.additive
    assert declared is not None  # `base` says so
    if declared.base is AdditiveBase.CLIP:
        return times * (base.length / clip.length) if clip.length > 0.0 else np.zeros_like(times)
    return np.full(len(times), declared.base_time if declared.base is AdditiveBase.FRAME else 0.0)


def _buffered(chosen: Chosen, buffer: Clip | None) -> dict[Channel, FloatArray]:
    """Values that the buffered curves have where the keys are."""
    if buffer is None:
        raise ValidationError("blend to buffer: nothing is buffered; keep the curves as buffer first")
    loop = loop_length(buffer)
    found: dict[Channel, FloatArray] = {}
    for channel, (track, own) in chosen.items():
        kept: Any = track_of(buffer, channel)
        if type(kept) is type(track):
            read: Any = evaluate_scalar if isinstance(kept, ScalarTrack) else evaluate_quaternion
            found[channel] = read(kept, track.times[own], loop)
    if not found:
        raise ValidationError("blend to buffer: none of the keys' channels is in the buffer")
    return found


def _mirrored(clip: Clip, chosen: Chosen, rig: Rig) -> dict[Channel, FloatArray]:
    """Values of the mirrored pose where the keys are: of the other side's bone, or of a bone on the plane itself."""
    twins = {a: b for left, right in rig.mirror.pairs for a, b in ((left, right), (right, left))}
    twins |= {bone: bone for bone in rig.mirror.axis_bones}
    wanted = {
        channel: (track, own)
        for channel, (track, own) in chosen.items()
        if channel.is_bone and channel.bone in twins
    }
    if not wanted:
        raise ValidationError("blend to mirror: none of the keys is of a bone on the rig's mirror lists")
    asked: dict[Channel, FloatArray] = {}
    for channel, (track, own) in wanted.items():
        other = channel._replace(bone=twins[channel.bone])
        before = asked.get(other)
        times = track.times[own]
        asked[other] = times if before is None else np.union1d(before, times)
    mirrored = mirrored_keys(rig, clip, asked)
    found: dict[Channel, FloatArray] = {}
    for channel, (track, own) in wanted.items():
        goal = mirrored.tracks.get(channel)
        if goal is not None and type(goal) is type(track):
            places = keys_at(goal.times, track.times[own])
            found[channel] = np.where(
                (places >= 0).reshape(-1, *([1] * (goal.values.ndim - 1))),
                goal.values[places],
                track.values[own],
            )
    return found
