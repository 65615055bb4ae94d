"""Poses between frames and what is left of a switch: the compiled kernel and its twin, and the laws of both."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.locomotion.dampers import spring
from core.locomotion.matching import poses
from core.locomotion.setup import H
from core.math import kernels, quat


def rows(seed: int, bones: int) -> np.ndarray:
    """Two rows of poses ``(2, B, 7)``."""
    random = np.random.default_rng(seed)
    turns = random.normal(size=(2, bones, 4))
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    return np.concatenate([random.normal(size=(2, bones, 3)), turns], axis=2).astype(np.float32)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 20), st.floats(0.0, 1.0))
def test_the_kernel_and_its_twin_mix_decay_and_add_alike(seed, bones, share):
    compiled = kernels.load()
    if compiled is None:
        pytest.skip("no compiled kernels here")
    first, second = rows(seed, bones)
    a, b = np.zeros(10 * bones), np.zeros(10 * bones)
    poses.between_by_twin(first, second, share, a)
    compiled.matching.between(first, second, share, b)
    np.testing.assert_allclose(a, b, atol=1e-12)
    offsets = np.random.default_rng(seed).normal(size=(4, bones, 3))
    poses.offset_by_twin(offsets, a)
    compiled.matching.offset_by(offsets, b)
    np.testing.assert_allclose(a, b, atol=1e-12)
    left = np.empty_like(offsets), np.empty_like(offsets)
    poses.decayed_by_twin(offsets, 10.0, share, left[0])
    compiled.matching.decayed(offsets, 10.0, share, left[1])
    np.testing.assert_allclose(*left, atol=1e-12)


@given(st.integers(0, 10**6))
def test_offsets_decay_as_the_spring_of_the_specification(seed):
    offsets = np.random.default_rng(seed).normal(size=(4, 1, 3))
    left = poses.decayed(offsets, 0.1)
    x, v = spring(float(offsets[0, 0, 0]), float(offsets[1, 0, 0]), 0.0, H, 0.1)
    assert left is not None
    np.testing.assert_allclose(left[:2, 0, 0], [x, v], rtol=1e-9)


def test_offsets_that_cannot_be_seen_end():
    offsets = np.full((4, 2, 3), 0.05)
    steps = 0
    left: np.ndarray | None = offsets
    while left is not None:
        left, steps = poses.decayed(left, 0.1), steps + 1
    assert 30 < steps < 200
    assert poses.decayed(offsets, 0.0) is None


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_switch_goes_on_from_where_the_motion_was_going(seed):
    """The first pose after a switch is the last one moved on by its own speed, whatever is switched to."""
    bones = 6
    random = np.random.default_rng(seed)
    shown, before, target = (np.zeros(10 * bones) for _ in range(3))
    first, other = rows(seed, bones)
    poses.between_by_twin(first, first, 0.0, before)
    poses.between_by_twin(other, other, 0.0, target)
    turn = quat.from_rotation_vector(random.normal(scale=0.05, size=(bones, 3)))
    shown[:] = before
    shown[: 3 * bones] += random.normal(scale=0.02, size=3 * bones)
    own = shown[3 * bones : 7 * bones].reshape(-1, 4)
    own[:] = quat.multiply(turn, own)
    poses.offset_by(poses.offsets_to(shown, before, target, None, bones), target)
    np.testing.assert_allclose(target[: 3 * bones], (2.0 * shown - before)[: 3 * bones], atol=1e-9)
    gone_on = quat.multiply(turn, own)
    assert np.degrees(quat.angle_between(target[3 * bones : 7 * bones].reshape(-1, 4), gone_on)).max() < 1e-4
