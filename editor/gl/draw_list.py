"""What a frame shows, as frozen values free of Qt and OpenGL.

A view model fills a `DrawList`; the renderer turns it into a picture. Two lists that compare
equal give the same picture, so a view that gets an equal list draws nothing. Arrays are float32
or small integers, read-only, in world space (metres) unless a field says otherwise; colours are
display-encoded RGBA, 0..1.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from enum import Enum, IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray, frozen
from core.errors import ValidationError
from editor.gl.colors import Color

MAX_INFLUENCES = 8

Values = npt.NDArray[Any]
"""Any numeric array on the way in; float32 (or the integer type named) and read-only once stored."""
_WHITE: Color = (1.0, 1.0, 1.0, 1.0)


class ArrayValue:
    """Equality for frozen dataclasses that hold arrays: same type, same numbers.

    Shared arrays compare by identity first, so comparing a frame with the one before it costs
    microseconds.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.array_equal(a, b)
    return bool(a == b)


def _float32(values: npt.ArrayLike, shape: tuple[int | None, ...], what: str) -> Float32Array:
    return frozen(values, shape, what, np.float32)


def _put(value: object, name: str, array: object) -> None:
    object.__setattr__(value, name, array)


@dataclass(frozen=True, eq=False)
class MeshGeometry(ArrayValue):
    """One mesh as it was skinned, before morphs and bones.

    Parameters
    ----------
    key : identity and version; two geometries with one key are the same mesh, and graphics
        memory is reused
    positions, normals : (V, 3) bind space; normals need not be unit length
    triangles : (T, 3) vertex numbers, counter-clockwise from outside
    bones : (V, K) bone numbers, K <= 8, or None for a mesh that hangs on matrix 0
    weights : (V, K), sum 1 per vertex, or None
    parts : (T,) material of each triangle, or None when there is one
    colors : (V, 4) multiplied with the material's, or None
    morph_positions, morph_normals : (M, V, 3) offsets at weight 1, or None
    double_sided : draw the inside too

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

    def __post_init__(self) -> None:
        _put(self, "positions", _float32(self.positions, (None, 3), "mesh positions"))
        count = len(self.positions)
        _put(self, "normals", _float32(self.normals, (count, 3), "mesh normals"))
        _put(self, "triangles", frozen(self.triangles, (None, 3), "mesh triangles", np.int32))
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < count:
            raise ValidationError(
                f"mesh triangles: expected vertex numbers 0..{count - 1}, "
                f"got {self.triangles.min()}..{self.triangles.max()}"
            )
        if (self.bones is None) != (self.weights is None):
            raise ValidationError("mesh: bones and weights must come together or not at all")
        if self.bones is not None and self.weights is not None:
            _put(self, "bones", frozen(self.bones, (count, None), "mesh bones", np.int32))
            influences = self.bones.shape[1]
            if not 1 <= influences <= MAX_INFLUENCES:
                raise ValidationError(
                    f"mesh: expected 1..{MAX_INFLUENCES} influences a vertex, got {influences}"
                )
            _put(self, "weights", _float32(self.weights, (count, influences), "mesh weights"))
            if count and self.bones.min() < 0:
                raise ValidationError(f"mesh bones: expected numbers >= 0, got {self.bones.min()}")
        if self.parts is not None:
            _put(self, "parts", frozen(self.parts, (len(self.triangles),), "mesh parts", np.int32))
        if self.colors is not None:
            _put(self, "colors", _float32(self.colors, (count, 4), "mesh colors"))
        for name in ("morph_positions", "morph_normals"):
            if getattr(self, name) is not None:
                _put(self, name, _float32(getattr(self, name), (None, count, 3), name))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, MeshGeometry) and self.key == other.key)

    def __hash__(self) -> int:  # type: ignore[override]
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


class Shading(Enum):
    """How a mesh is lit."""

    LIT = "lit"
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

    def __post_init__(self) -> None:
        _put(self, "matrices", _matrices(self.matrices, self.geometry.bone_count))
        _put(self, "part_colors", _float32(self.part_colors, (None, 4), "part colors"))
        if not len(self.part_colors):
            raise ValidationError("part colors: expected at least one, got none")
        count = len(self.geometry.positions)
        if self.morph_weights is not None:
            targets = self.geometry.morph_positions
            wanted = 0 if targets is None else len(targets)
            _put(self, "morph_weights", _float32(self.morph_weights, (wanted,), "morph weights"))
        if (self.skinned_positions is None) != (self.skinned_normals is None):
            raise ValidationError("mesh instance: skinned positions and normals must come together")
        for name in ("skinned_positions", "skinned_normals"):
            if getattr(self, name) is not None:
                _put(self, name, _float32(getattr(self, name), (count, 3), name))


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
    """

    instance: MeshInstance
    tint: Color


class BoneState(IntEnum):
    """How a bone is drawn."""

    NORMAL = 0
    HOVER = 1
    SELECTED = 2
    DIMMED = 3
    HIDDEN = 4  # neither drawn nor picked
    CHILD = 5  # below a selected bone: hinted
    ACTIVE = 6  # the last selected of several


class BoneStyle(Enum):
    """Shape of every bone."""

    OCTAHEDRAL = "octahedral"
    STICK = "stick"
    SPHERE = "sphere"


@dataclass(frozen=True, slots=True, eq=False)
class BoneShapes(ArrayValue):
    """The skeleton as drawn and picked.

    Parameters
    ----------
    heads, tails : (B, 3) world ends of every bone
    sides : (B, 3) a direction across each bone that turns with it (one of its own axes), or None
    states : (B,) `BoneState`, or None for all normal
    colors : (B, 4) own colours (bone sets); an opacity of 0 means the theme's; or None
    links : (N, 2, 3) thin lines from a bone's parent to a bone that does not start at its tail
    """

    heads: Values
    tails: Values
    sides: Values | None = None
    states: Values | None = None
    colors: Values | None = None
    links: Values | None = None
    style: BoneStyle = BoneStyle.OCTAHEDRAL

    def __post_init__(self) -> None:
        _put(self, "heads", _float32(self.heads, (None, 3), "bone heads"))
        count = len(self.heads)
        _put(self, "tails", _float32(self.tails, (count, 3), "bone tails"))
        if self.sides is not None:
            _put(self, "sides", _float32(self.sides, (count, 3), "bone sides"))
        if self.states is not None:
            _put(self, "states", frozen(self.states, (count,), "bone states", np.uint8))
        if self.colors is not None:
            _put(self, "colors", _float32(self.colors, (count, 4), "bone colors"))
        if self.links is not None:
            _put(self, "links", _float32(self.links, (None, 2, 3), "bone links"))


class Layer(IntEnum):
    """What a shape is hidden by."""

    SCENE = 0  # the mesh hides it
    XRAY = 1  # seen through the mesh, hidden by nearer things of this layer
    FRONT = 2  # in front of everything, in the order given
    OVERLAY = 3  # in logical pixels (x, y, 0) from the top left corner, in the order given


@dataclass(frozen=True, slots=True, eq=False)
class Lines(ArrayValue):
    """Segments of constant width on the screen.

    Parameters
    ----------
    points : (N, 2, 3) ends
    colors : (4,) one for all, (N, 4) one each, or (N, 2, 4) one an end
    width : logical pixels: one for all, or (N, 2) at both ends (a taper, with square ends)
    dash : length of dash and of gap, logical pixels; 0 is solid
    """

    points: Values
    colors: Values
    width: float | Values = 1.5
    dash: float = 0.0
    layer: Layer = Layer.SCENE

    def __post_init__(self) -> None:
        _put(self, "points", _float32(self.points, (None, 2, 3), "line points"))
        count = len(self.points)
        colors = np.asarray(self.colors, dtype=np.float32)
        if colors.shape not in ((4,), (count, 4), (count, 2, 4)):
            raise ValidationError(
                f"line colors: expected (4,), ({count}, 4) or ({count}, 2, 4), got {colors.shape}"
            )
        _put(self, "colors", frozen(colors, colors.shape, "line colors", np.float32))
        if isinstance(self.width, np.ndarray):
            _put(self, "width", _float32(self.width, (count, 2), "line widths"))


def polyline(points: npt.ArrayLike, closed: bool = False) -> Float32Array:
    """The segments (N, 2, 3) along a row of points (P, 3)."""
    row = np.asarray(points, dtype=np.float32)
    if closed and len(row):
        row = np.concatenate([row, row[:1]])
    return np.stack([row[:-1], row[1:]], axis=1) if len(row) > 1 else np.zeros((0, 2, 3), np.float32)


class PointShape(IntEnum):
    """Glyph of a point."""

    DISC = 0
    SQUARE = 1
    DIAMOND = 2
    RING = 3


@dataclass(frozen=True, slots=True, eq=False)
class Points(ArrayValue):
    """Glyphs of constant size on the screen.

    Parameters
    ----------
    points : (N, 3)
    colors : (4,) or (N, 4) inside (the stroke, for a ring)
    sizes : () or (N,) across, logical pixels
    outline : colour of the rim; opacity 0 is none
    outline_width : logical pixels
    """

    points: Values
    colors: Values
    sizes: Values | float
    outline: Color = (0.0, 0.0, 0.0, 0.0)
    outline_width: float = 1.0
    shape: PointShape = PointShape.DISC
    layer: Layer = Layer.SCENE

    def __post_init__(self) -> None:
        _put(self, "points", _float32(self.points, (None, 3), "points"))
        count = len(self.points)
        for name, shapes in (("colors", ((4,), (count, 4))), ("sizes", ((), (count,)))):
            array = np.asarray(getattr(self, name), dtype=np.float32)
            if array.shape not in shapes:
                raise ValidationError(
                    f"point {name}: expected shape {shapes[0]} or {shapes[1]}, got {array.shape}"
                )
            _put(self, name, frozen(array, array.shape, f"point {name}", np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Triangles(ArrayValue):
    """Flat, unlit, two-sided triangles: swept sectors, plane handles, plates.

    Parameters
    ----------
    points : (N, 3, 3) corners
    colors : (4,) or (N, 4)
    """

    points: Values
    colors: Values
    layer: Layer = Layer.FRONT

    def __post_init__(self) -> None:
        _put(self, "points", _float32(self.points, (None, 3, 3), "triangle points"))
        count = len(self.points)
        colors = np.asarray(self.colors, dtype=np.float32)
        if colors.shape not in ((4,), (count, 4)):
            raise ValidationError(f"triangle colors: expected (4,) or ({count}, 4), got {colors.shape}")
        _put(self, "colors", frozen(colors, colors.shape, "triangle colors", np.float32))


Shape = Lines | Points | Triangles


@dataclass(frozen=True, slots=True)
class Grid:
    """The ground: 10 cm and 1 m lines, tinted axes, fading with distance."""

    height: float = 0.0
    axes: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class GizmoShape(ArrayValue):
    """The handles of the move, rotate or scale tool; see `editor.gl.gizmo` for how they lie.

    Parameters
    ----------
    mode : "translate", "rotate" or "scale"
    pivot : (3,) world
    axes : (3, 3) rows are the unit directions of the handles x, y, z in the world
    hovered, active : `gizmo.Handle` or None; while one is active the others are dimmed
    sweep : (start angle, swept angle) radians about the active ring, from `gizmo_drag.sweep`
    size : length of an arrow, logical pixels
    """

    mode: str
    pivot: Values
    axes: Values
    hovered: Enum | None = None
    active: Enum | None = None
    sweep: tuple[float, float] | None = None
    size: float = 92.0

    def __post_init__(self) -> None:
        _put(self, "pivot", _float32(self.pivot, (3,), "gizmo pivot"))
        _put(self, "axes", _float32(self.axes, (3, 3), "gizmo axes"))


@dataclass(frozen=True, slots=True)
class AxisWidget:
    """The clickable world axes in the top right corner.

    `hovered` is the number of the bubble under the pointer (+x, +y, +z, -x, -y, -z) or None.
    """

    hovered: int | None = None
    size: float = 84.0
    margin: float = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawList(ArrayValue):
    """One picture. The order of the fields is the order of drawing."""

    grid: Grid | None = None
    meshes: tuple[MeshInstance, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    shadow: bool = True
    bones: BoneShapes | None = None
    shapes: tuple[Shape, ...] = field(default=())
    gizmo: GizmoShape | None = None
    axis_widget: AxisWidget | None = None
