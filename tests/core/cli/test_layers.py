"""``layers list``, ``merge``, ``extract`` and ``split`` on the small character: what is shown stays."""

import json

import numpy as np
import pytest

from core.cli.main import main
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.io import load, save
from core.math import quat
from core.project.project import Project
from tests.editor.rigs import small_project


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.posewright"
    save(Project(dict(small_project(mesh=False).assets)), path)
    return str(path)


def turns(path) -> np.ndarray:
    project = load(path).project
    clip = project.clips[0]
    return ClipPipeline.of(project, clip).sample_many(np.arange(round(clip.frames) + 1) / 30.0).rotations


def test_range_is_extracted_listed_and_merged_again(file, tmp_path, capsys) -> None:
    lifted, flat = str(tmp_path / "lifted.posewright"), str(tmp_path / "flat.posewright")
    assert main(["layers", "list", file]) == 0 and capsys.readouterr().out == "no layers\n"
    words = ["layers", "extract", file, "--bones", "upper_arm_l", "--range", "3:40", "--out", lifted]
    assert main(words) == 0
    assert "1 layers, shown the same" in capsys.readouterr().out
    assert main(["layers", "list", lifted, "--json"]) == 0
    layer = json.loads(capsys.readouterr().out)[0]["layers"][0]
    assert layer["mode"] == "override" and layer["keyed_channels_only"] and layer["weight"] == "keyed"
    assert main(["layers", "list", lifted]) == 0
    assert f"{layer['name']}: override, weight keyed" in capsys.readouterr().out
    assert quat.angle_between(turns(file), turns(lifted)).max() < 1e-6
    assert main(["layers", "merge", lifted, "--layer", layer["name"], "--out", flat]) == 0
    project = load(flat).project
    assert stack_of(project, project.clips[0].id) is None and len(project.all(Clip)) == 1
    assert quat.angle_between(turns(file), turns(flat)).max() < 1e-6


def test_split_keeps_few_keys_and_is_written_as_another_format(file, tmp_path) -> None:
    out, glb = str(tmp_path / "split.posewright"), str(tmp_path / "split.glb")
    assert main(["layers", "split", file, "--keep", "10,20", "--out", out]) == 0
    project = load(out).project
    assert {len(track) for track in project.clips[0].tracks.values()} == {4}
    assert quat.angle_between(turns(file), turns(out)).max() < 1e-6
    assert main(["layers", "merge", out, "--out", glb]) == 0
    assert [clip.name for clip in load(glb).project.clips] == [project.clips[0].name]


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["merge"], 1, "has no layers"),
        (["extract", "--bones", "nobody"], 1, "nobody"),
        (["extract", "--range", "x:y"], 2, "--range"),
        (["split", "--keep", "a"], 2, "--keep"),
        (["extract", "--range", "10:10"], 1, "range within the clip"),
    ],
)
def test_what_is_wrong_is_one_line(file, tmp_path, capsys, words, status, reason) -> None:
    word, *more = words
    assert main(["layers", word, file, *more, "--out", str(tmp_path / "out.posewright")]) == status
    said = capsys.readouterr().err
    assert reason in said and len(said.splitlines()) == 1
