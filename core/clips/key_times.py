"""Where keys are: the same times on several tracks, and a key every so many frames."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.channels import track_of, with_tracks
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.errors import ValidationError
from core.progress import checkpoint, counted
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import ScalarTrack, Track
from core.tracks.setting import keys_at, set_curve, set_turns


def with_shared_keys(clip: Clip, channels: Iterable[Channel], times: npt.ArrayLike | None = None) -> Clip:
    """Give every channel keys wherever one of them has any; no curve changes its shape.

    Parameters
    ----------
    channels : those without a track are left out
    times : ``(T,)`` seconds; None is the union of the channels' own key times

    Returns
    -------
    Clip
        The very clip where every channel has all these keys.
    """
    tracks = {c: t for c in channels if (t := track_of(clip, c)) is not None}
    if not tracks:
        return clip
    shared = {id(t.times): t.times for t in tracks.values()}
    wanted = _apart(np.concatenate(list(shared.values())) if times is None else np.asarray(times, np.float64))
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel, track in counted(tracks.items()):
        whole: Any = track
        for time in wanted[keys_at(track.times, wanted) < 0].tolist():
            checkpoint()
            whole = edits.insert_key(whole, time, loop)
        changes[channel] = whole
    return with_tracks(clip, changes)


def baked_on(
    clip: Clip, channels: Iterable[Channel], frames: int, span: tuple[float, float] | None = None
) -> Clip:
    """Keys every so many frames in place of those that are there ("on twos"), with the values of the curve.

    New keys go on as the segment did that they split: stepped stays stepped, straight stays straight. Keys outside the
    span stay, and so do tracks of a single key.

    Parameters
    ----------
    channels : those without a track are left out
    frames : 1 or more
    span : first and last second, both get keys; None is the whole clip

    Raises
    ------
    ValidationError
        Fewer frames than 1, or a span that is empty.
    """
    start, end = span or (0.0, clip.length)
    if frames < 1 or not (np.isfinite(start) and np.isfinite(end) and end > start):
        raise ValidationError(
            f"bake: expected 1 frame or more and a span of time, got {frames} from {start:.6g} to {end:.6g} s"
        )
    first, last = clip.rate.to_frame(start), clip.rate.to_frame(end)
    grid = _apart(np.array([*(clip.rate.to_seconds(f) for f in np.arange(first, last + 1e-6, frames)), end]))
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel in counted(list(channels)):
        track = track_of(clip, channel)
        if track is not None and len(track) > 1:
            changes[channel] = _on_grid(track, grid, loop)
    return with_tracks(clip, changes)


def _on_grid(track: Any, grid: FloatArray, loop: float | None) -> Track:
    """A track with keys at the grid, and no others within it."""
    scalar = isinstance(track, ScalarTrack)
    values = np.array((evaluate_scalar if scalar else evaluate_quaternion)(track, grid, loop))
    places = keys_at(track.times, grid)
    # The end of a loop reads as its start, but a key there has a value of its own.
    values[places >= 0] = track.values[places[places >= 0]]
    whole: Any = (set_curve if scalar else set_turns)(track, grid, values, loop)
    inside = (whole.times > grid[0] - TIME_EPSILON) & (whole.times < grid[-1] + TIME_EPSILON)
    near = np.minimum(np.searchsorted(grid, whole.times), len(grid) - 1)
    off = np.minimum(np.abs(grid[near] - whole.times), np.abs(grid[np.maximum(near - 1, 0)] - whole.times))
    gone = np.flatnonzero(inside & (off >= TIME_EPSILON))
    if not len(gone):
        return whole  # type: ignore[no-any-return]
    shorter = edits.delete_keys(whole, gone, loop)
    assert shorter is not None  # the grid's own keys stay
    return shorter  # type: ignore[no-any-return]


def _apart(times: FloatArray) -> FloatArray:
    """Rising times, of those that make one key the first."""
    rising = np.unique(times)
    kept: list[float] = []
    for time in rising.tolist():
        if not kept or time - kept[-1] >= TIME_EPSILON:
            kept.append(time)
    return np.array(kept)
