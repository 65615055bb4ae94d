"""The layers over the clip shown: the document's, or as a drag has them."""

import logging
from collections.abc import Mapping, Sequence

from core.blending.layer_stack import LayerStack, StackPlayer
from core.clips.clip import Clip
from core.errors import AnimError
from core.evaluation.clip_pipeline import stack_of
from core.ids import AssetId
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.events import Event

logger = logging.getLogger(__name__)


class Layered:
    """Which layers are shown over a clip, and what plays them.

    Attributes
    ----------
    preview : layers as a drag shows them, instead of the document's with the same id
    shown : whether layers are shown at all
    result : whether the curve editor shows what all layers make, in place of the layer in hand's curves
    problem : why layers that count are not shown, or ""
    changed : either differs
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._preview: LayerStack | None = None
        self._shown, self._result = True, False
        self._made_of: tuple[object, ...] = ()
        self._clips: Mapping[AssetId, Clip] = {}
        self._made: StackPlayer | None = None
        self.problem = ""
        self.changed: Event[None] = Event()

    @property
    def shown(self) -> bool:
        """Whether layers are shown."""
        return self._shown

    @shown.setter
    def shown(self, on: bool) -> None:
        if on != self._shown:
            self._shown = on
            self.changed.emit(None)

    @property
    def result(self) -> bool:
        """Whether the result is shown."""
        return self._result

    @result.setter
    def result(self, on: bool) -> None:
        if on != self._result:
            self._result = on
            self.changed.emit(None)

    def set_preview(self, stack: LayerStack | None) -> None:
        """Show layers as a drag has them; None shows the document's."""
        if stack is not self._preview:
            self._preview = stack
            self.changed.emit(None)

    def stack(self, clip: AssetId) -> LayerStack | None:
        """The layers over a clip, as shown."""
        found = stack_of(self._document.project, clip)
        preview = self._preview
        return preview if preview is not None and found is not None and preview.id == found.id else found

    def player(self, rig: Rig, clip: AssetId, meshes: tuple[Mesh, ...]) -> StackPlayer | None:
        """What plays the layers shown over a clip; None where none counts, or they cannot be played.

        The same object until something that it plays changes.
        """
        stack = self.stack(clip) if self._shown else None
        if stack is None or not stack.active():
            return None
        clips = {clip.id: clip for clip in self._document.project.clips}
        made_of, before = (rig, stack, *meshes), self._clips
        same = len(made_of) == len(self._made_of) and all(
            a is b for a, b in zip(made_of, self._made_of, strict=True)
        )
        edited = [c for c in clips.values() if before.get(c.id) is not c]
        if same and not edited and len(clips) == len(before):
            return self._made
        self._made_of, self._clips, self.problem = made_of, clips, ""
        try:
            known = self._made if same and clips.keys() == before.keys() else None
            self._made = (known and _edited(known, edited)) or StackPlayer(rig, stack, clips, meshes)
        except AnimError as error:
            self._made, self.problem = None, str(error)
            logger.warning("layers left out: %s", error)
        return self._made

    def concerns(self, clip: AssetId | None, ids: frozenset[AssetId]) -> bool:
        """Whether a change of these assets may change what the layers over a clip do."""
        stack = self.stack(clip) if clip is not None else None
        if stack is None:
            return self._made is not None and self._made.stack.id in ids
        return stack.id in ids or any(layer.clip in ids for layer in stack.layers)


def _edited(player: StackPlayer, clips: Sequence[Clip]) -> StackPlayer | None:
    """The player with clips that were edited, sharing the rest; None where more than the layers' own keys differ."""
    bases = {layer.clip.additive.base_clip for layer in player.layers if layer.clip.additive is not None}
    if any(clip.id in bases or clip.rig != player.rig.id for clip in clips):
        return None
    for clip in clips:
        if player.place_of(clip.id) is not None:
            player = player.with_clip(clip)
    return player
