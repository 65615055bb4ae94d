"""The frame budget: which refresh comes in which turn of the event loop.

A change of the model asks many panels to bring themselves up to date. What the hand is at and the picture of the
character come in the first turn and are painted; the others follow in the turns after, so many in each as its time
allows, and what is out of sight waits until it is shown (`editor.qt.binding`). Input that comes meanwhile is handled
between these turns; a panel waits no longer than `PATIENCE` behind a drag.
"""

import time
from enum import IntEnum
from math import inf
from typing import Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer

BUDGET = 0.02
"""Seconds of a turn after which panels that still wait have to wait for the next."""
PATIENCE = 0.12
"""Seconds after which a panel is brought up to date in the very next turn, even while a drag goes on."""
REFRESH, PAINTED = (QEvent.Type(QEvent.registerEventType()) for _ in range(2))
LAST_OF_ALL = -1000
"""Priority of an event that comes after all others; paintings have −1."""


class Rank(IntEnum):
    """In which turn a refresh comes."""

    FIRST = 0
    """The picture, the playhead, fields of the time: they never disagree."""
    NEXT = 1
    """Panels that show what changed."""
    LAST = 2
    """Menus, titles, lists of what was done."""


class Waiting(Protocol):
    """A refresh that is due."""

    def rank(self) -> Rank: ...

    def run(self) -> None: ...


class Turns(QObject):
    """Runs refreshes that are due: the first ones before anything is painted, the others in later turns.

    The queue posts events to itself: one with the usual priority, which Qt delivers before paintings, and when that
    is done one that comes after all paintings asked for. A timer that is always due lets input in before the others.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # What is due dies with its widget: a closed window is not kept alive by what it still had to show.
        self._due: WeakKeyDictionary[Waiting, float] = WeakKeyDictionary()
        self._posted = self._painting = self._running = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._later)

    @property
    def idle(self) -> bool:
        """Whether nothing is due."""
        return not len(self._due)

    def ask(self, refresh: Waiting) -> None:
        """Run a refresh in the turn that its rank gets; once, however often it is asked for."""
        if refresh in self._due:
            return
        self._due[refresh] = time.monotonic()
        # One that a refresh asks for comes in the next turn: two that ask for each other must not hold the window.
        if refresh.rank() is Rank.FIRST and not self._running:
            if not self._posted:
                self._posted = True
                QCoreApplication.postEvent(self, QEvent(REFRESH))
        elif not (self._posted or self._painting or self._running):
            self._timer.start()

    def asked(self, refresh: Waiting) -> bool:
        """Whether a refresh is due."""
        return refresh in self._due

    def drop(self, refresh: Waiting) -> None:
        """It is no longer due."""
        self._due.pop(refresh, None)

    def event(self, event: QEvent) -> bool:
        if event.type() == REFRESH:
            self._posted = False
            self._timer.stop()  # the others come after the paintings
            now = time.monotonic()
            self._run([one for one, since in self._due.items() if not one.rank() or now - since > PATIENCE])
        elif event.type() == PAINTED:
            self._painting = False
            if not self.idle and not self._posted:
                self._timer.start()
        else:
            return super().event(event)
        return True

    def _go_on(self) -> None:
        """Go on with what is due once all that was asked for is painted."""
        if not self._painting:
            self._painting = True
            QCoreApplication.postEvent(self, QEvent(PAINTED), LAST_OF_ALL)

    def _later(self) -> None:
        self._run(sorted(self._due, key=lambda one: one.rank()), BUDGET)

    def _run(self, refreshes: list[Waiting], budget: float = inf) -> None:
        """Bring up to date what is due, until the budget is spent; what is left waits for the next turn."""
        start, before, self._running = time.monotonic(), self._running, True
        try:
            for refresh in refreshes:
                if self._due.pop(refresh, None) is None:
                    continue  # another brought it up to date
                refresh.run()
                if time.monotonic() - start > budget:
                    break
        finally:
            self._running = before
            if not self.idle and not self._posted:
                self._go_on()


def turns() -> Turns:
    """The queue of this application."""
    app = QCoreApplication.instance()
    assert app is not None
    found = app.findChild(Turns)
    return found if isinstance(found, Turns) else Turns(app)
