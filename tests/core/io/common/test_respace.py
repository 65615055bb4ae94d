"""Files in other units and axes than ours, written and read, and told about."""

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property
from core.clips.evaluator import ClipEvaluator
from core.errors import ValidationError
from core.io import load, save
from core.io.bvh.options import BvhReadOptions, BvhWriteOptions
from core.io.common.compare import compared
from core.io.common.options import ReadOptions
from core.io.common.respace import respaced
from core.io.common.units_and_axes import UP_AXES, unit_name, up_name
from core.io.gltf.options import GltfWriteOptions
from core.math import quat
from core.tracks.keys import Interpolation
from tests.core.io import making

CASES = [(0.01, "+Z"), (1.0, "+Z"), (0.0254, "+Y")]


def _smooth(rng):
    return making.scalar(rng, interpolations=Interpolation.CUBIC)


def moving(euler=False):
    """A figure whose roots and limbs move in every kind of track."""
    rng = np.random.default_rng(3)
    project = making.small(3)
    roots = [project.rigs[0].skeleton.names[root] for root in project.rigs[0].skeleton.roots()]
    tracks = {}
    for name in (*roots, "b3", "b4"):
        tracks |= {Channel(name, Property.TRANSLATE, axis): _smooth(rng) for axis in (0, 2)}
        if euler:
            tracks |= {Channel(name, Property.ROTATE, axis): _smooth(rng) for axis in range(3)}
        else:
            tracks[Channel(name, Property.ROTATE, WHOLE)] = making.turning(
                rng, interpolations=Interpolation.CUBIC
            )
    return making.with_clip(project, tracks, 1.0)


def worst(first, second):
    """Millimetres and degrees between the clips of two projects."""
    rig, other = first.rigs[0], second.rigs[0]
    pairs = [(bone, other.skeleton.index(name)) for bone, name in enumerate(rig.skeleton.names)]
    found = compared("", rig, other, first.clips[0], second.clips[0], pairs, True)
    return found.millimetres, found.degrees


@pytest.mark.parametrize("euler", [False, True])
@pytest.mark.parametrize("up", UP_AXES)
def test_respaced_project_moves_alike_turned_and_scaled(up, euler):
    project = moving(euler)
    turn = quat.conjugate(UP_AXES[up])
    other = respaced(project, 100.0, turn)
    times = np.linspace(0.0, 1.0, 40)
    a, b = (ClipEvaluator(p.rigs[0], p.clips[0]).models_many(times, wrap=False) for p in (project, other))
    spin = quat.to_matrix(turn)
    assert b[..., :3, 3] == pytest.approx(a[..., :3, 3] @ spin.T * 100.0, abs=2e-4)
    assert b[..., :3, :3] == pytest.approx(spin @ a[..., :3, :3], abs=1e-5)


@pytest.mark.parametrize(("metres", "up"), CASES)
def test_gltf_in_another_space_is_warned_about_and_comes_back(metres, up, tmp_path):
    project = moving()
    report = save(project, tmp_path / "a.glb", GltfWriteOptions(metres_per_unit=metres, up_axis=up))
    assert any("against glTF's law" in text for text in report.warnings)
    loaded = load(tmp_path / "a.glb")
    assert (loaded.report.unit, loaded.report.up_axis) == (unit_name(metres), up)
    assert loaded.project.rigs[0].source.metres_per_unit == metres
    distance, angle = worst(project, loaded.project)
    assert distance < 1e-2
    assert angle < 1e-3
    body = loaded.project.meshes_of(loaded.project.rigs[0].id)[0]
    ours = project.meshes_of(project.rigs[0].id)[0]
    assert np.ptp(body.positions, axis=0) == pytest.approx(np.ptp(ours.positions, axis=0), rel=1e-5)


def test_gltf_in_metres_and_y_up_carries_no_note(tmp_path):
    report = save(moving(), tmp_path / "a.glb")
    assert report.warnings == []
    assert b"metres_per_unit" not in (tmp_path / "a.glb").read_bytes()


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usda"])
def test_file_that_tells_its_unit_and_axes_wrongly_is_read_as_told(suffix, tmp_path):
    pytest.importorskip({".fbx": "ufbx", ".usda": "pxr"}.get(suffix, "numpy"))
    project = moving()
    save(project, tmp_path / f"a{suffix}")
    plain = load(tmp_path / f"a{suffix}").project
    known = plain.rigs[0].source.metres_per_unit
    loaded = load(tmp_path / f"a{suffix}", options=ReadOptions(known * 10.0, "+Z"))
    assert loaded.report.up_axis == "+Z"
    times = np.linspace(0.0, 1.0, 20)
    a, b = (
        ClipEvaluator(p.rigs[0], p.clips[0]).models_many(times, wrap=False) for p in (plain, loaded.project)
    )
    spin = quat.to_matrix(UP_AXES["+Z"])
    assert b[..., :3, 3] == pytest.approx(a[..., :3, 3] @ spin.T * 10.0, abs=1e-4)


@pytest.mark.parametrize(("metres", "up"), CASES)
def test_bvh_in_another_space_comes_back(metres, up, tmp_path):
    project = moving()
    project = project.without(*(mesh.id for mesh in project.meshes_of(project.rigs[0].id)))
    save(project, tmp_path / "a.bvh", BvhWriteOptions(metres_per_unit=metres, up_axis=up, rate=240.0))
    back = load(tmp_path / "a.bvh", options=BvhReadOptions(metres, up)).project
    rig, other = project.rigs[0], back.rigs[0]
    times = np.arange(0, 240, 7) / 240.0
    ours = ClipEvaluator(rig, project.clips[0]).models_many(times, wrap=False)
    theirs = ClipEvaluator(other, back.clips[0]).models_many(times, wrap=False)
    order = [other.skeleton.index(name) for name in rig.skeleton.names]
    assert theirs[:, order][..., :3, 3] == pytest.approx(ours[..., :3, 3], abs=5e-6)


@pytest.mark.parametrize("name", UP_AXES)
def test_name_of_an_up_axis_is_found_from_its_rotation(name):
    assert up_name(UP_AXES[name]) == name


@pytest.mark.parametrize(
    "bad", [{"up_axis": "Z"}, {"metres_per_unit": 0.0}, {"metres_per_unit": float("nan")}]
)
def test_options_refuse_what_cannot_be(bad):
    with pytest.raises(ValidationError, match="expected"):
        ReadOptions(**bad)
    with pytest.raises(ValidationError, match="expected"):
        GltfWriteOptions(**bad)
