"""Cameras out of glTF, FBX and USD files: what they see equals what other programs say that they see."""

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core.io
from core.errors import FormatError
from core.math import quat
from core.project.project import Project
from core.shot.camera import CameraView, ShotCamera, key_times, view_at
from tests.core.io.camera_files import gltf_with_cameras

PLACE, ANGLE = 1e-6, 1e-6


def _only(project: Project) -> ShotCamera:
    (camera,) = project.all(ShotCamera)
    return camera


def _axes(view: CameraView) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    return quat.rotate(view.rotation, np.array([0.0, 0.0, -1.0])), quat.rotate(
        view.rotation, np.array([0.0, 1.0, 0.0])
    )


def test_a_camera_at_the_top_of_a_gltf_keeps_its_keys(tmp_path: Path) -> None:
    path = gltf_with_cameras(tmp_path / "top.gltf")
    project = core.io.load(path).project
    camera = _only(project)
    assert camera.name == "Shot"
    assert camera.aspect == pytest.approx(1.5)
    assert key_times(camera).tolist() == [0.0, 1.0]
    half = view_at(camera, 0.5)
    assert np.abs(half.position - [1.0, 1.5, 5.0]).max() < PLACE
    assert half.fov == pytest.approx(0.8, abs=ANGLE)
    ahead, _ = _axes(half)
    assert np.abs(ahead - [-math.sin(0.25), 0.0, -math.cos(0.25)]).max() < PLACE
    assert "Shot" not in project.rigs[0].skeleton.names


def test_a_camera_below_a_moving_node_is_where_both_put_it(tmp_path: Path) -> None:
    path = gltf_with_cameras(tmp_path / "dolly.gltf", below=True)
    camera = _only(core.io.load(path).project)
    for time in (0.0, 0.2, 0.5, 1.0):  # whole frames: between them the sampled motion is straight
        turn = (
            0.5 * time
        )  # the node above turns about +Y by half a radian a second, and the camera below as well
        place = np.array([2.0 * time, 1.5, 5.0])
        wanted = quat.rotate(quat.from_axis_angle([0.0, 1.0, 0.0], turn), place)
        seen = view_at(camera, time)
        assert np.abs(seen.position - wanted).max() < PLACE
        ahead, _ = _axes(seen)
        assert np.abs(ahead - [-math.sin(2.0 * turn), 0.0, -math.cos(2.0 * turn)]).max() < PLACE


def test_a_parallel_camera_shows_as_many_metres(tmp_path: Path) -> None:
    camera = _only(core.io.load(gltf_with_cameras(tmp_path / "flat.gltf", parallel=True)).project)
    assert camera.height == pytest.approx(3.0)
    assert camera.aspect == pytest.approx(2.0)


def test_a_bad_angle_of_view_tells_where_it_is(tmp_path: Path) -> None:
    path = gltf_with_cameras(tmp_path / "bad.gltf", fov=4.0)
    with pytest.raises(FormatError, match=r"cameras\[0\].perspective.yfov.*angle between 0 and"):
        core.io.load(path)


def test_a_camera_that_is_not_there_tells_which(tmp_path: Path) -> None:
    path = gltf_with_cameras(tmp_path / "gone.gltf", number=3)
    with pytest.raises(FormatError, match="there is no camera 3"):
        core.io.load(path)


CHECK = Path(os.environ.get("POSEWRIGHT_CHECK", "")) / "venv-bpy" / "bin" / "python"


@pytest.fixture(scope="module")
def from_blender(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A keyed camera beside an armature, written by Blender in three formats, and what Blender says it sees."""
    if not os.environ.get("POSEWRIGHT_CHECK") or not CHECK.exists():
        pytest.skip("Blender's module is not installed (POSEWRIGHT_CHECK)")
    folder = tmp_path_factory.mktemp("cameras")
    script = Path(__file__).with_name("camera_scene.py")
    subprocess.run([CHECK, script, folder], check=True, capture_output=True, timeout=300)
    return folder


@pytest.mark.parametrize("name", ["cam.glb", "cam.fbx", "cam.usda"])
def test_a_camera_sees_what_blender_says(from_blender: Path, name: str) -> None:
    if name.endswith("usda"):
        pytest.importorskip("pxr")
    golden: list[dict[str, Any]] = json.loads((from_blender / "gold.json").read_text())
    found = {camera.name: camera for camera in core.io.load(from_blender / name).project.all(ShotCamera)}
    assert set(found) == {"ShotCam", "Rider"}
    for moment in golden:
        camera = found[moment["camera"]]
        seen = view_at(camera, moment["time"])
        ahead, up = _axes(seen)
        # Blender computes and writes single floats: what it says itself is good to about 2e-7 of the size.
        assert np.abs(seen.position - moment["place"]).max() < PLACE
        assert np.abs(ahead - moment["ahead"]).max() < PLACE
        assert np.abs(up - moment["up"]).max() < PLACE
        if name != "cam.glb" or moment["time"] == 0.0 or camera.name == "Rider":  # glTF has no keys of lenses
            assert seen.fov == pytest.approx(moment["fov"], abs=ANGLE)
            assert 2.0 * math.atan(seen.aspect * math.tan(seen.fov / 2.0)) == pytest.approx(
                moment["across"], abs=ANGLE
            )
