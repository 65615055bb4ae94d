"""A file that waits to be imported: what it holds, and what a person wants of it. Free of Qt."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import core.io
from core.ids import AssetId
from core.io import ImportReport
from core.io.common.options import ALLOW
from core.io.prepare.selection import of_rig
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.model.i18n import tr, trn
from editor.model.importing import Imported, fitting

NEW = AssetId("")
"""Goes in place of a rig's id where the file brings its own character."""
DOCUMENT = AssetId("document")
"""Goes in place of a rig's id where the file becomes a document of its own."""


@dataclass(slots=True)
class Told:
    """What a person says of a file that it does not, or wrongly; None believes the file.

    `folders` are further ones that it may read from.
    """

    unit: float | None = None
    up: str | None = None
    rate: float | None = None
    folders: tuple[str, ...] = ()


@dataclass(slots=True)
class Entry:
    """One file.

    Parameters
    ----------
    found : what was read, or None while that is under way, or where it failed
    error : why it could not be read, or ""
    taken : whether it is to be imported
    told : what it is read as
    character : id of the one rig of several that is taken; None takes all
    onto : rig of the document that gets the clips, `NEW` or `DOCUMENT`; None is not yet decided
    without : names of clips that are left out
    """

    path: Path
    found: Imported | None = None
    error: str = ""
    taken: bool = True
    told: Told = field(default_factory=Told)
    character: AssetId | None = None
    onto: AssetId | None = None
    without: set[str] = field(default_factory=set)

    @property
    def usable(self) -> bool:
        """Whether it will be imported."""
        return self.found is not None and self.taken

    def options(self) -> Any:
        """How to read it: the format's read options, or None where it has none."""
        kind = core.io.format_of(self.path)
        options = kind.read_options() if kind is not None and kind.read_options is not None else None
        if options is None:
            return None
        options = replace(options, metres_per_unit=self.told.unit, up_axis=self.told.up)
        if self.told.folders and hasattr(options, "folders"):
            options = replace(options, folders=self.told.folders)
        if self.told.rate is not None and hasattr(options, "frame_time"):
            options = replace(options, frame_time=1.0 / self.told.rate)
        return options

    @property
    def reaches_out(self) -> bool:
        """Whether it names files in folders that it may not read from."""
        said = [self.error, *(self.found.report.left_out if self.found is not None else ())]
        return any(ALLOW in text for text in said)

    def read(self, found: Imported, project: Project) -> None:
        """It has been read (again): keep what still makes sense of what was chosen."""
        self.taken = self.taken or bool(self.error)  # what could not be read before can be now
        self.found, self.error = found, ""
        self.character = None  # reading again makes new ids
        if self.onto is None or self.onto not in (NEW, DOCUMENT, *found.fits):
            self.onto = default_target(found, project)

    def chosen(self) -> Imported:
        """What is read of the file once a character is chosen."""
        assert self.found is not None
        if self.character is None:
            return self.found
        return replace(self.found, project=of_rig(self.found.project, self.character))

    def project(self) -> Project:
        """The file as a document of its own."""
        chosen = self.chosen().project
        return chosen.without(*({clip.id for clip in chosen.clips} - self.clips()))

    def clips(self) -> set[AssetId]:
        """The clips to import."""
        return {clip.id for clip in self.chosen().project.clips if clip.name not in self.without}

    def fits(self, project: Project) -> tuple[AssetId, ...]:
        """Rigs of the document that have every bone which the clips move."""
        return fitting(project, self.chosen().project)


def default_target(found: Imported, project: Project) -> AssetId:
    """Motion without a mesh goes onto a character that it fits, anything else comes as a new one."""
    bare = bool(found.project.clips) and not found.project.all(Mesh)
    return found.fits[0] if bare and found.fits else NEW


def targets(entry: Entry, project: Project, alone: bool) -> list[tuple[str, AssetId]]:
    """Where the file may go: text and rig; one that comes alone may also be opened for itself."""
    found = entry.chosen()
    rows = []
    if found.project.rigs:
        several = len(found.project.rigs)
        rows.append((trn("As a new character", "As {count} new characters", several), NEW))
    rows += [
        (tr("Clips only, onto {name}", name=project.get(Rig, rig).name), rig) for rig in entry.fits(project)
    ]
    if alone and found.project.rigs and project.assets:
        rows.append((tr("As a new document"), DOCUMENT))
    return rows


def facts(found: Imported) -> list[tuple[str, str]]:
    """What the dialog lists: caption and value."""
    project, report = found.project, found.report
    bones = sum(len(rig.skeleton) for rig in project.rigs)
    meshes = project.all(Mesh)
    skeleton = trn("{count} bone", "{count} bones", bones)
    if len(project.rigs) > 1:
        skeleton = trn(
            "{count} character, {bones}", "{count} characters, {bones}", len(project.rigs), bones=skeleton
        )
    rows = [
        (tr("Format"), report.format + (f" ({report.producer})" if report.producer else "")),
        (tr("Skeleton"), skeleton),
        (tr("Meshes"), _meshes(meshes) if meshes else tr("none")),
    ]
    if report.frames:
        text = tr(
            "{frames} at {rate} fps, {seconds} s",
            frames=report.frames,
            rate=f"{report.rate:.4g}",
            seconds=f"{report.duration:.4g}",
        )
        rows.append((tr("Frames"), text + (f" ({tr('rate guessed')})" if report.rate_guessed else "")))
    unit = report.unit + (f" ({tr('guessed from the size')})" if report.unit_guessed else "")
    up = report.up_axis + (f" ({tr('guessed from the pose')})" if report.up_axis_guessed else "")
    return [*rows, (tr("Unit"), unit), (tr("Up"), up)]


def _meshes(meshes: tuple[Mesh, ...]) -> str:
    vertices = sum(len(mesh.positions) for mesh in meshes)
    return trn("{meshes}, {count} vertex", "{meshes}, {count} vertices", vertices, meshes=len(meshes))


def notes(report: ImportReport) -> list[str]:
    """Everything that had to change or stay away, one line each."""
    lines = [tr("Renamed: {old} is now {new}", old=old, new=new) for old, new in report.renamed]
    lines += [tr("Left out: {parts}", parts=", ".join(report.left_out))] if report.left_out else []
    return lines + [tr("Note: {text}", text=text) for text in report.warnings]


def summary(entry: Entry) -> str:
    """One line for the list of files."""
    if entry.error:
        return tr("cannot be read")
    if entry.found is None:
        return tr("not read yet")
    return trn("{count} clip", "{count} clips", len(entry.found.project.clips))
