"""Blending batches by the kernel gives what the numpy twin gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.math import kernels, quat
from core.math.transform import Transform
from core.pose import blend


def batch(rng: np.random.Generator, count: int, bones: int) -> Transform:
    return Transform(
        rng.normal(size=(count, bones, 3)),
        quat.normalise(rng.normal(size=(count, bones, 4))),
        rng.uniform(0.5, 2.0, (count, bones, 3)),
    )


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 5), st.booleans())
def test_weighted_batches_kernel_agrees_with_its_twin(seed, parts, count, by_pose):
    assert kernels.load() is not None
    rng = np.random.default_rng(seed)
    poses = [batch(rng, count, 7) for _ in range(parts)]
    weights = rng.uniform(0.0, 1.0, (parts, count, 1) if by_pose else (parts,))
    weights[rng.uniform(size=weights.shape) < 0.2] = 0.0
    weights[-1] += 0.1
    shares = blend.checked_weights(weights)
    found = blend._by_kernel(poses, shares)
    assert found is not None
    for ours, twin in zip(found, blend._by_numpy(poses, shares), strict=True):
        assert ours.shape == twin.shape
        assert np.abs(ours - twin).max(initial=0.0) < 1e-12


def test_weighted_rotations_that_cancel_end_as_the_twin_s():
    assert kernels.load() is not None
    still = np.zeros((1, 1, 3))
    a = Transform(still, np.array([[[1.0, 0.0, 0.0, 0.0]]]), still)
    b = Transform(still, np.array([[[0.0, 1.0, 0.0, 0.0]]]), still)
    shares = np.array([0.5, 0.5])
    found, twin = blend._by_kernel([a, b], shares), blend._by_numpy([a, b], shares)
    assert found is not None
    assert np.allclose(found.rotation, twin.rotation)


def test_weighted_views_of_larger_arrays_are_read_right():
    assert kernels.load() is not None
    rng = np.random.default_rng(0)
    wide = [batch(rng, 4, 9) for _ in range(2)]
    thin = [Transform(*(a[:, 2:6] for a in part)) for part in wide]
    for part in thin:
        for array in part:
            array.flags.writeable = False
    mixed = blend.weighted(thin, [0.25, 0.75])
    whole = blend.weighted(wide, [0.25, 0.75])
    assert all(np.array_equal(a, b[:, 2:6]) for a, b in zip(mixed, whole, strict=True))


@pytest.mark.parametrize("weights", [np.full((2, 3, 4), 0.5), np.full((2, 1, 4), 0.5)])
def test_weighted_by_bone_is_left_to_the_twin(weights):
    rng = np.random.default_rng(1)
    poses = [batch(rng, 3, 4), batch(rng, 3, 4)]
    assert blend._by_kernel(poses, weights) is None
    assert np.isfinite(blend.weighted(poses, weights).rotation).all()
