"""A theme put on later looks as one that was there from the start, in windows and in what belongs to none."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QCompleter,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from editor.qt import completion
from editor.qt.theme import Theme


@pytest.fixture
def window(qapp, qtbot):
    Theme(qapp)  # its font comes before the first widget
    made = QWidget()
    lay = QVBoxLayout(made)
    made.field = QLineEdit("word")
    completer = QCompleter(["word", "words"], made.field)
    made.field.setCompleter(completer)
    completion.dress(completer, made.field)
    for child in (QLabel("label"), QPushButton("button"), made.field):
        lay.addWidget(child)
        child.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the pictures show no cursor
    made.resize(300, 160)
    qtbot.addWidget(made)
    return made


def seen(window: QWidget) -> QImage:
    QApplication.processEvents()
    return window.grab().toImage()


@pytest.mark.parametrize("first, then", [("dark", "light"), ("light", "dark")])
def test_changed_theme_looks_as_a_fresh_one_and_back(qapp, window, first, then):
    theme = Theme(qapp, first)
    theme.dress(window)
    window.show()
    before = seen(window)
    theme.use(then)
    after = seen(window)
    theme.use(first)
    assert seen(window) == before != after
    theme = Theme(qapp, then)
    theme.dress(window)
    assert seen(window) == after


def ground_of_list(field: QLineEdit) -> int:
    """How light the list of words is that a field offers, 0 to 255."""
    popup = field.completer().popup()
    field.completer().complete()
    QApplication.processEvents()
    assert popup.isVisible()
    shown = popup.viewport().grab().toImage().pixelColor(popup.viewport().rect().bottomRight())
    popup.hide()
    return shown.lightness()


@pytest.mark.parametrize("in_dialog", [False, True])
def test_lists_of_completers_follow(qapp, window, in_dialog: bool):
    theme = Theme(qapp, "dark")
    theme.dress(window)
    window.show()
    if in_dialog:  # it has no sheet of its own
        dialog = QDialog(window)
        QVBoxLayout(dialog).addWidget(window.field)
        dialog.show()
    theme.use("light")
    window.field.setText("wor")
    assert ground_of_list(window.field) > 128
    theme.use("dark")
    assert ground_of_list(window.field) < 128
    assert window.field.completer().popup().styleSheet() == window.styleSheet() != ""
