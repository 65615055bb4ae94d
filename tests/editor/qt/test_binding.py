import gc
import weakref

from PySide6.QtWidgets import QApplication, QWidget

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


def test_flush_runs_what_is_due_now_and_not_again(qtbot):
    event = Event()
    view = View(event)
    qtbot.addWidget(view)
    event.emit(None)
    view.later.flush()
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
