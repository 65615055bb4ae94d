"""A piece of a track put between what comes before and after it, both of which keep their shape."""

from dataclasses import replace
from typing import Any, cast

import numpy as np

from core.math import quat
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.keys import (
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    Track,
    joined,
    taken,
)

BEFORE = ("in_slopes", "in_weights", "in_tangents")
"""Columns of a key that shape the segment before it."""
AFTER = ("out_slopes", "out_weights", "out_tangents", "interpolations")
"""Columns of a key that shape the segment after it."""
SAME = 1e-3
"""Degrees, metres or factors by which a piece may miss what comes after it before it is a step."""


def put_between(old: Track, piece: Track, loop: float | None = None, turns: bool = False) -> Track:
    """A track with the keys from a piece's first to its last time replaced by the piece.

    Parameters
    ----------
    loop : the clip's length where it loops, else None
    turns : whether scalar values are angles in degrees: the piece is then moved by whole turns to fit what is
        before it. Where it has wound itself up against what is after it, the last segment steps
    """
    first, last = float(piece.times[0]), float(piece.times[-1])
    whole: Any = edits.insert_key(edits.insert_key(cast(Any, old), first, loop), last, loop)
    left, right = edits.key_at(whole, first), edits.key_at(whole, last)
    assert left is not None and right is not None
    after: Any = taken(whole, np.arange(right + 1, len(whole))) if right + 1 < len(whole) else None
    fresh: Any = piece
    if isinstance(fresh, QuaternionTrack):
        fresh, after = _same_signs(fresh, whole.values[left], whole.values[right], after)
    elif turns:
        fresh = _same_turns(fresh, float(whole.values[left]), float(whole.values[right]))
    changes: dict[str, Any] = {}
    for names, row, place in ((BEFORE, 0, left), (AFTER, len(fresh) - 1, right)):
        for name in names:
            if hasattr(fresh, name):
                column = np.array(getattr(fresh, name))
                column[row] = getattr(whole, name)[place]
                changes[name] = column
    if isinstance(fresh, ScalarTrack):
        modes = np.array(fresh.modes)
        modes[[0, -1]] = TangentMode.BROKEN
        changes["modes"] = modes
    fresh = replace(fresh, **changes, before=whole.before, after=whole.after)
    pieces = [taken(whole, np.arange(left))] if left else []
    pieces.append(fresh)
    if after is not None:
        pieces.append(after)
    return cast(Track, joined(pieces))


def without_keys_between(track: Track, start: float, end: float) -> Track:
    """A track without the keys after `start` and before `end`; at least one key stays."""
    inner = (track.times > start + TIME_EPSILON) & (track.times < end - TIME_EPSILON)
    kept = np.flatnonzero(~inner)
    return cast(Track, taken(cast(Any, track), kept)) if len(kept) else track


def _same_turns(piece: ScalarTrack, before: float, after: float) -> ScalarTrack:
    shift = 360.0 * round((before - float(piece.values[0])) / 360.0)
    values = np.array(piece.values) + shift
    interpolations = np.array(piece.interpolations)
    if len(values) > 1 and abs(values[-1] - after) > SAME and _whole_turns(values[-1] - after):
        values[-1] = after
        interpolations[-2] = Interpolation.CONSTANT
    return replace(piece, values=values, interpolations=interpolations)


def _whole_turns(degrees: float) -> bool:
    return abs(degrees / 180.0 - round(degrees / 180.0)) * 180.0 < SAME


def _same_signs(
    piece: QuaternionTrack, before: np.ndarray, after: np.ndarray, tail: QuaternionTrack | None
) -> tuple[QuaternionTrack, QuaternionTrack | None]:
    values = quat.continuous(np.concatenate((before[None], piece.values)))[1:]
    piece = replace(piece, values=values)
    if tail is not None and float(values[-1] @ after) < 0.0:
        tail = replace(
            tail, values=-tail.values, in_tangents=-tail.in_tangents, out_tangents=-tail.out_tangents
        )
    return piece, tail
