"""Fewer keys for the same curve, within a tolerance in the track's own units."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math import quat
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.fit import fit_knots
from core.tracks.keys import (
    AnyTrack,
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    joined,
    quaternion_track,
    scalar_track,
    taken,
)
from core.tracks.places import OWN, KeyPlaces, Places
from core.tracks.typed import types_from

Indices = npt.NDArray[np.intp]
Share = Callable[[FloatArray], FloatArray]
_WITHIN = 1.0 + 1e-6
"""Share of the tolerance up to which a fit holds it: rounding may leave a sample just beyond."""
BETWEEN = (0.25, 0.5, 0.75)
MANY = 400
"""Keys from which a curve is compared half way between them only."""


def reduced(
    track: ScalarTrack,
    tolerance: float,
    keys: npt.ArrayLike | None = None,
    loop: float | None = None,
    share: Share | None = None,
    seeds: FloatArray | None = None,
    places: Places = OWN,
) -> ScalarTrack:
    """A track with as few ``free`` cubic keys as keep within `tolerance` of it.

    Corners (broken keys, ends of straight and constant segments) stay corners, except in a track
    that is straight from sample to sample at even times: that is taken for sampled motion. The
    curve is compared at its keys and between them.

    Parameters
    ----------
    tolerance : in the track's units, above 0
    keys : reduce only what lies between the first and the last of these; None is everything
    share : part of the tolerance that is allowed at times ``(T,)``, 0..1; None is all of it always
    seeds : times of keys that an earlier reduction within a wider tolerance found: they become keys, too
    places : where keys may stand; without more, they stay on the times where the track has some

    Returns
    -------
    ScalarTrack
        The same object where nothing is gained.
    """
    least = tolerance if share is None else tolerance * float(share(track.times).min())
    if len(track) < 3 and not _still(track, least):
        return track
    if keys is not None:
        return _reduced_between(track, tolerance, np.unique(np.asarray(keys, dtype=np.intp)), places)
    if _still(track, least):
        return replace(
            scalar_track(track.times[:1], track.values[:1], interpolations=track.interpolations[:1]),
            before=track.before,
            after=track.after,
            types=track.types[:1],
        )
    if places.kind is KeyPlaces.EXACT:
        return _spared(track, lambda pair, start, end: _holds(track, pair, start, end, tolerance, share))
    breaks = [0, *corners(track).tolist(), len(track) - 1]
    pieces: list[ScalarTrack] = []
    for start, end in pairwise(breaks):
        pieces.append(_piece(track, start, end, tolerance, share, seeds, places))
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = _welded(whole, piece)
    if len(whole) >= len(track):
        return track
    if (whole.before, whole.after) != (track.before, track.after):
        whole = replace(whole, before=track.before, after=track.after)
    return types_from(whole, [track])


def is_sampled(track: ScalarTrack | QuaternionTrack) -> bool:
    """Whether a track is straight from key to key at even times, as imported motion is."""
    if len(track) < 8 or int(track.interpolations.min()) != Interpolation.LINEAR:
        return False
    gaps = np.diff(track.times)
    even = float(gaps.max()) < 1.5 * float(gaps.min())
    return even and int(track.interpolations[:-1].max()) == Interpolation.LINEAR


def corners(track: ScalarTrack) -> Indices:
    """Inner keys where the curve has a corner or a jump that must stay."""
    if len(track) < 3 or is_sampled(track):
        return np.zeros(0, dtype=np.intp)
    kinds = track.interpolations
    chord = np.diff(track.values) / np.diff(track.times)
    straight = kinds[:-1] == Interpolation.LINEAR
    out = np.where(straight, chord, track.out_slopes[:-1])
    into = np.where(straight, chord, track.in_slopes[1:])
    jump = np.abs(out[1:] - into[:-1]) > 1e-6 * (1.0 + np.abs(out[1:]) + np.abs(into[:-1]))
    constant = kinds[:-1] == Interpolation.CONSTANT
    return np.flatnonzero(jump | constant[1:] | constant[:-1]) + 1


def _still(track: ScalarTrack, tolerance: float) -> bool:
    """Whether one key says it all."""
    if float(np.ptp(track.values)) > tolerance:
        return False
    at = between(track.times)
    inner = evaluate_scalar(replace(track, before=track.before, after=track.after), at)
    return bool(np.abs(inner - track.values[0]).max() <= tolerance)


def between(times: FloatArray, parts: tuple[float, ...] = BETWEEN) -> FloatArray:
    """The times, and some between each two of them."""
    if len(times) < 2:
        return times
    gaps = np.diff(times)
    inner = [times[:-1] + part * gaps for part in parts]
    return np.sort(np.concatenate([times, *inner]))


def _spared(track: AnyTrack, holds: Callable[[AnyTrack, int, int], bool]) -> AnyTrack:
    """The track without keys that the curve between the others does not need; these stay as they are.

    From each key on, the furthest key is taken to which the curve of these two alone holds.
    """
    kept = [0]
    while kept[-1] < len(track) - 1:
        start = end = kept[-1]
        while end < len(track) - 1:
            if end > start and not holds(taken(track, np.array([start, end + 1])), start, end + 1):
                break
            end += 1
        kept.append(end)
    return taken(track, kept) if len(kept) < len(track) else track


def _holds(
    track: ScalarTrack, pair: ScalarTrack, start: int, end: int, tolerance: float, share: Share | None
) -> bool:
    """Whether two keys of a track make the curve between them."""
    at = between(track.times[start : end + 1])
    allowed = tolerance if share is None else tolerance * share(at)
    off = np.abs(evaluate_scalar(pair, at) - evaluate_scalar(track, at))
    return bool((off <= allowed).all())


def _piece(
    track: ScalarTrack,
    start: int,
    end: int,
    tolerance: float,
    share: Share | None,
    seeds: FloatArray | None,
    places: Places,
) -> ScalarTrack:
    """The stretch from one corner to the next, reduced where that saves a key."""
    own = taken(track, np.arange(start, end + 1))
    if end - start < 2 or (track.interpolations[start:end] == Interpolation.CONSTANT).any():
        return own
    at = own.times if is_sampled(track) else between(own.times, BETWEEN if len(own) < MANY else (0.5,))
    at = places.samples(at)
    values = own.values if at is own.times else evaluate_scalar(own, at)
    allowed = None if share is None else share(at)
    free = places.free(at, own.times)
    found = fit_knots(at, values[:, None], tolerance, _numbers(at, seeds), share=allowed, free=free)
    if len(found.keys) >= len(own) or found.error > _WITHIN:
        return own
    slopes = found.slopes[:, 0]
    in_slopes, out_slopes = np.array(slopes), np.array(slopes)
    in_slopes[0], out_slopes[-1] = own.in_slopes[0], own.out_slopes[-1]
    kinds = np.full(len(slopes), int(Interpolation.CUBIC), dtype=np.uint8)
    kinds[-1] = own.interpolations[-1]
    modes = np.full(len(slopes), int(TangentMode.FREE), dtype=np.uint8)
    return scalar_track(at[found.keys], values[found.keys], in_slopes, out_slopes, kinds, modes)


def _numbers(at: FloatArray, seeds: FloatArray | None) -> Indices:
    """Numbers of the samples at which earlier keys stand."""
    if seeds is None:
        return np.zeros(0, dtype=np.intp)
    numbers: Indices = np.searchsorted(at, seeds[(seeds > at[0]) & (seeds < at[-1])]).astype(np.intp)
    return numbers


def _welded(first: ScalarTrack, second: ScalarTrack) -> ScalarTrack:
    """Two stretches that share a key: its in-side from the first, its out-side from the second."""
    own: Any = taken(second, np.arange(len(second)))
    columns: dict[str, Any] = {}
    for name in ("in_slopes", "in_weights"):
        column = np.array(getattr(own, name))
        column[0] = getattr(first, name)[-1]
        columns[name] = column
    modes = np.array(own.modes)
    if modes[0] == TangentMode.FREE and columns["in_slopes"][0] != own.out_slopes[0]:
        modes[0] = TangentMode.BROKEN
    second = replace(own, **columns, modes=modes)
    if len(first) == 1:
        return second
    return joined([taken(first, np.arange(len(first) - 1)), second])


def _reduced_between(track: ScalarTrack, tolerance: float, keys: Indices, places: Places) -> ScalarTrack:
    first, last = (int(keys[0]), int(keys[-1])) if len(keys) else (0, 0)
    if last - first < 2:
        return track
    middle = reduced(taken(track, np.arange(first, last + 1)), tolerance, places=places)
    if len(middle) == 1 or len(middle) >= last - first + 1:
        if len(middle) > 1:
            return track
        ends = taken(track, np.array([first, last]))
        middle = replace(ends, in_slopes=ends.in_slopes, out_slopes=np.array([0.0, ends.out_slopes[1]]))
        middle = replace(middle, in_slopes=np.array([ends.in_slopes[0], 0.0]))
        broken = np.full(2, int(TangentMode.BROKEN), dtype=np.uint8)
        middle = replace(middle, modes=broken)
    whole = middle
    if first > 0:
        whole = _welded(taken(track, np.arange(first + 1)), whole)
    if last < len(track) - 1:
        whole = _welded(whole, taken(track, np.arange(last, len(track))))
    return replace(whole, before=track.before, after=track.after) if len(whole) < len(track) else track


def reduced_rotation(
    track: QuaternionTrack,
    degrees: float,
    share: Share | None = None,
    seeds: FloatArray | None = None,
    places: Places = OWN,
) -> QuaternionTrack:
    """A quaternion track with as few cubic keys as keep within an angle of it; see `reduced`.

    Tracks with constant segments stay as they are.
    """
    if len(track) < 3 or (track.interpolations[:-1] == Interpolation.CONSTANT).any():
        return track
    if places.kind is KeyPlaces.EXACT:
        return _spared(track, lambda pair, a, b: _turns_alike(track, pair, a, b, degrees, share))
    at = places.samples(track.times if is_sampled(track) else between(track.times))
    values = quat.continuous(evaluate_quaternion(track, at))
    free = places.free(at, track.times)
    allowed = None if share is None else share(at)
    found, error = _fitted_rotation(at, values, degrees, allowed, _numbers(at, seeds), free)
    whole = types_from(replace(found, before=track.before, after=track.after), [track])
    return whole if len(whole) < len(track) and error <= _WITHIN else track


def _turns_alike(
    track: QuaternionTrack, pair: QuaternionTrack, start: int, end: int, degrees: float, share: Share | None
) -> bool:
    """Whether two keys of a track turn as it does between them."""
    at = between(track.times[start : end + 1])
    allowed = np.radians(degrees) * (np.ones(len(at)) if share is None else share(at))
    off = quat.angle_between(evaluate_quaternion(pair, at), evaluate_quaternion(track, at))
    return bool((off <= allowed).all())


def fit_rotation(
    times: FloatArray,
    rotations: FloatArray,
    degrees: float,
    share: FloatArray | None = None,
    seeds: Sequence[int] | Indices = (),
) -> QuaternionTrack:
    """Cubic quaternion keys within an angle of samples ``(T, 4)`` whose signs agree from row to row."""
    return _fitted_rotation(times, rotations, degrees, share, seeds, None)[0]


def _fitted_rotation(
    times: FloatArray,
    rotations: FloatArray,
    degrees: float,
    share: FloatArray | None,
    seeds: Sequence[int] | Indices,
    free: npt.NDArray[np.bool_] | None,
) -> tuple[QuaternionTrack, float]:
    """As `fit_rotation`, and the largest share of the angle used (above 1 where the free samples are too few)."""
    # A unit quaternion that is off by d in four dimensions is off by 2 d as an angle.
    spread = np.abs(rotations - rotations[0]).max()
    if spread * 2.0 <= np.radians(degrees) * (1.0 if share is None else float(share.min())) / 2.0:
        return quaternion_track(times[:1], rotations[:1], interpolations=int(Interpolation.CUBIC)), 0.0
    found = fit_knots(times, rotations, np.radians(degrees) / 2.0, seeds, share=share, joint=True, free=free)
    track = quaternion_track(
        times[found.keys],
        rotations[found.keys],
        found.slopes,
        found.slopes,
        interpolations=int(Interpolation.CUBIC),
    )
    return track, found.error
