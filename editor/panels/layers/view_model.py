"""The layers panel without Qt."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.blending.layer_stack import LayerMode
from core.blending.layers import BranchFilter, CurveRule
from core.clips.clip import Clip
from core.errors import AnimError
from core.ids import AssetId
from editor.model.blending import branches
from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.session import Session

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer, as its row shows it.

    Parameters
    ----------
    weight : in effect now
    keyed : whether the weight is a curve
    branches : branch filters in effect: none where a mask chooses the bones
    counts : whether it is heard (not muted, and solo where any is)
    in_hand : whether it receives keys
    """

    number: int
    name: str
    clip: AssetId
    mode: LayerMode
    weight: float
    keyed: bool
    muted: bool
    solo: bool
    mask: str | None
    branches: tuple[BranchFilter, ...]
    stretch: bool
    counts: bool
    in_hand: bool


class LayersModel:
    """What the panel shows, and what it does; refusals go to the message bar."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.edits = session.feature(Blending).layers
        self.hand = session.feature(Blending).hand

    @property
    def clip(self) -> Clip | None:
        """The clip whose layers are shown."""
        return self.session.evaluator.layered_clip

    @property
    def shown(self) -> bool:
        """Whether layers are shown in the viewport."""
        return self.session.evaluator.layers.shown

    def rows(self) -> tuple[LayerRow, ...]:
        """Layers from the highest to the lowest."""
        stack = self.edits.stack
        if stack is None:
            return ()
        active, in_hand = stack.active(), self.hand.number
        now = np.array([self.session.playback.time])
        return tuple(
            LayerRow(
                k, layer.name, layer.clip, layer.mode, float(layer.weights(now)[0]), layer.curve is not None,
                layer.muted, layer.solo, layer.mask,
                () if layer.mask is not None else layer.branches, layer.stretch, any(layer is a for a in active),
                k == in_hand,
            )
            for k, layer in reversed(tuple(enumerate(stack.layers)))
        )  # fmt: skip

    def structure(self) -> tuple[object, ...]:
        """What decides which rows there are."""
        return tuple((row.number, row.name) for row in self.rows())

    # ------------------------------------------------------------ doing
    def take(self, number: int) -> None:
        """Key a layer, or the clip itself again where that layer is in hand."""
        self.attempt(lambda: self.hand.toggle(number))

    def leave(self) -> None:
        """Key the clip itself."""
        self.hand.leave()

    def drop(self, clip: str) -> bool:
        """A clip dragged in: an additive layer where it is additive, else one that overrides."""
        asset = self.session.document.project.assets.get(AssetId(clip))
        additive = isinstance(asset, Clip) and asset.additive is not None
        return self.add(AssetId(clip), LayerMode.ADDITIVE if additive else LayerMode.OVERRIDE)

    def add(self, clip: AssetId | None, mode: LayerMode) -> bool:
        """Add a layer; None makes a clip for it."""
        return bool(self.attempt(lambda: self.edits.add(clip, mode)))

    def set_weight(self, number: int, weight: float) -> bool:
        """Commit a weight: keyed at the current time where the weight is a curve."""
        keyed = any(row.number == number and row.keyed for row in self.rows())
        if keyed:
            return self.key_weight(number, weight)
        return self.change(number, weight=weight)

    def preview_weight(self, number: int, weight: float) -> None:
        """Show a weight while it is dragged."""
        self.attempt(lambda: self.edits.preview(number, weight=weight, curve=None))

    def key_weight(self, number: int, weight: float | None = None) -> bool:
        """Key the weight at the current time."""
        row = next(r for r in self.rows() if r.number == number)
        value = row.weight if weight is None else weight
        self.edits.end_preview()
        time = self.session.playback.time
        return bool(self.attempt(lambda: self.edits.key_weight(number, time, value)))

    def change(self, number: int, **values: object) -> bool:
        """Change parts of a layer."""
        return bool(self.attempt(lambda: self.edits.change(number, **values)))

    def set_mask(self, number: int, mask: str | None) -> bool:
        """Choose a mask, None for every bone."""
        return self.change(number, mask=mask, branches=())

    # ------------------------------------------------------------ branch filters
    def bones(self) -> tuple[tuple[str, str], ...]:
        """Every bone's name, and how it is shown."""
        rig = self.session.rig
        names = rig.skeleton.names if rig is not None else ()
        return tuple((name, self.session.bone_label(name)) for name in names)

    def add_branches(self, number: int, depth: int = 1) -> bool:
        """Add filters for the selected bones."""
        bones = self.session.selection.in_order
        return bool(self.attempt(lambda: branches.add(self.edits, number, bones, depth)))

    def change_branch(self, number: int, place: int, **values: object) -> bool:
        """Give a filter another bone or depth."""
        return bool(self.attempt(lambda: branches.change(self.edits, number, place, **values)))

    def preview_depth(self, number: int, place: int, depth: int) -> None:
        """Show a filter's depth while it is dragged."""
        filters = branches.changed(self.edits, number, place, depth=depth)
        self.attempt(lambda: self.edits.preview(number, branches=filters))

    def move_branch(self, number: int, place: int, to: int) -> bool:
        """Put a filter elsewhere in the order."""
        return bool(self.attempt(lambda: branches.move(self.edits, number, place, to)))

    def remove_branch(self, number: int, place: int) -> bool:
        """Take a filter away; without any the layer reaches every bone."""
        return bool(self.attempt(lambda: branches.remove(self.edits, number, place)))

    # ------------------------------------------------------------ all layers
    @property
    def rule(self) -> CurveRule:
        """How curves of the clip and its layers come together."""
        stack = self.edits.stack
        return stack.curves if stack is not None else CurveRule.OVERRIDE

    @property
    def model_rotations(self) -> bool:
        """Whether override layers blend rotations in model space."""
        stack = self.edits.stack
        return stack is not None and stack.model_rotations

    def set_rule(self, rule: CurveRule) -> bool:
        """Choose the curve rule."""
        return bool(self.attempt(lambda: self.edits.set_curve_rule(rule)))

    def set_model_rotations(self, on: bool) -> bool:
        """Blend rotations in model space, or bone by bone."""
        return bool(self.attempt(lambda: self.edits.set_model_rotations(on)))

    def paint(self, mask: str | None) -> None:
        """Paint a mask on the bone tree; the same one again ends that."""
        blending = self.session.feature(Blending)
        if mask == blending.painted:
            mask = None
        blending.paint(mask)
        if mask is not None:
            self.session.messages.info(
                tr("Click bones in the bone tree to paint “{mask}”", mask=mask),
                tr("Alt+click erases, Shift+click includes descendants"),
            )

    def attempt(self, work: Callable[[], T]) -> T | None:
        """Do something that may be refused; the reason goes to the message bar."""
        try:
            return work()
        except AnimError as error:
            self.session.messages.warn(str(error))
            return None
