"""The marking menu in the viewport: its picture over the view, and the key that it is held by."""

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from editor.actions.registry import Registry
from editor.model.session import Session
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.tools.marking import DEAD, REACH, STEPS, Entry, MarkingInput, root_menu
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.scene import Pixel

WAIT = 150
"""Milliseconds that the key is held before the menu is drawn: a flick does not wait for it."""
HEIGHT, WIDEST = 24, 196
ACTION = "view.marking_menu"
ARROWS = {
    int(Qt.Key.Key_Up): (0, -1), int(Qt.Key.Key_Right): (1, 0),
    int(Qt.Key.Key_Down): (0, 1), int(Qt.Key.Key_Left): (-1, 0),
}  # fmt: skip
ENTER = (int(Qt.Key.Key_Return), int(Qt.Key.Key_Enter))


class MarkingMenu(QWidget):
    """Lies over the view while the menu is open, and lets the mouse through to it."""

    def __init__(self, view: QWidget, session: Session, actions: Registry, theme: Theme) -> None:
        super().__init__(view)
        self.setObjectName("markingMenu")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._view, self._actions, self._theme = view, actions, theme
        self.input = MarkingInput(lambda: root_menu(session), actions.run, self._changed)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT)
        self._wait.timeout.connect(self._appear)
        self.hide()
        view.installEventFilter(self)

    # ------------------------------------------------------------ opening
    def open(self, pixel: Pixel | None = None) -> None:
        """Open it, to stay until something is chosen; in the middle of the view without a pixel."""
        middle = self._view.rect().center()
        self.input.open(pixel or (float(middle.x()), float(middle.y())), held=False)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._appear()

    def _appear(self) -> None:
        self._wait.stop()
        if self.input.on:
            self.setGeometry(self._view.rect())
            self.raise_()
            self.show()

    def _changed(self) -> None:
        if not self.input.on:
            self._wait.stop()
            self.hide()
        elif self.input.held and not self.isVisible():
            if not self._wait.isActive():
                self._wait.start()
        else:
            self._appear()
            self.update()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.input.close()  # the release of the key would not be heard
        return False

    # ------------------------------------------------------------ mouse and keys
    def wants(self, key: int, modifiers: Modifiers) -> bool:
        """Whether a key is the menu's: any while it is open, else the one it is held by."""
        return self.input.on or (not modifiers and key in self._keys())

    def _keys(self) -> tuple[int, ...]:
        plain = [QKeySequence(keys) for keys in self._actions.shortcuts(ACTION) if "+" not in keys]
        return tuple(int(code[0].key()) for code in plain if code.count() == 1)  # type: ignore[index]

    def key(self, key: int, modifiers: Modifiers, pressed: bool, repeated: bool, pixel: Pixel) -> bool:
        """A key went down or up; whether it was the menu's."""
        if not self.wants(key, modifiers):
            return False
        if repeated:
            return True
        if key in self._keys():
            if not pressed:
                self.input.release()
            elif self.input.on:
                self.input.close()
            else:
                self.input.open(pixel, held=True)
            return True
        if pressed and self.input.on:
            self._pressed(key)
        return self.input.on or pressed

    def _pressed(self, key: int) -> None:
        if key == int(Qt.Key.Key_Escape):
            self.input.close()
        elif key in ARROWS:
            self.input.turn(*ARROWS[key])
            self._appear()
        elif key in ENTER:
            self.input.choose()
        elif int(Qt.Key.Key_1) <= key <= int(Qt.Key.Key_8):
            self.input.number(key - int(Qt.Key.Key_0))

    def press(self, pointer: Pointer) -> None:
        """A click takes what it is on; the right button closes the menu."""
        if pointer.button is Button.LEFT:
            self.input.move(pointer.pixel)
            self.input.choose()
        else:
            self.input.close()

    # ------------------------------------------------------------ drawing
    def text_of(self, entry: Entry) -> str:
        """What an entry says."""
        return entry.title or self._actions[entry.action].title.rstrip("…")

    def paintEvent(self, event: QPaintEvent) -> None:
        menu = self.input.menu
        if menu is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font())
        middle, accent = QPointF(*menu.place), self._theme.color("accent")
        painter.setPen(QPen(self._theme.color("dim"), 1.5))
        painter.setBrush(self._theme.color("panel", 0.7))
        painter.drawEllipse(middle, DEAD, DEAD)
        if menu.marked is not None:
            painter.setPen(QPen(accent, 2.0))
            painter.drawLine(middle, self._place(menu.place, menu.marked))
        for number, entry in enumerate(menu.entries):
            if entry is not None:
                self._paint_entry(
                    painter, entry, number, self._place(menu.place, number), number == menu.marked
                )
        painter.end()

    def _place(self, middle: Pixel, number: int) -> QPointF:
        """Where an entry's inner end is: on a wide ring, so that labels above each other keep apart."""
        dx, dy = STEPS[number]
        far = REACH * (0.72 if dx and dy else 0.86)
        return QPointF(middle[0] + dx * far, middle[1] + dy * far)

    def _paint_entry(self, painter: QPainter, entry: Entry, number: int, at: QPointF, marked: bool) -> None:
        text = f"{number + 1}  {self.text_of(entry)}" + ("  ›" if entry.menu else "")
        metrics = painter.fontMetrics()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, WIDEST - 20)
        width = metrics.horizontalAdvance(text) + 20 + (14 if entry.color else 0)
        dx, dy = STEPS[number]
        left = at.x() - (width / 2 if not dx else 0 if dx > 0 else width)
        box = QRectF(left, at.y() - HEIGHT / 2, width, HEIGHT)
        box.moveLeft(min(max(box.left(), 2.0), max(self.width() - width - 2.0, 2.0)))
        box.moveTop(min(max(box.top(), 2.0), max(self.height() - HEIGHT - 2.0, 2.0)))
        off = bool(entry.action) and bool(self._actions.why_disabled(entry.action))
        painter.setPen(self._theme.color("accent" if marked else "border"))
        painter.setBrush(self._theme.color("accent") if marked else self._theme.color("raised", 0.94))
        painter.drawRoundedRect(box, tokens.RADIUS, tokens.RADIUS)
        room = box.adjusted(10, 0, -6, 0)
        if entry.color:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.SET_COLORS[entry.color]))
            painter.drawEllipse(QPointF(room.left() + 4, box.center().y()), 4.5, 4.5)
            room.setLeft(room.left() + 14)
        painter.setPen(self._theme.color("on_accent" if marked else "disabled" if off else "text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
