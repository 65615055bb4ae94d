"""Baked ambient occlusion: what is open, what is covered, and that the picture shows it."""

import os
from collections import OrderedDict

import numpy as np
import pytest

from core.errors import Cancelled
from core.ids import AssetId
from core.io.backups import data_dir
from core.progress import Progress
from core.rig.mesh import Mesh
from editor.gl import occlusion, occlusion_cache
from editor.gl.occlusion import OcclusionLibrary, baked, directions


def grid(size, count, height=0.0, flip=False):
    """A level square of triangles that faces up, or down."""
    at = np.linspace(-size / 2, size / 2, count)
    x, z = (part.reshape(-1) for part in np.meshgrid(at, at))
    points = np.stack([x, np.full(len(x), height), z], axis=1)
    a = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).reshape(-1)
    corners = np.stack([a, a + count, a + 1, a + 1, a + count, a + count + 1], axis=1).reshape(-1, 3)
    normal = np.tile([0.0, -1.0 if flip else 1.0, 0.0], (len(points), 1))
    return points, normal, corners[:, ::-1] if flip else corners


def mesh_of(*parts):
    points, normals, triangles, start = [], [], [], 0
    for place, normal, corners in parts:
        points.append(place)
        normals.append(normal)
        triangles.append(corners + start)
        start += len(place)
    whole = np.concatenate(triangles)
    count = sum(map(len, points))
    return Mesh(
        AssetId("mesh"), "mesh", AssetId("rig"), np.concatenate(points), np.concatenate(normals), whole, ("bone",),
        np.eye(4)[None], np.zeros((count, 1), np.uint16), np.ones((count, 1), np.float32),
    )  # fmt: skip


def test_directions_are_unit_and_even():
    ways = directions(200)
    assert np.allclose(np.linalg.norm(ways, axis=1), 1.0)
    assert np.abs(ways.mean(axis=0)).max() < 0.02


def test_a_lone_sheet_is_all_open():
    shade = baked(mesh_of(grid(1.0, 12)))
    assert shade.min() > 0.85 and shade.mean() > 0.93


def test_a_roof_covers_what_is_below_it_and_less_so_at_its_edge():
    ground, roof = grid(2.0, 21), grid(0.6, 9, 0.12, flip=True)
    shade = baked(mesh_of(ground, roof))[: 21 * 21].reshape(21, 21)
    assert shade[10, 10] < 0.35, "the middle is covered"
    assert shade[0, 0] > 0.95, "a corner far away is open"
    assert shade[10, 10] < shade[10, 13] < shade[10, 17], "more light towards the edge"


def test_what_covers_from_far_away_does_not_count():
    near, far = grid(0.5, 9, 0.1, flip=True), grid(0.5, 9, 1.6, flip=True)
    ground = grid(2.0, 15)
    middle = 7 * 15 + 7
    assert baked(mesh_of(ground, near))[middle] < baked(mesh_of(ground, far))[middle] - 0.4


def test_turning_and_moving_the_mesh_changes_little():
    ground, roof = grid(2.0, 21), grid(0.6, 9, 0.12, flip=True)
    mesh = mesh_of(ground, roof)
    angle = 0.7
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    parts = [
        (places @ turn.T * 3.0 + 5.0, normals @ turn.T, corners)
        for places, normals, corners in (ground, roof)
    ]
    assert np.abs(baked(mesh) - baked(mesh_of(*parts))).mean() < 0.05


def test_mesh_without_size_is_all_open():
    places, normals, corners = grid(1.0, 4)
    assert (baked(mesh_of((places * 0.0, normals, corners))) == 1.0).all()


def test_baking_can_be_cancelled_and_is_done_once():
    mesh = mesh_of(grid(1.3, 7))

    def stop(fraction, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        OcclusionLibrary().bake([mesh], Progress(stop))
    library = OcclusionLibrary()
    assert library.unknown([mesh]) == (mesh,) and library.of(mesh) is None
    library.bake([mesh])
    assert library.unknown([mesh]) == ()
    again = OcclusionLibrary()
    again.bake([mesh_of(grid(1.3, 7))], Progress(stop))  # the same shape: nothing is left to do
    library.forget([])
    assert library.unknown([mesh]) == (mesh,)


# ------------------------------------------------------------ what is kept on the disk
@pytest.fixture
def forgetful(monkeypatch):
    """Nothing is known from other tests, and what is baked is counted."""
    made = []
    monkeypatch.setattr(occlusion, "_KEPT", OrderedDict())
    monkeypatch.setattr(occlusion, "baked", lambda mesh, progress=None: made.append(mesh) or baked(mesh))
    return made


def start_again():
    occlusion._KEPT.clear()


def test_shade_is_read_from_the_disk_by_the_next_start(forgetful):
    mesh = mesh_of(grid(1.1, 6))
    first = occlusion.kept(mesh)
    start_again()
    assert np.array_equal(occlusion.kept(mesh_of(grid(1.1, 6))), first)
    assert len(forgetful) == 1
    occlusion.kept(mesh_of(grid(1.2, 6)))
    assert len(forgetful) == 2  # another shape has a file of its own


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "long", "folder", "other"])
def test_damaged_file_is_made_again(forgetful, damage):
    mesh = mesh_of(grid(1.1, 6))
    first = occlusion.kept(mesh)
    (path,) = (data_dir() / "shades").iterdir()
    data = path.read_bytes()
    if damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        flipped = data[:-1] + bytes([data[-1] ^ 1])
        broken = {
            "cut": data[:-3],
            "flipped": flipped,
            "empty": b"",
            "long": data * 2,
            "other": b"x" * len(data),
        }
        path.write_bytes(broken[damage])
    start_again()
    assert np.array_equal(occlusion.kept(mesh), first) and len(forgetful) == 2
    if damage != "folder":
        assert path.read_bytes() == data


def test_folder_that_cannot_be_written_is_no_error(forgetful):
    (data_dir()).mkdir(parents=True, exist_ok=True)
    (data_dir() / "shades").write_text("a file in its place")
    occlusion.kept(mesh_of(grid(1.1, 6)))
    start_again()
    occlusion.kept(mesh_of(grid(1.1, 6)))
    assert len(forgetful) == 2


def test_files_not_used_for_longest_are_swept(tmp_path):
    for number in range(6):
        occlusion_cache.write(f"{number}", np.ones(1000, np.float32), tmp_path)
        os.utime(tmp_path / f"{number}.shade", (1e9 + number, 1e9 + number))
    (tmp_path / "old.part").write_bytes(b"half")
    os.utime(tmp_path / "old.part", (1e9, 1e9))
    assert occlusion_cache.read("0", 1000, tmp_path) is not None  # used: it is the newest now
    occlusion_cache.sweep(tmp_path, 3500)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["0.shade", "4.shade", "5.shade"]
