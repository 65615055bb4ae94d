"""Layers over a clip: override and additive clips with weight curves and masks. An asset of the project.

An animation layer that is keyed directly is a layer of this stack like any other: its keys are those of a clip made
for it (`ClipLayer.own`), of which, where it overrides, only the channels count that have keys (`ClipLayer.keyed`).
Playing, exporting, compiling and comparing therefore need nothing else than the stack. Keying goes the other way:
`core.blending.layer_inverse` finds what one layer has to hold so that a wanted pose comes out on top of the stack, and
`core.evaluation.layer_pipeline` lets the layer stand in place of a clip for everything that edits keys.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.blending.keyed_channels import KeyedChannels
from core.blending.layers import BranchFilter, CurveRule, branch_weights, mask_weights, merged_columns, over
from core.clips.additive import AdditiveSampler, Deltas, put_on
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.sampled import PoseBatch
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.math.transform import Transform
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import within_clip
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack


class LayerMode(StrEnum):
    """How a layer goes onto what is below it."""

    OVERRIDE = "override"
    ADDITIVE = "additive"


@dataclass(frozen=True, slots=True, eq=False)
class ClipLayer:
    """One layer.

    Parameters
    ----------
    clip : what it plays, in step with the clip below
    weight : 0..1, times `curve` where there is one
    curve : weight over time
    mask : name of one of the rig's blend masks; None leaves it to the branch filters
    branches : branch filters; none is every bone in full
    muted, solo : left out; or the only ones that count (with other solo layers)
    stretch : play it scaled to the length of the clip below instead of at its own pace
    keyed : of an override layer: only the channels that its clip has keys for count, the others show what is below
    own : the clip was made for this layer, and goes when the layer goes
    """

    name: str
    clip: AssetId
    mode: LayerMode = LayerMode.OVERRIDE
    weight: float = 1.0
    curve: ScalarTrack | None = None
    mask: str | None = None
    branches: tuple[BranchFilter, ...] = ()
    muted: bool = False
    solo: bool = False
    stretch: bool = False
    keyed: bool = False
    own: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "mode", LayerMode(self.mode))
        if not 0.0 <= self.weight <= 1.0:
            raise ValidationError(f"layer {self.name!r}: expected a weight of 0 to 1, got {self.weight}")

    def bones(self, rig: Rig) -> FloatArray:
        """Weights ``(B,)`` by bone."""
        if self.mask is not None:
            return mask_weights(rig, self.mask)
        if self.branches:
            return branch_weights(rig.skeleton, self.branches)
        return np.ones(len(rig.skeleton))

    def weights(self, times: FloatArray) -> FloatArray:
        """Its weight ``(T,)`` at times, within 0..1."""
        if self.curve is None:
            return np.full(len(times), self.weight)
        return np.clip(self.weight * evaluate_scalar(self.curve, times), 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class LayerStack:
    """The layers of one clip, from the lowest to the highest. An asset of the project.

    Parameters
    ----------
    clip : the clip they lie over
    model_rotations : override layers blend rotations in model space
    curves : how curves of the clip and its override layers come together
    """

    id: AssetId
    name: str
    rig: AssetId
    clip: AssetId
    layers: tuple[ClipLayer, ...] = ()
    model_rotations: bool = False
    curves: CurveRule = CurveRule.OVERRIDE

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig, the clip that the layers lie over, and the layers' clips."""
        own = (Reference(self.rig, Rig, "rig"), Reference(self.clip, Clip, "clip"))
        return own + tuple(Reference(layer.clip, Clip, f"layer {layer.name!r}") for layer in self.layers)

    def with_targets(self, targets: Targets) -> "LayerStack | None":
        """The same with references redirected (see `Asset.with_targets`).

        None where its rig or its clip is gone; layers whose clip is gone are left out.
        """
        rig, clip = redirected(self.rig, targets), redirected(self.clip, targets)
        if rig is None or clip is None:
            return None
        led = [(layer, redirected(layer.clip, targets)) for layer in self.layers]
        layers = tuple(replace(layer, clip=own) for layer, own in led if own is not None)
        return replace(self, rig=rig, clip=clip, layers=layers)

    def active(self) -> tuple[ClipLayer, ...]:
        """Layers that count: those that are solo where any is, none that is muted."""
        solo = [layer for layer in self.layers if layer.solo]
        return tuple(layer for layer in solo or self.layers if not layer.muted and layer.weight > 0.0)

    def number_of(self, clip: AssetId) -> int | None:
        """The number of the first layer that plays a clip, or None."""
        return next((k for k, layer in enumerate(self.layers) if layer.clip == clip), None)

    def with_layer(self, number: int, layer: ClipLayer) -> "LayerStack":
        """The stack with one layer changed."""
        return replace(self, layers=(*self.layers[:number], layer, *self.layers[number + 1 :]))

    def moved(self, number: int, place: int) -> "LayerStack":
        """The stack with a layer at another place."""
        rest = [*self.layers[:number], *self.layers[number + 1 :]]
        rest.insert(place, self.layers[number])
        return replace(self, layers=tuple(rest))

    def without_layer(self, number: int) -> "LayerStack":
        """The stack without a layer."""
        return replace(self, layers=self.layers[:number] + self.layers[number + 1 :])


@dataclass(frozen=True, slots=True, eq=False)
class LayerSamples:
    """A layer at some times.

    Parameters
    ----------
    batch, deltas : its poses where it overrides, its differences where it is additive
    weights, share : ``(T,)``, and by bone ``(T, B)``
    own_times : ``(T,)`` seconds within the layer's clip
    channels : the channels of `batch` that count; None is all
    """

    batch: PoseBatch | None
    deltas: Deltas | None
    weights: FloatArray
    share: FloatArray
    own_times: FloatArray
    channels: KeyedChannels | None = None

    def put_over(self, rig: Rig, local: Transform, model_rotations: bool) -> Transform:
        """The layer over local transforms ``(T, B, k)``."""
        if self.deltas is not None:
            return put_on(rig.skeleton, local, self.deltas.local, self.deltas.space, self.share)
        assert self.batch is not None
        shown = self.batch.local if self.channels is None else self.channels.filled(self.batch.local, local)
        return over(rig.skeleton, local, shown, self.share, model_rotations)


class StackPlayer:
    """Plays the layers of a stack and puts them over the poses below.

    Parameters
    ----------
    clips : clips that layers (and additive bases) name
    meshes : meshes whose morph weights the layers' poses carry

    Raises
    ------
    MissingReferenceError, ValidationError
        A layer's clip or mask is not there, or is for another rig.
    """

    def __init__(
        self, rig: Rig, stack: LayerStack, clips: Mapping[AssetId, Clip], meshes: tuple[Mesh, ...] = ()
    ) -> None:
        self.rig, self.stack = rig, stack
        self.layers = tuple(ActiveLayer(rig, layer, clips, meshes) for layer in stack.active())

    @property
    def transparent(self) -> bool:
        """Whether no layer counts."""
        return not self.layers

    def place_of(self, clip: AssetId) -> int | None:
        """Where among the layers that count one plays this clip, or None."""
        return next((k for k, layer in enumerate(self.layers) if layer.clip.id == clip), None)

    def with_clip(self, clip: Clip) -> "StackPlayer":
        """A player of the same layers with an edited clip in the place of what it was; the rest is shared."""
        made: StackPlayer = object.__new__(type(self))
        made.rig, made.stack = self.rig, self.stack
        made.layers = tuple(
            layer.with_clip(clip) if layer.clip.id == clip.id else layer for layer in self.layers
        )
        return made

    def over(self, below: PoseBatch, at: FloatArray, length: float) -> PoseBatch:
        """The layers over poses, curves and morphs.

        Parameters
        ----------
        at : ``(T,)`` seconds within the clip below, which lasts `length` seconds
        """
        samples = self.samples(at, length)
        local = self.folded(below.local, samples)
        over_it = [(m.batch, m.weights) for m in samples if m.batch is not None]
        added = [(m.deltas, m.weights) for m in samples if m.deltas is not None]
        rule = self.stack.curves
        curves = merged_columns(below.curves, [(b.curves, w) for b, w in over_it], rule)
        morphs = merged_columns(below.morphs, [(b.morphs, w) for b, w in over_it], rule)
        return PoseBatch(
            below.rig,
            below.times,
            *local,
            _added(curves, [(d.curves, w) for d, w in added]),
            _added(morphs, [(d.morphs, w) for d, w in added]),
        )

    def put_over(self, local: Transform, at: FloatArray, length: float) -> Transform:
        """The layers over local transforms ``(T, B, k)`` alone; see `over`."""
        return self.folded(local, self.samples(at, length))

    def samples(self, at: FloatArray, length: float) -> list[LayerSamples]:
        """The layers that count at times of the clip below, which lasts `length` seconds, from the lowest."""
        return [layer.sample(at, length) for layer in self.layers]

    def folded(self, local: Transform, samples: Sequence[LayerSamples]) -> Transform:
        """Some of the layers over local transforms ``(T, B, k)``."""
        for played in samples:
            local = played.put_over(self.rig, local, self.stack.model_rotations)
        return local


class ActiveLayer:
    """A layer that counts, with what plays it."""

    def __init__(
        self, rig: Rig, layer: ClipLayer, clips: Mapping[AssetId, Clip], meshes: tuple[Mesh, ...]
    ) -> None:
        clip = clips.get(layer.clip)
        if clip is None:
            raise MissingReferenceError(f"layer {layer.name!r}: its clip is not there")
        if clip.rig != rig.id:
            raise ValidationError(
                f"layer {layer.name!r}: clip {clip.name!r} is for another rig than {rig.name!r}"
            )
        self._begin(rig, layer, clips, ClipEvaluator(rig, clip, meshes))
        self.bones = layer.bones(rig)

    def _begin(
        self, rig: Rig, layer: ClipLayer, clips: Mapping[AssetId, Clip], evaluator: ClipEvaluator
    ) -> None:
        self.rig, self.layer, self.clip, self.evaluator = rig, layer, evaluator.clip, evaluator
        self._clips = clips
        self.sampler, self.channels = None, None
        if layer.mode is LayerMode.ADDITIVE:
            self.sampler = AdditiveSampler(rig, self.clip, clips, evaluator)
        elif layer.keyed:
            self.channels = KeyedChannels.of(rig.skeleton, self.clip)

    def with_clip(self, clip: Clip) -> "ActiveLayer":
        """The layer with its clip edited; what did not change is shared."""
        made: ActiveLayer = object.__new__(type(self))
        clips = {**self._clips, clip.id: clip}
        made._begin(self.rig, self.layer, clips, self.evaluator.updated(clip))
        made.bones = self.bones
        return made

    def sample(self, at: FloatArray, length: float) -> LayerSamples:
        """The layer at times of the clip below, which lasts `length` seconds."""
        weights, own = self.layer.weights(at), self.times(at, length)
        share = weights[:, None] * self.bones
        if self.sampler is not None:
            own = self.within(own)
            return LayerSamples(None, self.sampler.deltas(own), weights, share, own)
        batch = self.evaluator.sample_many(own, wrap=not self.layer.stretch)
        if self.channels is not None:
            batch = self.channels.with_keyed_extras(batch)
        return LayerSamples(batch, None, weights, share, own, self.channels)

    def times(self, at: FloatArray, length: float) -> FloatArray:
        """The layer clip's own times."""
        return at * (self.clip.length / length) if self.layer.stretch and length > 0.0 else at

    def within(self, times: FloatArray) -> FloatArray:
        """Times held within the clip, or taken over its seam where it loops at its own pace."""
        return within_clip(times, self.clip.length, self.clip.looping and not self.layer.stretch)


def _added(
    base: Mapping[str, FloatArray], parts: Sequence[tuple[Mapping[str, FloatArray], FloatArray]]
) -> dict[str, FloatArray]:
    total = dict(base)
    for table, weights in parts:
        for name, values in table.items():
            total[name] = total.get(name, 0.0) + weights * values
    return total
