"""Morphs and linear-blend skinning without a graphics card: the fallback, and what picking needs."""

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from editor.gl.draw_list import MeshGeometry, MeshInstance


def morphed(geometry: MeshGeometry, weights: Float32Array | None) -> tuple[Float32Array, Float32Array]:
    """Positions and normals (V, 3) in bind space with morph targets added; weight 0 costs nothing."""
    positions, normals = geometry.positions, geometry.normals
    if weights is None or geometry.morph_positions is None:
        return positions, normals
    active = np.flatnonzero(weights)
    if not len(active):
        return positions, normals
    positions = positions + np.einsum("m,mvk->vk", weights[active], geometry.morph_positions[active])
    if geometry.morph_normals is not None:
        normals = normals + np.einsum("m,mvk->vk", weights[active], geometry.morph_normals[active])
    return positions, normals


def blended_matrices(geometry: MeshGeometry, matrices: Float32Array) -> Float32Array:
    """The matrix (V, 3, 4), or (1, 3, 4) for a rigid mesh, that carries each vertex."""
    if geometry.bones is None or geometry.weights is None:
        return matrices[:1]
    flat = matrices.reshape(len(matrices), 12)
    blend = geometry.weights[:, :1] * flat[geometry.bones[:, 0]]
    for influence in range(1, geometry.bones.shape[1]):
        used = np.flatnonzero(geometry.weights[:, influence])
        if len(used):
            blend[used] += geometry.weights[used, influence, None] * flat[geometry.bones[used, influence]]
    return blend.reshape(-1, 3, 4)


def cofactors(matrices: npt.NDArray[np.float32]) -> Float32Array:
    """What carries normals (N, 3, 3): the inverse transpose up to a positive factor, never singular."""
    a, b, c = matrices[..., :3, 0], matrices[..., :3, 1], matrices[..., :3, 2]
    columns = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-1)
    sign = np.where(np.einsum("...i,...i->...", a, columns[..., 0]) < 0, -1.0, 1.0)
    return np.asarray(columns * sign[..., None, None], dtype=np.float32)


def skin_positions(instance: MeshInstance) -> Float32Array:
    """World positions (V, 3) of an instance's vertices."""
    if instance.skinned_positions is not None:
        return instance.skinned_positions
    positions, _ = morphed(instance.geometry, instance.morph_weights)
    blend = blended_matrices(instance.geometry, instance.matrices)
    return _apply(blend[..., :3], positions) + blend[..., 3]


def skin(instance: MeshInstance) -> tuple[Float32Array, Float32Array]:
    """World positions and unit normals (V, 3); a normal that vanishes stays zero."""
    if instance.skinned_positions is not None and instance.skinned_normals is not None:
        return instance.skinned_positions, instance.skinned_normals
    positions, normals = morphed(instance.geometry, instance.morph_weights)
    blend = blended_matrices(instance.geometry, instance.matrices)
    turned = _apply(cofactors(blend), normals)
    length = np.sqrt(np.einsum("vi,vi->v", turned, turned))
    turned = turned / np.maximum(length, 1e-20)[:, None]
    return _apply(blend[..., :3], positions) + blend[..., 3], turned


def _apply(matrices: Float32Array, vectors: Float32Array) -> Float32Array:
    """Row by row 3x3 times vector; einsum here is several times slower."""
    out = matrices[..., 0] * vectors[:, :1]
    out += matrices[..., 1] * vectors[:, 1:2]
    out += matrices[..., 2] * vectors[:, 2:]
    return np.asarray(out, dtype=np.float32)
