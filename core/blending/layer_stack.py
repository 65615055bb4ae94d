"""Layers over a clip: override and additive clips with weight curves and masks. An asset of the project."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
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
        self._layers = [_ActiveLayer(rig, layer, clips, meshes) for layer in stack.active()]

    @property
    def transparent(self) -> bool:
        """Whether no layer counts."""
        return not self._layers

    def over(self, below: PoseBatch, at: FloatArray, length: float) -> PoseBatch:
        """The layers over poses, curves and morphs.

        Parameters
        ----------
        at : ``(T,)`` seconds within the clip below, which lasts `length` seconds
        """
        samples = [layer.sample(at, length) for layer in self._layers]
        local = self._over(below.local, samples)
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
        return self._over(local, [layer.sample(at, length) for layer in self._layers])

    def _over(self, local: Transform, samples: Sequence["_LayerSamples"]) -> Transform:
        skeleton = self.rig.skeleton
        for played in samples:
            if played.batch is not None:
                turned = self.stack.model_rotations
                local = over(skeleton, local, played.batch.local, played.share, turned)
            elif played.deltas is not None:
                local = put_on(skeleton, local, played.deltas.local, played.deltas.space, played.share)
        return local


@dataclass(frozen=True, slots=True, eq=False)
class _LayerSamples:
    """A layer at some times: its poses or its differences, its weights ``(T,)`` and by bone ``(T, B)``."""

    batch: PoseBatch | None
    deltas: Deltas | None
    weights: FloatArray
    share: FloatArray


class _ActiveLayer:
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
        self.layer, self.clip = layer, clip
        self.bones = layer.bones(rig)
        self.evaluator = ClipEvaluator(rig, clip, meshes)
        self.sampler = None
        if layer.mode is LayerMode.ADDITIVE:
            self.sampler = AdditiveSampler(rig, clip, clips, self.evaluator)

    def sample(self, at: FloatArray, length: float) -> _LayerSamples:
        """The layer at times of the clip below, which lasts `length` seconds."""
        weights, own = self.layer.weights(at), self.times(at, length)
        share = weights[:, None] * self.bones
        if self.sampler is not None:
            return _LayerSamples(None, self.sampler.deltas(self.within(own)), weights, share)
        batch = self.evaluator.sample_many(own, wrap=not self.layer.stretch)
        return _LayerSamples(batch, None, weights, share)

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
