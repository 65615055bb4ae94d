"""The whole skin: both halves joined, with normals, weights and two materials."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from resources.sample.motion.figure import other_side
from resources.sample.shape.surface import HalfSurface, load_surface
from resources.sample.weights import left_weights, rows

Index = NDArray[np.int64]
FLIP = np.array([-1.0, 1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Skin:
    """Both halves of the surface; ``light`` triangles stand before the dark ones."""

    points: FloatArray
    normals: FloatArray
    triangles: Index
    light: int
    joints: tuple[str, ...]
    influences: Index
    weights: FloatArray


def build_skin() -> Skin:
    """Join the stored left half with its mirror image; the seam's vertices are shared."""
    half: HalfSurface = load_surface()
    names, table = left_weights(half.points, half.triangles)
    away = np.flatnonzero(half.points[:, 0] > 0.0)
    image = np.arange(len(half.points))
    image[away] = len(half.points) + np.arange(len(away))
    points = np.concatenate([half.points, half.points[away] * FLIP])
    normals = np.concatenate([half.normals, half.normals[away] * FLIP])
    triangles = np.concatenate([half.triangles, image[half.triangles][:, ::-1]])
    dark = np.concatenate([half.dark, half.dark])
    order = np.argsort(dark, kind="stable")
    joints = (*names, *(other_side(n) for n in names if n.endswith("_l")))
    column = np.array([joints.index(other_side(n)) for n in names])
    influences, weights = rows(table)
    return Skin(
        points,
        normals,
        triangles[order],
        int((~dark).sum()),
        joints,
        np.concatenate([influences, column[influences][away]]),
        np.concatenate([weights, weights[away]]),
    )
