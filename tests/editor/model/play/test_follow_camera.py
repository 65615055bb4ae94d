"""The camera that follows a driven character: its distances and half-lives; and the grounds that there are."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.math.transform import Transform
from core.rig.rig import Rig
from core.terrain.pieces import Box, Bumps, Plane, Slope, Stairs
from core.terrain.terrain import Terrain, flat_terrain
from editor.model.play.camera import (
    DISTANCE,
    FARTHEST,
    HEIGHT_HALF,
    JUMPED,
    LEVEL_HALF,
    NEAREST,
    OUT_HALF,
    PIVOT,
    RADIUS,
    USUAL,
    FollowCamera,
    backward,
    free_distance,
    size_of,
)
from editor.model.play.grounds import TERRAINS, bumps_terrain, slopes_terrain, stairs_terrain
from tests.editor.rigs import small_rig

FLAT, DEEP = flat_terrain(), Terrain((Plane((0.0, -1000.0, 0.0)),))


# ---------------------------------------------------------------- how far
def as_tall(height: float) -> Rig:
    """A body of that height in metres."""
    rig = small_rig()
    rest, skeleton = rig.skeleton.rest, rig.skeleton
    tall = 1.6 - 0.05  # from the soles' bones to the head's
    scaled = Transform(rest.translation * (height / tall), rest.rotation, rest.scale)
    return replace(rig, skeleton=replace(skeleton, rest=scaled))


@pytest.mark.parametrize(
    ("times", "size"),
    [
        (0.79, 0.79), (0.81, 1.0), (1.0, 1.0), (1.24, 1.0), (1.26, 1.26), (2.0, 2.0), (0.3, 0.3), (0.2, 0.25),
        (7.9, 7.9), (9.0, 8.0),
    ],
)  # fmt: skip
def test_a_body_of_nearly_the_usual_height_counts_as_usual(times, size) -> None:
    assert size_of(as_tall(USUAL * times)) == pytest.approx(size)


@pytest.mark.parametrize(
    ("factor", "wanted"),
    [(0.5, 0.5 * DISTANCE), (2.0, 2.0 * DISTANCE), (0.001, NEAREST), (1000.0, FARTHEST), (1.0, DISTANCE)],
)
def test_zoom_goes_so_far_and_no_farther(factor, wanted) -> None:
    before = FollowCamera()
    after = before.zoomed(factor)
    assert after.wanted == pytest.approx(wanted) and NEAREST < DISTANCE < FARTHEST
    assert (after.pivot, after.distance) == (before.pivot, before.distance), "it goes there with time"


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        ((0.0, 0.0), (0.0, 0.0, -1.0)), ((90.0, 0.0), (-1.0, 0.0, 0.0)), ((180.0, 0.0), (0.0, 0.0, 1.0)),
        ((0.0, -30.0), (0.0, 0.5, -math.sqrt(0.75))), ((90.0, 60.0), (-0.5, -math.sqrt(0.75), 0.0)),
    ],
)  # fmt: skip
def test_the_eye_is_behind_what_is_looked_at(view, wanted) -> None:
    assert np.allclose(backward(view), wanted)


# ---------------------------------------------------------------- following
def test_the_camera_comes_half_of_the_way_in_its_half_lives() -> None:
    start = FollowCamera((0.0, 1.4, 0.0), 3.0, 2.0)
    place = (1.0, 2.0, -1.0)
    goal = 2.0 + PIVOT * 1.5
    level = start.followed(place, 1.5, (0.0, 0.0), LEVEL_HALF, DEEP)
    assert level.pivot[0] == pytest.approx(0.5) and level.pivot[2] == pytest.approx(-0.5)
    up = start.followed(place, 1.5, (0.0, 0.0), HEIGHT_HALF, DEEP)
    assert up.pivot[1] == pytest.approx((1.4 + goal) / 2.0)
    out = start.followed(place, 1.5, (0.0, 0.0), OUT_HALF, DEEP)
    assert out.distance == pytest.approx(2.5) and out.wanted == 3.0
    assert LEVEL_HALF < HEIGHT_HALF < OUT_HALF


@pytest.mark.parametrize(("away", "cuts"), [(JUMPED - 0.01, False), (JUMPED + 0.01, True)])
def test_the_camera_cuts_to_a_character_that_jumped_away(away, cuts) -> None:
    start = FollowCamera((0.0, PIVOT * 1.8, 0.0))
    after = start.followed((away, 0.0, 0.0), 1.8, (0.0, 0.0), 1e-4, DEEP)
    assert (after.pivot[0] == away) is cuts and (after.pivot[0] < 0.1) is not cuts


def test_no_time_leaves_the_camera_where_it_is() -> None:
    start = FollowCamera((0.0, 1.4, 0.0), 3.0, 2.0)
    after = start.followed((1.0, 0.0, 0.0), 1.8, (0.0, 0.0), 0.0, DEEP)
    assert after.pivot == start.pivot and after.distance == 2.0


def test_an_obstacle_is_met_at_once_and_left_slowly() -> None:
    wall = Terrain((Plane(), Box((0.0, 0.0, -2.0), size=(6.0, 4.0, 1.0))))
    start = FollowCamera((0.0, 1.4, 0.0), 4.0, 4.0)
    height = 1.4 / PIVOT
    met = start.followed((0.0, 0.0, 0.0), height, (0.0, 0.0), 1e-4, wall)
    assert met.distance == pytest.approx(1.5 - RADIUS, abs=1e-3) and met.wanted == 4.0
    left = met.followed((0.0, 0.0, 0.0), height, (180.0, 0.0), OUT_HALF, wall)
    assert left.distance == pytest.approx((met.distance + 4.0) / 2.0)


def test_the_sphere_stops_where_it_touches() -> None:
    pivot = (0.0, 1.0, 0.0)
    assert free_distance(FLAT, pivot, (0.0, 90.0), 4.0) == pytest.approx(1.0 - RADIUS, abs=1e-3)
    assert free_distance(FLAT, pivot, (0.0, 0.0), 4.0) == 4.0
    assert free_distance(FLAT, (0.0, RADIUS / 2.0, 0.0), (0.0, 90.0), 4.0) == 0.05, "it never enters the body"


# ---------------------------------------------------------------- grounds
def test_each_ground_has_a_title_and_is_called_by_its_id() -> None:
    assert list(TERRAINS) == ["flat", "course", "stairs", "bumps", "slopes"]
    assert [title for title, _ in TERRAINS.values()] == ["Flat", "Course", "Stairs", "Bumps", "Slopes"]
    assert [make().name for key, (_, make) in TERRAINS.items() if key != "course"] == [
        "flat", "stairs", "bumps", "slopes",
    ]  # fmt: skip


def test_stairs_lead_to_a_landing_and_down_again() -> None:
    terrain = stairs_terrain()
    floor, *pieces = terrain.pieces
    assert isinstance(floor, Plane) and floor.name == "floor" and len(pieces) == 9
    for number, (rise, run) in enumerate(((0.18, 0.28), (0.12, 0.36), (0.22, 0.25))):
        up, landing, down = pieces[3 * number : 3 * number + 3]
        assert isinstance(up, Stairs) and isinstance(landing, Box) and isinstance(down, Stairs)
        assert (up.name, landing.name, down.name) == (f"stairs {rise:g} × {run:g}", "landing", "down")
        x, top, deep = -5.0 * number, 10 * rise, 10 * run
        walked = [
            (2.9, 0.0), (3.0 + 0.5 * run, rise), (3.0 + 4.5 * run, 5 * rise), (3.0 + deep + 0.1, top),
            (3.0 + deep + 2.9, top), (6.0 + deep + 0.5 * run, top), (6.0 + 2 * deep - 0.5 * run, rise),
            (6.0 + 2 * deep + 0.1, 0.0),
        ]  # fmt: skip
        heights = terrain.under(np.array([(x, high + 0.1, z) for z, high in walked]))
        assert np.allclose(heights, [high for _, high in walked]), number


def test_bumps_grow_to_the_side() -> None:
    floor, *pieces = bumps_terrain().pieces
    assert isinstance(floor, Plane) and floor.name == "floor" and len(pieces) == 3
    for number, (piece, high) in enumerate(zip(pieces, (0.05, 0.10, 0.20), strict=True)):
        assert isinstance(piece, Bumps)
        assert (piece.at, piece.size, piece.amplitude) == ((-9.0 * number, 0.0, 9.0), (8.0, 14.0), high)
        assert piece.name == f"±{round(100 * high)} cm"
    assert len({piece.seed for piece in pieces}) == 3, "each is another ground"


def test_ramps_end_on_platforms_of_their_height() -> None:
    terrain = slopes_terrain()
    floor, *pieces = terrain.pieces
    assert isinstance(floor, Plane) and len(pieces) == 10
    for number, angle in enumerate((10.0, 20.0, 30.0, 40.0, 50.0)):
        ramp, platform = pieces[2 * number : 2 * number + 2]
        assert isinstance(ramp, Slope) and isinstance(platform, Box)
        assert (ramp.angle, ramp.name, platform.name) == (angle, f"{angle:.0f}°", "platform")
        x, rise = -5.0 * number, math.tan(math.radians(angle))
        walked = [
            (2.9, 0.0),
            (5.0, 2.0 * rise),
            (7.9, 4.9 * rise),
            (8.1, 5.0 * rise),
            (11.9, 5.0 * rise),
            (12.1, 0.0),
        ]
        heights = terrain.under(np.array([(x, high + 0.1, z) for z, high in walked]))
        assert np.allclose(heights, [high for _, high in walked], atol=1e-6), angle
