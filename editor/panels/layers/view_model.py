"""The layers panel without Qt."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.blending.layer_stack import ClipLayer, LayerMode
from core.blending.layers import BranchFilter
from core.clips.clip import Clip
from core.errors import AnimError
from core.ids import AssetId
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
    counts : whether it is heard (not muted, and solo where any is)
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
    branch: str
    stretch: bool
    counts: bool


class LayersModel:
    """What the panel shows, and what it does; refusals go to the message bar."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.edits = session.blending.layers

    @property
    def clip(self) -> Clip | None:
        """The clip shown."""
        return self.session.clip

    @property
    def shown(self) -> bool:
        """Whether layers are shown in the viewport."""
        return self.session.evaluator.layers.shown

    def rows(self) -> tuple[LayerRow, ...]:
        """Layers from the highest to the lowest."""
        stack = self.edits.stack
        if stack is None:
            return ()
        audible = stack.audible()
        now = np.array([self.session.playback.time])
        return tuple(
            LayerRow(
                k, layer.name, layer.clip, layer.mode, float(layer.weights(now)[0]), layer.curve is not None,
                layer.muted, layer.solo, layer.mask, _branch(layer), layer.stretch, any(layer is a for a in audible),
            )
            for k, layer in reversed(tuple(enumerate(stack.layers)))
        )  # fmt: skip

    def structure(self) -> tuple[object, ...]:
        """What decides which rows there are."""
        return tuple((row.number, row.name) for row in self.rows())

    # ------------------------------------------------------------ doing
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

    def set_branch(self, number: int) -> bool:
        """Let a layer reach the active bone and all below it."""
        bone = self.session.selection.active
        if bone is None:
            self.session.messages.warn(tr("Select the bone where the layer is to begin"))
            return False
        return self.change(number, mask=None, branches=(BranchFilter(bone, 1),))

    def paint(self, mask: str | None) -> None:
        """Paint a mask on the bone tree; the same one again ends that."""
        blending = self.session.blending
        if mask == blending.painted:
            mask = None
        blending.paint(mask)
        if mask is not None:
            self.session.messages.info(
                tr("Click bones in the bone tree to paint “{mask}”", mask=mask),
                tr("Alt+click takes them out, Shift+click paints all below"),
            )

    def attempt(self, work: Callable[[], T]) -> T | None:
        """Do something that may be refused; the reason goes to the message bar."""
        try:
            return work()
        except AnimError as error:
            self.session.messages.warn(str(error))
            return None


def _branch(layer: ClipLayer) -> str:
    """Branch filters in words, "" where a mask or nothing chooses the bones."""
    return "" if layer.mask is not None else ", ".join(entry.bone for entry in layer.branches)
