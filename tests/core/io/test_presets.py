"""Presets, what is done before writing, and the self-check that reads files back."""

import struct
from dataclasses import replace

import numpy as np
import pytest

from core.clips import root_motion
from core.clips.clip import WHOLE, Channel, Clip, Property, RootMotion
from core.clips.evaluator import ClipEvaluator
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.io import save
from core.io.prepare.prepare import prepared
from core.io.prepare.settings import Keys, Prepare, Rest, Root
from core.io.presets import PRESETS, export, preset_named
from core.io.selfcheck import check_file
from core.math import quat
from core.pose.kinematics import model_matrices
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from tests.core.io import making

NEEDS = {"fbx": "ufbx", "usd": "pxr"}


def walking(length=1.0):
    """A figure that walks two metres ahead while it turns and an arm swings; and a second clip."""
    rng = np.random.default_rng(1)
    times = np.linspace(0.0, length, 25)
    yaw = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.8 * times)
    project = making.small()
    rest = project.rigs[0].skeleton.rest
    tracks = {
        Channel("b0", Property.TRANSLATE, 0): scalar_track(times, rest.translation[0, 0] + 2.0 * times),
        Channel("b0", Property.TRANSLATE, 1): scalar_track(times, np.sin(times)),
        Channel("b0", Property.ROTATE, WHOLE): quaternion_track(times, quat.multiply(yaw, rest.rotation[0])),
        Channel("b2", Property.ROTATE, 1): making.scalar(rng, interpolations=Interpolation.LINEAR),
    }
    project = making.with_clip(project, tracks, length)
    other = Clip(AssetId("clip-2"), "stand", project.rigs[0].id, 0.5, tracks={})
    return project.with_assets(other)


@pytest.mark.parametrize("name", PRESETS)
def test_export_preset_comes_back_good(name, tmp_path):
    preset = preset_named(name)
    pytest.importorskip(NEEDS.get(preset.format, "numpy"))
    done = export(walking(), tmp_path / f"a{preset.suffix}", Prepare(), preset.options)
    assert done.check is not None
    assert done.check.good, done.check.to_text()
    assert len(done.check.checks) == 3  # rest, two clips


def test_preset_unknown_lists_the_known():
    with pytest.raises(MissingReferenceError, match="godot"):
        preset_named("nowhere")


def test_prepared_chooses_clips_and_reduces_keys():
    project = walking()
    before = project.clips[0]
    ready = prepared(project, Prepare(clips=(before.id,), keys=Keys.REDUCED, millimetres=2.0))
    assert [clip.name for clip in ready.clips] == ["move"]
    assert sum(map(len, ready.clips[0].tracks.values())) < sum(map(len, before.tracks.values()))
    times = np.linspace(0.0, 1.0, 61)
    a, b = (
        ClipEvaluator(project.rigs[0], c).models_many(times, wrap=False) for c in (before, ready.clips[0])
    )
    assert np.linalg.norm(a[..., :3, 3] - b[..., :3, 3], axis=-1).max() <= 2.5e-3


def test_prepared_in_place_stays_and_extracted_moves_a_bone_of_its_own():
    project = walking()
    rig, clip = project.rigs[0], project.clips[0]
    times = np.linspace(0.0, 1.0, 25)
    whole = ClipEvaluator(rig, clip).models_many(times, wrap=False)
    still = prepared(project, Prepare(root=Root.IN_PLACE))
    stays = ClipEvaluator(still.rigs[0], still.clips[0]).models_many(times, wrap=False)
    assert np.ptp(stays[:, 0, [0, 2], 3], axis=0).max() < 1e-9
    assert np.allclose(stays[:, 0, 1, 3], whole[:, 0, 1, 3])  # height stays in the pose by default
    apart = prepared(project, Prepare(root=Root.EXTRACTED))
    names = apart.rigs[0].skeleton.names
    assert names[0] == "root_motion"
    moved = ClipEvaluator(apart.rigs[0], apart.clips[0]).models_many(times, wrap=False)
    assert np.allclose(moved[:, 1:], whole, atol=1e-6)
    assert np.allclose(moved[-1, 0, :3, 3], [2.0 - 0.0, 0.0, 0.0], atol=0.9)  # went some way, on the ground
    settings = replace(clip, root_motion=RootMotion(True))
    evaluator = ClipEvaluator(rig, settings)
    path = root_motion.character_at(evaluator, times)
    assert np.allclose(moved[:, 0, :3, 3], path.translation, atol=1e-6)


def test_prepared_rest_from_skin_moves_no_vertex():
    project = walking()
    rig = project.rigs[0]
    skinned = project.with_assets(
        replace(project.meshes_of(rig.id)[0], inverse_bind=np.linalg.inv(_bent(rig))),
    )
    ready = prepared(skinned, Prepare(rest=Rest.SKIN))
    assert np.allclose(
        model_matrices(ready.rigs[0].skeleton, ready.rigs[0].skeleton.rest), _bent(rig), atol=1e-6
    )
    times = np.linspace(0.0, 1.0, 9)
    a, b = (ClipEvaluator(p.rigs[0], p.clips[0]).models_many(times, wrap=False) for p in (skinned, ready))
    assert np.allclose(a, b, atol=1e-6)


def _bent(rig):
    local = rig.skeleton.rest._replace(rotation=making.units(np.random.default_rng(9), 5))
    return model_matrices(rig.skeleton, local)


def test_prepare_refuses_a_reduction_by_nothing():
    with pytest.raises(ValidationError, match="above 0"):
        Prepare(millimetres=0.0)


def test_check_file_finds_a_corrupted_number(tmp_path):
    """One float of one key, changed in the file: named with its bone and frame."""
    project = walking()
    path = tmp_path / "a.glb"
    save(project, path)
    assert check_file(path, project).good
    data = bytearray(path.read_bytes())
    rest = project.rigs[0].skeleton.rest.translation[0, 0]
    wanted = np.float32(rest + 2.0 * 0.5)
    place = data.rindex(struct.pack("<f", wanted))
    data[place : place + 4] = struct.pack("<f", wanted + 0.25)
    path.write_bytes(bytes(data))
    found = check_file(path, project)
    assert not found.good
    assert found.worst is not None
    assert found.worst.millimetres == pytest.approx(250.0, rel=0.05)
    assert found.worst.frame == pytest.approx(15.0, abs=0.6)
    assert "NOT" in found.to_text()


def test_check_file_finds_what_is_missing_or_unreadable(tmp_path):
    project = walking()
    path = tmp_path / "a.glb"
    save(project.without(AssetId("clip-2")), path)
    assert check_file(path, project).problems == ("clip 'stand' is missing",)
    path.write_bytes(path.read_bytes()[:900])
    found = check_file(path, project)
    assert not found.good
    assert "cannot be read back" in found.problems[0]


def test_check_file_finds_a_wrong_unit(tmp_path):
    pytest.importorskip("ufbx")
    project = walking()
    path = tmp_path / "a.fbx"
    save(project, path)
    data = path.read_bytes()
    name = data.index(b"UnitScaleFactor")
    place = data.index(b"D", name + len("UnitScaleFactor") + 20) + 1
    assert struct.unpack_from("<d", data, place) == (1.0,)
    path.write_bytes(data[:place] + struct.pack("<d", 2.54) + data[place + 8 :])
    assert not check_file(path, project).good
