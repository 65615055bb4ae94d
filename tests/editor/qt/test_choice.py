"""Boxes to choose from: the wheel scrolls what they stand in."""

import pytest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from editor.qt.choice import ChoiceBox
from tests.editor.user import User


@pytest.fixture
def area(qtbot, theme):
    area, body = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    area.box = ChoiceBox()
    area.box.addItems(["one", "two", "three"])
    layout = QVBoxLayout(body)
    layout.addWidget(area.box)
    body.setMinimumHeight(900)
    area.setWidget(body)
    area.setWidgetResizable(True)
    area.resize(200, 950)
    return area


def test_wheel_over_a_box_without_the_keyboard_changes_nothing(area):
    area.resize(200, 600)
    user = User(area)
    area.setFocus()
    user.wheel(area.box, -1)
    assert area.box.currentText() == "one"
    assert not area.box.hasFocus()


def test_wheel_over_the_box_in_hand_chooses(area):
    user = User(area)
    area.box.setFocus()
    user.wheel(area.box, -1)
    assert area.box.currentText() == "two"
