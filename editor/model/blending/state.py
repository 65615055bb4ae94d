"""Blending in one session: the spaces, and the one that is tried out."""

from typing import TYPE_CHECKING

from editor.model.blending.live import LiveBlend
from editor.model.blending.spaces import Spaces

if TYPE_CHECKING:
    from editor.model.session import Session


class Blending:
    """What the blend panels, their actions and the viewport share.

    Attributes
    ----------
    aiming : whether a drag in the viewport moves the point (yaw and pitch)
    """

    def __init__(self, session: "Session") -> None:
        self.spaces = Spaces(session.document, session.edits, session.evaluator, session.messages)
        self.live = LiveBlend(
            self.spaces, session.evaluator, session.playback, session.preview, session.messages
        )
        self.aiming = False
        session.document.replaced.connect(lambda _: self._on_replaced())

    @property
    def aims(self) -> bool:
        """Whether a drag in the viewport aims now: an aim offset is shown, and aiming is on."""
        space = self.spaces.current
        return self.aiming and self.live.on and space is not None and space.aim_offset

    def _on_replaced(self) -> None:
        self.live.stop()
        self.spaces.open(None)
