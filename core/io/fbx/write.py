"""Writing binary FBX 7.4: skeleton, skins, morph targets, one stack a clip."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, Property
from core.clips.evaluator import rest_degrees
from core.ids import AssetId
from core.io.common.atomic import write_atomic
from core.io.common.marks import NAME, RIG
from core.io.common.naming import unique_names
from core.io.common.units_and_axes import UP_AXES
from core.io.fbx.binary import Int32, Record, encoded, properties
from core.io.fbx.document import Document
from core.io.fbx.options import FbxWriteOptions
from core.io.fbx.write_clips import ClipWriter
from core.io.fbx.write_meshes import MeshWriter
from core.io.prepare.rest_scale import folded_project
from core.io.prepare.selection import written_clips, written_rigs
from core.io.prepare.with_props import with_props_alone
from core.io.report import ExportReport
from core.math import euler, quat
from core.math.transform import Transform, to_matrix
from core.pose.kinematics import chain_matrices
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
"""By FBX's number."""
APART = 1e-4
"""In the file's unit: nearer than this a child's head and its parent's tail are one to Blender."""


def write(project: Project, path: Path, options: FbxWriteOptions, progress: Progress) -> ExportReport:
    """Write rigs with their meshes and clips.

    Raises
    ------
    ValidationError
        The project holds no rig, or a rig no bone.
    """
    report = ExportReport("FBX")
    project = with_props_alone(project, report)
    rigs = written_rigs(project, options, report)
    if options.fold_scale:
        project, rigs = folded_project(project, rigs)
    told = [(rig, written_clips(project, rig, options)) for rig in rigs]
    clips = [clip for _, chosen in told for clip in chosen]
    titles = unique_names([clip.name or "clip" for clip in clips])
    document = Document()
    names = _Names(project, rigs)
    for rig, chosen in told:
        frame = Frame(rig, options)
        label = rig.name if len(rigs) == 1 and len(rig.skeleton.roots()) > 1 else ""
        top = _armature(document, rig, names) if len(rigs) > 1 else 0
        bones = _bones(document, rig, frame, names, label, top)
        bound = bind_matrices(rig, frame, chosen)
        meshes = MeshWriter(
            document, rig, bones, frame.model, bound, options.metres_per_unit, frame.back, report
        )
        hung = project.meshes_of(rig.id) if options.meshes else ()
        meshes.stand(hung)
        for mesh in hung:
            progress.report(0.2, f"writing mesh {mesh.name}")
            meshes.write(mesh, names.others[mesh.id])
        meshes.bind_pose()
        writer = ClipWriter(document, rig, bones, meshes.channels, frame.back, options, report, chosen)
        for clip in chosen:
            number = next(place for place, other in enumerate(clips) if other is clip)
            progress.report(0.3 + 0.6 * number / len(clips), f"writing clip {clip.name}")
            writer.write(clip, titles[number])
    rate = clips[0].rate.fps if clips else 30.0
    seconds = max((clip.length for clip in clips), default=0.0)
    progress.report(0.95, f"writing {path.name}")
    records = document.records(options.metres_per_unit, options.up_axis, rate, seconds, titles)
    write_atomic(path, encoded(records))
    return report


class _Names:
    """What nodes are called in the file: no two alike, since some programs know nodes by name.

    Attributes
    ----------
    bones : rig's id → names of its bones
    others : mesh's id → name of its node; rig's id → name of the node above its bones, if there is one
    """

    def __init__(self, project: Project, rigs: Sequence[Rig]) -> None:
        hung = [mesh for rig in rigs for mesh in project.meshes_of(rig.id)]
        own = [name for rig in rigs for name in rig.skeleton.names]
        found = unique_names([*own, *(mesh.name for mesh in hung), *(rig.name for rig in rigs)])
        keys = [mesh.id for mesh in hung] + [rig.id for rig in rigs]
        self.others = dict(zip(keys, found[len(own) :], strict=True))
        self.bones: dict[AssetId, list[str]] = {}
        for rig in rigs:
            self.bones[rig.id], found = found[: len(rig.skeleton)], found[len(rig.skeleton) :]


class Frame:
    """The rest pose in the file's unit and axes.

    Attributes
    ----------
    back : rotation ``(4,)`` from our axes to the file's
    rest : local transforms
    model : model matrices ``(B, 4, 4)`` of the rest pose
    """

    def __init__(self, rig: Rig, options: FbxWriteOptions) -> None:
        skeleton = rig.skeleton
        self.back: FloatArray = quat.conjugate(UP_AXES[options.up_axis])
        translation = skeleton.rest.translation / options.metres_per_unit
        rotation = np.array(skeleton.rest.rotation)
        for root in skeleton.roots():
            translation[root] = quat.rotate(self.back, translation[root])
            rotation[root] = quat.multiply(self.back, rotation[root])
        self.rest = Transform(translation, rotation, skeleton.rest.scale)
        self.model: FloatArray = chain_matrices(skeleton.parents, to_matrix(self.rest))


def bind_matrices(rig: Rig, frame: Frame, clips: Sequence[Clip]) -> FloatArray:
    """Matrices ``(B, 4, 4)`` of the rest pose for the file's bind pose, some bones `APART` from their place.

    Blender takes a bone that begins on its parent's +Y, at the tail it gives the parent, for connected to it,
    and a connected bone cannot move. Aside by more than it looks at, a bone that a clip moves stays free; the
    bind pose is all that is touched, and what clips say of the bone makes up for it.
    """
    model: FloatArray = np.array(frame.model)
    names = {c.bone for clip in clips for c in clip.tracks if c.property is Property.TRANSLATE}
    depths = rig.skeleton.depths()
    for bone, parent in enumerate(rig.skeleton.parents):
        x, y, z = frame.rest.translation[bone]
        if parent >= 0 and rig.skeleton.names[bone] in names and y > 0.0 and max(abs(x), abs(z)) < APART:
            aside = frame.model[parent, :3, 0] / (float(np.linalg.norm(frame.model[parent, :3, 0])) or 1.0)
            # Away from its parent's side, which may have been moved as well.
            model[bone, :3, 3] += (2.0 if depths[bone] % 2 else -2.0) * APART * aside
    return model


def _armature(document: Document, rig: Rig, names: _Names) -> int:
    """A static node above the bones of one rig of several: what is below it is one armature."""
    what = Record("TypeFlags", "Null")
    mark = properties(("InheritType", "enum", "", "", Int32(1)), (RIG, "KString", "", "U", rig.name))
    attribute = document.add("NodeAttribute", names.others[rig.id], "NodeAttribute", "Null", what)
    node = document.add("Model", names.others[rig.id], "Model", "Null", Record("Version", Int32(232)), mark)
    document.connect(attribute, node)
    document.connect(node, 0)
    return node


def _bones(document: Document, rig: Rig, frame: Frame, names: _Names, label: str, top: int) -> list[int]:
    """A node for each bone; their numbers.

    Parameters
    ----------
    label : written at the roots, where our own reader could not identify the rig by its nodes
    top : the parent node of all roots
    """
    skeleton = rig.skeleton
    numbers: list[int] = []
    for bone, name in enumerate(names.bones[rig.id]):
        own: list[tuple[object, ...]] = []
        if label and skeleton.parent(bone) < 0:
            own.append((RIG, "KString", "", "U", label))
        if name != skeleton.names[bone]:
            own.append((NAME, "KString", "", "U", skeleton.names[bone]))
        order = int(skeleton.euler_orders[bone])
        degrees = rest_degrees(skeleton, bone)
        if skeleton.parent(bone) < 0 and abs(float(frame.back[3])) < 1.0:
            degrees = euler.from_quaternion(frame.rest.rotation[bone], order).tolist()
        size = properties(("Size", "double", "Number", "", 1.0))
        limb = document.add(
            "NodeAttribute", name, "NodeAttribute", "LimbNode", Record("TypeFlags", "Skeleton"), size
        )
        node = document.add(
            "Model", name, "Model", "LimbNode", Record("Version", Int32(232)),
            properties(
                ("RotationOrder", "enum", "", "", Int32(ORDERS.index(euler.ORDERS[order]))),
                ("RotationActive", "bool", "", "", Int32(1)),
                ("InheritType", "enum", "", "", Int32(1)),
                ("Lcl Translation", "Lcl Translation", "", "A", *map(float, frame.rest.translation[bone])),
                ("Lcl Rotation", "Lcl Rotation", "", "A", *map(float, degrees)),
                ("Lcl Scaling", "Lcl Scaling", "", "A", *map(float, frame.rest.scale[bone])),
                *own,
            ),
            Record("Shading", True), Record("Culling", "CullingOff"),
        )  # fmt: skip
        document.connect(limb, node)
        parent = skeleton.parent(bone)
        document.connect(node, numbers[parent] if parent >= 0 else top)
        numbers.append(node)
    return numbers
