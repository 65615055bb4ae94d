"""What the window system sent is here after `take_in_all`, whichever thread read it."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from tests.editor import window_system
from tests.editor.window_system import take_in_all


class Painted(QObject):
    """Counts how often a widget is painted."""

    times = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_a_menu_is_painted_and_a_window_that_is_closed_gives_the_focus_back(qapp) -> None:
    under, over = QWidget(), QWidget()
    under.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    for window in (under, over):
        window.show()
        take_in_all()  # a window that is not there yet cannot be made the active one
        window.activateWindow()
        take_in_all()
        assert QApplication.activeWindow() is window
    over.close()
    under.activateWindow()
    take_in_all()
    assert QApplication.activeWindow() is under
    for _ in range(20):
        menu, painted = QMenu(under), Painted()
        menu.addAction("one")
        menu.installEventFilter(painted)
        menu.popup(under.mapToGlobal(under.rect().center()))
        take_in_all()
        assert painted.times
        menu.close()
        menu.deleteLater()
    under.close()


def test_that_no_window_has_the_keyboard_is_told_before_anything_else_is_done(qapp) -> None:
    messages = window_system._messages()
    if messages is None:
        pytest.skip("the window system is not X")
    under, over = QWidget(), QWidget()
    for window in (under, over):
        window.show()
        take_in_all()
        window.activateWindow()
        take_in_all()
        assert QApplication.activeWindow() is window and messages.has_keyboard(window.windowHandle())
    messages.unmap(over.windowHandle())  # as a dialog that is closed while it comes up
    take_in_all()
    assert QApplication.activeWindow() is None and not messages.has_keyboard(under.windowHandle())
    under.activateWindow()
    take_in_all()
    assert QApplication.activeWindow() is under and messages.has_keyboard(under.windowHandle())
    over.close()
    under.close()


def test_qt_sees_none_of_the_messages(qapp, capfd) -> None:
    messages = window_system._messages()
    if messages is None:
        pytest.skip("the window system is not X")
    for _ in range(3):
        take_in_all()
    assert "client message" not in capfd.readouterr().err.lower()
