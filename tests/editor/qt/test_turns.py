import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from editor.model.events import Event
from editor.qt import turns as turns_module
from editor.qt.binding import Bindings
from editor.qt.turns import Rank, turns


class Shown(QWidget):
    """Notes in a list when it is brought up to date and when it is painted."""

    def __init__(self, name, log, event, rank):
        super().__init__()
        self.name, self.log = name, log
        self.setMinimumSize(40, 40)
        self.field = QLineEdit()
        self.field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        QVBoxLayout(self).addWidget(self.field)
        Bindings(self).refresh(self.refresh, event, rank=rank)

    def refresh(self):
        self.log.append(f"{self.name} refreshed")
        self.update()

    def paintEvent(self, event):
        self.log.append(f"{self.name} painted")


@pytest.fixture
def three(qtbot):
    """A picture, a panel and a list side by side, the event that they show, and what happened to them."""
    event, log, window = Event(), [], QWidget()
    row = QHBoxLayout(window)
    shown = [Shown(rank.name, log, event, rank) for rank in (Rank.LAST, Rank.NEXT, Rank.FIRST)]
    for widget in shown:
        row.addWidget(widget)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window, timeout=60_000):
        window.show()
        window.activateWindow()
    settle()
    log.clear()
    yield event, log, shown
    window.close()


def settle():
    """Until nothing is due and all is painted."""
    for _ in range(5):
        QApplication.processEvents()
    assert turns().idle


def test_first_refresh_is_painted_before_the_others_begin(three):
    event, log, _ = three
    event.emit(None)
    settle()
    assert log[:2] == ["FIRST refreshed", "FIRST painted"]
    assert log.index("NEXT refreshed") < log.index("LAST refreshed")
    assert sorted(log[2:]) == ["LAST painted", "LAST refreshed", "NEXT painted", "NEXT refreshed"]


def test_refresh_of_what_has_the_keyboard_comes_first(three, qtbot):
    event, log, (_, panel, _) = three
    panel.window().activateWindow()  # the loss of an earlier window may be told late
    panel.field.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is panel.field, timeout=60_000)
    settle()
    log.clear()
    event.emit(None)
    settle()
    assert set(log[:2]) == {"FIRST refreshed", "NEXT refreshed"}


def test_panel_that_waited_long_comes_with_the_picture(three, monkeypatch):
    event, log, _ = three
    monkeypatch.setattr(turns_module, "PATIENCE", -1.0)
    event.emit(None)
    settle()
    assert {line for line in log[:3] if "refreshed" in line} == {
        "FIRST refreshed",
        "NEXT refreshed",
        "LAST refreshed",
    }


def test_spent_budget_leaves_the_rest_to_the_next_turn(three, monkeypatch):
    event, log, _ = three
    monkeypatch.setattr(turns_module, "BUDGET", -1.0)
    event.emit(None)
    settle()
    assert log.index("NEXT painted") < log.index("LAST refreshed")


def test_refresh_that_asks_for_itself_does_not_hold_the_window(qtbot):
    event, window = Event(), QWidget()
    qtbot.addWidget(window)
    count = 0

    def again():
        nonlocal count
        count += 1
        event.emit(None)

    window.show()
    Bindings(window).refresh(again, event, rank=Rank.FIRST)
    event.emit(None)
    for _ in range(4):
        QApplication.processEvents()
    assert 1 <= count <= 8


def test_fault_in_one_refresh_leaves_the_others_due(three, monkeypatch, qtbot):
    event, log, (_, panel, _) = three

    def fault():
        raise ValueError("a panel that fails")

    bad = Bindings(panel)
    bad.refresh(fault, event)
    with qtbot.captureExceptions() as caught:
        event.emit(None)
        settle()
    assert [type(one[1]) for one in caught] == [ValueError]
    assert {"FIRST refreshed", "NEXT refreshed", "LAST refreshed"} <= set(log)
