"""Settings for the programs that read our files most, and exporting with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import core.io
from core.errors import MissingReferenceError
from core.io.fbx.options import Curves, FbxWriteOptions
from core.io.gltf.options import GltfWriteOptions
from core.io.prepare import Prepare, prepared
from core.io.report import ExportReport
from core.io.selfcheck import SelfCheck, check_file
from core.io.usd.options import UsdWriteOptions
from core.progress import Progress, nothing
from core.project.project import Project


@dataclass(frozen=True, slots=True)
class Preset:
    """How to write for a program.

    Parameters
    ----------
    id : short name in lower case
    title, note : for people
    format, suffix : of the file
    options : the writer's settings
    """

    id: str
    title: str
    note: str
    format: str
    suffix: str
    options: Any


PRESETS: Mapping[str, Preset] = {
    preset.id: preset
    for preset in (
        Preset(
            "unreal", "Unreal Engine", "FBX in centimetres, Z up, a key on every frame", "fbx", ".fbx",
            FbxWriteOptions(metres_per_unit=0.01, up_axis="+Z", curves=Curves.FRAMES),
        ),
        Preset(
            "unity", "Unity", "FBX in centimetres, Y up, a key on every frame", "fbx", ".fbx",
            FbxWriteOptions(metres_per_unit=0.01, up_axis="+Y", curves=Curves.FRAMES),
        ),
        Preset("godot", "Godot", "glTF in one file, metres, Y up", "gltf", ".glb", GltfWriteOptions()),
        Preset("blender", "Blender", "glTF in one file, metres, Y up", "gltf", ".glb", GltfWriteOptions()),
        Preset("three", "three.js", "glTF in one file, metres, Y up", "gltf", ".glb", GltfWriteOptions()),
        Preset("maya", "Maya", "FBX in centimetres with the clip's own keys", "fbx", ".fbx",
               FbxWriteOptions(curves=Curves.KEYS)),
        Preset("omniverse", "Omniverse", "USD in metres", "usd", ".usda", UsdWriteOptions()),
    )
}  # fmt: skip


def preset_named(name: str) -> Preset:
    """A preset by its id; raises `MissingReferenceError` listing what there is."""
    try:
        return PRESETS[name.lower()]
    except KeyError:
        known = ", ".join(PRESETS)
        raise MissingReferenceError(f"no preset is called {name!r}; there are: {known}") from None


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export did, and what reading it back found (None where that was not asked for)."""

    report: ExportReport
    check: SelfCheck | None


def export(
    project: Project,
    path: Path,
    settings: Prepare,
    options: Any = None,
    *,
    self_check: bool = True,
    progress: Progress | None = None,
) -> Exported:
    """Prepare, write, and read back.

    Parameters
    ----------
    options : the format's write options; their choice of rig and clips gives way to that of `settings`
    """
    tell = progress or nothing()
    ready = prepared(project, settings, tell.part(0.0, 0.3))
    if options is not None:
        options = replace(
            options, rig=None, **({"clips": None} if hasattr(options, "clips") else {"clip": None})
        )
    report = core.io.save(ready, path, options, tell.part(0.3, 0.7))
    check = None
    if self_check:
        expected = ready
        if path.suffix.lower() == ".bvh":  # holds one clip
            expected = ready.without(*(clip.id for clip in ready.clips_of(ready.rigs[0].id)[1:]))
        check = check_file(path, expected, progress=tell.part(0.7, 1.0))
    tell.report(1.0, "done")
    return Exported(report, check)
