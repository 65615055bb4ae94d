"""The handles of the move, rotate and scale tools: where they lie and which one is under a pixel.

Free of Qt and OpenGL. One list of parts is both drawn (`gizmo_shapes`) and hit (`handle_at`), so
what is seen is what is caught.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.errors import ValidationError
from editor.gl.camera import Camera, Pixel, Size, axes, metres_per_pixel, project
from editor.gl.draw_list import GizmoShape, polyline
from editor.gl.screen_geometry import distance_to_segments, inside_triangles

HIT_PIXELS = 8.0  # to each side of a line: a zone of 16 pixels
RING = 0.80  # radius of the axis rings; of the view ring is 1
PLANE_FROM, PLANE_TO = 0.26, 0.44
CENTRE = 0.085  # radius of the middle of the move tool
_SEGMENTS = 72


class Handle(Enum):
    """What can be dragged: number, and the axes it moves along or turns about."""

    X = (0, (0,))
    Y = (1, (1,))
    Z = (2, (2,))
    YZ = (3, (1, 2))
    ZX = (4, (2, 0))
    XY = (5, (0, 1))
    CENTRE = (6, (0, 1, 2))  # moves in the plane of the view; scales all axes alike
    VIEW = (7, ())  # turns about the direction of view
    TRACKBALL = (8, (0, 1, 2))  # turns freely

    @property
    def moved_axes(self) -> tuple[int, ...]:
        """Numbers of the gizmo's axes this handle works on."""
        axes: tuple[int, ...] = self.value[1]
        return axes

    @property
    def normal(self) -> int | None:
        """For a plane handle the axis it stands on."""
        numbers = self.value[1]
        return 3 - sum(numbers) if len(numbers) == 2 else None


AXES = (Handle.X, Handle.Y, Handle.Z)
PLANES = (Handle.YZ, Handle.ZX, Handle.XY)


@dataclass(frozen=True, slots=True)
class Part:
    """One visible piece of a handle.

    Parameters
    ----------
    handle : what dragging it does
    lines : (N, 2, 3) world segments
    fill : (M, 3, 3) world triangles, (0, 3, 3) for none
    tip : (2, 3) from foot to point of an arrow head, or None
    box : (3,) middle of a square, or None
    color : 0..2 an axis, 3 neutral
    visible : 0..1; a handle seen along its axis fades out, and is not caught below a half
    rank : lower is caught first where several are equally near
    """

    handle: Handle
    lines: Float32Array
    fill: Float32Array
    tip: Float32Array | None
    box: Float32Array | None
    color: int
    visible: float
    rank: int


_NO_FILL = np.zeros((0, 3, 3), np.float32)
_NO_LINES = np.zeros((0, 2, 3), np.float32)


def view_scale(gizmo: GizmoShape, camera: Camera, size: Size) -> float:
    """Length in metres of a handle as long as `gizmo.size` pixels at the pivot."""
    return float(metres_per_pixel(camera, gizmo.pivot, size)) * gizmo.size


def towards_eye(camera: Camera, point: npt.ArrayLike) -> FloatArray:
    """Unit vector from a world point to the eye (against the view, for a parallel camera)."""
    _, _, forward = axes(camera)
    if camera.orthographic:
        return -forward
    from_target = np.asarray(camera.target) - forward * camera.distance - np.asarray(point, np.float64)
    length = float(np.linalg.norm(from_target))
    return from_target / length if length > 1e-9 else -forward


def parts(gizmo: GizmoShape, camera: Camera, size: Size) -> list[Part]:
    """Everything there is to see and catch.

    Raises
    ------
    ValidationError
        When the mode is none of translate, rotate, scale.
    """
    builders = {"translate": _translate_parts, "rotate": _rotate_parts, "scale": _scale_parts}
    if gizmo.mode not in builders:
        raise ValidationError(f"gizmo mode: expected {', '.join(builders)}, got '{gizmo.mode}'")
    return builders[gizmo.mode](gizmo, camera, view_scale(gizmo, camera, size))


def _along_view(gizmo: GizmoShape, camera: Camera) -> FloatArray:
    """How much each axis points at the eye, 0..1."""
    return np.abs(np.asarray(gizmo.axes, np.float64) @ towards_eye(camera, gizmo.pivot))


def _fade(value: float, gone: float, full: float) -> float:
    return float(np.clip((value - gone) / (full - gone), 0.0, 1.0))


def _segment(a: FloatArray, b: FloatArray) -> Float32Array:
    return np.array([[a, b]], np.float32)


def _translate_parts(gizmo: GizmoShape, camera: Camera, scale: float) -> list[Part]:
    pivot, directions = gizmo.pivot.astype(np.float64), gizmo.axes.astype(np.float64)
    facing = _along_view(gizmo, camera)
    found = [_centre(gizmo, camera, scale, CENTRE)]
    found += [_plane(gizmo, handle, facing, scale) for handle in PLANES]
    for n, handle in enumerate(AXES):
        line = _segment(pivot + directions[n] * scale * 0.14, pivot + directions[n] * scale * 0.86)
        tip = np.array(
            [pivot + directions[n] * scale * 0.83, pivot + directions[n] * scale * 1.02], np.float32
        )
        found.append(Part(handle, line, _NO_FILL, tip, None, n, _fade(1 - facing[n], 0.004, 0.03), 2))
    return found


def _plane(gizmo: GizmoShape, handle: Handle, facing: FloatArray, scale: float) -> Part:
    a, b = (gizmo.axes[n].astype(np.float64) for n in handle.moved_axes)
    low, high = PLANE_FROM * scale, PLANE_TO * scale
    corners = [gizmo.pivot + a * u + b * v for u, v in ((low, low), (high, low), (high, high), (low, high))]
    fill = np.array([[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]], np.float32)
    normal = handle.normal
    assert normal is not None
    return Part(
        handle, polyline(corners, closed=True), fill, None, None, normal, _fade(facing[normal], 0.08, 0.25), 1
    )


def _centre(gizmo: GizmoShape, camera: Camera, scale: float, radius: float) -> Part:
    ring = _circle(gizmo.pivot.astype(np.float64), *axes(camera)[:2], radius * scale, 28)
    fill = np.stack([np.broadcast_to(gizmo.pivot, ring[:-1].shape), ring[:-1], ring[1:]], axis=1).astype(
        np.float32
    )
    return Part(Handle.CENTRE, polyline(ring), fill, None, None, 3, 1.0, 0)


def _circle(
    centre: FloatArray, a: FloatArray, b: FloatArray, radius: float, count: int = _SEGMENTS
) -> FloatArray:
    angle = np.linspace(0, 2 * np.pi, count + 1)[:, None]
    return np.asarray(centre + radius * (np.cos(angle) * a + np.sin(angle) * b))


def _rotate_parts(gizmo: GizmoShape, camera: Camera, scale: float) -> list[Part]:
    pivot, directions = gizmo.pivot.astype(np.float64), gizmo.axes.astype(np.float64)
    to_eye = towards_eye(camera, pivot)
    right, up = _across(to_eye, axes(camera)[1])
    found = [Part(Handle.VIEW, polyline(_circle(pivot, right, up, scale)), _NO_FILL, None, None, 3, 1.0, 3)]
    for n, handle in enumerate(AXES):
        row = _circle(pivot, directions[(n + 1) % 3], directions[(n + 2) % 3], scale * RING)
        lines = polyline(row)
        if gizmo.active is not handle and abs(directions[n] @ to_eye) < 0.97:
            middle = (lines[:, 0] + lines[:, 1]) / 2 - gizmo.pivot
            lines = lines[middle @ to_eye.astype(np.float32) >= -0.02 * scale]
        found.append(Part(handle, lines, _NO_FILL, None, None, n, 1.0, 2))
    disc = _circle(pivot, right, up, scale * RING, 32)
    fill = np.stack([np.broadcast_to(pivot, disc[:-1].shape), disc[:-1], disc[1:]], axis=1).astype(np.float32)
    found.append(Part(Handle.TRACKBALL, _NO_LINES, fill, None, None, 3, 1.0, 9))
    return found


def _across(direction: FloatArray, hint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors at right angles to a direction, the second near `hint`."""
    right = np.cross(hint, direction)
    length = float(np.linalg.norm(right))
    if length < 1e-9:
        right, length = np.cross(np.eye(3)[int(np.argmin(np.abs(direction)))], direction), 0.0
        length = float(np.linalg.norm(right))
    right = right / length
    return right, np.cross(direction, right)


def _scale_parts(gizmo: GizmoShape, camera: Camera, scale: float) -> list[Part]:
    pivot, directions = gizmo.pivot.astype(np.float64), gizmo.axes.astype(np.float64)
    facing = _along_view(gizmo, camera)
    found = [
        Part(
            Handle.CENTRE, _NO_LINES, _centre(gizmo, camera, scale, 0.12).fill, None, gizmo.pivot, 3, 1.0, 0
        ),
        *(_plane(gizmo, handle, facing, scale) for handle in PLANES),
    ]
    for n, handle in enumerate(AXES):
        end = pivot + directions[n] * scale * 0.95
        line = _segment(pivot + directions[n] * scale * 0.12, end)
        shown = _fade(1 - facing[n], 0.004, 0.03)
        found.append(Part(handle, line, _NO_FILL, None, end.astype(np.float32), n, shown, 2))
    return found


def handle_at(
    gizmo: GizmoShape, camera: Camera, size: Size, pixel: Pixel, reach: float = HIT_PIXELS
) -> Handle | None:
    """The handle under a pixel, or None.

    The nearest line within `reach` logical pixels wins; inside a filled handle the distance is
    nought; the free turn inside the rings is caught only where nothing else is.
    """
    best: tuple[float, int] | None = None
    caught: Handle | None = None
    at = np.asarray(pixel, np.float64)
    for part in parts(gizmo, camera, size):
        if part.visible < 0.5:
            continue
        distance = _part_distance(part, camera, size, at)
        if distance > reach:
            continue
        key = (distance if part.rank else -1.0, part.rank) if part.rank < 9 else (reach + 1.0, 9)
        if best is None or key < best:
            best, caught = key, part.handle
    return caught


def _part_distance(part: Part, camera: Camera, size: Size, at: FloatArray) -> float:
    nearest = np.inf
    if len(part.fill):
        corners, _ = project(camera, part.fill, size)
        if inside_triangles(at, corners).any():
            return 0.0
    if part.handle is Handle.TRACKBALL:
        return nearest
    lines = part.lines if part.tip is None else np.concatenate([part.lines, part.tip[None]])
    if len(lines):
        ends, depth = project(camera, lines, size)
        shown = (depth > 0).all(axis=1) | camera.orthographic
        if shown.any():
            nearest = float(distance_to_segments(at, ends[shown, 0], ends[shown, 1])[0].min())
    if part.box is not None:
        middle, _ = project(camera, part.box, size)
        nearest = min(nearest, max(0.0, float(np.abs(middle - at).max()) - 6.0))
    return nearest
