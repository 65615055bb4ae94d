"""Second characters as they are shown: the files they come from, read off the window's thread, and their poses."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.errors import AnimError
from core.evaluation.clip_pipeline import ClipPipeline
from core.math.transform import to_matrix
from core.pose.kinematics import model_matrices
from core.pose.pose import Pose, rest_pose
from core.progress import Progress
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.shot.character import ShotCharacter, clip_time
from editor.model.document import Document
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """What a second character is made of."""

    rig: Rig
    meshes: tuple[Mesh, ...]
    clip: Clip | None
    pipeline: ClipPipeline | None


@dataclass(frozen=True, slots=True, eq=False)
class Appearance:
    """A second character at a time: its pose and the world matrices ``(B, 4, 4)`` of its bones."""

    cast: Cast
    pose: Pose
    matrices: FloatArray


class Characters:
    """Reads the files of second characters once, and poses them.

    Attributes
    ----------
    changed : a file was read, or cannot be
    """

    def __init__(self, document: Document, jobs: Jobs, messages: Messages) -> None:
        self._document, self._jobs, self._messages = document, jobs, messages
        self.changed: Event[None] = Event()
        self._files: dict[Path, Project] = {}
        self._wrong: dict[Path, str] = {}
        self._reading: set[Path] = set()
        self._casts: dict[object, tuple[object, ShotCharacter, Cast]] = {}
        self._posed: dict[object, tuple[Cast, float, FloatArray, Appearance]] = {}
        document.replaced.connect(lambda _: self.forget())

    def forget(self) -> None:
        """Read every file again when it is next shown."""
        self._files.clear()
        self._wrong.clear()
        self._casts.clear()
        self._posed.clear()
        self.changed.emit(None)

    def path_of(self, character: ShotCharacter) -> Path | None:
        """The file of a character; None of one of this document."""
        if not character.file:
            return None
        path = Path(character.file)
        here = self._document.path
        return path if path.is_absolute() or here is None else Path(os.path.normpath(here.parent / path))

    def relative(self, path: Path) -> str:
        """How a file is written in this document: relative to it where it lies below its folder."""
        here = self._document.path
        if here is not None and path.is_relative_to(here.parent):
            return path.relative_to(here.parent).as_posix()
        return str(path)

    def problem(self, character: ShotCharacter) -> str:
        """Why a character is not shown, or ""."""
        path = self.path_of(character)
        if path in self._wrong:
            return self._wrong[path]
        if path is not None and path not in self._files:
            return tr("reading {file}", file=path.name)
        return "" if self.cast(character) is not None else tr("its character is not in the file")

    def project(self, character: ShotCharacter) -> Project | None:
        """What its file holds; None while it is read, or where it cannot be."""
        path = self.path_of(character)
        if path is None:
            return self._document.project
        if path not in self._files and path not in self._wrong and path not in self._reading:
            self._read(path)
        return self._files.get(path)

    def _read(self, path: Path) -> None:
        self._reading.add(path)

        def done(project: Project) -> None:
            self._files[path] = project
            self._end(path)

        def failed(error: Exception) -> None:
            self._wrong[path] = str(error)
            self._messages.warn(tr("A character of the shot is not shown"), str(error))
            self._end(path)

        def work(progress: Progress) -> Project:
            from core.io.shot_files import read_character  # readers of all formats: not before one is read

            if not path.is_file():
                raise AnimError(
                    tr(
                        "{file} is not there: put it back, or choose another file in the Shot panel",
                        file=str(path),
                    )
                )
            return read_character(path, progress)

        def stopped() -> None:
            self._wrong[path] = tr("cancelled")
            self._end(path)

        self._jobs.run(tr("Read {file}", file=path.name), work, done, failed, stopped)

    def _end(self, path: Path) -> None:
        self._reading.discard(path)
        self.changed.emit(None)

    def cast(self, character: ShotCharacter) -> Cast | None:
        """Rig, meshes and clip of a character."""
        project = self.project(character)
        if project is None:
            return None
        known = self._casts.get(character.id)
        if known is not None and known[0] is project and known[1] is character:
            return known[2]
        made = cast_of(project, character)
        if made is None:
            return None
        self._casts[character.id] = (project, character, made)
        return made

    def appearance(self, character: ShotCharacter, time: float) -> Appearance | None:
        """A character at a time of playback; the same object while nothing of it changes."""
        cast = self.cast(character)
        if cast is None:
            return None
        at, place = time_of(cast, character, time), to_matrix(character.place)
        known = self._posed.get(character.id)
        if known is not None and known[0] is cast and known[1] == at and np.array_equal(known[2], place):
            return known[3]
        made = appearance_at(cast, character, time)
        self._posed[character.id] = (cast, at, place, made)
        return made


def time_of(cast: Cast, character: ShotCharacter, time: float) -> float:
    """Seconds within the clip of a character at a time of playback."""
    return 0.0 if cast.clip is None else clip_time(cast.clip, character.offset, time)


def appearance_at(cast: Cast, character: ShotCharacter, time: float) -> Appearance:
    """A character as it stands at a time of playback."""
    pose = (
        rest_pose(cast.rig) if cast.pipeline is None else cast.pipeline.pose(time_of(cast, character, time))
    )
    return Appearance(cast, pose, to_matrix(character.place) @ model_matrices(cast.rig.skeleton, pose.local))


def absolute_files(project: Project, here: Path | None) -> Project:
    """The project with the files of its second characters named from the root; `here` is where it is saved."""
    if here is None:
        return project
    found = [c for c in project.all(ShotCharacter) if c.file and not Path(c.file).is_absolute()]
    return project.with_assets(*(replace(c, file=os.path.normpath(here.parent / c.file)) for c in found))


def cast_of(project: Project, character: ShotCharacter) -> Cast | None:
    """Rig, meshes and clip of a character in the project that holds it; None where its rig is not there."""
    rig = _chosen(project.rigs, character.rig, character.rig_name, first=True)
    if not isinstance(rig, Rig):
        return None
    clips = project.clips_of(rig.id)
    clip = _chosen(clips, character.clip, character.clip_name, first=False)
    meshes = project.meshes_of(rig.id)
    if not isinstance(clip, Clip):
        return Cast(rig, meshes, None, None)
    return Cast(rig, meshes, clip, ClipPipeline.of(project, clip))


def _chosen(
    items: tuple[Rig, ...] | tuple[Clip, ...], id: object, name: str, first: bool
) -> Rig | Clip | None:
    by: Callable[[Rig | Clip], bool] = (
        (lambda one: one.id == id) if id is not None else (lambda one: one.name == name)
    )
    found = next((one for one in items if by(one)), None)
    return items[0] if found is None and first and not name and id is None and items else found
