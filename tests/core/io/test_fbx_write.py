"""FBX written by us: read back it moves, hangs and weighs the same, and its bytes depend on nothing else."""

import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property
from core.errors import ValidationError
from core.io import load, save
from core.io.common.options import Curves
from core.io.fbx.binary import Int32, Record, encoded
from core.io.fbx.options import FbxWriteOptions
from core.math import quat
from tests.core.io import making
from tests.core.io.test_goldens_converted import world
from tests.shared import needs_shared, shared_files

SAME = 1e-5
FILES = (
    "data/fbx/pab_jog.fbx",
    "data/fbx/max_transformed_skin_7500_binary.fbx",
    "data/gltf/Fox.glb",
    "data/gltf/CesiumMan.gltf",
    "data/bvh/fair1_dab.bvh",
    "data/gltf/interpolation_test.gltf",
)


def check_same(first, last, samples=61):
    a, b = first.rigs[0].skeleton, last.rigs[0].skeleton
    assert set(a.names) == set(b.names)
    order = [b.index(name) for name in a.names]
    parents = [b.names[p] if p >= 0 else None for p in b.parents[order]]
    assert parents == [a.names[p] if p >= 0 else None for p in a.parents]
    rest = world(first, None, np.zeros(1)).translation[0]
    size = float(np.linalg.norm(np.ptp(rest, axis=0))) or 1.0
    for clip in first.clips or (None,):
        other = None if clip is None else last.clip_named(clip.name)
        length = 0.0 if clip is None else clip.length
        # beside the frames, where a step may count for either side
        times = (np.arange(samples) + 0.4142) / samples * length
        p, q = world(first, clip, times), world(last, other, times)
        assert np.abs(p.translation - q.translation[:, order]).max() <= SAME * size
        turned = quat.aligned(q.rotation[:, order], p.rotation)
        assert np.abs(turned - p.rotation).max() <= 2 * SAME
        assert np.abs(p.scale - q.scale[:, order]).max() <= SAME * max(1.0, float(np.abs(p.scale).max()))


@needs_shared
@pytest.mark.parametrize("path", shared_files(*FILES))
def test_save_fbx_read_back_moves_the_same(path, tmp_path):
    pytest.importorskip("ufbx")
    first = load(path).project
    curves = Curves.KEYS if path.suffix == ".fbx" else Curves.FRAMES
    save(first, tmp_path / "a.fbx", FbxWriteOptions(curves=curves, fold_scale=False))
    check_same(first, load(tmp_path / "a.fbx").project)


@pytest.mark.parametrize("up", ["+Y", "+Z"])
@pytest.mark.parametrize("metres", [0.01, 1.0])
def test_save_fbx_units_and_axes_come_back(up, metres, tmp_path):
    pytest.importorskip("ufbx")
    rng = np.random.default_rng(5)
    tracks = {
        Channel("b0", Property.ROTATE, WHOLE): making.turning(rng, 3),
        Channel("b0", Property.TRANSLATE, 1): making.scalar(rng, weighted=True),
        Channel("b2", Property.ROTATE, 0): making.scalar(rng, interpolations=2),
    }
    first = making.with_clip(making.small(), tracks, 0.9)
    save(first, tmp_path / "a.fbx", FbxWriteOptions(up_axis=up, metres_per_unit=metres))
    loaded = load(tmp_path / "a.fbx")
    assert loaded.report.up_axis == up
    assert loaded.project.rigs[0].source.metres_per_unit == pytest.approx(metres)
    check_same(first, loaded.project)


def test_save_fbx_mesh_weights_and_morphs_come_back(tmp_path):
    pytest.importorskip("ufbx")
    first = making.small()
    save(first, tmp_path / "a.fbx")
    last = load(tmp_path / "a.fbx").project
    a, b = first.meshes_of(first.rigs[0].id)[0], last.meshes_of(last.rigs[0].id)[0]
    assert b.name == a.name
    # the corners are sorted by vertex, so the vertices that triangles use keep their order
    used = np.unique(a.triangles)
    assert np.allclose(b.positions, a.positions[used], atol=1e-6)
    assert np.allclose(b.uvs, a.uvs[used], atol=1e-6)
    assert [m.name for m in b.morphs] == [m.name for m in a.morphs]
    for p, q in zip(a.morphs, b.morphs, strict=True):
        assert np.allclose(q.positions, p.positions[used], atol=1e-6)
        assert q.default_weight == pytest.approx(p.default_weight)
    table = np.zeros((2, len(used), 5))
    for row, mesh, rows in ((0, a, used), (1, b, np.arange(len(used)))):
        for place, vertex in enumerate(rows):
            for joint, weight in zip(mesh.influences[vertex], mesh.weights[vertex], strict=True):
                table[row, place, first.rigs[0].skeleton.index(mesh.bones[joint])] += weight
    assert np.allclose(table[0], table[1], atol=1e-6)
    assert [m.name for m in b.materials] == [m.name for m in a.materials]
    assert b.materials[0].texture == a.materials[0].texture


def test_save_fbx_bytes_depend_on_the_project_only(tmp_path):
    for name in ("a", "b"):
        save(making.small(), tmp_path / f"{name}.fbx")
    assert (tmp_path / "a.fbx").read_bytes() == (tmp_path / "b.fbx").read_bytes()


def test_save_fbx_without_a_rig_is_refused(tmp_path):
    from core.project.project import Project

    with pytest.raises(ValidationError, match="no rig"):
        save(Project(), tmp_path / "a.fbx")
    assert not list(tmp_path.iterdir())


def test_encoded_record_says_where_it_ends():
    numbers = np.arange(100, dtype=np.float64)
    data = encoded([Record("A", Int32(7), "hé", inside=[Record("B", numbers)])])
    end, count, size = struct.unpack_from("<III", data, 27)
    assert (count, size) == (2, 5 + 5 + 3)
    assert data[39:41] == b"\x01A"
    assert data[end - 13 : end] == bytes(13)
    head = data.index(b"\x01B") + 2
    assert data[head : head + 1] == b"d"
    amount, packed, length = struct.unpack_from("<III", data, head + 1)
    assert (amount, packed) == (100, 1)
    assert zlib.decompress(data[head + 13 : head + 13 + length]) == numbers.tobytes()


def test_save_fbx_clip_of_no_length_is_a_pose(tmp_path):
    pytest.importorskip("ufbx")
    rng = np.random.default_rng(4)
    at = np.zeros(1)
    tracks = {
        Channel("b1", Property.ROTATE, WHOLE): making.turning(rng, at=at),
        Channel("b2", Property.TRANSLATE, 0): making.scalar(rng, at=at),
    }
    first = making.with_clip(making.small(), tracks, 0.0)
    save(first, tmp_path / "a.fbx")
    check_same(first, load(tmp_path / "a.fbx").project, 1)


def test_save_fbx_a_colour_that_tints_a_texture_is_told(tmp_path):
    project = making.small()
    mesh = project.meshes_of(project.rigs[0].id)[0]
    white = replace(mesh.materials[0], color=(1.0, 1.0, 1.0, 1.0))
    plain = project.with_assets(replace(mesh, materials=(white, mesh.materials[1])))
    told = [save(one, tmp_path / "a.fbx").left_out for one in (project, plain)]
    assert [any("tint" in text for text in left) for left in told] == [True, False]
