"""Keys at both ends of a loop, and stepped segments that run backwards: neither changes what a curve shows."""

from typing import Any, cast

import numpy as np

from core.timing import TIME_EPSILON
from core.tracks import splits
from core.tracks.edits import insert_key, key_at
from core.tracks.keys import AnyTrack, Extrapolation, Interpolation, columns, reordered

GAP = 2.0 * TIME_EPSILON
"""Seconds between two keys that are both sides of one jump."""


def with_end_keys(track: AnyTrack, length: float) -> AnyTrack:
    """A track of a loop with keys at 0 and at `length`, its motion as it was.

    Where the curve runs on from its last key to its first one round the seam, the key at the end is the first one
    again: what arrives there, and how, is that of the segment across the seam.
    """
    whole: Any = track
    if key_at(whole, 0.0) is None:
        whole = insert_key(whole, 0.0, length)
    if key_at(whole, length) is not None:
        return cast(AnyTrack, whole)
    if whole.times[-1] > length:
        return cast(AnyTrack, insert_key(whole, length, length))
    first = cast(int, key_at(whole, 0.0))
    row = {name: getattr(whole, name)[first] for name in columns(whole)} | {"times": length}
    return cast(AnyTrack, splits.inserted(whole, len(whole), row))


def with_steps_held(back: AnyTrack) -> AnyTrack:
    """A track whose keys were turned round in time, with stepped segments that hold what they held before.

    A stepped segment shows the value of its first key. Turned round, that key ends it, so the value goes to the key
    that starts it now. Where a curve arrives at that key, the jump away from it gets a key of its own.
    """
    times, values, codes = back.times, back.values, back.interpolations
    stepped = codes[:-1] == Interpolation.CONSTANT
    differ = values[:-1] != values[1:]
    jumps = stepped & (differ if differ.ndim == 1 else differ.any(axis=1))
    if not jumps.any():
        return back
    rows: list[tuple[int, float, int]] = []  # key whose columns are taken, time, key whose value is taken
    for key, time in enumerate(times.tolist()):
        if key == len(times) - 1 or not jumps[key]:
            rows.append((key, time, key))
            continue
        arrives = key > 0 and not stepped[key - 1]
        ahead = key == 0 and back.before is Extrapolation.HOLD and time > GAP
        if ahead:
            rows.append((key, 0.0, key))
        elif (arrives or key == 0) and times[key + 1] - time > 2.0 * GAP:
            rows.append((key, time, key))
            time += GAP
        rows.append((key, time, key + 1))
    keys = np.array([row[0] for row in rows])
    shown = np.array([row[2] for row in rows])
    kept: dict[str, Any] = {name: getattr(back, name)[keys] for name in columns(back)}
    kept["values"] = values[shown]
    kept.pop("times")
    return reordered(back, np.array([row[1] for row in rows]), kept)
