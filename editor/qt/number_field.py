"""The number field: drag sideways to scrub, click to type, with unit, axis and key state at a glance."""

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolTip, QWidget

from core.errors import ValidationError
from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.expression import evaluate, shown, typed
from editor.qt.focus import focus_was_lost, follow_focus
from editor.qt.icons import paint_diamond
from editor.qt.keys import keeps
from editor.qt.theme import Theme

FINE, COARSE = 0.1, 10.0
DIAMOND_SPACE = 14
LETTER_SPACE = 14
TIP_DELAY = 300
"""Milliseconds after which a click that ended the typing is over."""
MOST_ROOM = 110
"""A field asks for no more width than this, however long its number."""


class NumberField(QWidget):
    """One number. Set it with `set_value` (which tells nobody); listen to what the person does.

    While it is scrubbed `previewed` tells every step, then `committed` the last one; after Escape or
    the right button `previewed` tells the number of before, then comes `cancelled`. Typing ends in
    `committed` alone. The wheel edits only while the field has the focus.

    Parameters
    ----------
    theme : colours and fonts
    unit : shown dim after the number; also what may be typed after it ("m", "°", "%", "s", "")
    axis : 0, 1, 2 for a tinted letter X, Y, Z; None for none
    step : change for each pixel of a scrub and for each notch of the wheel × 10
    decimals : digits after the point that are shown
    bounds : least and most that everything is held to
    keyed : whether room is left for the key diamond
    letter : another letter than that of the axis (a quaternion's W)
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()

    def __init__(
        self,
        theme: Theme,
        unit: str = "",
        axis: int | None = None,
        step: float = 0.01,
        decimals: int = 3,
        bounds: tuple[float, float] = (-1e9, 1e9),
        keyed: bool = False,
        letter: str = "",
    ) -> None:
        super().__init__()
        self.theme, self.unit, self.axis, self.step, self.decimals = theme, unit, axis, step, decimals
        (self.minimum, self.maximum), self.keyed = bounds, keyed
        self.letter = letter or ("XYZ"[axis] if axis is not None else "")
        self.key_state = "none"
        self._room = 0
        self._value: float | None = 0.0
        self._scrub: _Scrub | None = None
        self._hovered = False
        self._tip = ""  # that comes back with the number
        self._editor = QLineEdit(self)
        self._editor.setFont(theme.font(tabular=True))
        self._editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._editor.setProperty("bare", "true")  # ring, letter and key state stay those of the field
        self._editor.hide()
        self._editor.installEventFilter(self)
        follow_focus()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(theme.font(tabular=True))

    # ------------------------------------------------------------ value
    @property
    def value(self) -> float | None:
        """The number shown; None where several differ."""
        return self._value

    def set_value(self, value: float | None) -> None:
        """Show another number; an equal one, or one that comes during a scrub, does nothing.

        An open editor that nobody has typed into yet shows it too.
        """
        if self._scrub is None and value != self._value:
            self._value = value
            self._make_room()
            self.update()
            if self._typing and not self._editor.isModified():
                self._fill_editor()

    def set_key_state(self, state: str) -> None:
        """Show "key" (filled), "animated" (outline), "pending" (violet) or "none"."""
        if state != self.key_state:
            self.key_state = state
            self.update()

    @property
    def editing(self) -> bool:
        """Whether it is being typed into or scrubbed."""
        return self._scrub is not None or self._typing

    @property
    def _typing(self) -> bool:
        """Whether the editor is open, though the field be out of sight (in a hidden panel)."""
        return not self._editor.isHidden()

    # ------------------------------------------------------------ typing
    def edit(self) -> None:
        """Begin typing, everything selected."""
        if not self.isEnabled():
            return
        self._place_editor()
        self._editor.show()
        self.update()
        self._editor.setFocus()
        self._fill_editor()

    def _fill_editor(self) -> None:
        self._editor.setText("" if self._value is None else typed(self._value, self.decimals))
        self._editor.selectAll()

    def _accept_text(self) -> None:
        try:
            value = self._read(self._editor.text())
        except ValidationError as error:
            self._refuse(error)
            self._editor.selectAll()
            return
        self._leave_editor()
        self._commit(value)

    def _read(self, text: str) -> float:
        """The number that was typed.

        Raises
        ------
        ValidationError
            It cannot be read, or lies outside the bounds.
        """
        value = evaluate(text, self._value, self.unit)
        for bound, words in (
            (self.minimum, tr("{value} is too small: the minimum is {bound}")),
            (self.maximum, tr("{value} is too large: the maximum is {bound}")),
        ):
            beyond = value < bound if bound == self.minimum else value > bound
            # What reads the same as the bound is the bound: hidden digits are nobody's mistake.
            if beyond and typed(value, self.decimals) != typed(bound, self.decimals):
                raise ValidationError(
                    words.format(value=typed(value, self.decimals), bound=typed(bound, self.decimals))
                )
        return value

    def _refuse(self, error: ValidationError) -> None:
        """Say at the field why what was typed is not taken."""
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), str(error), self)

    def _leave_editor(self) -> None:
        if self._typing:
            had = self._editor.hasFocus()
            self._editor.hide()
            if had:
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.update()

    def _commit(self, value: float) -> None:
        value = self._held(value)
        if value != self._value:
            self._value = value
            self.update()
            self.committed.emit(value)

    def _held(self, value: float) -> float:
        return min(max(value, self.minimum), self.maximum)

    def eventFilter(self, watched, event: QEvent) -> bool:
        if keeps(event, LOCAL_KEYS):
            return True
        if self._leaves_undo(event):
            event.ignore()  # nothing was typed that could be undone: the key is the window's
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._leave_editor()
                return True
            if (
                event.key() in ENTER_KEYS
            ):  # left to the line edit, it would come on to this field and edit again
                self._accept_text()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                # The field itself first: Qt looks for another focus widget when the one that has it is hidden,
                # and Tab would go on from there, over every other field.
                self.setFocus(Qt.FocusReason.OtherFocusReason)
                self._accept_quietly()
                back = (
                    event.key() == Qt.Key.Key_Backtab or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                )
                self.focusNextPrevChild(not back)
                return True
        left = isinstance(event, QFocusEvent) and event.lostFocus()
        if left and event.reason() != Qt.FocusReason.PopupFocusReason:  # type: ignore[attr-defined]
            self._accept_quietly()
        return super().eventFilter(watched, event)

    def _leaves_undo(self, event: QEvent) -> bool:
        """Whether Qt asks for an undo or redo key while nothing has been typed."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        undo, redo = (
            event.matches(QKeySequence.StandardKey.Undo),
            event.matches(QKeySequence.StandardKey.Redo),
        )
        if undo:
            return not self._editor.isUndoAvailable()
        return redo and not self._editor.isRedoAvailable()

    def _accept_quietly(self) -> None:
        """Take what was typed when the focus goes elsewhere; what cannot be taken is dropped, saying why."""
        if not self._typing:
            return
        text, changed = self._editor.text(), self._editor.isModified()
        self._editor.hide()
        self.update()
        try:
            value = self._read(text)
        except ValidationError as error:
            if changed:
                self._refuse_later(error)
            return
        if self._value is None or typed(value, self.decimals) != typed(self._value, self.decimals):
            self._commit(value)

    def _refuse_later(self, error: ValidationError) -> None:
        """Say why: a click elsewhere would close the tip at once."""
        QTimer.singleShot(TIP_DELAY, self, partial(self._refuse, error))

    # ------------------------------------------------------------ keys, wheel
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        # Qt tells the first field of a dialog that opens of a Tab, too, before the keyboard is there.
        if by_key and self.hasFocus() and not focus_was_lost():
            self.edit()

    def event(self, event: QEvent) -> bool:
        return keeps(event, LOCAL_KEYS if self._scrub is not None else ENTER_KEYS) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._scrub is not None:
            self._cancel()
        elif event.key() in ENTER_KEYS:
            self.edit()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus() or self._value is None:
            event.ignore()  # the panel scrolls; a value never changes by accident
            return
        turned = event.angleDelta()
        notches = (turned.y() or turned.x()) / 120  # with Alt the wheel turns to the side
        self._commit(self._value + notches * self.step * 10 * factor(event.modifiers()))
        event.accept()

    # ------------------------------------------------------------ scrubbing
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton and self._scrub is not None:
            self._cancel()
        elif event.button() == Qt.MouseButton.LeftButton and self.isEnabled():
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._scrub = _Scrub(event.globalPosition(), self._value)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        scrub = self._scrub
        if scrub is None or scrub.start is None:
            return
        moved = event.globalPosition().x() - scrub.last.x()
        scrub.last = event.globalPosition()
        scrub.travel += moved
        if not scrub.moving and abs(scrub.travel) >= 3:
            scrub.moving = True
            moved = scrub.travel
        if scrub.moving and moved:
            scrub.raw += moved * self.step * factor(event.modifiers())
            value = self._held(round(scrub.raw, self.decimals + 1))
            if value != self._value:
                self._value = value
                self.update()
                self.previewed.emit(value)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        scrub = self._scrub
        if event.button() != Qt.MouseButton.LeftButton or scrub is None:
            return
        self._scrub = None
        if not scrub.moving:
            self.edit()
        elif self._value != scrub.start and self._value is not None:
            self.committed.emit(self._value)
        else:
            self.cancelled.emit()
        self.update()

    def _cancel(self) -> None:
        scrub, self._scrub = self._scrub, None
        if scrub is not None:
            self._value = scrub.start
            self.update()
            if scrub.moving and scrub.start is not None:
                self.previewed.emit(scrub.start)  # who keeps at once what is tried has the number of before
            self.cancelled.emit()

    # ------------------------------------------------------------ looks
    def sizeHint(self) -> QSize:
        digits = self.fontMetrics().horizontalAdvance("−000.000") + self.fontMetrics().horizontalAdvance(
            self.unit
        )
        return QSize(digits + self._left() + 12, tokens.ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._left() + 48, self._room), tokens.ROW)

    def _make_room(self) -> None:
        """Ask for a wider field where the number does not fit; it never shrinks, so that nothing jumps about."""
        needed = min(self.width_of(self._value), MOST_ROOM)
        if needed > self._room:
            self._room = needed
            self.updateGeometry()

    def width_of(self, value: float | None) -> int:
        """Pixels that the field needs to show a number whole, with its unit."""
        text = "–" if value is None else shown(value, self.decimals)
        return self._left() + self.fontMetrics().horizontalAdvance(text) + self._unit_width() + 11

    def resizeEvent(self, event) -> None:
        self._place_editor()

    def _place_editor(self) -> None:
        """Over the number alone; a field too narrow for that gives all of its width."""
        left = self._left() if self.width() - self._left() > 40 else 2
        self._editor.setGeometry(self.rect().adjusted(left, 2, -3, -2))

    def enterEvent(self, event) -> None:
        self._hovered = True
        self.update()

    def leaveEvent(self, event) -> None:
        self._hovered = False
        self.update()

    def _left(self) -> int:
        return 4 + (DIAMOND_SPACE if self.keyed else 0) + (LETTER_SPACE if self.letter else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        theme, enabled = self.theme, self.isEnabled()
        active = self._scrub is not None or self.hasFocus() or self._typing
        edge = "accent" if active else "border"
        painter.setPen(QPen(theme.color(edge if enabled else "divider"), 1))
        painter.setBrush(theme.color("hover" if self._hovered and enabled and not active else "field"))
        painter.drawRoundedRect(box, tokens.RADIUS, tokens.RADIUS)
        x = 4
        if self.keyed:
            self._paint_key(painter, QPointF(x + 6, self.height() / 2))
            x += DIAMOND_SPACE
        if self.letter:
            tint = ("axis_x", "axis_y", "axis_z")[self.axis] if self.axis is not None else "dim"
            painter.setPen(theme.ink(tint) if enabled else theme.color("disabled"))
            painter.setFont(theme.font(tokens.CAPTION, bold=True))
            painter.drawText(
                QRect(x, 0, LETTER_SPACE, self.height()), Qt.AlignmentFlag.AlignVCenter, self.letter
            )
        if not self._typing:
            self._paint_number(painter, enabled)
        painter.end()

    def _paint_number(self, painter: QPainter, enabled: bool) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        right = self.width() - 7
        painter.setFont(self.font())
        text, unit = self.written()
        room = right - self._left()
        if unit:
            width = painter.fontMetrics().horizontalAdvance(self.unit)
            painter.setPen(self.theme.color("dim" if enabled else "disabled"))
            painter.drawText(QRect(right - width, 0, width, self.height()), middle, self.unit)
            room -= self._unit_width()
        painter.setPen(self.theme.color("text" if enabled else "disabled"))
        painter.drawText(QRect(self._left(), 0, room, self.height()), middle, text)

    def written(self) -> tuple[str, str]:
        """Number and unit as they stand in the field.

        Where both do not fit the unit gives way, then decimals; only a whole number that does not fit is cut.
        """
        metrics, value = self.fontMetrics(), self._value
        room = self.width() - 7 - self._left()
        text = "–" if value is None else shown(value, self.decimals)
        if metrics.horizontalAdvance(text) + self._unit_width() <= room:
            return text, self.unit
        for decimals in range(self.decimals if value is not None else 0, -1, -1):
            text = text if value is None else shown(value, decimals)
            if metrics.horizontalAdvance(text) <= room:
                return text, ""
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room), ""

    def _unit_width(self) -> int:
        """Pixels that the unit takes beside the number."""
        gap = 0 if self.unit in ("", "°") else 3
        return self.fontMetrics().horizontalAdvance(self.unit) + gap

    def _paint_key(self, painter: QPainter, centre: QPointF) -> None:
        color, kind = KEY_LOOKS.get(self.key_state, ("dim", "key_none"))
        paint_diamond(painter, centre, 3.5, self.theme.color(color), kind)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            nothing = tr("Nothing to edit")
            if not self.isEnabled():
                self._tip = self.toolTip()
                self.setToolTip(nothing)
            elif self.toolTip() == nothing:
                self.setToolTip(self._tip)
            self.update()


KEY_LOOKS = {
    "key": ("key", "key"),
    "animated": ("key", "key_animated"),
    "pending": ("pending", "key"),
}
ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
LOCAL_KEYS = (*ENTER_KEYS, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab)


class _Scrub:
    """One sideways drag, from press to release."""

    __slots__ = ("last", "moving", "raw", "start", "travel")

    def __init__(self, place: QPointF, start: float | None) -> None:
        self.last = place
        self.start = start
        self.raw = start or 0.0
        self.travel = 0.0
        self.moving = False


def factor(modifiers: Qt.KeyboardModifier) -> float:
    """How much faster or slower a drag goes: Shift fine, Ctrl coarse."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return FINE
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return COARSE
    return 1.0
