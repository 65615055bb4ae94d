"""The letters that Alt opens menus by are underlined while Alt is held; a menu below a button stays on the screen."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow

from editor.qt.menu import MenuBar, without_underline

NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def bar(qtbot) -> Iterator[MenuBar]:
    window, made = QMainWindow(), MenuBar()
    qtbot.addWidget(window)
    window.setMenuBar(made)
    made.addMenu("&File")
    window.show()
    yield made


def send(bar: MenuBar, kind: QEvent.Type, key: Qt.Key | None = None) -> None:
    bar.eventFilter(bar.window(), QEvent(kind) if key is None else QKeyEvent(kind, key, NONE))


@pytest.mark.parametrize(
    ("kind", "key", "stays"),
    [
        (QEvent.Type.KeyRelease, Qt.Key.Key_Alt, False),
        (QEvent.Type.KeyRelease, Qt.Key.Key_Shift, True),
        (QEvent.Type.WindowDeactivate, None, False),
        (QEvent.Type.WindowActivate, None, True),
    ],
)
def test_letters_are_underlined_while_alt_is_held(bar: MenuBar, kind, key, stays: bool) -> None:
    assert not bar.underlined
    send(bar, QEvent.Type.ShortcutOverride, Qt.Key.Key_Shift)
    assert not bar.underlined
    send(bar, QEvent.Type.ShortcutOverride, Qt.Key.Key_Alt)
    assert bar.underlined
    send(bar, kind, key)
    assert bar.underlined is stays


@pytest.mark.parametrize(
    ("title", "plain"), [("&File", "File"), ("a && b", "a && b"), ("Save &as", "Save as")]
)
def test_titles_without_the_mark(title: str, plain: str) -> None:
    assert without_underline(title) == plain
