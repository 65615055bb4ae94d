"""Distances and overlaps in the plane of the screen, vectorised. Free of Qt and OpenGL."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray

BoolArray = npt.NDArray[np.bool_]


def distance_to_segments(point: FloatArray, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distance (N,) from a point (2,) to segments a..b (N, 2), and where along them (N,), 0..1.

    A segment without length is a point.
    """
    run = b - a
    square = np.einsum("ni,ni->n", run, run)
    t = np.clip(np.einsum("ni,ni->n", point - a, run) / np.maximum(square, 1e-18), 0.0, 1.0)
    off = point - a - t[:, None] * run
    return np.sqrt(np.einsum("ni,ni->n", off, off)), t


def inside_triangles(point: FloatArray, corners: FloatArray) -> BoolArray:
    """Which triangles (N, 3, 2) hold a point (2,), border included, whichever way they wind."""
    edge = np.roll(corners, -1, axis=1) - corners
    to = point - corners
    side = edge[..., 0] * to[..., 1] - edge[..., 1] * to[..., 0]
    flat = np.abs(_cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])) < 1e-9
    return ((side >= 0).all(axis=1) | (side <= 0).all(axis=1)) & ~flat


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def segments_meet_rectangle(a: FloatArray, b: FloatArray, low: FloatArray, high: FloatArray) -> BoolArray:
    """Which segments a..b (N, 2) have a point within the rectangle low..high (2,), border included.

    The Liang-Barsky clip: the segment is cut by the four half planes in turn.
    """
    run = b - a
    enter, leave = np.zeros(len(a)), np.ones(len(a))
    for k in range(2):
        still = np.abs(run[:, k]) < 1e-12
        safe = np.where(still, 1.0, run[:, k])
        t0, t1 = (low[k] - a[:, k]) / safe, (high[k] - a[:, k]) / safe
        enter = np.where(still, enter, np.maximum(enter, np.minimum(t0, t1)))
        leave = np.where(still, leave, np.minimum(leave, np.maximum(t0, t1)))
        outside = still & ((a[:, k] < low[k]) | (a[:, k] > high[k]))
        leave = np.where(outside, -1.0, leave)
    return np.asarray(enter <= leave)
