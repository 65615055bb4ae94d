"""Ties the model's events to widgets: coalesced, and disconnected when the widget is deleted."""

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from editor.qt.turns import Rank, turns

Ranked = Rank | Callable[[], Rank]


class Source(Protocol):
    """An event of the model: `connect` gives back a function that disconnects."""

    def connect(self, listener: Callable[[Any], None], /) -> Callable[[], None]: ...


class OncePerTurn(QObject):
    """Calls a function at most once for each turn of the event loop, however often it is asked to.

    A burst of changes inside one mouse event thus costs one refresh. `flush` runs what is due
    at once (before a picture is taken, say).

    Parameters
    ----------
    sight : widget that has to be in sight for the call, or None; a call that was due comes when it is shown
    rank : in which turn the call comes, or what tells that when it is asked for; of a widget with the keyboard,
        which follows the mouse, what comes next comes first
    """

    def __init__(
        self,
        owner: QObject,
        function: Callable[[], None],
        sight: QWidget | None = None,
        rank: Ranked = Rank.FIRST,
    ) -> None:
        super().__init__(owner)
        self._function = function
        self._sight = sight
        self._rank = rank
        self._waiting = False
        self._turns = turns()

    def __call__(self, *_: Any) -> None:
        if Shiboken.isValid(self) and not self._waiting:
            self._turns.ask(self)

    def rank(self) -> Rank:
        """In which turn it comes now."""
        if not Shiboken.isValid(self):
            return Rank.LAST
        rank = self._rank if isinstance(self._rank, Rank) else self._rank()
        if rank is not Rank.NEXT:
            return rank
        holder, sight = QApplication.focusWidget(), self._sight
        at_hand = sight is not None and holder is not None and (holder is sight or sight.isAncestorOf(holder))
        return Rank.FIRST if at_hand else rank

    def run(self) -> None:
        """Call, or wait to be in sight; nothing where the widget is gone."""
        sight = self._sight
        if not Shiboken.isValid(self):
            return
        # What hides itself decides in its refresh whether to come back; only what its parents hide can wait.
        if sight is not None and not sight.isVisible() and not sight.isHidden():
            self._waiting = True
            sight.installEventFilter(self)
        else:
            self._function()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._waiting and event.type() == QEvent.Type.Show:
            self._end_waiting()
            self._function()
        return False

    def _end_waiting(self) -> None:
        self._waiting = False
        if self._sight is not None:
            self._sight.removeEventFilter(self)

    def flush(self) -> None:
        """Run now if a call is due."""
        if self._waiting or self._turns.asked(self):
            self._turns.drop(self)
            self._end_waiting()
            self._function()


def once_per_turn(owner: QObject, function: Callable[[], None]) -> OncePerTurn:
    """A stand-in for `function` that collects all calls of one turn of the event loop into one."""
    return OncePerTurn(owner, function)


class Bindings:
    """Connections of one widget to the model, dropped when the widget is destroyed.

    The model outlives widgets; a listener left behind would keep the widget's Python half alive and call into a
    dead one.
    """

    def __init__(self, owner: QObject) -> None:
        drops: list[Callable[[], None]] = []
        self._owner = owner
        self._subscriptions = drops
        # The closure must not hold the owner, or it would never die.
        owner.destroyed.connect(lambda: _drop(drops))

    def on(self, event: Source, listener: Callable[[Any], None]) -> None:
        """Call `listener` at once whenever the event is emitted."""
        self._subscriptions.append(event.connect(listener))

    def refresh(
        self, function: Callable[[], None], *events: Source, rank: Rank | Callable[[], Rank] = Rank.NEXT
    ) -> OncePerTurn:
        """Call `function` once after any of the events, in the turn that its rank gets; return the coalescer.

        A widget that is not in sight (in a tab behind another, say) is brought up to date when it is shown. By
        default it comes once the picture of the character has been painted, see `editor.qt.turns`.
        """
        sight = self._owner if isinstance(self._owner, QWidget) else None
        later = OncePerTurn(self._owner, function, sight, rank)
        for event in events:
            self._subscriptions.append(event.connect(later))
        return later

    def drop(self) -> None:
        """Disconnect everything now."""
        _drop(self._subscriptions)


def _drop(drops: list[Callable[[], None]]) -> None:
    while drops:
        drops.pop()()
