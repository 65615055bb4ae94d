"""New, open, save, import, export: everything but the dialogs. Files are read and written by jobs."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import core.io
from core.ids import AssetId
from core.io import ExportReport, ImportReport
from core.io.backups import Backups
from core.io.prepare.bake_evaluated import bake_evaluated
from core.progress import Progress
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Rig
from editor.model.disk import Disk
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.events import Event
from editor.model.file_reports import FileReports
from editor.model.i18n import tr
from editor.model.importing import Importing
from editor.model.jobs import Job, Jobs
from editor.model.journal import Journal
from editor.model.messages import Messages
from editor.model.opening import Opening
from editor.model.origins import Origins
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.questions import Questions, Unasked
from editor.model.restoring import Restoring
from editor.model.saving import Saving


class Files:
    """The document's way to and from files: the parts that do the work, under one name.

    Attributes
    ----------
    exported : path and report of an export
    backups : copies of what saving and exporting replaced
    origins : the files that the document was made from
    disk : the document's file: its lock, and what it was when it was opened or saved
    questions : who is asked where another has the file open or has changed it
    new, open, open_sample, reload, look : see `Opening`
    save : see `Saving`
    accept : see `Importing`
    recoverable, recover, discard : see `Restoring`
    tell : see `FileReports`
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
        self._document, self._jobs, self._messages = document, jobs, messages
        self.backups = backups
        self.origins, self.disk = Origins(document), Disk()
        self.questions: Questions = Unasked(messages)
        self.exported: Event[tuple[Path, ExportReport]] = Event()

        def ask() -> Questions:
            return self.questions

        self._told = FileReports(document, messages)
        self._saving = Saving(
            document, jobs, journal, backups, preferences, messages, self.disk, self._told, ask
        )
        self._opening = Opening(
            document,
            jobs,
            preferences,
            messages,
            self.disk,
            self.origins,
            self._told,
            ask,
            lambda: self.saving,
            self._saving.remember,
        )
        importing = Importing(document, edits, self.origins, preferences, self._told)
        restoring = Restoring(
            document,
            playback,
            jobs,
            journal,
            backups,
            messages,
            self.disk,
            self._told,
            ask,
            self._opening.open,
        )
        opening = self._opening
        self.new, self.open, self.open_sample = opening.new, opening.open, opening.open_sample
        self.reload, self.look, self.save = opening.reload, opening.look, self._saving.save
        self.accept, self.tell = importing.accept, self._told.tell
        self.recoverable, self.recover = restoring.recoverable, restoring.recover
        self.discard = restoring.discard

    @property
    def reports(self) -> tuple[tuple[Path, ImportReport], ...]:
        """What was found in each file that the document was made from, the one read last at the end."""
        return self._told.all

    @property
    def saving(self) -> bool:
        """Whether a save is under way."""
        return self._saving.saving

    @property
    def looking(self) -> bool:
        """Whether a look at the document's file is under way."""
        return self._opening.looking

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

        return self._jobs.run(tr("Export {name}", name=path.name), work, use, self._told.failed(path))

    def exportable(
        self, rig: AssetId, clips: Collection[AssetId] | None = None, meshes: bool = True
    ) -> Project:
        """The part of the document that an export of a rig holds; all that is seen is baked into its clips."""
        project = bake_evaluated(self._document.project, clips)
        kept: list[Asset] = [project.get(Rig, rig)]
        kept += list(project.meshes_of(rig)) if meshes else []
        kept += [c for c in project.clips_of(rig) if clips is None or c.id in clips]
        return part_of(project, kept)
