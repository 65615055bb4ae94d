"""Delaunay triangles against a second route, and their degenerate inputs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from core.math.triangulate import _twice_area, barycentric, collinear, hull_edges, triangulate


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


def test_a_triangle_with_an_area_by_rounding_alone_has_no_circle_to_divide_by() -> None:
    """Its area is 5e-14 by one sum and 0 by the other: the one that is divided by decides."""
    corners = [
        [0.4314638547413545, -0.29280883191899876],
        [0.4314366686267111, 0.3372998174638845],
        [0.0, 1e4],
    ]
    assert _twice_area(np.array(corners), (0, 1, 2)) == 0.0
    places = np.array([*corners[:2], [-0.4, 0.1], [0.2, 0.05]])
    assert np.isfinite(barycentric(places[triangulate(places)], (0.1, 0.05))).all()
