"""Saving the document: beside the window, never over what others wrote meanwhile unasked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import core.io
from core.errors import FormatError
from core.io import ExportReport
from core.io.backups import Backups
from core.io.native.write import NativeWriteOptions
from core.io.native.written import SaveMemory
from core.progress import Progress
from editor.model.disk import ChangedOutsideError, Disk, LockedError, require_regular
from editor.model.document import Document
from editor.model.file_lock import FileLock
from editor.model.file_reports import FileReports
from editor.model.file_state import FileState, state_of
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.journal import Journal
from editor.model.messages import Messages
from editor.model.opening import SUFFIX
from editor.model.preferences import Preferences
from editor.model.questions import Questions


class Saving:
    """Writes the document to its file, one save at a time.

    Parameters
    ----------
    ask : gives who is asked where another has the file open or has changed it
    """

    def __init__(  # noqa: PLR0913 - the services it uses
        self,
        document: Document,
        jobs: Jobs,
        journal: Journal,
        backups: Backups,
        preferences: Preferences,
        messages: Messages,
        disk: Disk,
        told: FileReports,
        ask: Callable[[], Questions],
    ) -> None:
        self._document, self._jobs, self._journal, self._backups = document, jobs, journal, backups
        self._preferences, self._messages, self._disk = preferences, messages, disk
        self._told, self._ask = told, ask
        self._memory = SaveMemory()
        document.replaced.connect(self._forget)
        self._saving: Job[Any] | None = None
        self._target: Path | None = None  # where the save under way goes
        self._again: Path | None = None  # and where the next one, asked for meanwhile

    def _forget(self, _: None = None) -> None:
        """Another document: a save under way still writes into the memory it was given."""
        self._memory = SaveMemory()

    def remember(self, remembered: object) -> None:
        """Take what reading the document's file left for its first save, if anything."""
        if isinstance(remembered, SaveMemory):
            self._memory = remembered

    @property
    def saving(self) -> bool:
        """Whether a save is under way."""
        return self._saving is not None

    def save(
        self,
        path: Path | None = None,
        done: Callable[[], object] | None = None,
        overwrite: bool = False,
    ) -> bool:
        """Save the document as it is now; the window goes on meanwhile.

        Where another has changed the file since it was opened or saved here, or has it open, nothing is written and
        the user is asked.

        Parameters
        ----------
        path : None is the document's own path
        done : called once it is on disk
        overwrite : write whatever is there (it goes among the backups) and whoever has it open

        Returns
        -------
        bool
            False where there is no path to save to: ask for one.
        """
        own = None if self._document.read_only else self._document.path
        target = path or self._again or self._target or own
        if target is None:
            return False
        if target.suffix.lower() != SUFFIX:
            target = target.with_name(target.name + SUFFIX)
        target = target.absolute()
        if self._document.read_only and target == self._document.path and not overwrite:
            self._messages.warn(
                tr("{name} was opened read-only", name=target.name), tr("Save it under another name")
            )
            return False
        if self._saving is not None:
            self._again = target
            return True
        project = self._document.project
        self._backups.keep = int(self._preferences.get("backups"))
        memory = self._memory
        expected = self._disk.state if target == self._document.path and not overwrite else None
        held: list[FileLock | None] = []
        states: list[FileState | None] = []

        def before_replacing(written: Path) -> None:
            self._disk.check_unchanged(target, expected)
            states.append(state_of(written))

        def work(progress: Progress) -> ExportReport:
            require_regular(target)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = tr("its folder cannot be made: {reason}", reason=error.strerror or error)
                raise FormatError(target, "", reason, tr("save it elsewhere")) from error
            held.append(self._disk.claim(target, overwrite))
            try:
                self._disk.check_unchanged(target, expected)
                self._backups.before_saving(target)
                options = NativeWriteOptions(before_replacing, memory)
                return core.io.save(project, target, options, progress, format="posewright")
            except BaseException:
                self._disk.drop(held.pop())
                raise

        def use(report: ExportReport) -> None:
            self._saving = self._target = None
            state = states[-1] if states else None
            self._disk.adopt(held[0], state)
            self._document.mark_saved(target, project)
            self._journal.saved(target, project, self._document.project, state)
            self._preferences.add_recent(target)
            if report.warnings:
                self._messages.warn(
                    tr("Saved {name}, but {what}", name=target.name, what="; ".join(report.warnings)),
                    tr("The previous version is in the backups; please report this"),
                )
            else:
                self._messages.resolve()
            self._messages.info(tr("Saved {name}", name=target.name))
            if done is not None:
                done()
            self._next()

        def failed(error: Exception) -> None:
            self._stop_saving()
            if isinstance(error, ChangedOutsideError):
                self._disk.was_told(error.found)
            if isinstance(error, ChangedOutsideError | LockedError):
                self._ask().conflict(
                    error, lambda choice: self.save(target, done, True) if choice == "overwrite" else None
                )
            else:
                self._told.failed(target)(error)

        job: Job[ExportReport] = Job(
            tr("Save {name}", name=target.name), work, use, failed, self._stop_saving
        )
        self._saving, self._target = job, target
        self._jobs.start(job)
        return True

    def _next(self) -> None:
        again, self._again = self._again, None
        if again is not None and (self._document.dirty or again != self._document.path):
            self.save(again)

    def _stop_saving(self) -> None:
        self._saving = self._target = self._again = None
