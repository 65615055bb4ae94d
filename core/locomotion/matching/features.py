"""Features of a frame: where the feet are and how they move, how the hips move, and where the path goes.

In the frame of the root (on the ground, facing +Z): metres and m/s; facings are unit vectors (x, z).
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.locomotion.matching.frames import AHEAD, Frames
from core.locomotion.setup import H

TIMES = (20, 40, 60)
"""Steps of 1/60 s ahead at which the path is looked at: 0.33, 0.67 and 1 s."""
GROUPS = (
    ("places of the feet", 6),
    ("speeds of the feet", 6),
    ("speed of the hips", 3),
    ("places of the path", 2 * len(TIMES)),
    ("facings of the path", 2 * len(TIMES)),
)
"""What the features are of, and how many each."""
COUNT = sum(count for _, count in GROUPS)
POSE = 15
"""Features without the path."""


def raw_features(frames: Frames) -> FloatArray:
    """Features ``(n, 27)`` of every frame, not weighted."""
    count, path = len(frames), frames.path
    seen = np.arange(count)
    points = _velocity_points(frames)
    yaw = path[:count, 2]
    moved = (points[2:] - points[:-2]) / (2.0 * frames.seconds)
    if not frames.looping:  # the ends have no frame on one side
        moved[0] = (points[2] - points[1]) / frames.seconds
        moved[-1] = (points[-2] - points[-3]) / frames.seconds
    speeds = into_root(moved, yaw[:, None])
    columns = [frames.points[:, 1:].reshape(count, 6), speeds[:, 1:].reshape(count, 6), speeds[:, 0]]
    later = [_later(frames, ahead * H / frames.seconds) for ahead in TIMES]
    for place in later:
        flat = np.zeros((count, 3))
        flat[:, [0, 2]] = place[:, :2] - path[seen, :2]
        columns.append(into_root(flat, yaw)[:, [0, 2]])
    for place in later:
        turned = place[:, 2] - yaw
        columns.append(np.stack([np.sin(turned), np.cos(turned)], axis=1))
    return np.concatenate(columns, axis=1)


def _later(frames: Frames, ahead: float) -> FloatArray:
    """The path ``(n, 3)`` some frames on, between two frames where need be."""
    at = min(ahead, AHEAD - 1e-6)
    whole, share = int(at), at - int(at)
    count, path = len(frames), frames.path
    first, second = path[whole : whole + count], path[whole + 1 : whole + 1 + count]
    if len(second) < count:
        second = np.concatenate([second, path[-1:]])
    found: FloatArray = first + (second - first) * share
    return found


def _velocity_points(frames: Frames) -> FloatArray:
    """Points ``(n + 2, 3, 3)`` in the world of the path, from the frame before the first to that after the last."""
    count, path = len(frames), frames.path
    order = np.arange(-1, count + 1)
    way = np.concatenate([path[:1], path[: count + 1]])
    if frames.looping:
        order = order % count
        back = path[1] - path[0]
        if len(path) > count:  # the frame before the first: one loop earlier than the last
            turn = path[count, 2] - path[0, 2]
            gone = np.zeros((1, 3))
            gone[0, [0, 2]] = path[count - 1, :2] - path[count, :2]
            flat = into_root(gone, np.array([turn]))[0]
            back = np.array([-flat[0], -flat[2], path[count, 2] - path[count - 1, 2]])
        way[0] = path[0] - back
    else:
        order = np.clip(order, 0, count - 1)
        way[-1] = path[count - 1]
    return out_of_root(frames.points[order], way)


def into_root(vectors: FloatArray, yaw: FloatArray) -> FloatArray:
    """Vectors ``(…, 3)`` of the world in the frame of a root that faces along yaws ``(…)`` in radians."""
    s, c = np.sin(yaw), np.cos(yaw)
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.stack([c * x - s * z, y, s * x + c * z], axis=-1)


def out_of_root(points: FloatArray, path: FloatArray) -> FloatArray:
    """Points ``(n, P, 3)`` of a root's frame in the world, by the root's x, z and yaw ``(n, 3)``."""
    s, c = np.sin(path[:, 2:3]), np.cos(path[:, 2:3])
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([path[:, 0:1] + c * x + s * z, y, path[:, 1:2] + c * z - s * x], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """What makes features comparable: minus `mean`, times `scale` ``(27,)``."""

    mean: FloatArray
    scale: FloatArray

    def __call__(self, raw: FloatArray) -> Float32Array:
        """Features ``(…, 27)`` as they are searched."""
        return ((raw - self.mean) * self.scale).astype(np.float32)


def scaling_of(raw: FloatArray, weights: tuple[float, ...]) -> Scaling:
    """Of features ``(N, 27)``: each group's weight over the mean deviation of its features."""
    mean, deviation = raw.mean(axis=0), raw.std(axis=0)
    scale = np.zeros(raw.shape[1])
    first = 0
    for (_, count), weight in zip(GROUPS, weights, strict=True):
        own = slice(first, first + count)
        scale[own] = weight / max(float(deviation[own].mean()), 1e-6)
        first += count
    return Scaling(mean, scale)
