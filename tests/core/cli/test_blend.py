"""``posewright blend``: a blend space at a point, written as a clip that other programs read."""

from pathlib import Path

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.cli.main import main
from core.clips.sample import sample_many
from core.ids import AssetId
from core.io import load, save
from core.project.project import Project
from tests.core.blending.clips import RIG, walking

WALK, RUN = walking("walk", 1.2, 1.5), walking("run", 0.8, 4.0)


@pytest.fixture
def file(tmp_path: Path) -> str:
    space = BlendSpace(
        AssetId("space-1"), "Walk run", RIG.id, (SpaceAxis("Speed", 0.0, 6.0),),
        (SpaceSample(WALK.id, (1.5,)), SpaceSample(RUN.id, (4.0,))), SpaceKind.LINE,
    )  # fmt: skip
    path = tmp_path / "spaces.posewright"
    save(Project({asset.id: asset for asset in (RIG, WALK, RUN, space)}), path)
    return str(path)


def test_blend_at_a_point_is_written(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "clip.glb"
    assert main(["blend", file, "--space", "Walk run", "--at", "2.75", "--out", str(out)]) == 0
    assert "walk 0.500, run 0.500" in capsys.readouterr().out
    project = load(out).project
    assert project.clips[0].length == pytest.approx(1.0, abs=1e-5)
    moved = sample_many(project.rigs[0], project.clips[0], [0.0, 0.999]).translations[:, 0, 2]
    assert float(np.ptp(moved)) == pytest.approx(2.5, abs=0.02)


def test_length_and_rate_are_kept(file: str, tmp_path: Path) -> None:
    out = tmp_path / "clip.posewright"
    words = [
        "blend",
        file,
        "--space",
        "Walk run",
        "--at",
        "1.5",
        "--out",
        str(out),
        "--length",
        "2.5",
        "--rate",
        "60",
    ]
    assert main(words) == 0
    clip = load(out).project.clips[0]
    assert (clip.length, clip.rate.fps) == (2.5, 60.0)


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"--space": "None"}, 1, "there are: 'Walk run'"),
        ({"--at": "1,2"}, 2, "expected 1 numbers (Speed)"),
        ({"--out": "/nowhere/at/all/clip.glb"}, 2, "folder does not exist"),
        ({"--length": "-1"}, 2, "positive"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, str],
    status: int,
    words: str,
) -> None:
    options = {"--space": "Walk run", "--at": "2", "--out": str(tmp_path / "clip.glb"), **change}
    assert main(["blend", file, *(word for pair in options.items() for word in pair)]) == status
    found = capsys.readouterr().err
    assert words in found and found.count("\n") == 1
