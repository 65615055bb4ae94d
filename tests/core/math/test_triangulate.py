"""Delaunay triangles against a second route, and their degenerate inputs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from core.math.triangulate import barycentric, collinear, hull_edges, triangulate


@given(st.integers(0, 10_000), st.integers(3, 25))
def test_random_points_give_scipys_triangles(seed: int, count: int) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 2))
    ours = {frozenset(int(i) for i in t) for t in triangulate(points)}
    theirs = {frozenset(int(i) for i in t) for t in Delaunay(points).simplices}
    # Slivers along the hull may differ: compare where the triangle is not next to flat.
    flat = {
        t
        for t in ours ^ theirs
        if abs(np.linalg.det(np.c_[points[list(t)], np.ones(3)])) > 1e-2 * np.ptp(points) ** 2
    }
    assert not flat


def test_square_is_cut_into_two_and_covered() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    triangles = triangulate(square)
    assert len(triangles) == 2
    assert len(hull_edges(triangles)) == 4
    assert sum(abs(np.linalg.det(np.c_[square[t], np.ones(3)])) / 2 for t in triangles) == pytest.approx(1.0)


@pytest.mark.parametrize("points", [[], [[0, 0]], [[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2], [5, 5]]])
def test_too_few_or_collinear_points_give_none(points: list[list[float]]) -> None:
    assert len(triangulate(np.array(points, dtype=float).reshape(-1, 2))) == 0
    assert collinear(np.array(points, dtype=float).reshape(-1, 2))


@given(st.integers(0, 1000))
def test_barycentric_weights_give_the_point_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners, point = rng.normal(size=(3, 2)), rng.normal(size=2)
    if abs(np.linalg.det(np.c_[corners, np.ones(3)])) < 1e-3:
        return
    weights = barycentric(corners, point)
    assert weights.sum() == pytest.approx(1.0)
    assert weights @ corners == pytest.approx(point)
