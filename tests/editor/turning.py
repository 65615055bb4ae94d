"""Letting the event loop turn until a window shows what was done, on a busy machine too."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from editor.qt.turns import turns
from tests.editor.window_system import take_in_all

MOST = 50
"""Turns in which panels come up to date after the picture: one in each where time is short; more are a loop."""


def turn_until_shown() -> None:
    """Run the queue until what came in is done, every panel that was asked to is up to date, and all is painted.

    Windows that were opened or closed are known to the window system by then, with the focus that they got, and what
    it uncovered is painted.
    """
    take_in_all()
    for _ in range(3):
        QApplication.processEvents()
    for _ in range(MOST):
        if turns().idle:
            break
        QApplication.processEvents()
    take_in_all()
    for _ in range(2):  # layouts ask the layouts around them for room, each in a turn of its own
        QApplication.processEvents()


def in_front(window: QWidget) -> bool:
    """Give a window the keyboard, as a window manager does where it opens or a dialog was closed.

    Returns
    -------
    bool
        Whether it lacked it. While a dialog has the keyboard, nothing is done.
    """
    take_in_all()
    if window.isActiveWindow() or QApplication.activeModalWidget() is not None:
        return False
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 60_000), "the window did not get the keyboard"
    return True
