"""Queries of a terrain: against brute force over its triangles, and the kernels against their twins."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import kernels
from core.terrain import closest, twin
from core.terrain.course import course_terrain
from core.terrain.ground import Ground
from core.terrain.pieces import Box, Bumps, HeightField, Plane, Slope, Stairs
from core.terrain.query import GroundQuery
from core.terrain.terrain import Terrain, flat_terrain


@cache
def mixed(seed: int = 3) -> Terrain:
    """Every kind of piece within some metres."""
    field = HeightField(np.random.default_rng(seed).uniform(0.0, 0.6, (9, 12)), (-5.0, 0.0, 1.0), 20.0, 0.3)
    return Terrain(
        (
            Plane(), Slope(35.0, (3.0, 0.0, 1.0), 30.0, 2.0, 2.0), Stairs((0.0, 0.0, 2.0), -50.0, count=4, width=2.0),
            Box((-2.0, 0.5, -3.0), 33.0, (1.5, 0.3, 1.0)), Bumps((4.0, 0.0, -4.0), size=(4.0, 4.0), cell=0.4), field,
        )
    )  # fmt: skip


places = st.tuples(st.floats(-7.0, 7.0), st.floats(-0.5, 3.0), st.floats(-7.0, 7.0))
ways = st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 1.0), st.floats(-3.0, 3.0))


# ------------------------------------------------------------------------- pieces
def inside(piece: Slope | Stairs | Box, p: np.ndarray) -> np.ndarray:
    """Whether points ``(N, 3)`` are in an unturned solid at the origin."""
    x, y, z = p.T
    if isinstance(piece, Box):
        return (
            (np.abs(x) < piece.size[0] / 2)
            & (np.abs(z) < piece.size[2] / 2)
            & (y > 0.0)
            & (y < piece.size[1])
        )
    if isinstance(piece, Slope):
        length, top = piece.length, np.tan(np.radians(piece.angle)) * z
    else:
        length, top = piece.run * piece.count, piece.rise * (np.floor(z / piece.run) + 1.0)
    return (np.abs(x) < piece.width / 2) & (z > 0.0) & (z < length) & (y < top)


@pytest.mark.parametrize("piece", [Slope(35.0, width=2.0), Stairs(count=4), Box(size=(1.5, 0.3, 1.0))])
def test_faces_of_a_solid_look_outward(piece):
    corners = piece.triangles()
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-300
    kept = np.linalg.norm(normals, axis=1) > 0.5
    middle, step = corners[kept].mean(axis=1), 1e-4 * normals[kept]
    assert inside(piece, middle - step).all() and not inside(piece, middle + step).any()


@pytest.mark.parametrize("piece", [Plane(), Bumps(cell=0.4), HeightField(np.eye(4))])
def test_faces_of_a_ground_look_up(piece):
    corners = piece.triangles()
    assert (np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1] > 0.0).all()


@pytest.mark.parametrize("yaw", [0.0, 30.0, 90.0, -135.0])
def test_slope_and_stairs_rise_toward_their_yaw(yaw):
    s, c = np.sin(np.radians(yaw)), np.cos(np.radians(yaw))
    ahead = np.array([s, 0.0, c])
    slope = Terrain((Plane(), Slope(30.0, (1.0, 0.0, 2.0), yaw, 4.0, 2.0)))
    at = np.array([1.0, 2.0, 2.0]) + ahead * np.array([[-0.5], [0.5], [2.0], [3.9]])
    heights, normals = slope.height_normal(at, above=5.0)
    assert heights == pytest.approx(np.tan(np.radians(30.0)) * np.array([0.0, 0.5, 2.0, 3.9]), abs=1e-9)
    assert normals[1:] == pytest.approx(
        np.tile([-0.5 * s, np.cos(np.radians(30.0)), -0.5 * c], (3, 1)), abs=1e-9
    )
    stairs = Terrain((Plane(), Stairs((1.0, 0.0, 2.0), yaw, 0.18, 0.28, 3)))
    at = np.array([1.0, 2.0, 2.0]) + ahead * np.array([[-0.1], [0.1], [0.3], [0.83], [0.85]])
    assert stairs.under(at) == pytest.approx([0.0, 0.18, 0.36, 0.54, 0.0])


def test_bumps_stay_within_their_amplitude_and_meet_the_level_at_the_rim():
    bumps = Bumps((0.0, 2.0, 0.0), size=(6.0, 4.0), amplitude=0.1, seed=11)
    corners = bumps.triangles()
    assert corners[..., 1].min() >= 2.0 - 1e-12 and corners[..., 1].max() <= 2.2 + 1e-12
    assert np.ptp(corners[..., 1]) > 0.08
    rim = np.isclose(np.abs(corners[..., 0]), 3.0) | np.isclose(np.abs(corners[..., 2]), 2.0)
    assert corners[rim][:, 1] == pytest.approx(2.0)
    assert not np.array_equal(
        corners, Bumps((0.0, 2.0, 0.0), size=(6.0, 4.0), amplitude=0.1, seed=12).triangles()
    )


def test_height_field_cells_have_one_diagonal():
    """The corner of least x and z is joined with that of most."""
    terrain = Terrain((HeightField(np.array([[0.0, 0.0], [0.0, 1.0]]), cell=1.0),))
    assert len(terrain.triangles().corners) == 2
    assert terrain.under([0.0, 1.0, 0.0]) == pytest.approx(0.5)
    assert terrain.under([0.2, 1.0, -0.2]) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Slope(95.0), "angle"), (lambda: Stairs(count=0), "count"), (lambda: Stairs(rise=-1.0), "rise"),
        (lambda: Box(size=(1.0, np.nan, 1.0)), "size"), (lambda: Plane((np.inf, 0.0, 0.0)), "at"),
        (lambda: Bumps(cell=0.0), "cell"), (lambda: Bumps(shortest=5.0), "longest"),
        (lambda: Bumps(size=(900.0, 900.0)), "cell"), (lambda: HeightField(np.zeros((1, 5))), "heights"),
        (lambda: HeightField(np.array([[0.0, np.nan], [0.0, 0.0]])), "heights"), (lambda: Terrain(()), "pieces"),
    ],
)  # fmt: skip
def test_a_piece_that_cannot_be_is_refused_by_its_field(make, field):
    with pytest.raises(ValidationError, match=f"{field}: expected"):
        make()


# ------------------------------------------------------------------------- brute force
def brute_ray(terrain: Terrain, origin: np.ndarray, move: np.ndarray) -> float:
    """Least time over all triangles by solving three equations each; 2 where none."""
    best = 2.0
    for a, b, c in terrain.triangles().corners:
        matrix = np.stack([b - a, c - a, -move], axis=1)
        if np.cross(b - a, c - a) @ move >= 0.0 or abs(np.linalg.det(matrix)) < 1e-14:
            continue
        u, v, t = np.linalg.solve(matrix, origin - a)
        if u >= -1e-9 and v >= -1e-9 and u + v <= 1.0 + 1e-9 and 0.0 <= t <= 1.0:
            best = min(best, t)
    return best


@settings(max_examples=16, deadline=None)
@given(places, ways)
def test_ray_finds_what_brute_force_finds(place, way):
    terrain = mixed()
    hits = terrain.ray(place, way)
    expected = brute_ray(terrain, np.array(place), np.array(way))
    if hits.piece[0] < 0:
        assert expected == 2.0
        return
    assert hits.time[0] == pytest.approx(expected, abs=1e-9)
    assert hits.point[0] == pytest.approx(np.array(place) + np.array(way) * hits.time[0], abs=1e-9)


def distance(terrain: Terrain, begin: np.ndarray, end: np.ndarray) -> float:
    """Distance of a segment from the surface, by many points along it and all triangles."""
    table = terrain.mesh.table
    along = np.linspace(begin, end, 25 if (end != begin).any() else 1)
    best = np.inf
    with np.errstate(all="ignore"):
        for point in along:
            a, b, c, n = (tuple(table[:, k : k + 3].T) for k in (0, 3, 6, 9))
            p = tuple(point)
            near = closest.on_triangle(p, a, b, c, n)
            away = closest.sub(p, near)
            best = min(best, float(np.sqrt(closest.dot(away, away).min())))
    return best


@settings(max_examples=16, deadline=None)
@given(places, ways, st.sampled_from([0.0, 0.8]), st.sampled_from([0.05, 0.3]))
def test_sweep_ends_clear_of_the_surface_and_within_half_a_millimetre(place, way, length, radius):
    """At the time given the distance is the radius and up to 0.5 mm, and before that it is more."""
    terrain = mixed()
    begin, end, move = np.array(place), np.array(place) + [0.0, length, 0.0], np.array(way)
    hits = terrain.sweep_capsule(begin, end, radius, move)
    at_start = distance(terrain, begin, end)
    if hits.piece[0] < 0:
        times = np.linspace(0.0, 1.0, 13)
        gaps = [distance(terrain, begin + move * t, end + move * t) - radius for t in times]
        assert min(gaps) > -1e-6 or at_start < radius + 0.0005  # it may lead out of what it was in
        return
    if at_start < radius:
        assert hits.gap[0] <= 0.0005  # it was in something, and led deeper or into something else
        return
    t = float(hits.time[0])
    there = distance(terrain, begin + move * t, end + move * t) - radius
    assert hits.gap[0] <= 0.0005 + 1e-9
    if t > 0.0:
        assert -1e-9 <= there < 0.0005 + 0.006  # points along the axis are 33 mm apart
        assert np.linalg.norm(hits.normal[0]) == pytest.approx(1.0)
        assert move @ hits.normal[0] < 0.0
        for earlier in np.linspace(0.0, t, 7)[:-1]:
            assert distance(terrain, begin + move * earlier, end + move * earlier) - radius > -1e-6


@settings(max_examples=25, deadline=None)
@given(places, st.sampled_from([0.0, 0.9]))
def test_nearest_is_the_least_distance(place, length):
    terrain = mixed()
    begin, end = np.array(place), np.array(place) + [0.0, length, 0.0]
    expected = distance(terrain, begin, end)
    hits = terrain.nearest(begin, end, 1.0)
    if hits.piece[0] < 0:
        assert expected > 1.0 - 1e-9
    else:
        assert hits.gap[0] + 1.0 == pytest.approx(expected, abs=0.01)
        assert hits.gap[0] + 1.0 <= expected + 1e-12


def test_sphere_sweep_is_the_capsule_without_length():
    terrain = mixed()
    rng = np.random.default_rng(5)
    centers, moves = (
        rng.uniform(-5.0, 5.0, (50, 3)) + [0.0, 5.5, 0.0],
        rng.normal(size=(50, 3)) - [0.0, 6.0, 0.0],
    )
    sphere, capsule = (
        terrain.sweep_sphere(centers, 0.2, moves),
        terrain.sweep_capsule(centers, centers, 0.2, moves),
    )
    assert (sphere.piece >= 0).sum() > 10
    for a, b in zip(sphere, capsule, strict=True):
        np.testing.assert_array_equal(a, b)


def test_dropped_balls_lie_on_the_ground():
    """The distance to the surface is the radius after the fall."""
    terrain = mixed()
    centers = np.random.default_rng(8).uniform((-5.0, 1.5, -5.0), (5.0, 3.0, 5.0), (60, 3))
    falls = terrain.dropped(centers, 0.2, 4.0)
    for center, fall in zip(centers, falls, strict=True):
        assert fall is not None
        there = center - [0.0, fall, 0.0]
        assert distance(terrain, there, there) == pytest.approx(0.2, abs=2e-4)
    assert terrain.dropped(np.array([[0.0, 9.0, 0.0], [0.0, 0.1, 0.0]]), 0.2, 1.0) == [None, None]


def test_a_long_sweep_across_many_cells_finds_the_box_at_its_end():
    terrain = course_terrain()
    hits = terrain.sweep_sphere([-30.0, 9.0, -20.0], 0.1, [[100.0, 0.0, 0.0]])
    x = 45.0 - 1.5 - 0.1  # the 12 m platform's side
    assert hits.point[0][0] == pytest.approx(43.5, abs=1e-9) and hits.time[0] == pytest.approx(
        (x + 30.0) / 100.0, abs=1e-5
    )
    assert terrain.pieces[hits.piece[0]].name == "drop 12 m"


# ------------------------------------------------------------------------- heights
def test_height_under_a_bridge_is_the_ground_and_on_it_the_bridge():
    terrain = Terrain((Plane(), Box((0.0, 2.0, 0.0), size=(2.0, 0.2, 2.0))))
    assert terrain.under(
        [[0.0, 1.0, 0.0], [0.0, 2.1, 0.0], [0.0, 9.0, 0.0], [5.0, 3.0, 5.0]]
    ) == pytest.approx([0.0, 2.2, 2.2, 0.0])
    assert terrain.under([0.0, -50.0, 0.0]) == pytest.approx(2.2)  # nothing below: the highest of all


def test_beyond_every_piece_there_is_no_ground():
    height, normal = Terrain((Box(),)).height_normal([9.0, 0.0, 0.0])
    assert height == -np.inf and normal.tolist() == [0.0, 1.0, 0.0]


def test_terrain_and_ground_answer_alike_as_one_protocol():
    """The plane with stairs of foot placement, and the same of pieces."""
    ground: GroundQuery = Ground(rise=0.18, run=0.28, start=0.5, count=4)
    stairs: GroundQuery = Terrain(
        (
            Plane(),
            Stairs((0.0, 0.0, 0.5), count=4),
            Box((0.0, 0.0, 0.5 + 4 * 0.28 + 5.0), size=(4.0, 0.72, 10.0)),
        )
    )
    points = np.random.default_rng(2).uniform((-1.5, 0.9, -1.0), (1.5, 1.2, 5.0), (200, 3))
    np.testing.assert_allclose(ground.under(points), stairs.under(points), atol=1e-9)
    np.testing.assert_allclose(ground.normals(points), stairs.normals(points), atol=1e-12)
    assert flat_terrain().flat and not course_terrain().flat


# ------------------------------------------------------------------------- kernels
def test_kernels_give_the_bits_of_their_twins():
    """A run must not depend on whether a machine has compiled yet."""
    loaded = kernels.load()
    if loaded is None:
        pytest.skip("the compiled kernels are off")
    rng = np.random.default_rng(1)
    for terrain in (mixed(), course_terrain()):
        m, count = terrain.mesh, 400
        low, high = m.table[:, 12:15].min(axis=0), m.table[:, 15:].max(axis=0)
        low, high = np.maximum(low, [-40.0, -0.5, -30.0]), np.minimum(high, [45.0, 8.0, 30.0])
        begins = rng.uniform(low, high, (count, 3))
        ends = begins + np.array([0.0, 1.2, 0.0]) * rng.integers(0, 2, (count, 1))
        ends[::9] += rng.normal(size=ends[::9].shape)
        moves = rng.normal(size=(count, 3)) * rng.choice([0.1, 1.0, 5.0], (count, 1))
        moves[::7, [0, 2]], moves[::5, 1], moves[::11] = 0.0, 0.0, 0.0
        radii = rng.choice([0.05, 0.3], count)
        made = [(np.empty((count, 8)), np.empty(count, dtype=np.int64)) for _ in range(2)]
        loaded.terrain.sweeps(
            m.table, m.grid, m.starts, m.items, m.large, begins, ends, moves, radii, *made[0]
        )
        twin.sweeps(m, begins, ends, moves, radii, *made[1])
        assert (made[0][1] >= 0).sum() > 20
        assert made[0][0].tobytes() == made[1][0].tobytes() and (made[0][1] == made[1][1]).all()
        rays = [(np.empty(count), np.empty(count, dtype=np.int64)) for _ in range(2)]
        loaded.terrain.rays(m.table, m.grid, m.starts, m.items, m.large, begins, moves, *rays[0])
        twin.rays(m, begins, moves, *rays[1])
        assert rays[0][0].tobytes() == rays[1][0].tobytes() and (rays[0][1] == rays[1][1]).all()
