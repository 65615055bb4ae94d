import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest

from core.errors import ValidationError
from core.pose.kinematics import skin_vertices
from editor.gl.camera import Camera, project
from editor.gl.coarse_mesh import coarse_mesh
from editor.gl.cpu_skin import cofactors, skin
from editor.gl.draw_list import (
    BoneShapes,
    DrawList,
    Grid,
    Lines,
    MeshGeometry,
    MeshInstance,
    Points,
    polyline,
)
from editor.gl.mesh_picking import cast_ray, pick_mesh
from editor.gl.mesh_source import bounds
from editor.gl.mesh_store import split_by_part
from editor.gl.png import encode_png
from tests.editor.gl.figure import WALKING, figure, figure_geometry

SIZE = (900.0, 500.0)
WHITE = np.ones((1, 4))
RNG = np.random.default_rng(3)


def soup(triangles: int = 300, bones: int = 6, influences: int = 3) -> MeshGeometry:
    count = triangles * 3
    weights = RNG.random((count, influences))
    return MeshGeometry(
        ("soup", triangles),
        RNG.normal(size=(count, 3)),
        RNG.normal(size=(count, 3)),
        np.arange(count).reshape(-1, 3),
        RNG.integers(0, bones, (count, influences)),
        weights / weights.sum(axis=1, keepdims=True),
    )


def test_skinning_here_agrees_with_the_library(small_figure):
    matrices = RNG.normal(size=(21, 3, 4))
    instance = MeshInstance(small_figure, matrices, WHITE)
    full = np.concatenate([matrices, np.tile((0, 0, 0, 1.0), (21, 1, 1))], axis=1)
    wanted = skin_vertices(
        small_figure.positions,
        small_figure.normals,
        small_figure.bones.astype(np.uint16),
        small_figure.weights,
        full,
    )
    positions, normals = skin(instance)
    np.testing.assert_allclose(positions, wanted[0], atol=2e-5)
    # The library turns normals by the cofactors alone; a mirrored matrix flips them, ours faces them outward.
    cosine = np.abs(np.einsum("vi,vi->v", normals, wanted[1]))
    np.testing.assert_allclose(cosine, 1.0, atol=1e-3)


def test_cofactors_are_the_inverse_transpose_up_to_a_positive_factor():
    matrices = RNG.normal(size=(50, 3, 4)).astype(np.float32)
    found = cofactors(matrices).astype(np.float64)
    wanted = np.linalg.inv(matrices[:, :, :3].astype(np.float64)).transpose(0, 2, 1)
    ratio = np.einsum("nij,nij->n", found, wanted)
    cosine = ratio / np.linalg.norm(found, axis=(1, 2)) / np.linalg.norm(wanted, axis=(1, 2))
    np.testing.assert_allclose(cosine, 1.0, atol=1e-5)


def brute(instance: MeshInstance, origin: np.ndarray, direction: np.ndarray) -> tuple[float, int] | None:
    """Möller and Trumbore, one triangle after the other."""
    positions, _ = skin(instance)
    best = None
    for n, (a, b, c) in enumerate(positions[instance.geometry.triangles].astype(np.float64)):
        p = np.cross(direction, c - a)
        det = (b - a) @ p
        if abs(det) < 1e-14:
            continue
        u = (origin - a) @ p / det
        q = np.cross(origin - a, b - a)
        v, t = direction @ q / det, (c - a) @ q / det
        if u >= 0 and v >= 0 and u + v <= 1 and t > 0 and (best is None or t < best[0]):
            best = (t, n)
    return best


def test_ray_finds_the_same_triangle_as_trying_each():
    instance = MeshInstance(soup(), RNG.normal(size=(6, 3, 4)), WHITE)
    found = 0
    for _ in range(60):
        origin, direction = RNG.normal(size=3) * 3, RNG.normal(size=3)
        direction /= np.linalg.norm(direction)
        wanted, hit = brute(instance, origin, direction), cast_ray([instance], origin, direction)
        assert (wanted is None) == (hit is None)
        if wanted is not None and hit is not None:
            found += 1
            assert hit.triangle == wanted[1]
            assert hit.distance == pytest.approx(wanted[0], rel=1e-4)
            np.testing.assert_allclose(hit.point, origin + direction * wanted[0], atol=1e-3)
    assert found > 5


@pytest.mark.parametrize("bone", [4, 6, 7, 12])
def test_pixel_on_a_limb_finds_the_bone_that_moves_it(bone, small_figure):
    posed = figure(WALKING, geometry=small_figure)
    spot = posed.bones.heads[bone] * 0.35 + posed.bones.tails[bone] * 0.65
    camera = Camera(target=tuple(map(float, spot)), yaw=0.4, pitch=0.2, distance=2)
    pixel, _ = project(camera, spot, SIZE)
    hit = pick_mesh([posed.mesh], camera, SIZE, tuple(pixel))
    assert hit is not None and hit.bone == bone and hit.instance == 0
    assert pick_mesh([posed.mesh], camera, SIZE, (2, 2)) is None
    assert pick_mesh([], camera, SIZE, (2, 2)) is None


def test_coarse_mesh_keeps_shape_bones_and_materials():
    fine = figure_geometry(40, 12, "fine")
    light = coarse_mesh(fine, 2000)
    assert 1200 <= len(light.positions) <= 2300
    assert set(np.unique(light.parts)) == set(np.unique(fine.parts))
    np.testing.assert_allclose(light.weights.sum(axis=1), 1, atol=1e-5)
    for a, b in zip(bounds(light.positions), bounds(fine.positions), strict=True):
        np.testing.assert_allclose(a, b, atol=0.03)
    assert coarse_mesh(light, 5000) is light and light.key != fine.key


def test_split_by_part_copies_shared_vertices_and_moves_nothing():
    geometry = replace(
        soup(4), triangles=np.array([(0, 1, 2), (2, 1, 3), (3, 4, 5)]), parts=np.array([0, 1, 1])
    )
    source, triangles, parts = split_by_part(geometry)
    np.testing.assert_array_equal(source[triangles], geometry.triangles)
    np.testing.assert_array_equal(parts[triangles], [[0] * 3, [1] * 3, [1] * 3])
    assert len(source) == 8


def test_equal_frames_compare_equal_and_different_ones_do_not(small_figure):
    def frame(turn: float) -> DrawList:
        posed = figure({1: np.eye(4) * (1, 1, 1, 1) + turn * np.eye(4, k=1)}, geometry=small_figure)
        line = Lines(polyline([(0, 0, 0), (1, 0, turn)]), np.ones(4))
        return DrawList(Grid(), (posed.mesh,), bones=posed.bones, shapes=(line,))

    assert frame(0.1) == frame(0.1)
    assert frame(0.1) != frame(0.2)
    assert frame(0.1) != DrawList() and frame(0.1).bones != "bones"
    assert replace(frame(0.1), grid=None) != frame(0.1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MeshGeometry("a", np.zeros((2, 3)), np.zeros((3, 3)), np.zeros((0, 3))), "normals"),
        (lambda: MeshGeometry("a", np.zeros((2, 3)), np.zeros((2, 3)), [(0, 1, 2)]), "vertex numbers"),
        (lambda: replace(soup(2), bones=np.full((6, 3), -1)), ">= 0"),
        (lambda: replace(soup(2), bones=np.zeros((6, 9)), weights=np.zeros((6, 9))), "1..8"),
        (lambda: replace(soup(2), weights=None), "together"),
        (lambda: MeshInstance(soup(2), np.zeros((1, 3, 4)), WHITE), "matrices"),
        (lambda: MeshInstance(soup(2), np.zeros((6, 3, 4)), np.zeros((0, 4))), "at least one"),
        (lambda: BoneShapes(np.zeros((2, 3)), np.zeros((3, 3))), "tails"),
        (lambda: Lines(np.zeros((2, 2, 3)), np.zeros((3, 4))), "line colors"),
        (lambda: Points(np.zeros((2, 3)), np.zeros(4), np.zeros(3)), "sizes"),
        (lambda: encode_png(np.zeros((0, 3, 4), np.uint8)), "png"),
    ],
)
def test_wrong_shapes_are_refused_with_both_sides_named(make, message):
    with pytest.raises(ValidationError, match=message):
        make()


def test_arrays_of_a_draw_list_cannot_be_written(small_figure):
    posed = figure(geometry=small_figure)
    for array in (posed.mesh.matrices, posed.bones.heads, small_figure.positions):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("channels", [3, 4])
def test_png_decodes_to_the_same_pixels(channels):
    image = RNG.integers(0, 256, (7, 11, channels), dtype=np.uint8)
    data = encode_png(image)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, blocks = 8, {}
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        blocks[kind], at = body, at + 12 + length
    assert struct.unpack(">IIBB", blocks[b"IHDR"][:10]) == (11, 7, 8, 2 if channels == 3 else 6)
    rows = np.frombuffer(zlib.decompress(blocks[b"IDAT"]), np.uint8).reshape(7, 1 + 11 * channels)
    assert (rows[:, 0] == 1).all()
    back = np.cumsum(rows[:, 1:].reshape(7, 11, channels), axis=1, dtype=np.uint8)
    np.testing.assert_array_equal(back, image)
