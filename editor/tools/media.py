"""Moving a sound or reference footage along the clip: one gesture, one undo step. Free of Qt."""

from collections.abc import Callable

from core.ids import AssetId
from core.media.tracks import Track
from core.timing import frame_text
from editor.model.i18n import tr
from editor.model.media.state import Media
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer


class DragTrack(Gesture):
    """Drag a track to another start; whole frames, with Shift any.

    Parameters
    ----------
    seconds_at : time under an x pixel
    """

    def __init__(self, media: Media, track: Track, seconds_at: Callable[[float], float]) -> None:
        self._media, self._seconds_at = media, seconds_at
        self._id: AssetId = track.id
        self._name, self._start, self._before = track.name, track.start, track.start
        self._from = 0.0
        self._moved = False

    def begin(self, pointer: Pointer) -> None:
        self._from = self._seconds_at(pointer.x)

    def move(self, pointer: Pointer) -> None:
        start = self._before + self._seconds_at(pointer.x) - self._from
        rate = self._media.rate
        if Modifiers.SHIFT not in pointer.modifiers:
            start = round(start * rate) / rate
        self._moved = self._moved or start != self._before
        if self._moved:
            self._start = start
            self._media.drag(self._id, start=start)

    def finish(self, pointer: Pointer) -> None:
        if self._moved:
            self._media.set(self._id, tr("Start"), start=self._start)

    def cancel(self) -> None:
        self._media.cancel()

    @property
    def status(self) -> str:
        frames = self._start * self._media.rate
        return tr("{name} starts at frame {frame}", name=self._name, frame=frame_text(frames))

    @property
    def hint(self) -> str:
        return tr("Drag: another start · Shift: between frames · Esc cancels")
