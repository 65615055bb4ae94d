"""The status bar: hints for the active tool, work under way, and whether everything is safe."""

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QStatusBar, QWidget

from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.qt.binding import Bindings
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, icon_button, set_role

NEWS = 5000
"""Milliseconds that good news stay."""


class JobBox(QWidget):
    """The oldest job under way: what, how far, and a button that cancels it."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("jobBox")
        self._jobs = session.jobs
        self._text = QLabel()
        self._text.setObjectName("jobText")
        self._bar = QProgressBar()
        self._bar.setObjectName("jobProgress")
        self._bar.setRange(0, 1000)
        self._bar.setFixedWidth(120)
        self._bar.setTextVisible(False)
        cancel = icon_button(theme, "close", tr("Cancel"), name="cancelJob", token="dim", size=18)
        cancel.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._text)
        row.addWidget(self._bar)
        row.addWidget(cancel)
        self._timer = QTimer(self)
        self._timer.setInterval(50)
        self._timer.timeout.connect(self._refresh)
        Bindings(self).refresh(self._refresh, session.jobs.changed)
        self.hide()

    def _refresh(self) -> None:
        running = self._jobs.running
        if not running:
            self._timer.stop()
            self.hide()
            return
        job = running[0]
        more = trn(" (and {count} more)", " (and {count} more)", len(running) - 1) if len(running) > 1 else ""
        self._text.setText((f"{job.title}: {job.text}" if job.text else job.title) + more)
        self._bar.setValue(round(job.fraction * 1000))
        self.show()
        if not self._timer.isActive():
            self._timer.start()

    def _cancel(self) -> None:
        for job in self._jobs.running[:1]:
            self._jobs.cancel(job)


class StatusBar(QStatusBar):
    """Hint at the left; job, saved state, journal and frame rate at the right."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setSizeGripEnabled(False)
        self._session = session
        self.default_hint = tr("F3: find an action · F1: keyboard shortcuts")
        self._hint = ElidedLabel()
        self._hint.setObjectName("hint")
        self._tip = self.default_hint
        self._news = QTimer(self)
        self._news.setSingleShot(True)
        self._news.setInterval(NEWS)
        self._news.timeout.connect(self._say_hint)
        self._jobs = JobBox(session, theme)
        self._saved, self._journal, self._rate = QLabel(), QLabel(), QLabel()
        for label, name in (
            (self._saved, "savedState"),
            (self._journal, "journalState"),
            (self._rate, "frameRate"),
        ):
            label.setObjectName(name)
        self._rate.setFont(theme.font(11, tabular=True))
        self._rate.setMinimumWidth(self._rate.fontMetrics().horizontalAdvance("000 fps"))
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(16)
        row.addWidget(self._hint, 1)
        for widget in (self._jobs, self._saved, self._journal, self._rate):
            row.addWidget(widget)
        self.addWidget(box, 1)
        bindings = Bindings(self)
        bindings.refresh(
            self._refresh, session.document.file_changed, session.document.changed, session.jobs.changed
        )
        self.set_hint("")
        self._refresh()

    def set_hint(self, text: str) -> None:
        """Say what mouse and keys do; "" says the default."""
        self._tip = text or self.default_hint
        if not self._news.isActive():
            self._hint.set_text(self._tip)

    def say(self, text: str) -> None:
        """Show good news for a moment, in place of the hint."""
        self._hint.set_text(text)
        self._news.start()

    def _say_hint(self) -> None:
        self._hint.set_text(self._tip)

    def set_frame_rate(self, frames_per_second: float | None, behind: bool = False) -> None:
        """Show the measured frames a second; amber where playback falls behind, which is said nowhere else."""
        self._rate.setText("" if frames_per_second is None else f"{frames_per_second:.0f} fps")
        self._rate.setToolTip(tr("Playback is slower than the clip: frames are left out") if behind else "")
        set_role(self._rate, "warning" if behind else "caption")

    def _refresh(self) -> None:
        document = self._session.document
        if self._session.files.saving:
            text, role = tr("saving …"), "caption"
        elif document.dirty:
            text, role = tr("not saved"), "warning"
        else:
            text, role = (tr("saved") if document.path else tr("nothing to save")), "caption"
        self._saved.setText(text)
        self._saved.setToolTip(
            str(document.path) if isinstance(document.path, Path) else tr("Not saved to a file yet")
        )
        set_role(self._saved, role)
        self.check_journal()

    def stop(self) -> None:
        """The window closes."""
        self._news.stop()

    def check_journal(self) -> None:
        """Say whether steps reach the disk."""
        self._session.check_journal()
        problem = self._session.journal_problem
        self._journal.setText(tr("journal failed") if problem else tr("journal ok"))
        self._journal.setToolTip(
            problem or tr("Every step is on disk within 0.1 s and can be recovered after a crash")
        )
        set_role(self._journal, "error" if problem else "caption")
