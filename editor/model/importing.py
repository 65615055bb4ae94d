"""Files read into the document beside what is there already."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import core.io
from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.io import ImportReport
from core.progress import Progress
from core.project import references
from core.project.project import Asset, Project
from core.project.references import check
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.file_reports import FileReports
from editor.model.i18n import tr
from editor.model.origins import Origins
from editor.model.preferences import Preferences


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


class Importing:
    """Puts what was read from files into the document."""

    def __init__(
        self, document: Document, edits: Edits, origins: Origins, preferences: Preferences, told: FileReports
    ) -> None:
        self._document, self._edits, self._origins = document, edits, origins
        self._preferences, self._told = preferences, told

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
        self._origins.add(found.path, found.report, [a.id for a in assets if isinstance(a, Clip)])
        self._preferences.add_recent(found.path)
        self._told.tell(found.path, found.report)
        return done


def read_for_import(mine: Project, path: Path, options: Any, progress: Progress) -> Imported:
    """Read a file that is to be imported into a project; for a worker.

    Parameters
    ----------
    options : the format's read options; None is its defaults
    """
    loaded = core.io.load(path, progress, options=options)
    check(loaded.project)
    return Imported(path, loaded.project, loaded.report, fitting(mine, loaded.project))


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
