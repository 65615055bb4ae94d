"""What becomes of documents in the window: new, open, save, import, export, recover, close.

Dialogs are imported where they are opened: a start needs none of them.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.io import Loaded
from core.progress import Progress
from editor.actions.registry import Registry
from editor.gl.camera import Camera
from editor.model.i18n import tr, trn
from editor.model.importing import Imported
from editor.model.opening import SUFFIX
from editor.model.questions import Unasked
from editor.model.read_ahead import ReadAhead, read_checked
from editor.model.recovery import Recoverable
from editor.model.session import Session
from editor.panels.viewport.widget import ViewportPanel
from editor.qt.dialogs import Files, ask, choose_files, unsaved_question
from editor.qt.file_filters import readable
from editor.qt.panel import PanelContext
from editor.shell.file_questions import FileQuestions
from editor.shell.recovery_text import described

logger = logging.getLogger(__name__)

DEFAULT_SIZE = (1280.0, 720.0)
"""Of a playblast where no view is shown."""
SAMPLE = "mannequin.posewright"
LOCOMOTION = "locomotion.posewright"


def sample_path(name: str = SAMPLE) -> Path | None:
    """A document that comes with the program, the sample character by default; None where it is missing."""
    import resources

    path = Path(next(iter(resources.__path__))) / "sample" / name
    return path if path.is_file() else None


class Documents:
    """Binds the file actions, with their dialogs.

    Parameters
    ----------
    window : the main window, parent of dialogs
    """

    def __init__(self, window: Any, context: PanelContext) -> None:
        self._window, self._context = window, context
        self._session: Session = context.session
        self._after_save: Callable[[], object] | None = None
        self._session.files.questions = FileQuestions(window, context, lambda: self.save_as(self._after_save))
        self._bind(context.actions)

    def close(self) -> None:
        """Nobody is there to ask any more; the session may outlive the window."""
        self._session.files.questions = Unasked(self._session.messages)

    def _bind(self, registry: Registry) -> None:
        for id, handler in {
            "file.new": self.new,
            "file.open": self.choose_and_open,
            "file.sample": self.open_sample,
            "file.sample_locomotion": self.open_locomotion,
            "file.playblast": self.playblast,
            "file.sheet": self.contact_sheet,
            "file.recover": lambda: self.offer_recovery(say_none=True),
            "file.save": self.save,
            "file.save_as": self.save_as,
            "file.import": self.choose_and_import,
            "file.export": self.export,
            "file.report": self.show_report,
            "file.quit": self._window.close,
        }.items():
            registry.bind(id, handler)
        registry.bind(
            "file.sample",
            self.open_sample,
            lambda: "" if sample_path() else tr("it is not part of this installation"),
        )

    # ------------------------------------------------------------ unsaved changes
    def when_safe(self, go_on: Callable[[], object]) -> None:
        """Go on at once where nothing would be lost, else after the person has said what to do."""
        document = self._session.document
        if not document.dirty:
            go_on()
            return

        def answered(choice: str) -> None:
            if choice == "discard":
                go_on()
            elif choice == "save":
                self.save(go_on)

        unsaved_question(self._window, self._context.theme, document.title, answered)

    # ------------------------------------------------------------ new, open
    def new(self) -> None:
        """An empty document."""
        self.when_safe(self._session.files.new)

    def choose_and_open(self) -> None:
        """Ask for a file, and open it."""
        choose_files(
            self._window,
            tr("Open"),
            readable(),
            lambda paths: self.open(paths[0]),
            start=self._folder(),
        )

    def open(self, path: Path, then: Sequence[Path] = ()) -> None:
        """Open a file as the document, and offer others for import once it is there."""

        def opened() -> None:
            self._opened()
            self.import_files(then)

        self.when_safe(lambda: self._session.files.open(path, opened))

    def open_sample(self) -> None:
        """Open the sample character as a new document, so that nobody saves over it."""
        self.when_safe(lambda: self.load_sample(play=False, asked=True))

    def open_locomotion(self) -> None:
        """Open the sample character with the whole locomotion set, likewise."""
        name = tr("Locomotion sample")
        self.when_safe(
            lambda: self.load_sample(play=False, asked=True, path=sample_path(LOCOMOTION), name=name)
        )

    def load_sample(
        self,
        play: bool,
        asked: bool = False,
        path: Path | None = None,
        name: str = "",
        ahead: ReadAhead | None = None,
    ) -> None:
        """Read the sample character, or another sample under a name; `play` sets it moving.

        Where nobody `asked` for it, it stands in for a file that could not be read, and the error stays in sight.

        Parameters
        ----------
        ahead : reads it already; else it is read now
        """
        path = path or sample_path()
        if path is None:
            return

        def work(progress: Progress) -> Loaded:
            return read_checked(path, progress) if ahead is None else ahead.loaded(progress)

        def use(loaded: Loaded) -> None:
            if self._session.document.dirty:
                return  # somebody was quicker: leave their work alone
            self._session.document.replace(loaded.project, None, name=name or tr("Sample character"))
            self._opened()
            if asked:
                self._session.messages.resolve()
            if play:
                self._session.playback.play()

        opens = name or tr("Sample character")
        self._session.jobs.run(tr("Open {name}", name=path.name), work, use, self._failed, opens=opens)

    def _opened(self) -> None:
        project, playback = self._session.document.project, self._session.playback
        if playback.clip is None and project.clips:
            playback.set_clip(project.clips[0].id)
        elif playback.rig is None and project.rigs:
            playback.set_clip(None, project.rigs[0].id)
        self._window.frame_all()

    def _failed(self, error: Exception) -> None:
        logger.error("the sample could not be read", exc_info=error)
        self._session.messages.error(str(error))

    # ------------------------------------------------------------ save
    def save(self, done: Callable[[], object] | None = None) -> None:
        """Save, asking where the first time."""
        self._after_save = done
        if not self._session.files.save(done=done):
            self.save_as(done)

    def save_as(self, done: Callable[[], object] | None = None) -> None:
        """Ask where, and save."""
        document = self._session.document
        name = (document.path.stem if document.path else self._proposed_name()) + SUFFIX
        choose_files(
            self._window,
            tr("Save as"),
            [f"Posewright (*{SUFFIX})"],
            lambda paths: self._session.files.save(paths[0], done),
            start=self._folder() / name,
            suffix=SUFFIX[1:],
            mode=Files.SAVE,
        )

    def _proposed_name(self) -> str:
        rig = self._session.rig
        return rig.name if rig is not None else tr("Untitled")

    def _folder(self) -> Path:
        document = self._session.document
        recent = self._session.preferences.recent
        for path in ([document.path] if document.path else []) + list(recent[:1]):
            if path.parent.is_dir():
                return path.parent
        return Path.home()

    # ------------------------------------------------------------ import, export
    def choose_and_import(self) -> None:
        """Ask for a file, read it, and ask what to take from it."""
        choose_files(
            self._window,
            tr("Import"),
            readable(),
            self.import_files,
            start=self._folder(),
            mode=Files.SEVERAL,
        )

    def import_files(self, paths: Sequence[Path]) -> None:
        """Read files, and ask what to take from them."""
        if paths:
            from editor.shell.importing.dialog import ImportDialog, entries_of

            ImportDialog(self._window, self._context, entries_of(paths), self.use).read()

    def use(self, found: Imported) -> None:
        """Make what was read of a file the document, without a file of its own."""

        def go_on() -> None:
            self._session.document.replace(found.project, None, name=found.path.name)
            self._session.files.origins.add(found.path, found.report)
            self._session.files.tell(found.path, found.report)
            self._opened()

        self.when_safe(go_on)

    def show_report(self) -> None:
        """What was found in the files that were read."""
        from editor.shell.report_dialog import ReportDialog

        ReportDialog(self._window, self._session.files.reports).open()

    def export(self) -> None:
        """Ask what to write and where, showing what it will be."""
        from editor.shell.export.dialog import ExportDialog

        ExportDialog(self._window, self._context, self._folder()).open()

    def playblast(self) -> None:
        """Ask what to record, as the view looks at it now; it stands still meanwhile."""
        from editor.shell.playblast.dialog import PlayblastDialog
        from editor.shell.playblast.form import Look

        self._session.playback.pause()
        panel = self._window.centre_body.panel
        light = not self._context.theme.tokens.dark
        look = Look(Camera(), DEFAULT_SIZE, light=light)
        if isinstance(panel, ViewportPanel):
            look = Look(panel.model.camera, panel.view.view_size, panel.view.devicePixelRatioF(), light)
        PlayblastDialog(self._window, self._context, self._folder(), look).open()

    def contact_sheet(self) -> None:
        """Ask which frames are drawn side by side, and where."""
        from editor.shell.sheet.dialog import SheetDialog

        SheetDialog(self._window, self._context, self._folder()).open()

    def dropped(self, paths: Sequence[Path]) -> None:
        """Files were dropped: a document is opened, whatever else there is is imported."""
        native = next((path for path in paths if path.suffix.lower() == SUFFIX), None)
        others = [path for path in paths if path != native]
        if native is not None:
            self.open(native, others)
        else:
            self.import_files(others)

    # ------------------------------------------------------------ recovery
    def offer_recovery(self, say_none: bool = False) -> None:
        """Offer what a crash left behind, the newest first."""

        def use(found: list[Recoverable]) -> None:
            if found:
                self._offer(found[0], len(found) - 1)
            elif say_none:
                self._session.messages.info(tr("There is nothing to recover"))

        files = self._session.files
        self._session.jobs.run(tr("Look for unsaved work"), lambda progress: files.recoverable(), use)

    def _offer(self, item: Recoverable, others: int) -> None:
        more = (
            trn("\n\n{count} more can be recovered.", "\n\n{count} more can be recovered.", others)
            if others
            else ""
        )

        def answered(choice: str) -> None:
            if choice == "recover":
                self.when_safe(lambda: self._session.files.recover(item))
            elif choice == "discard":
                self._session.files.discard(item)
                self.offer_recovery()

        ask(
            self._window,
            self._context.theme,
            tr("Recover unsaved work?"),
            described(item) + more,
            (("discard", tr("Discard")), ("later", tr("Later")), ("recover", tr("Recover"))),
            answered,
            "recover",
        )
