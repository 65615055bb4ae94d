"""Find threads and running timers that a GUI test leaves behind."""

import gc
import threading
import time

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, QThreadPool, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from core.math.threads import POOL

PATIENCE = 20.0
"""Seconds that threads get to come to their end, and single-shot timers to fire."""


def let_go_of_keys() -> None:
    """Hold Shift, Ctrl and Alt no more: what a test's last click had with it, Qt tells the next test."""
    if QApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_Shift, Qt.KeyboardModifier.NoModifier)


class Leaks:
    """What ran before the test; ``found`` tells what runs since.

    Parameters
    ----------
    app
        The application of the test; its top-level widgets are searched for timers, also those made in C++.
    """

    def __init__(self, app: QApplication) -> None:
        self.app = app
        self.threads = set(threading.enumerate())
        self.objects = {address(item) for item in running(app)}

    def found(self) -> list[str]:
        """Describe each new thread and each new running timer, after waiting for those about to end.

        Unreachable objects are collected before anything is called a leak: Python frees cycles when it likes.
        """
        self.settle()
        if not self.leaked():
            return []
        gc.collect()
        until = time.monotonic() + PATIENCE
        while self.leaked() and time.monotonic() < until:
            self.settle()
            time.sleep(0.01)
        return self.leaked()

    def settle(self) -> None:
        """Run what is queued: deferred deletions, finished workers' signals, timers that are due."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()

    def leaked(self) -> list[str]:
        """Describe what runs now and did not before."""
        rows = [
            f"thread {thread.name!r}"
            for thread in threading.enumerate()
            # A thread of Qt that ran Python stays listed as a dummy for good; Qt's own pool is asked below.
            if thread not in self.threads
            and thread.is_alive()
            and not isinstance(thread, threading._DummyThread)
            and not thread.name.startswith(POOL)  # kept for the next large work, and idle till then
        ]
        busy = QThreadPool.globalInstance().activeThreadCount()
        if busy:
            rows.append(f"{busy} busy threads of the global thread pool")
        return rows + [describe(item) for item in running(self.app) if address(item) not in self.objects]


def running(app: QApplication) -> list[QObject]:
    """Return every live timer that is active and every Qt thread that runs, of Python's or below a window."""
    kinds = {QTimer, QThread, *subclasses(QTimer), *subclasses(QThread)}  # faster than isinstance, on so many
    found = [item for item in Shiboken.getAllValidWrappers() if type(item) in kinds]
    items: dict[int, QObject] = {address(item): item for item in found if Shiboken.isValid(item)}
    for top in (app, *app.topLevelWidgets()):
        for kind in (QTimer, QThread):
            items.update((address(item), item) for item in top.findChildren(kind))
    main = address(app.thread())
    return [item for key, item in items.items() if key != main and is_running(item)]


def delete_widgets() -> None:
    """Delete the widgets that belong to no other, but for Qt's own tool tip."""
    if not isinstance(QApplication.instance(), QApplication):
        return
    for top in QApplication.topLevelWidgets():
        if Shiboken.isValid(top) and top.parent() is None and not top.inherits("QTipLabel"):
            top.close()
            top.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def subclasses(kind: type) -> set[type]:
    """Return every class below a class."""
    below = set(kind.__subclasses__())
    return below.union(*map(subclasses, below))


def is_running(item: QObject) -> bool:
    return item.isRunning() if isinstance(item, QThread) else item.isActive()


def address(item: QObject) -> int:
    return Shiboken.getCppPointer(item)[0]


def describe(item: QObject) -> str:
    """Name the object with its owners, so that it can be found."""
    owners = []
    parent = item.parent()
    while parent is not None:
        owners.append(f"{type(parent).__name__} {parent.objectName()!r}")
        parent = parent.parent()
    what = f"timer of {item.interval()} ms" if isinstance(item, QTimer) else "running QThread"
    return f"{what}: {type(item).__name__} {item.objectName()!r}, owned by {' in '.join(owners) or 'nobody'}"
