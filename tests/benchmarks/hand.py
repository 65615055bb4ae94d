"""A hand on the real window, with a stopwatch: each input is sent, and its picture waited for.

Events enter at the native window, as the window system's do. A picture counts once the widget's painting has
ended and the turn of the event loop in which it was painted is over, the window's flush included; OpenGL is
waited for (`glFinish`). What an input costs is thus never less than what a person would have to wait.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.benchmarks.parts import Parts

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN = Qt.KeyboardModifier.NoModifier
PATIENCE = 20.0


class Spent(NamedTuple):
    """What an input cost: seconds until its picture, and of them those that the window's thread worked.

    `parts` are the seconds by part of the program, where these are watched.
    """

    wall: float
    own: float
    parts: dict[str, float] | None = None


class Pictures(dict[str, int]):
    """How many pictures widgets have painted, by a name. Begun before the widgets are made: Qt keeps methods.

    Attributes
    ----------
    there : which picture of each name was the last that the window has shown, when that was done, and what the thread
        had worked by then: seconds
    """

    def __init__(self) -> None:
        super().__init__()
        self.there: dict[str, tuple[int, float, float]] = {}
        self._stamp = _Stamp(self)

    def watch(self, name: str, kind: type, method: str, after: Callable[[], object] = lambda: None) -> None:
        """Count what widgets of a class paint; `after` is called when a picture is done."""
        original = getattr(kind, method)
        self[name] = 0

        def noted(widget: QWidget, *arguments: object) -> object:
            result = original(widget, *arguments)
            after()
            self[name] += 1
            self._stamp.names.add(name)
            QApplication.postEvent(
                self._stamp, QEvent(QEvent.Type.User), Qt.EventPriority.HighEventPriority.value
            )
            return result

        setattr(kind, method, noted)


class _Stamp(QObject):
    """Gets an event once the painting under way is over, and the window has shown it."""

    def __init__(self, pictures: Pictures) -> None:
        super().__init__()
        self.names: set[str] = set()
        self._pictures = pictures

    def event(self, event: QEvent) -> bool:
        for name in self.names:
            self._pictures.there[name] = self._pictures[name], time.perf_counter(), time.thread_time()
        self.names.clear()
        return True


class Hand:
    """Mouse and keys on one top-level window, timed.

    Parameters
    ----------
    painted : counts the pictures that are waited for
    parts : what tells which part of the program an input kept busy, or None

    Attributes
    ----------
    longest : seconds of the longest turn of the event loop since `rested`
    """

    def __init__(self, window: QWidget, painted: Pictures, parts: Parts | None = None) -> None:
        self.window, self.parts = window, parts
        self.longest = 0.0
        self._painted = painted

    # ------------------------------------------------------------ time
    def turn(self) -> None:
        """One turn of the event loop."""
        start = time.perf_counter()
        QApplication.processEvents()
        self.longest = max(self.longest, time.perf_counter() - start)

    def rest(self, seconds: float = 0.0) -> None:
        """Let everything that is due be done."""
        end = time.perf_counter() + seconds
        for _ in range(4):
            self.turn()
        while time.perf_counter() < end:
            self.turn()
            time.sleep(0.002)

    def until(self, condition: Callable[[], bool], what: str, pause: float = 0.0) -> None:
        """Run the loop until something holds; a pause leaves the interpreter to work in the background."""
        end = time.perf_counter() + PATIENCE
        while not condition():
            if pause:
                time.sleep(pause)
            if time.perf_counter() > end:
                raise TimeoutError(f"waited {PATIENCE:.0f} s for {what}")
            self.turn()

    def _newer(self, before: dict[str, int]) -> bool:
        return all(self._painted.there.get(name, (0,))[0] > count for name, count in before.items())

    def timed(
        self, act: Callable[[], object], *pictures: str, done: Callable[[], bool] = lambda: True
    ) -> Spent:
        """Seconds from an input to the pictures named (and until something holds)."""
        before = {name: self._painted[name] for name in pictures}
        if self.parts is not None:
            self.parts.begin()
        start, worked = time.perf_counter(), time.thread_time()
        act()
        self.longest = max(self.longest, time.perf_counter() - start)
        self.until(done, "the work in the background", 1e-3)
        self.until(lambda: self._newer(before), f"a picture of {pictures}")
        moments = [self._painted.there[name][1:] for name in pictures]
        moments = moments or [(time.perf_counter(), time.thread_time())]
        spent = Spent(
            max(wall for wall, _ in moments) - start,
            max(own for _, own in moments) - worked,
            None if self.parts is None else self.parts.taken(),
        )
        self.rest()
        return spent

    # ------------------------------------------------------------ mouse
    def _at(self, widget: QWidget, place: QPointF) -> QPointF:
        return QPointF(widget.mapTo(self.window, place.toPoint()))

    def _handle(self) -> Any:
        return self.window.windowHandle()

    def over(self, widget: QWidget, place: QPointF) -> None:
        """The pointer comes there."""
        QTest.mouseMove(self._handle(), self._at(widget, place).toPoint())
        self.rest()

    def press(self, widget: QWidget, place: QPointF, button: Qt.MouseButton = LEFT) -> None:
        """A button goes down."""
        QTest.mousePress(self._handle(), button, PLAIN, self._at(widget, place).toPoint())

    def release(self, widget: QWidget, place: QPointF, button: Qt.MouseButton = LEFT) -> None:
        """A button comes up."""
        QTest.mouseRelease(self._handle(), button, PLAIN, self._at(widget, place).toPoint())

    def move(self, widget: QWidget, place: QPointF, button: Qt.MouseButton = LEFT) -> None:
        """The pointer moves with a button down."""
        at = self._at(widget, place)
        globally = QPointF(self._handle().mapToGlobal(at.toPoint()))
        none = Qt.MouseButton.NoButton
        event = QMouseEvent(QEvent.Type.MouseMove, at, globally, none, button, PLAIN)
        QApplication.sendEvent(self._handle(), event)

    def wheel(self, widget: QWidget, place: QPointF, notches: float) -> None:
        """The wheel turns."""
        at = self._at(widget, place)
        event = QWheelEvent(
            at, QPointF(self._handle().mapToGlobal(at.toPoint())), QPoint(), QPoint(0, round(120 * notches)),
            Qt.MouseButton.NoButton, PLAIN, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(self._handle(), event)

    def strike(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        """A key goes down; `lift` it once its picture is there, as fingers do."""
        QTest.keyPress(self._handle(), key, modifiers)

    def lift(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        """A key comes up."""
        QTest.keyRelease(self._handle(), key, modifiers)
        self.rest()

    def struck(self, key: Qt.Key, modifiers: Qt.KeyboardModifier, picture: str) -> Spent:
        """Seconds from a key's going down to its picture."""
        spent = self.timed(lambda: self.strike(key, modifiers), picture)
        self.lift(key, modifiers)
        return spent

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        """A key is struck."""
        QTest.keyClick(self._handle(), key, modifiers)

    @contextmanager
    def dragging(self, widget: QWidget, place: QPointF, button: Qt.MouseButton = LEFT) -> Iterator[None]:
        """A button held down; what the drag made ends with Escape where it was not let go before."""
        self.over(widget, place)
        self.press(widget, place, button)
        self.rest()
        yield
        self.release(widget, place, button)
        self.rest()

    def drag(
        self, widget: QWidget, places: list[QPointF], picture: str, button: Qt.MouseButton = LEFT
    ) -> list[Spent]:
        """Seconds of each move of a drag along places, the first few left out; the button stays down."""
        self.over(widget, places[0])
        self.press(widget, places[0], button)
        self.rest()
        spent = [
            self.timed(lambda place=place: self.move(widget, place, button), picture) for place in places[1:]
        ]
        return spent[3:]


def swing(start: QPointF, count: int, across: float, up: float) -> list[QPointF]:
    """Places of a drag to and fro, no two alike in a row."""
    angle = np.arange(count) * 0.23
    xs, ys = across * np.sin(angle), up * np.sin(angle * 0.7)
    return [QPointF(start.x() + x, start.y() + y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]
