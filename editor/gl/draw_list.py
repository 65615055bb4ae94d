"""What a frame shows, as frozen values free of Qt and OpenGL.

A view model fills a `DrawList`; the renderer turns it into a picture. Two lists that compare
equal give the same picture, so a view that gets an equal list draws nothing. Arrays are float32
or small integers, read-only, in world space (metres) unless a field says otherwise; colours are
display-encoded RGBA, 0..1.
"""

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import ByteArray, Float32Array, frozen
from core.errors import ValidationError
from editor.gl.array_value import ArrayValue, Values, float32, put
from editor.gl.colors import Color
from editor.gl.mesh_values import MAX_INFLUENCES, Ghost, MeshGeometry, MeshInstance, Shading

__all__ = [
    "MAX_INFLUENCES", "AxisWidget", "BoneShapes", "BoneState", "BoneStyle", "DrawList", "Floor", "Ghost", "GizmoShape",
    "Grid", "Layer", "Lines", "MeshGeometry", "MeshInstance", "PictureShape", "PictureSource", "PointShape", "Points",
    "Shading", "Shape", "Surface", "Triangles", "polyline",
]  # fmt: skip


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
    solid : nothing is drawn but the skeleton: bones are opaque, with round joints
    near : (B,) bones near the pointer: they are drawn in full and have handles, the others are faint; None
        where there is no pointer: none is near
    """

    heads: Values
    tails: Values
    sides: Values | None = None
    states: Values | None = None
    colors: Values | None = None
    links: Values | None = None
    style: BoneStyle = BoneStyle.OCTAHEDRAL
    solid: bool = False
    near: Values | None = None

    def __post_init__(self) -> None:
        put(self, "heads", float32(self.heads, (None, 3), "bone heads"))
        count = len(self.heads)
        put(self, "tails", float32(self.tails, (count, 3), "bone tails"))
        if self.sides is not None:
            put(self, "sides", float32(self.sides, (count, 3), "bone sides"))
        if self.states is not None:
            put(self, "states", frozen(self.states, (count,), "bone states", np.uint8))
        if self.colors is not None:
            put(self, "colors", float32(self.colors, (count, 4), "bone colors"))
        if self.links is not None:
            put(self, "links", float32(self.links, (None, 2, 3), "bone links"))
        if self.near is not None:
            put(self, "near", frozen(self.near, (count,), "bones near", np.bool_))


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
    caps : round ends; without, the segments of a see-through polyline meet without dark dots
    """

    points: Values
    colors: Values
    width: float | Values = 1.5
    dash: float = 0.0
    layer: Layer = Layer.SCENE
    caps: bool = True

    def __post_init__(self) -> None:
        put(self, "points", float32(self.points, (None, 2, 3), "line points"))
        count = len(self.points)
        colors = np.asarray(self.colors, dtype=np.float32)
        if colors.shape not in ((4,), (count, 4), (count, 2, 4)):
            raise ValidationError(
                f"line colors: expected (4,), ({count}, 4) or ({count}, 2, 4), got {colors.shape}"
            )
        put(self, "colors", frozen(colors, colors.shape, "line colors", np.float32))
        if isinstance(self.width, np.ndarray):
            put(self, "width", float32(self.width, (count, 2), "line widths"))


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
        put(self, "points", float32(self.points, (None, 3), "points"))
        count = len(self.points)
        for name, shapes in (("colors", ((4,), (count, 4))), ("sizes", ((), (count,)))):
            array = np.asarray(getattr(self, name), dtype=np.float32)
            if array.shape not in shapes:
                raise ValidationError(
                    f"point {name}: expected shape {shapes[0]} or {shapes[1]}, got {array.shape}"
                )
            put(self, name, frozen(array, array.shape, f"point {name}", np.float32))


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
        put(self, "points", float32(self.points, (None, 3, 3), "triangle points"))
        count = len(self.points)
        colors = np.asarray(self.colors, dtype=np.float32)
        if colors.shape not in ((4,), (count, 4)):
            raise ValidationError(f"triangle colors: expected (4,) or ({count}, 4), got {colors.shape}")
        put(self, "colors", frozen(colors, colors.shape, "triangle colors", np.float32))


Shape = Lines | Points | Triangles


@dataclass(frozen=True, slots=True)
class Grid:
    """The ground: 10 cm and 1 m lines, tinted axes, fading with distance."""

    height: float = 0.0
    axes: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Surface(ArrayValue):
    """Triangles of a terrain; kept on the graphics card as long as it is the same one.

    Parameters
    ----------
    corners : (M, 3, 3) world, counterclockwise as seen from outside
    normals : (M, 3) unit
    """

    corners: Values
    normals: Values

    def __post_init__(self) -> None:
        put(self, "corners", float32(self.corners, (None, 3, 3), "surface corners"))
        put(self, "normals", float32(self.normals, (len(self.corners), 3), "surface normals"))


@dataclass(frozen=True, slots=True, eq=False)
class Floor(ArrayValue):
    """The terrain that a character is driven over, in place of the grid.

    Parameters
    ----------
    height : metres of the ground below the character, where its shadow falls
    """

    surface: Surface
    height: float = 0.0


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
        put(self, "pivot", float32(self.pivot, (3,), "gizmo pivot"))
        put(self, "axes", float32(self.axes, (3, 3), "gizmo axes"))


@dataclass(frozen=True, slots=True)
class AxisWidget:
    """The clickable world axes in the top right corner.

    `hovered` is the number of the bubble under the pointer (+x, +y, +z, -x, -y, -z) or None.
    """

    hovered: int | None = None
    size: float = 84.0
    margin: float = 12.0


class PictureSource(Protocol):
    """A picture of reference footage; equal only to itself.

    `pixels` are (H, W, 4) uint8, opaque, the lowest row first.
    """

    @property
    def pixels(self) -> ByteArray: ...
    @property
    def size(self) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True)
class PictureShape:
    """A picture flat in the view.

    Parameters
    ----------
    place : left, top, right and bottom in logical pixels of the view
    behind : whether everything else is in front of it
    """

    source: PictureSource
    place: tuple[float, float, float, float]
    opacity: float = 1.0
    behind: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class DrawList(ArrayValue):
    """One picture. The order of the fields is the order of drawing; a floor comes first.

    `casters` are not seen themselves but throw a shadow, such as bones without a mesh. `pictures` are behind
    or in front of all else.
    """

    grid: Grid | None = None
    meshes: tuple[MeshInstance, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    shadow: bool = True
    bones: BoneShapes | None = None
    shapes: tuple[Shape, ...] = field(default=())
    gizmo: GizmoShape | None = None
    axis_widget: AxisWidget | None = None
    floor: Floor | None = None
    casters: tuple[MeshInstance, ...] = ()
    pictures: tuple[PictureShape, ...] = ()

    @property
    def shadow_height(self) -> float | None:
        """Height of the ground that shadows fall on; None where none is drawn."""
        if not self.shadow or (self.grid is None and self.floor is None):
            return None
        if self.floor is not None:
            return self.floor.height
        return None if self.grid is None else self.grid.height
