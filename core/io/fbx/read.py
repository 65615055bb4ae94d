"""Reading FBX, binary and ASCII, through the helper process."""

from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.errors import FormatError, ValidationError
from core.ids import new_id
from core.io.common.characters import made_apart, told_apart
from core.io.common.helper.cameras import X_AHEAD, read_cameras
from core.io.common.helper.meshes import MeshReader
from core.io.common.helper.packet import Packet, fetch
from core.io.common.helper.scene import Scene
from core.io.common.naming import stem_of, unique_names
from core.io.common.units_and_axes import unit_name
from core.io.fbx.kind import FBX
from core.io.fbx.read_clips import ClipReader
from core.io.loaded import Loaded
from core.io.report import ImportReport
from core.math import euler, quat
from core.math.transform import Transform, from_matrix, to_matrix
from core.progress import Progress
from core.project.project import Project
from core.project.references import check
from core.rig.rig import Rig, SourceFrame
from core.rig.skeleton import skeleton_from_unordered

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX", "XYZ")
"""By the file's number; the last is Maya's spheric mode, which is always sampled."""


def read(path: Path, progress: Progress) -> Loaded:
    """Read an FBX file.

    Raises
    ------
    FormatError
        What is wrong with the file, as far as the library reports it.
    UnsupportedError
        The FBX library is not installed.
    """
    report = ImportReport("FBX")
    progress.report(0.0, f"reading {path.name}")
    packet = fetch(path, progress.part(0.0, 0.6), FBX)
    try:
        return _project(path, packet, report, progress)
    except ValidationError as error:
        raise FormatError(path, "", str(error)) from error


def _project(path: Path, packet: Packet, report: ImportReport, progress: Progress) -> Loaded:
    told = packet.told
    report.producer = str(told["producer"])[:200]
    for warning in told["warnings"]:
        report.warn(f"the file: {warning}")
    scene = _scene(path, packet, report)
    rig = Rig(new_id("rig"), stem_of(path) or "rig", scene.skeleton, source=scene.source)
    meshes = MeshReader(packet, scene, rig.id, path, report)
    found = meshes.read(progress.part(0.6, 0.8))
    clips = ClipReader(packet, scene, rig.id, meshes, report).read(progress.part(0.8, 1.0))
    longest = max(clips, key=lambda clip: clip.length, default=None)
    if longest is not None:
        report.rate, report.duration = longest.rate.fps, longest.length
        report.frames = round(longest.frames) + 1
    cameras = read_cameras(packet, scene.source, X_AHEAD, report)
    project = _apart(Project().with_assets(rig, *found, *clips), packet, scene).with_assets(*cameras)
    check(project)
    return Loaded(project, report)


def _apart(project: Project, packet: Packet, scene: Scene) -> Project:
    """A rig for each character, where the file holds several."""
    skeleton = scene.skeleton
    place = {int(node): bone for bone, node in enumerate(skeleton.sources)}
    told = [scene.nodes[int(node)] for node in skeleton.sources]
    names = [node["own_name"] or node["name"] for node in told]
    used = [mesh["skin"]["bones"] for mesh in packet.told["meshes"] if mesh["skin"] is not None]
    skins = [{place[node] for node in bones if node in place} for bones in used]
    joints = {bone for bone, node in enumerate(told) if node["bone"]}.union(*skins)
    above = [scene.nodes.get(node["parent"], {"rig": ""}) for node in told]
    noted = [node["rig"] or top["rig"] for node, top in zip(told, above, strict=True)]
    labels = {bone: name for bone, name in enumerate(noted) if name}
    found = told_apart(skeleton.parents, names, joints, skins, [""] * len(skins), labels)
    return made_apart(project, found, names) if found else project


def _scene(path: Path, packet: Packet, report: ImportReport) -> Scene:
    """The skeleton of the nodes that matter: bones, what skins or clips name, rigid meshes, and all above them."""
    nodes = packet.told["nodes"]
    rows = {node["id"]: number for number, node in enumerate(nodes)}
    for text in packet.told["further"]:
        report.leave_out(text)
    wanted = _wanted(packet)
    if not wanted:
        wanted = {node["id"] for node in nodes if not node["aside"]} or {node["id"] for node in nodes}
    chosen: set[int] = set()
    for node in wanted:
        while node >= 0 and node not in chosen:
            chosen.add(node)
            node = nodes[rows[node]]["parent"]
    order = [node["id"] for node in nodes if node["id"] in chosen and not _is_armature(node)]
    if not order:
        raise FormatError(path, "", "the file holds no nodes, so there is nothing to pose")
    source = _source(packet, report)
    named = [nodes[rows[node]]["name"].strip() for node in order]
    first = [place for place, node in enumerate(order) if nodes[rows[node]]["bone"]]
    names = unique_names([name or f"node_{node}" for name, node in zip(named, order, strict=True)], first)
    report.renamed += [(old, new) for old, new in zip(named, names, strict=True) if old and old != new]
    place = {node: number for number, node in enumerate(order)}
    above = [place.get(nodes[rows[node]]["parent"], -1) for node in order]
    rest = _rest(
        packet, [rows[node] for node in order], [rows.get(nodes[rows[n]]["parent"], -1) for n in order]
    )
    roots = np.array(above) < 0
    translation = rest.translation * source.metres_per_unit
    translation[roots] = quat.rotate(source.to_y_up, translation[roots])
    rest.rotation[roots] = quat.multiply(source.to_y_up, rest.rotation[roots])
    orders = [euler.order_index(ORDERS[nodes[rows[node]]["order"]]) for node in order]
    skeleton, _ = skeleton_from_unordered(
        names, above, Transform(translation, rest.rotation, rest.scale), orders, order
    )
    return Scene(skeleton, source, dict(zip(order, names, strict=True)), {n["id"]: n for n in nodes})


def _is_armature(node: dict[str, Any]) -> bool:
    """Whether our own writer added this node above a rig: it is not animated and is not a bone."""
    return bool(node["rig"]) and not node["bone"]


def _wanted(packet: Packet) -> set[int]:
    told = packet.told
    wanted = {node["id"] for node in told["nodes"] if node["bone"]}
    for mesh in told["meshes"]:
        if mesh["skin"] is None or not mesh["skin"]["bones"]:
            wanted.update(mesh["nodes"])
        else:
            wanted.update(mesh["skin"]["bones"])
            if MeshReader.has_loose_vertices(packet, mesh):
                wanted.update(mesh["nodes"][:1])
    moved = {part["node"] for clip in told["clips"] for part in clip["parts"]}
    return wanted | (moved - {node["id"] for node in told["nodes"] if node["aside"]})


def _rest(packet: Packet, rows: list[int], parents: list[int]) -> Transform:
    """Local transforms, of nodes that inherit scale in their own way from the world matrices."""
    table = packet.array("rest")[rows]
    rest = Transform(table[:, :3].copy(), quat.normalise(table[:, 3:7]), table[:, 7:10].copy())
    world = packet.array("world")
    for number, (row, parent) in enumerate(zip(rows, parents, strict=True)):
        if packet.told["nodes"][row]["normal"] or parent < 0:
            continue
        plain = world[parent] @ to_matrix(Transform(*(part[number] for part in rest)))
        if np.abs(plain - world[row]).max() > 1e-6 * max(1.0, float(np.abs(world[row][:3, :3]).max())):
            split = from_matrix(np.linalg.lstsq(world[parent], world[row], rcond=None)[0])
            for part, own in zip(rest, split, strict=True):
                part[number] = own
    return rest


def _source(packet: Packet, report: ImportReport) -> SourceFrame:
    metres = float(packet.told["unit_metres"])
    if not (np.isfinite(metres) and 1e-6 <= metres <= 1e6):
        report.warn(f"its unit of {metres:g} m cannot be; taken for centimetres")
        metres = 0.01
    report.unit = unit_name(metres)
    axes: FloatArray = np.zeros((3, 3))
    for row, name in enumerate(packet.told["axes"]):
        if not name.endswith(("_X", "_Y", "_Z")):
            report.warn("its axes are not told; taken for +Y up")
            return SourceFrame(metres)
        axes[row, "XYZ".index(name[-1])] = -1.0 if name.startswith("NEG") else 1.0
    up = packet.told["axes"][1]
    report.up_axis = ("-" if up.startswith("NEG") else "+") + up[-1]
    if np.linalg.det(axes) < 0.5:
        report.warn("its axes are left-handed; left and right are swapped")
        axes[0] = np.cross(axes[1], axes[2])
    return SourceFrame(metres, quat.from_matrix(axes))
