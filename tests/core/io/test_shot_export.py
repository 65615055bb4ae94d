"""Cameras and props in exported files: seen and placed as in the document, by our own reader and by three.js' law."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core.io
from core.clips.clip import Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.errors import FormatError
from core.ids import AssetId
from core.io.prepare.settings import Prepare, RestScale
from core.io.presets import export
from core.io.shot_files import read_prop, read_shot_cameras
from core.math import quat
from core.math.transform import Transform, to_matrix
from core.pose.kinematics import model_matrices, skin, skin_matrices
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.shot.camera import ShotCamera, placed, view_at, with_lens
from core.shot.prop import (
    Hold,
    Prop,
    held_always,
    held_between,
    matrix_at,
    offset_at,
    offset_from,
    rigid_meshes,
    with_hold,
)
from core.tracks.keys import scalar_track
from tests.editor.rigs import small_project

OFFSET = Transform(
    np.array([0.05, 0.1, -0.02]), quat.normalise(np.array([0.1, 0.3, -0.2, 0.9])), np.array([1.0, 1.0, 1.0])
)


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Prop:
    path = tmp_path_factory.mktemp("prop") / "box.obj"
    corners = [f"v {x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.1, 0.1)]
    faces = ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]
    path.write_text("\n".join(["o Box", *corners, *faces]))
    return read_prop(path)


def waving() -> Project:
    """The small character whose left hand moves."""
    project = small_project(True, True)
    clip = project.clips[0]
    line = scalar_track([0.0, clip.length], [0.0, 70.0])
    return project.with_assets(clip.with_tracks({Channel("hand_l", Property.ROTATE, 2): line}))


def bones_at(project: Project, time: float) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    rig, clip = project.rigs[0], project.clips[0]
    models = ClipEvaluator(rig, clip).models_many(np.array([time]), wrap=False)[0]
    return dict(zip(rig.skeleton.names, models, strict=True))


def test_an_obj_file_is_in_metres(box: Prop) -> None:
    points = np.concatenate([mesh.positions for mesh in box.meshes])
    assert np.abs(np.ptp(points, axis=0) - [0.2, 0.4, 0.2]).max() < 1e-6


def test_a_prop_on_a_bone_moves_with_it_exactly(box: Prop) -> None:
    project = waving()
    rig = project.rigs[0]
    prop = held_always(box, Hold(0.0, OFFSET, "hand_l", rig.id))
    for time in np.linspace(0.0, project.clips[0].length, 7):
        bones = bones_at(project, float(time))
        found = matrix_at(prop, float(time), lambda _, name, bones=bones: bones.get(name))
        assert np.abs(np.linalg.solve(bones["hand_l"], found) - to_matrix(OFFSET)).max() < 1e-12


def test_holds_take_turns_and_a_switch_moves_nothing(box: Prop) -> None:
    project = waving()
    rig, time = project.rigs[0], 0.4
    before = held_always(box, Hold(0.0, OFFSET, "hand_l", rig.id))
    bones = bones_at(project, time)
    there = matrix_at(before, time, lambda _, name: bones.get(name))
    offset = offset_from(bones["hand_r"], there)
    passed = with_hold(before, Hold(time, offset, "hand_r", rig.id))
    assert np.abs(matrix_at(passed, time, lambda _, name: bones.get(name)) - there).max() < 1e-12
    earlier = bones_at(project, 0.2)
    assert np.array_equal(
        matrix_at(passed, 0.2, lambda _, name: earlier.get(name)),
        matrix_at(before, 0.2, lambda _, name: earlier.get(name)),
    )


def test_without_its_character_a_hold_is_of_the_world(box: Prop) -> None:
    prop = held_always(box, Hold(0.0, OFFSET, "hand_l", AssetId("rig-1")))
    left = prop.with_targets({AssetId("rig-1"): None})
    assert left.holds[0].bone is None and left.holds[0].rig is None


def test_a_document_with_a_shot_comes_back_as_it_was(box: Prop, tmp_path: Path) -> None:
    project = waving()
    prop = held_between(
        box,
        Hold(0.2, OFFSET, "hand_l", project.rigs[0].id),
        0.6,
        Transform(np.ones(3), quat.IDENTITY, np.ones(3)),
    )
    whole = project.with_assets(prop, ShotCamera(AssetId("camera-1"), "cam"))
    report = core.io.save(whole, tmp_path / "shot.posewright")
    assert not report.warnings
    assert [hold.bone for hold in core.io.load(tmp_path / "shot.posewright").project.all(Prop)[0].holds] == [
        None, "hand_l", None,
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usda"])
def test_an_exported_prop_is_below_its_bone(box: Prop, tmp_path: Path, suffix: str) -> None:
    if suffix == ".usda":
        pytest.importorskip("pxr")
    project = waving()
    prop = held_always(box, Hold(0.0, OFFSET, "hand_l", project.rigs[0].id))
    path = tmp_path / f"held{suffix}"
    done = export(project.with_assets(prop), path, Prepare())
    assert done.check is not None and done.check.good, done.check.to_text()
    back = core.io.load(path).project
    rig, clip = back.rigs[0], back.clips[0]
    bone = rig.skeleton.index("box")
    assert rig.skeleton.names[rig.skeleton.parent(bone)] == "hand_l"
    assert any("box" in mesh.bones for mesh in back.meshes_of(rig.id))
    for time in (0.0, 0.5, clip.length):
        wanted = bones_at(project, time)["hand_l"] @ to_matrix(OFFSET)
        found = ClipEvaluator(rig, clip).models_many(np.array([time]), wrap=False)[0, bone]
        assert np.abs(found - wanted).max() < 1e-5


def test_an_exported_prop_that_is_held_for_a_while_goes_where_it_went(box: Prop, tmp_path: Path) -> None:
    project = waving()
    rig, rate = project.rigs[0], project.clips[0].rate
    start, end = rate.to_seconds(6), rate.to_seconds(18)
    after = Transform(np.array([0.5, 0.0, 0.3]), quat.IDENTITY, np.ones(3))
    prop = held_between(box, Hold(start, OFFSET, "hand_l", rig.id), end, after)
    path = tmp_path / "carried.glb"
    export(project.with_assets(prop), path, Prepare())
    back = core.io.load(path).project
    bone = back.rigs[0].skeleton.index("box")
    for frame in (0, 5, 6, 12, 18, 24):
        time = rate.to_seconds(frame)
        bones = bones_at(project, time)
        wanted = matrix_at(prop, time, lambda _, name, bones=bones: bones.get(name))
        found = ClipEvaluator(back.rigs[0], back.clips[0]).models_many(np.array([time]), wrap=False)[0, bone]
        assert np.abs(found - wanted).max() < 1e-5, frame


def test_an_exported_camera_sees_the_same_and_lenses_are_told_as_left_out(tmp_path: Path) -> None:
    project = waving()
    turn = quat.normalise(np.array([-0.1, 0.2, 0.05, 0.97]))
    camera = placed(
        ShotCamera(AssetId("camera-1"), "Shot A", lens=50.0), np.array([1.0, 1.5, 3.0]), turn, 0.0, True
    )
    camera = placed(camera, np.array([-1.0, 1.2, 2.0]), quat.IDENTITY, project.clips[0].length, True)
    flat = ShotCamera(AssetId("camera-2"), "Plan", height=2.0)
    zoomed = with_lens(camera, 80.0, 0.5, key=True)
    path = tmp_path / "camera.glb"
    told = export(project.with_assets(zoomed, flat), path, Prepare()).report
    assert any("keys of the lens of camera 'Shot A'" in text for text in told.left_out)
    found = {c.name: c for c in read_shot_cameras(path)}
    assert found["Plan"].height == pytest.approx(2.0)
    assert found["Plan"].aspect == pytest.approx(flat.aspect)
    for time in np.linspace(0.0, project.clips[0].length, 5):
        ours, theirs = view_at(camera, float(time)), view_at(found["Shot A"], float(time))
        assert (
            np.abs(ours.position - theirs.position).max() < 1e-5
        )  # glTF holds single floats; Euler keys are fitted
        assert quat.angle_between(ours.rotation, theirs.rotation) < 2e-4
        assert theirs.fov == pytest.approx(ours.fov, abs=1e-6)
    assert "Shot A" not in core.io.load(path).project.rigs[0].skeleton.names
    document = _json(path)
    assert [kind["type"] for kind in document["cameras"]] == ["perspective", "orthographic"]


@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_a_prop_on_a_scaled_bone_keeps_its_size_where_scale_is_folded(
    box: Prop, tmp_path: Path, suffix: str
) -> None:
    project = waving()
    rig = project.rigs[0]
    scale = np.array(rig.skeleton.rest.scale)
    scale[0] = 2.0
    skeleton = Skeleton(rig.skeleton.names, rig.skeleton.parents, rig.skeleton.rest._replace(scale=scale))
    project = project.with_assets(replace(rig, skeleton=skeleton))
    models = model_matrices(skeleton, skeleton.rest)
    hand = models[skeleton.index("hand_l")]
    prop = held_always(box, Hold(0.0, offset_at(hand), "hand_l", rig.id))
    path = tmp_path / f"scaled{suffix}"
    export(project.with_assets(prop), path, Prepare(scale=RestScale.FOLDED))
    back = core.io.load(path).project
    (mesh,) = [
        mesh
        for mesh in back.meshes_of(back.rigs[0].id)
        if "box" in mesh.name.lower() and len(mesh.bones) == 1
    ]
    shown = rigid_meshes(
        [mesh], back.rigs[0], model_matrices(back.rigs[0].skeleton, back.rigs[0].skeleton.rest)
    )[0]
    assert np.abs(np.ptp(shown.positions, axis=0) - [0.2, 0.4, 0.2]).max() < 1e-4
    assert np.abs(shown.positions.mean(axis=0) - hand[:3, 3]).max() < 1e-4


def test_formats_without_cameras_tell_that_they_are_left_out(tmp_path: Path) -> None:
    project = waving().with_assets(ShotCamera(AssetId("camera-1"), "Shot A"))
    told = core.io.save(project, tmp_path / "none.fbx")
    assert any("camera 'Shot A'" in text for text in told.left_out)


def _json(path: Path) -> dict:  # type: ignore[type-arg]
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def test_rigid_parts_of_a_posed_file_stand_as_in_its_rest_pose() -> None:
    project = waving()
    rig: Rig = project.rigs[0]
    mesh = project.meshes_of(rig.id)[0]
    models = model_matrices(rig.skeleton, rig.skeleton.rest)
    (made,) = rigid_meshes([mesh], rig, models)
    wanted = skin(mesh, skin_matrices(mesh, rig.skeleton, models))[0]
    assert np.abs(made.positions - wanted).max() < 1e-6
    assert isinstance(project.clips[0], Clip) and replace(made, name="x").bones == ("prop",)


def test_a_prop_of_an_unknown_format_is_refused_with_every_format_that_can_be(tmp_path: Path) -> None:
    path = tmp_path / "box.blob"
    path.write_bytes(b"nothing that is known")
    with pytest.raises(FormatError, match=r"not a file of a known format.*\.glb.*\.obj"):
        read_prop(path)
