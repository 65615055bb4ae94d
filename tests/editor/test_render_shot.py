"""Pictures of a shot without a window: through a camera of the document, with props and second characters."""

from pathlib import Path

import numpy as np
import pytest

import core.io
from core.ids import AssetId
from core.math import quat
from core.math.transform import IDENTITY, Transform
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Hold, held_always
from editor.app import main
from editor.render_shot import shot_cameras
from tests.editor.panels.test_shot_by_hand import BOX
from tests.editor.rigs import small_project


@pytest.fixture(scope="module")
def document(tmp_path_factory) -> Path:
    """A character with a box in its hand, a double beside it and a camera that sees only the double."""
    from core.io.shot_files import read_prop

    folder = tmp_path_factory.mktemp("shot")
    (folder / "box.obj").write_text(BOX)
    project = small_project(True, True)
    core.io.save(project, folder / "double.posewright")
    prop = held_always(read_prop(folder / "box.obj"), Hold(0.0, IDENTITY, "hand_l", project.rigs[0].id))
    aside = Transform(np.array([30.0, 0.0, 0.0]), quat.IDENTITY, np.ones(3))
    double = ShotCharacter(AssetId("shot_character-1"), "double", "double.posewright", place=aside)
    eye = Transform(np.array([30.0, 0.8, 4.0]), quat.IDENTITY, np.ones(3))
    camera = ShotCamera(AssetId("camera-1"), "Double", eye)
    path = folder / "shot.posewright"
    core.io.save(project.with_assets(prop, double, camera), path)
    return path


def _picture(path: Path) -> np.ndarray:  # type: ignore[type-arg]
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(path).convert("RGB"), dtype=np.int32)


def _shown(path: Path) -> float:
    """The part of a picture that differs from its corner."""
    picture = _picture(path)
    return float((np.abs(picture - picture[0, 0]).max(axis=-1) > 12).mean())


def test_render_looks_through_a_camera_of_the_document(document: Path, tmp_path: Path) -> None:
    common = ["render", str(document), "--size", "96x54", "--no-grid", "--background", "#808080", "--clay"]
    assert main([*common, "--camera", "Double", "--out", str(tmp_path / "a")]) == 0
    assert _shown(tmp_path / "a" / "frame_0000.png") > 0.01
    alone = core.io.load(document).project
    alone = alone.without(AssetId("shot_character-1"))
    core.io.save(alone, document.with_name("alone.posewright"))
    common[1] = str(document.with_name("alone.posewright"))
    assert main([*common, "--camera", "camera:Double", "--out", str(tmp_path / "b")]) == 0
    assert _shown(tmp_path / "b" / "frame_0000.png") < 0.001


def test_a_camera_that_is_not_there_tells_which_are(document: Path, tmp_path: Path, capsys) -> None:
    assert main(["render", str(document), "--camera", "camera:Nobody", "--out", str(tmp_path / "c")]) != 0
    assert "there are: Double" in capsys.readouterr().err


def test_a_sheet_has_a_row_for_a_camera(document: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    arguments = ["sheet", str(document), "--views", "front,camera:Double", "--frames", "2", "--size", "64x64"]
    assert main([*arguments, "--out", str(out), "--no-grid"]) == 0
    assert out.is_file()


def test_cameras_fill_pictures_of_their_shape(document: Path) -> None:
    project = core.io.load(document).project
    found = shot_cameras(project, "Double", [0.0, 1.0], (1600.0, 900.0))
    assert found is not None and len(found) == 2
    assert found[0].fov == pytest.approx(2.0 * np.arctan(20.25 / 2.0 / 35.0))
    assert shot_cameras(project, "Nobody", [0.0], (16.0, 9.0)) is None
