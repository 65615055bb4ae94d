"""Small shaded pictures of a posed character without OpenGL, for thumbnails that are made on any thread.

Points spread over the triangles are written into a picture of depths; where the nearest one lies, it gives colour and
light. That is coarse and quick: a thumbnail of a hundred pixels takes some milliseconds. Free of Qt and OpenGL.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import ByteArray, FloatArray, IndexArray
from editor.gl.camera import Camera, axes

FINER = 2
"""Each way a pixel is made of so many: that smooths the outline."""
POINTS_A_CELL = 6.0
MOST_POINTS = 120_000
MARGIN = 0.06
LIGHT = (-0.35, 0.75, 0.55)
"""Where the light is: right, up, and towards the eye."""


class Sheet(NamedTuple):
    """Triangles of one colour each.

    Parameters
    ----------
    corners : (T, 3, 3) world metres
    colors : (T, 3) display-encoded, 0..1
    """

    corners: FloatArray
    colors: FloatArray


def sketch(sheets: Sequence[Sheet], yaw: float, pitch: float, edge: int) -> ByteArray:
    """What is seen from a direction, as large as the picture allows, on nothing ``(edge, edge, 4)`` uint8.

    Parameters
    ----------
    yaw, pitch : radians, as of `editor.gl.camera.Camera`; the projection is parallel
    edge : pixels each way
    """
    fine = edge * FINER
    corners = np.concatenate([np.zeros((0, 3, 3)), *(sheet.corners for sheet in sheets)])
    colors = np.concatenate([np.zeros((0, 3)), *(sheet.colors for sheet in sheets)])
    usable = np.isfinite(corners).all(axis=(1, 2))
    corners, colors = corners[usable], colors[usable]
    if not len(corners):
        return np.zeros((edge, edge, 4), np.uint8)
    right, up, look = axes(Camera(yaw=yaw, pitch=pitch, orthographic=True))
    seen = corners @ np.stack([right, up, -np.asarray(look)], axis=1)  # right, up, towards the eye
    low, high = seen[..., :2].min(axis=(0, 1)), seen[..., :2].max(axis=(0, 1))
    size = max(float((high - low).max()), 1e-9) / (1.0 - 2.0 * MARGIN)
    cells = (seen[..., :2] - (low + high) / 2) * (fine / size) + fine / 2
    points, which = _spread(np.concatenate([cells, seen[..., 2:]], axis=2))
    behind = _away(seen)[which] * 0.02 * size  # the inside of a closed surface never shows between its points
    points[:, 2] -= behind
    return _smoothed(_drawn(points, which, _lit(seen, colors), fine), edge)


def _away(seen: FloatArray) -> FloatArray:
    """1 for triangles ``(T,)`` that turn their back to the eye, else 0."""
    first, second = seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0]
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0] < 0.0, np.float64)


def _lit(seen: FloatArray, colors: FloatArray) -> FloatArray:
    """Colours ``(T, 3)`` of triangles under a light that travels with the eye; both sides are lit."""
    normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-20)
    normal *= np.where(normal[:, 2:] < 0.0, -1.0, 1.0)
    way = np.array(LIGHT) / np.linalg.norm(LIGHT)
    light = 0.42 + 0.62 * np.clip(0.25 + 0.75 * (normal @ way), 0.0, 1.0)
    return np.asarray(np.clip(colors * light[:, None], 0.0, 1.0))


def _spread(corners: FloatArray) -> tuple[FloatArray, IndexArray]:
    """Points ``(N, 3)`` on triangles whose first two coordinates are cells, and the triangle of each."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    wanted = POINTS_A_CELL * area
    wanted *= min(1.0, MOST_POINTS / max(float(wanted.sum()), 1.0))
    random = np.random.default_rng(1)
    count = np.maximum(np.floor(wanted + random.random(len(wanted))), 1.0).astype(np.int64)
    which = np.repeat(np.arange(len(corners)), count)
    a, b = random.random((2, len(which)))
    fold = a + b > 1.0
    a[fold], b[fold] = 1.0 - a[fold], 1.0 - b[fold]
    return corners[which, 0] + a[:, None] * first[which] + b[:, None] * second[which], which


def _drawn(points: FloatArray, which: IndexArray, colors: FloatArray, fine: int) -> FloatArray:
    """The nearest point's colour in each cell, and whether there is one ``(fine, fine, 4)``."""
    column, row = points[:, 0].astype(np.intp), fine - 1 - points[:, 1].astype(np.intp)
    inside = (column >= 0) & (column < fine) & (row >= 0) & (row < fine)
    cell, depth, which = (row * fine + column)[inside], points[inside, 2], which[inside]
    order = np.argsort(depth)  # the nearest is written last
    picture = np.zeros((fine * fine, 4))
    picture[cell[order], :3] = colors[which[order]]
    picture[cell[order], 3] = 1.0
    return _closed(picture.reshape(fine, fine, 4))


def _closed(picture: FloatArray) -> FloatArray:
    """Cells that were missed between others take the mean of those beside them."""
    padded = np.pad(picture * picture[..., 3:], ((1, 1), (1, 1), (0, 0)))
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    missed = (picture[..., 3] == 0.0) & (around[..., 3] >= 3.0)
    picture[missed, :3] = around[missed, :3] / around[missed, 3:]
    picture[missed, 3] = 1.0
    return picture


def _smoothed(picture: FloatArray, edge: int) -> ByteArray:
    """Each pixel the mean of its cells; colours are not darkened by the empty ones."""
    blocks = picture.reshape(edge, FINER, edge, FINER, 4)
    cover = blocks[..., 3].mean(axis=(1, 3))
    color = (blocks[..., :3] * blocks[..., 3:]).mean(axis=(1, 3)) / np.maximum(cover, 1e-9)[..., None]
    whole: npt.NDArray[np.float64] = np.concatenate([color, cover[..., None]], axis=2)
    return np.rint(255.0 * whole).astype(np.uint8)
