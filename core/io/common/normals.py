"""Normals as files hold them."""

import numpy as np

from core.arrays import Float32Array, FloatArray


def unit_normals(vectors: FloatArray | Float32Array) -> Float32Array:
    """Vectors ``(N, 3)`` of unit length; those of no length, or not finite, point up."""
    wide = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(wide, axis=1, keepdims=True)
    good = np.isfinite(length) & (length > 1e-20)
    unit: Float32Array = np.where(good, wide / np.where(good, length, 1.0), [0.0, 1.0, 0.0]).astype(
        np.float32
    )
    return unit
