"""A path laid onto a drawn arc: places along the arc as the frames were spaced along the path. On the screen."""

import numpy as np

from core.arrays import FloatArray

SHORT = 4.0
"""Pixels below which a stroke is no arc."""


def along(points: FloatArray) -> FloatArray:
    """How far along a polyline ``(N, D)`` its points are, ``(N,)`` from 0 to 1; evenly where it has no length."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    total = steps.sum()
    if total <= 1e-9:
        return np.linspace(0.0, 1.0, len(points))
    return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]) / total, dtype=np.float64)


def covered(path: FloatArray, stroke: FloatArray) -> tuple[int, int, FloatArray]:
    """Which frames of a path a stroke is for, and the stroke in the path's direction.

    The frames between those nearest to its two ends; all, where both ends are nearest to one frame. A stroke drawn
    against the path's direction is turned about.

    Parameters
    ----------
    path : ``(T, 2)`` pixels, a frame each
    stroke : ``(N, 2)`` pixels, at least two

    Returns
    -------
    first, last, stroke
    """
    ends = [int(np.argmin(np.linalg.norm(path - end, axis=-1))) for end in (stroke[0], stroke[-1])]
    if ends[0] == ends[1]:
        there = np.linalg.norm(stroke[0] - path[0]) + np.linalg.norm(stroke[-1] - path[-1])
        back = np.linalg.norm(stroke[-1] - path[0]) + np.linalg.norm(stroke[0] - path[-1])
        return 0, len(path) - 1, stroke if there <= back else stroke[::-1]
    if ends[0] > ends[1]:
        return ends[1], ends[0], stroke[::-1]
    return ends[0], ends[1], stroke


def laid_onto(path: FloatArray, stroke: FloatArray) -> FloatArray:
    """Places ``(T, 2)`` on a stroke for the frames of a path ``(T, 2)``, which keep their spacing along it."""
    shares, marks = along(path), along(stroke)
    return np.stack([np.interp(shares, marks, stroke[:, axis]) for axis in range(stroke.shape[1])], axis=-1)
