"""The dialogs of a document that others have open, or have changed: choose, compare, and nothing lost unasked."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QGridLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from core.progress import Progress
from core.project.differences import Change, Difference, differences
from core.project.project import Project
from editor.model.disk import ChangedOutsideError, LockedError
from editor.model.file_state import stat_of
from editor.model.i18n import tr, trn
from editor.model.questions import Answer, file_project
from editor.model.recovery import Recoverable, Recovered
from editor.model.session import Session
from editor.qt.dialogs import Dialog, ask
from editor.qt.panel import PanelContext
from editor.qt.widgets import label

Rows = Sequence[Difference] | None
"""What two versions differ in; None where the file cannot be read."""
Choices = Sequence[tuple[str, str]]
MOST_ROWS = 500


class FileQuestions:
    """Asks in the window what `editor.model.questions.Questions` describes.

    Parameters
    ----------
    save_as : asks where to save instead
    """

    def __init__(self, window: QWidget, context: PanelContext, save_as: Callable[[], object]) -> None:
        self._window, self._context, self._save_as = window, context, save_as
        self._session: Session = context.session
        self._comparing = False

    @property
    def asking(self) -> bool:
        """Whether any dialog is open, or two versions are being compared for one."""
        return self._comparing or QApplication.activeModalWidget() is not None

    def locked(self, error: LockedError, answer: Answer) -> None:
        """A document to be opened is open elsewhere."""
        import socket

        owner = error.owner
        choices = [("", tr("Cancel")), ("copy", tr("Open a copy")), ("read_only", tr("Open read-only"))]
        text = (
            tr("{who} has had it open since {when}.", who=owner.who, when=_moment(owner.since))
            + "\n\n"
            + tr("Read-only: look at it, or save it under another name. A copy is a new document.")
        )
        if owner.host != socket.gethostname():
            choices.insert(1, ("take_over", tr("Take over")))
            text += "\n" + tr("Take over only if you know that it is no longer in use there.")
        self._ask(tr("{name} is open elsewhere", name=error.path.name), text, choices, answer, "read_only")

    def conflict(self, error: ChangedOutsideError | LockedError, answer: Answer) -> None:
        """A file to be saved over is another's, or not what was opened."""
        path = error.path
        if isinstance(error, LockedError):
            title = tr("{name} is open elsewhere", name=path.name)
            text = tr(
                "{who} has had it open since {when}.", who=error.owner.who, when=_moment(error.owner.since)
            )
        else:
            title = tr("{name} was changed by another program", name=path.name)
            text = tr("It has changed since it was opened or saved here ({when}).", when=_modified(path))
        text += "\n\n" + tr("Overwriting keeps that version in the backups.")

        def answered(choice: str) -> None:
            if choice == "compare":
                self._compare(path, lambda: self.conflict(error, answer))
            elif choice == "save_as":
                self._save_as()
            else:
                answer(choice)

        choices = [
            ("", tr("Cancel")),
            ("compare", tr("Compare…")),
            ("overwrite", tr("Overwrite")),
            ("save_as", tr("Save as…")),
        ]
        self._ask(title, text, choices, answered, "save_as")

    def outside(self, path: Path, answer: Answer) -> None:
        """The open document's file was changed by another program."""
        text = tr("The file was saved elsewhere ({when}).", when=_modified(path))
        if self._session.document.dirty:
            text += "\n\n" + tr("Reloading discards your changes since the last save.")

        def answered(choice: str) -> None:
            if choice == "compare":
                self._compare(path, lambda: self.outside(path, answer))
            else:
                answer(choice)

        choices = [("", tr("Keep mine")), ("compare", tr("Compare…")), ("reload", tr("Reload"))]
        default = "" if self._session.document.dirty else "reload"
        self._ask(
            tr("{name} was changed by another program", name=path.name), text, choices, answered, default
        )

    def recovered(self, item: Recoverable, found: Recovered, answer: Answer) -> None:
        """The file that lost steps belong to holds something else now: both are shown side by side."""
        assert found.document is not None
        path = found.document
        lost = trn("{count} step", "{count} steps", found.steps)
        mine = (tr("Recovered steps"), f"{lost}, {_moment(item.when)}\n{item.last}")
        theirs = (tr("The file now"), f"{path.name}, {_modified(path)}")

        def show(rows: Rows) -> None:
            Versions(
                self._window,
                tr("{name} is a different version", name=path.name),
                tr(
                    "The unsaved steps were made on a different version of this file. They can be opened as "
                    "a copy; neither is changed."
                ),
                (mine, theirs),
                rows,
                (
                    ("", tr("Later")),
                    ("file", tr("Open the file")),
                    ("copy", tr("Open recovered steps as a copy")),
                ),
                answer,
                "copy",
            ).open()

        self._with_differences(found.project, path, show)

    # ------------------------------------------------------------ helpers
    def _compare(self, path: Path, then: Callable[[], object]) -> None:
        session = self._session

        def show(rows: Rows) -> None:
            Versions(
                self._window,
                tr("Differences"),
                "",
                ((tr("Yours"), tr("open here")), (tr("The file"), _modified(path))),
                rows,
                (("", tr("Back")),),
                lambda _: then(),
            ).open()

        self._with_differences(session.document.project, path, show)

    def _with_differences(self, mine: Project, path: Path, show: Callable[[Rows], object]) -> None:
        """Read the file and compare it, on a worker; an error of reading is a message, and there are no rows."""

        def work(progress: Progress) -> tuple[Difference, ...]:
            return differences(mine, file_project(path))

        def compared(rows: Rows) -> None:
            self._comparing = False
            show(rows)

        def failed(error: Exception) -> None:
            self._session.messages.error(str(error))
            compared(None)

        def cancelled() -> None:
            self._comparing = False

        self._comparing = True
        self._session.jobs.run(tr("Compare {name}", name=path.name), work, compared, failed, cancelled)

    def _ask(self, title: str, text: str, choices: Choices, answer: Answer, default: str) -> None:
        # A button needs a name of its own; closing the dialog is the same as the first choice.
        named = [(choice or "cancel", caption) for choice, caption in choices]

        def chosen(choice: str) -> None:
            answer("" if choice == "cancel" else choice)

        ask(self._window, self._context.theme, title, text, named, chosen, default or "cancel")


Side = tuple[str, str]
"""A version of a document: what it is called, and more about it."""


class Versions(Dialog):
    """Two versions of a document side by side, with what differs, and buttons to choose."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        sides: tuple[Side, Side],
        rows: Rows,
        choices: Choices,
        answer: Answer,
        default: str = "",
    ) -> None:
        super().__init__(parent, "Posewright", "versions", title)
        self._answer: Answer | None = answer
        if text:
            self.body.addWidget(label(text, wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        for column, (heading, more) in enumerate(sides):
            grid.addWidget(label(heading, "heading"), 0, column)
            grid.addWidget(label(more, "caption", wrap=True), 1, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
        self.body.addLayout(grid)
        self.table = _table(rows, *(heading for heading, _ in sides))
        self.body.addWidget(self.table, 1)
        for column in range(3):
            self.table.resizeColumnToContents(column)  # here, as it is dressed now
        for choice, caption in choices:
            self.add_button(caption, _chooser(self._choose, choice), choice == default, choice or "cancel")
        self.finished.connect(lambda _: self._choose(""))
        self.resize(620, 420)

    def _choose(self, choice: str) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            self.close()
            answer(choice)


def _chooser(choose: Callable[[str], None], choice: str) -> Callable[[], None]:
    return lambda: choose(choice)


def _table(rows: Rows, mine: str, theirs: str) -> QTreeWidget:
    table: Any = QTreeWidget()
    table.setObjectName("differences")
    table.setProperty("role", "table")
    table.setHeaderLabels([tr("Differs"), mine, theirs])
    table.setRootIsDecorated(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setUniformRowHeights(True)
    said = {
        Change.ADDED: ("–", tr("only here")),
        Change.REMOVED: (tr("only here"), "–"),
    }
    if rows is None:
        table.addTopLevelItem(QTreeWidgetItem([tr("the file cannot be read"), "", ""]))
        rows = ()
    elif not rows:
        table.addTopLevelItem(QTreeWidgetItem([tr("nothing"), "", ""]))
    for row in rows[:MOST_ROWS]:
        left, right = said.get(row.change, (tr("in both"), row.what or tr("differs")))
        table.addTopLevelItem(
            QTreeWidgetItem([f"{row.name} ({row.kind})" if row.name else row.kind, left, right])
        )
    if len(rows) > MOST_ROWS:
        more = trn("and {count} more", "and {count} more", len(rows) - MOST_ROWS)
        table.addTopLevelItem(QTreeWidgetItem([more, "", ""]))
    return table


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "?"


def _modified(path: Path) -> str:
    found = stat_of(path)
    return tr("changed {when}", when=_moment(found.st_mtime)) if found is not None else tr("missing")
