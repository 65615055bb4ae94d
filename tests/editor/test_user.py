"""The driver itself: what it sends arrives as a person's hands would send it."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPushButton, QScrollArea, QVBoxLayout, QWidget

from tests.editor.user import CTRL, SHIFT, User


class Pad(QWidget):
    def __init__(self):
        super().__init__()
        self.setObjectName("pad")
        self.setMinimumSize(200, 200)
        self.setMouseTracking(True)
        self.seen = []

    def event(self, event):
        names = {
            QEvent.Type.MouseButtonPress: "press",
            QEvent.Type.MouseMove: "move",
            QEvent.Type.MouseButtonRelease: "release",
            QEvent.Type.MouseButtonDblClick: "double",
            QEvent.Type.Wheel: "wheel",
        }
        if event.type() in names:
            self.seen.append(
                (names[event.type()], event.position().toTuple(), event.modifiers(), event.buttons())
            )
            event.accept()
            return True
        return super().event(event)


@pytest.fixture
def stage(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    body = QWidget()
    layout = QVBoxLayout(body)
    window.pad = Pad()
    window.button = QPushButton("Press me")
    window.field = QLineEdit()
    window.field.setObjectName("field")
    for item in (window.pad, window.button, window.field):
        layout.addWidget(item)
    window.setCentralWidget(body)
    window.done = []
    window.button.clicked.connect(lambda: window.done.append("clicked"))
    menu = window.menuBar().addMenu("&File")
    action = QAction("&Open…", window)
    action.setShortcut(QKeySequence("Ctrl+O"))
    action.triggered.connect(lambda: window.done.append("open"))
    menu.addAction(action)
    window.resize(400, 400)
    return window


def test_click_button_by_text_presses_it(stage):
    User(stage).click("Press me")
    assert stage.done == ["clicked"]


def test_click_covered_widget_is_refused(stage):
    user = User(stage)
    cover = QWidget(stage.centralWidget())
    cover.setGeometry(stage.button.geometry())
    cover.show()
    with pytest.raises(AssertionError, match="covers"):
        user.click(stage.button)


def test_drag_with_shift_sends_press_moves_release_with_the_key_held(stage):
    user = User(stage)
    user.drag("pad", (10, 10), (90, 50), modifiers=SHIFT, steps=4)
    kinds = [kind for kind, *_ in stage.pad.seen]
    start = kinds.index("press")
    assert kinds[start] == "press" and kinds[-1] == "release"
    held = [row for row in stage.pad.seen[start:] if row[0] == "move"]
    assert len(held) >= 4
    assert all(row[2] == SHIFT and row[3] == Qt.MouseButton.LeftButton for row in held)
    assert held[-1][1] == (90.0, 50.0)


def test_press_shortcut_triggers_the_action(stage):
    User(stage).press("Ctrl+O")
    assert stage.done == ["open"]


def test_choose_from_the_menu_bar_triggers_the_action(stage):
    User(stage).choose("File", "Open…")
    assert stage.done == ["open"]


def test_type_into_field_replaces_its_text(stage):
    user = User(stage)
    stage.field.setText("before")
    user.type_into("field", "+3 *2 Ä")
    assert stage.field.text() == "+3 *2 Ä"


def test_wheel_reaches_the_widget_under_the_pointer(stage):
    User(stage).wheel("pad", -1, (20, 20), CTRL)
    kind, place, modifiers, _ = stage.pad.seen[-1]
    assert (kind, place, modifiers) == ("wheel", (20.0, 20.0), CTRL)


def test_double_click_sends_a_double_click(stage):
    User(stage).click("pad", (30, 30), double=True)
    assert "double" in [kind for kind, *_ in stage.pad.seen]


def test_a_click_follows_a_widget_that_moves_as_the_pointer_comes(stage):
    """As where what is wrong comes in between the fields: the click would be on what is there now."""
    button, below = QPushButton("wanted"), QPushButton("below")
    layout = stage.centralWidget().layout()
    layout.addWidget(button)
    layout.addWidget(below)
    below.hide()
    user, clicked = User(stage), []
    button.clicked.connect(lambda: clicked.append("wanted"))
    below.clicked.connect(lambda: clicked.append("below"))
    button.setMouseTracking(True)

    class Late(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.MouseMove and below.isHidden():
                below.show()
                layout.activate()
            return False

    late = Late(stage)
    button.installEventFilter(late)
    user.settle()
    user.click(button)
    assert below.isVisible() and clicked == ["wanted"]


def test_wheel_that_a_widget_does_not_want_scrolls_what_holds_it(qtbot):
    area, inside = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    inside.setFixedSize(100, 2000)
    area.setWidget(inside)
    area.resize(140, 200)
    user = User(area)
    user.wheel(inside, -2, (20, 20))
    once = area.verticalScrollBar().value()
    assert once > 0
    user.wheel(area, 1, (20, 20))
    assert 0 < area.verticalScrollBar().value() < once
