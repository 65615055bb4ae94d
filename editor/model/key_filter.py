"""Which types of keys the timeline shows. Free of Qt."""

import numpy as np
import numpy.typing as npt

from core.tracks.key_types import KeyType
from editor.model.document import Document
from editor.model.events import Event


class KeyFilter:
    """Types of keys that are shown; those of other types can be neither seen nor picked in the timeline.

    Attributes
    ----------
    changed : other types are shown
    """

    def __init__(self, document: Document) -> None:
        self._only: KeyType | None = None
        self.changed: Event[None] = Event()
        document.replaced.connect(lambda _: self.show_only(None))

    @property
    def only(self) -> KeyType | None:
        """The one type that is shown; None shows all."""
        return self._only

    def show_only(self, kind: KeyType | None) -> None:
        """Show one type alone, or all again."""
        if kind is not self._only:
            self._only = kind
            self.changed.emit(None)

    @property
    def shown(self) -> npt.NDArray[np.bool_] | None:
        """For each type whether it is shown; None where all are."""
        if self._only is None:
            return None
        found = np.zeros(len(KeyType), dtype=bool)
        found[int(self._only)] = True
        return found
