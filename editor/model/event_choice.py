"""The notifies of the clip that are selected on the timeline: the inspector shows them, too."""

from core.clips.clip import Notify
from editor.model.events import Event


class EventChoice:
    """Which notifies of the clip shown are selected, the one picked last first.

    Attributes
    ----------
    changed : others are selected
    """

    def __init__(self) -> None:
        self._notifies: tuple[Notify, ...] = ()
        self.changed: Event[None] = Event()

    @property
    def notifies(self) -> tuple[Notify, ...]:
        """The notifies."""
        return self._notifies

    def choose(self, *notifies: Notify) -> None:
        """Select these."""
        if notifies != self._notifies:
            self._notifies = notifies
            self.changed.emit(None)
