"""The way back through the pipeline: what a clip has to hold for a wanted pose to be shown."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import LayerMode, StackPlayer
from core.clips.evaluator import ClipEvaluator
from core.evaluation.clip_pipeline import ClipPipeline
from core.math import quat
from core.math.transform import Transform
from core.pose.library import remove_asset
from core.pose.pose import Pose
from core.pose.proportions import authored, pair_for

ROUNDS = 40
"""Tries at finding the pose below that layers turn into a wanted one."""


def to_clip_pose(pipeline: ClipPipeline, time: float, wanted: Pose, curves: Mapping[str, float]) -> Pose:
    """The pose that the clip's own tracks must give so that a wanted pose is shown.

    Pose assets come off first, then layers, then the rig's proportions. Keyed IK goals stay: the bones
    that they turn follow them whatever the tracks say.

    Parameters
    ----------
    time : seconds within the clip
    curves : values of the curves that drive pose assets at that time
    """
    pose = wanted
    if curves:
        for asset in reversed(pipeline.assets):
            pose = remove_asset(pipeline.rig.skeleton, pose, asset, curves)
    if pipeline.layers is not None:
        pose = _below_layers(pipeline, pipeline.layers, time, pose)
    return _authored(pipeline, time, pose)


def _authored(pipeline: ClipPipeline, time: float, pose: Pose) -> Pose:
    """A pose on the rest that the clip was made on."""
    rig, clip = pipeline.rig, pipeline.clip
    pair = pair_for(rig, clip.retarget_source)
    if pair is None:
        return pose
    own = replace(rig, skeleton=replace(rig.skeleton, rest=pair.source), retarget_sources={})
    plain = ClipEvaluator(own, replace(clip, retarget_source=None))
    before = plain.sample_many(np.array([time]), wrap=False).pose(0).local
    return pose.with_local(authored(pair, pose.local, before))


def _below_layers(pipeline: ClipPipeline, layers: StackPlayer, time: float, wanted: Pose) -> Pose:
    """The pose below that layers turn into a wanted one.

    Exact for additive layers in local space; found step by step for override layers, where a
    bone that a layer covers in full stays as it is below.
    """
    at, length = np.array([time]), pipeline.clip.length
    own = pipeline.without_layers(at).pose(0)
    goal, pose = wanted.local, own.local
    covered = _covered(layers, at)
    gain = (1.0 / np.maximum(1.0 - covered, 1e-3))[:, None]
    free = (covered < 0.999)[:, None]
    for _ in range(ROUNDS):
        now = layers.put_over(Transform(*(part[None] for part in pose)), at, length)
        shown = Transform(*(part[0] for part in now))
        turn = quat.multiply(quat.conjugate(shown.rotation), goal.rotation)
        step = quat.from_rotation_vector(quat.to_rotation_vector(turn) * np.minimum(gain, 4.0))
        next_rotation = quat.normalise(quat.multiply(pose.rotation, step))
        move = (goal.translation - shown.translation) * gain
        grow = (goal.scale - shown.scale) * gain
        pose = Transform(
            np.where(free, pose.translation + move, pose.translation),
            np.where(free, next_rotation, pose.rotation),
            np.where(free, pose.scale + grow, pose.scale),
        )
        off = max(
            float((np.abs(move) * free).max()),
            float((quat.angle_between(shown.rotation, goal.rotation) * free[:, 0]).max()),
        )
        if off < 1e-12:
            break
    same = quat.angle_between(pose.rotation, own.rotations) < 1e-9
    rotation = np.where(same[:, None], own.rotations, pose.rotation)
    return wanted.with_local(Transform(pose.translation, rotation, pose.scale))


def _covered(layers: StackPlayer, at: FloatArray) -> FloatArray:
    """How much of each bone override layers cover, 0..1."""
    left = np.ones(len(layers.rig.skeleton))
    for layer in layers.stack.active():
        if layer.mode is LayerMode.OVERRIDE:
            left *= 1.0 - np.clip(layer.weights(at)[0] * layer.bones(layers.rig), 0.0, 1.0)
    covered: FloatArray = 1.0 - left
    return covered
