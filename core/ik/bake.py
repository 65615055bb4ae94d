"""IK→FK bake and FK→IK match over a range, each with the largest error it leaves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import BakeStyle
from core.clips.bake import bake as bake_tracks
from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.clips.keying import loop_length, uses_quaternion
from core.clips.proportions import to_hold
from core.clips.reduce import reduce_clip
from core.errors import ValidationError
from core.ik import keyed
from core.ik.keyed import GOAL, POLE, TURN, WEIGHT, curve_name
from core.ik.rigged import sample_many
from core.math.transform import Transform, down_chain
from core.progress import Progress, checkpoint, counted
from core.rig.ik_setup import IkSetup
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track, joined, scalar_track, taken
from core.tracks.reduce import reduced

REDUCTION = 1e-4
"""Metres that key reduction after a bake may cost."""
AT_ONCE = 1024
"""Moments that are measured at a time."""
CURVE_STEPS = {GOAL: 2e-6, POLE: 1e-4, TURN: 0.01}
"""How far reduced goal curves may stray: metres, metres, degrees."""


class Change(NamedTuple):
    """A changed clip and the largest distance of any bone from where it was.

    Parameters
    ----------
    metres, bone, time : how far, which bone, and when (seconds); measured at and between frames
    keys : keys of the tracks or curves that were written
    """

    clip: Clip
    metres: float
    bone: str
    time: float
    keys: int


def frame_times(clip: Clip, start: float | None = None, end: float | None = None) -> FloatArray:
    """Times of the frames of a range (the whole clip by default), both ends included."""
    first, last = (
        0.0 if start is None else max(start, 0.0),
        clip.length if end is None else min(end, clip.length),
    )
    if last < first:
        raise ValidationError(f"range: expected an end after its start, got {first:.4g} to {last:.4g} s")
    low, high = int(np.ceil(clip.rate.to_frame(first) - 1e-6)), int(np.floor(clip.rate.to_frame(last) + 1e-6))
    inner = np.array([float(clip.rate.to_seconds(frame)) for frame in range(low, high + 1)])
    times = np.unique(np.concatenate(([first], inner, [last])))
    kept: FloatArray = times[np.concatenate(([True], np.diff(times) > 2 * TIME_EPSILON))]
    return kept


def baked(
    rig: Rig,
    clip: Clip,
    setups: Sequence[str] | None = None,
    start: float | None = None,
    end: float | None = None,
    metres: float | None = REDUCTION,
    progress: Progress | None = None,
) -> Change:
    """Keys on the chains' bones in place of keyed goals: the clip looks the same without IK.

    Over the whole clip the goals' curves go; over a range they stay, and the weight is 0 in it.

    Parameters
    ----------
    setups : names; None is every set-up that drives the clip
    metres : key reduction within this distance; None keeps a key on every frame

    Raises
    ------
    ValidationError
        None of these set-ups drives the clip.
    Cancelled
        From `progress`.
    """
    chosen = [s for s in keyed.driving(rig, clip.curves) if setups is None or s.name in setups]
    if not chosen:
        raise ValidationError(f"bake: no IK set-up drives clip {clip.name!r}; key a goal first")
    times = frame_times(clip, start, end)
    whole = times[0] <= TIME_EPSILON and times[-1] >= clip.length - TIME_EPSILON
    local = sample_many(rig, clip, times, wrap=False).local
    bones = sorted({bone for setup in chosen for bone in keyed.chain_bones(rig, setup)})
    fresh = tracks_of(rig, clip, times, local, bones)
    tracks: dict[Channel, Track | None] = {
        channel: track if whole else spliced(rig, clip, channel, track)
        for channel, track in counted(fresh.items())
    }
    result = clip.with_tracks(tracks)
    curves = dict(result.curves)
    for setup in chosen:
        if whole:
            curves = {n: t for n, t in curves.items() if (keyed.setup_of(n) or ("",))[0] != setup.name}
        else:
            name = curve_name(setup.name, WEIGHT)
            curves[name] = _muted(curves.get(name), setup.weight, times, 0.5 / float(clip.rate.fps))
    result = replace(result, curves=curves)
    if metres is not None and whole:
        result = reduce_clip(rig, result, metres, channels=set(fresh), progress=progress).clip
    return _measured(
        rig, clip, result, times, sum(len(result.tracks[c]) for c in fresh if c in result.tracks)
    )


def matched(
    rig: Rig, clip: Clip, setup: IkSetup, start: float | None = None, end: float | None = None
) -> Change:
    """Goal and pole curves for the poses the clip has: it looks the same, and now follows the goal.

    Over a range the curves keep their keys outside it; without keys there the goal holds its ends,
    so the weight is 0 there.
    """
    frames = frame_times(clip, start, end)
    # feet strike between frames: goals that are seen at frames only would cut these corners
    times = np.unique(np.concatenate((frames, (frames[1:] + frames[:-1]) / 2.0)))
    whole = times[0] <= TIME_EPSILON and times[-1] >= clip.length - TIME_EPSILON
    local = sample_many(rig, clip, times, wrap=False).local
    present = keyed.present_values(rig, local, setup)
    curves = dict(clip.curves)
    keys = 0
    for fields, tolerance in CURVE_STEPS.items():
        for field in fields:
            name = curve_name(setup.name, field)
            checkpoint()
            values = present.get(name)
            if values is None:
                continue
            loop = loop_length(clip) if whole else None
            track = reduced(_smooth(times, values, loop), tolerance, loop=loop)
            old = clip.curves.get(name)
            curves[name] = track if whole or old is None else cast(ScalarTrack, _around(old, track, times))
            keys += len(track)
    name = curve_name(setup.name, WEIGHT)
    if whole:
        curves.pop(name, None)
        if setup.weight < 1.0:
            curves[name] = scalar_track([0.0], [1.0])
    else:
        old_weight = clip.curves.get(name)
        before = 0.0 if not keyed.drives(clip, setup.name) else setup.weight
        curves[name] = _muted(old_weight, before, times, 0.5 / float(clip.rate.fps), inside=1.0)
    return _measured(rig, clip, replace(clip, curves=curves), times, keys)


def without_goal(clip: Clip, setup: str) -> Clip:
    """The clip without a set-up's curves."""
    kept = {n: t for n, t in clip.curves.items() if (keyed.setup_of(n) or ("",))[0] != setup}
    return replace(clip, curves=kept) if len(kept) < len(clip.curves) else clip


def renamed_goal(clip: Clip, before: str, after: str) -> Clip:
    """The clip with a set-up's curves under another name."""
    found = {n: keyed.setup_of(n) for n in clip.curves}
    if not any(place is not None and place[0] == before for place in found.values()):
        return clip
    curves = {
        curve_name(after, place[1]) if (place := found[n]) is not None and place[0] == before else n: t
        for n, t in clip.curves.items()
    }
    return replace(clip, curves=curves)


# ---------------------------------------------------------------- helpers


def _smooth(times: FloatArray, values: FloatArray, loop: float | None) -> ScalarTrack:
    """A curve through samples with slopes from both neighbours; automatic ones would flatten its bends."""
    slopes = (
        np.gradient(values, times, edge_order=2 if len(times) > 2 else 1) if len(times) > 1 else np.zeros(1)
    )
    if loop is not None and len(times) > 2 and abs(values[0] - values[-1]) < 1e-6:
        slopes[0] = slopes[-1] = (values[1] - values[-2]) / (times[1] - times[0] + times[-1] - times[-2])
    return scalar_track(times, values, slopes, slopes, modes=TangentMode.FREE)


def tracks_of(
    rig: Rig, clip: Clip, times: FloatArray, local: Transform, bones: list[int], moved: bool = True
) -> dict[Channel, Track]:
    """Tracks with a key at every time, of rotations, and (`moved`) of translations that leave the rest pose."""
    local = to_hold(rig, clip, times, local)
    tracks: dict[Channel, Track] = {}
    names = rig.skeleton.names
    for whole in (False, True):
        some = [b for b in bones if uses_quaternion(clip, names[b]) is whole]
        if some:
            style = BakeStyle(not whole, Interpolation.CUBIC, loop_length(clip))
            tracks |= bake_tracks(
                rig.skeleton, times, local, bones=some, properties=(Property.ROTATE,), style=style,
                rest_tolerance=None,
            )  # fmt: skip
    if not moved:
        return tracks
    shifts = bake_tracks(
        rig.skeleton, times, local, bones=bones, properties=(Property.TRANSLATE,),
        style=BakeStyle(False, Interpolation.CUBIC, loop_length(clip)), rest_tolerance=1e-7,
    )  # fmt: skip
    return tracks | shifts


def spliced(rig: Rig, clip: Clip, channel: Channel, track: Track) -> Track:
    """A baked piece between what the clip has before and after it."""
    old = clip.tracks.get(channel)
    step = 1.0 / float(clip.rate.fps)
    if old is None:
        guard = np.array([track.times[0] - step, track.times[-1] + step])
        fits = guard[(guard >= -TIME_EPSILON) & (guard <= clip.length + TIME_EPSILON)]
        if not len(fits):
            return track
        rest = ClipEvaluator(rig, clip).sample_many(fits, wrap=False).local
        bone = rig.skeleton.index(channel.bone)
        made = tracks_of(rig, clip, fits, rest, [bone]).get(channel)
        if made is None:
            return track
        old = made
    else:
        for time in (track.times[0] - step, track.times[-1] + step):
            if 0.0 <= time <= clip.length:
                old = edits.insert_key(old, float(time), loop_length(clip))
    return _around(old, track, track.times)


def _around(old: Track, new: Track, times: FloatArray) -> Track:
    """A track with the keys of a range replaced."""
    before = np.flatnonzero(old.times < times[0] - TIME_EPSILON)
    after = np.flatnonzero(old.times > times[-1] + TIME_EPSILON)
    pieces: list[Any] = [new]
    if len(before):
        pieces.insert(0, taken(cast(Any, old), before))
    if len(after):
        pieces.append(taken(cast(Any, old), after))
    return cast(Track, joined(pieces))


def _muted(
    old: ScalarTrack | None, weight: float, times: FloatArray, step: float, inside: float = 0.0
) -> ScalarTrack:
    """A weight that is `inside` over a range and what it was outside, stepping at the ends."""
    first, last = float(times[0]), float(times[-1])
    if old is None:
        rows = [(first, inside), (last + step, weight)]
        if first > TIME_EPSILON:
            rows.insert(0, (0.0, weight))
        at, values = zip(*rows, strict=True)
        return scalar_track(at, values, interpolations=Interpolation.CONSTANT)
    before = first - step if first > step else 0.0
    track = old
    for time in (before, first, last + step):  # with a key before it the curve runs as it was until the step
        track = edits.insert_key(track, time)
    ends = [place for t in (before, last + step) if (place := edits.key_at(track, t)) is not None]
    runs = Interpolation(int(track.interpolations[ends[-1]]))
    track = edits.set_mode(track, ends, TangentMode.BROKEN)
    track = edits.set_interpolation(track, ends[-1:], runs)  # steps and lines go on as such after the range
    inner = np.flatnonzero((track.times > first + TIME_EPSILON) & (track.times < last + step - TIME_EPSILON))
    kept = edits.delete_keys(track, inner) if len(inner) else track
    assert kept is not None
    kept = edits.set_value(kept, first, inside)
    steps = {place for time in (before, first) if (place := edits.key_at(kept, time)) is not None}
    return edits.set_interpolation(kept, sorted(steps), Interpolation.CONSTANT)


def _measured(rig: Rig, before: Clip, after: Clip, times: FloatArray, keys: int) -> Change:
    """The change, with how far any bone strays at the times and half-way between."""
    at = np.unique(np.concatenate((times, (times[1:] + times[:-1]) / 2.0)))
    worst, bone, time = -1.0, 0, 0.0
    for start in range(0, len(at), AT_ONCE):
        some = at[start : start + AT_ONCE]
        places = [
            down_chain(rig.skeleton.parents, sample_many(rig, clip, some, wrap=False).local).translation
            for clip in (before, after)
        ]
        apart = np.linalg.norm(places[1] - places[0], axis=-1)
        row, which = np.unravel_index(int(np.argmax(apart)), apart.shape)
        if apart[row, which] > worst:
            worst, bone, time = float(apart[row, which]), int(which), float(some[row])
    return Change(after, worst, rig.skeleton.names[bone], time, keys)
