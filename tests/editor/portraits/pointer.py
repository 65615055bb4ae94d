"""A pointer and a keyboard for deeds: events at a place of a widget, and the gestures that a person makes there."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QToolTip, QWidget
from shiboken6 import Shiboken

from tests.editor.user import turned

LEFT, RIGHT, MIDDLE, NONE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
    Qt.KeyboardModifier.NoModifier,
)
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


def target(widget: QWidget) -> QWidget:
    return widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget


def mouse(widget: QWidget, kind: QEvent.Type, at: QPoint, button, buttons, held=NONE) -> None:
    if not Shiboken.isValid(widget):
        return
    place = QPointF(at)
    QApplication.sendEvent(
        target(widget), QMouseEvent(kind, place, QPointF(widget.mapToGlobal(at)), button, buttons, held)
    )


def hover(widget: QWidget, at: QPoint) -> None:
    mouse(widget, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton)


def press(widget: QWidget, at: QPoint, button=LEFT, held=NONE) -> None:
    mouse(widget, QEvent.Type.MouseButtonPress, at, button, button, held)


def let_go(widget: QWidget, at: QPoint, button=LEFT, held=NONE) -> None:
    mouse(widget, QEvent.Type.MouseButtonRelease, at, button, Qt.MouseButton.NoButton, held)


def tap(widget: QWidget, at: QPoint, held=NONE) -> None:
    press(widget, at, LEFT, held)
    let_go(widget, at, LEFT, held)


def twice(widget: QWidget, at: QPoint, button=LEFT, held=NONE) -> None:
    press(widget, at, button, held)
    let_go(widget, at, button, held)
    mouse(widget, QEvent.Type.MouseButtonDblClick, at, button, button, held)
    let_go(widget, at, button, held)


def ask_menu(widget: QWidget, at: QPoint) -> None:
    """A click of the right button, and the event that Qt makes of a real one where menus are asked for."""
    press(widget, at, RIGHT)
    let_go(widget, at, RIGHT)
    if Shiboken.isValid(widget):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
        QApplication.sendEvent(target(widget), event)


KEPT: list[str] = []
"""Keys that a widget has kept for itself in the deed under way: they are no shortcuts of the window."""


def key(widget: QWidget | None, code: Qt.Key) -> None:
    """A press of a key; what the widget does not keep for itself would be a shortcut of the window."""
    if widget is None or not Shiboken.isValid(widget):
        return
    override = QKeyEvent(QEvent.Type.ShortcutOverride, code, NONE)
    override.ignore()
    QApplication.sendEvent(widget, override)
    if override.isAccepted():
        KEPT.append(f"keeps {code.name}")
    if Shiboken.isValid(widget):
        QTest.keyClick(widget, code)


def tip_of(widget: QWidget, at: QPoint) -> str:
    """The tip that a painted thing has by itself."""
    QToolTip.hideText()
    there = widget.mapToGlobal(at)
    QApplication.sendEvent(target(widget), QHelpEvent(QEvent.Type.ToolTip, at, there))
    text = QToolTip.text() if QToolTip.isVisible() else ""
    QToolTip.hideText()
    return text


def wheel(widget: QWidget, at: QPoint, notches: float, held=NONE) -> None:
    place = QPointF(at)
    event = QWheelEvent(
        place, QPointF(widget.mapToGlobal(at)), QPoint(), turned(notches, held),
        Qt.MouseButton.NoButton, held, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target(widget), event)


def gestures(find: Callable[[], QWidget | None], at: QPoint) -> Iterator[tuple[str, Callable[[], None]]]:
    """What a person can do at a place."""

    def drag(by: QPoint, held=NONE, end: str = "release", button=LEFT) -> Callable[[], None]:
        def deed() -> None:
            widget = find()
            if widget is None:
                return
            press(widget, at, button, held)
            for share in (0.4, 0.8, 1.0):
                mouse(widget, QEvent.Type.MouseMove, at + QPoint(round(by.x() * share), round(by.y() * share)),
                      Qt.MouseButton.NoButton, button, held)  # fmt: skip
                QApplication.processEvents()
            if end == "escape":
                key(widget, Qt.Key.Key_Escape)
            elif end == "right":
                mouse(widget, QEvent.Type.MouseButtonPress, at + by, RIGHT, LEFT | RIGHT)
                mouse(widget, QEvent.Type.MouseButtonRelease, at + by, RIGHT, LEFT)
            if Shiboken.isValid(widget):
                let_go(widget, at + by, button, held)

        return deed

    yield "click", lambda: tap(find(), at)
    yield "Shift click", lambda: tap(find(), at, SHIFT)
    yield "Ctrl click", lambda: tap(find(), at, CTRL)
    yield "double click", lambda: twice(find(), at)
    yield "wheel up", lambda: wheel(find(), at, 1)
    yield "Ctrl wheel down", lambda: wheel(find(), at, -1, CTRL)
    yield "drag right", drag(QPoint(24, 0))
    yield "drag up", drag(QPoint(0, -14))
    yield "drag right, Escape", drag(QPoint(24, 0), end="escape")
    yield "drag right, right button", drag(QPoint(24, 0), end="right")
    yield "Ctrl drag right", drag(QPoint(24, 0), CTRL)
    yield "Shift drag right", drag(QPoint(24, 0), SHIFT)
    yield "Alt drag right", drag(QPoint(24, 0), ALT)
    yield "Alt click", lambda: tap(find(), at, ALT)
    yield "Shift wheel up", lambda: wheel(find(), at, 1, SHIFT)
    yield "Shift wheel down", lambda: wheel(find(), at, -1, SHIFT)
    yield "middle drag", drag(QPoint(24, 9), button=MIDDLE)
