"""Edits of a clip's layers and of what clips are additive to: one undoable step each."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.blending.layers import CurveRule
from core.clips.additive import AdditiveSampler
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip
from core.clips.edits import new_clip, unique_name
from core.errors import AnimError, ValidationError
from core.evaluation.clip_pipeline import alone, stack_of
from core.evaluation.layer_verbs import unused_own
from core.ids import AssetId, new_id
from core.rig.rig import Rig
from core.tracks.keys import Interpolation, ScalarTrack, scalar_track
from editor.model.blending.layered import Layered
from editor.model.commands import ViewState
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr

CURVE_RULES: Mapping[CurveRule, tuple[str, str]] = {
    CurveRule.OVERRIDE: ("Override", "Value of the highest layer that has the curve"),
    CurveRule.DO_NOT_OVERRIDE: ("Do not override", "Value of the lowest layer that has the curve, the clip first"),
    CurveRule.BLEND: ("Blend by weight", "The clip's value plus each layer's by its weight"),
    CurveRule.NORMALISE: ("Normalise by weight", "Like Blend by weight, divided by 1 plus the sum of weights"),
    CurveRule.BASE_ONLY: ("Base only", "The clip's own curves, none of the layers'"),
    CurveRule.MAXIMUM: ("Maximum", "Largest value of all that have the curve"),
    CurveRule.MINIMUM: ("Minimum", "Smallest value of all that have the curve"),
}  # fmt: skip
"""Title of each curve rule, and what it does."""


class LayerEdits:
    """Adds, changes, orders and removes the layers of the clip shown."""

    def __init__(self, document: Document, edits: Edits, evaluator: Evaluator) -> None:
        self._document, self._edits, self._evaluator = document, edits, evaluator

    @property
    def layered(self) -> Layered:
        """What puts them over the clip."""
        return self._evaluator.layers

    @property
    def clip(self) -> Clip | None:
        """The document's clip shown, or below the layer in hand, whose layers these are."""
        return self._evaluator.layered_clip

    @property
    def stack(self) -> LayerStack | None:
        """The layers as a drag shows them, None where there are none."""
        clip = self.clip
        return self.layered.stack(clip.id) if clip is not None else None

    def choices(self) -> tuple[Clip, ...]:
        """Clips that may become layers of the clip shown."""
        clip = self.clip
        if clip is None:
            return ()
        project = self._document.project
        return tuple(c for c in alone(project, project.clips_of(clip.rig)) if c.id != clip.id)

    def roots(self) -> tuple[str, ...]:
        """The bones of the character that have no parent."""
        skeleton = self._require()[1].skeleton
        return tuple(
            name for name, parent in zip(skeleton.names, skeleton.parents, strict=True) if parent < 0
        )

    # ------------------------------------------------------------ layers
    def add(self, clip: AssetId | None, mode: LayerMode) -> bool:
        """Put a clip over what is there; None makes an empty one, which then receives keys."""
        base, rig = self._require()
        project = self._document.project
        assets = []
        if clip is None:
            names = [c.name for c in project.clips_of(rig.id)]
            made = new_clip(
                rig,
                unique_name(tr("{name} layer", name=base.name), names),
                base.length,
                base.rate,
                base.looping,
            )
            if mode is LayerMode.ADDITIVE:
                made = replace(made, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST))
            assets.append(made)
            over = made
        else:
            over = project.get(Clip, clip)
        if over.rig != base.rig:
            raise ValidationError(tr("“{name}” is for another character", name=over.name))
        if over.id == base.id:
            raise ValidationError(tr("a clip cannot be a layer over itself: duplicate it first"))
        stack = stack_of(project, base.id)
        if stack is None:
            stack = LayerStack(new_id("layers"), tr("Layers of {name}", name=base.name), rig.id, base.id)
        taken = [layer.name for layer in stack.layers]
        layer = ClipLayer(
            unique_name(over.name, taken), over.id, mode, own=clip is None,
            keyed=clip is None and mode is LayerMode.OVERRIDE,
        )  # fmt: skip
        grown = replace(stack, layers=(*stack.layers, layer))
        label = tr("Add layer {name}", name=layer.name)
        if clip is not None:
            return self._edits.put(label, *assets, grown)
        self.layered.shown = True
        view = replace(self._edits.view_of(rig.id, over.id, self._evaluator.time), below=base.id)
        return self._edits.put(label, *assets, grown, view_after=view)

    def change(self, number: int, **values: object) -> bool:
        """Change parts of a layer."""
        layer = replace(self._stack().layers[number], **values)  # type: ignore[arg-type]
        return self.put(number, layer, tr("Change layer {name}", name=layer.name))

    def put(self, number: int, layer: ClipLayer, label: str) -> bool:
        """Put a changed layer in the place of what it was."""
        stack = self._stack()
        self.layered.set_preview(None)
        if layer == stack.layers[number]:
            return False
        return self._edits.put(label, stack.with_layer(number, layer))

    def preview(self, number: int, **values: object) -> None:
        """Show a layer changed, without a step."""
        stack = self._stack()
        layer = replace(stack.layers[number], **values)  # type: ignore[arg-type]
        self.layered.set_preview(stack.with_layer(number, layer))

    def end_preview(self) -> None:
        """Show the document's layers."""
        self.layered.set_preview(None)

    def set_curve_rule(self, rule: CurveRule) -> bool:
        """Choose how curves and morphs of the clip and its override layers come together."""
        stack = self._stack()
        if rule is stack.curves:
            return False
        label = tr("Curve rule of layers: {rule}", rule=tr(CURVE_RULES[rule][0]))
        return self._edits.put(label, replace(stack, curves=rule))

    def set_model_rotations(self, on: bool) -> bool:
        """Blend rotations of override layers in model space, or bone by bone."""
        stack = self._stack()
        if on == stack.model_rotations:
            return False
        label = tr("Model-space rotations of layers") if on else tr("Local rotations of layers")
        return self._edits.put(label, replace(stack, model_rotations=on))

    def key_weight(self, number: int, time: float, weight: float) -> bool:
        """Key a layer's weight at a time; its first key makes the weight a curve."""
        stack = self._stack()
        layer = stack.layers[number]
        times, values = np.zeros(0), np.zeros(0)
        if layer.curve is not None:
            times, values = np.array(layer.curve.times), np.array(layer.curve.values)
        keep = np.abs(times - time) > 1e-5
        times, values = np.append(times[keep], time), np.append(values[keep], weight)
        order = np.argsort(times)
        curve = scalar_track(times[order], values[order], interpolations=Interpolation.LINEAR)
        return self._put_curve(stack, number, curve, tr("Key weight of {name}", name=layer.name))

    def clear_curve(self, number: int) -> bool:
        """Make a layer's weight one number again; nothing where it is one."""
        stack = self._stack()
        if stack.layers[number].curve is None:
            return False
        label = tr("Constant weight of {name}", name=stack.layers[number].name)
        return self._put_curve(stack, number, None, label)

    def _put_curve(self, stack: LayerStack, number: int, curve: ScalarTrack | None, label: str) -> bool:
        layer = replace(stack.layers[number], curve=curve, weight=1.0)
        return self._edits.put(label, stack.with_layer(number, layer))

    def move(self, number: int, place: int) -> bool:
        """Put a layer elsewhere in the order."""
        stack = self._stack()
        if not 0 <= place < len(stack.layers) or place == number:
            return False
        label = tr("Move layer {name}", name=stack.layers[number].name)
        return self._edits.put(label, stack.moved(number, place))

    def remove(self, number: int) -> bool:
        """Remove a layer; the stack goes with its last one. A clip that was made for the layer goes with it."""
        stack = self._stack()
        label = tr("Remove layer {name}", name=stack.layers[number].name)
        left = stack.without_layer(number)
        project = self._document.project
        project = project.with_assets(left) if left.layers else project.without(stack.id)
        gone = unused_own(self._document.project, self._require()[0], left if left.layers else None)
        return self._edits.commit(label, project.without(*gone), self.view_without(gone))

    def view_without(self, gone: Collection[AssetId]) -> ViewState | None:
        """What to show when clips are gone: the clip itself where the layer in hand was one of them, else as it is."""
        clip, hand = self.clip, self._evaluator.in_hand
        if clip is None or hand is None or hand.clip.id not in gone:
            return None
        return self._edits.view_of(clip.rig, clip.id, self._evaluator.time)

    # ------------------------------------------------------------ masks
    def masks(self) -> tuple[str, ...]:
        """Names of the rig's blend masks."""
        rig = self._evaluator.rig
        return tuple(rig.masks) if rig is not None else ()

    def new_mask(self, number: int | None = None, name: str | None = None) -> str:
        """Make a mask, empty, and let a layer use it; gives its name."""
        _, rig = self._require()
        wanted = unique_name(name or tr("mask"), list(rig.masks))
        masked = replace(rig, masks={**rig.masks, wanted: {}})
        assets: list[Rig | LayerStack] = [masked]
        if number is not None:
            stack = self._stack()
            assets.append(stack.with_layer(number, replace(stack.layers[number], mask=wanted, branches=())))
        self._edits.put(tr("New mask {name}", name=wanted), *assets)
        return wanted

    def paint(self, mask: str, bones: Iterable[str], weight: float) -> bool:
        """Give bones a weight in a mask; 0 takes them out."""
        _, rig = self._require()
        weights = dict(rig.masks.get(mask, {}))
        for bone in bones:
            if weight > 0.0:
                weights[bone] = float(min(weight, 1.0))
            else:
                weights.pop(bone, None)
        if weights == dict(rig.masks.get(mask, {})):
            return False
        painted = replace(rig, masks={**rig.masks, mask: weights})
        return self._edits.put(tr("Paint mask {name}", name=mask), painted)

    def mask_of(self, number: int, bones: Iterable[str]) -> bool:
        """Let a layer reach just these bones, by a new mask, in one step."""
        _, rig = self._require()
        stack = self._stack()
        layer = stack.layers[number]
        name = unique_name(layer.name, list(rig.masks))
        masked = replace(rig, masks={**rig.masks, name: dict.fromkeys(bones, 1.0)})
        changed = stack.with_layer(number, replace(layer, mask=name, branches=()))
        return self._edits.put(tr("Mask {name} to the selection", name=layer.name), masked, changed)

    # ------------------------------------------------------------ additive
    def set_additive(self, clip: AssetId, additive: Additive | None) -> bool:
        """Declare what a clip is a difference from, or that it is none."""
        asset = self._document.project.get(Clip, clip)
        if asset.additive == additive:
            return False
        if additive is None:
            label = tr("{name} is not additive", name=asset.name)
        else:
            label = tr("{name} is additive", name=asset.name)
        return self._edits.put(label, replace(asset, additive=additive))

    def sampler(self, clip: Clip, rig: Rig) -> AdditiveSampler:
        """What gives a clip's base and difference."""
        return AdditiveSampler(rig, clip, {c.id: c for c in self._document.project.clips})

    # ------------------------------------------------------------ upkeep
    def _require(self) -> tuple[Clip, Rig]:
        clip, rig = (
            self._document.project.assets.get(self.clip.id) if self.clip else None,
            self._evaluator.rig,
        )
        if not isinstance(clip, Clip) or rig is None:
            raise AnimError(tr("create or select a clip first"))
        return clip, rig

    def _stack(self) -> LayerStack:
        clip, _ = self._require()
        stack = stack_of(self._document.project, clip.id)
        if stack is None:
            raise AnimError(tr("the clip has no layers"))
        return stack
