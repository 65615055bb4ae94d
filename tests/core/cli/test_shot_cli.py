"""``posewright shot``: what a document holds beside its character is listed and added."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core.io
from core.cli.main import main
from core.math.transform import to_matrix
from core.pose.kinematics import model_matrices
from core.project.project import Project
from core.rig.skeleton import Skeleton
from core.shot.prop import Prop
from tests.core.io.camera_files import gltf_with_cameras
from tests.editor.rigs import small_project

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    core.io.save(small_project(True, True), tmp_path / "hero.posewright")
    (tmp_path / "blade.obj").write_text(TRIANGLE)
    gltf_with_cameras(tmp_path / "cameras.gltf")
    return tmp_path


def test_what_is_added_is_listed(folder: Path, capsys) -> None:
    words = ["shot", "add", folder / "hero.posewright", "--cameras", folder / "cameras.gltf", "--prop"]
    words += [folder / "blade.obj", "--bone", "hand_l", "--character", folder / "hero.posewright"]
    out = folder / "shot.posewright"
    assert main([*map(str, words), "--out", str(out)]) == 0
    assert main(["shot", "list", str(out), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["kind"], row["name"]) for row in rows] == [
        ("camera", "Shot"), ("prop", "blade"), ("character", "hero"),
    ]  # fmt: skip
    assert rows[0]["keys"] == 2 and rows[1]["held_by"] == ["hand_l"]
    project: Project = core.io.load(out).project
    assert project.all(Prop)[0].holds[0].rig == project.rigs[0].id
    assert main(["shot", "list", str(out)]) == 0
    assert "prop blade: held_by hand_l" in capsys.readouterr().out


def test_a_prop_keeps_its_size_on_a_bone_that_is_scaled(folder: Path) -> None:
    project = small_project(True, True)
    rig = project.rigs[0]
    scale = np.array(rig.skeleton.rest.scale)
    scale[0] = 50.0  # of the root: as in files in other units
    rest = rig.skeleton.rest._replace(scale=scale)
    skeleton = Skeleton(rig.skeleton.names, rig.skeleton.parents, rest)
    core.io.save(project.with_assets(replace(rig, skeleton=skeleton)), folder / "large.posewright")
    words = ["shot", "add", folder / "large.posewright", "--prop", folder / "blade.obj", "--bone", "hand_l"]
    out = folder / "held.posewright"
    assert main([*map(str, words), "--out", str(out)]) == 0
    hold = core.io.load(out).project.all(Prop)[0].holds[0]
    bone = model_matrices(skeleton, skeleton.rest)[skeleton.index("hand_l")]
    size = np.linalg.norm((bone @ to_matrix(hold.offset))[:3, :3], axis=0)
    assert size == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "x.posewright"], "expected --cameras, --prop or --character"),
        (
            ["--bone", "hand_l", "--cameras", "cameras.gltf", "--out", "x.posewright"],
            "--bone: expected --prop",
        ),
        (["--prop", "blade.obj", "--out", "x.glb"], "ends in .posewright"),
        (["--prop", "blade.obj", "--bone", "tail", "--out", "x.posewright"], "tail"),
        (["--prop", "blade.obj", "--out", "hero.posewright"], "exists already"),
        (["--character", "gone.glb", "--out", "x.posewright"], "gone.glb is not there"),
        (["--cameras", "hero.posewright", "--out", "x.posewright"], "it holds no camera"),
    ],
)
def test_what_cannot_be_added_says_why(
    folder: Path, capsys, monkeypatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)
    assert main(["shot", "add", "hero.posewright", *words]) != 0
    assert message in capsys.readouterr().err
