"""Where the keyboard goes: a Tab key told from Qt's own search for a new focus widget, and Tab's order."""

from PySide6.QtCore import QObject, Qt
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


def tab_through(before: QWidget, *parts: QWidget) -> None:
    """Let Tab go from a widget through what parts hold: what is made later comes last of the whole window else."""
    window = before.window()  # lists of combo boxes are windows of their own
    for widget in (found for part in parts for found in (part, *part.findChildren(QWidget))):
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if takes and widget.window() is window:
            QWidget.setTabOrder(before, widget)
            before = widget
