"""Clips as they are seen: keyed goals followed, layers over them, pose assets driven by their curves."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import LayerStack, StackEvaluator
from core.clips.clip import Clip
from core.clips.sampled import PoseBatch
from core.ids import AssetId
from core.ik.rigged import RiggedEvaluator
from core.pose.library import PoseAsset, driven_local
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton


def layers_over(project: Project, clip: AssetId) -> LayerStack | None:
    """The layers that count over a clip, or None."""
    stack = next((stack for stack in project.all(LayerStack) if stack.clip == clip), None)
    return stack if stack is not None and stack.audible() else None


def pose_assets(project: Project, rig: AssetId) -> tuple[PoseAsset, ...]:
    """A rig's pose assets, in the order in which they go onto a pose."""
    return tuple(asset for asset in project.all(PoseAsset) if asset.rig == rig)


def driving_curves(project: Project, clip: Clip) -> frozenset[str]:
    """Curves of a clip, or of the layers over it, that are named like a pose of one of its rig's assets."""
    names = {target.name for asset in pose_assets(project, clip.rig) for target in asset.targets}
    stack = layers_over(project, clip.id) if names else None
    played = {layer.clip for layer in stack.audible()} if stack is not None else set()
    curves = [clip.curves, *(other.curves for other in project.clips if other.id in played)]
    return frozenset(name for table in curves for name in table if name in names)


def driven_batch(project: Project, skeleton: Skeleton, batch: PoseBatch) -> PoseBatch:
    """Poses with what pose assets put on them by the values of their curves; else the same object."""
    assets = pose_assets(project, batch.rig) if batch.curves else ()
    local = driven_local(skeleton, batch.local, assets, batch.curves)
    if not assets:
        return batch
    return replace(batch, translations=local.translation, rotations=local.rotation, scales=local.scale)


class SeenEvaluator:
    """Samples a clip of a project as the editor shows it.

    Raises
    ------
    MissingReferenceError, ValidationError
        The clip's rig, or a layer's clip or mask, is not there.
    """

    def __init__(self, project: Project, clip: Clip) -> None:
        self.project, self.clip = project, clip
        self.rig = project.get(Rig, clip.rig)
        base = RiggedEvaluator(self.rig, clip, project.meshes_of(self.rig.id))
        stack = layers_over(project, clip.id)
        clips = {other.id: other for other in project.clips}
        self._sampler = base if stack is None else StackEvaluator(base, self.rig, stack, clips)

    def sample_many(self, times: FloatArray) -> PoseBatch:
        """Poses at times ``(T,)`` within the clip."""
        batch = self._sampler.sample_many(np.asarray(times, dtype=np.float64), wrap=False)
        return driven_batch(self.project, self.rig.skeleton, batch)
