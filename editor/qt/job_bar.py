"""How far a piece of work is, shown where it was asked for."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from editor.model.jobs import Job
from editor.qt.widgets import ElidedLabel

POLL = 60
"""Milliseconds between two looks."""


class JobBar(QWidget):
    """A bar and what is being done under it; out of sight while there is no job.

    Parameters
    ----------
    name : object name of the bar
    job : gives the work going on, or None
    """

    def __init__(self, name: str, job: Callable[[], Job | None]) -> None:
        super().__init__()
        self._job = job
        self._bar = QProgressBar()
        self._bar.setObjectName(name)
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._doing = ElidedLabel("", "caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._bar)
        column.addWidget(self._doing)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self.refresh)

    def refresh(self) -> None:
        """Show the job as it is now, and go on looking while there is one."""
        job = self._job()
        self.setVisible(job is not None)
        if job is None:
            self._timer.stop()
            return
        self._bar.setValue(round(job.fraction * 1000))
        self._doing.set_text(job.text)
        if not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """Look no more: the window goes."""
        self._timer.stop()
