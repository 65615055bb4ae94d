"""The Smooth command: slopes of keys between the chords on both sides (spec: editing, Tangents)."""

import numpy as np
import numpy.typing as npt

from core.errors import ValidationError
from core.tracks.edits import set_slopes
from core.tracks.keys import ScalarTrack, TangentMode
from core.tracks.tangents import chords


def smoothed_slopes(
    track: ScalarTrack,
    keys: npt.ArrayLike,
    weight: float | None = None,
    strength: float = 1.0,
    loop: float | None = None,
) -> ScalarTrack:
    """Turn the slopes of keys toward a mean of the chords before and after; the keys become ``free``.

    Parameters
    ----------
    weight : 0 takes the chord before, 1 the chord after; None weighs as ``auto`` does, so that the
        nearer neighbour counts more
    strength : 0 changes no slope, 1 gives the mean itself on both sides

    Raises
    ------
    ValidationError
        Weight or strength outside 0..1.
    """
    if not (0.0 <= strength <= 1.0 and (weight is None or 0.0 <= weight <= 1.0)):
        raise ValidationError(
            f"smooth: expected weight and strength within 0 to 1, got {weight} and {strength}"
        )
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if not len(chosen) or strength == 0.0:
        return track
    p, hp, has_p = chords(track, chosen, loop, -1)
    n, hn, has_n = chords(track, chosen, loop, +1)
    share = hp / (hp + hn) if weight is None else np.full(len(chosen), weight)
    goal = np.where(has_p & has_n, p + share * (n - p), np.where(has_p, p, n))
    into = track.in_slopes[chosen] + strength * (goal - track.in_slopes[chosen])
    out = track.out_slopes[chosen] + strength * (goal - track.out_slopes[chosen])
    mode = TangentMode.FREE if np.allclose(into, out) else TangentMode.BROKEN
    return set_slopes(track, chosen, into, out, mode)
