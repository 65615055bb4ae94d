"""Scrub through time by a drag: on the ruler to where the pointer is, elsewhere (K held) by how far it went."""

from collections.abc import Callable

from editor.model.i18n import tr
from editor.model.playback import Playback
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer

PIXELS_PER_FRAME = 6.0


class Scrub(Gesture):
    """Set the time by the pointer; whole frames, between them with Shift. Esc goes back to where it began.

    Parameters
    ----------
    time_at : seconds that an x pixel stands for
    snap : seconds to the nearest whole frame
    """

    def __init__(
        self, playback: Playback, time_at: Callable[[float], float], snap: Callable[[float], float]
    ) -> None:
        self._playback = playback
        self._time_at = time_at
        self._snap = snap
        self._before = playback.time

    def begin(self, pointer: Pointer) -> None:
        self._playback.pause()
        self.move(pointer)

    def move(self, pointer: Pointer) -> None:
        time = self._time_at(pointer.x)
        self._playback.seek(time if pointer.has(Modifiers.SHIFT) else self._snap(time))

    def cancel(self) -> None:
        self._playback.seek(self._before)

    @property
    def hint(self) -> str:
        return tr("Drag to scrub · Shift: between frames · Esc cancels")


def scrub_from(playback: Playback, start_x: float, snap: Callable[[float], float], frame: float) -> Scrub:
    """A scrub that counts frames from the present time, for a drag anywhere; `frame` is its length in seconds."""
    before = playback.time
    return Scrub(playback, lambda x: before + (x - start_x) / PIXELS_PER_FRAME * frame, snap)
