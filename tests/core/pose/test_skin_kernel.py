"""The skinning kernel against its twin: any number of vertices and influences; nothing beside them is written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import kernels
from core.pose import kinematics


@given(st.integers(0, 13), st.integers(1, 9), st.integers(1, 6), st.integers(0, 10**6))
def test_skin_any_counts_is_the_twin(vertices, width, joints, seed) -> None:
    loaded = kernels.load()
    assert loaded is not None
    rng = np.random.default_rng(seed)
    positions, normals = rng.normal(size=(2, vertices, 3)).astype(np.float32)
    normals[::3] = 0.0  # stays so: no direction to turn
    influences = rng.integers(0, joints, (vertices, width)).astype(np.uint16)
    weights = rng.random((vertices, width)).astype(np.float32)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.float32(1e-6))
    matrices = np.tile(np.eye(4), (joints, 1, 1))
    matrices[:, :3] += 0.3 * rng.normal(size=(joints, 3, 4))
    placed, turned = kinematics.skin_vertices(positions, normals, influences, weights, matrices)
    columns = np.ascontiguousarray(matrices.swapaxes(1, 2), np.float32).reshape(joints, 16)
    room = np.full((2, vertices + 2, 3), 7.0, np.float32)
    loaded.skin.skin(positions, normals, influences, weights, columns, room[0, :vertices], room[1, :vertices])
    assert room[0, :vertices] == pytest.approx(placed, abs=1e-5)
    assert room[1, :vertices] == pytest.approx(turned, abs=1e-4)
    assert (room[:, vertices:] == 7.0).all()
