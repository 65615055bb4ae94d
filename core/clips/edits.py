"""Editing whole clips: pure functions from old to new. Shared key times stay shared."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar, cast

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, RootMotion
from core.errors import ValidationError
from core.ids import new_id
from core.progress import counted
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from core.tracks import edits
from core.tracks.edits import keys_between
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, Track, taken
from core.tracks.seam import with_end_keys, with_steps_held
from core.tracks.splits import settled

Keep = TypeVar("Keep", bound=Track)
K = TypeVar("K")


class KeepTime(StrEnum):
    """What stays when the frame rate changes."""

    SECONDS = "seconds"
    FRAMES = "frames"


def unique_name(wanted: str, taken_names: Collection[str]) -> str:
    """The name, or the name with the lowest number that is free: ``walk``, ``walk 2``, ``walk 3``."""
    if wanted not in taken_names:
        return wanted
    stem = re.sub(r" \d+$", "", wanted) or wanted
    number = 2
    while f"{stem} {number}" in taken_names:
        number += 1
    return f"{stem} {number}"


def checked_name(name: str) -> str:
    """A name without blanks around it; raises `ValidationError` for an empty or unprintable one."""
    stripped = name.strip()
    if not stripped or not stripped.isprintable() or len(stripped) > 255:
        raise ValidationError(f"name: expected 1 to 255 printable characters, got {name!r}")
    return stripped


def new_clip(
    rig: Rig,
    name: str,
    length: float = 1.0,
    rate: FrameRate | None = None,
    looping: bool = False,
    root_motion: RootMotion | None = None,
) -> Clip:
    """A clip without keys: the rest pose for `length` seconds."""
    return Clip(
        new_id("clip"),
        name,
        rig.id,
        length,
        rate or FrameRate.of(30),
        looping,
        root_motion=root_motion or RootMotion(),
    )


def duplicated(clip: Clip, taken_names: Collection[str]) -> Clip:
    """A copy with its own id and a name that is free; its arrays are shared."""
    return replace(clip, id=new_id("clip"), name=unique_name(clip.name, taken_names))


def renamed(clip: Clip, name: str, others: Iterable[str] = ()) -> Clip:
    """The clip with another name.

    Raises
    ------
    ValidationError
        The name is empty, or one of the others'.
    """
    checked = checked_name(name)
    if checked in set(others):
        raise ValidationError(f"there is a clip named {checked!r} already: choose another name")
    return clip if checked == clip.name else replace(clip, name=checked)


def with_length(clip: Clip, length: float) -> Clip:
    """The clip with another length; keys stay where they are, also those beyond the end."""
    return clip if length == clip.length else replace(clip, length=float(length))


def with_rate(clip: Clip, rate: FrameRate, keep: KeepTime = KeepTime.SECONDS) -> Clip:
    """The clip at another frame rate: keeping its seconds, or its frame numbers (slower or faster)."""
    if rate == clip.rate:
        return clip
    if keep is KeepTime.FRAMES:
        clip = retimed(clip, float(clip.rate.value / rate.value))
    return replace(clip, rate=rate)


def with_looping(clip: Clip, looping: bool) -> Clip:
    """The clip looping or not, its automatic slopes at both ends computed again for it."""
    if looping == clip.looping:
        return clip
    length = clip.length if looping and clip.length > 0.0 else None

    def ends(track: Track) -> Track:
        if not isinstance(track, ScalarTrack):
            return track
        return edits.refreshed(track, [0, len(track) - 1], length, neighbours=False)

    return replace(_each(clip, ends), looping=looping)


def with_root_motion(clip: Clip, settings: RootMotion, rig: Rig | None = None) -> Clip:
    """The clip with other root-motion settings; a bone that the rig lacks is refused."""
    if rig is not None and settings.bone is not None:
        rig.skeleton.index(settings.bone)
    return clip if settings == clip.root_motion else replace(clip, root_motion=settings)


def retimed(clip: Clip, factor: float, offset: float = 0.0) -> Clip:
    """Every time becomes ``factor * time + offset`` (factor above 0), slopes along with it."""
    if not (np.isfinite(factor) and factor > 0.0 and np.isfinite(offset)):
        raise ValidationError(f"time factor: expected a number above 0, got {factor}")
    shared: dict[int, FloatArray] = {}

    def times(old: FloatArray) -> FloatArray:
        return shared.setdefault(id(old), settled(old * factor + offset))

    def turned(track: Track) -> Track:
        changes: dict[str, Any] = {"times": times(track.times)}
        if factor != 1.0:
            names = ("in_slopes", "out_slopes")
            if isinstance(track, QuaternionTrack):
                names = ("in_tangents", "out_tangents")
            changes |= {name: _scaled(getattr(track, name), 1.0 / factor) for name in names}
        return replace(track, **changes)

    moved = _each(clip, turned)
    return replace(
        moved,
        length=clip.length * factor,
        notifies=tuple(
            replace(n, time=n.time * factor + offset, duration=n.duration * factor) for n in clip.notifies
        ),
        sync_markers=tuple(replace(m, time=m.time * factor + offset) for m in clip.sync_markers),
        markers=tuple(replace(m, time=m.time * factor + offset) for m in clip.markers),
    )


def trimmed(clip: Clip, start: float, end: float) -> Clip:
    """Only the part from `start` to `end`, moved to begin at 0; the motion in it stays as it was.

    Curves that are cut get a key on the cut. The result does not loop unless nothing was cut.

    Raises
    ------
    ValidationError
        The part is empty, or not within the clip.
    """
    if not (0.0 <= start < end <= clip.length + TIME_EPSILON):
        raise ValidationError(
            f"trim: expected a part within 0 to {clip.length:.6g} s, got {start:.6g} to {end:.6g} s"
        )
    loop = clip.length if clip.looping and clip.length > 0.0 else None

    def cut(track: Track) -> Track:
        whole: Any = track
        for time in (start, end):
            before, after = whole.times[0] < time - TIME_EPSILON, whole.times[-1] > time + TIME_EPSILON
            if (before and after) or loop is not None:
                whole = edits.insert_key(whole, time, loop)
        inside = keys_between(whole, start, end)
        if not len(inside):  # it holds one value all the way
            whole = edits.insert_key(whole, start, loop)
            inside = keys_between(whole, start, start)
        return cast(Track, whole if len(inside) == len(whole) else taken(whole, inside))

    part = retimed(_each(clip, cut), 1.0, -start)
    uncut = start < TIME_EPSILON and end > clip.length - TIME_EPSILON
    span = end - start
    return replace(
        part,
        length=span,
        looping=clip.looping and uncut,
        notifies=tuple(n for n in part.notifies if -TIME_EPSILON <= n.time <= span),
        sync_markers=tuple(m for m in part.sync_markers if -TIME_EPSILON <= m.time <= span),
        markers=tuple(m for m in part.markers if -TIME_EPSILON <= m.time <= span),
    )


def reversed_clip(clip: Clip) -> Clip:
    """The clip played backwards; keys beyond its end come before its start."""
    length = clip.length
    loop = length if clip.looping and length > 0.0 else None

    arranger = edits.Arranger()

    def turned(track: Track) -> Track:
        codes = track.interpolations
        steps = bool((codes == Interpolation.CONSTANT).any())
        if loop is not None and (
            steps or codes.min() != codes.max()
        ):  # what runs across the seam ends elsewhere then
            track = with_end_keys(cast(Any, track), loop)
        keys = np.arange(len(track))
        track = replace(track, before=track.after, after=track.before)
        back = edits.scale_keys(
            cast(Any, track), keys, -1.0, pivot_time=length / 2.0, loop=loop, arranger=arranger
        ).track
        return cast(Track, with_steps_held(cast(Any, back)) if steps else back)

    back = _each(clip, turned)
    return replace(
        back,
        notifies=tuple(
            sorted(
                (replace(n, time=max(0.0, length - n.time - n.duration)) for n in clip.notifies),
                key=lambda n: n.time,
            )
        ),
        sync_markers=tuple(replace(m, time=length - m.time) for m in reversed(clip.sync_markers)),
        markers=tuple(replace(m, time=length - m.time) for m in reversed(clip.markers)),
    )


def _each(clip: Clip, change: Callable[[Track], Track]) -> Clip:
    """The clip with every track, float curve and morph curve put through a function."""
    return replace(
        clip,
        tracks={channel: change(track) for channel, track in counted(clip.tracks.items())},
        curves={name: cast(ScalarTrack, change(track)) for name, track in clip.curves.items()},
        morphs={name: cast(ScalarTrack, change(track)) for name, track in clip.morphs.items()},
    )


def _scaled(column: FloatArray, factor: float) -> FloatArray:
    if all(step == 0 for step in column.strides):
        cell = settled(np.array(column.ravel()[:1] * factor)) if column.ndim == 1 else None
        if cell is not None:
            return np.broadcast_to(cell, column.shape)
        return np.broadcast_to(settled(np.array(column[0] * factor)), column.shape)
    return cast(FloatArray, settled(column * factor))
