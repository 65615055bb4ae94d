"""Where the parts of a body plan are: their bones, and the rest pose and skin around them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.math import transform
from core.math.transform import down_chain
from core.rig.body_plan import Vector
from core.rig.body_shares import Part
from core.rig.mesh import Mesh
from core.rig.skeleton import Skeleton

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part is: its bone, and the bone that the next body begins at."""

    part: Part
    side: int
    bone: str
    following: str | None = None


def rest_model(skeleton: Skeleton) -> transform.Transform:
    return down_chain(skeleton.parents, skeleton.rest)


def riding(skeleton: Skeleton, bones: Sequence[str]) -> FloatArray:
    """Which of some bones (by place in the list) each bone of the skeleton rides on, −1 for none."""
    numbers = {skeleton.index(bone): number for number, bone in enumerate(bones)}
    ride = np.full(len(skeleton), -1)
    for bone in range(len(skeleton)):
        parent = skeleton.parent(bone)
        ride[bone] = numbers.get(bone, ride[parent] if parent >= 0 else -1)
    return ride


def strongest(skeleton: Skeleton, meshes: Sequence[Mesh]) -> tuple[FloatArray, FloatArray]:
    """Rest positions ``(V, 3)`` of all vertices, and the bone ``(V,)`` that each follows most."""
    matrices = transform.to_matrix(rest_model(skeleton))
    points: list[FloatArray] = []
    owners: list[FloatArray] = []
    for mesh in meshes:
        numbers = np.array(
            [-1 if (b := skeleton.find(name)) is None else b for name in mesh.bones], dtype=int
        )
        if not len(mesh.positions) or not len(numbers):
            continue
        strongest = mesh.influences[np.arange(len(mesh.positions)), np.argmax(mesh.weights, axis=1)]
        bones = numbers[strongest]
        placed = matrices[bones] @ mesh.inverse_bind[strongest]
        there = (
            np.einsum("vij,vj->vi", placed[:, :3, :3], mesh.positions.astype(np.float64)) + placed[:, :3, 3]
        )
        points.append(there[bones >= 0])
        owners.append(bones[bones >= 0])
    if not points:
        return np.zeros((0, 3)), np.zeros(0, dtype=int)
    return np.concatenate(points), np.concatenate(owners)


def away_from(points: FloatArray, origin: FloatArray, along: FloatArray) -> FloatArray:
    """Distances of points from a line."""
    apart = points - origin
    away: FloatArray = np.linalg.norm(apart - (apart @ along)[:, None] * along, axis=1)
    return away


def vector(values: Sequence[float] | FloatArray) -> Vector:
    x, y, z = (float(v) + 0.0 for v in values)
    return x, y, z
