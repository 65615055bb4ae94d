"""A dialog that does some work: choices above, progress and outcome below, and Escape cancels before it closes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from core.progress import Progress
from editor.model.i18n import sentence, tr
from editor.model.jobs import Job
from editor.qt.dialogs import Dialog
from editor.qt.panel import PanelContext
from editor.qt.widgets import label, set_role

T = TypeVar("T")
MOST_REMARKS = 3
ROOM = QSize(24, 72)
"""What of the screen is left for the window's frame and the desktop's bars."""


class _Scroller(QScrollArea):
    """Scrolls what it holds up and down alone: it asks for the width of that and of its bar."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self.widget().minimumSizeHint().width() + bar, super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()  # the width that it asks for may be another one
        return super().eventFilter(watched, event)


class WorkDialog(Dialog):
    """Holds choices in `content`, which scrolls where the screen is small, and runs one job at a time.

    Parameters
    ----------
    wanted : size to open with where the screen has the room
    """

    def __init__(self, parent: QWidget, context: PanelContext, title: str, name: str, wanted: QSize) -> None:
        super().__init__(parent, title, name)
        self._context = context
        self._job: Job | None = None
        self._stopping = False
        self.go: QPushButton | None = None
        self.content = QVBoxLayout()
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(8)
        inside = QWidget()
        inside.setLayout(self.content)
        self.body.addWidget(_Scroller(inside), 1)
        self._build_progress(name)
        self.cancel = self.add_button(tr("Cancel"), self._cancel, name=f"{name}Cancel")
        self.resize(wanted.boundedTo(self.screen().availableSize() - ROOM))

    def _build_progress(self, name: str) -> None:
        self.bar = QProgressBar()
        self.bar.setObjectName(f"{name}Progress")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.doing = label("", "caption")
        self.doing.setObjectName(f"{name}Doing")
        self.outcome = label("", "dim", wrap=True)
        self.outcome.setObjectName(f"{name}Outcome")
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.outcome_row = QHBoxLayout()
        self.outcome_row.setSpacing(8)
        self.outcome_row.addWidget(self.outcome, 1)
        self.remarks = label("", "caption", wrap=True)
        self.remarks.setObjectName(f"{name}Remarks")
        for widget in (self.bar, self.doing, self.outcome, self.remarks):
            widget.hide()
        self.body.addWidget(self.bar)
        self.body.addWidget(self.doing)
        self.body.addLayout(self.outcome_row)
        self.body.addWidget(self.remarks)
        self._timer = QTimer(self)
        self._timer.setInterval(50)
        self._timer.timeout.connect(self._show_progress)

    def add_go(self, text: str, pressed: Callable[[], object], name: str) -> QPushButton:
        """Add the button that does it; once done, Enter closes the dialog instead, until something is changed."""
        self.go = self.add_button(text, pressed, default=True, name=name)
        return self.go

    # ------------------------------------------------------------ work
    @property
    def working(self) -> bool:
        """Whether the job is under way."""
        return self._job is not None

    def begin(self, title: str, work: Callable[[Progress], T], done: Callable[[T], object]) -> None:
        """Run work off the window's thread; `done` gets its result and calls `say`."""
        if self._job is not None:
            return

        def use(result: T) -> None:
            self._end()
            done(result)

        def failed(error: Exception) -> None:
            self._end()
            known = isinstance(error, AnimError)
            self.say(str(error) if known else f"{type(error).__name__}: {error}", "error")

        def stopped() -> None:
            self._end()
            self.stopped()

        self._stopping = False
        self.bar.setValue(0)
        self.doing.setText(tr("Starting"))
        self.bar.show()
        self.doing.show()
        self.cancel.setText(tr("Cancel"))
        self._timer.start()
        self._job = Job(title, work, use, failed, stopped)
        self.changed()
        self._context.session.jobs.start(self._job)

    def changed(self) -> None:
        """Something was chosen, or work began or ended; subclasses show what follows from it."""

    def stopped(self) -> None:
        """The work was cancelled."""
        self.say(tr("Cancelled; nothing was written."), "warning")

    def say(self, text: str, role: str, remarks: Sequence[str] = ()) -> None:
        """Show how it went, in one of the roles "ok", "warning" and "error"; further remarks stand below, dim."""
        self.outcome.setText(text)
        set_role(self.outcome, role)
        self.outcome.show()
        more = len(remarks) - MOST_REMARKS
        shown = [*remarks[:MOST_REMARKS], *([tr("… and {count} more", count=more)] if more > 0 else [])]
        self.remarks.setText("\n".join(shown))
        self.remarks.setToolTip("\n".join(remarks) if more > 0 else "")
        self.remarks.setVisible(bool(remarks))
        self.cancel.setText(tr("Close"))
        if role == "ok":
            self.cancel.setDefault(True)
            self.cancel.setFocus()

    def hide_outcome(self) -> None:
        """What was said no longer holds."""
        self.outcome.hide()
        self.remarks.hide()
        if self.go is not None:
            self.go.setDefault(True)

    def _show_progress(self) -> None:
        if self._job is not None:
            self.bar.setValue(round(self._job.fraction * 1000))
            if not self._stopping:
                self.doing.setText(sentence(self._job.text))

    def _end(self) -> None:
        self._job = None
        self._timer.stop()
        self.bar.hide()
        self.doing.hide()
        self.changed()

    # ------------------------------------------------------------ leaving
    def _cancel(self) -> None:
        if self._job is not None:
            self._stopping = True
            self._job.cancel()
            self.doing.setText(tr("Stopping"))
        else:
            self.close()

    def reject(self) -> None:
        """Escape: cancels the work first, then closes."""
        if self._job is not None:
            self._cancel()
        else:
            super().reject()

    def closeEvent(self, event) -> None:
        if self._job is not None:
            self._cancel()
            event.ignore()
        else:
            super().closeEvent(event)


def open_folder(folder: Path) -> bool:
    """Show a folder in the system's file manager; whether there is one."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
