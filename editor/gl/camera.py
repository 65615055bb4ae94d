"""The orbit camera: an immutable value and pure functions from camera to camera or picture.

Pixels are logical (Qt) pixels, x to the right and y down from the top left corner of the view.
Everything here is float64 and never yields NaN or infinity, whatever the view size or position.
"""

from dataclasses import dataclass, replace
from enum import Enum
from math import cos, exp, isfinite, log, pi, sin, sqrt, tan

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError

Vector = tuple[float, float, float]
Pixel = tuple[float, float]
Size = tuple[float, float]

MIN_DISTANCE, MAX_DISTANCE = 1e-3, 1e5
MAX_TARGET = 1e6
MIN_FOV, MAX_FOV = 0.002, 3.0
ORBIT_RADIANS_PER_PIXEL = 0.007
_MIN_DEPTH = 1e-6


class View(Enum):
    """A standard view, named after the side of the character that is seen; it looks along +Z."""

    FRONT = (0.0, 0.0)  # from +Z, where a character looks
    BACK = (pi, 0.0)
    LEFT = (pi / 2, 0.0)  # from +X
    RIGHT = (-pi / 2, 0.0)
    TOP = (0.0, pi / 2)
    BOTTOM = (0.0, -pi / 2)


@dataclass(frozen=True, slots=True)
class Camera:
    """An eye that looks at `target` from `distance` metres away.

    Parameters
    ----------
    target : point in the middle of the view, world metres
    yaw : radians about +Y; 0 looks along -Z, from in front of the character
    pitch : radians above the ground, clamped to a quarter turn each way
    distance : metres from the target, clamped to a sane range
    fov : vertical field of view, radians; an orthographic camera shows at every
        depth what a perspective one shows at the target's
    orthographic : parallel projection
    mirrored : picture flipped left to right, to judge a pose with fresh eyes
    roll : radians about the view direction, anticlockwise as the camera turns; 0 keeps the horizon level

    Raises
    ------
    ValidationError
        When a number is not finite.
    """

    target: Vector = (0.0, 0.9, 0.0)
    yaw: float = 0.6
    pitch: float = 0.22
    distance: float = 4.2
    fov: float = 0.65
    orthographic: bool = False
    mirrored: bool = False
    roll: float = 0.0

    def __post_init__(self) -> None:
        numbers = (*self.target, self.yaw, self.pitch, self.distance, self.fov, self.roll)
        if not all(isfinite(value) for value in numbers):
            raise ValidationError(f"camera: expected finite numbers, got {numbers}")
        x, y, z = (_clamp(float(value), -MAX_TARGET, MAX_TARGET) for value in self.target)
        object.__setattr__(self, "target", (x, y, z))
        object.__setattr__(self, "yaw", wrap_angle(float(self.yaw)))
        object.__setattr__(self, "roll", wrap_angle(float(self.roll)) if self.roll else 0.0)
        object.__setattr__(self, "pitch", _clamp(float(self.pitch), -pi / 2, pi / 2))
        object.__setattr__(self, "distance", _clamp(float(self.distance), MIN_DISTANCE, MAX_DISTANCE))
        object.__setattr__(self, "fov", _clamp(float(self.fov), MIN_FOV, MAX_FOV))


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def wrap_angle(angle: float) -> float:
    """The same angle within -pi..pi."""
    return (angle + pi) % (2 * pi) - pi


def _extent(size: Size) -> tuple[float, float]:
    return max(float(size[0]), 1.0), max(float(size[1]), 1.0)


def axes(camera: Camera) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Unit vectors right, up and forward of the eye (world space), before mirroring."""
    sy, cy, sp, cp = sin(camera.yaw), cos(camera.yaw), sin(camera.pitch), cos(camera.pitch)
    right = np.array([cy, 0.0, -sy])
    up = np.array([-sp * sy, cp, -sp * cy])
    forward = np.array([-cp * sy, -sp, -cp * cy])
    if camera.roll:
        s, c = sin(camera.roll), cos(camera.roll)
        right, up = c * right + s * up, c * up - s * right
    return right, up, forward


def eye(camera: Camera) -> FloatArray:
    """Where the eye stands, world metres."""
    return np.asarray(camera.target, dtype=np.float64) - axes(camera)[2] * camera.distance


def clip_range(camera: Camera) -> tuple[float, float]:
    """Nearest and farthest depth drawn, metres along the view direction."""
    far = max(camera.distance * 60.0, 120.0)
    if camera.orthographic:
        return -far, far
    return _clamp(camera.distance * 0.02, 0.0005, 0.5), far


def half_extent(camera: Camera, size: Size) -> tuple[float, float]:
    """Half of what the view shows at the target's depth, metres (x, y)."""
    width, height = _extent(size)
    half = camera.distance * tan(camera.fov / 2)
    return half * width / height, half


def view_matrix(camera: Camera) -> FloatArray:
    """World to eye space, (4, 4) for column vectors; the eye looks along -Z."""
    right, up, forward = axes(camera)
    matrix = np.eye(4)
    matrix[0, :3], matrix[1, :3], matrix[2, :3] = right, up, -forward
    matrix[:3, 3] = -matrix[:3, :3] @ eye(camera)
    return matrix


def projection_matrix(camera: Camera, size: Size) -> FloatArray:
    """Eye to clip space, (4, 4), depth -1..1 as OpenGL wants it."""
    near, far = clip_range(camera)
    half_x, half_y = half_extent(camera, size)
    flip = -1.0 if camera.mirrored else 1.0
    matrix = np.zeros((4, 4))
    if camera.orthographic:
        matrix[0, 0], matrix[1, 1] = flip / half_x, 1.0 / half_y
        matrix[2, 2], matrix[2, 3] = -2.0 / (far - near), -(far + near) / (far - near)
        matrix[3, 3] = 1.0
    else:
        matrix[0, 0], matrix[1, 1] = flip * camera.distance / half_x, camera.distance / half_y
        matrix[2, 2], matrix[2, 3] = -(far + near) / (far - near), -2.0 * far * near / (far - near)
        matrix[3, 2] = -1.0
    return matrix


def view_projection(camera: Camera, size: Size) -> FloatArray:
    """World to clip space, (4, 4)."""
    return projection_matrix(camera, size) @ view_matrix(camera)


def project(camera: Camera, points: npt.ArrayLike, size: Size) -> tuple[FloatArray, FloatArray]:
    """Where world points are seen.

    Parameters
    ----------
    points : (..., 3) world metres
    size : logical pixels

    Returns
    -------
    pixels (..., 2) and depth (...), metres along the view direction. Perspective points at or
    behind the eye (depth <= 0) keep finite pixels, which mean nothing.
    """
    width, height = _extent(size)
    right, up, forward = axes(camera)
    offset = np.asarray(points, dtype=np.float64) - eye(camera)
    depth = offset @ forward
    half_x, half_y = half_extent(camera, size)
    scale = 1.0 if camera.orthographic else camera.distance / np.maximum(depth, _MIN_DEPTH)
    flip = -1.0 if camera.mirrored else 1.0
    x = (1.0 + flip * (offset @ right) * scale / half_x) * (width / 2)
    y = (1.0 - (offset @ up) * scale / half_y) * (height / 2)
    return np.stack([x, y], axis=-1), depth


def _across(camera: Camera, pixels: npt.ArrayLike, size: Size) -> FloatArray:
    """Offset from the view's axis to what each pixel shows at the target's depth, (..., 3) metres."""
    width, height = _extent(size)
    half_x, half_y = half_extent(camera, size)
    right, up, _ = axes(camera)
    flip = -1.0 if camera.mirrored else 1.0
    at = np.asarray(pixels, dtype=np.float64)
    x = flip * (at[..., 0] / (width / 2) - 1.0) * half_x
    y = (1.0 - at[..., 1] / (height / 2)) * half_y
    return x[..., None] * right + y[..., None] * up


def unproject(camera: Camera, pixels: npt.ArrayLike, depth: npt.ArrayLike, size: Size) -> FloatArray:
    """World points (..., 3) seen at `pixels` (..., 2) at `depth` (...) metres; inverse of `project`."""
    deep = np.asarray(depth, dtype=np.float64)[..., None]
    across = _across(camera, pixels, size)
    if not camera.orthographic:
        across = across * (deep / camera.distance)
    return eye(camera) + across + deep * axes(camera)[2]


def ray(camera: Camera, pixel: Pixel, size: Size) -> tuple[FloatArray, FloatArray]:
    """Origin and unit direction (3,) of the ray through a pixel.

    An orthographic ray starts at the near plane, behind the eye's own plane.
    """
    across = _across(camera, pixel, size)
    _, _, forward = axes(camera)
    if camera.orthographic:
        return eye(camera) + across + forward * clip_range(camera)[0], forward
    direction = across + forward * camera.distance
    return eye(camera), direction / sqrt(float(direction @ direction))


def metres_per_pixel(camera: Camera, points: npt.ArrayLike, size: Size) -> FloatArray:
    """Size of one logical pixel at world points (..., 3): what makes a gizmo of constant size."""
    at = np.asarray(points, dtype=np.float64)
    _, half_y = half_extent(camera, size)
    scale = 2.0 * half_y / _extent(size)[1]
    if camera.orthographic:
        return np.full(at.shape[:-1], scale)
    depth = (at - eye(camera)) @ axes(camera)[2]
    near = clip_range(camera)[0]
    return np.asarray(np.maximum(depth, near) * (scale / camera.distance))


def orbit(camera: Camera, yaw: float, pitch: float) -> Camera:
    """Turn about the target by radians; pitch stops straight above and below. The horizon becomes level."""
    return replace(camera, roll=0.0, yaw=camera.yaw + yaw, pitch=camera.pitch + pitch)


def orbit_pixels(camera: Camera, dx: float, dy: float) -> Camera:
    """Turn as a drag of `dx`, `dy` logical pixels asks for: the scene follows the pointer."""
    flip = -1.0 if camera.mirrored else 1.0
    return orbit(camera, -flip * dx * ORBIT_RADIANS_PER_PIXEL, dy * ORBIT_RADIANS_PER_PIXEL)


def pan(camera: Camera, dx: float, dy: float, size: Size) -> Camera:
    """Shift sideways so that what lies at the target's depth follows a drag of (dx, dy) pixels."""
    shift = _across(camera, (0.0, 0.0), size) - _across(camera, (dx, dy), size)
    return replace(camera, target=_vector(np.asarray(camera.target) + shift))


def dolly(camera: Camera, factor: float, size: Size, cursor: Pixel | None = None) -> Camera:
    """Multiply the distance; what lies under `cursor` at the target's depth stays under it.

    Parameters
    ----------
    factor : below 1 comes closer; not positive or not finite leaves the camera as it is
    cursor : logical pixels; None is the middle of the view
    """
    if not isfinite(factor) or factor <= 0.0:
        return camera
    distance = _clamp(camera.distance * factor, MIN_DISTANCE, MAX_DISTANCE)
    target = np.asarray(camera.target)
    if cursor is not None:
        target = target + (1.0 - distance / camera.distance) * _across(camera, cursor, size)
    return replace(camera, target=_vector(target), distance=distance)


def frame(
    camera: Camera, low: npt.ArrayLike, high: npt.ArrayLike, size: Size, margin: float = 1.15
) -> Camera:
    """Look at the middle of a box from as near as shows all of it.

    Parameters
    ----------
    low, high : (3,) corners of the box, world metres; smaller than 5 cm is treated as 5 cm
    margin : room around it, as a factor

    Raises
    ------
    ValidationError
        When a corner is not finite.
    """
    a, b = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValidationError(f"frame: expected finite corners, got {a.tolist()} and {b.tolist()}")
    middle, half = (a + b) / 2, np.maximum(np.abs(b - a) / 2, 0.025)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    right, up, forward = axes(camera)
    corners = signs * half
    width, height = _extent(size)
    tan_y = tan(camera.fov / 2)
    tan_x = tan_y * width / height
    need = np.maximum(np.abs(corners @ right) / tan_x, np.abs(corners @ up) / tan_y) * margin
    if not camera.orthographic:
        need = need - corners @ forward
    return replace(camera, target=_vector(middle), distance=float(need.max()))


def standard_view(camera: Camera, view: View, orthographic: bool = True) -> Camera:
    """Look along an axis at the same target from the same distance."""
    yaw, pitch = view.value
    return replace(camera, yaw=yaw, pitch=pitch, orthographic=orthographic, roll=0.0)


def view_name(camera: Camera) -> View | None:
    """The standard view the camera stands in, if any (within a thousandth of a radian)."""
    for view in View:
        yaw, pitch = view.value
        if (
            camera.roll == 0.0
            and abs(wrap_angle(camera.yaw - yaw)) < 1e-3
            and abs(camera.pitch - pitch) < 1e-3
        ):
            return view
    return None


def opposite(camera: Camera) -> Camera:
    """Look from the other side."""
    return replace(camera, yaw=camera.yaw + pi, pitch=-camera.pitch, roll=-camera.roll)


def interpolate(a: Camera, b: Camera, t: float) -> Camera:
    """The camera a fraction `t` of the way, eased at both ends, turning the short way round.

    A move to or from a parallel projection is perspective on the way: it reads better.
    """
    if t <= 0.0:
        return a
    if t >= 1.0:
        return b
    s = t * t * (3.0 - 2.0 * t)
    target = np.asarray(a.target) + s * (np.asarray(b.target) - np.asarray(a.target))
    return Camera(
        target=_vector(target),
        yaw=a.yaw + s * wrap_angle(b.yaw - a.yaw),
        pitch=a.pitch + s * (b.pitch - a.pitch),
        distance=exp(log(a.distance) + s * (log(b.distance) - log(a.distance))),
        fov=a.fov + s * (b.fov - a.fov),
        orthographic=a.orthographic and b.orthographic,
        mirrored=b.mirrored,
        roll=a.roll + s * wrap_angle(b.roll - a.roll),
    )


def _vector(values: FloatArray) -> Vector:
    return float(values[0]), float(values[1]), float(values[2])
