"""FBX meshes, skins and morph targets to ours."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.errors import FormatError
from core.ids import AssetId, new_id
from core.io.common.helper.packet import Packet
from core.io.common.helper.scene import Scene
from core.io.common.images import media_type, why_not_drawn
from core.io.common.morph_inbetweens import InbetweenWeight, inbetween_weights
from core.io.common.naming import unique_names
from core.io.common.normals import unit_normals
from core.io.report import ImportReport
from core.math.polygons import cut
from core.progress import Progress
from core.rig.mesh import (
    AlphaMode,
    Material,
    Mesh,
    MeshPart,
    MorphTarget,
    Texture,
    Wrap,
    normalised_weights,
)
from core.tracks.keys import ScalarTrack

MOST_INFLUENCES = 8
MOST_TEXTURE_BYTES = 64 << 20
Indices = npt.NDArray[np.int64]


@dataclass(slots=True)
class MeshReader:
    """Reads the meshes of one file.

    Attributes
    ----------
    channels : afterwards, which morph targets (``mesh/target``) each morph channel drives
    inbetween_weights : what part of their channel's weight those with shapes in between have
    """

    packet: Packet
    scene: Scene
    rig: AssetId
    path: Path
    report: ImportReport
    channels: dict[int, list[str]] = field(default_factory=dict)
    inbetween_weights: dict[str, InbetweenWeight] = field(default_factory=dict)

    def track(self, target: str, channel: ScalarTrack) -> ScalarTrack:
        """A morph target's track of its channel's."""
        return self.inbetween_weights[target].track(channel) if target in self.inbetween_weights else channel

    def read(self, progress: Progress) -> list[Mesh]:
        """A mesh for every node that shows one."""
        told = [(mesh, node) for mesh in self.packet.told["meshes"] for node in mesh["nodes"]]
        wanted = [m["name"].strip() or self.scene.nodes[n]["name"].strip() or "mesh" for m, n in told]
        found = []
        for number, ((mesh, node), name) in enumerate(zip(told, unique_names(wanted), strict=True)):
            progress.report(number / len(told), f"reading mesh {name}")
            made = self._mesh(mesh, node, name)
            if made is not None:
                found.append(made)
        return found

    @staticmethod
    def has_loose_vertices(packet: Packet, mesh: dict[str, Any]) -> bool:
        """Whether some vertices follow no bone, and so follow the mesh's own node."""
        key = mesh["key"]
        vertices, weights = packet.array(f"{key}.skin_vertices"), packet.array(f"{key}.skin_weights")
        count = len(packet.array(f"{key}.points"))
        return len(np.unique(vertices[_counts(vertices, weights, count)])) < count

    def _mesh(self, mesh: dict[str, Any], node: int, name: str) -> Mesh | None:
        key, metres = mesh["key"], self.scene.source.metres_per_unit
        corners, faces = self._array(key, "corners"), self._array(key, "faces")
        points = self._array(key, "points")
        if len(corners) and (corners.min() < 0 or corners.max() >= len(points)):
            raise FormatError(self.path, f"mesh {name!r}", "a face names a vertex that is not there")
        rows, owners = cut(points[corners], faces[:, 0], faces[:, 1])
        if not len(rows):
            self.report.leave_out(f"mesh {name!r}: it has no faces")
            return None
        numbers = self._array(key, "face_material")
        materials_of = numbers[owners] if len(numbers) == len(faces) else np.zeros(len(owners), np.int64)
        vertex, normal, uv, colors, triangles = self._split(key, corners, rows, points)
        geometry = self._array(key, f"geometry{node}")
        skinned = mesh["skin"] is not None and bool(mesh["skin"]["bones"])
        if mesh["skins"] > 1:
            self.report.leave_out(f"mesh {name!r}: all skins but the first of {mesh['skins']}")
        linear = np.eye(3) if skinned else geometry[:3, :3]
        positions = points[vertex] @ linear.T + (0.0 if skinned else geometry[:3, 3])
        normals = unit_normals(normal @ np.linalg.pinv(linear))
        if skinned:
            joints, binds, influences, weights = self._skin(mesh, node, len(points), geometry)
            binds[:, :3, 3] *= metres
            influences, weights = influences[vertex], weights[vertex]
        else:
            joints, binds = (self.scene.bones[node],), np.eye(4)[None]
            influences, weights = np.zeros((len(vertex), 1), np.int64), np.ones((len(vertex), 1), np.float32)
        morphs = self._morphs(mesh, name, vertex, len(points), linear * metres)
        order = np.argsort(materials_of, kind="stable")
        materials, parts = self._parts(mesh, materials_of[order])
        return Mesh(
            new_id("mesh"), name, self.rig, (positions * metres).astype(np.float32), normals,
            triangles[order].astype(np.uint32), joints, binds, influences.astype(np.uint16), weights,
            uv, materials, parts, morphs, colors,
        )  # fmt: skip

    def _array(self, key: str, name: str) -> npt.NDArray[Any]:
        return self.packet.array(f"{key}.{name}")

    def _split(
        self, key: str, corners: Indices, rows: Indices, points: FloatArray
    ) -> tuple[Indices, FloatArray, Float32Array | None, Float32Array | None, Indices]:
        """Vertices as we have them: one for each different corner.

        Its point, normal, UV and colour; the triangles.
        """
        columns, values = [corners], {}
        for what, width in (("normal", 3), ("uv", 2), ("color", 4)):
            if f"{key}.{what}" in self.packet.arrays:
                index, table = self._array(key, f"{what}_index"), self._array(key, what)
                if (
                    len(index) == len(corners)
                    and table.shape[1:] == (width,)
                    and len(table)
                    and index.min() >= 0
                    and index.max() < len(table)
                ):
                    values[what] = table
                    columns.append(index)
        unique, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        triangles = inverse.reshape(-1)[rows]
        place = dict(zip(values, range(1, len(columns)), strict=True))
        normal = values["normal"][unique[:, place["normal"]]] if "normal" in values else None
        if normal is None:
            normal = _face_normals(points[unique[:, 0]], triangles)
        uv = None
        if "uv" in values:
            uv = values["uv"][unique[:, place["uv"]]].astype(np.float32)
            uv[:, 1] = 1.0 - uv[:, 1]  # FBX counts from below
        colors = None
        if "color" in values:
            colors = np.clip(values["color"][unique[:, place["color"]]], 0.0, 1.0).astype(np.float32)
        return unique[:, 0], normal, uv, colors, triangles

    def _skin(
        self, mesh: dict[str, Any], node: int, count: int, geometry: FloatArray
    ) -> tuple[tuple[str, ...], FloatArray, Indices, npt.NDArray[np.float32]]:
        key, bones = mesh["key"], mesh["skin"]["bones"]
        if mesh["skin"]["method"] not in ("LINEAR", "RIGID"):
            self.report.warn("a skin asks for dual quaternions; it is deformed linearly here")
        vertices, weights = self._array(key, "skin_vertices"), self._array(key, "skin_weights")
        numbers, binds = self._array(key, "skin_bones"), np.array(self._array(key, "binds"))
        good = _counts(vertices, weights, count)
        vertices, weights, numbers = vertices[good], weights[good], numbers[good]
        loose = np.setdiff1d(np.arange(count), vertices)
        joints = [self.scene.bones[bone] for bone in bones]
        if len(loose):
            vertices, weights = np.concatenate((vertices, loose)), np.append(weights, np.ones(len(loose)))
            numbers = np.append(numbers, np.full(len(loose), len(joints)))
            joints.append(self.scene.bones[node])
            binds = np.concatenate((binds, geometry[None]))
        # Rows of a vertex beside each other, the heaviest first, numbered 0, 1, 2 … within the vertex.
        order = np.lexsort((numbers, -weights, vertices))
        vertices, weights, numbers = vertices[order], weights[order], numbers[order]
        starts = np.searchsorted(vertices, vertices)
        column = np.arange(len(vertices)) - starts
        width = min(MOST_INFLUENCES, int(column.max(initial=0)) + 1)
        if int(column.max(initial=0)) >= MOST_INFLUENCES:
            self.report.warn(f"vertices with more than {MOST_INFLUENCES} influences keep the heaviest")
        kept = column < width
        influences, table = np.zeros((count, width), np.int64), np.zeros((count, width))
        influences[vertices[kept], column[kept]] = numbers[kept]
        table[vertices[kept], column[kept]] = weights[kept]
        return tuple(joints), binds, influences, normalised_weights(table)

    def _morphs(
        self, mesh: dict[str, Any], name: str, vertex: Indices, count: int, linear: FloatArray
    ) -> tuple[MorphTarget, ...]:
        shapes = [shape for morph in mesh["morphs"] for shape in self._shapes(morph)]
        labels = unique_names([label for _, label, _, _ in shapes])
        found = []
        for (morph, _, key, share), label in zip(shapes, labels, strict=True):
            rows, moved = self._array(key, "vertices"), self._array(key, "points")
            whole = np.zeros((count, 3))
            good = (rows >= 0) & (rows < count)
            whole[rows[good]] = moved[good]
            weight = float(morph["weight"]) if share is None else float(share.of(morph["weight"]))
            found.append(MorphTarget(label, (whole[vertex] @ linear.T).astype(np.float32), None, weight))
            self.channels.setdefault(morph["channel"], []).append(f"{name}/{label}")
            if share is not None:
                self.inbetween_weights[f"{name}/{label}"] = share
        return tuple(found)

    def _shapes(self, morph: dict[str, Any]) -> list[tuple[dict[str, Any], str, str, InbetweenWeight | None]]:
        """The shapes of a morph channel: the channel, what each is called, its arrays, its share of the weight."""
        label = morph["name"].strip() or "target"
        between = morph.get("between", [])
        if not between:
            return [(morph, label, morph["key"], None)]
        try:
            parts = inbetween_weights([*(shape["weight"] for shape in between), morph["full"]])
        except ValueError as error:
            self.report.leave_out(f"morph {label!r}: shapes in between: {error}")
            return [(morph, label, morph["key"], None)]
        self.report.warn(f"morph {label!r}: each of its shapes in between is a target of its own")
        titles = [*(f"{label} {100.0 * shape['weight']:g} %" for shape in between), label]
        keys = [*(shape["key"] for shape in between), morph["key"]]
        return [(morph, *one) for one in zip(titles, keys, parts, strict=True)]

    def _parts(
        self, mesh: dict[str, Any], used: Indices
    ) -> tuple[tuple[Material, ...], tuple[MeshPart, ...]]:
        told = mesh["materials"]
        numbers, starts, counts = np.unique(used, return_index=True, return_counts=True)
        materials = [
            self._material(told[int(n)]) if 0 <= n < len(told) else Material("default") for n in numbers
        ]
        parts = [
            MeshPart(int(s), int(c), place) for place, (s, c) in enumerate(zip(starts, counts, strict=True))
        ]
        return tuple(materials), tuple(parts)

    def _material(self, told: dict[str, Any]) -> Material:
        red, green, blue = (min(1.0, max(0.0, float(c))) for c in told["color"])
        data = self.packet.array(told["texture"]).tobytes() if told["texture"] else self._beside(told["file"])
        file = told["file"].replace(chr(92), "/").split("/")[-1][:80]
        media = media_type(data)
        texture = Texture(media, data, **_sampling(told.get("wrap", []))) if media else None
        if texture is None and told["file"]:
            self.report.leave_out(f"texture {file!r}")
        if told.get("moved", False) and texture is not None:
            self.report.leave_out(f"texture {file!r}: how it is moved, turned or scaled")
        unseen = why_not_drawn(data) if texture is not None else ""
        if unseen:
            self.report.warn(f"texture not drawn: {file!r}: {unseen}")
        look = told.get("look")
        name = told["name"] or "material"
        if look is None:  # FBX: a texture takes the place of the colour
            opacity = min(1.0, max(0.0, float(told.get("opacity", 1.0))))
            colour = (1.0, 1.0, 1.0, opacity) if texture is not None else (red, green, blue, opacity)
            sheer = opacity < 1.0 or bool(told.get("cut_out", False))
            return Material(
                name, colour, double_sided=bool(told.get("double_sided", False)), texture=texture,
                alpha=AlphaMode.BLEND if sheer else AlphaMode.OPAQUE,
            )  # fmt: skip
        alpha, metallic, roughness = (
            min(1.0, max(0.0, float(look.get(key, default))))
            for key, default in (("opacity", 1.0), ("metallic", 0.0), ("roughness", 0.5))
        )
        colour = (red, green, blue, alpha)
        cutoff = min(1.0, max(0.0, float(look.get("threshold", 0.0))))
        sheer = alpha < 1.0 or (bool(look.get("cut_out", False)) and texture is not None)
        mode = AlphaMode.BLEND if sheer else AlphaMode.OPAQUE
        if cutoff > 0.0:
            mode = AlphaMode.MASK
        return Material(name, colour, metallic, roughness, look["double_sided"], texture, mode, cutoff or 0.5)

    def _beside(self, name: str) -> bytes:
        """An image in the file's own folder; nothing else on the disk is read."""
        short = name.replace("\\", "/").split("/")[-1]
        if not short or short in (".", ".."):
            return b""
        image = self.path.parent / short
        try:
            return (
                image.read_bytes() if image.is_file() and image.stat().st_size <= MOST_TEXTURE_BYTES else b""
            )
        except (OSError, ValueError):
            return b""


def _sampling(told: list[str]) -> dict[str, Any]:
    """How a texture wraps along U and V, as the helper reports it."""
    wraps = [Wrap(word) if word in set(Wrap) else Wrap.REPEAT for word in told]
    return {"wrap": (wraps[0], wraps[1])} if len(wraps) == 2 else {}


def _counts(vertices: Indices, weights: FloatArray, count: int) -> npt.NDArray[np.bool_]:
    """Which of a skin's weights mean something."""
    return (vertices >= 0) & (vertices < count) & (weights > 0.0) & np.isfinite(weights)


def _face_normals(points: FloatArray, triangles: Indices) -> FloatArray:
    corners = points[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    return normals
