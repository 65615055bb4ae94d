"""Props and second characters in pictures that are drawn without a window, and the cameras of a document. No Qt."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.cli.common import UsageError
from core.errors import AnimError
from core.ids import AssetId
from core.io.shot_files import read_character
from core.project.project import Project
from core.rig.rig import Rig
from core.shot.camera import ShotCamera, camera_named, views
from core.shot.character import ShotCharacter
from core.shot.prop import Prop, matrix_at
from editor.gl.camera import Camera, Size
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import DARK, Color, with_alpha
from editor.gl.draw_list import Ghost, MeshInstance
from editor.gl.shot_drawables import Dress, ShotDrawables
from editor.gl.shot_view import camera_of
from editor.model.shot.characters import Cast, appearance_at, cast_of

GHOST: Color = with_alpha(DARK.text, 0.35)
CAMERA = "camera:"
"""What the name of a camera of the document begins with where views are named."""


class RenderShot:
    """What stands beside the character of a picture.

    Parameters
    ----------
    folder : where the document is, from which files are named

    Raises
    ------
    AnimError
        The file of a second character cannot be read.
    """

    def __init__(
        self, project: Project, rig: Rig, character: CharacterDrawables, folder: Path | None
    ) -> None:  # fmt: skip
        self._rig, self._drawables = rig, ShotDrawables(character)
        self._props = tuple(prop for prop in project.all(Prop) if prop.visible)
        self._casts: list[tuple[ShotCharacter, Cast]] = []
        for one in project.all(ShotCharacter):
            cast = cast_of(_project_of(one, project, folder), one) if one.visible else None
            if cast is not None:
                self._casts.append((one, cast))
        props = [mesh for prop in self._props for mesh in prop.meshes]
        self.meshes = (*props, *(mesh for _, cast in self._casts for mesh in cast.meshes))

    def shown(self, time: float, matrices: FloatArray, clay: Color | None) -> tuple[MeshInstance, ...]:
        """Props and solid characters; `matrices` ``(B, 4, 4)`` are those of the character's bones."""

        def bone(rig: AssetId, name: str) -> FloatArray | None:
            number = self._rig.skeleton.find(name) if rig == self._rig.id else None
            return None if number is None else np.asarray(matrices[number])

        dress = Dress(clay=clay)
        made: list[MeshInstance] = []
        for prop in self._props:
            matrix = matrix_at(prop, time, bone)
            if matrix is not None:
                made += self._drawables.prop(str(prop.id), prop.meshes, matrix, dress)
        for one, cast in self._casts:
            if not one.ghosted:
                now = appearance_at(cast, one, time)
                made += self._drawables.posed(
                    str(one.id), cast.meshes, cast.rig, now.matrices, now.pose, dress
                )
        return tuple(made)

    def ghosts(self, time: float) -> tuple[Ghost, ...]:
        """See-through characters."""
        found: list[Ghost] = []
        for one, cast in self._casts:
            if one.ghosted:
                places = appearance_at(cast, one, time).matrices
                found += self._drawables.ghosts(cast.meshes, cast.rig, places, GHOST)
        return tuple(found)


def _project_of(character: ShotCharacter, project: Project, folder: Path | None) -> Project:
    if not character.file:
        return project
    path = Path(os.path.normpath((folder or Path()) / character.file))
    if not path.is_file():
        raise AnimError(f"character {character.name!r} of the shot: {path} is not there")
    return read_character(path)


def shot_cameras(project: Project, name: str, times: Sequence[float], size: Size) -> list[Camera] | None:
    """A camera of the document at times in seconds, filling pictures of a size; None where there is none of that name.

    Parameters
    ----------
    name : with or without `CAMERA` before it
    """
    camera = camera_named(project.all(ShotCamera), name.removeprefix(CAMERA))
    if camera is None:
        return None
    return [camera_of(view, size, 1.0) for view in views(camera, np.asarray(times, dtype=np.float64))]


def required_cameras(project: Project, name: str, times: Sequence[float], size: Size) -> list[Camera]:
    """As `shot_cameras`; raises `UsageError` listing those there are."""
    found = shot_cameras(project, name, times, size)
    if found is None:
        have = ", ".join(camera.name for camera in project.all(ShotCamera)) or "none"
        raise UsageError(
            f"no camera of the document is called {name.removeprefix(CAMERA)!r}; there are: {have}"
        )
    return found
