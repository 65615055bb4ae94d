"""Skinned meshes and blend shapes to USD."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pxr import Gf, Sdf, UsdGeom, UsdShade, UsdSkel, Vt

from core.io.common.bind_pose import BindPose, bind_pose
from core.io.common.naming import printable
from core.io.report import ExportReport
from core.io.usd.names import identifiers
from core.io.usd.write_materials import MaterialWriter
from core.rig.mesh import Material, Mesh
from core.rig.rig import Rig


class MeshWriter:
    """Writes the meshes of one rig.

    Attributes
    ----------
    pose : where bones and meshes are bound; a USD skeleton has one such pose
    tokens : ``mesh/target`` → name of its weight
    """

    def __init__(self, scene: Any, rig: Rig, materials: MaterialWriter, report: ExportReport) -> None:
        self.scene, self.skeleton, self.report = scene, rig.skeleton, report
        self.metres = scene.options.metres_per_unit
        self.tokens: dict[str, str] = {}
        self.materials = materials
        self.pose = BindPose({}, {}, ())

    def write(self, meshes: Sequence[Mesh]) -> None:
        """Write them all, side by side below the root."""
        self.pose = bind_pose(self.skeleton, self.scene.model, meshes, self.metres)
        names = identifiers(["Root", "Skel", "Materials", *(mesh.name for mesh in meshes)])[3:]
        for mesh, name in zip(meshes, names, strict=True):
            self._mesh(mesh, name)

    def _mesh(self, mesh: Mesh, name: str) -> None:
        stage = self.scene.stage
        body = UsdGeom.Mesh.Define(stage, f"{self.scene.path}/{name}")
        body.GetPrim().SetDisplayName(printable(mesh.name))
        points = Vt.Vec3fArray.FromNumpy((mesh.positions / np.float32(self.metres)).astype(np.float32))
        body.CreatePointsAttr(points)
        body.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
        body.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(mesh.triangles), 3, np.int32)))
        body.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.triangles.astype(np.int32).ravel()))
        body.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(np.array(mesh.normals)))
        body.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        body.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        if mesh.uvs is not None:
            uvs = np.array(mesh.uvs)
            uvs[:, 1] = 1.0 - uvs[:, 1]
            primvar = UsdGeom.PrimvarsAPI(body.GetPrim()).CreatePrimvar(
                "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex
            )
            primvar.Set(Vt.Vec2fArray.FromNumpy(uvs))
        if mesh.colors is not None:
            rgb = np.ascontiguousarray(mesh.colors[:, :3])
            body.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex).Set(Vt.Vec3fArray.FromNumpy(rgb))
            opacity = np.ascontiguousarray(mesh.colors[:, 3])
            body.CreateDisplayOpacityPrimvar(UsdGeom.Tokens.vertex).Set(Vt.FloatArray.FromNumpy(opacity))
        self._dress(body, mesh)
        self._skin(body, mesh)
        self._morphs(body, mesh, name)

    def _skin(self, body: Any, mesh: Mesh) -> None:
        bones = [self.skeleton.index(joint) for joint in mesh.bones]
        place = self.pose.places[mesh.id]
        if mesh.name in self.pose.apart:
            self.report.warnings.append(
                f"mesh {mesh.name!r} was bound in another pose; USD holds one for all"
            )
        binding = UsdSkel.BindingAPI.Apply(body.GetPrim())
        binding.CreateSkeletonRel().SetTargets([self.scene.skel.GetPath()])
        binding.CreateGeomBindTransformAttr(Gf.Matrix4d(place.T.tolist()))
        width = mesh.influences.shape[1]
        numbers = np.array(bones, np.int32)[mesh.influences]
        indices, weights = (
            binding.CreateJointIndicesPrimvar(False, width),
            binding.CreateJointWeightsPrimvar(False, width),
        )
        indices.Set(Vt.IntArray.FromNumpy(np.ascontiguousarray(numbers.ravel())))
        weights.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(mesh.weights.ravel())))

    def _morphs(self, body: Any, mesh: Mesh, name: str) -> None:
        if not mesh.morphs:
            return
        names = identifiers([morph.name for morph in mesh.morphs])
        tokens, paths = [], []
        for morph, own in zip(mesh.morphs, names, strict=True):
            shape = UsdSkel.BlendShape.Define(self.scene.stage, body.GetPath().AppendChild(own))
            shape.GetPrim().SetDisplayName(printable(morph.name))
            moved = np.flatnonzero(np.abs(morph.positions).max(axis=1) > 0.0).astype(np.int32)
            rows = moved if len(moved) else np.zeros(1, np.int32)
            offsets = (morph.positions[rows] / np.float32(self.metres)).astype(np.float32)
            shape.CreateOffsetsAttr(Vt.Vec3fArray.FromNumpy(offsets))
            shape.CreatePointIndicesAttr(Vt.IntArray.FromNumpy(rows))
            if morph.normals is not None:
                turned = np.ascontiguousarray(morph.normals[rows], dtype=np.float32)
                shape.CreateNormalOffsetsAttr(Vt.Vec3fArray.FromNumpy(turned))
            tokens.append(f"{name}_{own}")
            paths.append(shape.GetPath())
            self.tokens[f"{mesh.name}/{morph.name}"] = tokens[-1]
            if morph.default_weight:
                self.report.leave_out("default weights of morph targets")
        binding = UsdSkel.BindingAPI(body.GetPrim())
        binding.CreateBlendShapesAttr(tokens)
        binding.CreateBlendShapeTargetsRel().SetTargets(paths)

    def _dress(self, body: Any, mesh: Mesh) -> None:
        """Bind materials: one for all, or a subset of the faces for each part."""
        sides = {mesh.materials[part.material].double_sided for part in mesh.parts}
        body.CreateDoubleSidedAttr(True in sides)
        if len(sides) > 1:
            self.report.leave_out(
                f"mesh {mesh.name!r}: single sides, as some of its materials are double-sided"
            )
        if len(mesh.parts) == 1:
            self._bind(body, mesh.materials[mesh.parts[0].material])
            return
        names = identifiers(
            [morph.name for morph in mesh.morphs] + [f"part_{n}" for n in range(len(mesh.parts))]
        )
        for part, name in zip(mesh.parts, names[len(mesh.morphs) :], strict=True):
            faces = Vt.IntArray.FromNumpy(np.arange(part.start, part.start + part.count, dtype=np.int32))
            subset = UsdGeom.Subset.CreateGeomSubset(
                body, name, UsdGeom.Tokens.face, faces, UsdShade.Tokens.materialBind,
                UsdGeom.Tokens.nonOverlapping,
            )  # fmt: skip
            self._bind(subset, mesh.materials[part.material])

    def _bind(self, target: Any, material: Material) -> None:
        UsdShade.MaterialBindingAPI.Apply(target.GetPrim()).Bind(self.materials.of(material))
