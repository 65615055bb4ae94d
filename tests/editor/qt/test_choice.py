"""Boxes to choose from: the wheel scrolls what they stand in."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from editor.qt.choice import ChoiceBox
from tests.editor.user import User


@pytest.fixture
def area(qtbot, theme):
    area, body = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    theme.dress(area)
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
    assert not area.box.hasFocus() and area.verticalScrollBar().value() > 0


def test_wheel_over_the_box_in_hand_chooses(area):
    user = User(area)
    area.box.setFocus()
    user.wheel(area.box, -1)
    assert area.box.currentText() == "two"


ENTRIES = [("none", None), ("one", 1), ("two", 2)]


def test_choices_are_shown_without_a_signal_and_an_unknown_one_by_the_fallback(area):
    told = []
    area.box.currentIndexChanged.connect(told.append)
    area.box.show_choices(ENTRIES, 2)
    assert area.box.currentText() == "two" and area.box.currentData() == 2
    area.box.show_choices(ENTRIES, 3, otherwise=0)
    assert area.box.currentText() == "none"
    area.box.show_choices(ENTRIES[1:], 3)
    assert area.box.currentIndex() == -1 and area.box.count() == 2
    assert not told


def test_an_open_list_that_is_refreshed_during_the_click_still_chooses(area):
    box, chosen = area.box, []
    box.show_choices(ENTRIES, 1)
    box.activated.connect(chosen.append)
    user = User(area)
    user.settle()
    box.showPopup()
    user.wait_until(box.view().isVisible, "the list did not open")
    QTest.qWait(10)
    rect = box.view().visualRect(box.model().index(2, 0))
    viewport = box.view().viewport()
    QTest.mouseMove(viewport, rect.center() - QPoint(0, 2))
    QTest.mouseMove(viewport, rect.center())
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=rect.center())
    box.show_choices(ENTRIES, 1)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=rect.center())
    assert chosen == [2] and not box.view().isVisible()
