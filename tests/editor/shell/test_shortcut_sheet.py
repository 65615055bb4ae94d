"""The sheet of shortcuts takes the next keys for itself while it waits for them, and only then."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog

from tests.editor.stage import stage


@pytest.fixture
def sheet(qapp):
    with stage(qapp, "clips") as here:
        here.window.actions_registry.run("help.shortcuts")
        here.user.settle()
        made = here.window.findChild(QDialog, "shortcutSheet")
        yield made
        made.reject()
        here.user.settle()


def keeps(widget, key) -> bool:
    """Whether a key is kept from being a shortcut of the window."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_keys_are_the_sheets_while_it_waits_for_a_shortcut(sheet):
    assert not keeps(sheet.table, Qt.Key.Key_K)
    sheet._wait(sheet.table.topLevelItem(0).child(0))
    assert keeps(sheet.table, Qt.Key.Key_K)
    sheet._stop()
    assert not keeps(sheet.table, Qt.Key.Key_K)
