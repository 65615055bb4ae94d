"""Goal and weight curves of the set-ups by which bones follow spaces."""

from dataclasses import replace
from typing import Any, cast

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.keying import loop_length
from core.clips.pieces import put_between, without_keys_between
from core.ik.keyed import FIELDS, TURN, WEIGHT, curve_name, unrolled
from core.rig.ik_setup import IkSetup
from core.timing import TIME_EPSILON, FrameRate
from core.tracks import edits
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, altered, scalar_track, taken
from core.tracks.tangents import with_tangents

PLACES = tuple(field for field in FIELDS if field != WEIGHT)


def with_goal(
    clip: Clip,
    setup: IkSetup,
    times: FloatArray,
    values: dict[str, FloatArray],
    end: float | None,
    rate: FrameRate,
) -> Clip:
    """The clip with a goal keyed at times ``(T,)``.

    Parameters
    ----------
    values : curve → ``(T,)``, as `core.ik.keyed.present_values` gives them
    end : seconds up to which the goal then keeps its last value, whatever comes later; None changes the keys at
        the times alone
    """
    values = _near_before(clip, setup, times, values)
    curves = dict(clip.curves)
    for name, column in values.items():
        old = curves.get(name)
        if end is None:
            curves[name] = edits.set_value(old, float(times[0]), float(column[0]), loop_length(clip))
            continue
        curves[name] = _span_keys(old, times, column, _last_key(old, times, end, rate))
    if all(curves[name] is clip.curves.get(name) for name in curves):
        return clip
    return replace(clip, curves=curves)


def without_goal_between(clip: Clip, setup: IkSetup, start: float, end: float) -> Clip:
    """The clip with a goal's keys after `start` and before `end` gone, its curves the same up to the start."""
    curves = dict(clip.curves)
    for field in PLACES:
        track = curves.get(curve_name(setup.name, field))
        if track is None:
            continue
        cut: Any = edits.insert_key(track, start)
        place = edits.key_at(cut, start)
        assert place is not None
        cut = without_keys_between(cut, start, end)
        curves[curve_name(setup.name, field)] = _held_from(cut, place)
    return replace(clip, curves=curves)


def weight_over(clip: Clip, setup: IkSetup, value: float, start: float, end: float) -> Clip:
    """The clip with a set-up's weight stepped to a value from `start` up to `end`, and as it was elsewhere."""
    name = curve_name(setup.name, WEIGHT)
    track = clip.curves.get(name)
    if track is None:
        track = scalar_track([0.0], [0.0], interpolations=Interpolation.CONSTANT, modes=TangentMode.STEPPED)
    if end < clip.length - TIME_EPSILON:
        track = edits.insert_key(track, end)
        if abs(float(track.times[-1]) - end) <= TIME_EPSILON:
            track = _held_from(
                track, len(track) - 1
            )  # else a loop leads over its seam to the weight at the start
    track = edits.insert_key(track, start)
    place = edits.key_at(track, start)
    assert place is not None
    if place and track.values[place - 1] == track.values[place]:
        track = _held_from(track, place - 1)  # what was level up to here must not become a slope
    values = np.array(track.values)
    values[place] = value
    track = _held_from(altered(track, {"values": values}), place)
    stop = end if end < clip.length - TIME_EPSILON else np.inf
    track = cast(ScalarTrack, without_keys_between(track, start, stop))
    return replace(clip, curves={**clip.curves, name: _without_repeats(track)})


def _last_key(old: ScalarTrack | None, times: FloatArray, end: float, rate: FrameRate) -> float:
    """Where a span's goal gets its last key: its end, or the frame before it where another span begins there."""
    taken_already = old is not None and edits.key_at(old, end) is not None
    return max(float(times[0]), end - 1.0 / float(rate.fps)) if taken_already else end


def _span_keys(old: ScalarTrack | None, times: FloatArray, column: FloatArray, last: float) -> ScalarTrack:
    """Keys of one span in a curve: smooth between them, held after the last."""
    inside = times <= last + TIME_EPSILON
    at, values = times[inside], column[inside]
    if last > at[-1] + TIME_EPSILON:
        at, values = np.append(at, last), np.append(values, values[-1])
    piece = with_tangents(scalar_track(at, values))
    if old is not None:
        piece = cast(ScalarTrack, put_between(old, piece))
    place = edits.key_at(piece, float(at[-1]))
    assert place is not None
    return _held_from(piece, place)


def _held_from(track: ScalarTrack, place: int) -> ScalarTrack:
    """The track with the segment after a key constant."""
    if track.interpolations[place] == Interpolation.CONSTANT:
        return track
    codes, modes = np.array(track.interpolations), np.array(track.modes)
    codes[place] = Interpolation.CONSTANT
    if modes[place] in (TangentMode.AUTO, TangentMode.LINEAR):
        modes[place] = TangentMode.BROKEN
    return replace(track, interpolations=codes, modes=modes)


def _without_repeats(track: ScalarTrack) -> ScalarTrack:
    """A stepped weight without keys that change nothing."""
    stepped = track.interpolations == Interpolation.CONSTANT
    same = np.zeros(len(track), dtype=bool)
    same[1:] = (track.values[1:] == track.values[:-1]) & stepped[1:] & stepped[:-1]
    return taken(track, np.flatnonzero(~same)) if same.any() else track


def _near_before(
    clip: Clip, setup: IkSetup, times: FloatArray, values: dict[str, FloatArray]
) -> dict[str, FloatArray]:
    """Values whose angles are the equivalents nearest to what the curves say already."""
    names = [curve_name(setup.name, field) for field in TURN]
    if not all(name in values and name in clip.curves for name in names):
        return values
    tracks = [clip.curves[name] for name in names]
    now = np.stack([evaluate_scalar(track, times[:1]) for track in tracks], axis=-1)
    columns = np.stack([values[name] for name in names], axis=-1)
    near = unrolled(np.concatenate((now, columns)))[1:]
    return {**values, **{name: near[:, axis] for axis, name in enumerate(names)}}
