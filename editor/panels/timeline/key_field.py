"""The frame of the selected keys as a number: scrubbed, typed, or changed key by key (``+3``, ``*2``, ``=120``)."""

from PySide6.QtWidgets import QToolTip

from core.errors import AnimError, ValidationError
from editor.model.i18n import tr, trn
from editor.qt.binding import Bindings
from editor.qt.expression import evaluate
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.tools import key_commands
from editor.tools.key_edits import Edited


class KeyFrameField(NumberField):
    """Shows – where the keys stand at several frames.

    A plain number moves the first of the keys there and the others along; ``=`` puts all of them there,
    ``+``, ``-=``, ``*`` and ``/`` change the frame of each.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context.theme, "", None, 0.1, 2, (-1e6, 1e6))
        self.setObjectName("transportKeys")
        self._session = session = context.session
        self.previewed.connect(self._preview)
        self.committed.connect(self._set_first)
        self.cancelled.connect(session.preview.clear)
        Bindings(self).refresh(
            self._show, session.selection.keys_changed, session.preview.changed, session.document.changed,
            session.playback.clip_changed,
        )  # fmt: skip
        self._show()

    def _show(self) -> None:
        frame, number = key_commands.frames_of(self._session)
        self.setEnabled(number > 0)
        self.set_value(None if frame is None else round(frame, 4))
        what = (
            trn("{count} key", "{count} keys", number) if number else tr("Select keys to change their frame")
        )
        self.setToolTip(f"{what}\n" + tr("+3 and *2 change each key's frame, =120 sets all"))

    # ------------------------------------------------------------ typing
    def _accept_text(self) -> None:
        text = self._editor.text().strip()
        try:
            zero, one = self._frames(text)
        except ValidationError as error:
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), str(error), self)
            self._editor.selectAll()
            return
        self._leave_editor()
        self._take(text, zero, one)

    def _accept_quietly(self) -> None:
        """What was typed is taken when the keyboard goes elsewhere; nothing typed changes nothing."""
        text, changed = self._editor.text().strip(), self._typing and self._editor.isModified()
        self._editor.hide()
        self.update()
        if not changed:
            return
        try:
            zero, one = self._frames(text)
        except ValidationError as error:
            self._refuse_later(error)
            return
        self._take(text, zero, one)

    def _frames(self, text: str) -> tuple[float, float]:
        """What becomes of frame 0 and of frame 1."""
        zero, one = (evaluate(text, current, self.unit) for current in (0.0, 1.0))
        if one == zero:
            self._read(text)  # one frame for all: it has to lie within the bounds
        return zero, one

    def _take(self, text: str, zero: float, one: float) -> None:
        if one == zero and not text.startswith("="):
            self._set_first(zero)
        else:
            self._commit_edit(lambda: key_commands.frames_typed(self._session, one - zero, zero, text))

    # ------------------------------------------------------------ doing
    def _first_at(self, frame: float) -> Edited | None:
        return key_commands.first_at(self._session, frame)

    def _preview(self, frame: float) -> None:
        edited = self._first_at(frame)
        if edited is not None:
            self._session.preview.set_clip(edited.clip)

    def _set_first(self, frame: float) -> None:
        self._session.preview.clear()
        self._commit_edit(lambda: key_commands.set_first(self._session, frame))

    def _commit_edit(self, edit) -> None:  # type: ignore[no-untyped-def]
        try:
            edit()
        except AnimError as error:
            self._session.messages.error(str(error))
        self._show()
