"""Blending in one session: the spaces, and the one that is tried out."""

from typing import TYPE_CHECKING

from editor.model.blending.layers import LayerEdits
from editor.model.blending.live import LiveBlend
from editor.model.blending.spaces import Spaces
from editor.model.events import Event

if TYPE_CHECKING:
    from editor.model.session import Session


class Blending:
    """What the blend panels, their actions and the viewport share.

    Attributes
    ----------
    aiming : whether a drag in the viewport moves the point (yaw and pitch)
    brush : weight that a click on the bone tree paints
    paint_changed : another mask is painted, or none
    """

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.spaces = Spaces(session.document, session.edits, session.evaluator, session.messages)
        self.live = LiveBlend(
            self.spaces, session.evaluator, session.playback, session.preview, session.messages
        )
        self.layers = LayerEdits(session.document, session.edits, session.edit_jobs, session.evaluator)
        session.selection.keys_changed.connect(lambda _: self.live.stop())
        session.evaluator.layers.changed.connect(lambda _: self.live.stop())
        self.aiming = False
        self._painted: str | None = None
        self.brush = 1.0
        self.paint_changed: Event[None] = Event()
        session.document.replaced.connect(lambda _: self._on_replaced())

    @property
    def painted(self) -> str | None:
        """Name of the blend mask that clicks on the bone tree paint, or None."""
        rig = self._session.rig
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
