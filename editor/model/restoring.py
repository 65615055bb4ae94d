"""What crashes left behind, made the document again."""

from collections.abc import Callable
from pathlib import Path

from core.io.backups import Backups
from core.progress import Progress
from editor.model import journal_lock, recovery
from editor.model.disk import Disk, LockedError
from editor.model.document import Document
from editor.model.file_lock import FileLock
from editor.model.file_reports import FileReports
from editor.model.file_state import FileState, state_of
from editor.model.i18n import tr, trn
from editor.model.jobs import Job, Jobs
from editor.model.journal import Journal
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.questions import Questions
from editor.model.recovery import Recoverable


class Restoring:
    """Offers and opens what journals hold.

    Parameters
    ----------
    ask : gives who is asked where the journal and the file differ
    open : opens the file instead
    """

    def __init__(  # noqa: PLR0913 - the services it uses
        self,
        document: Document,
        playback: Playback,
        jobs: Jobs,
        journal: Journal,
        backups: Backups,
        messages: Messages,
        disk: Disk,
        told: FileReports,
        ask: Callable[[], Questions],
        open: Callable[[Path], object],
    ) -> None:
        self._document, self._playback, self._jobs, self._journal = document, playback, jobs, journal
        self._backups, self._messages, self._disk = backups, messages, disk
        self._told, self._ask, self._open = told, ask, open

    def recoverable(self) -> list[Recoverable]:
        """What crashes left behind, newest first."""
        return recovery.recoverable(self._journal.folder)

    def recover(self, item: Recoverable) -> Job[recovery.Recovered]:
        """Open what a crash left behind; it is not saved until the user does."""
        held: list[FileLock | None] = []
        states: list[FileState | None] = []
        taken: list[LockedError] = []

        def work(progress: Progress) -> recovery.Recovered:
            found = recovery.recover(item.journal, self._backups.of)
            if found.document is not None and not found.changed:
                try:
                    held.append(self._disk.claim(found.document))
                    states.append(state_of(found.document))
                except LockedError as error:
                    taken.append(error)
            return found

        def use(found: recovery.Recovered) -> None:
            if not found.changed:
                if taken:
                    self._messages.warn(str(taken[0]), tr("The recovered document is a copy"))
                path = None if taken else found.document
                self._disk.adopt(held[0] if held else None, states[0] if states else None)
                self._adopt_recovered(item, found, path)
                return

            def answered(choice: str) -> None:
                if choice == "copy":
                    self._adopt_recovered(item, found, None)
                    return
                journal_lock.release(item.journal)  # offered again at the next start, or by hand
                if choice == "file" and found.document is not None:
                    self._open(found.document)

            self._ask().recovered(item, found, answered)

        def failed(error: Exception) -> None:
            journal_lock.release(item.journal)
            self._told.failed(item.journal)(error)

        return self._jobs.run(tr("Recover {name}", name=item.title or tr("Untitled")), work, use, failed)

    def _adopt_recovered(self, item: Recoverable, found: recovery.Recovered, path: Path | None) -> None:
        """Make what was recovered the document; without a path it is a copy beside the file it came from."""
        name = "" if found.document is None else tr("{name} (recovered)", name=found.document.stem)
        self._document.replace(found.project, path, saved=False, name=name)
        if found.view.clip in found.project.assets:
            self._playback.set_clip(found.view.clip, below=found.view.below)
        self._playback.seek(found.view.time)
        # A step of its own makes the new journal hold the whole project before the old one goes.
        self._journal.secure(lambda: recovery.discard(item.journal))
        told = trn("Recovered {count} step", "Recovered {count} steps", found.steps)
        if found.problem:
            self._messages.warn(tr("{told}, but not all of it: {problem}", told=told, problem=found.problem))
        else:
            self._messages.info(told, tr("Save to keep them"))

    def discard(self, item: Recoverable) -> None:
        """Discard what a crash left behind."""
        recovery.discard(item.journal)
