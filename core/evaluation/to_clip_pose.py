"""The way back through the pipeline: what a clip has to hold for a wanted pose to be shown."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.blending.layer_inverse import below_layers
from core.blending.layer_stack import StackPlayer
from core.clips.evaluator import ClipEvaluator
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.layer_pipeline import LayerPipeline, to_layer_pose
from core.math import quat
from core.math.transform import Transform
from core.pose.library import remove_asset
from core.pose.pose import Pose
from core.pose.proportions import authored, pair_for


def to_clip_pose(pipeline: ClipPipeline, time: float, wanted: Pose, curves: Mapping[str, float]) -> Pose:
    """The pose that the clip's own tracks must give so that a wanted pose is shown.

    Pose assets come off first, then layers, then the rig's proportions. Keyed IK goals stay: the bones
    that they turn follow them whatever the tracks say. Of a layer in hand it is what the layer's clip must give.

    Parameters
    ----------
    time : seconds within the clip
    curves : values of the curves that drive pose assets at that time
    """
    pose = wanted
    if curves:
        for asset in reversed(pipeline.assets):
            pose = remove_asset(pipeline.rig.skeleton, pose, asset, curves)
    if isinstance(pipeline, LayerPipeline):
        return to_layer_pose(pipeline, time, pose)
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
    """The pose below that layers turn into a wanted one; a bone that a layer covers in full stays as it is below."""
    at = np.array([time])
    own = pipeline.without_layers(at).local
    goal = Transform(*(part[None] for part in wanted.local))
    found = below_layers(layers, layers.samples(at, pipeline.clip.length), goal, own)
    same = quat.angle_between(found.rotation, own.rotation) < 1e-9
    rotation = np.where(same[..., None], own.rotation, found.rotation)
    return wanted.with_local(Transform(found.translation[0], rotation[0], found.scale[0]))
