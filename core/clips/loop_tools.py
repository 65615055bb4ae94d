"""Loops: linked first and last keys, motion shifted round the seam, and how well the seam closes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from core.errors import ValidationError
from core.math import quat
from core.progress import counted
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion
from core.tracks.keys import (
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    Track,
    columns,
    taken,
)
from core.tracks.refresh import put, refreshed
from core.tracks.seam import with_end_keys
from core.tracks.together import evaluate_scalars

LEAST_SHIFT = 4.0 * TIME_EPSILON
"""Seconds round the seam of a loop below which nothing is shifted: a seam that jumps has keys on both of its sides."""

# ---------------------------------------------------------------- linked ends


def linked(track: Track, length: float, from_last: bool = False) -> Track:
    """The track with keys at 0 and at `length` that are one: same value, slopes of both meet.

    Parameters
    ----------
    from_last : the last key's value counts, instead of the first one's

    Notes
    -----
    Missing end keys are put in, automatic ones. Automatic modes get their slopes round the seam,
    ``free`` keys the mean of both sides; ``broken``, straight and stepped ones may keep a corner.
    """
    whole: Any = track
    for time in (0.0, length):
        if edits.key_at(whole, time) is None:
            whole = _with_soft_end(edits.insert_key(whole, time), time)
    first, last = cast(int, edits.key_at(whole, 0.0)), cast(int, edits.key_at(whole, length))
    source, goal = (last, first) if from_last else (first, last)
    changes: dict[str, Any] = {}
    if isinstance(whole, QuaternionTrack):
        value = quat.aligned(whole.values[source], whole.values[goal])
        changes["values"] = put(whole.values, [goal], value)
        sign = 1.0 if float(value @ whole.values[source]) > 0.0 else -1.0
        into, out = whole.in_tangents, whole.out_tangents
        changes["in_tangents"] = put(into, [first], sign * into[last])
        changes["out_tangents"] = put(out, [last], sign * out[first])
        return cast(Track, replace(whole, **changes))
    changes["values"] = put(whole.values, [goal], whole.values[source])
    arriving, leaving = float(whole.in_slopes[last]), float(whole.out_slopes[first])
    if whole.modes[source] == TangentMode.FREE:
        arriving = leaving = (arriving + leaving) / 2.0
    changes["in_slopes"] = put(whole.in_slopes, [first, last], arriving)
    changes["out_slopes"] = put(whole.out_slopes, [first, last], leaving)
    changes["in_weights"] = put(whole.in_weights, [first], whole.in_weights[last])
    changes["out_weights"] = put(whole.out_weights, [last], whole.out_weights[first])
    changes["modes"] = put(whole.modes, [goal], whole.modes[source])
    return refreshed(replace(whole, **changes), [first, last], length)


def _with_soft_end(track: Any, time: float) -> Any:
    """A key just put in where the curve held or ran straight becomes an automatic one."""
    if not isinstance(track, ScalarTrack):
        return track
    key = cast(int, edits.key_at(track, time))
    segment = max(key - 1, 0)
    if len(track) < 2 or track.interpolations[segment] == Interpolation.CONSTANT:
        return track
    codes = put(track.interpolations, [segment], int(Interpolation.CUBIC))
    soft = replace(track, interpolations=codes, modes=put(track.modes, [key], int(TangentMode.AUTO)))
    return refreshed(soft, [key], None)


def keep_linked(before: Clip, after: Clip, channels: Mapping[Channel, Any] | None = None) -> Clip:
    """After an edit, carry a change of a first key over to the last one, and the reverse.

    Channels whose ends were linked before (keys at 0 and at the length with one value) stay so.
    """
    if not after.looping or after.length <= 0.0:
        return after
    changes: dict[Channel, Track | None] = {}
    for channel in counted(after.tracks if channels is None else channels):
        old, new = before.tracks.get(channel), after.tracks.get(channel)
        if old is None or new is None or old is new or not is_linked(old, before.length):
            continue
        ends = [edits.key_at(cast(Any, new), time) for time in (0.0, after.length)]
        if None in ends or is_linked(new, after.length):
            continue
        moved_last = not np.array_equal(new.values[ends[1]], old.values[-1])
        changes[channel] = linked(new, after.length, from_last=moved_last)
    return after.with_tracks(changes) if changes else after


def is_linked(track: Track, length: float) -> bool:
    """Whether keys at 0 and at the length hold one value."""
    first, last = edits.key_at(cast(Any, track), 0.0), edits.key_at(cast(Any, track), length)
    if first is None or last is None or first == last:
        return False
    a, b = track.values[first], track.values[last]
    if isinstance(track, QuaternionTrack):
        return bool(quat.angle_between(a, b) < 1e-9)
    return bool(abs(float(a) - float(b)) <= 1e-9 * max(1.0, abs(float(a))))


# ---------------------------------------------------------------- cyclic shift


def cycled(clip: Clip, seconds: float) -> Clip:
    """A looping clip that begins `seconds` later in its cycle; keys past the end come round to the front.

    Curves get keys at the new seam, which keeps their shapes. Notifies and markers shift along.

    Raises
    ------
    ValidationError
        The clip does not loop.
    """
    if not clip.looping or clip.length <= 0.0:
        raise ValidationError(f"shift round the seam: {clip.name!r} does not loop; make it loop first")
    shift = float(np.mod(-seconds, clip.length))
    if shift < LEAST_SHIFT or clip.length - shift < LEAST_SHIFT:
        return clip
    length = clip.length

    def moved(time: float) -> float:
        return float(np.mod(time + shift, length))

    return replace(
        clip,
        tracks={
            channel: cycled_track(track, shift, length) for channel, track in counted(clip.tracks.items())
        },
        curves={n: cast(ScalarTrack, cycled_track(t, shift, length)) for n, t in clip.curves.items()},
        morphs={n: cast(ScalarTrack, cycled_track(t, shift, length)) for n, t in clip.morphs.items()},
        notifies=tuple(sorted((replace(n, time=moved(n.time)) for n in clip.notifies), key=lambda n: n.time)),
        sync_markers=tuple(
            sorted((replace(m, time=moved(m.time)) for m in clip.sync_markers), key=lambda m: m.time)
        ),
        markers=tuple(sorted((replace(m, time=moved(m.time)) for m in clip.markers), key=lambda m: m.time)),
    )


def cycled_track(track: Track, shift: float, length: float) -> Track:
    """A track of a loop moved `shift` seconds later, `LEAST_SHIFT` from 0 and the length; the rest comes round."""
    if len(track) == 1:
        return replace(track, times=np.mod(track.times + shift, length))
    whole: Any = track
    cut = length - shift  # what stands here comes to both ends
    whole = with_end_keys(whole, length)
    if edits.key_at(whole, cut) is None:
        whole = edits.insert_key(whole, cut, length)
    inside = (whole.times > -TIME_EPSILON) & (whole.times < length + TIME_EPSILON)
    whole = taken(whole, np.flatnonzero(inside))
    at = cast(int, edits.key_at(whole, cut))
    tail, head = taken(whole, np.arange(at, len(whole))), taken(whole, np.arange(at + 1))
    closed = _closes(whole)
    joint: dict[str, Any] = {}
    for name in columns(whole):
        a, b = getattr(tail, name), getattr(head, name)
        if name == "times":
            a, b = a - cut, b + shift
        sign = 1.0
        if isinstance(whole, QuaternionTrack) and name in ("values", "in_tangents", "out_tangents"):
            sign = 1.0 if float(tail.values[-1] @ head.values[0]) >= 0.0 else -1.0
        if closed:  # the two ends are one key: in-side of the last, out-side of the first
            joint[name] = np.concatenate((a[:1] if len(a) == 1 else a, sign * b[1:] if sign < 0 else b[1:]))
            if name in ("out_slopes", "out_tangents", "out_weights", "interpolations", "modes"):
                joint[name][len(a) - 1] = sign * b[0] if sign < 0 else b[0]
        else:
            gap = 2.0 * TIME_EPSILON if name == "times" else 0.0
            a = np.array(a)
            if name == "times":
                a[-1] -= gap
            joint[name] = np.concatenate((a, sign * b if sign < 0 else b))
    joint["times"][0], joint["times"][-1] = 0.0, length
    return cast(Track, replace(whole, **joint))


def _closes(track: Any) -> bool:
    """Whether first and last key agree in value."""
    a, b = track.values[0], track.values[-1]
    if isinstance(track, QuaternionTrack):
        return bool(quat.angle_between(a, b) < 1e-6)
    return bool(abs(float(a) - float(b)) <= 1e-6 * max(1.0, abs(float(a)), abs(float(b))))


# ---------------------------------------------------------------- the seam meter


class SeamJump(NamedTuple):
    """How a channel closes: value units (quaternions: degrees), and those a second."""

    channel: Channel
    value: float
    rate: float


class Seam(NamedTuple):
    """How a loop closes, worst channel first.

    Parameters
    ----------
    metres, degrees : largest jump of a translation and of a rotation channel
    metres_per_second, degrees_per_second : largest jump of their rates
    """

    jumps: tuple[SeamJump, ...]
    metres: float
    degrees: float
    metres_per_second: float
    degrees_per_second: float


def seam(clip: Clip, skeleton: Skeleton | None = None) -> Seam:
    """Compare the end of a clip with its start, in value and in velocity, as if it looped.

    What root motion hands over to the character is meant to travel: such channels count with
    their velocity only.

    Parameters
    ----------
    skeleton : where given, channels of bones that it lacks are left out, and its first root is the
        root-motion bone of a clip that names none
    """
    length = clip.length
    loop = length if clip.looping and length > 0.0 else None
    known = {
        channel: track
        for channel, track in clip.tracks.items()
        if length > 0.0 and (skeleton is None or skeleton.find(channel.bone) is not None)
    }
    root = clip.root_motion.bone
    if root is None and skeleton is not None and len(skeleton):
        root = skeleton.names[skeleton.roots()[0]]
    jumps = [
        SeamJump(channel, 0.0 if _is_handed_over(clip, channel, root) else value, rate)
        for channel, (value, rate) in zip(known, _jumps(list(known.values()), length, loop), strict=True)
    ]
    ranked = sorted(jumps, key=lambda j: (-abs(j.value), -abs(j.rate)))

    def worst(turns: bool, part: str) -> float:
        of = [j for j in jumps if (j.channel.property == 1) == turns and j.channel.property != 2]
        return max((abs(getattr(j, part)) for j in of), default=0.0)

    return Seam(
        tuple(ranked), worst(False, "value"), worst(True, "value"), worst(False, "rate"), worst(True, "rate")
    )


def _is_handed_over(clip: Clip, channel: Channel, root: str | None) -> bool:
    """Whether root motion takes a channel out of the pose; `root` is the bone that carries it."""
    settings = clip.root_motion
    if not settings.enabled or channel.bone != root:
        return False
    if channel.property == 0:
        return settings.height if channel.axis == 1 else settings.ground
    return channel.property == 1 and settings.yaw


def _jumps(tracks: Sequence[Track], length: float, loop: float | None) -> list[tuple[float, float]]:
    """Jump of the value and of the rate of each track, from the end to the start."""
    step = min(1e-4, length / 100.0)
    times = np.array([0.0, step, length - step, length])
    scalars = [track for track in tracks if isinstance(track, ScalarTrack)]
    values = [evaluate_scalars(scalars, float(time), loop) for time in times]
    rates = ((values[1] - values[0]) - (values[3] - values[2])) / step
    found = zip((values[0] - values[3]).tolist(), rates.tolist(), strict=True)
    return [
        next(found) if isinstance(track, ScalarTrack) else _turn_jump(track, times, step, loop)
        for track in tracks
    ]


def _turn_jump(
    track: QuaternionTrack, times: FloatArray, step: float, loop: float | None
) -> tuple[float, float]:
    q = quat.continuous(evaluate_quaternion(track, times, loop))
    value = float(np.degrees(quat.angle_between(q[3], q[0])))
    first = quat.to_rotation_vector(quat.multiply(q[1], quat.conjugate(q[0])))
    last = quat.to_rotation_vector(quat.multiply(q[3], quat.conjugate(q[2])))
    return value, float(np.degrees(np.linalg.norm(first - last)) / step)


def looped(clip: Clip, channels: Any = None) -> Clip:
    """The clip looping, first and last keys of channels (all of them by default) linked."""
    chosen = tuple(clip.tracks) if channels is None else tuple(channels)
    changes: dict[Channel, Track | None] = {
        c: linked(clip.tracks[c], clip.length) for c in chosen if c in clip.tracks
    }
    return replace(clip.with_tracks(changes), looping=True)
