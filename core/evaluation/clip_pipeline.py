"""The one way from a clip to the poses that are shown, drawn, exported and compiled."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.blending.layer_stack import LayerStack, StackPlayer
from core.clips.clip import Clip, Notify
from core.clips.evaluator import ClipEvaluator, moment
from core.clips.sampled import PoseBatch
from core.ids import AssetId
from core.ik import keyed
from core.ik.keyed import Solved
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.library import PoseAsset, with_pose_assets
from core.pose.output import PoseOutput
from core.pose.pose import Pose
from core.project.project import Asset, Project
from core.rig.ik_setup import IkSetup
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import within_clip


class ClipPipeline:
    """Poses of a clip with everything that has a say in them.

    The steps, in order:

    1. `tracks`: the clip's own keys, in the rig's proportions (`core.clips.evaluator`);
    2. layers over them (`core.blending.layer_stack`);
    3. IK goals that the clip keys, followed by what the layers made of it (`core.ik.keyed`);
    4. pose assets, by the values of the curves named like their poses (`core.pose.library`);
    5. for `sample` alone, root motion taken out as the clip says.

    A step that has nothing to do costs nothing. Virtual bones are derived from the result where they
    are asked for (`core.rig.virtual_bones`). It may be used from several threads.

    Parameters
    ----------
    meshes : meshes whose morph weights the poses carry
    layers : what plays the layers over the clip
    assets : the rig's pose assets, in the order in which they go on
    earlier : evaluator of an earlier version of the clip; what did not change is shared with it
    """

    def __init__(
        self,
        rig: Rig,
        clip: Clip,
        meshes: Sequence[Mesh] = (),
        layers: StackPlayer | None = None,
        assets: Sequence[PoseAsset] = (),
        earlier: ClipEvaluator | None = None,
    ) -> None:
        self.rig, self.clip, self.meshes = rig, clip, tuple(meshes)
        self.layers = None if layers is None or layers.transparent else layers
        self.assets = tuple(assets)
        shared = earlier is not None and earlier.rig is rig and earlier.meshes == self.meshes
        self.tracks = earlier.updated(clip) if earlier and shared else ClipEvaluator(rig, clip, self.meshes)
        self.setups: tuple[IkSetup, ...] = keyed.driving(rig, clip.curves) if rig.ik_setups else ()
        names = {target.name for asset in self.assets for target in asset.targets}
        self._plain = self.layers is None and not self.setups and names.isdisjoint(clip.curves)

    @classmethod
    def of(cls, project: Project, clip: Clip) -> "ClipPipeline":
        """The pipeline of a clip as its project has it: its rig, meshes, layers and pose assets.

        Raises
        ------
        MissingReferenceError, ValidationError
            The clip's rig, or a layer's clip or mask, is not there.
        """
        rig, stack = project.get(Rig, clip.rig), layers_over(project, clip.id)
        meshes = project.meshes_of(rig.id)
        clips = {other.id: other for other in project.clips}
        layers = None if stack is None else StackPlayer(rig, stack, clips, meshes)
        return cls(rig, clip, meshes, layers, pose_assets(project, rig.id))

    def with_clip(self, clip: Clip) -> "ClipPipeline":
        """The pipeline of an edited clip, which shares what did not change; itself for the same clip."""
        if clip is self.clip:
            return self
        return ClipPipeline(self.rig, clip, self.meshes, self.layers, self.assets, self.tracks)

    @property
    def mover(self) -> ClipEvaluator:
        """Evaluator of the clip that the character moves by where root motion is on."""
        return self.tracks

    # ------------------------------------------------------------ poses
    def sample_many(self, times: npt.ArrayLike, *, wrap: bool = False) -> PoseBatch:
        """Poses at times ``(T,)`` in seconds, root motion left in.

        Parameters
        ----------
        wrap : see `ClipEvaluator.sample_many`
        """
        below = self.tracks.sample_many(times, wrap=wrap)
        if self._plain:
            return below
        batch = below
        if self.layers is not None:
            batch = self.layers.over(below, self._within(below.times, wrap), self.clip.length)
        if self.setups:
            batch = batch.with_local(keyed.with_ik(self.rig, batch.local, below.curves)[0])
        if self.assets and batch.curves:
            skeleton = self.rig.skeleton
            batch = batch.with_local(with_pose_assets(skeleton, batch.local, self.assets, batch.curves))
        return batch

    def without_layers(self, times: npt.ArrayLike) -> PoseBatch:
        """Poses of the clip and its goals alone, at times within it."""
        below = self.tracks.sample_many(times, wrap=False)
        if not self.setups:
            return below
        return below.with_local(keyed.with_ik(self.rig, below.local, below.curves)[0])

    def pose(self, time: float) -> Pose:
        """The pose at one time within the clip; see `sample_many`."""
        if self._plain:
            return self.tracks.pose_at(time)
        return self.sample_many(np.array([time])).pose(0)

    def models_many(self, times: npt.ArrayLike, *, wrap: bool = False) -> FloatArray:
        """Model matrices ``(T, B, 4, 4)`` at many times; see `sample_many`."""
        if self._plain:
            return self.tracks.models_many(times, wrap=wrap)
        return kinematics.model_matrices(self.rig.skeleton, self.sample_many(times, wrap=wrap).local)

    def sample(
        self, time: float, previous: float | None = None, *, stopped: bool = False
    ) -> PoseOutput[Notify]:
        """One moment of playback, root motion taken out; see `ClipEvaluator.sample`."""
        return moment(self.tracks, self.pose, time, previous, stopped)

    def solved(self, times: npt.ArrayLike) -> dict[str, Solved]:
        """How each IK set-up that drives the clip ends at times within it: metres left, steps taken."""
        if not self.setups:
            return {}
        below = self.tracks.sample_many(times, wrap=False)
        return keyed.with_ik(self.rig, self._layered(below), below.curves)[1]

    def below_goals(self, times: npt.ArrayLike) -> Transform:
        """Local transforms ``(T, B, k)`` of the clip and its layers at times within it, no goal followed."""
        return self._layered(self.tracks.sample_many(times, wrap=False))

    def _layered(self, below: PoseBatch) -> Transform:
        if self.layers is None:
            return below.local
        return self.layers.put_over(below.local, self._within(below.times, False), self.clip.length)

    def _within(self, times: FloatArray, wrap: bool) -> FloatArray:
        loop = self.tracks.loop
        return times if loop is None else within_clip(times, loop, wrap)


# ---------------------------------------------------------------- what a project gives a clip


def stack_of(project: Project, clip: AssetId) -> LayerStack | None:
    """The layers over a clip, whether they count or not."""
    return next((stack for stack in project.all(LayerStack) if stack.clip == clip), None)


def own_clips(project: Project) -> frozenset[AssetId]:
    """Clips that were made for a layer: what they hold is part of another clip."""
    return frozenset(layer.clip for stack in project.all(LayerStack) for layer in stack.layers if layer.own)


def alone(project: Project, clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """The clips that are not a part of another, as `own_clips` are."""
    own = own_clips(project)
    return tuple(clip for clip in clips if clip.id not in own)


def layers_over(project: Project, clip: AssetId) -> LayerStack | None:
    """The layers that count over a clip, or None."""
    stack = stack_of(project, clip)
    return stack if stack is not None and stack.active() else None


def parts_of(project: Project, clip: Clip) -> tuple[Asset, ...]:
    """All assets of a project that a clip's poses are made of, and its rig's meshes; the rig and the clip first.

    Pose assets are among them where a curve drives one of their poses.

    Raises
    ------
    MissingReferenceError
        The clip's rig is not there.
    """
    rig, stack = project.get(Rig, clip.rig), layers_over(project, clip.id)
    parts: list[Asset] = [rig, clip, *project.meshes_of(rig.id)]
    if stack is not None:
        played = {layer.clip for layer in stack.layers}
        parts += [stack, *(other for other in project.clips if other.id in played and other is not clip)]
    parts += pose_assets(project, rig.id) if driving_curves(project, clip) else ()
    return tuple(parts)


def pose_assets(project: Project, rig: AssetId) -> tuple[PoseAsset, ...]:
    """A rig's pose assets, in the order in which they go onto a pose."""
    return tuple(asset for asset in project.all(PoseAsset) if asset.rig == rig)


def driving_curves(project: Project, clip: Clip) -> frozenset[str]:
    """Curves of a clip, or of the layers over it, that are named like a pose of one of its rig's assets."""
    names = {target.name for asset in pose_assets(project, clip.rig) for target in asset.targets}
    stack = layers_over(project, clip.id) if names else None
    played = {layer.clip for layer in stack.active()} if stack is not None else set()
    curves: list[Mapping[str, object]] = [clip.curves]
    curves += [other.curves for other in project.clips if other.id in played]
    return frozenset(name for table in curves for name in table if name in names)
