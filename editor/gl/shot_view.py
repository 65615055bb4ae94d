"""What a camera of the shot sees, as the camera of a view: its picture fits into the view, whatever shape that has.

`frame_rectangle` tells where in a view the camera's picture is; what is drawn or laid over the picture uses it.
Free of Qt and OpenGL.
"""

from dataclasses import replace
from math import atan, atan2, hypot, tan

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.shot.camera import CameraView
from editor.gl.camera import Camera, Pixel, Size, axes, eye

FILL = 0.92
"""How much of the view the picture takes where it is looked through a camera."""
DISTANCE = 4.0
PARALLEL_FOV = 0.65
LEAST = 1e-9


def frame_rectangle(aspect: float, size: Size, fill: float = FILL) -> tuple[Pixel, Pixel]:
    """The upper left and lower right corner of a camera's picture within a view, in pixels of `size`.

    Parameters
    ----------
    aspect : width by height of the picture
    fill : how much of the view's width or height it takes; 1 for a recording
    """
    width, height = max(float(size[0]), 1.0), max(float(size[1]), 1.0)
    high = fill * min(height, width / aspect)
    wide = high * aspect
    left, top = (width - wide) / 2.0, (height - high) / 2.0
    return (left, top), (left + wide, top + high)


def camera_of(view: CameraView, size: Size, fill: float = FILL, distance: float = DISTANCE) -> Camera:
    """The camera of a view through which a camera of the shot is seen.

    Parameters
    ----------
    size : of the view, pixels
    distance : metres to what the view turns about; it sets how near is drawn
    """
    yaw, pitch, roll = angles_of(view.rotation)
    (_, top), (_, bottom) = frame_rectangle(view.aspect, size, fill)
    more = max(float(size[1]), 1.0) / (bottom - top)
    if view.height is not None:
        distance = more * view.height / 2.0 / tan(PARALLEL_FOV / 2.0)
        base = Camera(yaw=yaw, pitch=pitch, distance=distance, fov=PARALLEL_FOV, orthographic=True, roll=roll)
    else:
        fov = 2.0 * atan(more * tan(view.fov / 2.0))
        base = Camera(yaw=yaw, pitch=pitch, distance=distance, fov=fov, roll=roll)
    return _from(base, view.position)


def _from(camera: Camera, position: FloatArray) -> Camera:
    """The camera with its eye at a place."""
    x, y, z = (float(v) for v in np.asarray(position) + axes(camera)[2] * camera.distance)
    return replace(camera, target=(x, y, z))


def angles_of(rotation: FloatArray) -> tuple[float, float, float]:
    """Yaw, pitch and roll in radians of a camera that looks along its own −Z."""
    right, up, back = quat.to_matrix(np.asarray(rotation, dtype=np.float64)).T
    pitch = atan2(back[1], hypot(back[0], back[2]))
    if hypot(back[0], back[2]) < LEAST:  # straight up or down: all turning is yaw
        return atan2(-right[2], right[0]), pitch, 0.0
    level = Camera(yaw=atan2(back[0], back[2]), pitch=pitch)
    across, upward, _ = axes(level)
    return level.yaw, pitch, atan2(float(right @ upward), float(right @ across))


def rotation_of(camera: Camera) -> FloatArray:
    """The unit quaternion of a camera that looks along its own −Z."""
    right, up, forward = axes(camera)
    return quat.from_matrix(np.stack([right, up, -forward], axis=1))


def place_of(camera: Camera) -> tuple[FloatArray, FloatArray]:
    """Position and rotation with which a camera of the shot sees what a view does."""
    return eye(camera), rotation_of(camera)


def fov_within(camera: Camera, aspect: float, size: Size, fill: float = FILL) -> float:
    """Vertical field of view, radians, of the picture within a view; inverse of what `camera_of` does with it."""
    (_, top), (_, bottom) = frame_rectangle(aspect, size, fill)
    return 2.0 * atan(tan(camera.fov / 2.0) * (bottom - top) / max(float(size[1]), 1.0))
