"""What tests of the Play workspace stand on: a light character, time that goes on by hand, keys that are held."""

import contextlib

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox

from core.locomotion.setup import H
from editor.model.play.state import Play
from tests.light_character import light, whole

__all__ = ["enter", "held", "into_view", "light", "pick", "run_for", "tap", "whole"]


def enter(here) -> Play:
    """Go to the workspace, and wait until the character is there."""
    here.user.press("Ctrl+7")
    play = here.session.feature(Play)
    here.user.wait_until(lambda: play.on, "Play did not start")
    here.user.move("viewport")
    return play


def run_for(here, seconds: float) -> None:
    """Let time go on."""
    play = here.session.feature(Play)
    for _ in range(round(seconds / H)):
        play.advance(H)
    here.user.settle()


@contextlib.contextmanager
def held(here, key: Qt.Key):
    """Hold a key."""
    QTest.keyPress(here.window.windowHandle(), key)
    here.user.settle()
    yield
    QTest.keyRelease(here.window.windowHandle(), key)
    here.user.settle()


def tap(here, key: Qt.Key) -> None:
    """Press and release a key."""
    with held(here, key):
        pass


def pick(here, box: str, text: str) -> None:
    """Choose an entry of a box with the mouse."""
    found = here.user.find(box)
    assert isinstance(found, QComboBox)
    # For the time of a double click an open list takes a release for that of the click that opened it.
    interval = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(1)
    try:
        here.user.click(found)
        if not here.user.until(found.view().isVisible, 5.0):  # a busy machine lost the click
            here.user.click(found)
        here.user.wait_until(found.view().isVisible, f"the list of {box} did not open")
        QTest.qWait(10)
    finally:
        QApplication.setDoubleClickInterval(interval)
    index = found.model().index(found.findText(text), 0)
    assert index.isValid(), [found.itemText(k) for k in range(found.count())]
    found.view().scrollTo(index)
    rect = found.view().visualRect(index)
    here.user.click(found.view().viewport(), (rect.left() + 12, rect.center().y()))
    here.user.settle()


def into_view(here) -> None:
    """Move the pointer into the viewport: keys go there from then on."""
    here.user.move("viewport", (320, 240))
    here.user.move("viewport", (330, 240))
