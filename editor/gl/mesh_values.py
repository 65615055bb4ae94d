"""What a mesh is to the viewport: its geometry once, its pose every frame. Free of Qt and OpenGL."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray, frozen
from core.errors import ValidationError
from editor.gl.array_value import ArrayValue, Values, float32, put
from editor.gl.colors import Color
from editor.gl.texture_values import Surface

MAX_INFLUENCES = 8


@dataclass(frozen=True, eq=False)
class MeshGeometry(ArrayValue):
    """One mesh as it was skinned, before morphs and bones.

    Parameters
    ----------
    key : identity and version; two geometries with one key are the same mesh, and graphics
        memory is reused
    positions, normals : (V, 3) bind space; normals need not be unit length
    triangles : (T, 3) vertex numbers, counter-clockwise from outside
    bones : (V, K) bone numbers, K <= 8, or None for a mesh that follows matrix 0
    weights : (V, K), sum 1 per vertex, or None
    parts : (T,) material of each triangle, or None when there is one
    colors : (V, 4) multiplied with the material's, or None
    morph_positions, morph_normals : (M, V, 3) offsets at weight 1, or None
    double_sided : draw the inside too, where an instance brings no surfaces
    uvs : (V, 2) places in images, V pointing down, or None

    Raises
    ------
    ValidationError
        On a wrong shape, or a triangle or bone number outside its array.
    """

    key: Hashable
    positions: Values
    normals: Values
    triangles: Values
    bones: Values | None = None
    weights: Values | None = None
    parts: Values | None = None
    colors: Values | None = None
    morph_positions: Values | None = None
    morph_normals: Values | None = None
    double_sided: bool = False
    uvs: Values | None = None

    def __post_init__(self) -> None:
        put(self, "positions", float32(self.positions, (None, 3), "mesh positions"))
        count = len(self.positions)
        put(self, "normals", float32(self.normals, (count, 3), "mesh normals"))
        put(self, "triangles", frozen(self.triangles, (None, 3), "mesh triangles", np.int32))
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < count:
            raise ValidationError(
                f"mesh triangles: expected vertex numbers 0..{count - 1}, "
                f"got {self.triangles.min()}..{self.triangles.max()}"
            )
        if (self.bones is None) != (self.weights is None):
            raise ValidationError("mesh: bones and weights must come together or not at all")
        if self.bones is not None and self.weights is not None:
            put(self, "bones", frozen(self.bones, (count, None), "mesh bones", np.int32))
            influences = self.bones.shape[1]
            if not 1 <= influences <= MAX_INFLUENCES:
                raise ValidationError(
                    f"mesh: expected 1..{MAX_INFLUENCES} influences a vertex, got {influences}"
                )
            put(self, "weights", float32(self.weights, (count, influences), "mesh weights"))
            if count and self.bones.min() < 0:
                raise ValidationError(f"mesh bones: expected numbers >= 0, got {self.bones.min()}")
        if self.parts is not None:
            put(self, "parts", frozen(self.parts, (len(self.triangles),), "mesh parts", np.int32))
        if self.colors is not None:
            put(self, "colors", float32(self.colors, (count, 4), "mesh colors"))
        if self.uvs is not None:
            put(self, "uvs", float32(self.uvs, (count, 2), "mesh UVs"))
        for name in ("morph_positions", "morph_normals"):
            if getattr(self, name) is not None:
                put(self, name, float32(getattr(self, name), (None, count, 3), name))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, MeshGeometry) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def bone_count(self) -> int:
        """How many bone matrices an instance must bring."""
        return self._bone_count

    @cached_property
    def _bone_count(self) -> int:
        return 1 if self.bones is None or not len(self.bones) else int(self.bones.max()) + 1

    @cached_property
    def bone_centroids(self) -> tuple[IntArray, Float32Array]:
        """Bones that carry vertices (C,) and the middle of what each carries most (C, 3), bind space.

        Moved by the skinning matrices they tell roughly where the mesh is, without skinning it.
        """
        if self.bones is None or self.weights is None:
            middle = self.positions.mean(axis=0, keepdims=True) if len(self.positions) else np.zeros((0, 3))
            return np.zeros(len(middle), np.int32), np.asarray(middle, np.float32)
        main = np.take_along_axis(self.bones, self.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        count = np.bincount(main, minlength=1)
        sums = np.stack([np.bincount(main, self.positions[:, k], minlength=1) for k in range(3)], axis=1)
        used = np.flatnonzero(count)
        return used.astype(np.int32), (sums[used] / count[used, None]).astype(np.float32)

    @cached_property
    def bone_spheres(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Bones that carry vertices (C,), the middle of all that each carries (C, 3) and how far that reaches (C,)."""
        count = len(self.positions)
        if self.bones is None or self.weights is None:
            carriers, carried = np.zeros(count, np.int64), np.arange(count)
        else:
            carried, column = np.nonzero(self.weights)
            carriers = self.bones[carried, column].astype(np.int64)
        places = self.positions[carried].astype(np.float64)
        number = np.bincount(carriers, minlength=1)
        used = np.flatnonzero(number)
        sums = np.stack([np.bincount(carriers, places[:, k], minlength=1) for k in range(3)], axis=1)
        middles = sums[used] / number[used, None]
        reach, away = np.zeros(len(number)), places - (sums / np.maximum(number, 1)[:, None])[carriers]
        np.maximum.at(reach, carriers, np.linalg.norm(away, axis=1))
        return used.astype(np.int32), middles, reach[used]


class Shading(Enum):
    """How a mesh is lit."""

    LIT = "lit"
    UNLIT = "unlit"  # its colours and images as they are
    FLAT = "flat"  # silhouette mode: the plain colour


@dataclass(frozen=True, slots=True, eq=False)
class MeshInstance(ArrayValue):
    """A mesh in a pose.

    Parameters
    ----------
    geometry : the mesh
    matrices : (J, 3, 4) or (J, 4, 4) skinning matrices (world . model . inverse bind), J >= the
        geometry's bone count; for a mesh without weights, matrix 0 places it
    part_colors : (P, 4) colour of each material; a part beyond the last takes the last
    morph_weights : (M,) or None
    skinned_positions, skinned_normals : (V, 3) world positions and normals computed elsewhere;
        given, the graphics card does no skinning and `matrices` and `morph_weights` are not used
    shadow : throws a contact shadow
    coarse : a lighter geometry on the same bones, drawn for the shadow when rendering is slow
    surfaces : image, opacity and sides of each material; a part beyond the last, or all where there are
        none, is opaque and of its plain colour
    occlusion : how open each vertex is (V,), 0..1, see `editor.gl.occlusion`; None is all open
    region : how much each vertex belongs to the part of the body that glows (V,), 0..1; None where none does
    """

    geometry: MeshGeometry
    matrices: Values
    part_colors: Values
    morph_weights: Values | None = None
    skinned_positions: Values | None = None
    skinned_normals: Values | None = None
    shading: Shading = Shading.LIT
    shadow: bool = True
    coarse: MeshGeometry | None = None
    surfaces: tuple[Surface, ...] = ()
    occlusion: Values | None = None
    region: Values | None = None

    def __post_init__(self) -> None:
        put(self, "matrices", _matrices(self.matrices, self.geometry.bone_count))
        put(self, "part_colors", float32(self.part_colors, (None, 4), "part colors"))
        if not len(self.part_colors):
            raise ValidationError("part colors: expected at least one, got none")
        count = len(self.geometry.positions)
        if self.morph_weights is not None:
            targets = self.geometry.morph_positions
            wanted = 0 if targets is None else len(targets)
            put(self, "morph_weights", float32(self.morph_weights, (wanted,), "morph weights"))
        if (self.skinned_positions is None) != (self.skinned_normals is None):
            raise ValidationError("mesh instance: skinned positions and normals must come together")
        if self.occlusion is not None:
            put(self, "occlusion", float32(self.occlusion, (count,), "occlusion"))
        if self.region is not None:
            put(self, "region", float32(self.region, (count,), "region"))
        for name in ("skinned_positions", "skinned_normals"):
            if getattr(self, name) is not None:
                put(self, name, float32(getattr(self, name), (count, 3), name))


def _matrices(values: npt.ArrayLike, least: int) -> Float32Array:
    array = np.asarray(values, dtype=np.float32)
    if array.ndim != 3 or array.shape[1:] not in ((3, 4), (4, 4)) or len(array) < least:
        raise ValidationError(f"matrices: expected (J >= {least}, 3 or 4, 4), got {array.shape}")
    return frozen(array[:, :3], (None, 3, 4), "matrices", np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Ghost(ArrayValue):
    """A translucent copy of a mesh at another time.

    Parameters
    ----------
    instance : what is drawn; `part_colors` are ignored. Give it a light geometry (`coarse_mesh`)
    tint : colour and opacity
    behind : metres that it may be in front of the character and is hidden still, so that a ghost that nearly
        coincides with the character leaves no specks on it
    """

    instance: MeshInstance
    tint: Color
    behind: float = 0.0
