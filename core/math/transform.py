"""Transforms as translation, rotation, scale, and as 4×4 matrices (column vectors).

A point maps to ``t + q·(s∘p)``; parent∘child is
``t = tp + qp·(sp∘tc)``, ``q = qp*qc``, ``s = sp∘sc`` (spec: evaluation, Conventions).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math import quat
from core.math.vectors import unit


class Transform(NamedTuple):
    """Translations ``(..., 3)`` in metres, unit rotations ``(..., 4)``, scales ``(..., 3)``."""

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray


IDENTITY = Transform(np.zeros(3), quat.IDENTITY, np.ones(3))


def compose(parent: Transform, child: Transform) -> Transform:
    """``parent ∘ child``; exact where the parent's scale is uniform, else see `to_matrix`."""
    return Transform(
        parent.translation + quat.rotate(parent.rotation, parent.scale * child.translation),
        quat.multiply(parent.rotation, child.rotation),
        parent.scale * child.scale,
    )


def inverse(transform: Transform) -> Transform:
    """Inverse of a transform with uniform, non-zero scale (zero is treated as one)."""
    rotation = quat.conjugate(transform.rotation)
    scale = 1.0 / np.where(transform.scale == 0.0, 1.0, transform.scale)
    return Transform(scale * quat.rotate(rotation, -transform.translation), rotation, scale)


def apply(transform: Transform, points: npt.ArrayLike) -> FloatArray:
    """Transform points ``(..., 3)``."""
    moved: FloatArray = transform.translation + quat.rotate(
        transform.rotation, transform.scale * np.asarray(points, dtype=np.float64)
    )
    return moved


def to_matrix(transform: Transform) -> FloatArray:
    """Matrices ``(..., 4, 4)``."""
    upper = quat.to_matrix(transform.rotation) * np.asarray(transform.scale)[..., None, :]
    matrix = np.zeros((*upper.shape[:-2], 4, 4))
    matrix[..., :3, :3] = upper
    matrix[..., :3, 3] = transform.translation
    matrix[..., 3, 3] = 1.0
    return matrix


def from_matrix(matrix: npt.ArrayLike) -> Transform:
    """Split affine matrices ``(..., 4, 4)`` into translation, rotation, scale.

    Shear is dropped: columns are orthogonalised in x, y, z order. A mirrored matrix gets a
    negative x scale. Columns of zero length keep a zero scale and an axis that completes the
    basis.
    """
    array = np.asarray(matrix, dtype=np.float64)
    upper = array[..., :3, :3]
    scale = np.linalg.norm(upper, axis=-2)
    mirrored = np.linalg.det(upper) < 0.0
    scale[..., 0] = np.where(mirrored, -scale[..., 0], scale[..., 0])
    return Transform(np.array(array[..., :3, 3]), quat.from_matrix(_basis(upper, mirrored)), scale)


def _basis(upper: FloatArray, mirrored: npt.NDArray[np.bool_]) -> FloatArray:
    """Right-handed orthonormal matrices nearest the columns, x kept, then y."""
    x = unit(upper[..., 0], np.array([1.0, 0.0, 0.0]))
    x = np.where(mirrored[..., None], -x, x)
    aside = np.where(np.abs(x[..., 1:2]) < 0.9, np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    fallback = unit(aside - np.sum(aside * x, axis=-1, keepdims=True) * x, aside)
    y = upper[..., 1]
    length = np.linalg.norm(y, axis=-1, keepdims=True)
    y = np.where(length > 1e-12, y / np.where(length > 1e-12, length, 1.0), fallback)
    y = unit(y - np.sum(y * x, axis=-1, keepdims=True) * x, fallback)
    return np.stack((x, y, np.cross(x, y)), axis=-1)


def down_chain(parents: npt.ArrayLike, local: Transform) -> Transform:
    """Local transforms ``(..., B, k)`` carried down the hierarchy to model space.

    Parameters
    ----------
    parents : ``(B,)`` parent before child, −1 for roots
    """
    translation = np.array(local.translation, dtype=np.float64)
    rotation = np.array(local.rotation, dtype=np.float64)
    scale = np.array(local.scale, dtype=np.float64)
    above_of = np.asarray(parents)
    for bones in generations(above_of)[1:]:
        above = above_of[bones]
        (translation[..., bones, :], rotation[..., bones, :], scale[..., bones, :]) = compose(
            Transform(translation[..., above, :], rotation[..., above, :], scale[..., above, :]),
            Transform(translation[..., bones, :], rotation[..., bones, :], scale[..., bones, :]),
        )
    return Transform(translation, rotation, scale)


def rotations_down_chain(parents: npt.ArrayLike, local: npt.ArrayLike) -> FloatArray:
    """Local rotations ``(..., B, 4)`` carried down to model space: those of `down_chain`, without places and sizes."""
    rotation = np.array(local, dtype=np.float64)
    above_of = np.asarray(parents)
    for bones in generations(above_of)[1:]:
        rotation[..., bones, :] = quat.multiply(rotation[..., above_of[bones], :], rotation[..., bones, :])
    return rotation


def generations(parents: npt.ArrayLike) -> list[npt.NDArray[np.intp]]:
    """Numbers of the bones by how many are above them: the roots first, each list rising; none without bones.

    The arrays are shared by all who ask for the same hierarchy, and cannot be written to.

    Parameters
    ----------
    parents : ``(B,)`` parent before child, −1 for roots
    """
    return list(_generations(np.asarray(parents, dtype=np.int64).tobytes()))


@lru_cache(maxsize=64)
def _generations(parents: bytes) -> tuple[npt.NDArray[np.intp], ...]:
    """Kept, since a few skeletons are asked for all the time."""
    depth: list[int] = []
    for parent in np.frombuffer(parents, dtype=np.int64).tolist():
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
    order = np.argsort(depth, kind="stable")
    order.flags.writeable = False
    return tuple(np.split(order, np.cumsum(np.bincount(depth))[:-1])) if depth else ()
