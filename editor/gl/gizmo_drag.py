"""From where a drag began and where the pointer is to a distance, an angle or a factor.

Pure functions of camera and pixels, measured from the start of the drag, so that the same pointer
always gives the same result. All results are finite. Free of Qt and OpenGL.
"""

from math import atan2, cos, exp2, pi, sin

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math.vectors import unit
from editor.gl.camera import Camera, Pixel, Size, axes, clip_range, metres_per_pixel, project, ray, unproject
from editor.gl.gizmo import towards_eye

_EDGE_ON = 0.18  # sine of the angle below which a plane or axis counts as seen edge-on
_EPSILON = 1e-9


def _unit(vector: npt.ArrayLike) -> FloatArray:
    return unit(vector, (0.0, 1.0, 0.0), _EPSILON)


def turn_basis(axis: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors at right angles to an axis; the first is angle 0, the second a quarter turn."""
    unit = _unit(axis)
    first = _unit(np.cross(np.eye(3)[int(np.argmin(np.abs(unit)))], unit))
    return first, np.cross(unit, first)


def _plane_hit(camera: Camera, pixel: Pixel, size: Size, point: FloatArray, normal: FloatArray) -> FloatArray:
    """Where the ray through a pixel meets a plane; towards the horizon as far as the eye reaches."""
    origin, direction = ray(camera, pixel, size)
    far = clip_range(camera)[1] * (2.0 if camera.orthographic else 1.0)
    slope = float(direction @ normal)
    gap = float((point - origin) @ normal)
    reach = gap / slope if abs(slope) > _EPSILON else far
    if reach < 0.0 or reach > far:
        reach = far
    hit = origin + direction * reach
    return np.asarray(hit - normal * float((hit - point) @ normal))


def along_axis(camera: Camera, pivot: npt.ArrayLike, axis: npt.ArrayLike, pixel: Pixel, size: Size) -> float:
    """How far along an axis through the pivot a pixel points, metres.

    The axis is met in the plane through it that faces the eye most. An axis that points at the eye
    has no such plane; there, the distance is taken across the screen, upwards being positive.
    """
    point, unit = np.asarray(pivot, np.float64), _unit(axis)
    to_eye = towards_eye(camera, point)
    across = to_eye - unit * float(to_eye @ unit)
    if float(np.linalg.norm(across)) < _EDGE_ON:
        return _across_screen(camera, point, unit, pixel, size)
    return float((_plane_hit(camera, pixel, size, point, _unit(across)) - point) @ unit)


def _across_screen(camera: Camera, point: FloatArray, unit: FloatArray, pixel: Pixel, size: Size) -> float:
    right, up, _ = axes(camera)
    flip = -1.0 if camera.mirrored else 1.0
    lean = np.array([flip * float(unit @ right), -float(unit @ up)])
    length = float(np.linalg.norm(lean))
    direction = lean / length if length > 1e-4 else np.array([0.0, -1.0])
    centre, _ = project(camera, point, size)
    return float((np.asarray(pixel) - centre) @ direction) * float(metres_per_pixel(camera, point, size))


def move_along_axis(
    camera: Camera, pivot: npt.ArrayLike, axis: npt.ArrayLike, start: Pixel, now: Pixel, size: Size
) -> FloatArray:
    """Translation (3,) in metres along an axis (need not be of unit length) for a drag."""
    moved = along_axis(camera, pivot, axis, now, size) - along_axis(camera, pivot, axis, start, size)
    return _unit(axis) * moved


def move_in_plane(
    camera: Camera, pivot: npt.ArrayLike, normal: npt.ArrayLike, start: Pixel, now: Pixel, size: Size
) -> FloatArray:
    """Translation (3,) in metres within the plane at right angles to `normal`.

    Seen edge-on, the drag is taken in the plane of the view and laid into the plane.
    """
    point, unit = np.asarray(pivot, np.float64), _unit(normal)
    if abs(float(unit @ towards_eye(camera, point))) < _EDGE_ON:
        moved = move_in_view(camera, pivot, start, now, size)
        return moved - unit * float(moved @ unit)
    return _plane_hit(camera, now, size, point, unit) - _plane_hit(camera, start, size, point, unit)


def move_in_view(camera: Camera, pivot: npt.ArrayLike, start: Pixel, now: Pixel, size: Size) -> FloatArray:
    """Translation (3,) in metres across the view, so that the pivot follows the pointer."""
    _, depth = project(camera, pivot, size)
    near = clip_range(camera)[0]
    deep = float(depth) if camera.orthographic else max(float(depth), near)
    ends = unproject(camera, [start, now], [deep, deep], size)
    return np.asarray(ends[1] - ends[0])


def ring_angle(camera: Camera, pivot: npt.ArrayLike, axis: npt.ArrayLike, pixel: Pixel, size: Size) -> float:
    """Angle of a pixel on the ring about an axis, radians from `turn_basis`; only for rings seen open."""
    point = np.asarray(pivot, np.float64)
    hit = _plane_hit(camera, pixel, size, point, _unit(axis)) - point
    a, b = turn_basis(axis)
    x, y = float(hit @ a), float(hit @ b)
    return atan2(y, x) if abs(x) + abs(y) > 1e-12 else 0.0


def turn_about_axis(
    camera: Camera,
    pivot: npt.ArrayLike,
    axis: npt.ArrayLike,
    start: Pixel,
    now: Pixel,
    size: Size,
    radius: float = 74.0,
) -> float:
    """Angle in radians (right-handed about `axis`) for a drag on its ring.

    Parameters
    ----------
    radius : of the ring on the screen, logical pixels; used where the ring is seen edge-on: there
        a drag across the axis turns as if the near side of a wheel were pushed

    Notes
    -----
    An open ring gives -pi..pi: follow a drag over several turns with `unwrap`.
    """
    unit = _unit(axis)
    to_eye = towards_eye(camera, pivot)
    if abs(float(unit @ to_eye)) >= _EDGE_ON:
        turned = ring_angle(camera, pivot, unit, now, size) - ring_angle(camera, pivot, unit, start, size)
        return (turned + pi) % (2 * pi) - pi
    right, up, _ = axes(camera)
    push = np.cross(unit, to_eye)
    flip = -1.0 if camera.mirrored else 1.0
    tangent = np.array([flip * float(push @ right), -float(push @ up)])
    length = float(np.linalg.norm(tangent))
    if length < _EPSILON:
        return 0.0
    delta = np.asarray(now, np.float64) - np.asarray(start, np.float64)
    return float(delta @ tangent) / length / max(radius, 1.0)


def turn_about_view(
    camera: Camera, pivot: npt.ArrayLike, start: Pixel, now: Pixel, size: Size
) -> tuple[FloatArray, float]:
    """Axis towards the eye (3,) and angle in radians for a drag on the view ring."""
    axis = towards_eye(camera, pivot)
    return axis, turn_about_axis(camera, pivot, axis, start, now, size)


def sweep(
    camera: Camera, pivot: npt.ArrayLike, axis: npt.ArrayLike, start: Pixel, angle: float, size: Size
) -> tuple[float, float]:
    """Start angle and swept angle for `GizmoShape.sweep`."""
    unit = _unit(axis)
    if abs(float(unit @ towards_eye(camera, pivot))) >= _EDGE_ON:
        return ring_angle(camera, pivot, unit, start, size), angle
    a, b = turn_basis(unit)
    to_eye = towards_eye(camera, pivot)
    return atan2(float(to_eye @ b), float(to_eye @ a)), angle


def unwrap(before: float, angle: float) -> float:
    """The angle plus whole turns, nearest to what it was a moment before."""
    return angle + 2 * pi * round((before - angle) / (2 * pi))


def trackball(camera: Camera, start: Pixel, now: Pixel, radius: float = 74.0) -> FloatArray:
    """Rotation vector (3,): axis times radians, world space, for a drag inside the rings."""
    right, up, _ = axes(camera)
    flip = -1.0 if camera.mirrored else 1.0
    dx, dy = (float(now[0]) - float(start[0])), (float(now[1]) - float(start[1]))
    return (up * (flip * dx) + right * dy) / max(radius, 1.0)


def rotation_matrix(axis: npt.ArrayLike, angle: float) -> FloatArray:
    """The turn (3, 3) about an axis by radians (Rodrigues)."""
    x, y, z = _unit(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + sin(angle) * cross + (1.0 - cos(angle)) * cross @ cross)


def scale_along_axis(
    camera: Camera,
    pivot: npt.ArrayLike,
    axis: npt.ArrayLike,
    start: Pixel,
    now: Pixel,
    size: Size,
    reach: float = 92.0,
) -> float:
    """Factor for a drag on a scale handle: how much farther along the axis the pointer is.

    Parameters
    ----------
    reach : length of the handle, logical pixels; the measure when the drag began near the pivot
    """
    began = along_axis(camera, pivot, axis, start, size)
    moved = along_axis(camera, pivot, axis, now, size) - began
    least = 0.3 * reach * float(metres_per_pixel(camera, pivot, size))
    measure = began if abs(began) > least else least / 0.3
    return 1.0 + moved / measure


def scale_all(start: Pixel, now: Pixel, reach: float = 92.0) -> float:
    """Positive factor for a drag on the middle: right or up grows, twice per `reach` pixels."""
    drag = (float(now[0]) - float(start[0])) - (float(now[1]) - float(start[1]))
    return exp2(max(-20.0, min(20.0, drag / max(reach, 1.0))))
