"""Keys on a clip's own tracks for poses that are shown: below layers, in the clip's own proportions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.keying import loop_length, uses_quaternion
from core.clips.pieces import put_between
from core.clips.proportions import to_hold
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.layer_pipeline import LayerPipeline
from core.evaluation.to_clip_pose import to_clip_pose
from core.math import euler, quat
from core.math.transform import Transform
from core.progress import checkpoint
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

LEAD_FRAMES = 12
"""Frames over which dense keys lead back to what they were."""
DENSE = 0.5
"""Keys a frame from which on they are dense."""
RESTS = 1e-9
"""Metres within which a bone without a track has not moved."""


def own_local(pipeline: ClipPipeline, times: FloatArray, local: Transform) -> Transform:
    """What the clip's tracks must give ``(T, B, k)`` at times ``(T,)`` for local transforms to be shown.

    Pose assets are no part of the poses that are given.
    """
    if pipeline.layers is None and not isinstance(pipeline, LayerPipeline):
        return to_hold(pipeline.rig, pipeline.clip, times, local)
    bare = pipeline
    if not isinstance(pipeline, LayerPipeline):
        bare = ClipPipeline(pipeline.rig, pipeline.clip, (), pipeline.layers)
    batch, rows = bare.sample_many(times), []
    for row, time in enumerate(times):
        checkpoint()
        wanted = batch.pose(row).with_local(Transform(*(part[row] for part in local)))
        rows.append(to_clip_pose(bare, float(time), wanted, {}).local)
    return Transform(*(np.stack(parts) for parts in zip(*rows, strict=True)))


def with_own_keys(
    rig: Rig,
    clip: Clip,
    times: FloatArray,
    local: Transform,
    bones: Sequence[int],
    moved: bool,
    since: float | None = None,
) -> Clip:
    """The clip with keys of bones at times ``(T,)`` in place of those between them; outside nothing changes.

    Parameters
    ----------
    local : what the tracks have to give, ``(T, B, k)``
    moved : whether translations are keyed, too
    since : from here on to the first key the tracks lead to it; before, they keep their shape

    Notes
    -----
    Rotations are Euler or quaternion keys as the bone has them already.
    """
    changes: dict[Channel, Track | None] = {}
    loop = loop_length(clip)
    for bone in bones:
        checkpoint()
        name = rig.skeleton.names[bone]
        pieces = _turned(rig, clip, bone, times, local.rotation[:, bone])
        rest = rig.skeleton.rest.translation[bone]
        for axis in range(3):
            channel = Channel(name, Property.TRANSLATE, axis)
            values = local.translation[:, bone, axis]
            if moved and (channel in clip.tracks or np.abs(values - rest[axis]).max() > RESTS):
                pieces[channel] = with_tangents(scalar_track(times, values))
        for channel, piece in pieces.items():
            old = clip.tracks.get(channel) or _at_rest(rig, channel, piece, since, loop)
            if since is not None and since < times[0]:
                old = cast(Track, edits.insert_key(cast(Any, old), since, loop))
            turns = channel.property is Property.ROTATE
            changes[channel] = put_between(old, piece, loop, turns)
    return clip.with_tracks(changes)


def led_back(before: Clip, after: Clip, bones: Sequence[str], time: float) -> Clip:
    """A clip whose keys after a changed one lead back to what they were, where they are dense: captured motion.

    Sparse keys are poses that a person wants, and stay; between dense ones a pose that another hands over would be
    gone within a frame. There the difference fades over `LEAD_FRAMES` frames.

    Parameters
    ----------
    before, after : the clip without and with keys of the bones at the time
    """
    frame = 1.0 / float(after.rate.fps)
    span, names = LEAD_FRAMES * frame, set(bones)
    chosen = [c for c in after.tracks if c.bone in names and c in before.tracks]
    times = [after.tracks[c].times for c in chosen]
    later = np.unique(np.concatenate(times)) if times else np.zeros(0)
    later = later[(later > time + TIME_EPSILON) & (later < time + span - TIME_EPSILON)]
    room = min(span, after.length - time) / frame
    if len(later) < 2 or len(later) < DENSE * room:
        return after
    loop = loop_length(after)
    changes: dict[Channel, Track | None] = {}
    for channel in chosen:
        old, new = before.tracks[channel], after.tracks[channel]
        rows = np.flatnonzero((new.times > time + TIME_EPSILON) & (new.times < time + span - TIME_EPSILON))
        if len(rows):
            changes[channel] = _faded(old, new, rows, time, span, loop)
    return after.with_tracks(changes)


def _faded(old: Track, new: Any, rows: Any, time: float, span: float, loop: float | None) -> Track:
    """A track whose keys `rows` take a part of its difference at a time, less with each."""
    away = np.pi * (new.times[rows] - time) / span
    part, slope = 0.5 * (1.0 + np.cos(away)), -0.5 * np.pi / span * np.sin(away)
    values = np.array(new.values)
    if isinstance(old, ScalarTrack):
        at = [evaluate_scalar(track, np.array([time]), loop)[0] for track in (old, new)]
        values[rows] += (at[1] - at[0]) * part
        slopes = {n: np.array(getattr(new, n)) for n in ("in_slopes", "out_slopes")}
        for column in slopes.values():
            column[rows] += (at[1] - at[0]) * slope
        return cast(Track, replace(new, values=values, **slopes))
    was, now = (evaluate_quaternion(track, np.array([time]), loop)[0] for track in (old, new))
    step = quat.to_rotation_vector(quat.multiply(now, quat.conjugate(was)))
    turns = quat.from_rotation_vector(part[:, None] * step)
    columns = {n: np.array(getattr(new, n)) for n in ("in_tangents", "out_tangents")}
    values[rows] = quat.multiply(turns, values[rows])
    for column in columns.values():
        column[rows] = quat.multiply(turns, column[rows])
    return cast(Track, replace(new, values=values, **columns))


def _turned(
    rig: Rig, clip: Clip, bone: int, times: FloatArray, rotations: FloatArray
) -> dict[Channel, Track]:
    """Tracks of a bone's rotations ``(T, 4)``, as the clip holds them."""
    name = rig.skeleton.names[bone]
    if uses_quaternion(clip, name):
        return {Channel(name, Property.ROTATE, WHOLE): quaternion_track(times, quat.continuous(rotations))}
    order = int(rig.skeleton.euler_orders[bone])
    before = euler.from_quaternion(rig.skeleton.rest.rotation[bone], order)
    for axis in range(3):
        track = clip.tracks.get(Channel(name, Property.ROTATE, axis))
        if isinstance(track, ScalarTrack):
            before[axis] = evaluate_scalar(track, times[:1], loop_length(clip))[0]
    angles = np.empty((len(times), 3))
    for row, rotation in enumerate(rotations):
        angles[row] = before = euler.nearest(rotation, order, before)
    return {
        Channel(name, Property.ROTATE, axis): with_tangents(scalar_track(times, angles[:, axis]))
        for axis in range(3)
    }


def _at_rest(rig: Rig, channel: Channel, piece: Track, since: float | None, loop: float | None) -> Track:
    """The track of a bone that has none: its rest value, held.

    In a loop it has that value at both ends too: else what a piece ends with would lead over the seam to its start.
    """
    bone = rig.skeleton.index(channel.bone)
    at = [float(piece.times[0]) if since is None else since]
    held, mode = Interpolation.CONSTANT, TangentMode.STEPPED
    if loop is not None:
        at = [t for t in (0.0, loop) if abs(t - at[0]) > TIME_EPSILON] + at
        at.sort()
        held, mode = Interpolation.LINEAR, TangentMode.LINEAR
    rest = rig.skeleton.rest
    if channel.axis == WHOLE:
        return quaternion_track(at, np.repeat(rest.rotation[bone][None], len(at), axis=0))
    if channel.property is Property.ROTATE:
        order = int(rig.skeleton.euler_orders[bone])
        value = float(euler.from_quaternion(rest.rotation[bone], order)[channel.axis])
    else:
        value = float(rest.translation[bone, channel.axis])
    return scalar_track(at, [value] * len(at), interpolations=held, modes=mode)
