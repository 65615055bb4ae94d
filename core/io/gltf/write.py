"""Writing glTF 2.0: ``.glb``, or ``.gltf`` with its data beside it or inside.

There is always a skin over all bones, also without a mesh, or else Blender finds no armature;
weights are normalised, every bone is named, each clip is one animation whose first keys are at
0 and whose last ones are at its length. The bytes depend on the project and options alone.
"""

import base64
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from core.io.common.atomic import write_atomic
from core.io.common.naming import unique_names
from core.io.common.respace import respaced
from core.io.common.units_and_axes import UP_AXES, unit_name
from core.io.gltf.builder import Builder, as_glb, plain_numbers, to_json
from core.io.gltf.options import GltfWriteOptions
from core.io.gltf.write_cameras import CameraWriter
from core.io.gltf.write_clips import ClipWriter
from core.io.gltf.write_meshes import MeshWriter, Skins, is_rigid
from core.io.prepare.selection import written_clips, written_rigs
from core.io.prepare.with_props import with_props
from core.io.report import ExportReport
from core.math import quat
from core.progress import Progress
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.shot.camera import ShotCamera


def write(project: Project, path: Path, options: GltfWriteOptions, progress: Progress) -> ExportReport:
    """Write a rig with its meshes and clips.

    Raises
    ------
    ValidationError
        The project holds no rig, or the rig no bone.
    """
    report = ExportReport("glTF 2.0")
    document, data = build(project, options, report, progress)
    progress.report(0.95, f"writing {path.name}")
    if path.suffix.lower() != ".gltf":
        if data:
            document["buffers"] = [{"byteLength": len(data)}]
        write_atomic(path, as_glb(document, data))
        return report
    beside = path.with_suffix(".bin")
    if data:
        uri = quote(os.fsencode(beside.name))  # also a name that is not valid UTF-8
        if options.embed:
            uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
        else:
            write_atomic(beside, data)
        document["buffers"] = [{"byteLength": len(data), "uri": uri}]
    write_atomic(path, to_json(document))
    return report


def build(
    project: Project, options: GltfWriteOptions, report: ExportReport, progress: Progress
) -> tuple[dict[str, Any], bytes]:
    """The JSON document, still without its buffers, and the binary data."""
    asset: dict[str, Any] = {"version": "2.0", "generator": "Posewright"}
    if (options.metres_per_unit, options.up_axis) != (1.0, "+Y"):
        project = respaced(project, 1.0 / options.metres_per_unit, quat.conjugate(UP_AXES[options.up_axis]))
        asset["extras"] = {"posewright": {"metres_per_unit": options.metres_per_unit, "up": options.up_axis}}
        report.warnings.append(
            f"the numbers are in {unit_name(options.metres_per_unit)}s with {options.up_axis} up, against glTF's "
            "law of metres and +Y up: only programs that expect this show the file right"
        )
    project = with_props(project)
    rigs = written_rigs(project, options, report)
    builder = Builder()
    scene = _Scene()
    meshes = MeshWriter(builder, report)
    skins: list[dict[str, Any]] = []
    bodies: list[dict[str, Any]] = []
    animations: list[dict[str, Any]] = []
    told = [(rig, clip) for rig in rigs for clip in written_clips(project, rig, options)]
    titles = unique_names([clip.name for _, clip in told])
    for rig in rigs:
        scene.add(rig, len(rigs) > 1)
        own = Skins(builder, rig, len(skins))
        carriers: list[tuple[Mesh, int]] = []
        for mesh in project.meshes_of(rig.id) if options.meshes else ():
            progress.report(0.1, f"writing mesh {mesh.name}")
            hangs = is_rigid(mesh)
            body = meshes.write(mesh, rig.skeleton, skinned=not hangs)
            if body is None:
                continue
            bodies.append(body)
            node = scene.carry(mesh, len(bodies) - 1, None if hangs else own.of(mesh))
            carriers.append((mesh, node))
        clips = ClipWriter(builder, rig, scene.bones, carriers, options.tolerance, report)
        for number, (owner, clip) in enumerate(told):
            if owner is rig:
                progress.report(0.3 + 0.6 * number / len(told), f"writing clip {clip.name}")
                animations.append(clips.write(clip, titles[number]))
        skins += own.write(scene.bones, rig.name)
    seen = CameraWriter(builder, scene, options.tolerance, report).write(
        project.all(ShotCamera), [clip for _, clip in told], animations
    )
    parts: dict[str, Any] = {
        "asset": asset,
        "scene": 0,
        "scenes": [{"name": rigs[0].name, "nodes": scene.tops}],
        "nodes": scene.finished(),
        "skins": skins,
        "meshes": bodies,
        "cameras": seen,
        "materials": meshes.materials,
        "extensionsUsed": sorted(meshes.extensions),
        "samplers": meshes.samplers,
        "textures": meshes.textures,
        "images": meshes.images,
        "animations": animations,
        "accessors": builder.accessors,
        "bufferViews": builder.views,
    }
    return {name: part for name, part in parts.items() if part or name == "scene"}, bytes(builder.data)


class _Scene:
    """The nodes: of each rig the bones first, in their order, then what carries its meshes.

    Attributes
    ----------
    bones : nodes of the bones of the rig that was added last
    tops : nodes without a parent
    """

    def __init__(self) -> None:
        self.bones: list[int] = []
        self.tops: list[int] = []
        self._nodes: list[dict[str, Any]] = []
        self._names: list[str] = []
        self._others: list[dict[str, Any]] = []
        self._skeleton: Skeleton

    def add(self, rig: Rig, several: bool) -> None:
        """Add the bones of a rig.

        Parameters
        ----------
        several : whether the file holds other rigs, too
        """
        skeleton, first = rig.skeleton, len(self._nodes)
        self._skeleton = skeleton
        self.bones = list(range(first, first + len(skeleton)))
        self._names += skeleton.names
        self._nodes += [_bone(skeleton, bone) for bone in range(len(skeleton))]
        for bone, parent in enumerate(skeleton.parents):
            if parent >= 0:
                self._nodes[first + int(parent)].setdefault("children", []).append(first + bone)
        roots = [first + root for root in skeleton.roots()]
        if several or len(roots) > 1:
            # The joints of a skin need a common root; the reader knows this node by its mark.
            top = {"name": rig.name, "children": roots, "extras": {"posewright": {"common_root": True}}}
            self._nodes.append(top)
            self._others.append(top)
            roots = [len(self._nodes) - 1]
        self.tops += roots

    def carry(self, mesh: Mesh, number: int, skin: int | None) -> int:
        """Put a mesh on a node of its own, with a skin or below its bone; return the node's number.

        Not on the bone's node itself: three.js cannot animate the morph weights of a joint.
        """
        node: dict[str, Any] = {"name": mesh.name, "mesh": number}
        place = len(self._nodes)
        if skin is None:
            node["extras"] = {"posewright": {"mesh_of_bone": True}}
            bone = self._nodes[self.bones[self._skeleton.index(mesh.bones[0])]]
            bone.setdefault("children", []).append(place)
        else:
            node["skin"] = skin
            self.tops.append(place)
        self._nodes.append(node)
        self._others.append(node)
        return place

    def look(self, camera: ShotCamera, number: int) -> int:
        """Put a camera on a node at the top; return the node's number."""
        translation, rotation, _ = camera.place
        node: dict[str, Any] = {"name": camera.name, "camera": number}
        if translation.any():
            node["translation"] = plain_numbers(translation)
        if not np.array_equal(rotation, [0.0, 0.0, 0.0, 1.0]):
            node["rotation"] = plain_numbers(rotation)
        place = len(self._nodes)
        self.tops.append(place)
        self._nodes.append(node)
        self._others.append(node)
        return place

    def finished(self) -> list[dict[str, Any]]:
        """All nodes; names of nodes that are not bones are made unique."""
        names = unique_names([*self._names, *(str(node["name"]) for node in self._others)])[
            len(self._names) :
        ]
        for node, name in zip(self._others, names, strict=True):
            node["name"] = name
        return self._nodes


def _bone(skeleton: Skeleton, bone: int) -> dict[str, Any]:
    translation, rotation, scale = (part[bone] for part in skeleton.rest)
    parts: dict[str, Any] = {"name": skeleton.names[bone]}
    if translation.any():
        parts["translation"] = plain_numbers(translation)
    if not np.array_equal(rotation, [0.0, 0.0, 0.0, 1.0]):
        parts["rotation"] = plain_numbers(rotation)
    if (scale != 1.0).any():
        parts["scale"] = plain_numbers(scale)
    return parts
