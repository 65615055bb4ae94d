"""Where a ray meets the posed mesh, and which bone moves that place. Free of Qt and OpenGL."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from editor.gl.camera import Camera, Pixel, Size, ray
from editor.gl.cpu_skin import skin_positions
from editor.gl.draw_list import MeshInstance


@dataclass(frozen=True, slots=True)
class MeshHit:
    """The nearest place a ray meets.

    Parameters
    ----------
    instance : number of the mesh in the sequence given
    triangle : number within its geometry
    point : (3,) world metres
    distance : metres along the ray
    bone : the bone with most weight there; 0 for a mesh without weights
    """

    instance: int
    triangle: int
    point: FloatArray
    distance: float
    bone: int


def pick_mesh(meshes: Sequence[MeshInstance], camera: Camera, size: Size, pixel: Pixel) -> MeshHit | None:
    """The nearest place under a pixel, or None."""
    origin, direction = ray(camera, pixel, size)
    return cast_ray(meshes, origin, direction)


def cast_ray(meshes: Sequence[MeshInstance], origin: FloatArray, direction: FloatArray) -> MeshHit | None:
    """The nearest place in front of `origin` where a ray (unit direction) meets a mesh, or None."""
    best: MeshHit | None = None
    for number, instance in enumerate(meshes):
        hit = _cast_one(instance, origin, direction)
        if hit is not None and (best is None or hit[1] < best.distance):
            triangle, distance, shares = hit
            bone = _dominant_bone(instance, triangle, shares)
            best = MeshHit(number, triangle, origin + direction * distance, distance, bone)
    return best


def _cast_one(
    instance: MeshInstance, origin: FloatArray, direction: FloatArray
) -> tuple[int, float, FloatArray] | None:
    """Triangle, distance and barycentric shares of the nearest hit.

    Vertices are laid into a frame whose third axis is the ray; a triangle is met when the origin of
    the first two lies within it.
    """
    triangles = instance.geometry.triangles
    if not len(triangles):
        return None
    side = np.cross(direction, np.eye(3)[int(np.argmin(np.abs(direction)))])
    side /= np.linalg.norm(side)
    frame = np.stack([side, np.cross(direction, side), direction], axis=1)
    local = (skin_positions(instance) - origin) @ frame
    u, v = (np.ascontiguousarray(local[:, k])[triangles] for k in (0, 1))
    sides = [u[:, i] * v[:, j] - u[:, j] * v[:, i] for i, j in ((1, 2), (2, 0), (0, 1))]
    low, high = np.minimum(np.minimum(*sides[:2]), sides[2]), np.maximum(np.maximum(*sides[:2]), sides[2])
    met = np.flatnonzero((low >= 0) | (high <= 0))
    if not len(met):
        return None
    shares = np.stack([s[met] for s in sides], axis=1)
    total = shares.sum(axis=1)
    met, shares, total = met[total != 0], shares[total != 0], total[total != 0]
    shares = shares / total[:, None]
    distance = np.einsum("nk,nk->n", shares, local[triangles[met], 2])
    ahead = distance > 0
    if not ahead.any():
        return None
    nearest = int(np.argmin(np.where(ahead, distance, np.inf)))
    return int(met[nearest]), float(distance[nearest]), shares[nearest]


def _dominant_bone(instance: MeshInstance, triangle: int, shares: FloatArray) -> int:
    geometry = instance.geometry
    if geometry.bones is None or geometry.weights is None:
        return 0
    corners = geometry.triangles[triangle]
    weight = geometry.weights[corners] * shares[:, None]
    return int(np.bincount(geometry.bones[corners].reshape(-1), weight.reshape(-1)).argmax())
