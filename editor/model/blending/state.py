"""Blending in one session: the spaces, and the one that is tried out."""

from editor.model.blending.layer_hand import LayerHand
from editor.model.blending.layer_verbs import LayerVerbs
from editor.model.blending.layers import LayerEdits
from editor.model.blending.live import LiveBlend
from editor.model.blending.spaces import Spaces
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.selection import Selection


class Blending:
    """What the blend panels, their actions and the viewport share.

    Attributes
    ----------
    aiming : whether a drag in the viewport moves the point (yaw and pitch)
    brush : weight that a click on the bone tree paints
    paint_changed : another mask is painted, or none
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        edit_jobs: EditJobs,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        selection: Selection,
        messages: Messages,
    ) -> None:
        self._evaluator = evaluator
        self.spaces = Spaces(document, edits, evaluator, messages)
        self.live = LiveBlend(self.spaces, evaluator, playback, display, messages)
        self.layers = LayerEdits(document, edits, evaluator)
        self.hand = LayerHand(document, edits, self.layers, playback, evaluator, selection)
        self.layer_verbs = LayerVerbs(
            document, edit_jobs, self.layers, self.hand, playback, selection, messages
        )
        selection.keys_changed.connect(lambda _: self.live.stop())
        evaluator.layers.changed.connect(lambda _: self.live.stop())
        self.aiming = False
        self._painted: str | None = None
        self.brush = 1.0
        self.paint_changed: Event[None] = Event()
        document.replaced.connect(lambda _: self._on_replaced())

    @property
    def painted(self) -> str | None:
        """Name of the blend mask that clicks on the bone tree paint, or None."""
        rig = self._evaluator.rig
        return self._painted if rig is not None and self._painted in rig.masks else None

    def paint(self, mask: str | None) -> None:
        """Paint a mask on the bone tree from now on; None ends that."""
        if mask != self._painted:
            self._painted = mask
            self.paint_changed.emit(None)

    @property
    def aims(self) -> bool:
        """Whether a drag in the viewport aims now: an aim offset is shown, and aiming is on."""
        space = self.spaces.current
        return self.aiming and self.live.on and space is not None and space.aim_offset

    def _on_replaced(self) -> None:
        self.live.stop()
        self.spaces.open(None)
