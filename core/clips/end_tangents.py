"""Slopes of automatic end keys that an edit has computed: one-sided, or flat by the user's choice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from core.clips.clip import Clip
from core.clips.keying import loop_length
from core.tracks.keys import ScalarTrack, TangentMode, Track
from core.tracks.tangents import Ends, with_tangents

K = TypeVar("K")
T = TypeVar("T", bound=Track)
COLUMNS = ("times", "values", "modes", "in_slopes", "out_slopes")
"""What makes an end key another one."""


def with_ends(before: Clip, after: Clip, ends: Ends) -> Clip:
    """An edited clip with `ends` for those ``auto`` end keys whose slopes the edit computed.

    Edits compute one-sided slopes. End keys that the edit left alone, and slopes that are no
    automatic ones, stay: what is stored changes only where it is edited.

    Parameters
    ----------
    before, after : the clip before and after the edit

    Returns
    -------
    Clip
        `after` itself where nothing changes.
    """
    if ends is Ends.ONE_SIDED or after is before:
        return after
    loop = loop_length(after)
    tracks = _settled(before.tracks, after.tracks, loop, ends)
    curves = _settled(before.curves, after.curves, loop, ends)
    morphs = _settled(before.morphs, after.morphs, loop, ends)
    if not (tracks or curves or morphs):
        return after
    return replace(
        after,
        tracks={**after.tracks, **tracks},
        curves={**after.curves, **curves},
        morphs={**after.morphs, **morphs},
    )


def _settled(before: Mapping[K, T], after: Mapping[K, T], loop: float | None, ends: Ends) -> dict[K, T]:
    """The tracks that change."""
    found: dict[K, T] = {}
    for name, track in after.items():
        old = before.get(name)
        if track is old or not isinstance(track, ScalarTrack):
            continue
        settled = _track(old if isinstance(old, ScalarTrack) else None, track, loop, ends)
        if settled is not track:
            found[name] = settled  # type: ignore[assignment]
    return found


def _track(old: ScalarTrack | None, track: ScalarTrack, loop: float | None, ends: Ends) -> ScalarTrack:
    touched = [
        place
        for place in ((0, len(track) - 1) if len(track) > 1 else ())
        if track.modes[place] == TangentMode.AUTO and not _same(old, track, place)
    ]
    if not touched:
        return track
    usual = with_tangents(track, loop, touched)
    computed = [
        place
        for place in touched
        if np.isclose(usual.in_slopes[place], track.in_slopes[place], rtol=1e-9, atol=1e-12)
        and np.isclose(usual.out_slopes[place], track.out_slopes[place], rtol=1e-9, atol=1e-12)
    ]
    return with_tangents(track, loop, computed, ends) if computed else track


def _same(old: ScalarTrack | None, track: ScalarTrack, place: int) -> bool:
    """Whether the first (0) or last key is what it was."""
    if old is None or not len(old):
        return False
    was = 0 if place == 0 else len(old) - 1
    return all(getattr(old, name)[was] == getattr(track, name)[place] for name in COLUMNS)
