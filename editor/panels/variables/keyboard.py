"""Keys and the gamepad, handed to the run while it goes on."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from core.errors import UnsupportedError
from editor.model.graph_run.gamepad import Gamepad
from editor.model.graph_run.mapping import Controls
from editor.model.graph_run.state import GraphRun
from editor.qt.binding import Bindings

TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
LONE = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
POLL = 16
"""Milliseconds between two looks at the gamepad."""


def key_name(event: QKeyEvent) -> str:
    """A key as bindings name it, without modifiers; a modifier by itself by its name."""
    key = Qt.Key(event.key())
    if key in LONE:
        return key.name.removeprefix("Key_")
    return QKeySequence(key).toString()


class Keyboard(QObject):
    """Gives the keys that the run wants to it, before shortcuts see them; text fields keep theirs.

    It looks at the program's events only while the run goes on: each event of each widget costs a call here,
    a change of the theme a quarter of a second.
    """

    def __init__(self, owner: QWidget, controls: Controls, run: GraphRun) -> None:
        super().__init__(owner)
        self._controls, self._run, self._watching = controls, run, False
        Bindings(self).on(run.state_changed, lambda _: self._follow())
        self._follow()

    def _follow(self) -> None:
        app = QApplication.instance()
        if app is None or self._run.running == self._watching:
            return
        self._watching = self._run.running
        if self._watching:
            app.installEventFilter(self)
        else:
            app.removeEventFilter(self)
            self._controls.release_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ApplicationDeactivate:
            self._controls.release_all()
        if not isinstance(event, QKeyEvent) or event.isAutoRepeat():
            return (
                isinstance(event, QKeyEvent) and self._controls.wants(key_name(event)) and not self._typing()
            )
        if kind == QEvent.Type.KeyRelease:
            return self._controls.release(key_name(event))
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or self._typing():
            return False
        if not self._controls.wants(key_name(event)):
            return False
        if kind == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return self._controls.press(key_name(event))

    @staticmethod
    def _typing() -> bool:
        return isinstance(QApplication.focusWidget(), TEXT_FIELDS)


class GamepadPoll(QObject):
    """Reads a gamepad while it is wanted."""

    def __init__(self, owner: QObject, controls: Controls) -> None:
        super().__init__(owner)
        self._controls = controls
        self._gamepad: Gamepad | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._look)

    @property
    def name(self) -> str:
        """What the gamepad calls itself; "" where none is read."""
        return "" if self._gamepad is None else self._gamepad.name

    def start(self) -> str:
        """Read the first gamepad; why that cannot be, or ""."""
        try:
            self._gamepad = Gamepad()
        except UnsupportedError as error:
            return str(error)
        self._timer.start()
        return ""

    def stop(self) -> None:
        """Read it no more."""
        self._timer.stop()
        gamepad, self._gamepad = self._gamepad, None
        if gamepad is not None:
            gamepad.close()

    def _look(self) -> None:
        if self._gamepad is not None:
            self._controls.gamepad(self._gamepad.controls())
