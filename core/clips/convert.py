"""Rotations from Euler angles to quaternions and back, on the keys there are or on as many as a bound needs."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import unrolled_degrees
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.clips.keying import loop_length
from core.errors import ValidationError
from core.math import bezier, euler, quat
from core.progress import checkpoint, counted
from core.rig.skeleton import Skeleton
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.fit import fit_knots
from core.tracks.keys import (
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    Track,
    quaternion_track,
    scalar_track,
)
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import corners, is_sampled
from core.tracks.typed import types_from

STEP = 2e-5
"""Seconds before a jump at which the curve gets a key that holds what was before it."""


PARTS, ROUNDS = 6, 24
"""Samples between two keys to begin with, and how often more are added where the error is too large."""
FEW = 6
"""How often where keys may only be added on frames, which may never suffice."""


LEAST_SAMPLES, MOST_SAMPLES = 8192, 2 * PARTS
"""Samples that a bone may be fitted to in any case, and for each of its keys: what turns so fast that it needs more
keeps a larger error, which `Conversion.left` tells. Thousands of keys between two frames help nobody."""


class RotationKind(StrEnum):
    """How a bone's rotation is keyed."""

    EULER = "euler"
    QUATERNION = "quaternion"


class Conversion(NamedTuple):
    """A clip with converted rotations.

    Parameters
    ----------
    errors : bone → largest angle in degrees between before and after, at and between keys
    bound : the angle in degrees that was asked for
    """

    clip: Clip
    errors: dict[str, float]
    bound: float = np.inf

    @property
    def error(self) -> float:
        """The largest error of all."""
        return max(self.errors.values(), default=0.0)

    @property
    def left(self) -> dict[str, float]:
        """Bones that turn too fast for the bound, with their error in degrees."""
        return {bone: error for bone, error in self.errors.items() if error > self.bound}


def convert_rotations(
    clip: Clip,
    skeleton: Skeleton,
    bones: Iterable[str],
    kind: RotationKind,
    degrees: float = 0.05,
    places: KeyPlaces = KeyPlaces.OWN,
) -> Conversion:
    """Key the rotations of bones as Euler angles, or as quaternions.

    Without more, keys stand exactly where a bone's rotation had any, with the slopes that suit the
    curve best; how far that is from it between them is in `Conversion.errors`. A jump (a step of
    one angle beside curves of others) has a second key just before it in any case.

    Parameters
    ----------
    bones : those without a rotation track, or keyed so already, stay as they are
    degrees : keys are added until no rotation is off by more, where `places` lets them and as far as
        `MOST_SAMPLES` allows; see `Conversion.left`
    places : ``FRAMES`` adds keys on frames, ``ANYWHERE`` puts the fewest keys wherever they serve
        best; ``OWN`` and ``EXACT`` are the same here

    Raises
    ------
    ValidationError
        The bound is not above 0.
    MissingReferenceError
        The skeleton lacks a bone.
    """
    if not degrees > 0.0:
        raise ValidationError(f"conversion: expected a bound above 0°, got {degrees}")
    changes: dict[Channel, Track | None] = {}
    errors: dict[str, float] = {}
    loop = loop_length(clip)
    for bone in counted(list(bones), "converting"):
        index = skeleton.index(bone)
        source = _Source(clip, skeleton, index, bone, loop)
        if source.keyed_as in (None, kind):
            continue
        made = _converted(source, kind, degrees, Places(places, clip.rate))
        every = source.key_times()
        errors[bone] = float(_compared(source, made, _samples(every))[1].max(initial=0.0))
        for axis in (*range(3), WHOLE):
            channel = Channel(bone, Property.ROTATE, axis)
            if channel in clip.tracks or channel in made:
                changes[channel] = made.get(channel)
    return Conversion(clip.with_tracks(changes) if changes else clip, errors, degrees)


class _Source:
    """A bone's rotation as it is keyed now."""

    def __init__(self, clip: Clip, skeleton: Skeleton, index: int, bone: str, loop: float | None) -> None:
        self.skeleton, self.index, self.bone, self.loop = skeleton, index, bone, loop
        self.order = int(skeleton.euler_orders[index])
        self.rest = rest_degrees(skeleton, index)
        self.whole = clip.rotation(bone)
        self.turns = {
            axis: track
            for axis in range(3)
            if (track := clip.scalar(Channel(bone, Property.ROTATE, axis))) is not None
        }

    @property
    def keyed_as(self) -> RotationKind | None:
        if self.whole is not None:
            return RotationKind.QUATERNION
        return RotationKind.EULER if self.turns else None

    @property
    def tracks(self) -> tuple[Track, ...]:
        return (self.whole,) if self.whole is not None else tuple(self.turns.values())

    def at(self, times: FloatArray) -> FloatArray:
        """Rotations ``(T, 4)``."""
        if self.whole is not None:
            return evaluate_quaternion(self.whole, times, self.loop)
        return rotations_of(self.turns, self.rest, self.order, times, self.loop)

    def key_times(self) -> FloatArray:
        times = np.unique(np.concatenate([t.times for t in self.tracks]))
        if self.loop is not None and times[-1] - times[0] < self.loop:  # the seam has its segment too
            times = np.unique(
                np.concatenate(([0.0], times[(times > 0.0) & (times < self.loop)], [self.loop]))
            )
        kept = np.concatenate(([True], np.diff(times) > 1e-5))
        return np.asarray(times[kept])

    def breaks(self) -> FloatArray:
        """Times of corners and jumps."""
        found: list[FloatArray] = []
        for track in self.tracks:
            if isinstance(track, ScalarTrack):
                found.append(track.times[corners(track)])
                found.append(track.times[[0, -1]])  # where it begins to move, among others that do already
            else:
                kinds = track.interpolations
                if not is_sampled(track):
                    smooth = kinds == Interpolation.CUBIC
                    smooth[1:-1] &= np.isclose(
                        track.in_tangents[1:-1], track.out_tangents[1:-1], atol=1e-9
                    ).all(axis=1)
                    found.append(track.times[~smooth])
                else:
                    found.append(track.times[:0])
        return np.unique(np.concatenate(found)) if found else np.zeros(0)

    def straight_between(self, start: float, end: float) -> bool:
        """Whether every track runs straight from key to key, or holds, in a stretch."""
        for track in self.tracks:
            first = max(int(np.searchsorted(track.times, start + STEP / 2.0)) - 1, 0)
            last = int(np.searchsorted(track.times, end - STEP / 2.0))
            if self.loop is not None and (track.times[0] > start + STEP or track.times[-1] < end - STEP):
                return False
            if (track.interpolations[first : min(last, len(track) - 1)] != Interpolation.LINEAR).any():
                return False
        return True

    def constant_between(self, start: float, end: float) -> bool:
        """Whether nothing moves in a stretch between two keys."""
        middle = (start + end) / 2.0
        for track in self.tracks:
            place = int(np.searchsorted(track.times, middle)) - 1
            inside = 0 <= place < len(track) - 1
            if inside and track.interpolations[place] != Interpolation.CONSTANT:
                return False
            if not inside and self.loop is not None and len(track) > 1:
                return False
        return True


def rotations_of(
    turns: dict[int, ScalarTrack], rest: FloatArray, order: int, times: FloatArray, loop: float | None
) -> FloatArray:
    """Rotations ``(T, 4)`` of Euler tracks by axis; `rest` gives the angles that have none."""
    degrees = np.repeat(rest[None], len(times), axis=0)
    for axis, track in turns.items():
        degrees[:, axis] = evaluate_scalar(track, times, loop)
    return euler.to_quaternion(degrees, order)


class _Piece(NamedTuple):
    times: FloatArray
    columns: FloatArray
    slopes: FloatArray
    kind: Interpolation
    jumps: bool = False
    """Whether its last key stands just before a jump."""


def _converted(source: _Source, kind: RotationKind, degrees: float, places: Places) -> dict[Channel, Track]:
    """Converted tracks, sampled more densely until the error between samples is in bound too."""
    every = source.key_times()
    samples = places.samples(_samples(every))
    most = max(LEAST_SAMPLES, MOST_SAMPLES * len(every))
    rounds = {KeyPlaces.ANYWHERE: ROUNDS, KeyPlaces.FRAMES: FEW}.get(places.kind, 1)
    for _ in range(rounds):
        checkpoint()
        made = _fitted(source, kind, degrees, every, samples, places)
        times, errors = _compared(source, made, samples)
        bad = times[errors > 0.95 * degrees]
        if not len(bad):
            break
        room = most - len(samples)
        if room <= 0:
            break
        if len(bad) > room:  # the worst first
            bad = bad[np.argsort(-errors[errors > 0.95 * degrees], kind="stable")[:room]]
        samples = np.union1d(samples, bad)
    return {channel: types_from(track, source.tracks) for channel, track in made.items()}


def _fitted(
    source: _Source,
    kind: RotationKind,
    degrees: float,
    every: FloatArray,
    samples: FloatArray,
    places: Places,
) -> dict[Channel, Track]:
    """Tracks through the samples, piece by piece between corners."""
    inner = source.breaks()
    edges = np.unique(
        np.concatenate((every[:1], inner[(inner > every[0]) & (inner < every[-1])], every[-1:]))
    )
    pieces: list[_Piece] = []
    reference = source.rest
    previous: FloatArray | None = None
    for start, end in pairwise(edges.tolist()):
        if source.constant_between(start, end):
            times, code, jumps = np.array([start]), Interpolation.CONSTANT, False
        else:
            jumps, code = _jumps(source, end), Interpolation.CUBIC
            stop = end - STEP if jumps else end
            inside = samples[(samples > start + STEP / 2.0) & (samples < stop - STEP / 2.0)]
            times = np.concatenate(([start], inside, [stop]))
        q = source.at(times)
        if kind is RotationKind.QUATERNION:
            q = quat.continuous(q if previous is None or float(q[0] @ previous) >= 0.0 else -q)
            previous, columns = q[-1], q
            bound = np.radians(degrees) / 5.0
        else:
            columns = _angles(source, q, reference)
            reference, bound = columns[-1], degrees / 3.5
        if code == Interpolation.CONSTANT or len(times) < 2:
            pieces.append(_Piece(times, columns, np.zeros_like(columns), code))
            continue
        seeds = np.zeros(0, dtype=np.intp)
        if places.kind is not KeyPlaces.ANYWHERE:
            seeds = np.flatnonzero(np.isin(times, every))
        found = fit_knots(times, columns, bound, seeds, free=places.free(times, every))
        piece = _Piece(times[found.keys], columns[found.keys], found.slopes, code, jumps)
        if len(seeds) and not jumps and source.straight_between(start, end):
            piece = _straighter(piece, times, columns, kind)
        pieces.append(piece)
    last = source.at(edges[-1:])
    if kind is RotationKind.EULER:
        last = _angles(source, last, reference)
    elif previous is not None:
        last = quat.aligned(last, previous)
    return _joined(source, kind, pieces, float(edges[-1]), last[0])


def _straighter(piece: _Piece, times: FloatArray, columns: FloatArray, kind: RotationKind) -> _Piece:
    """The piece, or straight lines (slerp) between its keys where these are as near to the samples."""
    place = np.clip(np.searchsorted(piece.times, times, "right") - 1, 0, len(piece.times) - 2)
    h = piece.times[place + 1] - piece.times[place]
    u = (times - piece.times[place]) / h
    a, b = piece.columns[place], piece.columns[place + 1]
    slopes = piece.slopes[place], piece.slopes[place + 1]
    bent = bezier.hermite(u[:, None], h[:, None], a, b, *slopes)
    if kind is RotationKind.QUATERNION:
        bent, lines = quat.normalise(bent), quat.slerp(a, b, u)
        if (np.sum(a * b, axis=1) < 0.0).any():
            return piece
    else:
        lines = a + u[:, None] * (b - a)
    if np.abs(lines - columns).max() > np.abs(bent - columns).max() + 1e-9:
        return piece
    chords = np.diff(piece.columns, axis=0) / np.diff(piece.times)[:, None]
    leans = np.concatenate((chords, chords[-1:]))
    return piece._replace(slopes=leans, kind=Interpolation.LINEAR)


def _angles(source: _Source, q: FloatArray, reference: FloatArray) -> FloatArray:
    """Euler angles ``(T, 3)`` without jumps that begin nearest to a reference."""
    wide = np.broadcast_to(q[:, None, :], (len(q), len(source.skeleton), 4))
    angles: FloatArray = unrolled_degrees(source.skeleton, wide, [source.index])[:, 0]
    first = euler.nearest(q[0], source.order, reference)
    if np.allclose(first, angles[0], atol=1e-6):
        return angles
    result = np.array(angles)
    result[0] = first
    return euler.unroll(result, source.order)


def _samples(every: FloatArray) -> FloatArray:
    """Key times and some between each two of them."""
    inner = [every[:-1] + np.diff(every) * n / PARTS for n in range(PARTS)]
    return np.sort(np.concatenate([*inner, every[-1:]]))


def _jumps(source: _Source, time: float) -> bool:
    a, b = source.at(np.array([time - STEP, time]))
    rate = source.at(np.array([time - 2.0 * STEP]))[0]
    return float(quat.angle_between(a, b)) > 1e-7 + 3.0 * float(quat.angle_between(rate, a))


def _joined(
    source: _Source, kind: RotationKind, pieces: list[_Piece], end: float, last: FloatArray
) -> dict[Channel, Track]:
    """One track of all pieces: where two meet, one key with the slopes of both sides."""
    times: list[float] = []
    rows: list[tuple[FloatArray, FloatArray, FloatArray, Interpolation]] = []
    for piece in pieces:
        for n, time in enumerate(piece.times):
            value, slope = piece.columns[n], piece.slopes[n]
            if times and time - times[-1] < STEP * 0.5:
                rows[-1] = (value, rows[-1][1], slope, piece.kind)
                continue
            times.append(float(time))
            rows.append((value, slope, slope, piece.kind))
        if piece.jumps:
            rows[-1] = (*rows[-1][:3], Interpolation.LINEAR)
    if not times or end - times[-1] > STEP * 0.5:
        times.append(end)
        rows.append((last, np.zeros_like(last), np.zeros_like(last), Interpolation.CUBIC))
    before, after = source.tracks[0].before, source.tracks[0].after
    values, into, out = (np.stack([row[part] for row in rows]) for part in range(3))
    codes = np.array([int(row[3]) for row in rows], dtype=np.uint8)
    if kind is RotationKind.QUATERNION:
        track = quaternion_track(times, values, into, out, codes, before, after)
        return {Channel(source.bone, Property.ROTATE, WHOLE): track}
    modes = np.where(np.isclose(into, out, atol=1e-9), int(TangentMode.FREE), int(TangentMode.BROKEN))
    modes[codes == Interpolation.CONSTANT] = int(TangentMode.STEPPED)
    return {
        Channel(source.bone, Property.ROTATE, axis): scalar_track(
            times,
            values[:, axis],
            into[:, axis],
            out[:, axis],
            codes,
            modes[:, axis],
            weights=(None, None),
            beyond=(before, after),
        )
        for axis in range(3)
    }


def _compared(
    source: _Source, made: dict[Channel, Track], samples: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Angles in degrees between before and after, at keys, samples and between them (not within a jump)."""
    new = next(iter(made.values())).times
    stops = np.unique(np.concatenate((source.key_times(), samples, new)))
    inner = [stops[:-1] + np.diff(stops) * part for part in (0.0, 0.21, 0.5, 0.79)]
    times = np.unique(np.concatenate([*inner, stops[-1:]]))
    for jump in (t for t in source.breaks() if _jumps(source, float(t))):
        times = times[(times >= jump) | (times < jump - STEP * 1.01)]
    whole = made.get(Channel(source.bone, Property.ROTATE, WHOLE))
    if isinstance(whole, QuaternionTrack):
        after = evaluate_quaternion(whole, times, source.loop)
    else:
        turns = {c.axis: t for c, t in made.items() if isinstance(t, ScalarTrack)}
        after = rotations_of(turns, source.rest, source.order, times, source.loop)
    return times, np.degrees(quat.angle_between(source.at(times), after))
