"""Meshes in graphics memory, kept by geometry key, and the per-instance data of a frame."""

import ctypes
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from editor.gl.api import GL
from editor.gl.buffers import Buffer, TextureBuffer, VertexArray
from editor.gl.cpu_skin import morphed, skin
from editor.gl.draw_list import MeshGeometry, MeshInstance

_KEEP_FRAMES = 300  # an unused mesh is dropped after so many drawn frames
POSITION, NORMAL, BONES, WEIGHTS, TINT, PART, UV, SHADE, REGION = 0, 1, (2, 3), (4, 5), 6, 7, 8, 9, 10


@dataclass(frozen=True, slots=True)
class PreparedMesh:
    """A mesh ready to be drawn.

    `influences` is 0 for world-space vertices, 1 for a rigid mesh, else 4 or 8. `ranges` are the first index
    and the count of indices of each part; `mirrored` says that the matrices turn triangles inside out; `region` is
    what glows of it, with its count of indices.
    """

    array: VertexArray
    index_count: int
    vertex_count: int
    influences: int
    rows: TextureBuffer
    part_row: int
    part_count: int
    mirrored: bool
    ranges: tuple[tuple[int, int], ...]
    region: tuple[VertexArray, int] | None = None

    def draw(self, first: int = 0, count: int | None = None) -> None:
        """Issue the draw call for a run of indices; program and state are the caller's."""
        self.array.bind()
        GL.glDrawElements(
            GL.GL_TRIANGLES, self.index_count if count is None else count, GL.GL_UNSIGNED_INT,
            ctypes.c_void_p(4 * first),
        )  # fmt: skip

    def draw_region(self) -> None:
        """Issue the draw call for what glows."""
        if self.region is not None:
            array, count = self.region
            array.bind()
            GL.glDrawElements(GL.GL_TRIANGLES, count, GL.GL_UNSIGNED_INT, None)


def split_by_part(geometry: MeshGeometry) -> tuple[IntArray | None, IntArray, IntArray]:
    """Copy the vertices two materials share, so that a vertex has one.

    Returns
    -------
    source : (W,) original vertex of each vertex, or None when nothing is copied
    triangles : (T, 3) in the new numbers
    parts : (W,)
    """
    count = len(geometry.positions)
    if geometry.parts is None or not len(geometry.triangles):
        return None, geometry.triangles, np.zeros(count, np.int32)
    corner_parts = np.repeat(geometry.parts, 3)
    pairs = geometry.triangles.reshape(-1).astype(np.int64) * (int(corner_parts.max()) + 1) + corner_parts
    unique, inverse = np.unique(pairs, return_inverse=True)
    source = (unique // (int(corner_parts.max()) + 1)).astype(np.int32)
    parts = (unique % (int(corner_parts.max()) + 1)).astype(np.int32)
    return source, inverse.reshape(-1, 3).astype(np.int32), parts


def by_part(triangles: IntArray, parts: IntArray | None) -> tuple[IntArray, tuple[tuple[int, int], ...]]:
    """Triangles in the order of their parts (T,); first index and count of indices of each part."""
    if parts is None or not len(triangles):
        return triangles, ((0, int(triangles.size)),)
    order = np.argsort(parts, kind="stable")
    counts = 3 * np.bincount(parts)
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    return triangles[order], tuple((int(a), int(n)) for a, n in zip(starts, counts, strict=True))


def near_first(
    source: IntArray | None, triangles: IntArray, parts: IntArray, positions: Float32Array
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Put triangles that lie together beside each other, and vertices in the order of their first use.

    Whoever draws keeps the vertices it has computed last: a mesh as it comes from a file is computed twice over, one
    in this order little more than once. Vertices that no triangle uses come last.

    Parameters
    ----------
    source, triangles, parts : as `split_by_part` returns them
    positions : (V, 3) of the original vertices

    Returns
    -------
    source : (W,) original vertex of each vertex
    triangles : (T, 3)
    parts : (W,)
    order : (T,) which triangle each was before
    """
    count = len(parts)
    placed = positions if source is None else positions[source]
    order = np.argsort(curve_codes(placed)[triangles[:, 0]], kind="stable").astype(np.int32)
    corners = triangles[order].reshape(-1)
    first = np.full(count, len(corners), np.int64)
    first[corners[::-1]] = np.arange(len(corners) - 1, -1, -1)
    used = np.argsort(first, kind="stable").astype(np.int32)
    number = np.empty(count, np.int32)
    number[used] = np.arange(count, dtype=np.int32)
    return (used if source is None else source[used]), number[corners].reshape(-1, 3), parts[used], order


def curve_codes(points: Float32Array) -> npt.NDArray[np.uint32]:
    """Places (N,) of points (N, 3) along a curve that fills space (Morton's): near ones have near places."""
    low = points.min(axis=0, initial=np.inf)
    size = float(np.max(points.max(axis=0, initial=-np.inf) - low, initial=0.0))
    steps = np.nan_to_num((points - low) * (1023.0 / size if size > 0.0 else 0.0)).astype(np.uint32)
    codes = np.zeros(len(points), np.uint32)
    for axis in range(3):
        bits = steps[:, axis] & 0x3FF
        for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
            bits = (bits | (bits << np.uint32(shift))) & np.uint32(mask)
        codes |= bits << np.uint32(axis)
    return codes


class GpuMesh:
    """The unchanging data of one geometry."""

    def __init__(self, geometry: MeshGeometry) -> None:
        source, triangles, parts = split_by_part(geometry)
        self.source, triangles, parts, order = near_first(source, triangles, parts, geometry.positions)
        triangles, self.ranges = by_part(triangles, None if geometry.parts is None else geometry.parts[order])
        self.index_count = int(triangles.size)
        self.vertex_count = len(parts)
        self.positions, self.normals = Buffer(), Buffer()
        self._bones = [Buffer(), Buffer()]
        self._weights = [Buffer(), Buffer()]
        self._tint, self._part, self._uv = Buffer(), Buffer(), Buffer()
        self._indices = Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        self.influences = 1
        self.positions.fill(self.picked(geometry.positions))
        self.normals.fill(self.picked(geometry.normals))
        if geometry.bones is not None and geometry.weights is not None:
            self.influences = 4 if geometry.bones.shape[1] <= 4 else 8
            bones = np.zeros((self.vertex_count, 8), np.int32)
            weights = np.zeros((self.vertex_count, 8), np.float32)
            bones[:, : geometry.bones.shape[1]] = self.picked(geometry.bones)
            weights[:, : geometry.bones.shape[1]] = self.picked(geometry.weights)
            for half in range(self.influences // 4):
                self._bones[half].fill(bones[:, half * 4 : half * 4 + 4])
                self._weights[half].fill(weights[:, half * 4 : half * 4 + 4])
        if geometry.colors is not None:
            self._tint.fill(self.picked(geometry.colors))
        self._has_tint = geometry.colors is not None
        if geometry.uvs is not None:
            self._uv.fill(self.picked(geometry.uvs))
        self._has_uv = geometry.uvs is not None
        self._part.fill(parts)
        self._shade = Buffer()
        self._shade_of: Float32Array | None = None
        self._shade.fill(np.ones(self.vertex_count, np.float32))
        self.array = self.make_array(self.positions, self.normals)
        self.array.bind()
        self.triangles = triangles
        self._indices.fill(triangles.astype(np.uint32))

    def picked(self, values: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        """Per-vertex values in this mesh's order."""
        return values if self.source is None else values[self.source]

    def use_shade(self, shade: Float32Array | None) -> None:
        """Take how open each vertex is; it comes once, after the mesh."""
        if shade is not None and shade is not self._shade_of:
            self._shade_of = shade
            self._shade.fill(self.picked(shade))

    def make_array(self, positions: Buffer, normals: Buffer, indices: Buffer | None = None) -> VertexArray:
        """A vertex array that takes positions and normals, and triangles if not all, from the buffers given."""
        array = VertexArray()
        array.floats(POSITION, positions, 3)
        array.floats(NORMAL, normals, 3)
        for half in range(self.influences // 4):
            array.ints(BONES[half], self._bones[half], 4)
            array.floats(WEIGHTS[half], self._weights[half], 4)
        if self._has_tint:
            array.floats(TINT, self._tint, 4)
        if self._has_uv:
            array.floats(UV, self._uv, 2)
        array.ints(PART, self._part, 1)
        array.floats(SHADE, self._shade, 1)
        array.indices(indices or self._indices)
        return array

    def release(self) -> None:
        """Delete it; the context must be current."""
        self.array.release()
        for buffer in (
            self.positions, self.normals, *self._bones, *self._weights, self._tint, self._part, self._uv,
            self._indices, self._shade,
        ):  # fmt: skip
            buffer.release()


class _Slot:
    """What one instance of a mesh adds: matrices, colours and, for morphs or CPU skinning, vertices."""

    def __init__(self, mesh: GpuMesh) -> None:
        self.mesh = mesh
        self.rows = TextureBuffer()
        self._last: MeshInstance | None = None
        self._last_cpu = False
        self._own: tuple[Buffer, Buffer, VertexArray] | None = None
        self._mirrored = False
        self._region: _Region | None = None

    def prepare(self, instance: MeshInstance, cpu: bool) -> PreparedMesh:
        last = self._last
        fresh = last is None
        if (
            last is None
            or last.matrices is not instance.matrices
            or last.part_colors is not instance.part_colors
        ):
            self._fill_rows(instance)
        world = cpu or instance.skinned_positions is not None
        own = world or _has_morph(instance)
        if own and (fresh or cpu != self._last_cpu or not _same_vertices(last, instance, world)):
            self._fill_vertices(instance, world)
        self._last, self._last_cpu = instance, cpu
        array = self._own[2] if own and self._own is not None else self.mesh.array
        return PreparedMesh(
            array,
            self.mesh.index_count,
            self.mesh.vertex_count,
            0 if world else self.mesh.influences,
            self.rows,
            len(instance.matrices) * 3,
            len(instance.part_colors),
            self._mirrored,
            self.mesh.ranges,
            self._glowing(instance.region, own),
        )

    def _glowing(self, region: Float32Array | None, own: bool) -> tuple[VertexArray, int] | None:
        if region is None:
            return None
        if self._region is None or self._region.marks is not region or self._region.own != own:
            if self._region is not None:
                self._region.release()
            buffers = (
                self._own[:2] if own and self._own is not None else (self.mesh.positions, self.mesh.normals)
            )
            self._region = _Region(self.mesh, region, buffers, own)
        return (self._region.array, self._region.count) if self._region.count else None

    def _fill_rows(self, instance: MeshInstance) -> None:
        self.rows.fill(np.concatenate([instance.matrices.reshape(-1, 4), instance.part_colors]))
        # A mirrored matrix turns triangles inside out: such a mesh is drawn from both sides.
        self._mirrored = bool((np.linalg.det(instance.matrices[..., :3]) < 0).any())

    def _fill_vertices(self, instance: MeshInstance, world: bool) -> None:
        if self._own is None:
            positions, normals = Buffer(usage=GL.GL_STREAM_DRAW), Buffer(usage=GL.GL_STREAM_DRAW)
            self._own = positions, normals, self.mesh.make_array(positions, normals)
        data: tuple[Float32Array, Float32Array]
        data = skin(instance) if world else morphed(instance.geometry, instance.morph_weights)
        for buffer, values in zip(self._own, data, strict=False):
            assert isinstance(buffer, Buffer)
            buffer.fill(self.mesh.picked(values))

    def release(self) -> None:
        self.rows.release()
        if self._region is not None:
            self._region.release()
        if self._own is not None:
            for thing in self._own:
                thing.release()


class _Region:
    """The triangles of an instance that glow, and how much each vertex does."""

    def __init__(
        self, mesh: GpuMesh, marks: Float32Array, vertices: tuple[Buffer, Buffer], own: bool
    ) -> None:
        self.marks, self.own = marks, own
        placed = mesh.picked(marks)
        touched = (placed[mesh.triangles] > 0.0).any(axis=1)
        self.count = 3 * int(np.count_nonzero(touched))
        self._marks, self._indices = Buffer(), Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        self._marks.fill(placed.astype(np.float32))
        self.array = mesh.make_array(*vertices, self._indices)
        self.array.floats(REGION, self._marks, 1)
        self._indices.fill(mesh.triangles[touched].astype(np.uint32))

    def release(self) -> None:
        for thing in (self.array, self._marks, self._indices):
            thing.release()


def _has_morph(instance: MeshInstance) -> bool:
    return instance.morph_weights is not None and bool(np.any(instance.morph_weights))


def _same_vertices(last: MeshInstance | None, now: MeshInstance, world: bool) -> bool:
    if last is None:
        return False
    same = last.skinned_positions is now.skinned_positions and last.morph_weights is now.morph_weights
    return same and (not world or last.matrices is now.matrices)


class MeshStore:
    """Uploads what a frame needs and forgets what no frame has needed for a while."""

    def __init__(self) -> None:
        self._meshes: dict[Hashable, GpuMesh] = {}
        self._slots: dict[tuple[Hashable, int], _Slot] = {}
        self._used: dict[Hashable, int] = {}
        self._ordinals: dict[Hashable, int] = {}
        self._frame = 0

    def begin_frame(self) -> None:
        """Start counting instances again and drop what is stale."""
        self._frame += 1
        self._ordinals.clear()
        stale = [key for key, frame in self._used.items() if self._frame - frame > _KEEP_FRAMES]
        for key in stale:
            self._drop(key)

    def prepare(self, instance: MeshInstance, cpu: bool = False) -> PreparedMesh | None:
        """Bring an instance's data up to date; None when there is nothing to draw."""
        if not len(instance.geometry.triangles):
            return None
        key = instance.geometry.key
        mesh = self._meshes.get(key)
        if mesh is None:
            mesh = self._meshes[key] = GpuMesh(instance.geometry)
        self._used[key] = self._frame
        ordinal = self._ordinals.get(key, 0)
        self._ordinals[key] = ordinal + 1
        mesh.use_shade(instance.occlusion)
        slot = self._slots.get((key, ordinal))
        if slot is None:
            slot = self._slots[key, ordinal] = _Slot(mesh)
        return slot.prepare(instance, cpu)

    def _drop(self, key: Hashable) -> None:
        for slot_key in [k for k in self._slots if k[0] == key]:
            self._slots.pop(slot_key).release()
        self._meshes.pop(key).release()
        self._used.pop(key, None)

    def release(self) -> None:
        """Delete everything; the context must be current."""
        for key in list(self._meshes):
            self._drop(key)
