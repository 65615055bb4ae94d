"""Pulling points of a bone's path: the limb above it, or the body, follows; over several frames with a falloff."""

from collections.abc import Callable
from math import cos, pi

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip
from core.clips.keying import (
    KeyWhich,
    Tolerance,
    changed_channels_of,
    key_pose,
    sampled_channels_of,
    with_keys,
)
from core.clips.keying_layers import key_layer
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.layer_pipeline import LayerPipeline, up_to_goals
from core.evaluation.own_keys import own_local
from core.evaluation.spaces import with_pose
from core.ik.two_bone import reach
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.pose import Pose
from core.progress import checkpoint
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON


def body_of(skeleton: Skeleton, bone: int) -> int:
    """The bone that carries the whole figure: the topmost at or above `bone` with more than one child."""
    line = kinematics.ancestors(skeleton, bone)
    return next((b for b in line if len(skeleton.children(b)) > 1), line[0])


def limb_above(skeleton: Skeleton, bone: int) -> tuple[int, ...]:
    """The bones, at most two, whose turning moves a bone without moving the body; the upper one first."""
    body = body_of(skeleton, bone)
    limb: list[int] = []
    above = skeleton.parent(bone)
    while above >= 0 and above != body and len(limb) < 2:
        limb.insert(0, above)
        above = skeleton.parent(above)
    return tuple(limb) if above >= 0 else ()


def pulled(skeleton: Skeleton, pose: Pose, bone: int, goal: FloatArray) -> tuple[Pose, tuple[int, ...]]:
    """The pose with a bone's head brought to a model position, as far as its limb reaches.

    Two bones above it bend, one aims; without any, the body moves. The bone keeps its model
    rotation, so that a foot stays flat.

    Returns
    -------
    pose, bones
        The new pose, and numbers of the bones that it changes.
    """
    model = kinematics.to_model(skeleton, pose.local)
    limb = limb_above(skeleton, bone)
    places = model.translation
    if not limb:
        body = _body(skeleton, bone)
        return _moved(skeleton, pose, model, body, goal - places[bone]), (body,)
    if len(limb) == 1:
        turn = quat.shortest_arc(places[bone] - places[limb[0]], goal - places[limb[0]])
        turns = [turn]
    else:
        upper, lower = limb
        bent = reach(places[upper], places[lower], places[bone], goal)
        first = quat.shortest_arc(places[lower] - places[upper], bent.joint - places[upper])
        along = quat.rotate(first, places[bone] - places[lower])
        second = quat.multiply(quat.shortest_arc(along, bent.end - bent.joint), first)
        turns = [first, second]
    rotations = np.array(pose.rotations)
    above = skeleton.parent(limb[0])
    holder = model.rotation[above] if above >= 0 else quat.IDENTITY
    for number, turn in zip(limb, turns, strict=True):
        turned = quat.multiply(turn, model.rotation[number])
        rotations[number] = quat.normalise(quat.multiply(quat.conjugate(holder), turned))
        holder = turned
    rotations[bone] = quat.normalise(quat.multiply(quat.conjugate(holder), model.rotation[bone]))
    return pose.with_local(Transform(pose.translations, rotations, pose.scales)), (*limb, bone)


def _body(skeleton: Skeleton, bone: int) -> int:
    """What moves for a bone without a limb: the body, or the bone itself where it is above that."""
    body = body_of(skeleton, bone)
    return bone if bone < body else body


def _moved(skeleton: Skeleton, pose: Pose, model: Transform, bone: int, step: FloatArray) -> Pose:
    """The pose with a bone shifted by model metres ``(3,)``."""
    above = skeleton.parent(bone)
    inside = np.asarray(step, dtype=np.float64)
    if above >= 0:
        inside = quat.rotate(quat.conjugate(model.rotation[above]), inside) / model.scale[above]
    return pose.with_bone(bone, translation=pose.translations[bone] + inside)


def moved_bones(skeleton: Skeleton, bone: str) -> tuple[str, ...]:
    """Names of the bones that a pull of a bone's path turns or moves."""
    number = skeleton.index(bone)
    limb = limb_above(skeleton, number)
    numbers = (*limb, number) if limb else (_body(skeleton, number),)
    return tuple(skeleton.names[b] for b in numbers)


def share(away: float, falloff: float) -> float:
    """How much of a pull a frame follows, 1 at the frame itself and 0 from `falloff` on; both in seconds."""
    if away <= TIME_EPSILON:
        return 1.0
    return 0.0 if away >= falloff - TIME_EPSILON else 0.5 * (1.0 + cos(pi * away / falloff))


def path_times(pipeline: ClipPipeline, bone: str, time: float, falloff: float) -> FloatArray:
    """Times ``(T,)`` that a pull of a bone's path keys: its own, and the keys of what it turns within the falloff."""
    clip, every = pipeline.clip, _key_times(pipeline, bone)
    near = every[(np.abs(every - time) > TIME_EPSILON) & (np.abs(every - time) < falloff - TIME_EPSILON)]
    times: FloatArray = np.sort(np.append(near[(near >= 0.0) & (near <= clip.length)], time))
    return times[np.concatenate(([True], np.diff(times) > 2 * TIME_EPSILON))]


def _key_times(pipeline: ClipPipeline, bone: str) -> FloatArray:
    """Times of all keys of the bones that a pull turns or moves."""
    names = set(moved_bones(pipeline.rig.skeleton, bone))
    keys = [track.times for channel, track in pipeline.clip.tracks.items() if channel.bone in names]
    return np.unique(np.concatenate(keys)) if keys else np.zeros(0)


def pulled_path(
    pipeline: ClipPipeline,
    bone: str,
    time: float,
    step: FloatArray,
    falloff: float = 0.0,
    tolerance: Tolerance | None = None,
    into: Callable[[FloatArray], FloatArray] | None = None,
) -> Clip:
    """The clip with a bone's path pulled at a time, its neighbouring keys following with a falloff.

    The two bones above it bend and the bone keeps its model rotation; without a limb the body moves. Only keys of
    these bones within the falloff change, and one is added at the time itself. All of them are keyed at each of these
    times with every axis of their rotations, so that no later key moves the path there.

    Parameters
    ----------
    step : how far, ``(3,)`` metres, model space
    falloff : seconds to either side
    into : turns times ``(T,)`` into rotations ``(T, 3, 3)`` that bring the step into each frame's model space, where
        it is given in the world

    Returns
    -------
    Clip
        The same object where nothing is moved.
    """
    if not np.any(step):
        return pipeline.clip
    times = path_times(pipeline, bone, time, falloff)
    turns = np.broadcast_to(np.eye(3), (len(times), 3, 3)) if into is None else into(times)
    shares = np.array([share(abs(float(at) - time), falloff) for at in times])
    steps = shares[:, None] * (turns @ np.asarray(step))
    clip = _brought(pipeline, bone, times, lambda row, place: place + steps[row], tolerance)
    return _guarded(pipeline, clip, bone, time, falloff) if falloff > 0.0 else clip


def path_through(
    pipeline: ClipPipeline,
    bone: str,
    times: FloatArray,
    goals: FloatArray,
    tolerance: Tolerance | None = None,
) -> Clip:
    """The clip with a bone's head at given places at given times, as far as its limb reaches.

    Only the bones of `moved_bones` get keys, at these times; tracks that it begins hold their rest values at the keys
    before and after.

    Parameters
    ----------
    times : ``(T,)`` seconds within the clip, increasing
    goals : ``(T, 3)`` metres, model space
    """
    times, goals = np.asarray(times, dtype=np.float64), np.asarray(goals, dtype=np.float64)
    clip = _brought(pipeline, bone, times, lambda row, _: goals[row], tolerance)
    middle, half = 0.5 * (times[0] + times[-1]), 0.5 * (times[-1] - times[0])
    return _guarded(pipeline, clip, bone, float(middle), float(half) + 2.0 * TIME_EPSILON)


def keys_between(pipeline: ClipPipeline, bone: str, start: float, end: float) -> FloatArray:
    """Times of the keys of the bones that a bone's path is moved by, from one time to another, both with theirs."""
    every = _key_times(pipeline, bone)
    inside = every[(every > start + TIME_EPSILON) & (every < end - TIME_EPSILON)]
    return np.concatenate([[start], inside, [end]])


def _brought(
    pipeline: ClipPipeline,
    bone: str,
    times: FloatArray,
    goal_of: Callable[[int, FloatArray], FloatArray],
    tolerance: Tolerance | None,
) -> Clip:
    """The clip with a bone pulled to a goal at each time; the goal is told by its number and the bone's place."""
    rig, number = pipeline.rig, pipeline.rig.skeleton.index(bone)
    batch, clip = up_to_goals(pipeline, pipeline.clip).sample_many(times), pipeline.clip
    for row, at in enumerate(times):
        checkpoint()
        pose = batch.pose(row)
        place = kinematics.to_model(rig.skeleton, pose.local).translation[number]
        wanted, bones = pulled(rig.skeleton, pose, number, goal_of(row, place))
        names = [rig.skeleton.names[b] for b in bones]
        here = up_to_goals(pipeline, clip)
        if isinstance(here, LayerPipeline):
            shown = here.sample_many(times[row : row + 1]).pose(0)
            goal, own = (_own_pose(here, times[row], seen) for seen in (wanted, shown))
            bones_of = here.with_carried(names)
            clip = key_layer(clip, rig, float(at), goal, bones_of, tolerance, KeyWhich.POSED, own)
            continue
        clip, held = with_pose(here, float(at), wanted.local, names)
        left = [name for name in names if name not in held]
        goal = _own_pose(pipeline, times[row], wanted)
        clip = key_pose(clip, rig, float(at), goal, left, tolerance, KeyWhich.POSED)
    return clip


def _own_pose(pipeline: ClipPipeline, time: float, shown: Pose) -> Pose:
    """What the tracks must give at a time for a pose to be shown."""
    local = Transform(*(part[None] for part in shown.local))
    return shown.with_local(Transform(*(part[0] for part in own_local(pipeline, np.array([time]), local))))


def _guarded(pipeline: ClipPipeline, clip: Clip, bone: str, time: float, falloff: float) -> Clip:
    """The clip with rest values on tracks that a pull has begun, at the keys before and after those it changed."""
    fresh = [channel for channel in clip.tracks if channel not in pipeline.clip.tracks]
    if not fresh:
        return clip
    every = _key_times(pipeline, bone)
    before = every[every <= time - falloff + TIME_EPSILON]
    after = every[every >= time + falloff - TIME_EPSILON]
    edges = [float(before[-1]) if len(before) else 0.0, float(after[0]) if len(after) else clip.length]
    skeleton = pipeline.rig.skeleton
    for edge in edges:
        if abs(edge - time) < falloff - TIME_EPSILON:  # an end of the clip that was pulled itself
            continue
        if isinstance(pipeline, LayerPipeline):
            clip = _neutral_at(pipeline, clip, fresh, edge)
            continue
        values = {}
        for channel in fresh:
            if channel.axis == WHOLE:
                values[channel] = skeleton.rest.rotation[skeleton.index(channel.bone)]
            else:
                rest = sampled_channels_of(pipeline.clip, skeleton, [channel.bone], edge)
                values[channel] = np.asarray(rest[channel.property][0, channel.axis])
        clip = with_keys(clip, edge, values)
    return clip


def _neutral_at(pipeline: LayerPipeline, clip: Clip, fresh: list[Channel], time: float) -> Clip:
    """A layer's clip with keys at a time on tracks that a pull has begun, which change nothing there."""
    skeleton, neutral = pipeline.rig.skeleton, pipeline.neutral(time)
    bones = list(dict.fromkeys(channel.bone for channel in fresh))
    chosen = [skeleton.index(bone) for bone in bones]
    goal = Transform(*(part[chosen] for part in neutral))
    values = changed_channels_of(clip, skeleton, bones, time, goal, None, KeyWhich.EXISTING, goal)
    return with_keys(clip, time, {channel: value for channel, value in values.items() if channel in fresh})
