import gc
import weakref

from PySide6.QtWidgets import QApplication, QTabWidget, QVBoxLayout, QWidget

from editor.model.events import Event
from editor.qt.binding import Bindings


class View(QWidget):
    def __init__(self, event):
        super().__init__()
        self.count = 0
        self.bindings = Bindings(self)
        self.later = self.bindings.refresh(self.show_it, event)
        self.bindings.on(event, self.at_once)
        self.values = []

    def show_it(self):
        self.count += 1

    def at_once(self, value):
        self.values.append(value)


def test_refresh_hundred_events_in_one_turn_run_once(qtbot):
    event = Event()
    view = View(event)
    qtbot.addWidget(view)
    for number in range(100):
        event.emit(number)
    assert (view.count, len(view.values)) == (0, 100)
    QApplication.processEvents()
    assert view.count == 1


def test_refresh_behind_another_tab_waits_until_it_is_seen(qtbot):
    event, tabs = Event(), QTabWidget()
    qtbot.addWidget(tabs)
    view, page = View(event), QWidget()
    QVBoxLayout(page).addWidget(view)
    tabs.addTab(page, "view")
    other = tabs.addTab(QWidget(), "other")
    tabs.show()
    tabs.setCurrentIndex(other)
    for number in range(3):
        event.emit(number)
        QApplication.processEvents()
    assert view.count == 0
    tabs.setCurrentIndex(0)
    assert view.count == 1
    event.emit(4)
    QApplication.processEvents()
    assert view.count == 2


def test_flush_runs_what_is_due_now_and_not_again(qtbot):
    event = Event()
    view = View(event)
    qtbot.addWidget(view)
    event.emit(None)
    view.later.flush()
    QApplication.processEvents()
    assert view.count == 1


def test_flush_brings_up_to_date_what_waits_to_be_seen(qtbot):
    event, holder = Event(), QWidget()
    qtbot.addWidget(holder)
    view = View(event)
    QVBoxLayout(holder).addWidget(view)
    event.emit(None)
    QApplication.processEvents()
    assert view.count == 0, "its parent is out of sight"
    view.later.flush()
    assert view.count == 1
    holder.show()
    QApplication.processEvents()
    assert view.count == 1


def test_widget_that_dies_lets_go_of_the_model(qtbot):
    event = Event()
    view = View(event)
    gone = weakref.ref(view)
    assert len(event) == 2
    view.deleteLater()
    QApplication.sendPostedEvents(view, 52)
    QApplication.processEvents()
    assert len(event) == 0
    del view
    gc.collect()
    assert gone() is None
