"""Blending poses (spec: blending, Weighted poses), over any leading axes."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import kernels, quat
from core.math.transform import Transform
from core.pose.pose import Pose, require_same_rig


def checked_weights(weights: npt.ArrayLike) -> FloatArray:
    """Weights ``(n, ...)`` made to sum to 1 along the first axis.

    Raises
    ------
    ValidationError
        A weight that is negative or not finite, or weights that are all zero.
    """
    array = np.asarray(weights, dtype=np.float64)
    if not np.isfinite(array).all() or (array < 0.0).any():
        raise ValidationError(f"blend weights: expected numbers of 0 or more, got {array}")
    total = array.sum(axis=0)
    if (total <= 0.0).any():
        raise ValidationError("blend weights: at least one must be above 0")
    normalised: FloatArray = array / total
    return normalised


def weighted(parts: Sequence[Transform], weights: npt.ArrayLike) -> Transform:
    """Weighted sum of local transforms ``(..., B, k)``.

    Translations and scales are summed; rotations accumulate with the sign that agrees with the
    first and are normalised. A part of weight 1 comes back exactly.

    Parameters
    ----------
    weights : ``(n, ...)``: a number a part, or an array that broadcasts over ``(..., B)``
    """
    shares = checked_weights(weights)
    if shares.ndim == 1:
        for part, share in zip(parts, shares, strict=True):
            if share == 1.0:
                return part
    found = _by_kernel(parts, shares)
    if found is not None:
        return found
    with kernels.twin():
        return _by_numpy(parts, shares)


def _by_kernel(parts: Sequence[Transform], shares: FloatArray) -> Transform | None:
    """Batches ``(T, B, k)`` under one weight a part and pose; None where these or the kernel are not there."""
    shape = parts[0].rotation.shape
    plain = len(shape) == 3 and shares.shape in ((len(parts),), (len(parts), shape[0], 1))
    loaded = kernels.compiled() if plain else None
    if loaded is None or any(part.rotation.shape != shape for part in parts):
        return None
    kept = [[np.ascontiguousarray(a, dtype=np.float64) for a in part] for part in parts]
    addresses = np.array([[a.ctypes.data for a in part] for part in kept], dtype=np.int64)
    count, bones = shape[:2]
    by_pose = np.broadcast_to(shares.reshape(len(parts), -1), (len(parts), count))
    out = [np.empty((count, bones * width)) for width in (3, 4, 3)]
    loaded.blend.weighted(addresses, np.ascontiguousarray(by_pose), *out)
    return Transform(*(a.reshape(count, bones, w) for a, w in zip(out, (3, 4, 3), strict=True)))


def _by_numpy(parts: Sequence[Transform], shares: FloatArray) -> Transform:
    """The twin of the kernel, for weights of any shape."""
    columns = [share[..., None] if share.ndim else share for share in shares]
    translation = sum(c * p.translation for c, p in zip(columns, parts, strict=True))
    scale = sum(c * p.scale for c, p in zip(columns, parts, strict=True))
    first = parts[0].rotation
    rotation = sum(c * quat.aligned(p.rotation, first) for c, p in zip(columns, parts, strict=True))
    return Transform(np.asarray(translation), quat.normalise(rotation), np.asarray(scale))


def weighted_values(values: Sequence[Mapping[str, float]], weights: npt.ArrayLike) -> dict[str, float]:
    """Curves or morph weights blended by the same weights; one that is missing counts as 0."""
    shares = checked_weights(weights)
    names = dict.fromkeys(name for table in values for name in table)
    return {
        name: float(sum(share * table.get(name, 0.0) for share, table in zip(shares, values, strict=True)))
        for name in names
    }


def blend(poses: Sequence[Pose], weights: npt.ArrayLike) -> Pose:
    """Weighted pose of one rig; the order of the poses does not matter beyond rounding.

    Raises
    ------
    ValidationError
        Poses of different rigs, no pose at all, or weights that cannot be normalised.
    """
    if not poses:
        raise ValidationError("blend: expected at least one pose")
    require_same_rig(*poses)
    local = weighted([pose.local for pose in poses], weights)
    return Pose(
        poses[0].rig,
        *local,
        weighted_values([pose.curves for pose in poses], weights),
        weighted_values([pose.morphs for pose in poses], weights),
    )


def between(a: Transform, b: Transform, alpha: npt.ArrayLike) -> Transform:
    """From `a` (0) toward `b` (1) and beyond, for tweens and breakdowns; exact at 0 and 1.

    Rotations go along the one great arc (shortest way), so −0.5 and 1.5 are overshoots by half.

    Parameters
    ----------
    alpha : a number, or weights that broadcast over ``(..., B)``
    """
    share = np.asarray(alpha, dtype=np.float64)
    if share.ndim == 0 and float(share) in (0.0, 1.0):
        return b if share else a
    column = share[..., None]
    turn = quat.to_rotation_vector(quat.multiply(b.rotation, quat.conjugate(a.rotation)))
    rotation = quat.normalise(quat.multiply(quat.from_rotation_vector(turn * column), a.rotation))
    mixed = Transform(
        a.translation + column * (b.translation - a.translation),
        rotation,
        a.scale + column * (b.scale - a.scale),
    )
    if share.ndim == 0:
        return mixed
    stay, arrive = column == 0.0, column == 1.0
    return Transform(
        *(np.where(stay, x, np.where(arrive, y, z)) for x, y, z in zip(a, b, mixed, strict=True))
    )
