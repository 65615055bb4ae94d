"""Opening files as the document, and noticing when others change what was opened."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import core.io
import resources.sample
from core.io import Loaded
from core.progress import Progress
from core.project.project import Project
from core.project.references import check
from editor.model.disk import Access, Disk, LockedError, Seen, read_stable, require_regular, writable
from editor.model.document import Document
from editor.model.file_lock import FileLock
from editor.model.file_reports import FileReports
from editor.model.file_state import FileState
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.messages import Messages
from editor.model.origins import Origins
from editor.model.preferences import Preferences
from editor.model.questions import Questions

SUFFIX = ".posewright"


class Opening:
    """Makes documents of files.

    Parameters
    ----------
    ask : gives who is asked where another has the file open or has changed it
    saving : tells whether a save is under way, during which nobody looks at the file
    remember : gets what reading the document's file left for its first save
    """

    def __init__(  # noqa: PLR0913 - the services it uses
        self,
        document: Document,
        jobs: Jobs,
        preferences: Preferences,
        messages: Messages,
        disk: Disk,
        origins: Origins,
        told: FileReports,
        ask: Callable[[], Questions],
        saving: Callable[[], bool],
        remember: Callable[[object], object],
    ) -> None:
        self._document, self._jobs, self._preferences, self._messages = document, jobs, preferences, messages
        self._disk, self._origins, self._told, self._ask, self._saving = disk, origins, told, ask, saving
        self._remember = remember
        self._looking = False
        document.replaced.connect(lambda _: self._on_replaced())

    @property
    def looking(self) -> bool:
        """Whether a look at the document's file is under way."""
        return self._looking

    def new(self) -> None:
        """Start over with an empty document (asking about unsaved changes is the window's business)."""
        self._document.replace(Project(), None)

    def open_sample(self, done: Callable[[], object] | None = None) -> Job[Loaded]:
        """Open the sample character that comes with the program, as a document without a file."""
        return self.open(sample_path(), done, as_copy=True)

    def open(
        self,
        path: Path,
        done: Callable[[], object] | None = None,
        as_copy: bool = False,
        access: Access = Access.ASK,
    ) -> Job[Loaded]:
        """Open a file as the document; a foreign format becomes a document that is not saved yet.

        A file that cannot be read leaves the open document untouched. One that another has open is asked about. A
        sample that comes with the program is opened as a copy.

        Parameters
        ----------
        done : called once it is open
        as_copy : saving asks for a place, and the file is not put among the recent ones
        access : what to do where another has it open
        """
        as_copy = as_copy or comes_with_the_program(path)
        native = path.suffix.lower() == SUFFIX and not as_copy
        path = path.absolute() if native else path
        held: list[FileLock | None] = []
        states: list[FileState | None] = []

        def work(progress: Progress) -> Loaded:
            require_regular(path)
            found: list[Loaded] = []
            if native and access is not Access.READ_ONLY and path.is_file():
                held.append(self._disk.claim(path, access is Access.TAKE_OVER))
            try:
                read = partial(_read, path, progress, found)
                states.append(read_stable(path, read) if native else read())
            except BaseException:
                self._disk.drop(held.pop() if held else None)
                raise
            return found[-1]

        def use(loaded: Loaded) -> None:
            read_only = native and (access is Access.READ_ONLY or not writable(path))
            same = not loaded.report.cleared  # what was cleared is still in the file
            if native:
                self._disk.adopt(held[0] if held else None, states[0])
            else:
                self._disk.forget()
            name = path.name if not as_copy else tr("Sample character")
            if as_copy and path != sample_path():
                name = tr("{name} (copy)", name=path.stem)
            self._document.replace(
                loaded.project, path if native else None, saved=same, read_only=read_only, name=name
            )
            self._remember(loaded.remembered)
            if not as_copy:
                if not native:
                    self._origins.add(path, loaded.report)
                self._preferences.add_recent(path)
                self._told.tell(path, loaded.report)
            if read_only and access is not Access.READ_ONLY:
                self._messages.info(
                    tr("{name} is write-protected", name=path.name), tr("Save it under another name")
                )
            if done is not None:
                done()

        def failed(error: Exception) -> None:
            if not isinstance(error, LockedError):
                self._told.failed(path, "file.open")(error)
                return

            def answered(choice: str) -> None:
                if choice in ("read_only", "take_over"):
                    self.open(path, done, access=Access(choice))
                elif choice == "copy":
                    self.open(path, done, as_copy=True)

            self._ask().locked(error, answered)

        def cancelled() -> None:
            self._disk.drop(held.pop() if held else None)

        return self._jobs.run(tr("Open {name}", name=path.name), work, use, failed, cancelled, path.name)

    def reload(self) -> None:
        """Open the document's file again, as it is now; unsaved changes are discarded."""
        if self._document.path is not None:
            read_only = self._document.read_only
            self.open(self._document.path, access=Access.READ_ONLY if read_only else Access.ASK)

    def look(self) -> None:
        """Look at the document's file: whether others have changed, removed or taken it over; asks where they have.

        While something else is asked, nothing is told: the next look finds it again.
        """
        path, expected = self._document.path, self._disk.state
        if path is None or expected is None or self._looking or self._saving():
            return
        seen: list[Seen] = []
        self._looking = True

        def work() -> None:
            seen.append(self._disk.look(path))

        def then() -> None:
            self._looking = False
            if not seen or self._saving() or self._ask().asking:
                return
            news = self._disk.news(seen[0], expected)
            if news is not None:
                self._tell_outside(path, news)

        self._jobs.runner(work, then)

    def _tell_outside(self, path: Path, news: Seen) -> None:
        if news.owner is not None:
            self._messages.warn(
                tr("{who} has opened {name} for writing", who=news.owner.who, name=path.name),
                tr("Before you save, their version is compared with yours"),
            )
        if news.gone:
            self._document.mark_unsaved()
            self._messages.warn(
                tr("{name} was deleted or moved by another program", name=path.name),
                tr("Saving creates it again"),
            )
        elif news.changed is not None:

            def answered(choice: str) -> None:
                self._document.mark_unsaved()  # also before a reload, which may fail
                if choice == "reload":
                    self.reload()

            self._ask().outside(path, answered)

    def _on_replaced(self) -> None:
        if self._document.path is None:
            self._disk.forget()


def _read(path: Path, progress: Progress, found: list[Loaded]) -> None:
    loaded = core.io.load(path, progress)
    check(loaded.project)
    found.append(loaded)


def comes_with_the_program(path: Path) -> bool:
    """Whether a file is one of the samples: those are opened as copies, and never locked or written."""
    return path.resolve().parent == sample_path().resolve().parent


def sample_path() -> Path:
    """The sample character's file."""
    return Path(resources.sample.__file__).with_name("mannequin.posewright")
