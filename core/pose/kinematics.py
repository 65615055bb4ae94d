"""Local ↔ model space, and linear-blend skinning. All functions take leading axes ``(..., B, k)``."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.errors import ValidationError
from core.math import kernels, quat, transform
from core.math.transform import Transform
from core.rig.mesh import Mesh
from core.rig.skeleton import Skeleton


def to_model(skeleton: Skeleton, local: Transform) -> Transform:
    """Model transforms of local ones by composing down the parent chain.

    Exact where no parent's scale is uneven; `model_matrices` is right for any scale.
    """
    _check(skeleton, local)
    compiled = kernels.compiled()
    if compiled is None:
        with kernels.twin():
            return transform.down_chain(skeleton.parents, local)
    parts = [_ready(part, np.float64) for part in local]
    found = Transform(*(np.empty(part.shape) for part in parts))
    flat = (part.reshape(-1, *part.shape[-2:]) for part in (*parts, *found))
    compiled.models.put(_ready(skeleton.parents, np.int32), *flat)
    return found


def to_local(skeleton: Skeleton, model: Transform) -> Transform:
    """Local transforms of model ones: the inverse of `to_model`."""
    _check(skeleton, model)
    above = np.maximum(skeleton.parents, 0)
    parents = Transform(*(np.asarray(part)[..., above, :] for part in model))
    local = transform.compose(transform.inverse(parents), Transform(*map(np.asarray, model)))
    root = (skeleton.parents < 0)[:, None]
    return Transform(*(np.where(root, whole, part) for whole, part in zip(model, local, strict=True)))


def model_rotations(skeleton: Skeleton, rotations: npt.ArrayLike) -> FloatArray:
    """Model rotations ``(..., B, 4)`` of local rotations."""
    local = np.asarray(rotations, dtype=np.float64)
    result = np.array(local)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            result[..., bone, :] = quat.multiply(result[..., int(parent), :], local[..., bone, :])
    return result


def model_matrices(skeleton: Skeleton, local: Transform) -> FloatArray:
    """Model matrices ``(..., B, 4, 4)`` by matrix products, as glTF inherits scale."""
    _check(skeleton, local)
    compiled = kernels.compiled()
    if compiled is None or not len(skeleton):  # without bones no number of poses can be told from a size
        with kernels.twin():
            return chain_matrices(skeleton.parents, transform.to_matrix(local))
    lead = np.shape(local.translation)[:-2]
    parts = (_ready(part, np.float64).reshape(-1, *np.shape(part)[-2:]) for part in local)
    matrices = np.empty((*lead, len(skeleton), 4, 4))
    out = matrices.reshape(-1, len(skeleton), 4, 4)
    compiled.mesh.model_matrices(_ready(skeleton.parents, np.int32), *parts, out)
    return matrices


def chain_matrices(parents: npt.NDArray[np.int32], local: FloatArray) -> FloatArray:
    """Products of local matrices ``(..., B, 4, 4)`` down the parents."""
    result = np.array(local)
    for bone, parent in enumerate(parents):
        if parent >= 0:
            result[..., bone, :, :] = result[..., int(parent), :, :] @ local[..., bone, :, :]
    return result


def ancestors(skeleton: Skeleton, bone: int) -> tuple[int, ...]:
    """Bones from the root down to a bone, which is the last."""
    chain = [bone]
    above = skeleton.parent(bone)
    while above >= 0:
        chain.append(above)
        above = skeleton.parent(above)
    return tuple(reversed(chain))


def chain_end(local: Transform) -> Transform:
    """Model transform ``(..., k)`` of the last of a chain of local transforms ``(..., N, k)``."""
    whole = _bone(local, 0)
    for index in range(1, local.translation.shape[-2]):
        whole = transform.compose(whole, _bone(local, index))
    return whole


def joint_bones(mesh: Mesh, skeleton: Skeleton) -> npt.NDArray[np.intp]:
    """Bone number of each joint of a mesh; raises `MissingReferenceError` for a name that is no bone."""
    return np.array([skeleton.index(name) for name in mesh.bones], dtype=np.intp)


def skin_matrices(mesh: Mesh, skeleton: Skeleton, matrices: npt.ArrayLike) -> FloatArray:
    """``model · inverse bind`` of each joint, ``(..., J, 4, 4)``, from model matrices ``(..., B, 4, 4)``."""
    model = np.asarray(matrices, dtype=np.float64)
    if model.shape[-3:] != (len(skeleton), 4, 4):
        raise ValidationError(
            f"mesh {mesh.name!r}: expected model matrices (..., {len(skeleton)}, 4, 4), got {model.shape}"
        )
    product: FloatArray = model[..., joint_bones(mesh, skeleton), :, :] @ mesh.inverse_bind
    return product


def morphed(mesh: Mesh, weights: Mapping[str, float] | None) -> tuple[Float32Array, Float32Array]:
    """Positions and normals ``(V, 3)`` with morph targets added (normals not yet unit again).

    Parameters
    ----------
    weights : target name, or ``mesh/target``, → weight; targets left out take their default
    """
    positions, normals = mesh.positions, mesh.normals
    given = weights or {}
    for morph in mesh.morphs:
        weight = given.get(f"{mesh.name}/{morph.name}", given.get(morph.name, morph.default_weight))
        if weight != 0.0:
            positions = positions + np.float32(weight) * morph.positions
            if morph.normals is not None:
                normals = normals + np.float32(weight) * morph.normals
    return positions, normals


def skin(
    mesh: Mesh, matrices: npt.ArrayLike, weights: Mapping[str, float] | None = None
) -> tuple[Float32Array, Float32Array]:
    """Linear-blend skinning of a mesh.

    Parameters
    ----------
    matrices : skin matrices ``(..., J, 4, 4)`` from `skin_matrices`
    weights : morph weights, see `morphed`

    Returns
    -------
    positions, normals
        ``(..., V, 3)`` float32, in model space; normals are unit, turned by the cofactors of the
        blended matrix, so that uneven scale bends them rightly.
    """
    joints = np.asarray(matrices, dtype=np.float64)
    positions, normals = morphed(mesh, weights)
    compiled = kernels.compiled()
    if compiled is None or not mesh.influences.size:
        with kernels.twin():
            return skin_vertices(positions, normals, mesh.influences, mesh.weights, joints)
    columns = _ready(joints.swapaxes(-1, -2), np.float32).reshape(-1, joints.shape[-3], 16)
    placed, turned = (np.empty((*joints.shape[:-3], *positions.shape), np.float32) for _ in range(2))
    vertices = (_ready(positions, np.float32), _ready(normals, np.float32))
    bound = (_ready(mesh.influences, np.uint16), _ready(mesh.weights, np.float32))
    outs = (out.reshape(-1, *positions.shape) for out in (placed, turned))
    for matrices_of, out_positions, out_normals in zip(columns, *outs, strict=True):
        compiled.skin.skin(*vertices, *bound, matrices_of, out_positions, out_normals)
    return placed, turned


def _ready(array: npt.ArrayLike, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """As kernels take arrays: C-contiguous, aligned, of the type; copied only where it is not."""
    if (
        isinstance(array, np.ndarray)
        and array.dtype == dtype
        and array.flags.c_contiguous
        and array.flags.aligned
    ):
        return array  # `np.require` says the same, in three microseconds
    return np.require(array, dtype=dtype, requirements=("C", "A"))


def skin_vertices(
    positions: Float32Array,
    normals: Float32Array,
    influences: npt.NDArray[np.uint16],
    weights: Float32Array,
    matrices: FloatArray,
) -> tuple[Float32Array, Float32Array]:
    """The numpy twin of the skinning kernel: vertices ``(V, 3)`` by joint matrices ``(..., J, 4, 4)``."""
    rows = matrices[..., :3, :].astype(np.float32)
    blended = np.zeros((*matrices.shape[:-3], len(positions), 3, 4), dtype=np.float32)
    for k in range(influences.shape[1]):
        blended += weights[:, k, None, None] * rows[..., influences[:, k], :, :]
    upper = blended[..., :3]
    placed = np.einsum("...vij,vj->...vi", upper, positions) + blended[..., 3]
    x, y, z = upper[..., 0], upper[..., 1], upper[..., 2]
    cofactors = np.stack((np.cross(y, z), np.cross(z, x), np.cross(x, y)), axis=-1)
    turned = np.einsum("...vij,vj->...vi", cofactors, normals)
    length = np.linalg.norm(turned, axis=-1, keepdims=True)
    unit = turned / np.where(length > 1e-30, length, np.float32(1.0))
    return placed.astype(np.float32, copy=False), unit.astype(np.float32, copy=False)


def _bone(parts: Transform, bone: int) -> Transform:
    return Transform(*(np.asarray(part)[..., bone, :] for part in parts))


def _check(skeleton: Skeleton, local: Transform) -> None:
    if np.shape(local.translation)[-2] != len(skeleton):
        raise ValidationError(
            f"expected transforms of {len(skeleton)} bones, got shape {np.shape(local.translation)}"
        )


def furthest(before: FloatArray, after: FloatArray, points: FloatArray) -> FloatArray:
    """Largest distance ``(T, B)`` between points that two model matrices move.

    Parameters
    ----------
    before, after : ``(T, B, 4, 4)``
    points : ``(B, P, 3)`` in each bone's own space
    """
    loaded = kernels.compiled()
    if loaded is None:
        with kernels.twin():
            return furthest_numpy(before, after, points)
    out = np.empty(before.shape[:2])
    loaded.mesh.furthest(*(np.ascontiguousarray(part, np.float64) for part in (before, after, points)), out)
    return out


def furthest_numpy(before: FloatArray, after: FloatArray, points: FloatArray) -> FloatArray:
    """The numpy twin of the kernel."""
    moved = after - before
    off = np.matmul(points, np.swapaxes(moved[..., :3, :3], -1, -2)) + moved[..., None, :3, 3]
    return np.asarray(np.sqrt(np.square(off).sum(axis=-1).max(axis=-1)))
