"""A layer in the place of a clip: its keys are edited, the whole stack is shown.

The layer in hand is an ordinary layer of the stack over a clip (`core.blending.layer_stack`). Everything that edits or
shows keys works on one clip and asks a `ClipPipeline` what that clip looks like; a `LayerPipeline` is the pipeline of
the layer's clip, and answers with the poses of the whole stack. The way back, from a pose that is wanted on top to what
the layer has to hold, is `to_layer_pose`: exact for every kind of layer, so that a bone that is posed ends where it was
put, whatever lies below and above. Nothing of this is saved: in hand is what the person works on, not what is made.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.blending.layer_inverse import below_layers, layer_values, reach
from core.blending.layer_stack import LayerMode
from core.blending.layers import CurveRule
from core.clips.clip import AdditiveBase, AdditiveSpace, Clip, Notify
from core.clips.evaluator import ClipEvaluator
from core.clips.sampled import PoseBatch
from core.evaluation.clip_pipeline import ClipPipeline
from core.ik.keyed import Solved
from core.math import quat
from core.math.transform import Transform
from core.pose.output import PoseOutput
from core.pose.pose import Pose

REACHED = 1e-6
"""Share of a bone from which on a layer can be keyed on it."""


class LayerPipeline(ClipPipeline):
    """Poses of a stack, seen from the clip of one of its layers.

    Parameters
    ----------
    base : of the clip below, with the stack's layers
    clip : the layer's, perhaps edited

    Attributes
    ----------
    clip : the layer's own; times are seconds within it
    place : of the layer among those that count; None where it does not (muted, or another is solo)
    """

    def __init__(self, base: ClipPipeline, clip: Clip) -> None:
        player = base.layers
        self.place = None if player is None else player.place_of(clip.id)
        if player is not None and self.place is not None and player.layers[self.place].clip is not clip:
            player = player.with_clip(clip)
            base = ClipPipeline(base.rig, base.clip, base.meshes, player, base.assets, base.tracks)
        self.base, self.rig, self.clip, self.meshes = base, base.rig, clip, base.meshes
        self.layers, self.assets, self.setups = base.layers, base.assets, base.setups
        self.layer = None if player is None or self.place is None else player.layers[self.place]
        self.tracks = (
            ClipEvaluator(base.rig, clip, base.meshes) if self.layer is None else self.layer.evaluator
        )
        self._plain = False

    @property
    def mover(self) -> ClipEvaluator:
        """The clip below moves the character."""
        return self.base.tracks

    def with_clip(self, clip: Clip) -> "LayerPipeline":
        """The pipeline with an edited layer's clip, which shares what did not change; itself for the same clip."""
        return self if clip is self.clip else LayerPipeline(self.base, clip)

    def base_times(self, times: npt.ArrayLike) -> FloatArray:
        """Times of the clip below at times of the layer's clip."""
        at = np.asarray(times, dtype=np.float64)
        if self.layer is not None and self.layer.layer.stretch and self.clip.length > 0.0:
            return at * (self.base.clip.length / self.clip.length)
        return at

    # ------------------------------------------------------------ poses
    def sample_many(self, times: npt.ArrayLike, *, wrap: bool = False) -> PoseBatch:
        """Poses of the whole stack at times of the layer's clip; see `ClipPipeline.sample_many`."""
        found = self.base.sample_many(self.base_times(times), wrap=wrap)
        return replace(found, times=np.asarray(times, dtype=np.float64))

    def without_layers(self, times: npt.ArrayLike) -> PoseBatch:
        """Poses of the clip below and its goals alone."""
        return self.base.without_layers(self.base_times(times))

    def sample(
        self, time: float, previous: float | None = None, *, stopped: bool = False
    ) -> PoseOutput[Notify]:
        """One moment of playback of the clip below with its layers."""
        return self.base.sample(time, previous, stopped=stopped)

    def solved(self, times: npt.ArrayLike) -> dict[str, Solved]:
        """How each IK set-up that drives the clip below ends."""
        return self.base.solved(self.base_times(times))

    def below_goals(self, times: npt.ArrayLike) -> Transform:
        """Local transforms ``(T, B, k)`` of the stack, no goal followed."""
        return self.base.below_goals(self.base_times(times))

    # ------------------------------------------------------------ what can be keyed
    @property
    def why_not(self) -> str:
        """Why the layer cannot be keyed, or ""."""
        if self.layer is None:
            return "the layer does not count: unmute it, or end the solo of another layer"
        return not_keyable(self.layer.layer.mode, self.clip)

    @property
    def turns_in_model_space(self) -> bool:
        """Whether keeping a bone's children as they are takes keys on these too."""
        if self.layers is None or self.place is None:
            return False
        above = self.layers.layers[self.place :]
        spaces = [layer.sampler.declared.space for layer in above if layer.sampler is not None]
        return self.layers.stack.model_rotations or AdditiveSpace.MODEL in spaces

    def with_carried(self, bones: Iterable[str]) -> tuple[str, ...]:
        """Bones with those that have to be keyed with them: in model space, all below them."""
        names = tuple(dict.fromkeys(bones))
        if not names or not self.turns_in_model_space:
            return names
        skeleton = self.rig.skeleton
        below = skeleton.descendants([skeleton.index(bone) for bone in names])
        return tuple(dict.fromkeys((*names, *(skeleton.names[bone] for bone in np.flatnonzero(below)))))

    def out_of_reach(self, bones: Iterable[str], time: float) -> tuple[str, ...]:
        """Bones that the layer does not decide at a time: masked, at weight 0, or covered by a layer above."""
        if self.layers is None or self.place is None:
            return tuple(bones)
        samples = self.layers.samples(self.base_times([time]), self.base.clip.length)
        shares = reach(samples, self.place)[0]
        return tuple(bone for bone in bones if shares[self.rig.skeleton.index(bone)] < REACHED)

    def neutral(self, time: float) -> Transform:
        """Local transforms ``(B, k)`` that the layer's clip holds where it changes nothing at a time."""
        if self.layers is None or self.layer is None or self.place is None:
            return self.tracks.sample_many([time], wrap=False).pose(0).local
        if self.layer.sampler is not None:
            found = self.layer.sampler.base(self.layer.within(np.array([time]))).local
        else:
            at = self.base_times([time])
            samples = self.layers.samples(at, self.base.clip.length)[: self.place]
            found = self.layers.folded(self.base.tracks.sample_many(at, wrap=False).local, samples)
        return Transform(*(part[0] for part in found))

    def weight_gain(self, time: float) -> float:
        """How much of a change of its curves and morph weights the layer shows at a time, 0..1."""
        if self.layers is None or self.layer is None:
            return 0.0
        weight = float(self.layer.layer.weights(self.base_times([time]))[0])
        blends = self.layers.stack.curves is CurveRule.BLEND
        return weight if self.layer.sampler is not None or blends else float(weight > 0.0)


def not_keyable(mode: LayerMode, clip: Clip) -> str:
    """Why a clip cannot be keyed as a layer of a mode, or ""."""
    if clip.retarget_source is not None:
        return f"“{clip.name}” was made on other proportions: bake it to the rig's first"
    additive = clip.additive
    if mode is LayerMode.ADDITIVE and additive is not None:
        first = additive.base is AdditiveBase.FIRST_FRAME
        if first or (additive.base is not AdditiveBase.REST and additive.base_clip in (None, clip.id)):
            return f"“{clip.name}” is a difference from itself: choose the rest pose as its base in the Additive panel"
    return ""


def up_to_goals(pipeline: ClipPipeline, clip: Clip) -> ClipPipeline:
    """The pipeline of an edited clip, or of an edited layer's clip, without pose assets, which go on afterwards."""
    if isinstance(pipeline, LayerPipeline):
        base = pipeline.base
        return LayerPipeline(ClipPipeline(base.rig, base.clip, (), base.layers), clip)
    return ClipPipeline(pipeline.rig, clip, (), pipeline.layers)


def to_layer_pose(pipeline: LayerPipeline, time: float, wanted: Pose) -> Pose:
    """What the layer's clip has to hold at a time so that a wanted pose is shown.

    Parameters
    ----------
    time : seconds within the layer's clip
    wanted : below pose assets; keyed IK goals of the clip below stay what they are

    Returns
    -------
    Pose
        Bones that the layer does not reach come out as the layer holds them.
    """
    player, place, base = pipeline.layers, pipeline.place, pipeline.base
    if player is None or place is None:
        return wanted.with_local(pipeline.tracks.sample_many([time], wrap=False).pose(0).local)
    at = pipeline.base_times([time])
    samples = player.samples(at, base.clip.length)
    below = player.folded(base.tracks.sample_many(at, wrap=False).local, samples[:place])
    goal = Transform(*(part[None] for part in wanted.local))
    if above := samples[place + 1 :]:
        shown = player.folded(below, samples[place : place + 1])
        goal = below_layers(player, above, goal, shown)
    rotations = player.stack.model_rotations
    found = layer_values(player.layers[place], samples[place], rotations, below, goal)
    rotation = quat.normalise(found.rotation[0])
    return wanted.with_local(Transform(found.translation[0], rotation, found.scale[0]))


def to_layer_weights(
    pipeline: LayerPipeline,
    time: float,
    wanted: Mapping[str, float],
    shown: Mapping[str, float],
    morphs: bool,
) -> dict[str, float]:
    """What the layer's curves (or morph weights) have to be at a time for wanted values to be shown.

    Parameters
    ----------
    shown : the values that are shown now
    """
    gain = pipeline.weight_gain(time)
    held = pipeline.tracks.sample_many([time], wrap=False)
    own = held.morphs if morphs else held.curves
    direct = pipeline.layer is not None and pipeline.layer.sampler is None
    found: dict[str, float] = {}
    for name, value in wanted.items():
        now = float(own[name][0]) if name in own else 0.0
        if gain <= 0.0:
            found[name] = now
        elif gain == 1.0 and direct:
            found[name] = float(value)
        else:
            found[name] = now + (float(value) - float(shown.get(name, 0.0))) / gain
    return found
