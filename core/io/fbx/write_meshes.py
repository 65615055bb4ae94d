"""Meshes, skins, morph targets and materials to FBX."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.io.common.bind_pose import BindPose, bind_pose
from core.io.fbx.binary import Int32, Record, properties
from core.io.fbx.document import Document
from core.io.report import ExportReport
from core.math import quat
from core.math.transform import from_matrix, to_matrix
from core.rig.mesh import AlphaMode, Material, Mesh, MorphTarget
from core.rig.rig import Rig

SUFFIXES = {"image/png": "png", "image/jpeg": "jpg"}


class MeshWriter:
    """Writes the meshes of one rig.

    Every mesh is written with a skin, also one on a single bone: so it is read back without a
    bone more, and every program moves it.

    Parameters
    ----------
    bones : object numbers of the bones
    model : model matrices of the bones in rest, in the file's unit and axes
    bound : likewise for the bind pose, where meshes define no other
    channels : afterwards, object number of the morph channel of each ``mesh/target``
    """

    def __init__(
        self, document: Document, rig: Rig, bones: list[int], model: FloatArray,
        bound: FloatArray, metres: float, back: FloatArray, report: ExportReport,
    ) -> None:  # fmt: skip
        self.document, self.skeleton, self.bones = document, rig.skeleton, bones
        self.model, self.metres, self.back, self.report = model, metres, back, report
        self.bound, self._aside = bound, bound[:, :3, 3] - model[:, :3, 3]
        self.channels: dict[str, int] = {}
        self._posed: dict[int, FloatArray] = {}
        self.pose = BindPose({}, {}, ())
        self._materials: dict[Material, int] = {}

    def stand(self, meshes: Sequence[Mesh]) -> None:
        """Find the placement of the meshes; called before any is written."""
        self.pose = bind_pose(self.skeleton, self.model, meshes, self.metres)
        for name in self.pose.apart:
            self.report.warnings.append(f"mesh {name!r} was bound in another pose; Blender takes one for all")

    def write(self, mesh: Mesh, name: str) -> None:
        """Write one mesh on a node of this name."""
        document = self.document
        geometry = self._geometry(mesh)
        binds = np.array(mesh.inverse_bind)
        binds[:, :3, 3] /= self.metres
        place = from_matrix(self.pose.places[mesh.id])
        degrees = quat_degrees(place.rotation)
        node = document.add(
            "Model", name, "Model", "Mesh", Record("Version", Int32(232)),
            properties(
                ("InheritType", "enum", "", "", Int32(1)),
                ("Lcl Translation", "Lcl Translation", "", "A", *map(float, place.translation)),
                ("Lcl Rotation", "Lcl Rotation", "", "A", *degrees),
                ("Lcl Scaling", "Lcl Scaling", "", "A", *map(float, place.scale)),
            ),
            Record("Shading", True), Record("Culling", "CullingOff"),
        )  # fmt: skip
        document.connect(geometry, node)
        document.connect(node, 0)
        matrix = to_matrix(place)
        self._posed[node] = matrix
        for material in mesh.materials:
            document.connect(self._material(material), node)
        self._skin(mesh, geometry, binds, matrix)
        if mesh.morphs:
            deformer = document.add(
                "Deformer", mesh.name, "Deformer", "BlendShape", Record("Version", Int32(100))
            )
            document.connect(deformer, geometry)
            for morph in mesh.morphs:
                self._morph(mesh, morph, deformer)

    def _geometry(self, mesh: Mesh) -> int:
        corners = mesh.triangles.astype(np.int32).ravel().copy()
        corners[2::3] ^= -1  # the last corner of a polygon is marked by being turned inside out
        layers = [
            ("LayerElementNormal", 0),
            *([("LayerElementUV", 0)] if mesh.uvs is not None else []),
            *([("LayerElementColor", 0)] if mesh.colors is not None else []),
            ("LayerElementMaterial", 0),
        ]
        inside = [
            Record("GeometryVersion", Int32(124)),
            Record("Vertices", (mesh.positions.astype(np.float64) / self.metres).ravel()),
            Record("PolygonVertexIndex", corners),
            _layer(
                "LayerElementNormal", "ByVertice", "Direct", Normals=mesh.normals.astype(np.float64).ravel()
            ),
        ]
        if mesh.uvs is not None:
            uvs = mesh.uvs.astype(np.float64)
            uvs[:, 1] = 1.0 - uvs[:, 1]
            indices = mesh.triangles.astype(np.int32).ravel()
            inside.append(
                _layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect", UV=uvs.ravel(), UVIndex=indices)
            )
        if mesh.colors is not None:
            colors, indices = mesh.colors.astype(np.float64).ravel(), mesh.triangles.astype(np.int32).ravel()
            inside.append(
                _layer(
                    "LayerElementColor", "ByPolygonVertex", "IndexToDirect", Colors=colors, ColorIndex=indices
                )
            )
        material = np.zeros(len(mesh.triangles), np.int32)
        for part in mesh.parts:
            material[part.start : part.start + part.count] = part.material
        inside.append(_layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", Materials=material))
        elements = [
            Record("LayerElement", inside=[Record("Type", kind), Record("TypedIndex", Int32(index))])
            for kind, index in layers
        ]
        inside.append(Record("Layer", Int32(0), inside=[Record("Version", Int32(100)), *elements]))
        return self.document.add("Geometry", mesh.name, "Geometry", "Mesh", *inside)

    def _skin(self, mesh: Mesh, geometry: int, binds: FloatArray, place: FloatArray) -> None:
        document = self.document
        skin = document.add(
            "Deformer", mesh.name, "Deformer", "Skin", Record("Version", Int32(101)),
            Record("Link_DeformAcuracy", 50.0),
        )  # fmt: skip
        document.connect(skin, geometry)
        for joint, name in enumerate(mesh.bones):
            rows, columns = np.nonzero((mesh.influences == joint) & (mesh.weights > 0.0))
            bone = self.skeleton.index(name)
            weights = mesh.weights[rows, columns].astype(np.float64)
            if len(np.unique(rows)) < len(rows):  # a vertex that names a bone twice
                rows, places = np.unique(rows, return_inverse=True)
                weights = np.asarray(np.bincount(places, weights), dtype=np.float64)
            bound = place @ _inverse(binds[joint])
            if not len(rows):  # Blender binds a bone as the last skin says that names it: let it say the same
                bound = np.array(self.pose.bones.get(bone, bound))
            bound[:3, 3] += self._aside[bone]
            self._posed.setdefault(self.bones[bone], bound)
            cluster = document.add(
                "Deformer", name, "SubDeformer", "Cluster", Record("Version", Int32(100)),
                Record("UserData", "", ""),
                *([Record("Indexes", rows.astype(np.int32)), Record("Weights", weights)] if len(rows) else []),
                Record("Transform", binds[joint].T.ravel()), Record("TransformLink", bound.T.ravel()),
            )  # fmt: skip
            document.connect(cluster, skin)
            document.connect(self.bones[bone], cluster)

    def _morph(self, mesh: Mesh, morph: MorphTarget, deformer: int) -> None:
        document = self.document
        moved = np.flatnonzero(np.abs(morph.positions).max(axis=1) > 0.0).astype(np.int32)
        rows = moved if len(moved) else np.zeros(1, np.int32)
        normals = (
            np.zeros((len(rows), 3)) if morph.normals is None else morph.normals[rows].astype(np.float64)
        )
        shape = document.add(
            "Geometry", morph.name, "Geometry", "Shape", Record("Version", Int32(100)), Record("Indexes", rows),
            Record("Vertices", (morph.positions[rows].astype(np.float64) / self.metres).ravel()),
            Record("Normals", normals.ravel()),
        )  # fmt: skip
        percent = float(morph.default_weight) * 100.0
        channel = document.add(
            "Deformer", morph.name, "SubDeformer", "BlendShapeChannel", Record("Version", Int32(100)),
            Record("DeformPercent", percent), Record("FullWeights", np.array([100.0])),
            properties(("DeformPercent", "Number", "", "A", percent)),
        )  # fmt: skip
        document.connect(channel, deformer)
        document.connect(shape, channel)
        self.channels[f"{mesh.name}/{morph.name}"] = channel

    def _material(self, material: Material) -> int:
        if material in self._materials:
            return self._materials[material]
        document = self.document
        colour = tuple(float(c) for c in material.color[:3])
        opacity = 1.0 if material.alpha is AlphaMode.OPAQUE else float(material.color[3])
        if material.alpha is AlphaMode.MASK:
            self.report.leave_out("alpha masks (FBX has none)")
        number = document.add(
            "Material", material.name, "Material", "", Record("Version", Int32(102)),
            Record("ShadingModel", "Phong"), Record("MultiLayer", Int32(0)),
            properties(
                ("DiffuseColor", "Color", "", "A", *colour),
                ("DiffuseFactor", "Number", "", "A", 1.0),
                ("TransparencyFactor", "Number", "", "A", 1.0 - opacity),
                # Phong has neither roughness nor metal: Blender reads the one here, and before 4.5 the other, too.
                ("ShininessExponent", "Number", "", "A", (10.0 - 10.0 * float(material.roughness)) ** 2),
                ("Shininess", "Number", "", "A", (10.0 - 10.0 * float(material.roughness)) ** 2),
                ("ReflectionFactor", "Number", "", "A", float(material.metallic)),
            ),
        )  # fmt: skip
        self._materials[material] = number
        if material.texture is not None:
            if colour != (1.0, 1.0, 1.0):
                self.report.leave_out("colours that tint textures: in FBX a texture takes the colour's place")
            file = f"{material.name}.{SUFFIXES.get(material.texture.media_type, 'png')}"
            names = [Record("Filename", file), Record("RelativeFilename", file)]
            content = Record("Content", bytes(material.texture.data))
            video = document.add(
                "Video", material.name, "Video", "Clip", Record("Type", "Clip"), *names, content
            )
            texture = document.add(
                "Texture", material.name, "Texture", "", Record("Type", "TextureVideoClip"),
                Record("Version", Int32(202)), Record("FileName", file), names[1],
            )  # fmt: skip
            document.connect(video, texture)
            document.connect(texture, number, "DiffuseColor")
        return number

    def bind_pose(self) -> None:
        """Transforms of bones and meshes at the bind."""
        for bone, number in enumerate(self.bones):
            self._posed.setdefault(number, self.bound[bone])
        nodes = [
            Record("PoseNode", inside=[Record("Node", number), Record("Matrix", matrix.T.ravel())])
            for number, matrix in self._posed.items()
        ]
        self.document.add(
            "Pose", "bind", "Pose", "BindPose", Record("Type", "BindPose"), Record("Version", Int32(100)),
            Record("NbPoseNodes", Int32(len(nodes))), *nodes,
        )  # fmt: skip


def quat_degrees(rotation: FloatArray) -> list[float]:
    """Angles of a rotation in XYZ order."""
    from core.math import euler

    return [float(x) for x in euler.from_quaternion(quat.normalise(rotation), 0)]


def _layer(kind: str, mapping: str, reference: str, **arrays: Any) -> Record:
    return Record(
        kind,
        Int32(0),
        inside=[
            Record("Version", Int32(101)),
            Record("Name", ""),
            Record("MappingInformationType", mapping),
            Record("ReferenceInformationType", reference),
            *(Record(name, array) for name, array in arrays.items()),
        ],
    )


def _inverse(matrix: FloatArray) -> FloatArray:
    try:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.eye(4)
