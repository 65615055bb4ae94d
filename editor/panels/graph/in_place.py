"""Typing in place on the canvas: rules, literals, names; with completion, errors underlined, the value now."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from core.graph.language.values import ValueType
from editor.model.graph.language import Language
from editor.qt.completion_list import KEYS, MOST_WIDTH, CompletionList
from editor.qt.expression_line import ExpressionLine
from editor.qt.keys import keeps
from editor.qt.theme import Theme
from editor.qt.widgets import label

LEAST_WIDTH = 140
VALUE_TICK = 200
"""Milliseconds between two looks at the value while the graph runs."""


class InPlace(QFrame):
    """A field over the canvas, with a list of completions and a line for errors below."""

    def __init__(self, theme: Theme, language: Language, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme, self.language = theme, language
        self._done: Callable[[str], object] = lambda text: None
        self._type: ValueType | None = None
        self._checks = True
        self.setObjectName("graphInPlace")
        self.setProperty("role", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(2)
        self.field = ExpressionLine(theme)
        self.field.setObjectName("graphInPlaceField")
        self.field.textEdited.connect(lambda _: self._edited())
        self.field.installEventFilter(self)
        column.addWidget(self.field)
        self.said = label("", "caption", wrap=True)
        self.said.setObjectName("graphInPlaceSaid")
        column.addWidget(self.said)
        self.list = CompletionList("graphCompletions")
        self.list.itemClicked.connect(lambda item: self._complete(self.list.row(item)))
        column.addWidget(self.list)
        # Else a click on the list, which takes no keyboard, gives it to the canvas below.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self.field)
        self._look = QTimer(self)
        self._look.setInterval(VALUE_TICK)
        self._look.timeout.connect(self._say)
        self.hide()

    def open(
        self,
        at: QPoint,
        text: str,
        done: Callable[[str], object],
        *,
        type_: ValueType | None = None,
        checks: bool = True,
        width: int = 0,
    ) -> None:
        """Type at a place.

        Parameters
        ----------
        done : gets the text at Enter, or when the focus goes elsewhere
        type_ : that the expression must have; None for any
        checks : whether it is an expression, not a name
        """
        self._done, self._type, self._checks = done, type_, checks
        self.field.setText(text)
        self.field.selectAll()
        self.setFixedWidth(min(max(width, LEAST_WIDTH), MOST_WIDTH))
        self._at = at
        self._edited(complete=False)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        if checks:
            self._look.start()

    def _edited(self, complete: bool = True) -> None:
        text, cursor = self.field.text(), self.field.cursorPosition()
        fault = self.language.fault(text, self._type) if self._checks else None
        self.field.show_fault(fault)
        self._say()
        offers = complete and self._checks
        self.list.offer(self.language.completions(text, cursor, self._type) if offers else ())
        if self.list.offered:  # it becomes wider for what they say, and not narrower while it is open
            wanted = min(self.list.wanted_width, MOST_WIDTH, self.parentWidget().width() - 4)
            self.setFixedWidth(max(wanted, self.width()))
        self._place()

    def _say(self) -> None:
        fault = self.field.fault
        text = fault.message if fault is not None else ""
        if not text and self._checks:
            value = self.language.value(self.field.text())
            text = f"= {value}" if value else ""
        self.said.setText(text)
        self.said.setStyleSheet(
            f"color: {self.theme.tokens.error if fault is not None else self.theme.tokens.accent}"
        )
        self.said.setVisible(bool(text))

    def _place(self) -> None:
        self.adjustSize()
        area = self.parentWidget().rect()
        x = min(max(self._at.x(), 2), max(area.width() - self.width() - 2, 2))
        y = min(max(self._at.y(), 2), max(area.height() - self.height() - 2, 2))
        self.move(x, y)

    def _complete(self, row: int) -> None:
        found = self.list.put_into(self.field, row)
        if found is not None:
            self._edited(complete=found.text.endswith(("(", "'")))

    def take(self) -> None:
        """Hand over what was typed."""
        if self.isVisible():
            text, done = self.field.text(), self._done
            self.close_field()
            done(text)

    def close_field(self) -> bool:
        """Hide it; whether it was there."""
        shown = self.isVisible()
        self._look.stop()
        self.hide()
        if shown:
            self.parentWidget().setFocus(Qt.FocusReason.OtherFocusReason)
        return shown

    def eventFilter(self, watched, event: QEvent) -> bool:
        if keeps(event, KEYS):
            return True
        if event.type() == QEvent.Type.FocusOut and not self.underMouse():
            self.take()
            return False
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        key, row = event.key(), self.list.currentRow()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if row >= 0:
                self._complete(row)
            else:
                self.take()
        elif key == Qt.Key.Key_Escape:
            self.close_field()
        elif key == Qt.Key.Key_Tab:
            self._complete(self.list.row_for_tab(self.field.text()))
        else:
            return self.list.step(Qt.Key(key))
        return True
