"""What an export will write, worked out before anything is written. Free of Qt."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import core.io
from core.clips.clip import Clip
from core.ids import AssetId
from core.io.bvh.options import BvhWriteOptions
from core.io.gltf.options import GltfWriteOptions
from core.io.prepare import Keys, Prepare, RestScale, Root
from core.io.presets import PRESETS
from core.io.registry import Format
from core.project.project import Project
from editor.model.i18n import tr, trn


@dataclass(frozen=True, slots=True)
class Plan:
    """One export.

    Parameters
    ----------
    options : what the format's writer is given
    prepare : what is done before: the choice of rig and clips, keys, root motion
    files : names of the files that will be written
    lines : what they will hold, for people
    problem : why it cannot be written, or ""
    """

    format: str
    path: Path
    options: Any
    files: tuple[str, ...]
    lines: tuple[str, ...]
    problem: str = ""
    prepare: Prepare = field(default_factory=Prepare)


def writable() -> list[Format]:
    """Formats to export to; the native one is saved, not exported."""
    return [f for f in core.io.formats() if f.can_write and f.id != "posewright"]


def plan(
    project: Project,
    rig: AssetId,
    clips: Collection[AssetId],
    path: Path,
    meshes: bool = True,
    embed: bool = False,
    preset: str = "",
    prepare: Prepare | None = None,
) -> Plan:
    """Work out what exporting to a path writes; the suffix tells the format.

    Parameters
    ----------
    preset : id of the settings for a program; "" is the format's own
    prepare : keys and root motion; its rig and clips are set here
    """
    chosen = [clip for clip in project.clips_of(rig) if clip.id in clips]
    found = core.io.format_of(path)
    if found is None or not found.can_write:
        known = ", ".join(s for f in writable() for s in f.write_suffixes)
        return Plan("", path, None, (), (), tr("The name must end in one of {known}", known=known))
    if not path.parent.is_dir():
        return Plan(found.id, path, None, (), (), tr("There is no folder {folder}", folder=path.parent))
    made = (
        _bvh(project, rig, chosen, path)
        if found.id == "bvh"
        else _scene(found, project, rig, chosen, path, meshes, embed, preset)
    )
    wanted = chosen[:1] if found.id == "bvh" else chosen
    settings = replace(prepare or Prepare(), rig=rig, clips=tuple(clip.id for clip in wanted))
    return replace(made, prepare=settings, lines=(*made.lines, *_prepare_lines(settings)))


def _prepare_lines(settings: Prepare) -> list[str]:
    lines = []
    if settings.keys is Keys.FRAMES:
        lines.append(tr("a key on every frame"))
    elif settings.keys is Keys.REDUCED:
        lines.append(tr("keys reduced by up to {mm} mm", mm=f"{settings.millimetres:g}"))
    if settings.scale is RestScale.FOLDED:
        lines.append(tr("scale of bones at rest goes into offsets and meshes"))
    if settings.root is Root.IN_PLACE:
        lines.append(tr("the root stays in place"))
    elif settings.root is Root.EXTRACTED:
        lines.append(tr("root motion moves a bone of its own, {name}", name=settings.root_name))
    return lines


def _bvh(project: Project, rig: AssetId, clips: list[Clip], path: Path) -> Plan:
    if not clips:
        return Plan("bvh", path, None, (), (), tr("A BVH file holds one clip: choose one"))
    clip = clips[0]
    lines = [_skeleton(project, rig), _clip_line(clip), tr("sampled at every frame")]
    if len(clips) > 1:
        lines.append(
            trn(
                "{count} clip is left out: a BVH file holds one",
                "{count} clips are left out: a BVH file holds one",
                len(clips) - 1,
            )
        )
    if project.meshes_of(rig):
        lines.append(tr("meshes are left out: BVH has none"))
    return Plan("bvh", path, BvhWriteOptions(rig, clip.id), (path.name,), tuple(lines))


def _scene(
    found: Format,
    project: Project,
    rig: AssetId,
    clips: list[Clip],
    path: Path,
    meshes: bool,
    embed: bool,
    preset: str,
) -> Plan:
    lines = [_skeleton(project, rig)]
    kept = project.meshes_of(rig) if meshes else ()
    lines += [
        tr(
            "mesh {name}: {vertices} vertices, {triangles} triangles",
            name=mesh.name,
            vertices=f"{len(mesh.positions):,}",
            triangles=f"{len(mesh.triangles):,}",
        )
        for mesh in kept
    ]
    if not kept and found.id == "gltf":
        lines.append(tr("no mesh; a skin is written all the same, so that programs find the skeleton"))
    lines += [_clip_line(clip) for clip in clips] or [tr("no clip: the rest pose alone")]
    binary = path.suffix.lower() == ".gltf" and not embed
    files = (path.name, path.with_suffix(".bin").name) if binary else (path.name,)
    options: Any = GltfWriteOptions(rig, tuple(clip.id for clip in clips), meshes, embed=embed)
    if found.id != "gltf":
        own = (
            PRESETS[preset].options if preset and PRESETS[preset].format == found.id else found.write_options
        )
        options = own() if callable(own) else own
        options = replace(options, rig=rig, clips=tuple(clip.id for clip in clips))
        if found.id == "table":
            lines = [
                _skeleton(project, rig),
                *(_clip_line(clip) for clip in clips),
                tr("a row on every frame"),
            ]
        else:
            options = replace(options, meshes=meshes)
            unit = tr("metres") if options.metres_per_unit == 1.0 else tr("centimetres")
            lines.append(tr("in {unit}, {axis} up", unit=unit, axis=options.up_axis))
    return Plan(found.id, path, options, files, tuple(lines))


def _skeleton(project: Project, rig: AssetId) -> str:
    from core.rig.rig import Rig

    asset = project.get(Rig, rig)
    return trn(
        "skeleton {name}: {count} bone",
        "skeleton {name}: {count} bones",
        len(asset.skeleton),
        name=asset.name,
    )


def _clip_line(clip: Clip) -> str:
    return tr(
        "clip {name}: {frames} frames, {seconds} s, {tracks} tracks",
        name=clip.name,
        frames=f"{clip.frames:.4g}",
        seconds=f"{clip.length:.3g}",
        tracks=len(clip.tracks),
    )
