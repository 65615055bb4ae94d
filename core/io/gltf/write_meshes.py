"""Meshes, skins and materials to glTF."""

from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.io.common.normals import unit_normals
from core.io.gltf.builder import ARRAY_BUFFER, ELEMENT_BUFFER, Builder, plain_numbers
from core.io.report import ExportReport
from core.math.transform import to_matrix
from core.pose.kinematics import chain_matrices
from core.rig.mesh import AlphaMode, Material, Mesh, Texture, Wrap
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton

WRAPS = {Wrap.REPEAT: 10497, Wrap.MIRROR: 33648, Wrap.CLAMP: 33071}
NEAREST, LINEAR, LINEAR_MIPMAP_LINEAR = 9728, 9729, 9987


class Skins:
    """Skins over all bones of a rig; meshes that were bound alike share one. Numbers count from `first`."""

    def __init__(self, builder: Builder, rig: Rig, first: int = 0) -> None:
        self._builder, self._first = builder, first
        self._skeleton = rig.skeleton
        model = chain_matrices(rig.skeleton.parents, to_matrix(rig.skeleton.rest))
        self._rest_inverse = np.stack([_inverse(matrix) for matrix in model])
        self._binds: list[dict[int, FloatArray]] = [{}]

    def of(self, mesh: Mesh) -> int:
        """Number of the skin that fits a mesh."""
        bones = [self._skeleton.index(name) for name in mesh.bones]
        used = np.unique(mesh.influences[mesh.weights > 0.0]).tolist()
        wanted = {bones[j]: mesh.inverse_bind[j] for j in used}
        for number, binds in enumerate(self._binds):
            if all(
                bone not in binds or np.allclose(binds[bone], m, 1e-6, 1e-7) for bone, m in wanted.items()
            ):
                binds.update({bone: m for bone, m in wanted.items() if bone not in binds})
                return self._first + number
        self._binds.append(wanted)
        return self._first + len(self._binds) - 1

    def write(self, nodes: list[int], name: str) -> list[dict[str, Any]]:
        """The JSON of all skins."""
        skins = []
        for number, binds in enumerate(self._binds):
            matrices = np.array(self._rest_inverse)
            for bone, matrix in binds.items():
                matrices[bone] = matrix
            columns = matrices.transpose(0, 2, 1).reshape(-1, 16).astype(np.float32)
            columns[:, [3, 7, 11]], columns[:, 15] = 0.0, 1.0
            skins.append(
                {
                    "name": name if number == 0 else f"{name}_{number + 1}",
                    "inverseBindMatrices": self._builder.accessor(columns),
                    "joints": nodes,
                }
            )
        return skins


def _inverse(matrix: FloatArray) -> FloatArray:
    """The inverse; the identity for a bone that is scaled to nothing."""
    try:
        inverse: FloatArray = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full((4, 4), np.nan)
    return inverse if np.isfinite(inverse).all() else np.eye(4)


def is_rigid(mesh: Mesh) -> bool:
    """Whether a mesh follows one bone rigidly."""
    return len(mesh.bones) == 1 and bool(np.array_equal(mesh.inverse_bind[0], np.eye(4)))


class MeshWriter:
    """Writes meshes and their materials."""

    def __init__(self, builder: Builder, report: ExportReport) -> None:
        self.builder = builder
        self.report = report
        self.materials: list[dict[str, Any]] = []
        self.images: list[dict[str, Any]] = []
        self._materials: dict[int, int] = {}
        self._known: list[Material] = []
        self.samplers: list[dict[str, int]] = []
        self.textures: list[dict[str, int]] = []
        self.extensions: set[str] = set()
        self._images: dict[bytes, int] = {}

    def write(self, mesh: Mesh, skeleton: Skeleton, skinned: bool) -> dict[str, Any] | None:
        """The JSON of a mesh, one primitive for each part; None where it has no triangles."""
        influences = _influences(mesh, skeleton) if skinned else None
        primitives = []
        for part in mesh.parts:
            triangles = mesh.triangles[part.start : part.start + part.count]
            if not len(triangles):
                continue
            used, local = np.unique(triangles, return_inverse=True)
            primitive: dict[str, Any] = {
                "attributes": self._attributes(mesh, used, influences),
                "indices": self._indices(local.reshape(-1), len(used)),
                "material": self._material(mesh.materials[part.material]),
            }
            if mesh.morphs:
                primitive["targets"] = [self._target(m.positions, m.normals, used) for m in mesh.morphs]
            primitives.append(primitive)
        if not primitives:
            self.report.leave_out(f"mesh {mesh.name!r}: it has no triangles")
            return None
        written: dict[str, Any] = {"name": mesh.name, "primitives": primitives}
        if mesh.morphs:
            written["weights"] = [float(m.default_weight) for m in mesh.morphs]
            written["extras"] = {"targetNames": [m.name for m in mesh.morphs]}
        return written

    def _attributes(
        self,
        mesh: Mesh,
        used: npt.NDArray[Any],
        influences: tuple[npt.NDArray[Any], Float32Array] | None,
    ) -> dict[str, int]:
        put = self.builder.accessor
        attributes = {
            "POSITION": put(mesh.positions[used], ARRAY_BUFFER, bounds=True),
            "NORMAL": put(unit_normals(mesh.normals[used]), ARRAY_BUFFER),
        }
        if mesh.uvs is not None:
            attributes["TEXCOORD_0"] = put(mesh.uvs[used], ARRAY_BUFFER)
        if mesh.colors is not None:
            attributes["COLOR_0"] = put(mesh.colors[used], ARRAY_BUFFER)
        if influences is not None:
            joints, weights = influences
            for number in range(joints.shape[1] // 4):
                columns = slice(4 * number, 4 * number + 4)
                attributes[f"JOINTS_{number}"] = put(joints[used][:, columns], ARRAY_BUFFER)
                attributes[f"WEIGHTS_{number}"] = put(weights[used][:, columns], ARRAY_BUFFER)
        return attributes

    def _indices(self, indices: npt.NDArray[Any], vertices: int) -> int:
        # 65535 restarts a primitive on some machines and is not allowed.
        small = np.uint16 if vertices < 65535 else np.uint32
        return self.builder.accessor(indices.astype(small), ELEMENT_BUFFER)

    def _target(
        self, positions: Float32Array, normals: Float32Array | None, used: npt.NDArray[Any]
    ) -> dict[str, int]:
        target = {"POSITION": self.builder.accessor(positions[used], ARRAY_BUFFER, bounds=True)}
        if normals is not None:
            target["NORMAL"] = self.builder.accessor(normals[used], ARRAY_BUFFER)
        return target

    def _material(self, material: Material) -> int:
        known = self._materials.get(id(material))
        if known is None:
            known = next((i for i, m in enumerate(self._known) if m == material), None)
        if known is None:
            known = len(self.materials)
            self._known.append(material)
            self.materials.append(self._looks(material))
        self._materials[id(material)] = known
        return known

    def _looks(self, material: Material) -> dict[str, Any]:
        look: dict[str, Any] = {
            "baseColorFactor": [min(1.0, max(0.0, c)) for c in plain_numbers(material.color)],
            "metallicFactor": float(material.metallic),
            "roughnessFactor": float(material.roughness),
        }
        texture = material.texture
        if texture is not None and texture.media_type not in ("image/png", "image/jpeg"):
            self.report.leave_out(f"textures of type {texture.media_type}")
        elif texture is not None:
            look["baseColorTexture"] = self._texture(texture)
        written: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": look}
        if material.double_sided:
            written["doubleSided"] = True
        if material.alpha is not AlphaMode.OPAQUE:
            written["alphaMode"] = material.alpha.upper()
        if material.alpha is AlphaMode.MASK:
            written["alphaCutoff"] = float(material.cutoff)
        return written

    def _texture(self, texture: Texture) -> dict[str, Any]:
        """A reference to a texture; images, samplers and pairs of them are written once."""
        if texture.data not in self._images:
            self._images[texture.data] = len(self.images)
            self.images.append(
                {"bufferView": self.builder.view(texture.data), "mimeType": texture.media_type}
            )
        filters = (LINEAR, LINEAR_MIPMAP_LINEAR) if texture.smooth else (NEAREST, NEAREST)
        sampler = {
            "magFilter": filters[0], "minFilter": filters[1],
            "wrapS": WRAPS[texture.wrap[0]], "wrapT": WRAPS[texture.wrap[1]],
        }  # fmt: skip
        pair = {"sampler": _place(self.samplers, sampler), "source": self._images[texture.data]}
        reference: dict[str, Any] = {"index": _place(self.textures, pair)}
        if texture.moved:
            self.extensions.add("KHR_texture_transform")
            reference["extensions"] = {
                "KHR_texture_transform": {
                    "offset": plain_numbers(texture.offset),
                    "rotation": float(texture.rotation),
                    "scale": plain_numbers(texture.scale),
                }
            }
        return reference


def _place(rows: list[dict[str, int]], row: dict[str, int]) -> int:
    """Where a row is in a list; it is added if it is not."""
    if row not in rows:
        rows.append(row)
    return rows.index(row)


def _influences(mesh: Mesh, skeleton: Skeleton) -> tuple[npt.NDArray[Any], Float32Array]:
    """Bone numbers and weights in fours: each bone once a vertex, heaviest first, sums exactly 1."""
    bones = np.array([skeleton.index(name) for name in mesh.bones], dtype=np.int64)
    joints = bones[mesh.influences]
    weights = mesh.weights.astype(np.float64)
    width = joints.shape[1]
    for a in range(width):
        for b in range(a + 1, width):
            twice = (joints[:, a] == joints[:, b]) & (weights[:, b] > 0.0)
            weights[:, a] += np.where(twice, weights[:, b], 0.0)
            weights[:, b] = np.where(twice, 0.0, weights[:, b])
    order = np.argsort(-weights, axis=1, kind="stable")
    joints, weights = np.take_along_axis(joints, order, 1), np.take_along_axis(weights, order, 1)
    while width > 4 and not weights[:, 4:].any():
        joints, weights, width = joints[:, :4], weights[:, :4], 4
    pad = -width % 4
    joints, weights = np.pad(joints, ((0, 0), (0, pad))), np.pad(weights, ((0, 0), (0, pad)))
    single = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    single[:, 0] = (1.0 - single[:, 1:].astype(np.float64).sum(axis=1)).astype(np.float32)
    joints = np.where(single > 0.0, joints, 0)
    return joints.astype(np.uint8 if len(skeleton) <= 256 else np.uint16), single
