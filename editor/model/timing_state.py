"""What the timing bar is set to: which shape its slider pulls toward, and the curves that are kept as buffer."""

from core.clips.clip import Clip
from editor.model.document import Document
from editor.model.events import Event
from editor.model.preferences import Preferences

PREFERENCE = "timing_mode"


class TimingState:
    """The timing bar's mode and buffer.

    Attributes
    ----------
    changed : the mode or the buffer is another
    asked : the bar's number is to be typed
    """

    def __init__(self, document: Document, preferences: Preferences) -> None:
        self._preferences = preferences
        self._buffer: Clip | None = None
        self.changed: Event[None] = Event()
        self.asked: Event[None] = Event()
        document.replaced.connect(lambda _: self.keep(None))

    @property
    def mode(self) -> str:
        """Id of the mode, as it was chosen last; a table of modes tells which there are."""
        return str(self._preferences.get(PREFERENCE))

    def choose(self, mode: str) -> None:
        """Choose a mode; remembered."""
        if mode != self.mode:
            self._preferences.set(PREFERENCE, mode)
            self.changed.emit(None)

    @property
    def buffer(self) -> Clip | None:
        """The clip whose curves are the buffer, as it was when it was kept."""
        return self._buffer

    def keep(self, clip: Clip | None) -> None:
        """Keep the curves of a clip as buffer; None empties it."""
        if clip is not self._buffer:
            self._buffer = clip
            self.changed.emit(None)
