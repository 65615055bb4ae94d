"""Meshes that a rig deforms. A rig can do without any."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, frozen, require_finite
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.rig.rig import Rig

UIntArray = npt.NDArray[np.uint32]
UShortArray = npt.NDArray[np.uint16]


class Wrap(StrEnum):
    """What a texture shows outside 0..1."""

    REPEAT = "repeat"
    MIRROR = "mirror"
    CLAMP = "clamp"


class AlphaMode(StrEnum):
    """What a material's opacity means."""

    OPAQUE = "opaque"  # it is ignored
    MASK = "mask"  # below `Material.cutoff` nothing is drawn
    BLEND = "blend"


@dataclass(frozen=True, slots=True)
class Texture:
    """An image file's bytes as they came, and how they lie on a mesh.

    Parameters
    ----------
    media_type : ``image/png`` …
    data : the file
    wrap : along U and V
    smooth : interpolate between pixels; without, pixels show as squares
    offset, rotation, scale : the place looked up is ``offset + R(rotation) (scale uv)``; the rotation in
        radians, counter-clockwise with V pointing down (as in glTF's ``KHR_texture_transform``)
    """

    media_type: str
    data: bytes
    wrap: tuple[Wrap, Wrap] = (Wrap.REPEAT, Wrap.REPEAT)
    smooth: bool = True
    offset: tuple[float, float] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)

    @property
    def moved(self) -> bool:
        """Whether UVs are changed before they are looked up."""
        return (self.offset, self.rotation, self.scale) != ((0.0, 0.0), 0.0, (1.0, 1.0))


@dataclass(frozen=True, slots=True)
class Material:
    """What a part of a mesh looks like; colours are linear RGBA, 0..1.

    Parameters
    ----------
    color : multiplied with the texture and the vertex colours
    alpha : what the opacity means
    cutoff : opacity from which `AlphaMode.MASK` draws
    """

    name: str
    color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    metallic: float = 0.0
    roughness: float = 0.9
    double_sided: bool = False
    texture: Texture | None = None
    alpha: AlphaMode = AlphaMode.OPAQUE
    cutoff: float = 0.5


@dataclass(frozen=True, slots=True)
class MeshPart:
    """A run of triangles with one material: ``triangles[start : start + count]``."""

    start: int
    count: int
    material: int


@dataclass(frozen=True, slots=True, eq=False)
class MorphTarget:
    """Displacements of every vertex at weight 1: positions ``(V, 3)`` metres, normals likewise or None."""

    name: str
    positions: Float32Array
    normals: Float32Array | None = None
    default_weight: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles that follow bones. An asset of the project.

    Parameters
    ----------
    rig : id of the rig that deforms it
    positions : ``(V, 3)`` float32 metres, in the space the inverse bind matrices expect
    normals : ``(V, 3)`` float32 unit vectors
    triangles : ``(T, 3)`` uint32, counter-clockwise from outside
    bones : ``(J,)`` names of the bones that the influences number
    inverse_bind : ``(J, 4, 4)`` float64, model space to bone space when skinned (column vectors);
        the identity for a rigid mesh that follows its bone
    influences : ``(V, K)`` uint16 into `bones`, K ≤ 8
    weights : ``(V, K)`` float32, rows summing to 1
    uvs : ``(V, 2)`` float32 or None
    morphs : morph targets, added before skinning
    colors : ``(V, 4)`` float32 linear RGBA, multiplied with the materials' colours, or None

    Raises
    ------
    ValidationError
        Naming the mesh: shapes that disagree, indices out of range, weights that don't sum to 1,
        non-finite numbers, counts of bones and inverse binds that differ.
    """

    id: AssetId
    name: str
    rig: AssetId
    positions: Float32Array
    normals: Float32Array
    triangles: UIntArray
    bones: tuple[str, ...]
    inverse_bind: FloatArray
    influences: UShortArray
    weights: Float32Array
    uvs: Float32Array | None = None
    materials: tuple[Material, ...] = (Material("default"),)
    parts: tuple[MeshPart, ...] = ()
    morphs: tuple[MorphTarget, ...] = field(default=())
    colors: Float32Array | None = None

    def __post_init__(self) -> None:
        put, what = object.__setattr__, f"mesh {self.name!r}"
        count = len(self.positions)
        put(self, "bones", tuple(self.bones))
        put(self, "positions", frozen(self.positions, (None, 3), f"{what} positions", np.float32))
        put(self, "normals", frozen(self.normals, (count, 3), f"{what} normals", np.float32))
        put(self, "triangles", frozen(self.triangles, (None, 3), f"{what} triangles", np.uint32))
        put(self, "influences", frozen(self.influences, (count, None), f"{what} influences", np.uint16))
        width = self.influences.shape[1]
        put(self, "weights", frozen(self.weights, (count, width), f"{what} weights", np.float32))
        if len(self.inverse_bind) != len(self.bones):
            raise ValidationError(
                f"{what}: {len(self.bones)} bones but {len(self.inverse_bind)} inverse bind matrices"
            )
        put(
            self,
            "inverse_bind",
            frozen(self.inverse_bind, (len(self.bones), 4, 4), f"{what} inverse binds"),
        )
        if self.uvs is not None:
            put(self, "uvs", frozen(self.uvs, (count, 2), f"{what} UVs", np.float32))
        if self.colors is not None:
            put(self, "colors", frozen(self.colors, (count, 4), f"{what} colors", np.float32))
        if not self.parts:
            put(self, "parts", (MeshPart(0, len(self.triangles), 0),))
        put(self, "morphs", tuple(_checked_morph(m, count, what) for m in self.morphs))
        self._check_ranges(what)

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig."""
        return (Reference(self.rig, Rig, "rig"),)

    def with_targets(self, targets: Targets) -> "Mesh | None":
        """The same with references redirected (see `Asset.with_targets`); None where its rig is gone."""
        rig = redirected(self.rig, targets)
        return None if rig is None else replace(self, rig=rig)

    def _check_ranges(self, what: str) -> None:
        for name, array in (("positions", self.positions), ("inverse binds", self.inverse_bind)):
            require_finite(array, f"{what} {name}")
        if self.influences.shape[1] > 8:
            raise ValidationError(f"{what}: at most 8 influences a vertex, got {self.influences.shape[1]}")
        if self.triangles.size and int(self.triangles.max()) >= len(self.positions):
            raise ValidationError(
                f"{what}: a triangle names vertex {int(self.triangles.max())} of {len(self.positions)}"
            )
        if self.influences.size and int(self.influences.max()) >= len(self.bones):
            raise ValidationError(
                f"{what}: a vertex follows bone {int(self.influences.max())} of {len(self.bones)}"
            )
        sums = self.weights.sum(axis=1)
        bad = np.flatnonzero(~(np.abs(sums - 1.0) < 1e-3))
        if len(bad):
            raise ValidationError(f"{what}: weights of vertex {bad[0]} sum to {sums[bad[0]]}, not 1")
        for part in self.parts:
            if not (part.start >= 0 and part.count >= 0 and part.start + part.count <= len(self.triangles)):
                raise ValidationError(f"{what}: a part covers triangles that are not there: {part}")
            if not 0 <= part.material < len(self.materials):
                raise ValidationError(
                    f"{what}: a part names material {part.material} of {len(self.materials)}"
                )


def _checked_morph(morph: MorphTarget, count: int, what: str) -> MorphTarget:
    place = f"{what} morph {morph.name!r}"
    positions = frozen(morph.positions, (count, 3), f"{place} positions", np.float32)
    require_finite(positions, place)
    normals = morph.normals
    if normals is not None:
        normals = frozen(normals, (count, 3), f"{place} normals", np.float32)
    return MorphTarget(morph.name, positions, normals, morph.default_weight)


def normalised_weights(weights: npt.ArrayLike) -> Float32Array:
    """Rows scaled to sum 1.

    Negative and non-finite weights count as 0; a row without any follows its first joint.
    """
    array = np.nan_to_num(np.array(weights, dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    array = np.maximum(array, 0.0)
    if array.shape[1]:
        array[array.sum(axis=1) <= 0.0, 0] = 1.0
    normalised: Float32Array = (array / array.sum(axis=1, keepdims=True)).astype(np.float32)
    return normalised


def bounds(meshes: Sequence[Mesh]) -> tuple[FloatArray, FloatArray] | None:
    """Lowest and highest corner of the undeformed vertices, or None without any."""
    corners = [m.positions for m in meshes if len(m.positions)]
    if not corners:
        return None
    stacked = np.concatenate(corners).astype(np.float64)
    return stacked.min(axis=0), stacked.max(axis=0)
