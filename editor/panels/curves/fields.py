"""Numbers of the selected keys: frame, value, slopes; typed, scrubbed, with expressions."""

import re
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.errors import AnimError
from editor.model.i18n import tr, trn
from editor.panels.curves.commands import CurveCommands
from editor.qt.binding import Bindings
from editor.qt.expression import evaluate
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label
from editor.tools.key_edits import Edited

RELATIVE = re.compile(r"\s*([-+*/]=|[+*/])")
Edit = Callable[[float], Edited | None]


class KeyNumber(NumberField):
    """A number field that hands on what is typed relative to numbers that differ ("+3", "*2")."""

    relative = Signal(str)

    def _accept_text(self) -> None:
        text = self._editor.text()
        if self._value is None and RELATIVE.match(text):
            self._leave_editor()
            self.relative.emit(text)
        else:
            super()._accept_text()


NO_SLOPES = tr(
    "Quaternion keys have no slopes or handles. Keys 1 to 6 set their interpolation. Sliders and filters › "
    "Convert to Euler angles makes curves with handles."
)


class KeyFields(QWidget):
    """Frame, value, in and out slope of the selected keys; – where they differ."""

    def __init__(self, context: PanelContext, commands: CurveCommands) -> None:
        super().__init__()
        self._commands = commands
        self._captions: list[QLabel] = []
        theme = context.theme
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.count = label("", "dim")
        self.count.setMinimumWidth(40)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.count)
        self.frame = self._add(
            row, theme, "curvesFrame", tr("Frame"), 0.1, 2, commands.frame_edit, tr("Move to frame")
        )
        self.value = self._add(
            row, theme, "curvesValue", tr("Value"), 0.05, 3, commands.value_edit, tr("Set key value")
        )
        self.into = self._add(
            row, theme, "curvesIn", tr("In"), 0.5, 2, lambda v: commands.slope_edit(v, -1), tr("Set in-slope")
        )
        self.out = self._add(
            row,
            theme,
            "curvesOut",
            tr("Out"),
            0.5,
            2,
            lambda v: commands.slope_edit(v, 1),
            tr("Set out-slope"),
        )
        session = context.session
        Bindings(self).refresh(
            self.refresh, session.selection.keys_changed, session.preview.changed, session.document.changed,
            session.playback.clip_changed, commands.model.lanes_changed,
        )  # fmt: skip
        self.refresh()

    def _add(
        self,
        row: QHBoxLayout,
        theme: object,
        name: str,
        title: str,
        step: float,
        decimals: int,
        edit: Edit,
        text: str,
    ) -> NumberField:
        caption: QLabel = label(title, "caption")
        row.addSpacing(4)
        row.addWidget(caption)
        self._captions.append(caption)
        field = KeyNumber(theme, step=step, decimals=decimals)  # type: ignore[arg-type]
        field.setObjectName(name)
        field.setMinimumWidth(56)
        field.setMaximumWidth(82)
        field.setToolTip(text)
        field.previewed.connect(lambda value: self._commands.show(edit(value)))
        field.committed.connect(lambda value: self._commit(text, edit, value))
        field.cancelled.connect(self._commands.revert)
        what = name.removeprefix("curves").lower()
        field.relative.connect(lambda typed: self._change_each(text, what, typed))
        row.addWidget(field)
        return field

    def show_captions(self, shown: bool) -> None:
        """Whether the fields have their names beside them; the tool tips say them, too."""
        for caption in self._captions:
            caption.setVisible(shown)

    def _commit(self, text: str, edit: Edit, value: float) -> None:
        self._commands.revert()
        self._commands.commit(text, edit(value))
        self.refresh()

    def _change_each(self, text: str, what: str, typed: str) -> None:
        """Change keys that differ, each from its own number."""
        try:
            edited = self._commands.each_edit(what, lambda now: evaluate(typed, now))
        except AnimError as error:
            self._commands.session.messages.info(str(error))
            return
        self._commands.commit(text, edited)
        self.refresh()

    def refresh(self) -> None:
        """Show the selected keys as they are."""
        found = self._commands.summary()
        self.count.setText(trn("{count} key", "{count} keys", found.number) if found.number else "")
        for field, value, there in (
            (self.frame, found.frame, found.number > 0),
            (self.value, found.value, found.number > 0),
            (self.into, found.into, found.number > 0 and found.sloped),
            (self.out, found.out, found.number > 0 and found.sloped),
        ):
            field.setEnabled(there)
            field.set_value(value)
        for field, text in ((self.into, tr("Set in-slope")), (self.out, tr("Set out-slope"))):
            nothing = tr("Nothing to edit") if not found.number else NO_SLOPES
            field.setToolTip(text if found.sloped else nothing)
        if self.value.unit != found.unit:
            self.value.unit = found.unit
            self.value.update()
