"""A pointer that comes into a panel without being moved takes the keyboard from nobody."""

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QWidget

from editor.qt.focus import note_pointer_left, pointer_rests


def entered(widget: QWidget, there: QPoint) -> bool:
    """Whether it rests, for a pointer that comes in at a place of the screen."""
    own = QPointF(widget.mapFromGlobal(there))
    return pointer_rests(widget, QEnterEvent(own, own, QPointF(there)))


def test_it_rests_where_it_left_and_nowhere_else(qtbot, monkeypatch):
    window = QWidget()
    qtbot.addWidget(window)
    panel = QWidget(window)
    monkeypatch.setattr(QCursor, "pos", staticmethod(lambda: QPoint(50, 60)))
    assert not entered(panel, QPoint(50, 60))  # it never left
    note_pointer_left(panel)
    assert entered(panel, QPoint(50, 60))
    assert not entered(panel, QPoint(51, 60))
    monkeypatch.setattr(QCursor, "pos", staticmethod(lambda: QPoint(80, 60)))
    assert not entered(panel, QPoint(80, 60))
