"""The chain of a retarget's map that is looked at, and the bones that are lit with it."""

from collections.abc import Callable, Sequence

from core.errors import AnimError
from editor.model.events import Event
from editor.model.i18n import sentence
from editor.model.messages import Messages
from editor.model.retarget.subject import RetargetSubject
from editor.model.selection import Selection


class ChainPick:
    """Follows the selection, and leads it: a chain's row and its bones are chosen together.

    Attributes
    ----------
    changed : another chain is looked at, or bones of the source are
    picking : whether clicks in the views give the chosen chain its bones
    watched : whether the panel is in sight: the alignment is drawn with it
    give : gives a chain bones of the target, while picking
    """

    def __init__(self, subject: RetargetSubject, selection: Selection, messages: Messages) -> None:
        self._subject = subject
        self._selection = selection
        self._messages = messages
        self.changed: Event[None] = Event()
        self.give: Callable[[str, Sequence[str]], None] = lambda chain, bones: None
        self.picking = False
        self.watched = False
        self._chain: str | None = None
        self._bones: tuple[str, ...] = ()
        self._looking = False
        selection.bones_changed.connect(lambda _: self._on_selection())

    @property
    def chain(self) -> str | None:
        """The chain whose row is chosen."""
        return self._chain

    @property
    def source_bones(self) -> tuple[str, ...]:
        """Bones of the source that are lit."""
        return self._bones

    def look_at(self, chain: str | None) -> None:
        """Choose a chain's row: its bones light up in both views."""
        pair = self._subject.pair(chain)
        self._chain = pair.name if pair is not None else None
        self._bones = pair.source if pair is not None else ()
        if pair is not None:
            self._looking = True
            try:
                self._selection.select(pair.target)
            finally:
                self._looking = False
        self.changed.emit(None)

    def look_again(self, chain: str) -> None:
        """A chain has other bones: light them where it is chosen."""
        if chain == self._chain:
            self.look_at(chain)

    def select_source(self, bones: Sequence[str]) -> None:
        """Light bones of the source."""
        self._bones = tuple(bones)
        self.changed.emit(None)

    def set_picking(self, on: bool) -> None:
        """Whether clicks in the views give the chosen chain its bones."""
        self.picking = on and self._chain is not None
        self.changed.emit(None)

    def watch(self, on: bool) -> None:
        """Say whether the panel is in sight."""
        if on != self.watched:
            self.watched = on
            self.changed.emit(None)

    def reset(self) -> None:
        """Look at no chain."""
        self._chain, self._bones = None, ()

    def drop_lost(self) -> None:
        """Look at no chain where the map no longer has the one chosen."""
        if self._chain is not None and self._subject.pair(self._chain) is None:
            self._chain, self.picking = None, False

    def find_again(self) -> None:
        """Light the chosen chain's bones by another map, or none where it lacks the chain."""
        pair = self._subject.pair(self._chain)
        self._chain, self._bones = (None, ()) if pair is None else (pair.name, pair.source)

    def _on_selection(self) -> None:
        """Bones selected in the viewport: given to the chosen chain while picking, else their chain is shown."""
        bones, chains = self._selection.bones, self._subject.chains
        if self._looking or chains is None or not bones:
            return
        if self.picking and self._chain is not None:
            try:
                self.give(self._chain, bones)
            except AnimError as error:
                self._messages.warn(sentence(str(error)))
            return
        pair = next((p for p in chains.chains if bones[-1] in p.target), None)
        if pair is not None:
            self._chain, self._bones = pair.name, pair.source
            self.changed.emit(None)
