"""Faces cut into triangles: the same area, the same winding, nothing outside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import quat
from core.math.polygons import cut


def cut_one(polygon):
    return cut(np.asarray(polygon, float), np.array([0]), np.array([len(polygon)]))


def areas(points, triangles):
    corners = np.asarray(points)[triangles]
    return 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


@st.composite
def stars(draw):
    """Polygons that every corner of is seen from the middle, many of them bent inwards, anywhere in space."""
    count = draw(st.integers(4, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    gaps = rng.uniform(0.5, 1.5, count)
    angles = np.cumsum(gaps) / gaps.sum() * 2.0 * np.pi
    radii = rng.uniform(0.2, 1.0, count)
    flat = np.stack((radii * np.cos(angles), radii * np.sin(angles), np.zeros(count)), axis=1)
    return quat.rotate(quat.normalise(rng.normal(size=4)), flat) + rng.normal(size=3)


@given(stars())
def test_triangles_of_a_face_cover_it_once_with_its_winding(polygon):
    triangles, owners = cut_one(polygon)
    assert len(triangles) == len(polygon) - 2
    assert not owners.any()
    normal = 0.5 * np.cross(polygon, np.roll(polygon, -1, axis=0)).sum(axis=0)
    unit = normal / np.linalg.norm(normal)
    signed = areas(polygon, triangles) @ unit
    assert signed.min() > -1e-9  # none turned over: with the sum below, none lies outside or on another
    assert signed.sum() == pytest.approx(np.linalg.norm(normal))


def test_concave_quad_is_cut_along_its_inner_diagonal():
    arrow = [[0, 0, 0], [2, 1, 0], [0, 2, 0], [0.5, 1, 0]]
    triangles, _ = cut_one(arrow)
    assert (areas(arrow, triangles)[:, 2] > 0).all()


def test_convex_face_stays_a_fan():
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert cut_one(square)[0].tolist() == [[0, 1, 2], [0, 2, 3]]


def test_faces_keep_their_order_and_those_without_area_are_cut_all_the_same():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 5], [5, 5, 5], [5, 5, 5], [5, 5, 5],
                       [0, 0, 0], [2, 1, 0], [0, 2, 0], [0.5, 1, 0]], float)  # fmt: skip
    triangles, owners = cut(points, np.array([0, 3, 7]), np.array([3, 4, 4]))
    assert owners.tolist() == [0, 1, 1, 2, 2]
    assert triangles[0].tolist() == [0, 1, 2]
    assert (areas(points, triangles[3:])[:, 2] > 0).all()


@pytest.mark.parametrize("size", [[], [1, 2]])
def test_faces_of_fewer_than_three_corners_give_nothing(size):
    begin = np.concatenate(([0], np.cumsum(size)[:-1])).astype(int) if size else np.zeros(0, int)
    triangles, owners = cut(np.zeros((3, 3)), begin, np.array(size, int))
    assert triangles.shape == (0, 3)
    assert len(owners) == 0


def test_face_with_a_hole_by_a_bridge_is_cut_around_it():
    outer = [[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]]
    hole = [[1, 1, 0], [1, 3, 0], [3, 3, 0], [3, 1, 0]]
    polygon = [*outer, outer[0], *hole, hole[0]]
    triangles, _ = cut_one(polygon)
    signed = areas(polygon, triangles)[:, 2]
    assert signed.min() > -1e-12
    assert signed.sum() == pytest.approx(12.0)
