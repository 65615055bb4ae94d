"""Where retargeted motion comes from: a file, or another character of the document."""

from dataclasses import dataclass
from pathlib import Path

import core.io
from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.progress import Progress
from core.project.project import Project
from core.project.references import check
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.model.i18n import tr


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A character with clips to be put on another.

    Parameters
    ----------
    title : what it is called in the panel: the file's name, or the character's
    path : the file; None for a character of the document
    """

    title: str
    rig: Rig
    clips: tuple[Clip, ...]
    meshes: tuple[Mesh, ...] = ()
    path: Path | None = None

    def clip(self, id: AssetId | None) -> Clip | None:
        """One of its clips, or None."""
        return next((clip for clip in self.clips if clip.id == id), None)


def read_source(path: Path, progress: Progress) -> Source:
    """The first character of a file that has clips.

    Raises
    ------
    ValidationError
        No character in the file has a clip.
    FormatError
        The file cannot be read.
    """
    project = core.io.load(path, progress).project
    check(project)
    moving = [rig for rig in project.rigs if project.clips_of(rig.id)]
    if not moving:
        raise ValidationError(
            tr("{name} holds no clip to retarget: choose a file with an animation", name=path.name)
        )
    return source_of(project, moving[0], path.name, path)


def source_of(project: Project, rig: Rig, title: str = "", path: Path | None = None) -> Source:
    """A character of a project as a source."""
    return Source(title or rig.name, rig, project.clips_of(rig.id), project.meshes_of(rig.id), path)
