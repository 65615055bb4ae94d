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

    Translations and scales are summed; rotations as `mean_rotation` says. A part of weight 1 comes
    back exactly.

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
    rotation = mean_rotation([p.rotation for p in parts], shares)
    return Transform(np.asarray(translation), rotation, np.asarray(scale))


def mean_rotation(rotations: Sequence[FloatArray], shares: FloatArray) -> FloatArray:
    """Weighted mean of rotations ``(..., B, 4)``: accumulated from the heaviest to the lightest.

    Each is added with the sign that agrees with the sum so far, and the sum is normalised. So what
    weighs next to nothing decides no sign, and a part whose weight goes to 0 leaves without a turn.

    Parts of unequal weights give the same in whatever order they are passed. Of equal weights the
    first passed goes first, which only shows where rotations are so far apart that no sign suits
    them all (three of equal weight a third of a turn from each other have no middle); callers
    therefore pass parts by their number in the blend space or stack, which previewing and baking
    share. Two rotations half a turn apart have two middles, of which rounding takes one.

    Parameters
    ----------
    shares : ``(n, ...)`` as of `checked_weights`: a number a part, or an array that broadcasts over ``(..., B)``
    """
    if shares.ndim == 1:
        order = np.argsort(-shares, kind="stable")
        parts = [(shares[i], rotations[i]) for i in order]
    else:
        shape = np.broadcast_shapes(shares.shape[1:], *(r.shape[:-1] for r in rotations))
        stacked = np.stack([np.broadcast_to(r, (*shape, 4)) for r in rotations])
        columns = np.stack([np.broadcast_to(share, shape) for share in shares])[..., None]
        places = np.argsort(-columns, axis=0, kind="stable")
        columns, stacked = (np.take_along_axis(a, places, axis=0) for a in (columns, stacked))
        parts = list(zip(columns, stacked, strict=True))
    total = parts[0][0] * parts[0][1]
    for share, rotation in parts[1:]:
        total = total + share * quat.aligned(rotation, total)
    return quat.normalise(total)


def weighted_values(values: Sequence[Mapping[str, float]], weights: npt.ArrayLike) -> dict[str, float]:
    """Curves or morph weights blended by the same weights; one that is missing counts as 0."""
    shares = checked_weights(weights).tolist()
    mixed: dict[str, float] = {}
    for share, table in zip(shares, values, strict=True):
        for name, value in table.items():
            mixed[name] = mixed.get(name, 0.0) + share * value
    return mixed


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
