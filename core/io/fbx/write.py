"""Writing binary FBX 7.4: skeleton, skins, morph targets, one stack a clip."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, Property
from core.clips.evaluator import rest_degrees
from core.io.atomic import write_atomic
from core.io.bvh.guess import UP_AXES
from core.io.chosen import chosen_clips, only_rig
from core.io.fbx.binary import Int32, Record, encoded, properties
from core.io.fbx.document import Document
from core.io.fbx.options import FbxWriteOptions
from core.io.fbx.write_clips import ClipWriter
from core.io.fbx.write_meshes import MeshWriter
from core.io.naming import unique_names
from core.io.report import ExportReport
from core.math import euler, quat
from core.math.transform import Transform, to_matrix
from core.pose.kinematics import ancestors, chain_matrices
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")
"""By FBX's number."""
APART = 1e-4
"""In the file's unit: nearer than this a child's head and its parent's tail are one to Blender."""


def write(project: Project, path: Path, options: FbxWriteOptions, progress: Progress) -> ExportReport:
    """Write a rig with its meshes and clips.

    Raises
    ------
    ValidationError
        The project holds no rig, or the rig no bone.
    """
    report = ExportReport("FBX")
    rig = only_rig(project, options.rig, report)
    chosen = chosen_clips(project, rig, options.clips)
    document = Document()
    frame = Frame(rig, options)
    bones = _bones(document, rig, frame, scene_nodes(project, rig))
    bound = bind_matrices(rig, frame, chosen)
    meshes = MeshWriter(document, rig, bones, frame.model, bound, options.metres_per_unit, frame.back, report)
    wanted = project.meshes_of(rig.id) if options.meshes else ()
    names = unique_names([*rig.skeleton.names, *(mesh.name for mesh in wanted)])[len(bones) :]
    for number, (mesh, name) in enumerate(zip(wanted, names, strict=True)):
        progress.report(0.3 * number / len(wanted), f"writing mesh {mesh.name}")
        meshes.write(mesh, name)
    meshes.bind_pose()
    clips = ClipWriter(document, rig, bones, meshes.channels, frame.back, options, report, chosen)
    titles = unique_names([clip.name or "clip" for clip in chosen])
    for number, (clip, title) in enumerate(zip(chosen, titles, strict=True)):
        progress.report(0.3 + 0.6 * number / len(chosen), f"writing clip {clip.name}")
        clips.write(clip, title)
    rate = chosen[0].rate.fps if chosen else 30.0
    seconds = max((clip.length for clip in chosen), default=0.0)
    progress.report(0.95, f"writing {path.name}")
    records = document.records(options.metres_per_unit, options.up_axis, rate, seconds, titles)
    write_atomic(path, encoded(records))
    return report


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
    for bone, parent in enumerate(rig.skeleton.parents):
        x, y, z = frame.rest.translation[bone]
        if parent >= 0 and rig.skeleton.names[bone] in names and y > 0.0 and max(abs(x), abs(z)) < APART:
            aside = frame.model[parent, :3, 0]
            model[bone, :3, 3] += 2.0 * APART * aside / (float(np.linalg.norm(aside)) or 1.0)
    return model


def scene_nodes(project: Project, rig: Rig) -> set[int]:
    """Bones above all others that only scale what is below them.

    Such a node comes from a file's scene, not from its skeleton. Written as a bone, Blender would lose
    its scale, since its bones have none in rest.
    """
    skeleton = rig.skeleton
    used = {
        skeleton.index(mesh.joints[joint])
        for mesh in project.meshes_of(rig.id)
        for joint in np.unique(mesh.influences[mesh.weights > 0.0])
    }
    found: set[int] = set()
    for bone in range(len(skeleton)):
        if np.abs(skeleton.rest.scale[bone] - 1.0).max() > 1e-4:
            above = set(ancestors(skeleton, bone))
            if not above & used and all(len(skeleton.children(b)) for b in above):
                found |= above
    return found


def _bones(document: Document, rig: Rig, frame: Frame, nodes: set[int]) -> list[int]:
    """A node for each bone; their numbers."""
    skeleton = rig.skeleton
    numbers: list[int] = []
    for bone, name in enumerate(skeleton.names):
        order = int(skeleton.euler_orders[bone])
        degrees = rest_degrees(skeleton, bone)
        if skeleton.parent(bone) < 0 and abs(float(frame.back[3])) < 1.0:
            degrees = euler.from_quaternion(frame.rest.rotation[bone], order).tolist()
        kind, flags = ("Null", "Null") if bone in nodes else ("LimbNode", "Skeleton")
        size = properties(("Size", "double", "Number", "", 1.0))
        limb = document.add("NodeAttribute", name, "NodeAttribute", kind, Record("TypeFlags", flags), size)
        node = document.add(
            "Model", name, "Model", kind, Record("Version", Int32(232)),
            properties(
                ("RotationOrder", "enum", "", "", Int32(ORDERS.index(euler.ORDERS[order]))),
                ("RotationActive", "bool", "", "", Int32(1)),
                ("InheritType", "enum", "", "", Int32(1)),
                ("Lcl Translation", "Lcl Translation", "", "A", *map(float, frame.rest.translation[bone])),
                ("Lcl Rotation", "Lcl Rotation", "", "A", *map(float, degrees)),
                ("Lcl Scaling", "Lcl Scaling", "", "A", *map(float, frame.rest.scale[bone])),
            ),
            Record("Shading", True), Record("Culling", "CullingOff"),
        )  # fmt: skip
        document.connect(limb, node)
        parent = skeleton.parent(bone)
        document.connect(node, numbers[parent] if parent >= 0 else 0)
        numbers.append(node)
    return numbers
