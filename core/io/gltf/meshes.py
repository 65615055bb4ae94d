"""Meshes: primitives merged, skins and morph targets attached."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.io.common.naming import unique_names
from core.io.gltf.accessors import Accessors
from core.io.gltf.nodes import Nodes
from core.io.report import ImportReport
from core.json_values import Value
from core.progress import Progress
from core.rig.mesh import Material, Mesh, MeshPart, MorphTarget, normalised_weights

MOST_INFLUENCES = 8
UINT32 = npt.NDArray[np.uint32]


@dataclass(slots=True)
class _Piece:
    """Vertices of one or more primitives that share their attributes."""

    count: int
    positions: Float32Array
    normals: Float32Array | None
    uvs: Float32Array | None
    joints: npt.NDArray[Any] | None
    weights: FloatArray | None
    morphs: list[tuple[Float32Array, Float32Array | None]]
    colors: Float32Array | None


@dataclass(slots=True)
class _Body:
    """A glTF mesh with its primitives merged."""

    positions: Float32Array
    normals: Float32Array
    uvs: Float32Array | None
    joints: npt.NDArray[np.uint16] | None
    weights: Float32Array | None
    triangles: UINT32
    parts: tuple[tuple[int, int, int | None], ...]
    morphs: tuple[MorphTarget, ...]
    colors: Float32Array | None


@dataclass(slots=True)
class MeshReader:
    """Reads the meshes of one file; afterwards `morphs` holds which channels each node's weights drive."""

    accessors: Accessors
    nodes: Nodes
    rig: AssetId
    materials: list[Material]
    report: ImportReport
    morphs: dict[int, list[str]] = field(default_factory=dict)
    _bodies: dict[int, _Body | None] = field(default_factory=dict)

    def read(self, root: Value, progress: Progress) -> list[Mesh]:
        """A mesh for every node that carries one."""
        values, skins = root.objects("meshes"), root.objects("skins")
        carriers = [
            (node, mesh)
            for node, value in enumerate(self.nodes.values)
            if (mesh := value.reference("mesh", len(values))) is not None
        ]
        names = self._names(values, carriers)
        found = []
        for number, ((node, mesh), name) in enumerate(zip(carriers, names, strict=True)):
            progress.report(number / len(carriers), f"reading mesh {name}")
            if mesh not in self._bodies:
                self._bodies[mesh] = self._body(values[mesh])
            body = self._bodies[mesh]
            if body is None:
                continue
            value = self.nodes.values[node]
            skin = value.reference("skin", len(skins))
            try:
                made = self._mesh(body, values[mesh], name, node, None if skin is None else skins[skin])
            except ValidationError as error:
                raise values[mesh].error(str(error)) from error
            self.morphs[node] = [f"{name}/{m.name}" for m in made.morphs]
            found.append(made)
        return found

    def _names(self, values: list[Value], carriers: list[tuple[int, int]]) -> list[str]:
        """The mesh's name, or its node's where several nodes carry one mesh."""
        used = [mesh for _, mesh in carriers]
        wanted = []
        for node, mesh in carriers:
            own = values[mesh].text("name", "").strip() or f"mesh_{mesh}"
            if used.count(mesh) > 1 if len(used) < 1000 else False:
                own = self.nodes.values[node].text("name", "").strip() or own
            wanted.append(own)
        return unique_names(wanted)

    def _mesh(self, body: _Body, value: Value, name: str, node: int, skin: Value | None) -> Mesh:
        count = len(body.positions)
        if skin is None:
            joints: tuple[str, ...] = (self.nodes.bones[self.nodes.hung.get(node, node)],)
            inverse_bind = np.eye(4)[None]
            influences = np.zeros((count, 1), np.uint16)
            weights = np.ones((count, 1), np.float32)
        else:
            joints = tuple(self.nodes.bones[j] for j in skin.indices("joints", len(self.nodes.values)))
            inverse_bind = self._inverse_bind(skin, len(joints))
            if body.joints is None or body.weights is None:
                raise value.error("it is skinned but has no JOINTS_0 and WEIGHTS_0")
            influences, weights = _in_range(body.joints, body.weights, len(joints), value)
        defaults = value.floats("weights", None, [])
        if self.nodes.values[node].has("weights"):
            defaults = self.nodes.values[node].floats("weights", None)
        morphs = tuple(
            MorphTarget(m.name, m.positions, m.normals, float(defaults[i]) if i < len(defaults) else 0.0)
            for i, m in enumerate(body.morphs)
        )
        materials, parts = self._parts(body)
        return Mesh(
            new_id("mesh"), name, self.rig, body.positions, body.normals, body.triangles, joints,
            inverse_bind, influences, weights, body.uvs, materials, parts, morphs, body.colors,
        )  # fmt: skip

    def _parts(self, body: _Body) -> tuple[tuple[Material, ...], tuple[MeshPart, ...]]:
        used = list(dict.fromkeys(material for _, _, material in body.parts))
        plain = Material("default")
        materials = tuple(plain if m is None else self.materials[m] for m in used)
        return materials, tuple(MeshPart(start, count, used.index(m)) for start, count, m in body.parts)

    def _inverse_bind(self, skin: Value, count: int) -> FloatArray:
        number = skin.reference("inverseBindMatrices", len(self.accessors.all))
        if number is None:
            return np.tile(np.eye(4), (count, 1, 1))
        rows = self.accessors.read(number, ("MAT4",))
        if len(rows) < count:
            raise skin.error(f"expected {count} matrices, got {len(rows)}", "inverseBindMatrices")
        matrices = rows[:count].reshape(count, 4, 4).transpose(0, 2, 1)
        if np.abs(matrices[:, 3] - [0.0, 0.0, 0.0, 1.0]).max() > 1e-3:
            self.report.warn(f"{skin.place} has inverse bind matrices whose last row is not 0 0 0 1")
        fixed: FloatArray = np.array(matrices)
        fixed[:, 3] = [0.0, 0.0, 0.0, 1.0]
        return fixed

    def _body(self, value: Value) -> _Body | None:
        primitives = value.objects("primitives")
        pieces: dict[str, tuple[int, _Piece]] = {}
        triangles: list[UINT32] = []
        parts: list[tuple[int, int, int | None]] = []
        vertices = rows = 0
        for primitive in primitives:
            mode = primitive.integer("mode", 4, below=7)
            if mode < 4:
                self.report.leave_out("points and lines")
                continue
            key = repr((primitive.data.get("attributes"), primitive.data.get("targets")))
            if key not in pieces:
                piece = self._piece(primitive)
                pieces[key] = (vertices, piece)
                vertices += piece.count
            start, piece = pieces[key]
            found = self._triangles(primitive, piece.count, mode) + np.uint32(start)
            parts.append((rows, len(found), primitive.reference("material", len(self.materials))))
            rows += len(found)
            triangles.append(found)
        if not triangles:
            self.report.leave_out(f"{value.place}: it has no triangles")
            return None
        return _merged(
            [p for _, p in pieces.values()], np.concatenate(triangles), tuple(parts), self._targets(value)
        )

    def _targets(self, value: Value) -> list[str]:
        """Names of the morph targets, as far as the file gives them."""
        for place in (value, *value.objects("primitives")[:1]):
            extras = place.data.get("extras")
            given = extras.get("targetNames") if isinstance(extras, dict) else None
            if isinstance(given, list):
                return [
                    str(n)[:200] if isinstance(n, str) and n else f"target_{i}" for i, n in enumerate(given)
                ]
        return []

    def _piece(self, primitive: Value) -> _Piece:
        attributes = primitive.object("attributes")
        for name in attributes.data:
            if name.startswith(("COLOR_1", "COLOR_2", "TEXCOORD_1", "TEXCOORD_2", "_")):
                self.report.leave_out(f"vertex attribute {name[:40]}")
        positions = self._attribute(attributes, "POSITION", ("VEC3",), None)
        if positions is None:
            raise attributes.error("expected vertex positions, they are missing", "POSITION")
        count = len(positions)
        normals = self._attribute(attributes, "NORMAL", ("VEC3",), count)
        uvs = self._attribute(attributes, "TEXCOORD_0", ("VEC2",), count)
        joints, weights = self._influences(attributes, count)
        morphs = []
        for target in primitive.objects("targets"):
            moved = self._attribute(target, "POSITION", ("VEC3",), count)
            turned = self._attribute(target, "NORMAL", ("VEC3",), count)
            morphs.append((_float32(moved if moved is not None else np.zeros((count, 3))),
                           None if turned is None else _float32(turned)))  # fmt: skip
        return _Piece(
            count, _float32(positions), None if normals is None else _float32(normals),
            None if uvs is None else _float32(uvs), joints, weights, morphs, self._colors(attributes, count),
        )  # fmt: skip

    def _attribute(
        self, holder: Value, name: str, kinds: tuple[str, ...], count: int | None, scaled: bool = True
    ) -> npt.NDArray[Any] | None:
        number = holder.reference(name, len(self.accessors.all))
        if number is None:
            return None
        array = self.accessors.read(number, kinds, scaled)
        if count is not None and len(array) != count:
            raise holder.error(f"expected {count} elements as for POSITION, got {len(array)}", name)
        return array

    def _colors(self, attributes: Value, count: int) -> Float32Array | None:
        """Vertex colours; those without opacity are opaque."""
        found = self._attribute(attributes, "COLOR_0", ("VEC3", "VEC4"), count)
        if found is None:
            return None
        return _float32(
            np.clip(np.pad(found, ((0, 0), (0, 4 - found.shape[1])), constant_values=1.0), 0.0, 1.0)
        )

    def _influences(self, attributes: Value, count: int) -> tuple[npt.NDArray[Any] | None, FloatArray | None]:
        joints, weights = [], []
        for number in range(8):
            j = self._attribute(attributes, f"JOINTS_{number}", ("VEC4",), count, scaled=False)
            w = self._attribute(attributes, f"WEIGHTS_{number}", ("VEC4",), count)
            if j is None or w is None:
                break
            if j.dtype.kind != "u":
                raise attributes.error("expected unsigned whole numbers", f"JOINTS_{number}")
            joints.append(j.astype(np.int64))
            weights.append(w)
        if not joints:
            return None, None
        return np.concatenate(joints, axis=1), np.concatenate(weights, axis=1)

    def _triangles(self, primitive: Value, vertices: int, mode: int) -> UINT32:
        number = primitive.reference("indices", len(self.accessors.all))
        if number is None:
            indices = np.arange(vertices, dtype=np.int64)
        else:
            raw = self.accessors.read(number, ("SCALAR",), scaled=False)
            if raw.dtype.kind != "u":
                raise primitive.error("expected unsigned whole numbers", "indices")
            indices = raw[:, 0].astype(np.int64)
        if len(indices) and int(indices.max()) >= vertices:
            raise primitive.error(f"index {int(indices.max())} of {vertices} vertices", "indices")
        if mode == 4:
            if len(indices) % 3:
                self.report.warn(f"{primitive.place}: {len(indices)} indices are no whole triangles")
            return indices[: len(indices) // 3 * 3].reshape(-1, 3).astype(np.uint32)
        count = max(0, len(indices) - 2)
        step = np.arange(count)
        if mode == 5:  # strip: every other triangle is wound the other way
            odd = step % 2
            rows = np.stack((step, step + 1 + odd, step + 2 - odd), axis=1)
        else:  # fan
            rows = np.stack((step + 1, step + 2, np.zeros_like(step)), axis=1)
        return indices[rows].astype(np.uint32)


def _float32(values: npt.NDArray[Any]) -> Float32Array:
    return values.astype(np.float32)


def _merged(
    pieces: list[_Piece], triangles: UINT32, parts: tuple[tuple[int, int, int | None], ...], names: list[str]
) -> _Body:
    positions = np.concatenate([p.positions for p in pieces])
    normals = np.concatenate(
        [p.normals if p.normals is not None else np.zeros((p.count, 3), np.float32) for p in pieces]
    )
    if any(p.normals is None for p in pieces):
        computed = _smooth_normals(positions, triangles)
        blank = np.concatenate([np.full(p.count, p.normals is None) for p in pieces])
        normals = np.where(blank[:, None], computed, normals)
    uvs = None
    if any(p.uvs is not None for p in pieces):
        uvs = np.concatenate(
            [p.uvs if p.uvs is not None else np.zeros((p.count, 2), np.float32) for p in pieces]
        )
    colors = None
    if any(p.colors is not None for p in pieces):
        colors = np.concatenate(
            [p.colors if p.colors is not None else np.ones((p.count, 4), np.float32) for p in pieces]
        )
    joints, weights = _merged_influences(pieces)
    return _Body(
        positions, _float32(normals), uvs, joints, weights, triangles, parts, _merged_morphs(pieces, names),
        colors,
    )  # fmt: skip


def _merged_influences(
    pieces: list[_Piece],
) -> tuple[npt.NDArray[np.uint16] | None, Float32Array | None]:
    if any(p.joints is None for p in pieces):
        return None, None
    width = max(p.joints.shape[1] for p in pieces if p.joints is not None)
    count = sum(p.count for p in pieces)
    joints, weights = np.zeros((count, width), np.int64), np.zeros((count, width))
    start = 0
    for p in pieces:
        assert p.joints is not None and p.weights is not None
        joints[start : start + p.count, : p.joints.shape[1]] = p.joints
        weights[start : start + p.count, : p.joints.shape[1]] = p.weights
        start += p.count
    if width > MOST_INFLUENCES:  # keep the heaviest
        best = np.argsort(-weights, axis=1, kind="stable")[:, :MOST_INFLUENCES]
        joints, weights = np.take_along_axis(joints, best, 1), np.take_along_axis(weights, best, 1)
    return joints.clip(0, 65535).astype(np.uint16), normalised_weights(weights)


def _in_range(
    joints: npt.NDArray[np.uint16], weights: Float32Array, count: int, value: Value
) -> tuple[npt.NDArray[np.uint16], Float32Array]:
    """Joint numbers below `count`; a number that carries no weight may be anything and becomes 0."""
    outside = joints >= count
    if outside.any():
        used = outside & (weights > 0.0)
        if used.any():
            row = int(np.flatnonzero(used.any(axis=1))[0])
            raise value.error(f"vertex {row} follows joint {int(joints[row].max())} of {count}", "JOINTS_0")
        joints = np.where(outside, np.uint16(0), joints)
    return joints, weights


def _merged_morphs(pieces: list[_Piece], names: list[str]) -> tuple[MorphTarget, ...]:
    most = max(len(p.morphs) for p in pieces)
    labels = unique_names([names[i] if i < len(names) else f"target_{i}" for i in range(most)])
    found = []
    for number, label in enumerate(labels):
        moved, turned = [], []
        for p in pieces:
            here = p.morphs[number] if number < len(p.morphs) else (np.zeros((p.count, 3), np.float32), None)
            moved.append(here[0])
            turned.append(here[1] if here[1] is not None else np.zeros((p.count, 3), np.float32))
        has_normals = any(number < len(p.morphs) and p.morphs[number][1] is not None for p in pieces)
        found.append(
            MorphTarget(label, np.concatenate(moved), np.concatenate(turned) if has_normals else None)
        )
    return tuple(found)


def _smooth_normals(positions: Float32Array, triangles: UINT32) -> FloatArray:
    """Unit vertex normals, each the sum of its triangles' (weighted by area); +Y where there are none."""
    corners = positions.astype(np.float64)[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros((len(positions), 3))
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 0.0, normals / np.where(length > 0.0, length, 1.0), [0.0, 1.0, 0.0])
