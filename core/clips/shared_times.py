"""Tracks with the same key times share one array of them again, after an edit that worked on each alone.

What looks at times (sampling, rows of a dope sheet, steps from key to key) does so once for all tracks that share
them: with three hundred bones an array for each track costs the window a tenth of a second at every picture.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.tracks.keys import ScalarTrack, Track, altered, with_cells


def with_shared_times(clip: Clip, before: Clip | None = None) -> Clip:
    """The clip with one array for equal key times; the very clip where there is nothing to share.

    Parameters
    ----------
    before : the clip that it was made from; tracks that it has, too, are left as they are
    """
    known = _Known()
    groups: dict[str, Mapping[Any, Track]] = {
        name: getattr(clip, name) for name in ("tracks", "curves", "morphs")
    }
    fresh: dict[str, list[tuple[Any, Track]]] = {}
    for name, tracks in groups.items():
        old: Mapping[Any, Track] = {} if before is None else getattr(before, name)
        fresh[name] = [(key, track) for key, track in tracks.items() if old.get(key) is not track]
        if len(fresh[name]) < len(tracks):
            for key, track in tracks.items():
                if old.get(key) is track:
                    known.array(track.times)
    parts: dict[str, Any] = {}
    for name, items in fresh.items():
        changes = {
            key: _with_times(track, times)
            for key, track in items
            if (times := known.array(track.times)) is not track.times
        }
        if changes:
            parts[name] = {**groups[name], **changes}
    return replace(clip, **parts) if parts else clip


class _Known:
    """The first array seen of each value."""

    def __init__(self) -> None:
        self._by_identity: dict[int, FloatArray] = {}
        self._by_value: dict[bytes, FloatArray] = {}

    def array(self, times: FloatArray) -> FloatArray:
        """The array that stands for these times."""
        found = self._by_identity.get(id(times))
        if found is None:
            found = self._by_identity[id(times)] = self._by_value.setdefault(times.tobytes(), times)
        return found


def _with_times(track: Track, times: FloatArray) -> Track:
    """A track with an equal array of times."""
    if isinstance(track, ScalarTrack):
        return with_cells(track, {"times": times})
    return altered(track, {"times": times})
