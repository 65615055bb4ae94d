"""One number that pulls keys toward something: tween, blends, scaling, smoothing, noise; scalars and rotations alike.

What the keys are pulled toward is found once (`pull`); any amount is then a line between two values, or the arc
between two rotations (`Pull.at`), exact at both ends.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import quat
from core.tracks.components import with_rotations
from core.tracks.edits import set_values
from core.tracks.filters import gaussian
from core.tracks.keys import ScalarTrack, Track, scalar_track

Indices = npt.NDArray[np.intp]


class Shape(StrEnum):
    """What an amount pulls keys toward. 0 changes nothing, save for `TWEEN`.

    ``TWEEN``: 0 is the key before, 1 the key after. ``TWEEN_NEIGHBOUR``: −1 is the key before, 1 the key after, each
    key for itself. ``BLEND_NEIGHBOUR``: −1 and 1 move each run of keys as one until its end meets the key before or
    after. ``BLEND_EASE``: −1 a slow start between those two keys, 1 a slow end. ``BLEND_DEFAULT``, ``BLEND_BUFFER``,
    ``BLEND_MIRROR``: 1 is a given goal, −1 as far away from it. ``SCALE_…``: −1 is the mean, the first or the last of
    the keys, 1 twice as far from it; ``PUSH_PULL`` the same about the line between the neighbours of each run.
    ``SMOOTH``: 1 is the mean over the time around, −1 the contrary. ``NOISE``: a random share of a size.
    """

    TWEEN = "tween"
    TWEEN_NEIGHBOUR = "tween_neighbour"
    BLEND_NEIGHBOUR = "blend_neighbour"
    BLEND_EASE = "blend_ease"
    BLEND_DEFAULT = "blend_default"
    BLEND_BUFFER = "blend_buffer"
    BLEND_MIRROR = "blend_mirror"
    SCALE_AVERAGE = "scale_average"
    SCALE_FIRST = "scale_first"
    SCALE_LAST = "scale_last"
    PUSH_PULL = "push_pull"
    SMOOTH = "smooth"
    NOISE = "noise"


GIVEN = (Shape.BLEND_DEFAULT, Shape.BLEND_BUFFER, Shape.BLEND_MIRROR)
"""Shapes whose goal the caller gives."""


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """Where keys are at 0, at 1, and at −1 where that is another goal.

    Parameters
    ----------
    own, above : ``(K,)`` values or ``(K, 4)`` unit quaternions
    below : the same, or None where amounts below 0 go on away from `above`
    """

    own: FloatArray
    above: FloatArray
    below: FloatArray | None = None

    def at(self, amount: float) -> FloatArray:
        """Values at an amount; exactly `own`, `above` and `below` at 0, 1 and −1, beyond these an overshoot."""
        if amount < 0.0 and self.below is not None:
            return toward(self.own, self.below, -amount)
        return toward(self.own, self.above, amount)


def toward(a: FloatArray, b: FloatArray, share: float | FloatArray) -> FloatArray:
    """Values or rotations from `a` (share 0) to `b` (1) and beyond; rotations on the short way, signed as `a`."""
    part = np.broadcast_to(np.asarray(share, dtype=np.float64), a.shape[:1])
    if a.ndim == 1:
        mixed: FloatArray = np.where(a == b, a, (1.0 - part) * a + part * b)
        return mixed
    b = quat.aligned(b, a)
    mixed = quat.slerp(a, b, part)
    mixed[part == 0.0], mixed[part == 1.0] = a[part == 0.0], b[part == 1.0]
    return mixed


def pull(
    shape: Shape,
    track: Track,
    keys: npt.ArrayLike,
    loop: float | None = None,
    *,
    goal: npt.ArrayLike | None = None,
    seconds: float = 0.0,
    size: float = 0.0,
    seed: int = 0,
) -> Pull:
    """What a shape pulls keys of a track toward.

    Parameters
    ----------
    keys : at least one
    loop : length of the clip where it loops, for smoothing round the seam
    goal : ``(K,)`` or ``(K, 4)``, of the shapes in `GIVEN`
    seconds : standard deviation of the smoothing
    size : largest noise at an amount of 1: value units, degrees about each axis of a rotation
    seed : the same one gives the same noise

    Raises
    ------
    ValidationError
        No key, or a goal is missing or of another shape than the keys' values.
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if not len(chosen) or not (chosen[0] >= 0 and chosen[-1] < len(track)):
        raise ValidationError(f"{shape}: expected keys below {len(track)}, at least one")
    own = track.values[chosen]
    if shape in GIVEN:
        given = None if goal is None else np.asarray(goal, dtype=np.float64)
        if given is None or given.shape != own.shape:
            raise ValidationError(
                f"{shape}: expected a goal of shape {own.shape}, got {None if given is None else given.shape}"
            )
        return Pull(own, given)
    if shape is Shape.SMOOTH:
        return Pull(own, _smoothed(track, chosen, seconds, loop))
    if shape is Shape.NOISE:
        return Pull(own, _shaken(own, chosen, size, seed))
    if shape in (Shape.SCALE_AVERAGE, Shape.SCALE_FIRST, Shape.SCALE_LAST):
        pivot = np.broadcast_to(_pivot(shape, own), own.shape)
        return Pull(own, toward(pivot, own, 2.0), pivot)
    return _between_neighbours(shape, track, chosen, own)


def shaped(track: Track, keys: npt.ArrayLike, found: Pull, amount: float, loop: float | None = None) -> Track:
    """The track with its keys pulled by an amount; the track itself where that changes none.

    Automatic slopes of the keys and their neighbours follow; tangents of quaternion keys turn along.

    Parameters
    ----------
    keys : those that the pull was made for
    loop : length of the clip where it loops, else None
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    values = found.at(amount)
    if isinstance(track, ScalarTrack):
        return set_values(track, chosen, values, loop)
    if np.array_equal(values, track.values[chosen]):
        return track
    return with_rotations(track, chosen, values)


def around(track: Track, chosen: Indices) -> tuple[FloatArray, FloatArray]:
    """Values of the unselected neighbours before and after each chosen key (its own run's end without any)."""
    before, after = (np.empty((len(chosen), *track.values.shape[1:])) for _ in range(2))
    last = len(track) - 1
    for run in runs(chosen):
        before[run] = track.values[max(int(chosen[run[0]]) - 1, 0)]
        after[run] = track.values[min(int(chosen[run[-1]]) + 1, last)]
    return before, after


def runs(chosen: Indices) -> list[Indices]:
    """Places in `chosen` of each run of keys that follow one another."""
    if not len(chosen):
        return []
    return np.split(np.arange(len(chosen)), np.flatnonzero(np.diff(chosen) > 1) + 1)


def _between_neighbours(shape: Shape, track: Track, chosen: Indices, own: FloatArray) -> Pull:
    before, after = around(track, chosen)
    if shape is Shape.TWEEN:
        return Pull(before, after)
    if shape is Shape.TWEEN_NEIGHBOUR:
        return Pull(own, after, before)
    if shape is Shape.BLEND_NEIGHBOUR:
        return Pull(own, _carried(own, after, chosen, -1), _carried(own, before, chosen, 0))
    share = _shares(track, chosen)
    if shape is Shape.BLEND_EASE:
        fast = toward(before, after, 1.0 - (1.0 - share) ** 3)
        return Pull(own, fast, toward(before, after, share**3))
    line = toward(before, after, share)
    return Pull(own, toward(line, own, 2.0), line)


def _shares(track: Track, chosen: Indices) -> FloatArray:
    """How far each key is in time between the neighbours of its run (its own end without one), 0 to 1."""
    found, last = np.zeros(len(chosen)), len(track) - 1
    for run in runs(chosen):
        start = track.times[max(int(chosen[run[0]]) - 1, 0)]
        end = track.times[min(int(chosen[run[-1]]) + 1, last)]
        if end > start:
            found[run] = (track.times[chosen[run]] - start) / (end - start)
    return found


def _carried(own: FloatArray, goals: FloatArray, chosen: Indices, end: int) -> FloatArray:
    """Each run moved as one so that its first (0) or last (−1) key is at its goal."""
    moved = np.array(own)
    for run in runs(chosen):
        at = run[end]
        if own.ndim == 1:
            moved[run] += goals[at] - own[at]
        else:
            turn = quat.multiply(quat.aligned(goals[at], own[at]), quat.conjugate(own[at]))
            moved[run] = quat.multiply(turn, own[run])
        moved[at] = goals[at]
    return moved


def _pivot(shape: Shape, own: FloatArray) -> FloatArray:
    """What keys are scaled about: the first, the last, or their mean."""
    if shape is not Shape.SCALE_AVERAGE:
        pivot: FloatArray = own[0] if shape is Shape.SCALE_FIRST else own[-1]
        return pivot
    if own.ndim == 1:
        return np.asarray(own.mean())
    return quat.normalise(quat.aligned(own, own[0]).sum(axis=0))


def _smoothed(track: Track, chosen: Indices, seconds: float, loop: float | None) -> FloatArray:
    if isinstance(track, ScalarTrack):
        return gaussian(track, chosen, seconds, loop).values[chosen]
    signed = quat.continuous(track.values)
    closed = (
        loop if float(signed[0] @ signed[-1]) > 0.0 else None
    )  # round the seam only where the sign agrees
    parts = [scalar_track(track.times, column) for column in signed.T]
    means = np.stack([gaussian(part, chosen, seconds, closed).values[chosen] for part in parts], axis=1)
    length = np.linalg.norm(means, axis=1)
    usable = length > 1e-3
    safe = np.where(usable[:, None], means, signed[chosen])
    return quat.aligned(quat.normalise(safe), track.values[chosen])


def _shaken(own: FloatArray, chosen: Indices, size: float, seed: int) -> FloatArray:
    """Values with a random share of ±size; a key's share depends on the seed and its number alone."""
    rng = np.random.default_rng(seed)
    shares = rng.uniform(-1.0, 1.0, (int(chosen[-1]) + 1, *own.shape[1:]))[chosen]
    if own.ndim == 1:
        return own + size * shares
    return quat.multiply(own, quat.from_rotation_vector(np.radians(size) * shares[:, :3]))
