import threading

import pytest
from PySide6.QtCore import QPoint, Qt, QThread, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.math import threads
from tests import leaks
from tests.leaks import Leaks


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(leaks, "PATIENCE", 0.05)


def test_leaks_clean_test_finds_nothing(qapp):
    before = Leaks(qapp)
    timer = QTimer()
    timer.start(5)
    timer.stop()
    worker = threading.Thread(target=lambda: None)
    worker.start()
    assert before.found() == []


def test_leaks_threads_kept_for_large_work_are_none(qapp, monkeypatch):
    monkeypatch.setattr(threads, "processors", lambda: 2)
    threads._pool.cache_clear()  # whatever came before, its thread is a new one
    before = Leaks(qapp)
    threads.spread(lambda side, part: None, slice(0, 2), 1)
    assert before.found() == []


def test_leaks_running_timer_is_named_with_its_owner(qtbot):
    before = Leaks(qtbot.addWidget(QWidget()) or leaks.QApplication.instance())
    owner = QWidget(objectName="panel")
    qtbot.addWidget(owner)
    timer = QTimer(owner, objectName="blink")
    timer.start(60_000)
    assert before.found() == ["timer of 60000 ms: QTimer 'blink', owned by QWidget 'panel'"]


def test_leaks_timer_of_a_dropped_cycle_is_none(qapp):
    before = Leaks(qapp)
    timer = QTimer()
    timer.me = timer
    timer.start(60_000)
    del timer
    assert before.found() == []


def test_leaks_running_threads_are_found(qapp):
    before = Leaks(qapp)
    end = threading.Event()
    worker = threading.Thread(target=end.wait, name="worker")
    thread = QThread(objectName="loader")
    worker.start()
    thread.start()
    try:
        assert before.found() == ["thread 'worker'", "running QThread: QThread 'loader', owned by nobody"]
    finally:
        end.set()
        worker.join()
        thread.quit()
        thread.wait()


def test_widgets_that_belong_to_no_other_are_deleted_shown_or_not(qapp):
    shown, hidden, part = QWidget(), QWidget(), QWidget()
    part.setParent(hidden)
    shown.show()
    leaks.delete_widgets()
    assert not any(map(leaks.Shiboken.isValid, (shown, hidden, part)))


@pytest.mark.parametrize("held", [Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier])
def test_leaks_keys_that_a_test_held_last_are_let_go(qtbot, held):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    for act in (
        lambda: QTest.keyClick(widget, Qt.Key.Key_A, held),
        lambda: QTest.mouseClick(widget.windowHandle(), Qt.MouseButton.LeftButton, held, QPoint(5, 5)),
    ):
        act()
        assert QApplication.keyboardModifiers() == held, "Qt has let go by itself: nothing is to be done here"
        leaks.let_go_of_keys()
        assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
