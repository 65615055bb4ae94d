"""Questions and other dialogs."""

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QPushButton, QWidget

from editor.qt.dialogs import ask
from tests.editor.user import User


@pytest.mark.parametrize("default", ["seconds", "frames"])
def test_question_shows_the_words_of_its_bold_default_button_whole(qtbot, theme, default):
    """The style draws them bold and puts 12 pixels and a border at each side; *Keep seconds* was cut."""
    window = QWidget()
    qtbot.addWidget(window)
    theme.dress(window)
    window.resize(700, 400)
    user = User(window)
    choices = (("seconds", "Keep seconds"), ("frames", "Keep frames"))
    dialog = ask(window, theme, "Frame rate", "What stays?", choices, lambda _: None, default)
    user.settle()
    for button in dialog.findChildren(QPushButton):
        font = QFont(button.font())
        font.setWeight(QFont.Weight.DemiBold if button.isDefault() else font.weight())
        assert button.width() >= QFontMetrics(font).horizontalAdvance(button.text()) + 26, button.text()
    dialog.close()
