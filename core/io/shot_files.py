"""Cameras and props out of files of any format that is read, and files of second characters."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from core.errors import FormatError, MissingReferenceError
from core.ids import new_id
from core.io.common.options import ReadOptions
from core.io.registry import load, readable
from core.pose.kinematics import model_matrices
from core.progress import Progress
from core.project.project import Project
from core.rig.mesh import Mesh
from core.shot.camera import ShotCamera
from core.shot.prop import Prop, rigid_meshes

OBJ = ".obj"
OBJ_METRES = 1.0
"""An OBJ file tells no unit; what writes them for animation writes metres."""


def read_shot_cameras(path: str | Path, progress: Progress | None = None) -> tuple[ShotCamera, ...]:
    """The cameras of a file.

    Raises
    ------
    FormatError
        It cannot be read, or holds no camera.
    """
    path = Path(path)
    project = load(path, progress or Progress()).project
    found = tuple(replace(camera, id=new_id("camera")) for camera in project.all(ShotCamera))
    if not found:
        hint = "cameras are read from glTF, FBX, USD and Posewright files; export it with its cameras"
        raise FormatError(path, "", "it holds no camera", hint)
    return found


def read_prop(path: str | Path, progress: Progress | None = None, options: ReadOptions | None = None) -> Prop:
    """All meshes of a file as one rigid prop, as they stand in its rest pose.

    Raises
    ------
    FormatError
        It cannot be read, or holds no mesh.
    """
    path, tell = Path(path), progress or Progress()
    project = _read_obj(path, tell) if path.suffix.lower() == OBJ else _loaded(path, tell, options)
    meshes: list[Mesh] = []
    for rig in project.rigs:
        meshes += rigid_meshes(
            project.meshes_of(rig.id), rig, model_matrices(rig.skeleton, rig.skeleton.rest)
        )
    for prop in project.all(Prop):
        meshes += prop.meshes
    if not meshes:
        hint = "a prop needs triangles: export it with its mesh"
        raise FormatError(path, "", "it holds no mesh, so there is nothing to show as a prop", hint)
    return Prop(new_id("prop"), path.stem or "prop", tuple(meshes))


def _loaded(path: Path, progress: Progress, options: ReadOptions | None) -> Project:
    """A file of any format; where it is of none, the error names OBJ among what a prop can be read from."""
    try:
        return load(path, progress, options=options).project
    except FormatError as error:
        if readable() not in error.hint:
            raise
        raise FormatError(path, error.where, error.reason, f"{error.hint}, {OBJ}") from error


def _read_obj(path: Path, progress: Progress) -> Project:
    """An OBJ file, through the library that reads FBX; it takes the numbers for centimetres."""
    from core.io.fbx.read import read

    project = read(path, progress).project
    factor = np.float32(OBJ_METRES / project.rigs[0].source.metres_per_unit)
    meshes = [replace(mesh, positions=mesh.positions * factor) for mesh in project.all(Mesh)]
    return project.with_assets(*meshes)


def read_character(path: str | Path, progress: Progress | None = None) -> Project:
    """A file that holds a character to look at.

    Raises
    ------
    MissingReferenceError
        It holds no rig.
    """
    path = Path(path)
    project = load(path, progress or Progress()).project
    if not project.rigs:
        raise MissingReferenceError(f"{path.name} holds no character")
    return project
