"""New, open, save, import, export: everything but the dialogs. Files are read and written by jobs."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import core.io
import resources.sample
from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import AnimError, FormatError, ValidationError
from core.ids import AssetId, new_id
from core.io import ExportReport, ImportReport, Loaded
from core.io.backups import Backups
from core.io.native.write import NativeWriteOptions
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.report import left_out_line
from core.progress import Progress
from core.project import references
from core.project.project import Asset, Project
from core.project.references import check
from core.rig.rig import Rig
from editor.model import recovery
from editor.model.disk import (
    Access,
    ChangedOutsideError,
    Disk,
    LockedError,
    Seen,
    read_stable,
    require_regular,
    writable,
)
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.events import Event
from editor.model.file_lock import FileLock
from editor.model.file_state import FileState, state_of
from editor.model.i18n import tr, trn
from editor.model.jobs import Job, Jobs
from editor.model.journal import Journal
from editor.model.messages import Messages
from editor.model.origins import Origins
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.questions import Questions, Unasked
from editor.model.recovery import Recoverable

SUFFIX = ".posewright"


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A file that was read, waiting for the user to say where it goes.

    Parameters
    ----------
    fits : rigs of the document whose bones hold every bone that the file's clips move
    """

    path: Path
    project: Project
    report: ImportReport
    fits: tuple[AssetId, ...]


class Files:
    """The document's way to and from files.

    Attributes
    ----------
    exported : path and report of an export
    backups : copies of what saving and exporting replaced
    origins : the files that the document was made from
    disk : the document's file: its lock, and what it was when it was opened or saved
    questions : who is asked where another has the file open or has changed it
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        playback: Playback,
        jobs: Jobs,
        journal: Journal,
        backups: Backups,
        preferences: Preferences,
        messages: Messages,
    ) -> None:
        self._document, self._edits, self._playback, self._jobs = document, edits, playback, jobs
        self._journal, self.backups = journal, backups
        self._preferences, self._messages = preferences, messages
        self.origins = Origins(document)
        self._reports: list[tuple[Path, ImportReport]] = []
        document.replaced.connect(lambda _: self._reports.clear())
        self._saving: Job[Any] | None = None
        self._target: Path | None = None  # where the save under way goes
        self._again: Path | None = None  # and where the next one, asked for meanwhile
        self._looking = False
        self.disk = Disk()
        self.questions: Questions = Unasked(messages)
        document.replaced.connect(lambda _: self._on_replaced())
        self.exported: Event[tuple[Path, ExportReport]] = Event()

    # ------------------------------------------------------------ new and open
    @property
    def reports(self) -> tuple[tuple[Path, ImportReport], ...]:
        """What was found in each file that the document was made from, the one read last at the end."""
        return tuple(self._reports)

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

        A file that cannot be read leaves the open document untouched. One that another has open is asked about.

        Parameters
        ----------
        done : called once it is open
        as_copy : saving asks for a place, and the file is not put among the recent ones
        access : what to do where another has it open
        """
        native = path.suffix.lower() == SUFFIX and not as_copy
        path = path.absolute() if native else path
        held: list[FileLock | None] = []
        states: list[FileState | None] = []

        def work(progress: Progress) -> Loaded:
            require_regular(path)
            found: list[Loaded] = []
            if native and access is not Access.READ_ONLY and path.is_file():
                held.append(self.disk.claim(path, access is Access.TAKE_OVER))
            try:
                read = partial(self._read, path, progress, found)
                states.append(read_stable(path, read) if native else read())
            except BaseException:
                self.disk.drop(held.pop() if held else None)
                raise
            return found[-1]

        def use(loaded: Loaded) -> None:
            read_only = native and (access is Access.READ_ONLY or not writable(path))
            same = not loaded.report.cleared  # what was cleared is still in the file
            if native:
                self.disk.adopt(held[0] if held else None, states[0])
            else:
                self.disk.forget()
            name = path.name if not as_copy else tr("Sample character")
            if as_copy and path != sample_path():
                name = tr("{name} (copy)", name=path.stem)
            self._document.replace(
                loaded.project, path if native else None, saved=same, read_only=read_only, name=name
            )
            if not as_copy:
                if not native:
                    self.origins.add(path, loaded.report)
                self._preferences.add_recent(path)
                self.tell(path, loaded.report)
            if read_only and access is not Access.READ_ONLY:
                self._messages.info(
                    tr("{name} is write-protected", name=path.name), tr("Saving asks for another place")
                )
            if done is not None:
                done()

        def failed(error: Exception) -> None:
            if not isinstance(error, LockedError):
                self._failed(path)(error)
                return

            def answered(choice: str) -> None:
                if choice in ("read_only", "take_over"):
                    self.open(path, done, access=Access(choice))
                elif choice == "copy":
                    self.open(path, done, as_copy=True)

            self.questions.locked(error, answered)

        def cancelled() -> None:
            self.disk.drop(held.pop() if held else None)

        return self._jobs.run(tr("Open {name}", name=path.name), work, use, failed, cancelled)

    def reload(self) -> None:
        """Open the document's file again, as it is now; what is not saved is given up."""
        if self._document.path is not None:
            read_only = self._document.read_only
            self.open(self._document.path, access=Access.READ_ONLY if read_only else Access.ASK)

    def look(self) -> None:
        """Look at the document's file: whether others have changed, removed or taken it over; asks where they have."""
        path, expected = self._document.path, self.disk.state
        if path is None or expected is None or self._looking or self.saving:
            return
        seen: list[Seen] = []
        self._looking = True

        def work() -> None:
            seen.append(self.disk.look(path))

        def then() -> None:
            self._looking = False
            news = self.disk.news(seen[0], expected) if seen and not self.saving else None
            if news is not None:
                self._tell_outside(path, news)

        self._jobs.runner(work, then)

    def _tell_outside(self, path: Path, news: Seen) -> None:
        if news.owner is not None:
            self._messages.warn(
                tr("{who} has opened {name} for writing", who=news.owner.who, name=path.name),
                tr("Before you save, what they saved is compared"),
            )
        if news.gone:
            self._messages.warn(
                tr("{name} was deleted or moved by another program", name=path.name),
                tr("Saving writes it again"),
            )
        elif news.changed is not None:
            self.questions.outside(path, lambda choice: self.reload() if choice == "reload" else None)

    @staticmethod
    def _read(path: Path, progress: Progress, found: list[Loaded]) -> None:
        loaded = core.io.load(path, progress)
        check(loaded.project)
        found.append(loaded)

    def _on_replaced(self) -> None:
        if self._document.path is None:
            self.disk.forget()

    # ------------------------------------------------------------ save
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
        self.backups.keep = int(self._preferences.get("backups"))
        expected = self.disk.state if target == self._document.path and not overwrite else None
        held: list[FileLock | None] = []
        states: list[FileState | None] = []

        def before_replacing(written: Path) -> None:
            self.disk.check_unchanged(target, expected)
            states.append(state_of(written))

        def work(progress: Progress) -> ExportReport:
            require_regular(target)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = tr("its folder cannot be made: {reason}", reason=error.strerror or error)
                raise FormatError(target, "", reason, tr("save it elsewhere")) from error
            held.append(self.disk.claim(target, overwrite))
            try:
                self.disk.check_unchanged(target, expected)
                self.backups.before_saving(target)
                options = NativeWriteOptions(before_replacing)
                return core.io.save(project, target, options, progress, format="posewright")
            except BaseException:
                self.disk.drop(held.pop())
                raise

        def use(report: ExportReport) -> None:
            self._saving = self._target = None
            state = states[-1] if states else None
            self.disk.adopt(held[0], state)
            self._document.mark_saved(target, project)
            self._journal.saved(target, project, self._document.project, state)
            self._preferences.add_recent(target)
            if report.warnings:
                self._messages.warn(
                    tr("Saved {name}, but {what}", name=target.name, what="; ".join(report.warnings)),
                    tr("The version before is among the backups; please report this"),
                )
            else:
                self._messages.resolve()
            self._messages.info(tr("Saved {name}", name=target.name))
            if done is not None:
                done()
            self._next()

        def failed(error: Exception) -> None:
            self._stop_saving()
            if isinstance(error, ChangedOutsideError | LockedError):
                self.questions.conflict(
                    error, lambda choice: self.save(target, done, True) if choice == "overwrite" else None
                )
            else:
                self._failed(target)(error)

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

    # ------------------------------------------------------------ import
    def accept(
        self, found: Imported, onto: AssetId | None = None, clips: Collection[AssetId] | None = None
    ) -> bool:
        """Put what was read into the document, in one undo step.

        Parameters
        ----------
        onto : rig of the document that gets the file's clips; None brings the file's own rig
            and meshes along
        clips : which of the file's clips; None is all
        """
        project = self._document.project
        chosen = [c for c in found.project.clips if clips is None or c.id in clips]
        if onto is not None:
            rig = project.get(Rig, onto)
            if not chosen:
                raise ValidationError(tr("{name} holds no clip to import", name=found.path.name))
            assets: list[Asset] = [replace(c, id=new_id("clip"), rig=rig.id, additive=None) for c in chosen]
        else:
            dropped = {c.id for c in found.project.clips} - {c.id for c in chosen}
            assets = list(with_fresh_ids(references.without(found.project, dropped).project).assets.values())
        if not assets:
            raise ValidationError(tr("{name} holds nothing to import", name=found.path.name))
        names = [c.name for c in project.clips]
        for index, asset in enumerate(assets):
            if isinstance(asset, Clip):
                assets[index] = replace(asset, name=unique_name(asset.name, names))
                names.append(assets[index].name)
        clip = next((a for a in assets if isinstance(a, Clip)), None)
        shown = next((a.id for a in assets if isinstance(a, Rig)), onto)
        view = self._edits.view_of(clip.rig if clip else shown, clip.id if clip else None)
        done = self._edits.put(tr("Import {name}", name=found.path.name), *assets, view_after=view)
        self.origins.add(found.path, found.report, [a.id for a in assets if isinstance(a, Clip)])
        self._preferences.add_recent(found.path)
        self.tell(found.path, found.report)
        return done

    # ------------------------------------------------------------ export
    def export(
        self, path: Path, project: Project | None = None, options: Any = None, format: str | None = None
    ) -> Job[ExportReport]:
        """Write a project (the document's by default; `exportable` picks parts) in another format."""
        whole = project or self._document.project

        def work(progress: Progress) -> ExportReport:
            return core.io.save(whole, path, options, progress, format)

        def use(report: ExportReport) -> None:
            text = report.to_text().splitlines()
            self._messages.info(tr("Exported {name}", name=path.name), "; ".join(text))
            self.exported.emit((path, report))

        return self._jobs.run(tr("Export {name}", name=path.name), work, use, self._failed(path))

    def exportable(
        self, rig: AssetId, clips: Collection[AssetId] | None = None, meshes: bool = True
    ) -> Project:
        """The part of the document that an export of a rig holds; all that is seen is baked into its clips."""
        project = bake_evaluated(self._document.project, clips)
        kept: list[Asset] = [project.get(Rig, rig)]
        kept += list(project.meshes_of(rig)) if meshes else []
        kept += [c for c in project.clips_of(rig) if clips is None or c.id in clips]
        return Project({asset.id: asset for asset in kept}, project.settings)

    # ------------------------------------------------------------ recovery
    def recoverable(self) -> list[Recoverable]:
        """What crashes left behind, newest first."""
        return recovery.recoverable(self._journal.folder)

    def recover(self, item: Recoverable) -> Job[recovery.Recovered]:
        """Open what a crash left behind; it is not saved until the user does."""
        held: list[FileLock | None] = []
        states: list[FileState | None] = []
        taken: list[LockedError] = []

        def work(progress: Progress) -> recovery.Recovered:
            found = recovery.recover(item.journal, self.backups.of)
            if found.document is not None and not found.changed:
                try:
                    held.append(self.disk.claim(found.document))
                    states.append(state_of(found.document))
                except LockedError as error:
                    taken.append(error)
            return found

        def use(found: recovery.Recovered) -> None:
            if not found.changed:
                if taken:
                    self._messages.warn(str(taken[0]), tr("What was recovered is a copy"))
                path = None if taken else found.document
                self.disk.adopt(held[0] if held else None, states[0] if states else None)
                self._adopt_recovered(item, found, path)
                return

            def answered(choice: str) -> None:
                if choice == "copy":
                    self._adopt_recovered(item, found, None)
                    return
                recovery.release(item.journal)  # offered again at the next start, or by hand
                if choice == "file" and found.document is not None:
                    self.open(found.document)

            self.questions.recovered(item, found, answered)

        def failed(error: Exception) -> None:
            recovery.release(item.journal)
            self._failed(item.journal)(error)

        return self._jobs.run(tr("Recover {name}", name=item.title or tr("Untitled")), work, use, failed)

    def _adopt_recovered(self, item: Recoverable, found: recovery.Recovered, path: Path | None) -> None:
        """Make what was recovered the document; without a path it is a copy beside the file it came from."""
        name = "" if found.document is None else tr("{name} (recovered)", name=found.document.stem)
        self._document.replace(found.project, path, saved=False, name=name)
        if found.view.clip in found.project.assets:
            self._playback.set_clip(found.view.clip)
        self._playback.seek(found.view.time)
        # A step of its own makes the new journal hold the whole project before the old one goes.
        self._journal.secure(lambda: recovery.discard(item.journal))
        told = trn("Recovered {count} step", "Recovered {count} steps", found.steps)
        if found.problem:
            self._messages.warn(tr("{told}; not all of it: {problem}", told=told, problem=found.problem))
        else:
            self._messages.info(told, tr("Save to keep them"))

    def discard(self, item: Recoverable) -> None:
        """Give up what a crash left behind."""
        recovery.discard(item.journal)

    # ------------------------------------------------------------ helpers
    def _failed(self, path: Path) -> Callable[[Exception], None]:
        def tell(error: Exception) -> None:
            if isinstance(error, AnimError):
                self._messages.error(str(error))
            else:
                self._messages.error(f"{path}: {type(error).__name__}: {error}", tr("Please report this"))

        return tell

    def tell(self, path: Path, report: ImportReport) -> None:
        """Say what a file that was read did not bring along, and keep its report to be opened again."""
        self._reports = [kept for kept in self._reports if kept[0] != path]
        self._reports.append((path, report))
        self._messages.resolve()
        notes = [*report.cleared, *left_out_line(report.left_out), *report.warnings]
        if notes:
            more = tr(" and {count} more", count=len(notes) - 1) if len(notes) > 1 else ""
            self._messages.warn(
                tr("{name}: {note}", name=path.name, note=notes[0] + more), action="file.report"
            )
        else:
            self._messages.info(tr("Read {name}", name=path.name))


def read_for_import(mine: Project, path: Path, options: Any, progress: Progress) -> Imported:
    """Read a file that is to be imported into a project; for a worker.

    Parameters
    ----------
    options : the format's read options; None is its defaults
    """
    loaded = core.io.load(path, progress, options=options)
    check(loaded.project)
    return Imported(path, loaded.project, loaded.report, fitting(mine, loaded.project))


def sample_path() -> Path:
    """The sample character's file."""
    return Path(resources.sample.__file__).with_name("mannequin.posewright")


def fitting(project: Project, found: Project) -> tuple[AssetId, ...]:
    """Rigs of a project that have every bone that another project's clips move."""
    moved = {bone for clip in found.clips for bone in clip.bones()}
    if not moved:
        return ()
    return tuple(rig.id for rig in project.rigs if all(rig.skeleton.find(b) is not None for b in moved))


def with_fresh_ids(project: Project) -> Project:
    """The project with new ids throughout, so that it can be put beside what it came from."""
    ids = {old: new_id(str(old).partition("-")[0] or "asset") for old in project.assets}
    assets: dict[AssetId, Asset] = {}
    for old, asset in project.assets.items():
        moved: Any = asset.with_targets(ids)
        assets[ids[old]] = replace(moved, id=ids[old])
    return Project(assets, project.settings)
