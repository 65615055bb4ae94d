"""Camera, colors and comparisons of the renderer's tests."""

import numpy as np

from editor.gl.bone_geometry import unit_sphere
from editor.gl.camera import Camera
from editor.gl.capture import OffscreenRenderer
from editor.gl.draw_list import (
    DrawList,
    MeshGeometry,
)

SIZE = (320, 220)


CAMERA = Camera(target=(0, 0.85, 0), yaw=0.6, pitch=0.25, distance=3.6)


WHITE = np.ones((1, 4))


def picture(view: OffscreenRenderer, frame: DrawList, camera=CAMERA, size=SIZE, **more) -> np.ndarray:
    return view.render(frame, camera, size, **more)[..., :3].astype(np.int16)


def changed(a: np.ndarray, b: np.ndarray, least: int = 12) -> np.ndarray:
    return np.abs(a - b).max(axis=2) >= least


def color_at(image: np.ndarray, pixel: np.ndarray, ratio: float = 1.0) -> np.ndarray:
    x, y = (np.asarray(pixel) * ratio).astype(int)
    return image[y, x]


def ball(scale=(1.0, 1.0, 1.0), key: str = "ball") -> MeshGeometry:
    """An ellipsoid whose normals were computed from its own formula."""
    rows = unit_sphere(24, 32).astype(np.float64)
    points = rows[:, :3] * scale
    normals = rows[:, :3] / scale
    keep = np.arange(len(points)).reshape(-1, 3)
    return MeshGeometry((key, scale), points, normals, keep)
