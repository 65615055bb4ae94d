"""Cameras that move below other nodes: sampled in the world."""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray, IntArray
from core.math.transform import Transform, from_matrix, to_matrix
from core.shot.camera import ShotCamera, lens_of, sampled_camera
from core.timing import TIME_EPSILON, FrameRate

MOST_SAMPLES = 100_000


def camera_times(keys: Sequence[FloatArray], rate: FrameRate) -> FloatArray:
    """The times of keys and every whole frame between the first and the last of them; seconds, rising."""
    every = np.unique(np.concatenate([np.asarray(times, dtype=np.float64) for times in keys]))
    first, last = float(every[0]), float(every[-1])
    start = int(np.ceil(rate.to_frame(first)))
    count = int(min(rate.to_frame(last) - start, MOST_SAMPLES)) + 1
    grid = np.array([rate.to_seconds(start + n) for n in range(max(count, 0))])
    inside = grid[(grid > first) & (grid < last)]
    merged = np.unique(np.concatenate([every, inside]))
    keep = np.concatenate(([True], np.diff(merged) > TIME_EPSILON))
    return np.asarray(merged[keep], dtype=np.float64)


def chain_camera(
    camera: ShotCamera, parents: IntArray, local: Transform, times: FloatArray, rate: FrameRate
) -> ShotCamera:
    """A camera at the end of a chain of nodes.

    Parameters
    ----------
    local : transforms ``(T, N, k)`` of the nodes, the camera's last
    """
    matrices = to_matrix(local)
    world = matrices[:, 0]
    for node in range(1, matrices.shape[1]):
        world = world @ matrices[:, node]
    return world_camera(camera, world, np.full(len(times), camera.lens), times, rate)


def world_camera(
    camera: ShotCamera, world: FloatArray, lenses: FloatArray, times: FloatArray, rate: FrameRate | None
) -> ShotCamera:
    """A camera with world matrices ``(T, 4, 4)`` and focal lengths ``(T,)`` at times; scale and shear are dropped."""
    split = from_matrix(world)
    return sampled_camera(camera, times, split.translation, split.rotation, lenses, rate)


def lenses_of(fovs: FloatArray, side: float) -> FloatArray:
    """Focal lengths in millimetres ``(T,)`` of vertical fields of view in radians."""
    return np.array([lens_of(float(fov), side) for fov in fovs])
