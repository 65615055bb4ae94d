"""Where the keyboard goes: a Tab key told from Qt's own search for a new focus widget, and Tab's order."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken


class _Follower(QObject):
    """Remembers who has the focus: while a widget gets it, the one that had it before."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.last: QWidget | None = QApplication.focusWidget()
        app.focusChanged.connect(self._note)

    def _note(self, _: QWidget | None, now: QWidget | None) -> None:
        self.last = now


_followers: list[_Follower] = []


def follow_focus() -> None:
    """Begin to follow the application's focus; once is enough."""
    app = QApplication.instance()
    if isinstance(app, QApplication) and not (_followers and Shiboken.isValid(_followers[-1])):
        _followers[:] = [_Follower(app)]


def focus_was_lost() -> bool:
    """Within a focus event: whether the focus comes because its last widget was hidden, disabled or deleted."""
    if not _followers or not Shiboken.isValid(_followers[-1]):
        return False
    last = _followers[-1].last
    return last is not None and not (Shiboken.isValid(last) and last.isVisible() and last.isEnabled())


LEFT_AT = "pointer_left_at"
"""Property of a window: where the pointer was on the screen when it last left one of its panels."""


def note_pointer_left(panel: QWidget) -> None:
    """A panel was left by the pointer."""
    panel.window().setProperty(LEFT_AT, QCursor.pos())


def pointer_rests(widget: QWidget, event: QEnterEvent) -> bool:
    """Whether the pointer comes in although it was not moved.

    So it is where a menu, list or dialog over it closes: who works by keys keeps the keyboard where it is.
    """
    left_at = widget.window().property(LEFT_AT)
    return bool(left_at == QCursor.pos() == event.globalPosition().toPoint())


def tab_through(before: QWidget, *parts: QWidget) -> None:
    """Let Tab go from a widget through what parts hold: what is made later comes last of the whole window else."""
    window = before.window()  # lists of combo boxes are windows of their own
    for widget in (found for part in parts for found in (part, *part.findChildren(QWidget))):
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if takes and widget.window() is window:
            QWidget.setTabOrder(before, widget)
            before = widget
