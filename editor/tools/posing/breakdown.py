"""Hold B and drag: a breakdown between the keys on both sides, in the viewport."""

from editor.model.i18n import tr
from editor.model.posing.blend import Blend, Goal, begin_blend, key_neighbours
from editor.model.posing.verbs import acting
from editor.model.session import Session
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.transform import JITTER

PIXELS = 240.0
"""A drag of so many pixels goes from one key to the other."""


class DragBreakdown(Gesture):
    """One drag sideways; the pose begins where the playhead stands between the keys.

    Raises
    ------
    ValidationError
        On making it, where there are no keys on both sides.
    """

    grabs_keys = True

    def __init__(self, session: Session) -> None:
        self._session = session
        self._blend: Blend = begin_blend(session, Goal.BREAKDOWN)
        self._from = _share_now(session)
        self._start: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        start = self._start
        if start is None or (self._blend.share is None and pointer.distance(start) < JITTER):
            return
        self._blend.move(self._from + (pointer.x - start.x) / PIXELS)

    def finish(self, pointer: Pointer) -> None:
        self._blend.finish()

    def cancel(self) -> None:
        self._blend.cancel()

    @property
    def status(self) -> str:
        share = self._from if self._blend.share is None else self._blend.share
        return tr("Breakdown  {percent} %", percent=f"{100 * share:.0f}")

    @property
    def hint(self) -> str:
        return tr("Drag left toward the previous key, right toward the next · Esc cancels")


def _share_now(session: Session) -> float:
    """How far the playhead stands between the neighbouring keys."""
    rig = session.rig
    before, after = key_neighbours(session, acting(session, rig)) if rig is not None else (None, None)
    if before is None or after is None or after <= before:
        return 0.5
    return (session.playback.time - before) / (after - before)
