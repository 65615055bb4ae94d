"""Frames put between keys, or removed from between them: what comes after the playhead moves, the rest stays.

Of a whole clip everything goes along: tracks of bones, named curves (contacts among them), morphs, notifies, sync
markers, markers, and the length. Of some channels only their keys do.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import floor
from typing import Any

import numpy as np

from core.clips.channels import all_tracks, with_tracks
from core.clips.clip import Channel, Clip
from core.errors import ValidationError
from core.progress import counted
from core.timing import TIME_EPSILON, frame_text
from core.tracks import edits
from core.tracks.keys import ScalarTrack, Track

NEARLY = 1e-6
"""Share of a frame that rounding may cost."""


def with_inbetweens(
    clip: Clip,
    time: float,
    frames: float,
    channels: Iterable[Channel] | None = None,
    still: Collection[str] = (),
) -> Clip:
    """Insert frames after a time, or remove them; no key is lost and none before the time moves.

    Keys after the time keep their spacing, values and own slopes; automatic slopes beside the change follow.
    A notify that lasts over the time gets longer or shorter, and so does a contact.

    Parameters
    ----------
    time : seconds; a key there stays
    frames : how many to insert; below 0, how many to remove
    channels : whose keys move; None is the whole clip with its events and its length
    still : bones whose keys stay (locked ones)

    Returns
    -------
    Clip
        The very clip where nothing comes after the time.

    Raises
    ------
    ValidationError
        The time or the frames are not finite, or a key is in the way of removing so many
        (`removable_frames` tells how many can be).
    """
    if not (np.isfinite(time) and np.isfinite(frames)):
        raise ValidationError(f"in-between frames: expected finite numbers, got {frames} frames at {time} s")
    wanted = None if channels is None else set(channels)
    if frames < 0.0:
        _require_room(clip, time, -frames, wanted, still)
    seconds = clip.rate.to_seconds(frames)
    whole = wanted is None
    length = max(clip.length + seconds, 0.0) if whole else clip.length
    loop = length if clip.looping and length > 0.0 else None
    arranger = edits.Arranger()
    changes: dict[Channel, Track | None] = {}
    for channel, track in counted(_moving(clip, wanted, still).items()):
        moved = _later(track, time, seconds, loop, arranger)
        if moved is track and whole and loop is not None and isinstance(track, ScalarTrack):
            # The way round the seam has another length now.
            moved = edits.refreshed(track, [0, len(track) - 1], loop, neighbours=False)
        changes[channel] = moved
    result = with_tracks(clip, changes)
    if not whole or not seconds:
        return result
    return replace(_events_moved(result, time, seconds), length=length)


def removable_frames(
    clip: Clip, time: float, channels: Iterable[Channel] | None = None, still: Collection[str] = ()
) -> int:
    """How many whole frames can be removed after a time before the next key would meet it.

    Parameters
    ----------
    channels, still : as of `with_inbetweens`
    """
    wanted = None if channels is None else set(channels)
    near, _ = _next_key(clip, time, wanted, still)
    if near is None:
        left = clip.length - time if wanted is None else 0.0
    else:
        left = near - time - clip.rate.frame
    return max(floor(clip.rate.to_frame(left) + NEARLY), 0)


def _moving(clip: Clip, wanted: set[Channel] | None, still: Collection[str]) -> dict[Channel, Track]:
    return {
        channel: track
        for channel, track in all_tracks(clip).items()
        if (wanted is None or channel in wanted) and not (channel.is_bone and channel.bone in still)
    }


def _next_key(
    clip: Clip, time: float, wanted: set[Channel] | None, still: Collection[str]
) -> tuple[float | None, str]:
    """Time of the next key, None without any, and what it is a key of."""
    nearest, name = np.inf, ""
    seen: set[int] = set()  # hundreds of tracks share their times
    for channel, track in _moving(clip, wanted, still).items():
        if id(track.times) not in seen:
            seen.add(id(track.times))
            place = int(np.searchsorted(track.times, time + TIME_EPSILON, side="right"))
            if place < len(track) and float(track.times[place]) < nearest:
                nearest, name = float(track.times[place]), channel.name
    return (None if name == "" else nearest), name


def _require_room(
    clip: Clip, time: float, frames: float, wanted: set[Channel] | None, still: Collection[str]
) -> None:
    room = removable_frames(clip, time, wanted, still)
    if frames <= room + NEARLY:
        return
    near, name = _next_key(clip, time, wanted, still)
    here = frame_text(clip.rate.to_frame(time))
    if near is None:
        raise ValidationError(f"remove frames: nothing but {room} frames comes after frame {here}")
    raise ValidationError(
        f"remove frames: {room} can be removed after frame {here}, not {frame_text(frames)}: a key of {name!r} is at "
        f"frame {frame_text(clip.rate.to_frame(near))}. Move or delete it first"
    )


def _later(track: Any, time: float, seconds: float, loop: float | None, arranger: edits.Arranger) -> Any:
    """A track with the keys after a time moved."""
    later = np.flatnonzero(track.times > time + TIME_EPSILON)
    if not len(later) or not seconds:
        return track
    return edits.place_keys(
        track, later, track.times[later] + seconds, None, loop, arranger, carry=False
    ).track


def _events_moved(clip: Clip, time: float, seconds: float) -> Clip:
    """Notifies, markers and the frame that an additive clip is a difference from, moved with the keys."""

    def at(moment: float) -> float:
        return max(moment + seconds, time) if moment > time + TIME_EPSILON else moment

    def lasting(start: float, duration: float) -> float:
        return at(start + duration) - at(start) if duration > 0.0 else duration

    additive = clip.additive
    if additive is not None and additive.base_clip in (None, clip.id):
        additive = replace(additive, base_time=at(additive.base_time))
    return replace(
        clip,
        notifies=tuple(
            replace(n, time=at(n.time), duration=lasting(n.time, n.duration)) for n in clip.notifies
        ),
        sync_markers=tuple(replace(m, time=at(m.time)) for m in clip.sync_markers),
        markers=tuple(replace(m, time=at(m.time)) for m in clip.markers),
        additive=additive,
    )
