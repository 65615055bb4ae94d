"""``posewright retarget`` from files to a file."""

from pathlib import Path

import numpy as np
import pytest

from core.cli.main import main
from core.io import load
from core.math import quat

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "mannequin.posewright"


def test_several_sources_become_one_file_and_one_table(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.posewright"
    words = [str(shared / "data" / "bvh" / "cmu_j*.bvh"), str(shared / "data" / "gltf" / "Fox.glb")]
    assert main(["retarget", *words, "--all", "--onto", str(SAMPLE), "--out", str(out)]) == 1
    told = capsys.readouterr()
    rows = told.out.splitlines()
    assert rows[0].split()[:2] == ["source", "clip"] and "cmu_jumping_jacks" in rows[1]
    assert sum("four legs" in row for row in rows) == 3 and "1 clips, 3 failed" in rows[-1]
    assert "2/2" in told.err
    project = load(out).project
    (clip,) = project.clips
    moved = {c.bone for c in clip.tracks if c.property == 0}
    assert moved == {"pelvis"} and clip.rig == project.rigs[0].id
    assert project.meshes_of(clip.rig)


def test_onto_itself_gives_the_clip_again(tmp_path: Path) -> None:
    from core.ik.rigged import sample_many

    out = tmp_path / "out.posewright"
    words = ["retarget", str(SAMPLE), "--clip", "walk", "--onto", str(SAMPLE), "--out", str(out)]
    assert main(words) == 0
    projects = load(SAMPLE).project, load(out).project
    clips = [p.clip_named("walk") for p in projects]
    times = np.arange(0, 20) / clips[0].rate.fps
    poses = [sample_many(p.rigs[0], c, times, wrap=False).local for p, c in zip(projects, clips, strict=True)]
    assert np.abs(poses[0].translation - poses[1].translation).max() < 1e-6
    assert quat.angle_between(poses[0].rotation, poses[1].rotation).max() < 1e-6


def test_a_map_is_written_edited_and_used(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, chains = str(shared / "data" / "bvh" / "cmu_jumping_jacks.bvh"), tmp_path / "map.json"
    out = tmp_path / "out.glb"
    common = ["retarget", source, "--onto", str(SAMPLE), "--out", str(out)]
    assert main([*common, "--write-map", str(chains)]) == 0 and not out.exists()
    assert "left leg: LeftHip, LeftKnee → thigh_l, calf_l" in capsys.readouterr().out
    assert main([*common, "--all", "--map", str(chains), "--no-foot-lock"]) == 0 and out.exists()
    out.unlink()
    chains.write_text('{"schema": "posewright-chain-map/1", "chains": []}')
    assert main([*common, "--all", "--map", str(chains)]) == 1
    assert "no chain" in capsys.readouterr().out and not out.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.bvh", "--all"], "no such file"),
        ([str(SAMPLE)], "--clip NAME, or --all"),
    ],
)
def test_a_command_that_makes_no_sense_is_a_usage_error(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tail = ["--onto", str(SAMPLE), "--out", str(tmp_path / "out.glb")]
    assert main(["retarget", *words, *tail]) == 2
    assert said in capsys.readouterr().err
