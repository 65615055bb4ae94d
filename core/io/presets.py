"""Settings for the programs that read our files most, and exporting with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.clips.clip import Clip
from core.errors import MissingReferenceError
from core.ids import AssetId
from core.io.common.options import Curves
from core.io.fbx.options import FbxWriteOptions
from core.io.format import Format, settings_in, with_own_keys
from core.io.gltf.options import GltfWriteOptions
from core.io.prepare.prepare import prepared
from core.io.prepare.settings import Keys, Prepare, RestScale
from core.io.prepare.with_props import without_shot
from core.io.registry import format_of, write_evaluated
from core.io.report import ExportReport
from core.io.selfcheck import SelfCheck, check_file
from core.io.usd.options import UsdWriteOptions
from core.progress import Progress, nothing
from core.project.project import Project

DEAF = {
    "metres_per_unit": "the unit of files of this format cannot be chosen",
    "up_axis": "the up axis of files of this format cannot be chosen",
    "together": "a file of this format holds one character, the first",
}


@dataclass(frozen=True, slots=True)
class Preset:
    """How to write for a program.

    Parameters
    ----------
    id : short name in lower case
    title, note : shown in the interface
    format, suffix : of the file
    options : the writer's settings
    keys : which keys the program supports
    scale : what becomes of rest scale; None is what the format does by itself
    one_root : whether it reads skeletons with one root only
    """

    id: str
    title: str
    note: str
    format: str
    suffix: str
    options: Any
    keys: Keys = Keys.OWN
    scale: RestScale | None = None
    one_root: bool = False

    def settings(self, rig: AssetId | None = None, clips: tuple[AssetId, ...] | None = None) -> Prepare:
        """What `export` prepares for this program.

        Parameters
        ----------
        rig : which rig; None is the project's first
        clips : which of its clips; None is all
        """
        return Prepare(rig, clips, keys=self.keys, scale=self.scale, one_root=self.one_root)


PRESETS: Mapping[str, Preset] = {
    preset.id: preset
    for preset in (
        Preset(
            "unreal", "Unreal Engine", "FBX in centimetres, Z up, a key on every frame, one root",
            "fbx", ".fbx", FbxWriteOptions(metres_per_unit=0.01, up_axis="+Z", curves=Curves.FRAMES),
            one_root=True,
        ),
        Preset(
            "unity", "Unity", "FBX in centimetres, Y up, a key on every frame", "fbx", ".fbx",
            FbxWriteOptions(metres_per_unit=0.01, up_axis="+Y", curves=Curves.FRAMES),
        ),
        Preset("godot", "Godot", "glTF in one file, metres, Y up", "gltf", ".glb", GltfWriteOptions()),
        Preset(
            "blender", "Blender", "glTF in one file, a key on every frame (it bends curves its own way), "
            "rest scale folded into offsets and meshes (its bones have none)",
            "gltf", ".glb", GltfWriteOptions(), Keys.FRAMES, RestScale.FOLDED,
        ),
        Preset("three", "three.js", "glTF in one file, metres, Y up", "gltf", ".glb", GltfWriteOptions()),
        Preset("maya", "Maya", "FBX in centimetres with the clip's own keys", "fbx", ".fbx",
               FbxWriteOptions(curves=Curves.KEYS), scale=RestScale.KEEP),
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
    """What an export did, and what reading it back found (None where it was not requested)."""

    report: ExportReport
    check: SelfCheck | None


def one_clip_of(project: Project) -> Project:
    """What a file that holds one clip gets of the first rig: its first clip, or its rest pose as one of no length."""
    rig = project.rigs[0]
    clips = project.clips_of(rig.id)
    if not clips:
        return project.with_assets(Clip(AssetId(f"{rig.id}-rest"), "rest", rig.id, 0.0))
    return project.without(*(clip.id for clip in clips[1:]))


def export(
    project: Project,
    path: Path,
    settings: Prepare,
    options: Any = None,
    *,
    self_check: bool = True,
    progress: Progress | None = None,
    evaluated: bool = False,
) -> Exported:
    """Prepare, write, and read back.

    Parameters
    ----------
    options : the format's write options; their choice of rig and clips gives way to that of `settings`
    evaluated : see `prepared`
    """
    tell = progress or nothing()
    notes: list[str] = []
    found = format_of(path)
    angles = found is not None and found.angles
    props = found is not None and found.scene and not found.document
    ready = prepared(project, settings, tell.part(0.0, 0.3), notes, angles, evaluated, props)
    if found is not None and not (found.scene or found.document):
        ready = without_shot(ready)
    options, deaf = _writer_options(found, options, settings)
    report = write_evaluated(ready, path, options, tell.part(0.3, 0.7))
    report.sampled += notes
    report.warnings += deaf
    check = None
    if self_check and found is not None and found.can_read:
        check = _checked(path, found, ready, options, tell.part(0.7, 1.0))
    tell.report(1.0, "done")
    return Exported(report, check)


def _checked(path: Path, found: Format, written: Project, options: Any, progress: Progress) -> SelfCheck:
    """What reading a file back finds, of what its format can hold."""
    expected = one_clip_of(written) if found.one_clip else written
    known = found.read_back(written.rigs[0], options) if found.read_back is not None else None
    return check_file(
        path, expected, rest=known is None, between=not found.every_frame, options=known, progress=progress
    )


def _writer_options(found: Format | None, options: Any, settings: Prepare) -> tuple[Any, list[str]]:
    """The writer's settings with the general options; and which of them the format cannot hold."""
    if options is None and found is not None:
        options = found.default_options()
    held = settings_in(options)
    wanted: dict[str, Any] = {"metres_per_unit": settings.metres_per_unit, "up_axis": settings.up_axis}
    if settings.scale is RestScale.KEEP and "fold_scale" in held:
        wanted["fold_scale"] = False
    wanted = {name: value for name, value in wanted.items() if value is not None}
    if len(settings.rigs) > 1:
        wanted["together"] = True
    if settings.keys in (Keys.REDUCED, Keys.CUBIC):
        options = with_own_keys(options)  # or else a key on every frame would undo it
    deaf = [DEAF[name] for name in wanted if name not in held]
    own = {name: value for name, value in wanted.items() if name in held}
    own |= {name: None for name in ("rig", "clips", "clip") if name in held}
    return (replace(options, **own) if own else options), deaf
